package golden

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Definitions are the definitions of a plan, and which of them each one's formulas name.
//
// It works on the text of formulas that plans keep for readers, and not on graphs, where traits and
// functions are written out and have left no trace of their names.
type Definitions struct {
	plan  *plan.Plan
	names map[definition]int // index in plan.Entries
	uses  [][]int            // by index, the indices of what the formulas name
}

// A definition is what a formula can name.
type definition struct {
	kind plan.EntryKind
	id   string
}

// NewDefinitions returns the definitions of a plan with the names in their formulas. It reads their text: a member that has
// the name of a trait is taken for the trait, so that rather too much than too little counts as reached.
func NewDefinitions(p *plan.Plan) *Definitions {
	d := &Definitions{plan: p, names: map[definition]int{}, uses: make([][]int, len(p.Entries))}
	for i := range p.Entries {
		d.names[definition{p.Entries[i].Kind, p.Entries[i].ID}] = i
	}
	for i := range p.Entries {
		for _, line := range p.Entries[i].Lines {
			d.addLine(i, line)
		}
	}
	d.addKeys()
	return d
}

// addLine notes the names in one formula of entry i.
func (d *Definitions) addLine(i int, line plan.Line) {
	if line.Part == "use" && !strings.Contains(line.Name, ".") {
		d.addUse(i, plan.RuleEntry, line.Text)
		return
	}
	for _, word := range words().FindAllString(line.Text, -1) {
		d.addWord(i, word)
	}
}

// words finds option.x, calls, and members. Strings stand first, so that what is in them is passed over.
//
// In "score(character.luck, 'option.x') > 2" it finds score( and .luck; the string is one match, of
// no kind that addWord knows. Alternatives of a Go regular expression are tried in order at each
// position.
var words = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\boption\s*\.\s*\w+|\b\w+\s*\(|\.\s*\w+`)
})

func (d *Definitions) addWord(i int, word string) {
	name := strings.TrimLeft(word, ". \t\n")
	switch {
	case strings.HasPrefix(word, "option"):
		_, id, _ := strings.Cut(word, ".")
		d.addUse(i, plan.OptionEntry, strings.TrimSpace(id))
	case strings.HasSuffix(word, "("):
		name = strings.TrimRight(name, "( \t\n")
		d.addUse(i, plan.TableEntry, name)
		d.addUse(i, plan.FunctionEntry, name)
	case word[0] == '.':
		d.addUse(i, plan.TraitEntry, name)
	}
}

func (d *Definitions) addUse(i int, kind plan.EntryKind, id string) {
	if k, ok := d.names[definition{kind, id}]; ok && !slices.Contains(d.uses[i], k) {
		d.uses[i] = append(d.uses[i], k)
	}
}

// addKeys notes the tables whose keys inputs are.
func (d *Definitions) addKeys() {
	p := d.plan
	for _, r := range p.Rules {
		d.addShapes(definition{plan.RuleEntry, r.ID}, p.Character, r.Input)
	}
	for _, x := range p.Procedures {
		d.addShapes(definition{plan.ProcedureEntry, x.ID}, p.Character, x.Input, x.State)
		for _, e := range x.Events {
			d.addShapes(definition{plan.EventEntry, x.ID + "." + e.ID}, e.Input)
		}
	}
}

func (d *Definitions) addShapes(of definition, shapes ...*plan.Shape) {
	for _, s := range shapes {
		if s != nil {
			d.addShape(d.names[of], s)
		}
	}
}

func (d *Definitions) addShape(i int, s *plan.Shape) {
	if s.KeyOf != "" {
		d.addUse(i, plan.TableEntry, s.KeyOf)
	}
	if s.Elem != nil {
		d.addShape(i, s.Elem)
	}
	for _, m := range s.Fields {
		d.addShape(i, m.Shape)
	}
}

// ReachedBy returns the definitions that a case evaluates: its rule, table, or procedure with the events that it plays, and
// all that their formulas name.
func (d *Definitions) ReachedBy(c *Case) []*plan.Entry {
	kind := map[Kind]plan.EntryKind{RuleCase: plan.RuleEntry, ProcedureCase: plan.ProcedureEntry,
		TableCase:    plan.TableEntry,
		FunctionCase: plan.FunctionEntry,
		OddsCase:     plan.RuleEntry}[c.Kind]
	if len(c.Policy) > 0 {
		kind = plan.ProcedureEntry
	}
	w := walk{d: d, seen: make([]bool, len(d.uses))}
	w.visitName(kind, c.Subject)
	for _, e := range c.Events {
		w.visitName(plan.EventEntry, c.Subject+"."+e.Event)
	}
	for _, m := range c.Policy {
		w.visitName(plan.EventEntry, c.Subject+"."+m.Event)
	}
	return w.out
}

// ReachedFrom returns a definition and all that its formulas name.
func (d *Definitions) ReachedFrom(kind plan.EntryKind, id string) []*plan.Entry {
	w := walk{d: d, seen: make([]bool, len(d.uses))}
	w.visitName(kind, id)
	return w.out
}

// NamedBy returns the definitions that a formula names, and all that theirs do. The formula becomes an entry behind the
// last one, in a copy whose earlier lists are shared.
func (d *Definitions) NamedBy(text string) []*plan.Entry {
	last := len(d.uses)
	x := &Definitions{plan: d.plan, names: d.names, uses: append(slices.Clip(d.uses), nil)}
	for _, word := range words().FindAllString(text, -1) {
		x.addWord(last, word)
	}
	w := walk{d: x, seen: make([]bool, last)}
	for _, i := range x.uses[last] {
		w.visitEntry(i)
	}
	return w.out
}

// A walk follows what definitions name.
type walk struct {
	d    *Definitions
	seen []bool
	out  []*plan.Entry
}

func (w *walk) visitName(kind plan.EntryKind, id string) {
	if i, ok := w.d.names[definition{kind, id}]; ok {
		w.visitEntry(i)
	}
}

func (w *walk) visitEntry(i int) {
	if w.seen[i] {
		return
	}
	w.seen[i] = true
	w.out = append(w.out, &w.d.plan.Entries[i])
	for _, k := range w.d.uses[i] {
		w.visitEntry(k)
	}
}
