package mutants_test

import (
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/mutants"
)

const excuses = `# what no case can notice
table bonus, row "small", bonus | 1 -> 2 | nobody is small
rule test, output value | + -> - | a case notices it, so this line is stale
rule rest, output hours | 8 -> 9 | the first of two lines that read alike
rule rest, output hours | 8 -> 9 | the second, for which there is no mutant
`

func TestExcusesAreReadAndStaleOnesAreTold(t *testing.T) {
	list, err := mutants.ParseExcuses("game/survivors.txt", excuses)
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, mutants.Options{Excuses: list, Tables: true})
	got := outcomes(r)
	for mutation, want := range map[string]mutants.Outcome{
		`table bonus, row "small", bonus, 1 -> 2`:     mutants.Excused,
		"rule rest, output hours, 8 -> 9":             mutants.Excused,
		"rule test, output value, + -> -":             mutants.Noticed,
		`table bonus, row "small", the row -> no row`: mutants.Survived,
	} {
		if got[mutation] != want {
			t.Errorf("%s: %q, want %q", mutation, got[mutation], want)
		}
	}
	var lines []int
	for _, e := range r.Stale {
		lines = append(lines, e.Line)
	}
	if len(lines) != 2 || lines[0] != 3 || lines[1] != 5 {
		t.Errorf("the stale lines are %v, want 3 and 5", lines)
	}
	if s, all := r.Score(mutants.Literal), r.Score(""); s.Excused != 1 || all.Excused != 2 {
		t.Errorf("%d literals and %d of all are excused, want 1 and 2", s.Excused, all.Excused)
	}
	// Of a sample nobody knows what the mutants that were not played would have come to.
	if r := run(t, mutants.Options{Excuses: list, Sample: 3, Tables: true}); len(r.Stale) > 0 {
		t.Errorf("a sample calls %v stale", r.Stale)
	}
}

func TestExcusesWithoutAReasonAreRefused(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"rule test | 1 -> 2", `s.txt:1: "rule test | 1 -> 2" is not what | was -> now | reason`},
		{"\nrule test | 1, 2 | x", `s.txt:2: "1, 2" is not was -> now`},
	} {
		if _, err := mutants.ParseExcuses("s.txt", x.text); err == nil || !strings.HasPrefix(err.Error(), x.want) {
			t.Errorf("%q: got %v, want %s", x.text, err, x.want)
		}
	}
}
