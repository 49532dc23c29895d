package golden_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// noWord is a word that no output is.
const noWord = "a word that nobody has written"

// Every output of every rule, and every field of the state of every procedure, may be asked about each word that its type
// has, and about no other. The types have every word that comes out of the cases, which take all branches but one.
func TestWordsThatMayBeAskedAbout(t *testing.T) {
	for _, p := range gametest.ShippedPlans(t) {
		w := wordAsker{t: t, plan: p, asked: map[string]bool{}}
		for i := range p.Rules {
			r := &p.Rules[i]
			w.askType(r.ID, "", r.Graph.Outputs.Type, func(text string) error {
				_, err := compiler.Formula(p, r.ID, text, "--given")
				return err
			})
		}
		for i := range p.Procedures {
			d := &p.Procedures[i]
			w.askType(d.ID, "state", d.State.Type(), func(text string) error {
				_, err := compiler.Guard(p, d.ID, text, "--policy")
				return err
			})
		}
		w.playCases()
		if len(w.asked) < 20 {
			t.Errorf("%s: %d words were asked about", p.Ruleset, len(w.asked))
		}
	}
}

// The words of both arms are known in lists, in records and of what a use is otherwise.
func TestWordsOfArms(t *testing.T) {
	p, diags := gametest.Compile(t, map[string]string{"arms": `
		rules: {
			named: {
				cite: "x"
				output: name: "'used'"
			}
			arms: {
				cite: "x"
				#Input: {
					a: {kind: *"u" | "v"}
					b: {kind: *"w" | "x"}
					called: *"used" | "x"
				}
				dice: d: "d6"
				use: one: {rule: "named", when: "d > 5", otherwise: name: "input.called"}
				let: either: "d > 3 ? input.a : input.b"
				output: {
					list:   "d > 3 ? ['p', 'q'] : ['r']"
					kind:   "either.kind"
					kinds:  "[input.a, input.b].map(x, x.kind)"
					deeper: "(d > 2 ? [either] : [input.b])[0].kind"
					one: ["name"]
				}
			}
		}`})
	for _, d := range diags {
		t.Log(d)
	}
	if p == nil {
		t.Fatal("it is not compiled")
	}
	for text, want := range map[string]bool{
		`list[0] == "p"`: true, `list[0] == "r"`: true, `list[0] == "s"`: false,
		`kind == "u"`: true, `kind == "x"`: true, `kind == "y"`: false,
		`kinds[0] == "v"`: true, `kinds[0] == "w"`: true, `kinds[0] == "y"`: false,
		`deeper == "v"`: true, `deeper == "w"`: true, `deeper == "y"`: false,
		`name == "used"`: true, `name == "x"`: true, `name == "y"`: false,
	} {
		if _, err := compiler.Formula(p, "arms", text, "--given"); (err == nil) != want {
			t.Errorf("%s: got %v, want it asked: %t", text, err, want)
		}
	}
}

// A wordAsker asks about the words of a plan.
type wordAsker struct {
	t     *testing.T
	plan  *plan.Plan
	asked map[string]bool
}

// askType asks about each word of the strings at a path, and about one that none of them is.
func (w *wordAsker) askType(subject, path string, t *plan.Type, compile func(text string) error) {
	switch t.Kind {
	case plan.Record:
		for _, f := range t.Fields {
			at := f.Name
			if path != "" {
				at = path + "." + f.Name
			}
			if !f.Optional {
				w.askType(subject, at, f.Type, compile)
			}
		}
	case plan.List:
		w.askType(subject, path+"[0]", t.Elem, compile)
	case plan.String:
		if t.Enum == nil {
			return
		}
		for _, word := range t.Enum {
			text := path + " == " + strconv.Quote(word)
			if err := compile(text); err != nil {
				w.t.Errorf("%s %s: %s: %v", w.plan.Ruleset, subject, text, err)
			}
			w.asked[subject+" "+text] = true
		}
		text := path + " == " + strconv.Quote(noWord)
		if err := compile(text); err == nil || !strings.Contains(err.Error(), "is never") {
			w.t.Errorf("%s %s: %s: got %v, want that it is never so", w.plan.Ruleset, subject, text, err)
		}
	}
}

// playCases looks at every word that comes out of a case.
func (w *wordAsker) playCases() {
	cases, err := golden.Load(os.DirFS("."), w.plan.Ruleset, w.plan.Ruleset)
	if err != nil {
		w.t.Fatal(err)
	}
	program := runtime.New(w.plan)
	for _, c := range cases {
		if c.Kind != golden.RuleCase && c.Kind != golden.ProcedureCase {
			continue
		}
		text, err := golden.Evaluate(program, c, runtime.Choice{Options: c.Options})
		if err != nil {
			continue
		}
		sheet, err := jsontree.ReadTree(text)
		if err != nil {
			w.t.Fatal(err)
		}
		subject := w.plan.Ruleset + " " + c.Name + ", " + c.Subject
		if d := w.plan.Procedure(c.Subject); d != nil && c.Kind == golden.ProcedureCase {
			w.lookAt(subject, sheet.Get("output"), d.Close.Outputs.Type)
			w.lookAt(subject, sheet.Get("state"), d.State.Type())
			for _, happened := range sheet.Get("events").Items {
				name := happened.Get("event").Text
				k := slices.IndexFunc(d.Events, func(e plan.Event) bool { return e.ID == name })
				w.lookAt(subject, happened.Get("output"), d.Events[k].Graph.Outputs.Type)
			}
			continue
		}
		w.lookAt(subject, sheet.Get("output"), w.plan.Rule(c.Subject).Graph.Outputs.Type)
	}
}

// lookAt compares the words in a value with those of its type.
func (w *wordAsker) lookAt(path string, v *jsontree.Tree, t *plan.Type) {
	if v == nil {
		return
	}
	switch t.Kind {
	case plan.Record:
		for _, f := range t.Fields {
			w.lookAt(path+"."+f.Name, v.Get(f.Name), f.Type)
		}
	case plan.List, plan.Map:
		for i, x := range v.Items {
			w.lookAt(fmt.Sprintf("%s[%d]", path, i), x, t.Elem)
		}
	case plan.String:
		if t.Enum != nil && !slices.Contains(t.Enum, v.Text) {
			w.t.Errorf("%s is %s, and its type has %q", path, v.Text, t.Enum)
		}
	}
}
