package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A decision becomes requirements that are judged right after the last source that it follows: that the field has its
// default unless it may be decided, and that it lies within its bounds. Who gives the whole input beforehand so gets the
// same answer as somebody who is asked when the dice have fallen.
//
// That no die which falls earlier depends on the field is not seen here: a use may hand the field on to a rule whose dice
// do not read it. Package analyse follows the graph.

// resolveDecisions resolves the names in the formulas of decisions.
func (c *checker) resolveDecisions(list []book.Decision, s *Scope, subject string) {
	for i := range list {
		for _, t := range list[i].Bounds() {
			c.resolveText(t.Text, s, fmt.Sprintf("%s, decide %s, %s", subject, list[i].Path, t.Name))
		}
	}
}

// typeDecision types a decision of a body; it returns nil if there is a problem, which has been reported. given is the
// record of its path, nil where nothing can be decided. A field that may be absent cannot be decided: then nobody could
// tell a decision that is left out from one that has its default.
func (c *checker) typeDecision(b *book.Decision, body *Body, given *Given, subject string) *Decision {
	subject += ", decide " + b.Path
	if given == nil {
		c.diags.Addf("decision", b.Place, subject, "start decides nothing: its input is given for the whole procedure").
			Repair = "decide it in an event, as a field of its #Event"
		return nil
	}
	if c.typeAtPath(given.Shape, b.Path, b.Place, subject, "#"+strings.ToUpper(given.name[:1])+given.name[1:]) == nil {
		return nil
	}
	out := &Decision{Book: b, Of: given, Last: -1}
	for i := range b.After {
		at := c.findSource(body, &b.After[i], subject)
		if at < 0 {
			return nil
		}
		out.Last = max(out.Last, at)
	}
	member := memberAt(given.Shape, b.Path)
	if member == nil {
		c.diags.Addf("decision", b.Place, subject, "%s.%s is optional, or a part of what is, or of a map", given.name,
			b.Path).
			Repair = "decide a field that is always there; give it a default"
		return nil
	}
	if !c.typeBounds(out, member, subject) {
		return nil
	}
	return out
}

// findSource returns the index of the source that a decision follows; -1, with a diagnostic, when there is none.
func (c *checker) findSource(body *Body, name *book.Text, subject string) int {
	var names []string
	for i, src := range body.Sources {
		if src.Object().Name() == name.S {
			return i
		}
		names = append(names, src.Object().Name())
	}
	c.diags.Addf("unknown-name", name.At(0), subject, "%s is no die and no use of the body", name.S).
		Repair = diag.DidYouMeanOneOf(name.S, names)
	return -1
}

// checkBoundsOrder checks that the bounds of a decision read nothing that is rolled after it.
func (c *checker) checkBoundsOrder(d *Decision, b *Body, s *Scope, subject string) {
	var texts []*book.Text
	for _, t := range d.Book.Bounds() {
		texts = append(texts, t.Text)
	}
	for _, on := range c.readLater(b, s, texts, d.Last) {
		out := c.diags.Addf("decision-order", on.place, subject+", decide "+d.Book.Path,
			"%s is decided before %s is rolled, on which its bounds depend", d.Book.Path, on.object.Name())
		out.Repair = fmt.Sprintf("let the decision follow %s, or the bounds not read it", on.object.Name())
		out.Related = []diag.Related{{Place: on.object.Place(), Message: on.object.Name() + " stands here"}}
	}
}

// memberAt returns the field at a path of records that are always there; nil when there is none.
func memberAt(s *plan.Shape, path string) (m *plan.Member) {
	for name := range strings.SplitSeq(path, ".") {
		at := slices.IndexFunc(s.Fields, func(f plan.Member) bool { return f.Name == name })
		if s.Kind != plan.Record || at < 0 || s.Fields[at].Optional {
			return nil
		}
		m = &s.Fields[at]
		s = m.Shape
	}
	return m
}

