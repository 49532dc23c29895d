package check

import (
	"fmt"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
	"strings"
)

// A checker checks one ruleset.
//
// sites is filled once per text, by resolveText, and read by all later steps: a text that is absent
// was empty or refused by load; one whose expr is nil has a problem that has been reported. open is
// the stack of completeObject, from the object that was asked for to the one that is being typed;
// reportCycle cuts the cycle out of it.
type checker struct {
	*language
	parser *syntax.Parser
	out    *Ruleset
	sites  map[*book.Text]*site // every text that an author wrote as a formula
	open   []Object             // those that are being typed, each read by the one before
}

func characterType(s *plan.Shape) *plan.Type {
	if s == nil {
		return &plan.Type{Kind: plan.Record, Character: true}
	}
	t := s.Type()
	t.Character = true
	return t
}

// typeOfShape returns the type of the values that a shape admits; all characters share one.
func (c *checker) typeOfShape(s *plan.Shape) *plan.Type {
	switch {
	case s == nil:
		return &plan.Type{Kind: plan.Record}
	case s.Character:
		return c.out.Character
	case s.Kind == plan.List:
		return plan.ListOf(c.typeOfShape(s.Elem))
	case s.Kind == plan.Map:
		return plan.MapOf(c.typeOfShape(s.Elem))
	case s.Kind != plan.Record:
		return s.Type()
	}
	t := &plan.Type{Kind: plan.Record}
	for _, m := range s.Fields {
		t.Fields = append(t.Fields, plan.Field{Name: m.Name, Type: c.typeOfShape(m.Shape), Optional: m.Optional})
	}
	return t
}

// newScope opens a scope that lies in no other: it has the options and the given objects.
func (c *checker) newScope(given ...Object) *Scope {
	t := &plan.Type{Kind: plan.Record}
	for _, o := range c.out.Options {
		t.Fields = append(t.Fields, plan.Field{Name: o.name, Type: o.typ})
	}
	return newScope(nil, append(given, &OptionSet{header{name: "option", typ: t}})...)
}

// newGiven makes a name for a record that comes with a request. shape is nil where nothing of it is declared, and any
// field of it is then unknown.
func (c *checker) newGiven(root plan.Root, name string, shape *plan.Shape) *Given {
	g := &Given{header: header{name: name, typ: c.typeOfShape(shape)}, Root: root, Shape: shape}
	if shape != nil {
		g.place = shape.Place
	}
	return g
}

func (c *checker) newCharacter() *Given {
	return &Given{header: header{name: "character", typ: c.out.Character}, Root: plan.CharacterRoot,
		Shape: c.book.Character}
}

// declareName adds a name to a scope, in which and around which no name may stand twice.
func (c *checker) declareName(s *Scope, subject string, o Object) {
	old := s.findObject(o.Name())
	if old == nil {
		s.names[o.Name()] = o
		return
	}
	d := c.diags.Addf("name-taken", o.Place(), subject, "%s is already the name of %s", o.Name(), describeObject(old)).
		About(o.Name())
	_, isDie := old.(*Die)
	if isDie && strings.Contains(subject, ", output ") {
		d.Repair = fmt.Sprintf("give one of them another name; an output may show the die as it is: %s: %[1]q", o.Name())
	}
	if old.Place().File != "" {
		d.Related = append(d.Related, diag.Related{Place: old.Place(), Message: "the other " + o.Name()})
	}
}
