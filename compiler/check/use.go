package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// resultOf returns the type of a use: a record of its own, so that reads of it can be told from reads of other records.
//
// The copy makes the pointer an identity: two uses of one rule have equal types at different addresses, by which
// checkOtherwise tells which use an expression reads, even through lets and elements of lists.
func resultOf(u *Use) *plan.Type {
	if u.Rule == nil {
		return broken
	}
	t := *u.Rule.typ
	t.Fields = slices.Clone(t.Fields)
	if len(u.Book.Each) > 0 {
		return plan.ListOf(&t)
	}
	return &t
}

// resolveUse resolves the inputs of a use. The elements of the lists that it walks are names in all of it but the lists.
// each: {foe: "character.foes"} makes foe a name for the elements: character: "foe" gives each of them in turn to the rule.
func (c *checker) resolveUse(u *Use, s *Scope, subject string) {
	b := u.Book
	if b.Rule.S != "" && c.rules[b.Rule.S] == nil &&
		!c.reporterFor(subject).reportDisabled(b.Rule.Place, "rules", b.Rule.S) {
		c.diags.Addf("unknown-rule", b.Rule.Place, subject, "there is no rule %s", b.Rule.S).About(b.Rule.S).
			Repair = diag.DidYouMeanOneOf(b.Rule.S, sortedKeys(c.rules))
	}
	c.resolveLets(b.Each, s, subject, "each")
	u.scope = s
	if len(b.Each) > 0 {
		u.scope = newScope(s)
	}
	for i := range b.Each {
		n := &b.Each[i]
		each := &Each{header: header{name: n.Name, place: n.Place, typ: broken}, Book: n}
		u.Each = append(u.Each, each)
		c.declareName(u.scope, subject+", each "+n.Name, each)
	}
	c.resolveText(&b.Character, u.scope, subject+", character")
	c.resolveText(&b.When, u.scope, subject+", when")
	c.resolveText(&b.Input, u.scope, subject+", input")
	c.resolveLets(b.Inputs, u.scope, subject, "input")
	c.resolveLets(b.Otherwise, u.scope, subject, "otherwise")
}

// typeUse checks the inputs of another rule. Its input and character are read only when its condition holds.
//
// Every tree that it types between `first` and the end gets the condition as Under: guards and the bounds know by it that
// max(xs) in the input of a use with when: "size(xs) > 0" cannot fail. `when` itself is typed before, and has no Under.
func (c *checker) typeUse(u *Use) {
	b := u.Book
	subject := fmt.Sprintf("%suse %s", u.within, u.name)
	for _, e := range u.Each {
		c.typeEach(e)
	}
	u.When = c.typeTextAs(&b.When, plan.BoolType, "when")
	first := len(c.out.Trees)
	u.Character = c.typeTextAs(&b.Character, c.out.Character, "the character of a use")
	if u.Rule != nil {
		c.typeInput(u, subject)
	}
	for _, tree := range c.out.Trees[first:] {
		tree.Under = u.When
		if u.When == nil && b.When.S != "" {
			tree.Under = &Expr{Type: broken}
		}
	}
	if u.Rule == nil {
		return
	}
	u.Otherwise = c.typeValues(b.Otherwise, func(n *book.Named) *plan.Type { return c.outputType(u.Rule, n, subject) })
	if len(b.Otherwise) > 0 && b.When.S == "" {
		c.diags.Addf("otherwise-unused", b.Otherwise[0].Place, subject,
			"`otherwise` needs a `when`: it is the result when the condition is false")
	}
	for _, o := range u.Rule.Otherwise {
		if b.When.S != "" && !slices.ContainsFunc(u.Otherwise, func(own *Let) bool { return own.name == o.name }) {
			u.Otherwise = append(u.Otherwise, o)
		}
	}
	u.addWordsOfOtherwise()
}

// addWordsOfOtherwise adds to the type of each output the words that stand for it otherwise. Nothing has read the type yet,
// for who reads a use lets it be typed first.
func (u *Use) addWordsOfOtherwise() {
	t := recordOfUse(u)
	for _, o := range u.Otherwise {
		if i, _ := t.Field(o.name); i >= 0 && o.Formula.Expr != nil {
			t.Fields[i].Type = joinTypes(t.Fields[i].Type, o.Formula.Type())
		}
	}
}

