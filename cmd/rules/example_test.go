package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/example"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/shell"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// TestExamplesAnswer runs the command line that eval prints for every shipped rule and procedure.
func TestExamplesAnswer(t *testing.T) {
	if testing.Short() {
		t.Skip("each rule is answered, and nothing of it runs at once")
	}
	plans, err := (&settings{}).CompileAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range plans {
		file := filepath.Join(t.TempDir(), p.Ruleset+".plan")
		if err := os.WriteFile(file, planfile.Write(p, nil), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, id := range describe.EvaluableNames(p) {
			t.Run(p.Ruleset+"/"+id, func(t *testing.T) {
				n := describe.NeedsOf(p, id)
				if example.FindAnswering(rules.Files, p, n) == nil &&
					example.CaseOf(rules.Files, "golden/"+p.Ruleset, golden.Kind(n.Kind), id) == nil {
					t.Skip("nothing that is shipped answers")
				}
				answers(t, example.ExampleOf(rules.Files, "rules eval --plan "+shell.Quote(file), p, n))
			})
		}
	}
}

// answers runs an example: echo CHARACTER | rules ARGUMENTS, or where no character is needed rules ARGUMENTS.
func answers(t *testing.T, example string) {
	words, character := shellWords(t, example), ""
	if len(words) > 3 && words[0] == "echo" && words[2] == "|" {
		words, character = words[3:], words[1]
	}
	if len(words) < 3 || words[0] != "rules" {
		t.Fatalf("the example is no command:\n%s", example)
	}
	var out, errs bytes.Buffer
	if got := Main(words[1:], strings.NewReader(character), &out, &errs); got != exit.Done {
		t.Errorf("exit status %d: %s\n%s", got, errs.String(), example)
	}
	if out.Len() == 0 {
		t.Errorf("no answer:\n%s", example)
	}
}

// shellWords splits a line as a shell does that knows blanks, single quotes and \' alone.
func shellWords(t *testing.T, line string) []string {
	var out []string
	var word strings.Builder
	quoted, some := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted, some = !quoted, true
		case c == '\\' && !quoted:
			i++
			word.WriteByte(line[i])
		case (c == ' ' || c == '\n') && !quoted:
			if some {
				out = append(out, word.String())
			}
			word.Reset()
			some = false
		default:
			word.WriteByte(c)
			some = true
		}
	}
	if quoted {
		t.Fatalf("a quote does not end: %s", line)
	}
	return append(out, word.String())
}
