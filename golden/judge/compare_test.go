package judge_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/load"

	"github.com/tabletop-rules/rules/compiler"
	compilerload "github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/generated"
	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
)

var (
	verbose = flag.Bool("unjudged", false, "log every case that is not judged")
	every   = flag.Int("every", 8, "compare one case of so many; with 1, what is judged must not become fewer")
	falls   = flag.Int("falls", 2_000, "try at most so many ways in which dice can fall for odds")
)

// leastJudged is how many cases of each ruleset are judged at least. What is judged must not fall.
var leastJudged = map[string]int{
	"haze": 361, "hybrid": 613, "supermen": 603, "tempestas": 256, "zones": 448,
	"blades": 11, "chronicles": 8, "cortex": 4, "cthulhu": 15, "fate": 7, "genesys": 10, "ironsworn": 9, "onerollengine": 6,
	"pbta": 10, "poker": 9, "savage": 10, "srd": 36, "traveller": 13, "yahtzee": 15, "yearzero": 3,
	"blades_srd": 82, "cairn": 74, "fate_condensed": 51, "ironsworn_classic": 60, "srd_5_2": 113,
}

// moduleRoot is the directory of the module.
func moduleRoot(t testing.TB) string {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// readRuleset lets CUE evaluate the package in a directory of the module, and reads it as a ruleset.
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

// TestCases compares every case of every ruleset that ships, and TestGames those of the small and of the open games.
func TestCases(t *testing.T) { compareModule(t, moduleRoot(t), "tables/") }

func TestGames(t *testing.T) {
	compareModule(t, filepath.Join(moduleRoot(t), "golden", "games"), "golden/games/tables/")
	own, err := filepath.Glob(filepath.Join(moduleRoot(t), "golden", "games", "*", "cue.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range own {
		dir := filepath.Dir(module)
		compareModule(t, dir, "golden/games/"+filepath.Base(dir)+"/tables/")
	}
}

func compareModule(t *testing.T, root, tables string) {
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
			o := &oracle{t: t, r: readRuleset(t, tables+p.Ruleset), heard: fnv.New64a(), worked: new([]int64)}
			c := compareCases(t, o, runtime.New(p), cases)
			c.demand(t, leastJudged[p.Ruleset])
		})
	}
}

func compareCases(t *testing.T, o *oracle, program *runtime.Program, cases []*golden.Case) *tally {
	c := &tally{}
	for i, x := range cases {
		if i%*every > 0 {
			continue
		}
		for _, options := range optionsOf(x) {
			diff, err := compareCase(o, program, x, options)
			var unjudged *judge.Unjudged
			switch {
			case errors.As(err, &unjudged):
				c.leave(unjudged.Why)
				if *verbose {
					t.Logf("%s: %v", x.File, err)
				}
			case diff != "" || err != nil:
				c.judged++
				c.different++
				t.Errorf("%s: %s %v", x.File, diff, err)
			default:
				c.judged++
			}
		}
	}
	c.report(t)
	return c
}

// demand fails when fewer cases are judged than there were.
func (c *tally) demand(t *testing.T, least int) {
	if *every == 1 && (c.judged < least || least == 0) {
		t.Errorf("%d cases are judged, and %d were", c.judged, least)
	}
}