// typeEach gives a name that walks a list the type of an element.
func (c *checker) typeEach(e *Each) {
	text := &e.Book.Formula.Expr
	e.List = c.typeText(text, nil)
	switch {
	case e.List == nil, e.List.Type.Kind == plan.Invalid:
	case e.List.Type.Kind == plan.List:
		e.typ = e.List.Type.Elem
	default:
		c.reporterOf(text).addf("type", text.At(0), "a use walks lists, not %s", briefType(e.List.Type))
	}
}

// typeValues types formulas that have no name: the inputs of a use and its otherwise. want returns the type that each must
// have; nil is any.
func (c *checker) typeValues(list []book.Named, want func(*book.Named) *plan.Type) []*Let {
	var out []*Let
	for i := range list {
		let := &Let{header: header{name: list[i].Name, place: list[i].Place}, Book: &list[i]}
		t := want(let.Book)
		c.typeLet(let, t)
		c.checkFormulaFits(let.Formula, t, let.name)
		out = append(out, let)
	}
	return out
}

// outputType returns the type of an output of a rule; there must be one of the name.
func (c *checker) outputType(x *Rule, n *book.Named, subject string) *plan.Type {
	if i, _ := x.typ.Field(n.Name); i >= 0 {
		return x.typ.Fields[i].Type
	}
	c.diags.Addf("unknown-output", n.Place, subject, "rule %s has no output %s", x.name, n.Name).About(n.Name).
		Repair = diag.DidYouMeanOneOf(n.Name, c.types.memberNames(x.typ))
	return nil
}

// typeInput checks that a used rule gets all it asks for, as one record or field by field.
func (c *checker) typeInput(u *Use, subject string) {
	b := u.Book
	shape := u.Rule.Book.Input
	if b.Input.S != "" {
		if u.Input = c.typeText(&b.Input, nil); u.Input != nil {
			c.checkWholeInput(u, shape)
		}
		return
	}
	stray := false
	u.Inputs = c.typeValues(b.Inputs, func(n *book.Named) *plan.Type {
		t := c.typeAtPath(shape, n.Name, n.Place, subject, "rule "+u.Rule.name)
		stray = stray || t == nil
		return t
	})
	if stray {
		return // what is missing may be what is misspelt
	}
	for _, m := range missingMembers(shape, "", pathsOf(b.Inputs)) {
		if !c.reportExtendedInput(u, m, subject) {
			c.diags.Addf("missing-input", b.Place, subject, "rule %s also needs input.%s", u.Rule.name, m)
		}
	}
}

// reportExtendedInput reports a field that a homebrew gives to the input of a rule, and that a use which was there before
// does not give, at the field; it says whether the field is one. The uses of a rule are one problem, with one message.
func (c *checker) reportExtendedInput(u *Use, path, subject string) bool {
	field := fieldAt(u.Rule.Book.Input, path)
	if field == nil || len(u.Rule.Book.Overlays) == 0 || field.Place.File == u.Rule.Book.Place.File ||
		field.Place.File == u.Book.Place.File {
		return false
	}
	d := c.diags.Addf("missing-input", field.Place, "rule "+u.Rule.name,
		"%s must be given, and what uses the rule already does not give it", path)
	d.Repair = fmt.Sprintf("give it a default, %s: *... | ..., or replace the uses too", path)
	if written := field.Shape; written.Kind == plan.Int {
		d.Repair = fmt.Sprintf("give it a default, as in %s: *0 | int, or replace the uses too", path)
	}
	d.Related = []diag.Related{{Place: u.Book.Place, Message: subject}}
	return true
}

// fieldAt returns the field at a path into a shape, which may be missing from a record; nil where there is none.
func fieldAt(s *plan.Shape, path string) (found *plan.Member) {
	for name := range strings.SplitSeq(path, ".") {
		if s == nil {
			return nil
		}
		i := slices.IndexFunc(s.Fields, func(m plan.Member) bool { return m.Name == name })
		if i < 0 {
			return nil
		}
		found = &s.Fields[i]
		s = found.Shape
	}
	return found
}

