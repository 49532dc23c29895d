package check

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A parameter "string" takes the words of every choice, and which order they have is known only where the function is
// called:
//
//	functions: able: {params: {g: "string"}, expr: "g >= 'fair'"}
//	output: may: "able(input.grade)"
//
// A function is written out where it is called, so its formula can mean there what it would mean in place of the call.
// Therefore a call with words of a choice calls an instance of the function: the same formula, built again for parameters
// that are of that choice, as compilers of languages with generics do. An instance is made once for the same words.
//
// CEL knows no choices, so that its types are those of the function itself. A function is for any words, so nothing is said
// of an instance but that its words have no common order: 'fiar' may be a word of another call.

// instanceFor returns the instance of a function for its arguments: the function itself where none has words in an order.
// Words that cannot be put in order are reported at the call.
func (b *treeBuilder) instanceFor(f *Function, call *Expr) *Function {
	if f.Formula == nil || f.Formula.Expr == nil || len(call.Args) != len(f.Params) ||
		!slices.ContainsFunc(call.Args, func(a *Expr) bool { return hasOrderedWords(a.Type) }) {
		return f
	}
	key := f.name
	types := make([]*plan.Type, len(f.Params))
	for i, p := range f.Params {
		types[i] = withWordsOf(p.typ, call.Args[i].Type)
		key += " " + keyOfWords(types[i])
	}
	made, isKnown := b.instances[key]
	if !isKnown {
		made = b.makeInstance(f, types)
		b.instances[key] = made
	}
	if made.problem != nil {
		d := b.addf(made.problem.Code, call.Place, "%s with these words: %s", f.name, made.problem.Message)
		d.Repair = made.problem.Repair
		d.Related = append(d.Related, diag.Related{Place: made.problem.Place, Message: "function " + f.name})
		call.Type = broken
	}
	return made.function
}

// An instance is a function with the words of a call in its parameters.
type instance struct {
	function *Function
	problem  *diag.Diagnostic // why its words have no order; nil for none
}

// makeInstance builds a function again, for parameters of some types.
func (b *treeBuilder) makeInstance(f *Function, types []*plan.Type) instance {
	out := &Function{header: f.header, Book: f.Book, General: f, Formula: &Formula{Book: f.Formula.Book}}
	names := maps.Clone(f.Formula.arms[0].scope.names)
	for i, p := range f.Params {
		param := &Param{p.header}
		param.typ = types[i]
		out.Params, names[p.name] = append(out.Params, param), param
	}
	var problems diag.List
	arms := map[*Expr]*Expr{}
	for _, tree := range f.Formula.arms {
		inner := b.builderOf(tree, &problems)
		inner.site.scope = &Scope{around: tree.scope.around, names: names, ofFunction: true}
		arm := *tree
		arm.scope, arm.Root = inner.site.scope, inner.buildExpr(tree.AST.Expr(), nil)
		arms[tree.Root], out.Formula.arms = arm.Root, append(out.Formula.arms, &arm)
	}
	out.Formula.Expr = instanceOfRoot(f.Formula.Expr, arms)
	out.typ = out.Formula.Expr.Type
	for _, d := range problems.Sorted() {
		if d.Code == "type" || d.Code == "enum-value" {
			return instance{f, &d}
		}
	}
	return instance{out, nil}
}

// instanceOfRoot returns the expression of a formula with other arms.
func instanceOfRoot(e *Expr, arms map[*Expr]*Expr) *Expr {
	if arm := arms[e]; arm != nil {
		return arm
	}
	out := *e
	out.Args = slices.Clone(e.Args)
	for i := range out.Args[1:] {
		arm := arms[e.Args[i+1]]
		if out.Args[i+1] = arm; i == 0 {
			out.Type = arm.Type
		} else {
			out.Type = joinTypes(out.Type, arm.Type)
		}
	}
	return &out
}

// builderOf returns a builder that builds a text again, and reports to a list of its own.
func (b *treeBuilder) builderOf(tree *Tree, problems *diag.List) *treeBuilder {
	site := *tree.site
	return &treeBuilder{reporter: b.reporterTo(problems, tree.Subject), site: &site, tree: tree.AST,
		states: map[string]*plan.Type{}, ofAnyWords: true}
}

// hasOrderedWords reports whether a value is of words in an order, or has such words in it.
func hasOrderedWords(t *plan.Type) bool {
	switch {
	case t.Character:
		return false
	case t.Kind == plan.String:
		return t.Order() != nil
	case t.Elem != nil:
		return hasOrderedWords(t.Elem)
	}
	return slices.ContainsFunc(t.Fields, func(f plan.Field) bool { return hasOrderedWords(f.Type) })
}

// withWordsOf returns the type of a parameter for an argument: its strings, where they may be any, are of the choices of the
// argument's.
func withWordsOf(t, of *plan.Type) *plan.Type {
	switch {
	case t.Character || t.Kind != of.Kind:
		return t
	case t.Kind == plan.String && t.Enum == nil:
		return of
	case t.Kind == plan.List || t.Kind == plan.Map:
		out := *t
		out.Elem = withWordsOf(t.Elem, of.Elem)
		return &out
	case t.Kind == plan.Record:
		out := *t
		out.Fields = slices.Clone(t.Fields)
		for i := range out.Fields {
			if k, _ := of.Field(out.Fields[i].Name); k >= 0 {
				out.Fields[i].Type = withWordsOf(out.Fields[i].Type, of.Fields[k].Type)
			}
		}
		return &out
	}
	return t
}

// keyOfWords tells types apart by their words and the orders of these.
func keyOfWords(t *plan.Type) string {
	if t.Character {
		return "character"
	}
	out := fmt.Sprintf("%d %t %q", t.Kind, t.Unordered, t.Enum)
	if t.Elem != nil {
		out += "(" + keyOfWords(t.Elem) + ")"
	}
	for _, f := range t.Fields {
		out += "," + keyOfWords(f.Type)
	}
	return out
}