// typeBounds types the formulas of a decision, and makes requirements of them.
//
// For decide: boost: {after: ["roll"], when: "roll > 90", least: 0, most: "character.luck"} these
// are
//
//	0 <= input.boost                    "boost must be at least 0"
//	input.boost <= character.luck       "boost must be at most character.luck"
//	roll > 90 || input.boost == 0       "boost is decided only when roll > 90"
//
// where 0 in the last is the default of the field. They are built as trees and have no text that
// CEL has seen; the text of the bound stands in for messages.
func (c *checker) typeBounds(d *Decision, m *plan.Member, subject string) bool {
	field := fieldExpr(d.Of, d.Book.Path)
	for _, bound := range []struct {
		text    *book.Text
		to      **Expr
		words   string
		isLeast bool
	}{{&d.Book.Least, &d.Least, "at least", true}, {&d.Book.Most, &d.Most, "at most", false}} {
		if !bound.text.Written() {
			continue
		}
		if kind := m.Shape.Kind; kind != plan.Int && kind != plan.Double {
			c.diags.Addf("decision", bound.text.At(0), subject, "only a number has bounds, and %s is %s",
				d.Book.Path, m.Shape.Type()).Repair = "write a requirement"
			return false
		}
		e := c.typeText(bound.text, nil)
		if e == nil {
			return false
		}
		if e.Type.Kind != plan.Int && e.Type.Kind != plan.Double {
			c.diags.Addf("wrong-type", bound.text.At(0), subject, "a number is expected, not %s", e.Type)
			return false
		}
		*bound.to = e
		low, high := e, field
		if !bound.isLeast {
			low, high = field, e
		}
		d.require(fmt.Sprintf("%s must be %s %s", d.Book.Path, bound.words, strings.TrimSpace(bound.text.S)),
			bound.text, compareNumbers(low, high))
	}
	if !d.Book.When.Written() {
		return true
	}
	if d.When = c.typeTextAs(&d.Book.When, plan.BoolType, "when"); d.When == nil {
		return false
	}
	same, ok := isDefault(field, m.Shape, m.Default)
	if !ok {
		c.diags.Addf("decision", d.Book.When.At(0), subject,
			"%s needs a default, which it has when there is nothing to decide", d.Book.Path).
			Repair = "give every part of it a default; that of a list or a map is empty"
		return false
	}
	d.require(fmt.Sprintf("%s is decided only when %s", d.Book.Path, strings.TrimSpace(d.Book.When.S)), &d.Book.When,
		&Expr{Op: OpOr, Type: plan.BoolType, Place: d.When.Place, Args: []*Expr{d.When, same}})
	return true
}

// require adds a requirement.
func (d *Decision) require(message string, text *book.Text, e *Expr) {
	d.Requires = append(d.Requires, &Require{
		Book: &book.Require{Message: message, Place: text.At(0), Expr: *text}, Expr: e,
	})
}

// fieldExpr returns an expression that reads a field of a given record.
func fieldExpr(of *Given, path string) *Expr {
	e := &Expr{Op: OpRef, Type: of.typ, Object: of}
	for name := range strings.SplitSeq(path, ".") {
		i, _ := e.Type.Field(name)
		e = &Expr{Op: OpField, Type: e.Type.Fields[i].Type, Name: name, Args: []*Expr{e}}
	}
	return e
}

// compareNumbers makes the expression low <= high, in doubles when one of the two is a double.
func compareNumbers(low, high *Expr) *Expr {
	overload := "less_equals_int64"
	if low.Type.Kind == plan.Double || high.Type.Kind == plan.Double {
		overload, low, high = "less_equals_double", promoteNumber(low), promoteNumber(high)
	}
	return &Expr{Op: OpCall, Type: plan.BoolType, Name: overload, Args: []*Expr{low, high}}
}

func promoteNumber(e *Expr) *Expr {
	if e.Type.Kind == plan.Double {
		return e
	}
	return &Expr{Op: OpCall, Type: plan.DoubleType, Name: "int64_to_double", Place: e.Place, Args: []*Expr{e}}
}

