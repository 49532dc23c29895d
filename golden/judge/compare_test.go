package judge_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/load"

	"github.com/tabletop-rules/rules/compiler"
	compilerload "github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

var verbose = flag.Bool("differences", false, "log every difference in full")

// moduleRoot is the directory of the module.
func moduleRoot(t testing.TB) string {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// readRulesets lets CUE evaluate packages below a directory of the module, and reads each as a ruleset.
func readRuleset(t testing.TB, dir string) *judge.Ruleset {
	t.Helper()
	root := moduleRoot(t)
	overlay := map[string]load.Source{}
	files, err := filepath.Glob(filepath.Join(root, dir, "*.cue"))
	if err != nil || len(files) == 0 {
		t.Fatal(dir, err)
	}
	place := filepath.Join(root, "tables", filepath.Base(dir))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(place, filepath.Base(file))] = load.FromBytes(data)
	}
	instances := load.Instances([]string{"./tables/" + filepath.Base(dir)}, &load.Config{Dir: root, Overlay: overlay})
	v := cuecontext.New().BuildInstance(instances[0])
	if v.Err() != nil {
		t.Fatal(v.Err())
	}
	r, err := judge.Read(v, nil)
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return r
}

var _ cue.Value

// tally counts what is judged and why other cases are not.
type tally struct {
	judged, different int
	left              map[string]int
}

func (c *tally) leave(why string) {
	if c.left == nil {
		c.left = map[string]int{}
	}
	c.left[why]++
}

func (c *tally) report(t *testing.T) {
	t.Logf("%d judged, %d different", c.judged, c.different)
	for _, why := range slices.Sorted(maps.Keys(c.left)) {
		t.Logf("%d out of scope: %s", c.left[why], why)
	}
}

// TestCases compares every case of every ruleset that ships.
func TestCases(t *testing.T) {
	root := moduleRoot(t)
	plans, diags := compiler.Release(compilerload.Source{FS: os.DirFS(root)}, compiler.Options{})
	if plans == nil {
		t.Fatal(diags)
	}
	for _, p := range plans {
		t.Run(p.Ruleset, func(t *testing.T) {
			cases, err := golden.Load(os.DirFS(root), "golden/"+p.Ruleset, p.Ruleset)
			if err != nil {
				t.Fatal(err)
			}
			compareCases(t, readRuleset(t, "tables/"+p.Ruleset), runtime.New(p), cases)
		})
	}
}

// TestGames compares every case of the small games.
func TestGames(t *testing.T) {
	root := filepath.Join(moduleRoot(t), "golden", "games")
	plans, diags := compiler.Release(compilerload.Source{FS: os.DirFS(root)}, compiler.Options{})
	if plans == nil {
		t.Fatal(diags)
	}
	for _, p := range plans {
		t.Run(p.Ruleset, func(t *testing.T) {
			cases, err := golden.Load(os.DirFS(root), "golden/"+p.Ruleset, p.Ruleset)
			if err != nil {
				t.Fatal(err)
			}
			compareCases(t, readRuleset(t, "golden/games/tables/"+p.Ruleset), runtime.New(p), cases)
		})
	}
}

func compareCases(t *testing.T, r *judge.Ruleset, program *runtime.Program, cases []*golden.Case) {
	c := &tally{}
	for _, x := range cases {
		for _, options := range []map[string]string{x.Options, withPrinted(x)} {
			if options == nil && x.Printed != nil {
				continue
			}
			diff, err := compareCase(r, program, x, options)
			var unjudged *judge.Unjudged
			switch {
			case errors.As(err, &unjudged):
				c.leave(unjudged.Why)
				if *verbose {
					t.Logf("%s: %v", x.File, err)
				}
			case diff != "":
				c.judged++
				c.different++
				t.Errorf("%s: %s", x.File, diff)
			default:
				c.judged++
			}
			if x.Printed == nil {
				break
			}
		}
	}
	c.report(t)
}

func withPrinted(x *golden.Case) map[string]string {
	out := maps.Clone(x.Options)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, x.Printed)
	return out
}

