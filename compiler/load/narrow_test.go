package load

import (
	"slices"
	"testing"

	"cuelang.org/go/cue/format"
	"cuelang.org/go/cue/parser"
)

// TestNarrow leaves out all but b, and wants what is left of the file.
func TestNarrow(t *testing.T) {
	const imports = "package rules\n\nimport (\n\t\"x.com/t/a\"\n\t\"x.com/t/b\"\n\tother \"x.com/t/c@v0:see\"\n)\n\n"
	for _, x := range []struct {
		name, text, want string
		left             []string
	}{
		{"entries and imports", imports +
			"rulesets: [string]: {...}\nrulesets: {\n\t\"a\": {rules: a}\n\t\"b\": {rules: b}\n\t\"c\": {rules: other}\n}\n",
			"package rules\n\nimport (\n\t\"x.com/t/b\"\n)\n\nrulesets: [string]: {...}\nrulesets: {\n\t\"b\": {rules: b}\n}\n",
			[]string{"a", "c"}},
		{"an import that is read elsewhere", imports + "x: a.x\nrulesets: {\n\t\"a\": {rules: a}\n\t\"c\": {rules: other}\n}\n",
			"package rules\n\nimport (\n\t\"x.com/t/a\"\n\t\"x.com/t/b\"\n)\n\nx: a.x\nrulesets: {}\n", []string{"a", "c"}},
		{"a list that is read", "package rules\n\nrulesets: {\n\t\"a\": {}\n}\nx: rulesets.a\n", "", nil},
		{"names without quotes", "package rules\n\nrulesets: {\n\ta: {}\n\tb: a\n}\n", "", nil},
		{"a name that has another", "package rules\n\nrulesets: {\n\tX=\"a\": {}\n\tb: X\n}\n", "", nil},
		{"names that are computed", "package rules\n\nrulesets: {\n\tfor k in [\"a\"] {(k): {}}\n}\n", "", nil},
		{"another list", "package rules\n\nsets: {\n\t\"a\": {}\n}\n", "", nil},
	} {
		f, err := parser.ParseFile("rules.cue", x.text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		before, err := format.Node(f)
		if err != nil {
			t.Fatal(err)
		}
		left := narrowRelease(f, []string{"b"})
		if !slices.Equal(left, x.left) {
			t.Errorf("%s: left out are %q, not %q", x.name, left, x.left)
		}
		got, err := format.Node(f)
		if x.want == "" {
			x.want = string(before)
		}
		if err != nil || string(got) != x.want {
			t.Errorf("%s: left is\n%s\nnot\n%s%v", x.name, got, x.want, err)
		}
	}
}