// isDefault returns the condition that a field has its default. It is false for a field without one, or with one that is a
// list or a map with elements.
func isDefault(field *Expr, s *plan.Shape, text string) (*Expr, bool) {
	if s.Kind == plan.Record {
		return areDefaults(field, s, text)
	}
	if text == "" {
		return nil, false
	}
	if s.Kind == plan.List || s.Kind == plan.Map {
		size := &Expr{Op: OpCall, Type: plan.IntType, Name: "size_" + s.Kind.String(), Args: []*Expr{field}}
		zero := &Expr{Op: OpConst, Type: plan.IntType}
		return equalExprs(size, zero), text == "[]" || text == "{}"
	}
	value := &Expr{Op: OpConst, Type: field.Type}
	to := map[plan.Kind]any{
		plan.Int: &value.Value.Int, plan.Double: &value.Value.Double, plan.Bool: &value.Value.Bool,
		plan.String: &value.Value.String,
	}[s.Kind]
	if json.Unmarshal([]byte(text), to) != nil {
		return nil, false
	}
	return equalExprs(field, value), true
}

// areDefaults returns the condition that all fields of a record have their defaults. text is the default of the record
// itself, which overrules those of its members: {a: *1 | int} with the default {"a": 2} has its default when a is 2.
func areDefaults(record *Expr, s *plan.Shape, text string) (out *Expr, ok bool) {
	var given map[string]json.RawMessage
	if text != "" && json.Unmarshal([]byte(text), &given) != nil {
		return nil, false
	}
	for i := range s.Fields {
		m := &s.Fields[i]
		if m.Optional {
			return nil, false
		}
		value := m.Default
		if own, there := given[m.Name]; there {
			value = string(own)
		}
		field := &Expr{Op: OpField, Type: record.Type.Fields[i].Type, Name: m.Name, Args: []*Expr{record}}
		same, ok := isDefault(field, m.Shape, value)
		switch {
		case !ok:
			return nil, false
		case out == nil:
			out = same
		default:
			out = &Expr{Op: OpAnd, Type: plan.BoolType, Args: []*Expr{out, same}}
		}
	}
	return out, out != nil
}

// equalExprs returns a == b. Trees that check makes itself have the overload ids that CEL would have named.
func equalExprs(a, b *Expr) *Expr {
	return &Expr{Op: OpCall, Type: plan.BoolType, Name: "equals", Args: []*Expr{a, b}}
}

// readsDecided reports whether an expression reads a field that is decided in the body, through lets too.
//
// Paths are compared with dots at both ends: reading input.plan reads the decided input.plan.boost, which is a part of it,
// and reading input.plan.boost.size reads a part of a decided field. input.planet has nothing to do with it.
func (b *Body) readsDecided(e *Expr) bool {
	return b.readsDecidedBehind(e, map[*Let]bool{})
}

// readsDecidedBehind is readsDecided without the lets in seen, none of which reads such a field.
func (b *Body) readsDecidedBehind(e *Expr, seen map[*Let]bool) bool {
	if e == nil {
		return false
	}
	path, at := "", e
	for at.Op == OpField || at.Op == OpHas {
		path, at = "."+at.Name+path, at.Args[0]
	}
	if given, ok := at.Object.(*Given); ok && at.Op == OpRef {
		return slices.ContainsFunc(b.Decisions, func(d *Decision) bool {
			own := "." + d.Book.Path
			return d.Of == given && (strings.HasPrefix(path+".", own+".") || strings.HasPrefix(own+".", path+"."))
		})
	}
	if let, ok := e.Object.(*Let); ok && e.Op == OpRef {
		looked := seen[let]
		seen[let] = true
		return !looked && b.readsDecidedBehind(let.Formula.Expr, seen)
	}
	return slices.ContainsFunc(e.Args, func(a *Expr) bool { return b.readsDecidedBehind(a, seen) })
}