// compareCase plays a case by both and says how the answers differ.
func compareCase(r *judge.Ruleset, program *runtime.Program, x *golden.Case, options map[string]string) (string, error) {
	switch x.Kind {
	case golden.RuleCase:
		return compareRule(r, program, x, options)
	case golden.ProcedureCase:
		return compareProcedure(r, program, x, options)
	}
	return "", &judge.Unjudged{Why: "a case of kind " + string(x.Kind)}
}

func throwerOf(t dice.Throw) (judge.Thrower, error) {
	switch {
	case t.Seed != nil:
		return nil, &judge.Unjudged{Why: "faces drawn from a seed"}
	case t.Dice.ByID != nil:
		return &judge.ByID{Faces: t.Dice.ByID.ByID()}, nil
	}
	return &judge.InOrder{Faces: t.Dice.List}, nil
}

func compareRule(r *judge.Ruleset, program *runtime.Program, x *golden.Case, options map[string]string) (string, error) {
	thrower, err := throwerOf(x.Request().Throw)
	if err != nil {
		return "", err
	}
	theirs, failed := golden.EvaluateCase(program, x, runtime.Choice{Options: options})
	ours, err := r.Evaluate(x.Subject, judge.Question{Character: x.CharacterJSON(), Input: x.Input, Options: options,
		Thrower: thrower})
	if err != nil || failed != nil {
		return compareErrors(failed, err)
	}
	var sheet struct{ Output, Dice json.RawMessage }
	if err := json.Unmarshal(theirs, &sheet); err != nil {
		return "", err
	}
	return joined(differ("output", sheet.Output, ours.Output), differ("dice", sheet.Dice, byID(ours.Falls))), nil
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

func byID(falls []judge.Fall) map[string]any {
	out := map[string]any{}
	for _, f := range falls {
		list, _ := out[f.ID].([]any)
		out[f.ID] = append(list, json.Number(fmt.Sprint(f.Face)))
	}
	return out
}

func compareProcedure(r *judge.Ruleset, program *runtime.Program, x *golden.Case, options map[string]string) (string, error) {
	thrower, err := throwerOf(x.Request().Throw)
	if err != nil {
		return "", err
	}
	var events []judge.Happening
	for _, s := range x.Steps() {
		t, err := throwerOf(s.Throw)
		if err != nil {
			return "", err
		}
		events = append(events, judge.Happening{Event: s.Event, Input: s.Input, Thrower: t})
	}
	theirs, failed := golden.EvaluateCase(program, x, runtime.Choice{Options: options})
	ours, at, err := r.Play(x.Subject, judge.Question{Character: x.CharacterJSON(), Input: x.Input, Options: options,
		Thrower: thrower}, events)
	if err != nil || failed != nil {
		var e *runtime.EventError
		if errors.As(failed, &e) {
			if err != nil && at != e.Number {
				return fmt.Sprintf("event %d: %v; the judge at %d: %v", e.Number, failed, at, err), nil
			}
			failed = e.Err
		}
		return compareErrors(failed, err)
	}
	var sheet struct {
		Output, State, Character json.RawMessage
		Status                   string
		Events                   []struct{ Output, Dice json.RawMessage }
	}
	if err := json.Unmarshal(theirs, &sheet); err != nil {
		return "", err
	}
	diffs := []string{differ("output", sheet.Output, ours.Output), differ("state", sheet.State, ours.State),
		differCharacter(r, sheet.Character, ours.Character, options)}
	if sheet.Status != ours.Status {
		diffs = append(diffs, fmt.Sprintf("status %s, the judge %s", sheet.Status, ours.Status))
	}
	if len(sheet.Events) != len(ours.Events) {
		diffs = append(diffs, "another number of events")
	} else {
		for i, e := range sheet.Events {
			diffs = append(diffs, differ(fmt.Sprintf("events[%d].output", i), e.Output, ours.Events[i].Output),
				differ(fmt.Sprintf("events[%d].dice", i), e.Dice, byID(ours.Events[i].Falls)))
		}
	}
	return joined(diffs...), nil
}

// differCharacter compares the character as it is now: a sheet leaves defaults out that nobody gave.
func differCharacter(r *judge.Ruleset, theirs json.RawMessage, ours map[string]any, options map[string]string) string {
	whole, err := r.FillCharacter(theirs, options)
	if err != nil {
		return "the program's character: " + err.Error()
	}
	return differAt("character", whole, ours)
}

// compareErrors says how the program's error and the judge's differ: in kind, message or place.
func compareErrors(theirs, ours error) (string, error) {
	var unjudged *judge.Unjudged
	if errors.As(ours, &unjudged) {
		return "", ours
	}
	a, b := kindOf(theirs), kindOf(ours)
	if a != b {
		if strings.HasPrefix(a, "misfit ") && strings.HasPrefix(b, "misfit ") {
			var m *judge.Misfit
			errors.As(ours, &m)
			if slices.Contains(m.Paths, strings.TrimPrefix(a, "misfit ")) {
				return "", nil
			}
		}
		return fmt.Sprintf("%s (%v), the judge %s (%v)", a, theirs, b, ours), nil
	}
	return "", nil
}

func kindOf(err error) string {
	var (
		refused    *runtime.Refused
		failure    *runtime.Failure
		misfit     *runtime.InputError
		misthrow   *dice.Error
		notOffered *runtime.NotOffered

		ourRefusal    *judge.Refusal
		ourFailure    *judge.Failure
		ourMisfit     *judge.Misfit
		ourMisthrow   *judge.Misthrow
		ourNotOffered *judge.NotOffered
	)
	switch {
	case err == nil:
		return "an answer"
	case errors.As(err, &refused):
		return "refused: " + refused.Require.Message
	case errors.As(err, &ourRefusal):
		return "refused: " + ourRefusal.Message
	case errors.As(err, &failure), errors.As(err, &ourFailure):
		return "failure"
	case errors.As(err, &misfit):
		return "misfit " + misfit.Root + misfit.Path
	case errors.As(err, &ourMisfit):
		return "misfit " + strings.Join(ourMisfit.Paths, " ")
	case errors.As(err, &misthrow), errors.As(err, &ourMisthrow):
		return "faces"
	case errors.As(err, &notOffered):
		return "not offered: " + notOffered.Event
	case errors.As(err, &ourNotOffered):
		return "not offered: " + ourNotOffered.Event
	}
	return fmt.Sprintf("%T", err)
}

// differ compares JSON of the program with a tree of the judge, and says where they differ first.
func differ(path string, theirs json.RawMessage, ours any) string {
	d := json.NewDecoder(strings.NewReader(string(theirs)))
	d.UseNumber()
	var v any
	if len(theirs) == 0 {
		v = map[string]any{}
	} else if err := d.Decode(&v); err != nil {
		return err.Error()
	}
	return differAt(path, v, ours)
}

func differAt(path string, theirs, ours any) string {
	switch a := theirs.(type) {
	case map[string]any:
		b, isMap := ours.(map[string]any)
		if !isMap {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(a)) {
			if _, has := b[name]; !has {
				return fmt.Sprintf("%s.%s is %v, the judge has none", path, name, a[name])
			}
			if d := differAt(path+"."+name, a[name], b[name]); d != "" {
				return d
			}
		}
		for _, name := range slices.Sorted(maps.Keys(b)) {
			if _, has := a[name]; !has {
				return fmt.Sprintf("%s.%s is not there, the judge has %v", path, name, b[name])
			}
		}
		return ""
	case []any:
		b, isList := ours.([]any)
		if !isList || len(a) != len(b) {
			break
		}
		for i := range a {
			if d := differAt(fmt.Sprintf("%s[%d]", path, i), a[i], b[i]); d != "" {
				return d
			}
		}
		return ""
	case json.Number:
		b, isNumber := ours.(json.Number)
		if isNumber && sameNumber(a.String(), b.String()) {
			return ""
		}
	default:
		if theirs == ours {
			return ""
		}
	}
	return fmt.Sprintf("%s is %v, the judge has %v", path, theirs, ours)
}

// sameNumber compares numbers as a sheet writes them: "An int prints without, a double with a fraction or exponent". The
// judge does not know that the sum of an empty list is one of doubles, so its int may stand for a double.
func sameNumber(theirs, ours string) bool {
	f, err1 := json.Number(theirs).Float64()
	g, err2 := json.Number(ours).Float64()
	if err1 != nil || err2 != nil || !strings.ContainsAny(theirs, ".e") {
		return theirs == ours
	}
	return f == g
}
