package overlay

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Names that stand twice are refused here: the phases after this one take a body for what one author wrote.

func (o *overlay) rule(to, more *book.Rule) {
	what := "rule " + to.ID
	o.fields(what, to.Input, more.Input)
	o.body(what, &to.Body, &more.Body)
	o.touch(&to.Definition)
}

func (o *overlay) procedure(to, more *book.Procedure) {
	what := "procedure " + to.ID
	o.fields(what, to.Input, more.Input)
	o.fields(what, to.State, more.State)
	appended(o, what, &to.Lets, more.Lets, named)
	appended(o, what, &to.Ends, more.Ends, required)
	appended(o, what, &to.Output, more.Output, named)
	o.start(to, more.Start)
	for _, e := range more.Events {
		o.event(to, e)
	}
	o.touch(&to.Definition)
}

func (o *overlay) start(to *book.Procedure, more *book.Step) {
	switch {
	case more == nil:
	case to.Start == nil:
		to.Start = more
		o.touch(&more.Definition)
	default:
		o.step("procedure "+to.ID+", start", to.Start, more)
	}
}

// event appends to the event of a name, or is a new one.
func (o *overlay) event(p *book.Procedure, more *book.Event) {
	to, ok := found(p.Events, more.ID, eventID)
	if !ok {
		o.touch(&more.Definition)
		p.Events = append(p.Events, more)
		return
	}
	what := "procedure " + p.ID + ", event " + to.ID
	if more.When.S != "" {
		o.silent("when of "+what, more.When.Place, to.Place)
	}
	o.fields(what, to.Input, more.Input)
	o.step(what, &to.Step, &more.Step)
}

func (o *overlay) step(what string, to, more *book.Step) {
	o.body(what, &to.Body, &more.Body)
	appended(o, what, &to.Next, more.Next, named)
	o.touch(&to.Definition)
}

// fields appends the fields of an input, an event or a state. Where that is a character, what is added to characters
// counts.
func (o *overlay) fields(what string, to, more *plan.Shape) {
	if to.Character && len(more.Fields) > 0 {
		d := o.diags.Addf("overlay-unknown", more.Place, "homebrew "+o.brew.ID,
			"what is given to %s is a #Character, which has no fields of its own", what)
		d.Repair = "add the fields to the #Character of the homebrew"
		return
	}
	appended(o, what, &to.Fields, more.Fields, func(m plan.Member) entry { return entry{m.Name, m.Place} })
}

// body appends to a body, whose dice, uses, lets and outputs share their names.
func (o *overlay) body(what string, to, more *book.Body) {
	taken := bodyEntries(to)
	to.Sources = append(to.Sources, fresh(o, what, taken, more.Sources, source)...)
	to.Lets = append(to.Lets, fresh(o, what, taken, more.Lets, named)...)
	to.Outputs = append(to.Outputs, fresh(o, what, taken, more.Outputs, named)...)
	appended(o, what, &to.Requires, more.Requires, required)
}

func bodyEntries(b *book.Body) []entry {
	return slices.Concat(entries(b.Sources, source), entries(b.Lets, named), entries(b.Outputs, named))
}

// An entry is the name of something in a body, and where it stands.
type entry struct {
	name  string
	place plan.Place
}

func named(n book.Named) entry      { return entry{n.Name, n.Place} }
func required(r book.Require) entry { return entry{r.Message, r.Place} }

func source(s book.Source) entry {
	if s.Die != nil {
		return entry{s.Die.Name, s.Die.Place}
	}
	return entry{s.Use.Name, s.Use.Place}
}

func entries[T any](list []T, of func(T) entry) []entry {
	var out []entry
	for _, x := range list {
		out = append(out, of(x))
	}
	return out
}

// appended appends to a list whose names are its own.
func appended[T any](o *overlay, what string, to *[]T, more []T, of func(T) entry) {
	*to = append(slices.Clip(*to), fresh(o, what, entries(*to, of), more, of)...)
}

// fresh are those whose names are not taken; of the others it is said who has the name.
func fresh[T any](o *overlay, what string, taken []entry, more []T, of func(T) entry) []T {
	var out []T
	for _, x := range more {
		e := of(x)
		i := slices.IndexFunc(taken, func(t entry) bool { return t.name == e.name })
		if i < 0 {
			out = append(out, x)
			continue
		}
		o.silent(e.name+" of "+what, e.place, taken[i].place)
	}
	return out
}
