package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// testOutput is what the rule test of a release file answers through package runtime; "" when it has no answer.
func testOutput(t *testing.T, file []byte) (output, digest string) {
	t.Helper()
	program, err := runtime.Load(file, "test")
	if err != nil {
		t.Fatal(err)
	}
	rule, err := program.Rule("test", runtime.Choice{})
	if err != nil {
		return "", program.Digest()
	}
	sheet, err := rule.Eval(runtime.Request{
		Character: []byte(`{"skills":{"navigation":90},"fatigue":20}`), Input: []byte(`{"name":"navigation"}`),
		Throw: dice.DrawnFrom(7),
	})
	if err != nil {
		return "", program.Digest()
	}
	return string(sheet.Output.AppendJSON(nil)), program.Digest()
}

// forgeRelease alters one byte of the instructions of the rule test of a release so that it answers otherwise, and mends
// every digest in the file.
func forgeRelease(t *testing.T, honest []byte) []byte {
	t.Helper()
	r, err := planfile.ReadRelease(honest)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := testOutput(t, honest)
	schedules, made := schedule.Stored(r.Plan), map[*plan.Graph][]byte{}
	stored := func(b plan.Body) []byte {
		if made[b.Graph] == nil {
			made[b.Graph] = schedules(b)
		}
		return slices.Clone(made[b.Graph])
	}
	i := slices.IndexFunc(r.Plan.Rules, func(x plan.Rule) bool { return x.ID == "test" })
	body := r.Plan.RuleBody(&r.Plan.Rules[i])
	for at := range stored(body) {
		forged := planfile.WriteRelease(r, func(b plan.Body) []byte {
			out := stored(b)
			if b.Graph == body.Graph {
				out[at] ^= 2
			}
			return out
		})
		if got, _ := testOutput(t, forged); got != "" && got != want {
			return forged
		}
	}
	t.Fatal("no altered byte gives another answer")
	return nil
}

// TestForgedInstructions alters the instructions of a release, and nothing else. A program that executes them answers
// otherwise, so the digest that people compare is another one, and whoever reads or compares the file is told.
func TestForgedInstructions(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine after the other: nothing for the detector of races")
	}
	dir := t.TempDir()
	command := func(want int, args ...string) (string, string) {
		t.Helper()
		var out, errs bytes.Buffer
		if status := Main(args, strings.NewReader(""), &out, &errs); status != want {
			t.Fatalf("%v: status %d\n%s", args, status, errs.String())
		}
		return out.String(), errs.String()
	}
	published, _ := command(exit.Done, "release", "tempestas", "-o", dir)
	honest := filepath.Join(dir, "tempestas-0.2.0.rules")
	data, err := os.ReadFile(honest)
	if err != nil {
		t.Fatal(err)
	}
	forged := filepath.Join(dir, "forged.rules")
	bad := forgeRelease(t, data)
	write(t, forged, string(bad))

	_, honestDigest := testOutput(t, data)
	_, forgedDigest := testOutput(t, bad)
	if honestDigest == forgedDigest || !strings.Contains(published, honestDigest) ||
		strings.Contains(published, forgedDigest) {
		t.Errorf("published: %s\nhonest %s\nforged %s", published, honestDigest, forgedDigest)
	}
	const foreign = "the stored instructions of rule test are not those"
	if out, _ := command(exit.Done, "release", "--read", honest); !strings.Contains(out, honestDigest) ||
		strings.Contains(out, foreign) {
		t.Error(out)
	}
	if out, _ := command(exit.Done, "release", "--read", forged); !strings.Contains(out, forgedDigest) ||
		!strings.Contains(out, foreign) {
		t.Error(out)
	}
	if _, errs := command(exit.Denied, "diff", honest, forged); !strings.Contains(errs, forged+": "+foreign) {
		t.Errorf("diff says nothing of the instructions: %q", errs)
	}
	if _, errs := command(exit.Done, "diff", honest, honest); errs != "" {
		t.Error(errs)
	}
	command(exit.Done, "verify", "--deep", honest)
	if _, errs := command(exit.Denied, "verify", "--deep", forged); !strings.Contains(errs, foreign) {
		t.Error(errs)
	}

	// The commands answer by the rules, whatever instructions stand beside them.
	eval := func(plan string) string {
		out, _ := command(exit.Done, "eval", "--plan", plan, "test", "--seed", "7", "--set", "name=navigation",
			"--character", filepath.Join(dir, "ada.json"))
		return out
	}
	write(t, filepath.Join(dir, "ada.json"), `{"skills":{"navigation":90},"fatigue":20}`)
	if good, bad := eval(honest), eval(forged); good != bad {
		t.Errorf("the forged release is played: %s, not %s", bad, good)
	}
}
