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
	Name  string
	Place plan.Place
	Of    plan.Place // the declaration
}

// Labels returns the labels of the ruleset, and those of rulings, as far as the book says where they stand. A place is that
// of the name, of the quote before it, or of the value behind it.
func (x *Index) Labels(rulings []book.Ruling) []Label {
	w := &labeler{index: x}
	for _, o := range x.book.Options {
		w.refer(o.Default.S, o.Default.Place, values(o))
		for _, r := range rulings {
			if r.Option == o.ID {
				w.refer(o.ID, r.Place, []Symbol{x.option(o)})
				w.refer(r.Value.S, r.Value.Place, values(o))
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
		w.addBody(&r.Body, fields(r.Input, x))
		w.addNamed(r.Otherwise, named(r.Body.Outputs, "output"))
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

// refer adds a label that is the name of one of some symbols.
//
// A label that stands at its own declaration is none: the first row that has a column declares it.
func (w *labeler) refer(name string, at plan.Place, to []Symbol) {
	i := slices.IndexFunc(to, func(s Symbol) bool { return s.Name == name })
	if i >= 0 && at != (plan.Place{}) && to[i].Place != (plan.Place{}) && at != to[i].Place {
		w.list = append(w.list, Label{name, at, to[i].Place})
	}
}

// referPath adds a label that is the last name of a path through the members of symbols.
func (w *labeler) referPath(path string, at plan.Place, to []Symbol) {
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		i := slices.IndexFunc(to, func(s Symbol) bool { return s.Name == name })
		if i < 0 {
			return
		}
		to = to[i].Members()
	}
	w.refer(names[len(names)-1], at, to)
}

func (w *labeler) referTexts(list []book.Text, to []Symbol) {
	for _, t := range list {
		w.refer(t.S, t.Place, to)
	}
}

// addTable adds the columns that a table's settings name, and those in its rows. A cell without a
// place of its own stands in a list, and has no name in the text.
func (w *labeler) addTable(t *book.Table) {
	cols := columns(t)
	w.refer(t.Gives.S, t.Gives.Place, cols)
	w.refer(t.Cost.S, t.Cost.Place, cols)
	for _, list := range [][]book.Text{t.Dice, t.Rising, t.Falling, t.Benefit} {
		w.referTexts(list, cols)
	}
	for _, r := range t.Rows {
		for k, c := range r.Cells {
			if k < len(cols) && c.Place != r.Place {
				w.refer(cols[k].Name, c.Place, cols)
			}
		}
	}
}

// addNamed adds the formulas under the names of symbols, and the keys of those that choose one.
func (w *labeler) addNamed(list []book.Named, to []Symbol) {
	for i := range list {
		w.referPath(list[i].Name, list[i].Place, to)
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
		w.refer(id, f.By.Place, []Symbol{w.index.option(o)})
		for i := range f.Is {
			w.refer(f.Is[i].Value, f.Is[i].Place, values(o))
		}
	}
}

// addBody adds the labels in a body, whose decisions are about the fields of an input.
func (w *labeler) addBody(b *book.Body, input []Symbol) {
	locals := w.index.locals(b)
	for _, s := range b.Sources {
		if s.Die != nil {
			w.refer(s.Die.Rows.S, s.Die.Rows.Place, w.index.Definitions())
			continue
		}
		w.addUse(s.Use)
	}
	for _, list := range [][]book.Named{b.Lets, b.Outputs} {
		for i := range list {
			w.addFormula(&list[i].Formula)
			w.refer(list[i].When.S, list[i].When.Place, locals)
		}
	}
	for i := range b.Decisions {
		w.referPath(b.Decisions[i].Path, b.Decisions[i].Place, input)
		w.referTexts(b.Decisions[i].After, locals)
	}
}

// addUse adds the labels in a use of a rule.
func (w *labeler) addUse(u *book.Use) {
	r := w.index.ruleOf(u.Rule.S)
	if r == nil {
		return
	}
	w.list = append(w.list, Label{r.ID, u.Rule.Place, r.Place})
	w.addNamed(u.Inputs, fields(r.Input, w.index))
	w.addNamed(u.Otherwise, named(r.Body.Outputs, "output"))
}

// addProcedure adds the labels of all steps. The names under next are fields of the state.
func (w *labeler) addProcedure(p *book.Procedure) {
	state := fields(p.State, w.index)
	for i := range p.Lets {
		w.addFormula(&p.Lets[i].Formula)
	}
	if p.Start != nil {
		w.addBody(&p.Start.Body, fields(p.Input, w.index))
		w.addNamed(p.Start.Next, state)
	}
	for _, e := range p.Events {
		w.addBody(&e.Body, fields(e.Input, w.index))
		w.addNamed(e.Next, state)
	}
	for i := range p.Output {
		w.addFormula(&p.Output[i].Formula)
	}
}
