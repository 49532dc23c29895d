package mutants

import (
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/builtin"
)

// rewrite gives the texts that mutations make of a text, with their kinds.
func rewrite(s string, list []rewriting) (out []string) {
	for _, r := range list {
		out = append(out, string(r.kind)+": "+s[:r.from]+r.text+s[r.to:])
	}
	return out
}

// Every function that rounds becomes one that rounds otherwise, so that some case must tell the two apart.
func TestEveryRoundingIsRewritten(t *testing.T) {
	words := builtin.RoundingWords()
	for name, how := range words {
		to, ok := swaps[name]
		if how == "" || !ok || to.kind != Rounding || words[to.to] == "" || words[to.to] == how {
			t.Errorf("%s, %q, becomes %+v, %q", name, how, to, words[to.to])
		}
	}
}

func TestFormulasAreRewrittenTokenByToken(t *testing.T) {
	for _, c := range []struct {
		formula string
		want    []string
	}{
		{"base - 5", []string{"operator: base + 5", "literal: base - 6"}},
		{"-1", []string{"literal: -2"}},
		{"[x, -1]", []string{"literal: [x, -2]"}},
		{"0.5 * n", []string{"literal: 1.5 * n", "operator: 0.5 + n"}},
		{"2.0", []string{"literal: 3.0"}},
		{"a < b && !c", []string{"comparison: a <= b && !c", "operator: a < b || !c"}},
		{"div_floor(n, 2)", []string{"rounding: div_ceil(n, 2)", "literal: div_floor(n, 3)"}},
		{"roll.min", nil},                               // a member, not a call
		{`chart("row 7", r"\d+<1")`, nil},               // what stands in strings is text
		{"xs[1].size", []string{"literal: xs[2].size"}}, // the dot is a member's
		{"n // halves: 2\n== 1", []string{"comparison: n // halves: 2\n!= 1", "literal: n // halves: 2\n== 2"}},
		{"a ? f(x, y) : b", []string{"arm: a ? (b) : (f(x, y))"}},
		{"a ? b : c ? d : e", []string{
			"arm: a ? (c ? d : e) : (b)",
			"arm: a ? b : c ? (e) : (d)",
		}},
		{"max(a ? b : c, d)", []string{"operator: min(a ? b : c, d)", "arm: max(a ? (c) : (b), d)"}},
	} {
		if got := rewrite(c.formula, rewriteFormula(c.formula)); !slices.Equal(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q", c.formula, got, c.want)
		}
	}
}

func TestNotationIsRewrittenByWhatItsNumbersMean(t *testing.T) {
	for _, c := range []struct {
		notation string
		want     []string
	}{
		{"d10", []string{"dice count: 2d10", "dice faces: d11"}},
		{"4d6kh3", []string{"dice count: 5d6kh3", "dice faces: 4d7kh3", "dice modifier: 4d6kh4"}},
		{"2d10r1 + 2", []string{"dice count: 3d10r1 + 2", "dice faces: 2d11r1 + 2", "dice modifier: 2d10r2 + 2",
			"dice modifier: 2d10r1 + 3"}},
	} {
		if got := rewrite(c.notation, rewriteNotation(c.notation)); !slices.Equal(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q", c.notation, got, c.want)
		}
	}
}

func TestNumbersOfCellsAreFoundInListsAndRecords(t *testing.T) {
	const cell = `{"at 3": [-1, 2.5], "yes": true}`
	var got []string
	for _, x := range findScalars(cell) {
		got = append(got, cell[x.from:x.to])
	}
	if want := []string{"-1", "2.5", "true"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
