package symbols

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Label is a name in CUE, outside of formulas, that refers to something the author declares elsewhere: the rule of a use,
// the field that a use gives a value, a column in a row, a value of an option that a formula is chosen by.
//
// Labels are the names of CUE that are references and not declarations. For CUE they are just
// fields; only the language of rulesets knows that a column in a row, or a value that a formula is chosen by, names
// something declared elsewhere.
type Label struct {
	Name        string
	Place       plan.Place
	Declaration plan.Place
}

// Labels returns the labels of the ruleset, and those of rulings, as far as the book says where they stand. A place is that
// of the name, of the quote before it, or of the value behind it.
func (x *Index) Labels(rulings []book.Ruling) []Label {
	w := &labeler{index: x}
	for _, o := range x.book.Options {
		w.addLabel(o.Default.S, o.Default.Place, valueSymbols(o))
		for _, r := range rulings {
			if r.Option == o.ID {
				w.addLabel(o.ID, r.Place, []Symbol{x.optionSymbol(o)})
				w.addLabel(r.Value.S, r.Value.Place, valueSymbols(o))
			}
		}
	}
	for _, t := range x.book.Tables {
		w.addTable(t)
	}
	for _, t := range x.book.Traits {
		w.addFormula(&t.Formula)
	}
	for _, f := range x.book.Functions {
		w.addFormula(&f.Formula)
	}
	for _, r := range x.book.Rules {
		w.addBody(&r.Body, fieldSymbols(r.Input, x))
		w.addNamed(r.Otherwise, namedSymbols(r.Body.Outputs, "output"))
	}
	for _, p := range x.book.Procedures {
		w.addProcedure(p)
	}
	return w.list
}

// A labeler collects labels.
type labeler struct {
	index *Index
	list  []Label
}

// addLabel adds a label with the name of one of the given symbols; nothing when none has the name.
//
// A label that stands at its own declaration is none: the first row that has a column declares it.
func (w *labeler) addLabel(name string, at plan.Place, to []Symbol) {
	i := slices.IndexFunc(to, func(s Symbol) bool { return s.Name == name })
	if i >= 0 && at != (plan.Place{}) && to[i].Place != (plan.Place{}) && at != to[i].Place {
		w.list = append(w.list, Label{name, at, to[i].Place})
	}
}

// addPathLabel adds a label that is the last name of a path through the members of symbols.
func (w *labeler) addPathLabel(path string, at plan.Place, to []Symbol) {
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		i := slices.IndexFunc(to, func(s Symbol) bool { return s.Name == name })
		if i < 0 {
			return
		}
		to = to[i].Members()
	}
	w.addLabel(names[len(names)-1], at, to)
}

func (w *labeler) addTextLabels(list []book.Text, to []Symbol) {
	for _, t := range list {
		w.addLabel(t.S, t.Place, to)
	}
}

// addTable adds the columns that a table's settings name, and those in its rows. A cell without a
// place of its own stands in a list, and has no name in the text.
func (w *labeler) addTable(t *book.Table) {
	cols := columnSymbols(t)
	w.addLabel(t.Gives.S, t.Gives.Place, cols)
	w.addLabel(t.Cost.S, t.Cost.Place, cols)
	for _, list := range [][]book.Text{t.Dice, t.Rising, t.Falling, t.Benefit} {
		w.addTextLabels(list, cols)
	}
	for _, r := range t.Rows {
		for k, c := range r.Cells {
			if k < len(cols) && c.Place != r.Place {
				w.addLabel(cols[k].Name, c.Place, cols)
			}
		}
	}
}

// addNamed adds the formulas under the names of symbols, and the keys of those that choose one.
func (w *labeler) addNamed(list []book.Named, to []Symbol) {
	for i := range list {
		w.addPathLabel(list[i].Name, list[i].Place, to)
		w.addFormula(&list[i].Formula)
	}
}

// addFormula adds the option that a formula is chosen by, and its values.
func (w *labeler) addFormula(f *book.Formula) {
	id, ok := strings.CutPrefix(f.By.S, "option.")
	if !ok {
		return
	}
	for _, o := range w.index.book.Options {
		if o.ID != id {
			continue
		}
		w.addLabel(id, f.By.Place, []Symbol{w.index.optionSymbol(o)})
		for i := range f.Is {
			w.addLabel(f.Is[i].Value, f.Is[i].Place, valueSymbols(o))
		}
	}
}

// addBody adds the labels in a body, whose decisions are about the fields of an input.
func (w *labeler) addBody(b *book.Body, input []Symbol) {
	locals := w.index.localsOf(b)
	for _, s := range b.Sources {
		if s.Die != nil {
			w.addLabel(s.Die.Rows.S, s.Die.Rows.Place, w.index.Definitions())
			continue
		}
		w.addUse(s.Use)
	}
	for _, list := range [][]book.Named{b.Lets, b.Outputs} {
		for i := range list {
			w.addFormula(&list[i].Formula)
			w.addLabel(list[i].When.S, list[i].When.Place, locals)
		}
	}
	for i := range b.Decisions {
		w.addPathLabel(b.Decisions[i].Path, b.Decisions[i].Place, input)
		w.addTextLabels(b.Decisions[i].After, locals)
	}
}

// addUse adds the labels in a use of a rule.
func (w *labeler) addUse(u *book.Use) {
	r := w.index.ruleOf(u.Rule.S)
	if r == nil {
		return
	}
	w.list = append(w.list, Label{r.ID, u.Rule.Place, r.Place})
	w.addNamed(u.Inputs, fieldSymbols(r.Input, w.index))
	w.addNamed(u.Otherwise, namedSymbols(r.Body.Outputs, "output"))
}

// addProcedure adds the labels of all steps. The names under next are fields of the state.
func (w *labeler) addProcedure(p *book.Procedure) {
	state := fieldSymbols(p.State, w.index)
	for i := range p.Lets {
		w.addFormula(&p.Lets[i].Formula)
	}
	if p.Start != nil {
		w.addBody(&p.Start.Body, fieldSymbols(p.Input, w.index))
		w.addNamed(p.Start.Next, state)
	}
	for _, e := range p.Events {
		w.addBody(&e.Body, fieldSymbols(e.Input, w.index))
		w.addNamed(e.Next, state)
	}
	for i := range p.Output {
		w.addFormula(&p.Output[i].Formula)
	}
}
