package lint

import (
	"fmt"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An unusedFinder gathers what trees read, and reports the rest. Rules, procedures and outputs are there to be asked from
// outside, and traits for people to read; everything else is there to be read by a formula.
//
// It reads trees that have been typed, where a name is an object and not a word: a let that is
// shadowed, or a field of another record with the same name, cannot be mistaken for a reader.
type unusedFinder struct {
	diags *diag.List
	read  map[check.Object]bool
	// fields are the fields that are read of an input or an event: by their names, "" for the whole.
	fields map[*check.Given]map[string]bool
	keys   map[string]bool // tables the keys of which are the type of a field
}

// checkUnused reports the definitions that no formula reads.
//
// Three readers are not formulas: the rows of a table that are a die's faces, the let that an output's @when names, and the
// keys of a table that close a field. They are noted apart from the trees.
func checkUnused(r *check.Ruleset, diags *diag.List) {
	u := &unusedFinder{
		diags: diags, read: map[check.Object]bool{}, fields: map[*check.Given]map[string]bool{}, keys: map[string]bool{},
	}
	for _, t := range r.Trees {
		u.noteReads(t.Root)
	}
	u.noteShapes(r)
	for b := range r.Bodies() {
		for _, s := range b.Sources {
			if s.Die != nil && s.Die.Rows != nil {
				u.read[s.Die.Rows] = true
			}
		}
		for _, o := range b.Outputs {
			for _, l := range b.Lets {
				if l.Name() == o.Book.When.S {
					u.read[l] = true
				}
			}
		}
	}
	u.reportAll(r)
}

// noteReads notes the reads of an expression. Of input.a.b the field a is noted, and of input alone, handed to another
// rule, every field (name ""). has(input.a) counts as reading a.
func (u *unusedFinder) noteReads(e *check.Expr) {
	if e.Object != nil {
		u.read[e.Object] = true
	}
	if f, ok := e.Object.(*check.Function); ok && f.General != nil {
		u.read[f.General] = true
	}
	if given, ok := e.Object.(*check.Given); ok {
		u.noteField(given, "")
	}
	if e.Op == check.OpField || e.Op == check.OpHas {
		if given, ok := e.Args[0].Object.(*check.Given); ok && e.Args[0].Op == check.OpRef {
			u.read[given] = true
			u.noteField(given, e.Name)
			return
		}
	}
	for _, a := range e.Args {
		u.noteReads(a)
	}
}

func (u *unusedFinder) noteField(g *check.Given, name string) {
	if u.fields[g] == nil {
		u.fields[g] = map[string]bool{}
	}
	u.fields[g][name] = true
}

// noteShapes notes the tables by which fields are closed.
func (u *unusedFinder) noteShapes(r *check.Ruleset) {
	for x := range r.Book.Shapes() {
		u.noteShape(x.Shape)
	}
}

// noteShape notes the tables by whose keys strings in a shape are closed, at any depth: such a table is read by
// everybody who gives a value.
func (u *unusedFinder) noteShape(s *plan.Shape) {
	if s == nil {
		return
	}
	if s.KeyOf != "" {
		u.keys[s.KeyOf] = true
	}
	u.noteShape(s.Elem)
	for i := range s.Fields {
		if m := s.Fields[i].Shape; !m.Character { // noted as the ruleset's own
			u.noteShape(m)
		}
	}
}

// reportAll reports the definitions that were noted nowhere. Rules, traits and outputs are not among them: they are asked
// for from outside.
func (u *unusedFinder) reportAll(r *check.Ruleset) {
	for _, o := range r.Options {
		u.reportUnread(o, "unused-option", "option "+o.Name(), "no formula reads the option "+o.Name(),
			"choose by it, option: "+o.Name()+": {...}, or leave it out")
	}
	for _, t := range r.Tables {
		if !u.keys[t.Name()] {
			u.reportUnread(t, "unused", "table "+t.Name(), "nothing looks anything up in the table "+t.Name(),
				"look a row up, "+t.Name()+"(x), or leave the table out")
		}
	}
	for _, f := range r.Functions {
		u.reportUnread(f, "unused", "function "+f.Name(), "no formula calls the function "+f.Name(),
			"call it, or leave it out")
		for _, p := range f.Params {
			u.reportUnread(p, "unused", "function "+f.Name(), "the parameter "+p.Name()+" is never read",
				"read "+p.Name()+" in the formula, or leave it out, here and in each call")
		}
	}
	for b := range r.Bodies() {
		u.reportBody(b.Body, b.Subject)
	}
	for _, x := range r.Rules {
		u.reportFields(x.Input, "rule "+x.Name())
	}
	for _, p := range r.Procedures {
		subject := "procedure " + p.Book.ID
		u.reportFields(p.Input, subject)
		u.reportLets(p.Lets, subject)
		for _, e := range p.Events {
			u.reportFields(e.Event, subject+", event "+e.Book.ID)
		}
	}
}

func (u *unusedFinder) reportUnread(o check.Object, code diag.Code, subject, message, repair string) {
	if !u.read[o] {
		u.diags.Addf(code, o.Place(), subject, "%s", message).Repair = repair
	}
}

func (u *unusedFinder) reportBody(b *check.Body, subject string) {
	u.reportLets(b.Lets, subject)
	for _, s := range b.Sources {
		if s.Use != nil {
			u.reportEach(s.Use, subject)
		}
		if s.Die != nil {
			u.reportUnread(s.Die, "unused", subject, "the die "+s.Die.Name()+" is rolled and never read",
				"read "+s.Die.Name()+" in a formula, or leave the die out")
		}
	}
}

// reportEach reports the lists of which a use reads no element. One that is made in place, range(3) or hurt ? [true] : [],
// is there for its size.
func (u *unusedFinder) reportEach(use *check.Use, subject string) {
	for _, e := range use.Each {
		if e.List != nil && (e.List.Op == check.OpRef || e.List.Op == check.OpField) {
			u.reportUnread(e, "unused", subject+", use "+use.Name(),
				"the element "+e.Name()+" of each is never read: of "+e.Book.Formula.Expr.S+" only the size counts",
				"hand it to the rule, input: "+e.Name()+": \""+e.Name()+"\"; for the size alone walk range(size("+
					e.Book.Formula.Expr.S+"))")
		}
	}
}

func (u *unusedFinder) reportLets(list []*check.Let, subject string) {
	for _, l := range list {
		u.reportUnread(l, "unused", subject, "the let "+l.Name()+" is never read",
			"read "+l.Name()+" in a formula, or leave it out")
	}
}

// reportFields reports the fields of an input or an event that no formula reads.
func (u *unusedFinder) reportFields(g *check.Given, subject string) {
	if g.Shape == nil || u.fields[g][""] {
		return
	}
	for i := range g.Shape.Fields {
		m := &g.Shape.Fields[i]
		if !u.fields[g][m.Name] {
			u.diags.Addf("unused-input", m.Place, subject, "no formula reads %s.%s", g.Name(), m.Name).Repair =
				fmt.Sprintf("write %s.%s into the formula that depends on it, or leave the field out", g.Name(), m.Name)
		}
	}
}
