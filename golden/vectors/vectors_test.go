package vectors_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/vectors"
)

// makeDocument makes the vectors of tempestas.
func makeDocument(t *testing.T) *vectors.Document {
	t.Helper()
	cases, err := golden.Load(rules.Files, "golden/tempestas", "golden/tempestas")
	if err != nil {
		t.Fatal(err)
	}
	d, err := vectors.Make(gametest.ShippedPlan(t, "tempestas"), cases)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// validate checks that a text fits the schema.
func validate(t *testing.T, text []byte) {
	t.Helper()
	if err := fit(t, text); err != nil {
		t.Error(err)
	}
}

// fit returns where a text does not fit the schema.
func fit(t *testing.T, text []byte) error {
	t.Helper()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(vectors.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("vectors.schema.json", schema); err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("vectors.schema.json").Validate(doc)
}

// TestDocument checks that a document fits its schema, is the same each time, and is read as it was written.
func TestDocument(t *testing.T) {
	d := makeDocument(t)
	text, err := d.Write()
	if err != nil {
		t.Fatal(err)
	}
	again, err := makeDocument(t).Write()
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("made twice, the document is not the same: %v", err)
	}
	validate(t, text)
	read, err := vectors.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := read.Write(); err != nil || !bytes.Equal(back, text) {
		t.Errorf("read and written again, the document is not the same: %v", err)
	}
	ids := map[string]bool{}
	for _, v := range d.Vectors {
		if ids[v.ID] {
			t.Errorf("two vectors have the id %s", v.ID)
		}
		ids[v.ID] = true
	}
}

// TestReadRefuses reads what is no document.
func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                              "this is no document of vectors",
		`{"format": "rules-vectors/2"}`: `its format is "rules-vectors/2", not "rules-vectors/1"`,
		`{"format": "rules-vectors/1"}`: "has no vectors",
		`{"format": "rules-vectors/1", "vectors": [{"id": "x", "want": {}}]}`: "vector x: want: it has one member",
	} {
		if _, err := vectors.Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// playAgainst plays a document against a function that answers lines.
func playAgainst(t *testing.T, d *vectors.Document, answer func(line []byte) string) (*vectors.Report, error) {
	t.Helper()
	questions, in := io.Pipe()
	answers, out := io.Pipe()
	go func() {
		for s := bufio.NewScanner(questions); s.Scan(); {
			text := answer(s.Bytes())
			if text == "" {
				break
			}
			if _, err := io.WriteString(out, text+"\n"); err != nil {
				break
			}
		}
		out.Close()
	}()
	defer in.Close()
	return vectors.Play(d, &vectors.Implementation{In: in, Out: answers, Patience: 5 * time.Second})
}

// TestWrongImplementation gives every vector but one the wanted answer: that one is told with its case and the place.
func TestWrongImplementation(t *testing.T) {
	d := makeDocument(t)
	wrong := slices.IndexFunc(d.Vectors, func(v vectors.Vector) bool {
		return bytes.Contains(v.Want, []byte(`"active_value": 35,`))
	})
	if wrong < 0 {
		t.Fatal("no vector has an active value of 35")
	}
	n := -1
	report, err := playAgainst(t, d, func(line []byte) string {
		var q struct{ Ruleset, Revision, ID, Want string }
		if json.Unmarshal(line, &q) != nil || q.Ruleset != "tempestas" || q.Revision == "" || q.Want != "" {
			t.Errorf("the question is %s", line)
		}
		n++
		if q.ID != d.Vectors[n].ID {
			t.Errorf("question %d is %s, not %s", n, q.ID, d.Vectors[n].ID)
		}
		if n == wrong {
			return strings.Replace(string(d.Vectors[n].Want), `"active_value": 35,`, `"active_value": 36,`, 1)
		}
		return string(d.Vectors[n].Want)
	})
	if err != nil {
		t.Fatal(err)
	}
	if report.Vectors != len(d.Vectors) || report.Passed != report.Vectors-1 || len(report.Failed) != 1 {
		t.Fatalf("%+v", report)
	}
	got := report.Failed[0]
	if got.ID != d.Vectors[wrong].ID || got.Case != d.Vectors[wrong].Case || len(got.Differences) != 1 ||
		got.Differences[0].String() != "sheet.output.active_value: want 35, got 36" {
		t.Errorf("%+v", got)
	}
}

// TestJudge judges single answers.
func TestJudge(t *testing.T) {
	v := func(kind vectors.Kind, want string) vectors.Vector {
		return vectors.Vector{Question: vectors.Question{ID: "a", Kind: kind}, Want: json.RawMessage(want)}
	}
	sheet := v(vectors.Rule, `{"sheet":{"output":{"n":1,"x":0.5}}}`)
	for _, c := range []struct {
		vector       vectors.Vector
		answer, want string
	}{
		{sheet, `{"sheet":{"output":{"n":1,"x":5e-1,"more":2},"trace":[]}}`, ""},
		{sheet, `{"sheet":{"output":{"n":1,"x":0.5000000001}}}`, "sheet.output.x: want 0.5, got 0.5000000001"},
		{sheet, `{"sheet":{"output":{"n":1}}}`, "sheet.output.x: want 0.5, but there is no such member"},
		{sheet, `{"refused":{"message":"no"}}`, `the answer: want the member sheet, got {"refused": {"message": "no"}}`},
		{sheet, `{"error":"boom"}`, `error: want sheet, got "boom"`},
		{sheet, `nonsense`, `the answer: it is no JSON`},
		{sheet, `[]`, `the answer: want the member sheet, got []`},
		{v(vectors.Odds, `{"odds":{"mean":{"n":1.5}}}`), `{"odds":{"mean":{"n":1.5000000000001}}}`, ""},
		{v(vectors.Odds, `{"odds":{"mean":{"n":1.5}}}`), `{"odds":{"mean":{"n":1.501}}}`, "odds.mean.n: want 1.5, got 1.501"},
		{v(vectors.Rule, `{"refused":{"message":"no"}}`), `{"refused":{"message":"never"}}`,
			`refused.message: want "no", got "never"`},
		{v(vectors.Rule, `{"failed":{}}`), `{"failed":{"message":"overflow"}}`, ""},
	} {
		got := c.vector.Judge([]byte(c.answer))
		switch {
		case got.Passed() != (c.want == ""):
			t.Errorf("%s: %+v", c.answer, got)
		case c.want != "" && !strings.HasPrefix(got.Differences[0].String(), c.want):
			t.Errorf("%s: %v", c.answer, got.Differences[0])
		}
	}
	if got := sheet.Judge([]byte(`{"unsupported":"later"}`)); got.Passed() || got.Unsupported != "later" {
		t.Errorf("%+v", got)
	}
}

// TestSilentImplementation ends in the middle.
func TestSilentImplementation(t *testing.T) {
	d := makeDocument(t)
	n := 0
	report, err := playAgainst(t, d, func([]byte) string {
		n++
		if n == 3 {
			return ""
		}
		return string(d.Vectors[n-1].Want)
	})
	want := "vector " + d.Vectors[2].ID + " (" + d.Vectors[2].Case + "): the implementation ended without an answer"
	if err == nil || err.Error() != want || report.Passed != 2 {
		t.Errorf("%v, %+v", err, report)
	}
}