// checkWholeInput checks a record that is handed on: the fields that it lacks must have a default or be optional. A record
// may have more fields than the rule asks for; these are dropped (lower's completeRecord). A field is checked like one that
// is read and given by itself.
func (c *checker) checkWholeInput(u *Use, shape *plan.Shape) {
	r := c.reporterOf(&u.Book.Input)
	t := u.Input.Type
	if t.Kind != plan.Record {
		r.addf("type", u.Input.Place, "the input of a rule is a record, not %s", briefType(t))
		return
	}
	if shape == nil {
		return
	}
	for i := range shape.Fields {
		m := &shape.Fields[i]
		k, _ := t.Field(m.Name)
		needed := !m.Optional && m.Default == ""
		switch {
		case k < 0 && needed:
			r.addf("missing-input", u.Input.Place, "rule %s also needs input.%s", u.Rule.name, m.Name)
		case k < 0:
		case t.Fields[k].Optional && needed:
			r.addf("missing-input", u.Input.Place, "rule %s needs input.%s, which may be missing here", u.Rule.name, m.Name)
		default:
			field := &Expr{Op: OpField, Type: t.Fields[k].Type, Place: u.Input.Place, Name: m.Name, Args: []*Expr{u.Input}}
			r.checkFits(field, c.typeOfShape(m.Shape), "input."+m.Name)
		}
	}
}

// checkOtherwise checks that an output of a use with a condition is read only if the use has an otherwise for it. It runs
// when all texts of the body are typed, over every tree of the ruleset whose scope lies in the body's.
func (c *checker) checkOtherwise(b *Body, s *Scope) {
	conditional := map[*plan.Type]*Use{} // by the record of its outputs, which is its own
	for _, src := range b.Sources {
		if u := src.Use; u != nil && u.Rule != nil && u.Book.When.S != "" {
			conditional[recordOfUse(u)] = u
		}
	}
	if len(conditional) == 0 {
		return
	}
	for _, tree := range c.out.Trees {
		if tree.scope.isWithin(s) {
			o := conditionalReads{reporter: c.reporterFor(tree.Subject), uses: conditional}
			o.walkReads(tree.Root, false)
			o.checkElements(tree.Root)
		}
	}
}

func recordOfUse(u *Use) *plan.Type {
	if u.typ.Kind == plan.List {
		return u.typ.Elem
	}
	return u.typ
}

// A conditionalReads finds what is read of uses whose rule is not always used.
type conditionalReads struct {
	*reporter
	uses map[*plan.Type]*Use
}

// walkReads visits an expression; onlyField says that only a field of its value is read.
func (o *conditionalReads) walkReads(e *Expr, onlyField bool) {
	u := o.uses[e.Type]
	switch {
	case e.Op == OpField && o.uses[e.Args[0].Type] != nil:
		o.checkRead(o.uses[e.Args[0].Type], e.Name, e.Place)
	case u != nil && !onlyField && e.Op == OpRef && e.Object == Object(u):
		o.checkOutputs(u, e.Place)
	}
	for _, a := range e.Args {
		o.walkReads(a, e.Op == OpField)
	}
}

// checkElements visits a formula whose value is a list of the outputs of a use: each of them is read, whatever became
// of the list on the way.
func (o *conditionalReads) checkElements(e *Expr) {
	t := e.Type
	for t != nil && t.Kind == plan.List {
		t = t.Elem
	}
	if u := o.uses[t]; u != nil && t != e.Type {
		o.checkOutputs(u, e.Place)
	}
}

func (o *conditionalReads) checkOutputs(u *Use, at plan.Place) {
	for i := range u.Rule.typ.Fields {
		o.checkRead(u, u.Rule.typ.Fields[i].Name, at)
	}
}

func (o *conditionalReads) checkRead(u *Use, output string, at plan.Place) {
	if slices.ContainsFunc(u.Otherwise, func(l *Let) bool { return l.name == output }) {
		return
	}
	o.addf("otherwise-missing", at, "%s.%s has no value when rule %s is not used", u.name, output, u.Rule.name).
		Repair = "give use " + u.name + " otherwise: " + output
}
