package book

import "strings"

// Role says how a text is read.
type Role uint8

// The roles of texts.
const (
	Expression Role = iota
	Chooser         // an expression whose value picks an arm
	Notation        // dice in notation
	Faces           // an expression: how many faces a die has
	Count           // an expression: how many dice are rolled
	Modifier        // which faces are rolled again or on: an expression, or a number
	DiceValue       // dice in notation or an expression that gives them, as dice.IsNotation tells
)

// A Part is a formula, or dice in notation, with what it is a part of.
//
// Definition and Scope differ within procedures: the formulas of an event belong to the procedure's
// definition and read the names of the event.
type Part struct {
	*Text
	Definition string // "rule test", "procedure contest"
	Scope      string // whose names it may read: the definition, or a step of it, "event contest/roll"
	Name       string // what it is of the scope: "let chance"
	Arm        string // the value of the choice that it is an arm of; empty for none
	Role       Role
}

// Parts returns all formulas of the ruleset in its order, those of a homebrew among them once it is laid over. It is the
// one walk over a book's formulas: a search for the places of a name, or a change of a formula to see who notices, asks
// here.
func (b *Ruleset) Parts() []Part {
	w := &partWalk{}
	for _, t := range b.Traits {
		w.enter("trait " + t.ID)
		w.addFormula("value", &t.Formula)
	}
	for _, f := range b.Functions {
		w.enter("function " + f.ID)
		w.addFormula("value", &f.Formula)
	}
	for _, r := range b.Rules {
		w.enter("rule " + r.ID)
		w.addBody(&r.Body)
		w.addNamed("otherwise", r.Otherwise)
	}
	for _, p := range b.Procedures {
		w.addProcedure(p)
	}
	return w.parts
}

// A partWalk collects parts of the definition and the scope that it is in.
type partWalk struct {
	definition, scope string
	parts             []Part
}

// enter begins a definition, whose scope is its own until a step of it changes that.
func (w *partWalk) enter(definition string) { w.definition, w.scope = definition, definition }

func (w *partWalk) add(name string, t *Text, r Role) {
	if t.S != "" || t.Written() {
		w.parts = append(w.parts, Part{Text: t, Definition: w.definition, Scope: w.scope, Name: name, Role: r})
	}
}

// addFormula adds the texts of a formula, those of a choice with the value for which each stands.
func (w *partWalk) addFormula(name string, f *Formula) {
	w.add(name, &f.Expr, Expression)
	w.add(name, &f.By, Chooser)
	for i := range f.Is {
		before := len(w.parts)
		w.add(name, &f.Is[i].Expr, Expression)
		for k := range w.parts[before:] {
			w.parts[before+k].Arm = f.Is[i].Value
		}
	}
}

func (w *partWalk) addNamed(prefix string, list []Named) {
	for i := range list {
		w.addFormula(prefix+" "+list[i].Name, &list[i].Formula)
	}
}

// addBody adds the formulas of a body: dice and uses first, since the others may read them.
func (w *partWalk) addBody(b *Body) {
	for i := range b.Sources {
		if d := b.Sources[i].Die; d != nil {
			w.addDie(d)
		} else {
			w.addUse(b.Sources[i].Use)
		}
	}
	w.addNamed("let", b.Lets)
	for i := range b.Decisions {
		for _, t := range b.Decisions[i].Bounds() {
			w.add("decide "+b.Decisions[i].Path+" "+t.Name, t.Text, Expression)
		}
	}
	for i := range b.Requires {
		w.add("require", &b.Requires[i].Expr, Expression)
	}
	w.addNamed("output", b.Outputs)
}

// addDie adds the texts of a die. Which of them are written depends on how its faces are said; add leaves out the
// others.
func (w *partWalk) addDie(d *Die) {
	name := "die " + d.Name
	w.add(name, &d.Notation, Notation)
	w.add(name, &d.Faces, Faces)
	w.add(name, &d.Pool, Expression)
	w.add(name, &d.Count, Count)
	w.add(name, &d.Again, Modifier)
	w.add(name+" again when", &d.AgainWhen, Expression)
	w.add(name, &d.Explode, Modifier)
	w.add(name+" explode when", &d.ExplodeWhen, Expression)
	for r := d.Roll; r != nil; r = r.Plus {
		w.add(name, &r.Dice, DiceValue)
		w.add(name, &r.Times, Count)
		w.add(name, &r.Repeat, Count)
	}
}

func (w *partWalk) addUse(u *Use) {
	name := "use " + u.Name
	w.add(name+" character", &u.Character, Expression)
	w.add(name+" when", &u.When, Expression)
	w.add(name+" input", &u.Input, Expression)
	w.addNamed(name+" input", u.Inputs)
	w.addNamed(name+" each", u.Each)
	w.addNamed(name+" otherwise", u.Otherwise)
}

// addProcedure adds the formulas of a procedure, step by step: a step has a scope of its own.
func (w *partWalk) addProcedure(p *Procedure) {
	w.enter("procedure " + p.ID)
	w.addNamed("let", p.Lets)
	if p.Start != nil {
		w.scope = w.definition + "/start"
		w.addBody(&p.Start.Body)
		w.addNamed("next", p.Start.Next)
	}
	for _, e := range p.Events {
		w.scope = "event " + p.ID + "/" + e.ID
		w.add("event "+e.ID+" when", &e.When, Expression)
		w.addBody(&e.Body)
		w.addNamed("next", e.Next)
	}
	w.scope = w.definition
	for i := range p.Ends {
		w.add("end "+p.Ends[i].Message, &p.Ends[i].Expr, Expression)
	}
	w.addNamed("output", p.Output)
}

// Parts returns the formulas on both sides of the replacements of a homebrew, each with the scope of the replaced one: also
// those of replacements that Apply refuses, which no ruleset has.
func (h *Homebrew) Parts() []Part {
	w := &partWalk{}
	for i := range h.Replaces {
		r := &h.Replaces[i]
		w.definition, w.scope = scopeOfPath(r.Path)
		for _, s := range []*Stated{&r.Expect, &r.With} {
			switch name := strings.Join(r.Path[min(2, len(r.Path)):], " "); {
			case s.Formula != nil:
				w.addFormula(name, s.Formula)
			case s.Die != nil:
				w.addDie(s.Die)
			case s.Use != nil:
				w.addUse(s.Use)
			}
		}
	}
	return w.parts
}

// scopeOfPath returns the definition that a path of a replacement leads into, and the step of it.
func scopeOfPath(path []string) (definition, scope string) {
	if len(path) < 2 {
		return "", ""
	}
	definition = strings.TrimSuffix(path[0], "s") + " " + path[1]
	switch {
	case path[0] != "procedures" || len(path) < 4:
		return definition, definition
	case path[2] == "start":
		return definition, definition + "/start"
	case path[2] == "events":
		return definition, "event " + path[1] + "/" + path[3]
	}
	return definition, definition
}
