package tuning_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// imbalances is how many are planted in each ruleset; 10 take some minutes and are what .ci/long plants.
var imbalances = flag.Int("imbalances", 1, "plant so many imbalances in each ruleset")

// mostLevers bounds the cells of the rules that are asked, for each imbalance.
const mostLevers = 15

// TestPlantedImbalances changes a cell on which a mean depends, asks for the mean that was before, and wants it back by one
// change of that cell, of three that may be changed.
func TestPlantedImbalances(t *testing.T) {
	found := 0
	planted := min(30, 4**imbalances) // no ruleset has more than ten tables that are read so
	for _, p := range gametest.ShippedPlans(t) {
		mended := map[string]bool{} // tables
		for _, c := range gametest.Cases(t, p.Ruleset) {
			if len(mended) == *imbalances {
				break
			}
			if name := numberOf(p, c); name != "" {
				if table := mendOne(t, p, c, name, mended); table != "" {
					mended[table] = true
				}
			}
		}
		t.Logf("%s: %v", p.Ruleset, mended)
		found += len(mended)
	}
	if found < planted {
		t.Errorf("%d imbalances were planted, not %d", found, planted)
	}
}

// numberOf returns the first output of a case's rule that is a number; "" where there is none.
func numberOf(p *plan.Plan, c *golden.Case) string {
	r := p.Rule(c.Subject)
	if r == nil || len(c.Options) > 0 {
		return ""
	}
	for _, f := range r.Graph.Outputs.Type.Fields {
		if f.Type.Kind == plan.Int || f.Type.Kind == plan.Double {
			return f.Name
		}
	}
	return ""
}

// mendOne plants an imbalance in a table that a case reads and has not been mended yet; it returns the table, "" where no
// number of the case depends on a cell.
func mendOne(t *testing.T, p *plan.Plan, c *golden.Case, output string, mended map[string]bool) string {
	t.Helper()
	ctx := context.Background()
	m, err := oddsquery.ParseMeasure("E(" + output + ")")
	if err != nil {
		t.Fatal(err)
	}
	q := query.Question{Subject: c.Subject, Formulas: oddsquery.Formulas([]oddsquery.Measure{m}), Budget: 2_000,
		Request: runtime.Request{Character: c.Character, Input: c.Input}}
	a, err := oddsquery.NewAsker(runtime.New(p), q)
	if err != nil {
		t.Fatal(err)
	}
	levers := tuning.NewSubject(p, &q).Steps([]tuning.Kind{tuning.OfTables})
	if len(levers) > mostLevers**imbalances {
		return ""
	}
	r, err := tuning.Rank(ctx, a, m, levers)
	if err != nil {
		return "" // the case refuses, or takes too much
	}
	for _, e := range r.Effects {
		name := strings.TrimPrefix(e.Name, "tables.")
		table, _, _ := strings.Cut(name, ".")
		if mended[table] {
			continue
		}
		cell, err := p.FindCell(name)
		if err != nil {
			t.Fatal(err)
		}
		unfair, err := p.WithCell(&cell, string(e.To))
		if err != nil {
			t.Fatal(err)
		}
		goal, err := oddsquery.ParseGoal(fmt.Sprintf("E(%s) == %v +- 1e-9", output, r.Value))
		if err != nil {
			t.Fatal(err)
		}
		mine := q
		mine.Vary = []string{e.Name + "=" + string(e.From) + "," + string(e.To)}
		for i, other := range r.Effects {
			if other.Name != e.Name && len(mine.Vary) < 3 && (i+1 == len(r.Effects) || r.Effects[i+1].Name != other.Name) {
				mine.Vary = append(mine.Vary, other.Name+"="+string(other.From)+","+string(other.From))
			}
		}
		b, err := oddsquery.NewAsker(runtime.New(unfair), mine)
		if err != nil {
			t.Fatal(err)
		}
		open, err := b.Variations()
		if err != nil {
			t.Fatal(err)
		}
		got, err := tuning.Balance(ctx, b, []oddsquery.Goal{goal}, tuning.LeversOf(tuning.NewSubject(unfair, &mine), open))
		if err != nil {
			t.Fatal(err)
		}
		if !got.IsMet || len(got.Changes) != 1 || got.Changes[0].Name != e.Name || string(got.Changes[0].To) != string(e.From) {
			t.Errorf("%s, %s: %s from %s to %s is mended by %+v", c.Subject, goal.String(), e.Name, e.From, e.To, got)
		}
		return table
	}
	return ""
}