// optionsOf returns with which options a case is played: its own, and those under which what is printed comes out.
func optionsOf(x *golden.Case) (out []map[string]string) {
	if x.Options != nil || x.Printed == nil {
		out = append(out, x.Options)
	}
	if x.Printed != nil {
		out = append(out, withPrinted(x))
	}
	return out
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
func compareCase(o *oracle, program *runtime.Program, x *golden.Case, options map[string]string) (string, error) {
	switch x.Kind {
	case golden.RuleCase:
		return compareRule(o, program, x, options)
	case golden.ProcedureCase:
		return compareProcedure(o, program, x, options)
	case golden.OddsCase:
		return compareOdds(o, program, x, options)
	case golden.TableCase:
		return compareTable(o, program, x)
	case golden.FunctionCase:
		return "", &judge.Unjudged{Why: "a case of a function by itself"}
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

func compareRule(o *oracle, program *runtime.Program, x *golden.Case, options map[string]string) (string, error) {
	thrower, err := throwerOf(x.Request().Throw)
	if err != nil {
		return "", err
	}
	theirs, failed := golden.EvaluateCase(program, x, runtime.Choice{Options: options})
	ours, err := o.evaluate(x.Subject, judge.Question{Character: x.CharacterJSON(), Input: x.Input, Options: options,
		Thrower: thrower})
	if err != nil || failed != nil {
		return compareErrors(failed, err)
	}
	return compareSheet(theirs, ours)
}

func compareSheet(theirs []byte, ours *judge.Sheet) (string, error) {
	var sheet map[string]json.RawMessage
	if err := json.Unmarshal(theirs, &sheet); err != nil {
		return "", err
	}
	var diffs []string
	for _, name := range []string{"ruleset", "rule", "options", "seed"} {
		want, has := ours.Head[name]
		if given := sheet[name]; has && given != nil {
			diffs = append(diffs, differ("sheet."+name, given, want))
		} else if has || given != nil {
			diffs = append(diffs, fmt.Sprintf("sheet.%s is %s, the judge has %v", name, given, want))
		}
	}
	diffs = append(diffs, differ("output", sheet["output"], ours.Output))
	if ours.Falls != nil {
		diffs = append(diffs, differ("dice", sheet["dice"], byID(ours.Falls)))
	}
	return joined(diffs...), nil
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

func byID(falls []judge.Fall) map[string]any {
	out := map[string]any{}
	for _, f := range falls {
		list, _ := out[f.ID].([]any)
		out[f.ID] = append(list, json.Number(strconv.FormatInt(f.Face, 10)))
	}
	return out
}

func compareProcedure(o *oracle, program *runtime.Program, x *golden.Case, options map[string]string) (
	string, error) {
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
	ours, at, err := o.play(x.Subject, judge.Question{Character: x.CharacterJSON(), Input: x.Input, Options: options,
		Thrower: thrower}, events)
	if err != nil || failed != nil {
		return comparePlayErrors(failed, err, at)
	}
	return comparePlay(o, theirs, ours, options)
}

// comparePlayErrors compares errors of a play: at is the event at which the judge stopped.
func comparePlayErrors(theirs, ours error, at int) (string, error) {
	var e *runtime.EventError
	if errors.As(theirs, &e) {
		if ours != nil && at != e.Number && !isUnjudged(ours) {
			return fmt.Sprintf("event %d: %v; the judge at %d: %v", e.Number, theirs, at, ours), nil
		}
		theirs = e.Err
	}
	return compareErrors(theirs, ours)
}

func comparePlay(o *oracle, theirs []byte, ours *judge.Play, options map[string]string) (string, error) {
	var sheet struct {
		Output, State, Character json.RawMessage
		Status                   string
		Events                   []struct{ Output, Dice json.RawMessage }
	}
	if err := json.Unmarshal(theirs, &sheet); err != nil {
		return "", err
	}
	diffs := []string{differ("output", sheet.Output, ours.Output), differ("state", sheet.State, ours.State),
		differCharacter(o, sheet.Character, ours.Character, options)}
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
func differCharacter(o *oracle, theirs json.RawMessage, ours map[string]any, options map[string]string) string {
	whole, err := o.fillCharacter(theirs, options)
	if err != nil {
		return "the program's character: " + err.Error()
	}
	return differAt("character", whole, ours)
}

// compareErrors says how the program's error and the judge's differ: in kind, message or place.
func compareErrors(theirs, ours error) (string, error) {
	if isUnjudged(ours) {
		return "", ours
	}
	a, b := kindOf(theirs), kindOf(ours)
	if a != b {
		if strings.HasPrefix(a, "misfit ") && strings.HasPrefix(b, "misfit ") {
			var m *judge.Misfit
			errors.As(ours, &m)
			place := strings.TrimPrefix(a, "misfit ")
			if slices.Contains(m.Paths, place) {
				return "", nil
			}
			// of a bound that another field sets CUE tells in a list at the one field, and the program at the other
			if parent := place[:max(0, strings.LastIndex(place, "."))]; strings.Contains(parent, "[") &&
				slices.ContainsFunc(m.Paths, func(path string) bool { return isMemberOf(path, parent) }) {
				return "", nil
			}
			// of a key that a map may not have the program tells at the map, and of too many elements before what they are
			if strings.Contains(m.Msg, "field not allowed") || strings.Contains(theirs.Error(), "a key must be one of") ||
				strings.Contains(theirs.Error(), "must have at most") {
				if slices.ContainsFunc(m.Paths, func(path string) bool { return isMemberOf(path, place) }) {
					return "", nil
				}
			}
			// of a list that has a default CUE tells that it fits neither, and not which element is at fault
			if strings.Contains(m.Msg, "errors in empty disjunction") &&
				slices.ContainsFunc(m.Paths, func(path string) bool { return strings.HasPrefix(place, path+"[") }) {
				return "", nil
			}
			// of text that is no JSON the program reads as much as it can
			if len(m.Paths) == 1 && !strings.ContainsAny(m.Paths[0], ".[") && strings.HasPrefix(place, m.Paths[0]) &&
				(!strings.Contains(theirs.Error(), "stands here twice") || mayBeOfMember(place, m.Msg)) {
				return "", nil
			}
		}
		return fmt.Sprintf("%s (%v), the judge %s (%v)", a, theirs, b, ours), nil
	}
	return joined(differInPlace(theirs, ours), differInNumbers(theirs, ours)), nil
}

// mayBeOfMember reports whether a path may be that of the member of which the judge says that it is written twice.
func mayBeOfMember(path, message string) bool {
	name, isTwice := strings.CutSuffix(message, " is written twice")
	return !isTwice || strings.HasSuffix(strings.TrimSuffix(path, `"]`), escapes.Replace(name))
}

// isMemberOf reports whether a path is that of a member, or of an element, of another.
func isMemberOf(path, of string) bool {
	rest, isBelow := strings.CutPrefix(path, of)
	return isBelow && (strings.HasPrefix(rest, `["`) || strings.LastIndexAny(rest, ".[") == 0)
}

func isUnjudged(err error) bool {
	_, is := errors.AsType[*judge.Unjudged](err)
	return is
}

// inMessage finds a number in a message.
var inMessage = regexp.MustCompile(`-?\b[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?\b`)

// differInNumbers says that the judge tells of a failure with a number that the program's message lacks, where both speak of
// a key, an index, an exponent or a number of dice: of the input of a use they tell different things.
func differInNumbers(theirs, ours error) string {
	failure, isFailure := errors.AsType[*runtime.Failure](theirs)
	f, alsoFails := errors.AsType[*judge.Failure](ours)
	if !isFailure || !alsoFails || kindOfFailure(f.Msg) == "an input" {
		return ""
	}
	told := map[float64]bool{}
	for _, text := range inMessage.FindAllString(failure.Msg, -1) {
		n, _ := strconv.ParseFloat(text, 64)
		told[n] = true
	}
	for _, text := range inMessage.FindAllString(f.Msg, -1) {
		if n, _ := strconv.ParseFloat(text, 64); !told[n] {
			return fmt.Sprintf("%q lacks %s: the judge says %q", failure.Msg, text, f.Msg)
		}
	}
	return ""
}

// differInPlace says that the program tells of a failure in another formula than the judge.
func differInPlace(theirs, ours error) string {
	failure, isFailure := errors.AsType[*runtime.Failure](theirs)
	f, alsoFails := errors.AsType[*judge.Failure](ours)
	if !isFailure || !alsoFails || f.In == "" {
		return ""
	}
	text := failure.Site.Text // of the whole die, or the name of a rule that is used, where that has no value
	isOfUse := strings.Contains(failure.Site.Name, ", use ") && ruleName.MatchString(text)
	if text != "" && isPartOf(text, f.In) || isPartOf(f.In, text) || isOfUse {
		return ""
	}
	return fmt.Sprintf("%v: %s fails, the judge: %v in %s", theirs, failure.Site.Text, ours, f.In)
}

var ruleName = regexp.MustCompile(`^[a-z_0-9]+$`)

// isPartOf reports whether a text stands in a formula, without blanks.
func isPartOf(text, formula string) bool {
	return strings.Contains(strings.ReplaceAll(formula, " ", ""), strings.ReplaceAll(text, " ", ""))
}

// escapes writes control characters in a path as the judge does, where JSON has several ways.
var escapes = strings.NewReplacer(`\n`, `\u000a`, `\t`, `\u0009`)

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
	case errors.As(err, &failure):
		return "failure " + kindOfFailure(failure.Msg)
	case errors.As(err, &ourFailure):
		return "failure " + kindOfFailure(ourFailure.Msg)
	case errors.As(err, &misfit):
		return "misfit " + misfit.Root + escapes.Replace(misfit.Path)
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

// failureKinds are the kinds of failures, by words that stand in messages of both.
var failureKinds = []struct{ kind, words string }{
	{"overflow", "overflow"},
	{"a division", "division by zero|divide by zero"},
	{"a rest", "modulus by zero"},
	{"a power", "negative exponent|negative power"},
	{"no int", "is no int|range error"},
	{"an index", "index out of bounds"},
	{"a key", "no such key|has no row for|has no column for"},
	{"an empty list", "is empty|empty list"},
	{"no number", "not a number|no number"},
	{"an endless chain", "rolled again or on more than|thrown on more than"},
	{"too many dice", "that are declared|that the die has|no face is left"},
	{"a number of dice", "cannot be rolled| dice$"},
	{"a number of times", "negative number of times"},
	{"a die", "a die has no|a die of"},
	{"an input", "the input must|the keys of the input|input.|input[|out of its bounds"},
	{"lists", "differ in length"},
	{"steps", "takes more than"},
}

// kindOfFailure returns the kind of which a message tells; "" of one that only one of both has.
func kindOfFailure(message string) string {
	for _, k := range failureKinds {
		for words := range strings.SplitSeq(k.words, "|") {
			if end, atEnd := strings.CutSuffix(words, "$"); strings.Contains(message, words) ||
				atEnd && strings.HasSuffix(message, end) {
				return k.kind
			}
		}
	}
	return ""
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

// sameNumber compares numbers as a sheet writes them: "An int prints without, a double with a fraction or exponent".
func sameNumber(theirs, ours string) bool {
	f, err1 := json.Number(theirs).Float64()
	g, err2 := json.Number(ours).Float64()
	if err1 != nil || err2 != nil || !isDouble(theirs) || !isDouble(ours) {
		return theirs == ours
	}
	return f == g && !hasIdleZero(theirs) && math.Signbit(f) == math.Signbit(g)
}

func isDouble(number string) bool { return strings.ContainsAny(number, ".e") }

// hasIdleZero reports whether a number ends in a zero that says nothing: 0.50, where 0.5 and 1.0 have none.
func hasIdleZero(number string) bool {
	mantissa, _, _ := strings.Cut(number, "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	return strings.HasSuffix(fraction, "0") && fraction != "0"
}

// TestSameNumber holds the comparison to types and to the sign of zero.
func TestSameNumber(t *testing.T) {
	for _, c := range []struct {
		theirs, ours string
		want         bool
	}{{"-0.0", "0.0", false}, {"0.0", "-0.0", false}, {"-0.0", "-0.0", true}, {"-0.0", "0", false}, {"0.0", "0", false},
		{"0", "0.0", false}, {"0.50", "0.5", false}, {"1.00", "1.0", false}, {"2.50e3", "2500.0", false}, {"1e20", "1e20", true}} {
		if sameNumber(c.theirs, c.ours) != c.want {
			t.Errorf("%s and the judge's %s: not %t", c.theirs, c.ours, c.want)
		}
	}
}

// compareOdds compares the exact joint distribution of all outputs, as fractions.
func compareOdds(o *oracle, program *runtime.Program, x *golden.Case, options map[string]string) (string, error) {
	if x.Policy != nil {
		return "", &judge.Unjudged{Why: "odds of a procedure under a policy"}
	}
	rule, err := program.Rule(x.Subject, runtime.Choice{Options: options})
	if err != nil {
		return "", err
	}
	q := judge.Question{Character: x.CharacterJSON(), Input: x.Input, Options: options}
	return compareChances(o, rule, runtime.Request{Character: q.Character, Input: q.Input}, q, nil, *falls)
}

// compareChances compares odds within several budgets. The values of outputs of known kinds stand in their order.
func compareChances(o *oracle, rule *runtime.Rule, request runtime.Request, q judge.Question, outputs []generated.Output,
	most int) (string, error) {
	ours, err := o.odds(rule.ID(), q, most)
	if isUnjudged(err) {
		return "", err
	}
	late, failed := rule.Odds(context.Background(), request, &odds.Options{Exact: true, Joint: true})
	for _, budget := range budgets {
		diff, err := compareWithin(o, rule, request, outputs, budget, ours, err)
		if diff != "" || err != nil {
			return diff, err
		}
	}
	if err != nil || failed != nil {
		return compareErrors(failed, err)
	}
	if diff, err := compareJoint(o, late.Joint, ours); diff != "" || err != nil {
		return "read late, " + diff, err
	}
	for _, isQuick := range []bool{false, true} {
		decimals, failed := rule.Odds(context.Background(), request, &odds.Options{Joint: true, Quick: isQuick})
		if failed != nil {
			return compareErrors(failed, nil)
		}
		if diff, err := compareJoint(o.unheard(), decimals.Joint, ours); diff != "" || err != nil {
			return fmt.Sprintf("in decimals, quickly %t, %s", isQuick, diff), err
		}
	}
	o.hear(late.Means, nil)
	return findWrongMean(late.Means, ours), nil
}

// findWrongMean returns the first mean in closed form that is not near that of the ways in which the judge has let the dice
// fall: what it has not followed is so unlikely that it changes no mean by a millionth.
func findWrongMean(means map[string]*big.Rat, ours []judge.Chance) string {
	for _, name := range slices.Sorted(maps.Keys(means)) {
		if means[name] == nil && strings.HasPrefix(name, "sum") {
			return "the mean of " + name + " is not told"
		}
		if means[name] == nil {
			continue
		}
		got, _ := means[name].Float64()
		want, left := 0.0, 1.0
		for _, c := range ours {
			p, _ := c.P.Float64()
			if n, isNumber := c.Output[name].(json.Number); isNumber {
				v, _ := n.Float64()
				want, left = want+p*v, left-p
			}
		}
		if left < 1e-9 && math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
			return fmt.Sprintf("the mean of %s is %v, the judge has %v", name, got, want)
		}
	}
	return ""
}

// budgets are those with which odds are asked for. Within a small one an answer comes in another form of the rule, or not at
// all, and is the same: what is heard of the program is its answer within the default, which comes first.
var budgets = []int64{0, 32, 256, 1024, 4096}

// compareWithin compares odds within a budget with those of the judge, or with the judge's error.
func compareWithin(o *oracle, rule *runtime.Rule, request runtime.Request, outputs []generated.Output, budget int64,
	ours []judge.Chance, err error) (string, error) {
	if budget > 0 {
		o = o.unheard()
	}
	theirs, failed := rule.Odds(context.Background(), request, &odds.Options{Exact: true, Joint: true, Budget: budget})
	if _, isTooMuch := errors.AsType[*odds.BudgetError](failed); isTooMuch && budget > 0 {
		o.noteWork(tooMuch)
		return "", nil
	}
	o.hear(nil, failed)
	if failed == nil {
		o.noteWork(theirs.Joint.Spent)
	}
	if err != nil || failed != nil {
		return compareErrors(failed, err)
	}
	for _, m := range theirs.Outputs {
		if diff := findDisorder(outputs, m); diff != "" {
			return diff, nil
		}
	}
	return compareJoint(o, theirs.Joint, ours)
}

// compareJoint compares a joint distribution with the judge's chances.
func compareJoint(o *oracle, j *odds.Joint, ours []judge.Chance) (string, error) {
	got := map[string]*big.Rat{}
	if err := addOutcomes(got, j); err != nil {
		return "", err
	}
	o.hear(chancesText(got), nil)
	if err := addEndings(got, j.Endings(), j.Den); err != nil {
		return "", err
	}
	all := new(big.Rat)
	for _, p := range got {
		all.Add(all, p)
	}
	if j.Den != nil && all.Cmp(big.NewRat(1, 1)) != 0 { // also where dice are followed no further
		return fmt.Sprintf("all chances together are %v", all), nil
	}
	return compareFractions(got, chancesOf(ours), j.Den != nil), nil
}

// chancesOf returns the judge's chances by the outputs, or by what is told instead.
func chancesOf(list []judge.Chance) map[string]*big.Rat {
	chances := map[string]*big.Rat{}
	for _, c := range list {
		if c.Err != nil {
			addTo(chances, endingOf(c.Err), c.P)
		} else {
			addTo(chances, canonicalOutputs(c.Output, true), c.P)
		}
	}
	return chances
}

// addOutcomes adds the program's chances by the outputs.
func addOutcomes(chances map[string]*big.Rat, j *odds.Joint) error {
	for _, x := range j.Outcomes() {
		tree := map[string]any{}
		for i, name := range j.Names {
			var err error
			if tree[name], err = treeOf(x.Values[i].AppendJSON(nil)); err != nil {
				return err
			}
		}
		key := canonicalOutputs(tree, false)
		if chances[key] != nil {
			return fmt.Errorf("the outcome %s is told twice", key)
		}
		addTo(chances, key, fractionOf(x.P, x.N, j.Den))
	}
	return nil
}

// addEndings adds the chances of having no outputs, each ending once.
func addEndings(chances map[string]*big.Rat, endings []odds.Ended, den *big.Int) error {
	for i, e := range endings {
		key := "failure " + kindOfFailure(e.Message)
		switch e.Kind {
		case odds.Refused:
			key = "refused: " + e.Message
		case odds.Unfollowed: // odds do not follow dice that explode without end as far as rolls do
			key = unfollowed
		}
		if slices.ContainsFunc(endings[:i], func(x odds.Ended) bool { return x.Ending == e.Ending }) {
			return fmt.Errorf("the ending %q is told twice", key)
		}
		addTo(chances, key, fractionOf(e.P, e.N, den))
	}
	return nil
}

func addTo(m map[string]*big.Rat, key string, p *big.Rat) {
	if m[key] == nil {
		m[key] = new(big.Rat)
	}
	m[key].Add(m[key], p)
}

// canonicalOutputs writes outputs so that equal ones are equal texts, and with isUnsigned -0.0 as 0.0: "Equal answers are
// one".
func canonicalOutputs(outputs map[string]any, isUnsigned bool) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		parts = append(parts, fmt.Sprintf("%q:%s", name, canonical(outputs[name], isUnsigned)))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// canonical writes a tree of JSON so that equal numbers are equal texts, and with isUnsigned -0.0 the one of 0.0.
func canonical(v any, isUnsigned bool) string {
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, fmt.Sprintf("%q:%s", name, canonical(v[name], isUnsigned)))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case []any:
		var parts []string
		for _, x := range v {
			parts = append(parts, canonical(x, isUnsigned))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case json.Number:
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".e") {
			if f == 0 && isUnsigned {
				f = 0 // without a sign
			}
			return withPoint(strconv.FormatFloat(f, 'f', -1, 64))
		}
		return v.String()
	}
	return fmt.Sprintf("%#v", v)
}

// withPoint returns the text of a double, which has a point where that of an int has none.
func withPoint(text string) string {
	if strings.Contains(text, ".") {
		return text
	}
	return text + ".0"
}

// compareTable compares the judge's table with the transcription of the page, and the program's with the same.
func compareTable(o *oracle, program *runtime.Program, x *golden.Case) (string, error) {
	if problems := golden.Run(program, x).Problems; len(problems) > 0 {
		return problems[0].String(), nil
	}
	ours, err := consult(o, "table "+x.Subject, func(r *judge.Ruleset) (any, error) { return r.Table(x.Subject) })
	if err != nil {
		return "", err
	}
	want, err := treeOf(x.TableJSON())
	if err != nil {
		return "", err
	}
	return differAt("table", numbersLike(want), numbersLike(oneColumn(want, ours))), nil
}

// oneColumn writes rows of one column as the transcription does: as the cell alone.
func oneColumn(want, ours any) any {
	a, isMap := want.(map[string]any)
	b, alsoMap := ours.(map[string]any)
	if !isMap || !alsoMap {
		return ours
	}
	out := map[string]any{}
	for key, cells := range b {
		out[key] = cells
		if _, isRow := a[key].(map[string]any); !isRow {
			for _, cell := range cells.(map[string]any) {
				out[key] = cell
			}
		}
	}
	return out
}

// numbersLike writes all numbers of a tree in one way.
func numbersLike(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = numbersLike(v[name])
		}
	case []any:
		for i := range v {
			v[i] = numbersLike(v[i])
		}
	case json.Number:
		f, err := v.Float64()
		if err == nil {
			return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
		}
	}
	return v
}
