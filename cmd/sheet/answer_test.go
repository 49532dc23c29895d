package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/golden/vectors"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// TestPassesAllVectors plays the vectors of every ruleset that ships.
func TestPassesAllVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles all rulesets and plays all of their cases twice")
	}
	plans, diags := compiler.Release(load.Source{FS: rules.Files}, compiler.Options{})
	if len(plans) != 5 {
		t.Fatalf("%d rulesets: %v", len(plans), diags)
	}
	for i, p := range plans {
		if !portion.Takes(i, 3) {
			continue
		}
		t.Run(p.Ruleset, func(t *testing.T) {
			t.Parallel()
			cases, err := golden.Load(rules.Files, "golden/"+p.Ruleset, "golden/"+p.Ruleset)
			if err != nil {
				t.Fatal(err)
			}
			d, err := vectors.Make(p, cases)
			if err != nil {
				t.Fatal(err)
			}
			kinds := map[vectors.Kind]int{}
			for _, v := range d.Vectors {
				kinds[v.Kind]++
			}
			if kinds[vectors.Rule] == 0 || kinds[vectors.Procedure] == 0 || kinds[vectors.Odds] == 0 {
				t.Errorf("the vectors are of %v", kinds)
			}
			r := playVectors(t, d, planfile.Write(p, nil))
			for _, v := range r.Failed {
				t.Errorf("%s: %v", v.ID, v.Differences)
			}
			if r.Passed != len(d.Vectors) {
				t.Errorf("%d of %d vectors passed", r.Passed, len(d.Vectors))
			}
		})
	}
}

// playVectors plays vectors against this program and a plan file.
func playVectors(t *testing.T, d *vectors.Document, plan []byte) *vectors.Report {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rules.plan")
	if err := os.WriteFile(file, plan, 0o666); err != nil {
		t.Fatal(err)
	}
	questions, in := io.Pipe()
	answers, out := io.Pipe()
	go func() {
		var errs strings.Builder
		run([]string{"-vectors", file}, questions, out, &errs)
		out.CloseWithError(io.EOF)
	}()
	defer in.Close()
	r, err := vectors.Play(d, &vectors.Implementation{In: in, Out: answers, Patience: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAnswers asks what no case asks.
func TestAnswers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "small.plan")
	if err := os.WriteFile(file, planfile.Write(doubling(), nil), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ asked, want string }{
		{`{"ruleset":"small","revision":"1","kind":"rule","subject":"double","character":{"strength":4}}`, `"twice":8`},
		{`{"ruleset":"small","revision":"1","kind":"rule","subject":"double","character":{"strength":"x"}}`,
			`{"refused":{"path":"character.strength"}}`},
		{`{"ruleset":"small","revision":"1","kind":"rule","subject":"double","character":{"strength":5000000000000000000}}`,
			`{"failed":{"message":"integer overflow"}}`},
		{`{"ruleset":"small","revision":"2","kind":"rule","subject":"double"}`,
			`{"error":"the plan is of small 1, and not of small 2"}`},
		{`{"ruleset":"small","revision":"1","kind":"table","subject":"x"}`, `{"unsupported":"kind table"}`},
		{`{"ruleset":"small","revision":"1","kind":"rule","subject":"treble"}`, `{"error":"there is no rule \"treble\"`},
		{`{"dice":3}`, `{"error":"3 are no faces: `},
		{`no JSON`, `{"error":"invalid character`},
	} {
		var out, errs strings.Builder
		if status := run([]string{"-vectors", file}, strings.NewReader(c.asked), &out, &errs); status != 0 {
			t.Errorf("%s: status %d: %s", c.asked, status, errs.String())
		}
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: %s", c.asked, out.String())
		}
	}
	var out, errs strings.Builder
	if status := run([]string{"-vectors", "none.plan"}, strings.NewReader(""), &out, &errs); status != 2 {
		t.Errorf("no plan: status %d: %s", status, errs.String())
	}
}
