package overlay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Names that stand twice are refused here and not by the check: it would report the second of two declarations, and after
// an overlay cannot tell which of them is the homebrew's.

func (o *overlay) extendRule(to, more *book.Rule) {
	what := "rule " + to.ID
	o.extendFields(what, to.Input, more.Input)
	o.extendBody(what, &to.Body, &more.Body)
	o.markChanged(&to.Definition)
}

// extendProcedure appends a homebrew's extensions to a procedure: fields, formulas, and events by their names.
func (o *overlay) extendProcedure(to, more *book.Procedure) {
	what := "procedure " + to.ID
	o.extendFields(what, to.Input, more.Input)
	o.extendFields(what, to.State, more.State)
	appendNew(o, what, &to.Lets, more.Lets, entryOfNamed)
	appendNew(o, what, &to.Ends, more.Ends, entryOfRequire)
	appendNew(o, what, &to.Output, more.Output, entryOfNamed)
	o.extendStart(to, more.Start)
	for _, e := range more.Events {
		o.extendEvent(to, e)
	}
	o.markChanged(&to.Definition)
}

// extendStart gives a procedure a start, or extends the one that it has.
func (o *overlay) extendStart(to *book.Procedure, more *book.Step) {
	switch {
	case more == nil:
	case to.Start == nil:
		to.Start = more
		o.markChanged(&more.Definition)
	default:
		o.extendStep("procedure "+to.ID+", start", to.Start, more)
	}
}

// extendEvent appends to the event of a name, or is a new one. An event that another homebrew has disabled is not made anew
// from its extension.
func (o *overlay) extendEvent(p *book.Procedure, more *book.Event) {
	path := []string{"procedures", p.ID, "events", more.ID}
	to, ok := findByID(p.Events, more.ID, eventID)
	if !ok {
		if o.reportTaken(path, more.Place) {
			return
		}
		o.markChanged(&more.Definition)
		p.Events = append(p.Events, more)
		return
	}
	what := "procedure " + p.ID + ", event " + to.ID
	if more.When.S != "" {
		o.reportSilent("when of "+what, more.When.Place, to.Place)
	}
	o.extendFields(what, to.Input, more.Input)
	o.extendStep(what, &to.Step, &more.Step)
	o.noteExtension(path, more.Place)
}

func (o *overlay) extendStep(what string, to, more *book.Step) {
	o.extendBody(what, &to.Body, &more.Body)
	appendNew(o, what, &to.Next, more.Next, entryOfNamed)
	o.markChanged(&to.Definition)
}

// extendFields appends the fields of an input, an event or a state. Where that is a character, the additions to characters
// count.
func (o *overlay) extendFields(what string, to, more *plan.Shape) {
	if to.Character && len(more.Fields) > 0 {
		d := o.diags.Addf("overlay-unknown", more.Place, "homebrew "+o.brew.ID,
			"what is given to %s is a #Character, which has no fields of its own", what)
		d.Repair = "add the fields to the #Character of the homebrew"
		return
	}
	repair := "a homebrew adds fields here and changes none: give it another name, or " + makeAnew(what)
	appendNew(o, what, &to.Fields, more.Fields, func(m plan.Member) entry {
		return entry{name: m.Name, place: m.Place, repair: repair}
	})
}

// makeAnew says what a homebrew does instead of changing what only the ruleset can change.
func makeAnew(what string) string {
	kind, _, _ := strings.Cut(what, " ") // "procedure" of "procedure climb, event pull"
	return "disable the " + kind + " and add one of another name"
}

// extendBody appends to a body, whose dice, uses, lets and outputs share their names.
// taken is made once, before anything is appended: names that stand twice within the homebrew's own
// part are left to check.
func (o *overlay) extendBody(what string, to, more *book.Body) {
	taken := bodyEntries(to)
	to.Sources = append(to.Sources, withoutTaken(o, what, taken, more.Sources, entryOfSource)...)
	to.Lets = append(to.Lets, withoutTaken(o, what, taken, more.Lets, entryOfLet)...)
	to.Outputs = append(to.Outputs, withoutTaken(o, what, taken, more.Outputs, entryOfOutput)...)
	appendNew(o, what, &to.Decisions, more.Decisions, func(d book.Decision) entry {
		return entry{name: d.Path, place: d.Place,
			repair: "a homebrew changes no decision: leave it out, or " + makeAnew(what)}
	})
	appendNew(o, what, &to.Requires, more.Requires, entryOfRequire)
}

func bodyEntries(b *book.Body) []entry {
	return slices.Concat(listEntries(b.Sources, entryOfSource), listEntries(b.Lets, entryOfLet),
		listEntries(b.Outputs, entryOfOutput))
}

// An entry is the name of something in a body, and where it stands. Of a let and an output it has the part of the body and
// the formula, unless that is a choice.
type entry struct {
	name          string
	place         plan.Place
	part, formula string
	repair        string // of another one of the name, where it cannot be replaced; "" where it can
}

func entryOfNamed(n book.Named) entry     { return entry{name: n.Name, place: n.Place} }
func entryOfRequire(r book.Require) entry { return entry{name: r.Message, place: r.Place} }
func entryOfLet(n book.Named) entry       { return entryOfFormula("let", n) }
func entryOfOutput(n book.Named) entry    { return entryOfFormula("output", n) }

func entryOfFormula(part string, n book.Named) entry {
	return entry{name: n.Name, place: n.Place, part: part, formula: collapseBlanks(n.Formula.Expr.S)}
}

func entryOfSource(s book.Source) entry {
	if s.Die != nil {
		return entry{name: s.Die.Name, place: s.Die.Place}
	}
	return entry{name: s.Use.Name, place: s.Use.Place}
}

func listEntries[T any](list []T, of func(T) entry) []entry {
	var out []entry
	for _, x := range list {
		out = append(out, of(x))
	}
	return out
}

// appendNew appends to a list whose names are its own.
func appendNew[T any](o *overlay, what string, to *[]T, more []T, of func(T) entry) {
	*to = append(slices.Clip(*to), withoutTaken(o, what, listEntries(*to, of), more, of)...)
}

// withoutTaken returns those whose names are not taken; of the others it is said who has the name.
func withoutTaken[T any](o *overlay, what string, taken []entry, more []T, of func(T) entry) []T {
	var out []T
	for _, x := range more {
		e := of(x)
		i := slices.IndexFunc(taken, func(t entry) bool { return t.name == e.name })
		if i < 0 {
			out = append(out, x)
			continue
		}
		d := o.reportSilent(e.name+" of "+what, e.place, taken[i].place)
		d.Repair = cmp.Or(e.repair, d.Repair)
		if rule, ok := strings.CutPrefix(what, "rule "); ok && e.part == taken[i].part &&
			e.formula != "" && taken[i].formula != "" {
			d.Repair = fmt.Sprintf("to change it, write replace: rules: %s: %s: %s: {expect: %q, with: %q}; "+
				"else give it another name", rule, e.part, e.name, taken[i].formula, e.formula)
		}
	}
	return out
}
