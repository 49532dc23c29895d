package golden

import (
	"slices"
	"strings"
	"testing"
)

func TestParseStatements(t *testing.T) {
	got, err := ParseStatements("s.txt", `# a comment
g.a | First chapter
g.b | Second; third | gap: the book gives no number: none | at all

g.c | Fourth | odds: the chance of it
# examples
g.ex.a | First chapter
g.ex.b | Second | ours
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []Statement{
		{ID: "g.a", Heading: "First chapter", Line: 2},
		{ID: "g.b", Heading: "Second; third", Kind: "gap", Reason: "the book gives no number: none | at all", Line: 3},
		{ID: "g.c", Heading: "Fourth", Kind: "odds", Reason: "the chance of it", Line: 5},
		{ID: "g.ex.a", Heading: "First chapter", Example: true, Line: 7},
		{ID: "g.ex.b", Heading: "Second", Example: true, Ours: true, Line: 8},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestParseStatementsErrors(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"g.a", `s.txt:1: "g.a" is not id | heading`},
		{"g.a |", `s.txt:1: "g.a |" is not id | heading`},
		{"g a | h", `s.txt:1: "g a | h" is not id | heading`},
		{"\n| h", `s.txt:2: "| h" is not id | heading`},
		{"g.a | h\ng.a | h", "s.txt:2: g.a stands in line 1 already"},
		{"g.a | h\n# examples\ng.a | h", "s.txt:3: g.a stands in line 1 already"},
		{"g.a | h | later: x", `s.txt:1: "later: x" is not gap, definition, judgement or odds`},
		{"g.a | h | gap", `s.txt:1: "gap" is not gap, definition, judgement or odds`},
		{"# examples\ng.a | h | gap: x", "s.txt:2: g.a is an example"},
	} {
		_, err := ParseStatements("s.txt", x.text)
		if err == nil || !strings.HasPrefix(err.Error(), x.want) {
			t.Errorf("%q: got %v, want %s", x.text, err, x.want)
		}
	}
}

func FuzzStatements(f *testing.F) {
	f.Add("g.a | h\ng.b | h | gap: x\n# examples\ng.c | h")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseStatements("s.txt", text)
		for _, s := range list {
			if s.ID == "" || s.Heading == "" || s.Line == 0 || (s.Kind == "") != (s.Reason == "") {
				t.Errorf("%q gives %+v, %v", text, s, err)
			}
		}
	})
}
