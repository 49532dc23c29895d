package lower

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// putTerm notes the term of an expression.
//
// For the output is_normal: "normal(score)" of haze, with normal(score) being "score == 4 || score == 5", the recorder ends
// with
//
//	NamedTerm is_normal
//	    FunctionTerm normal
//	        ParamTerm score
//	            NamedTerm score      noted when score was lowered
//	        OrTerm
//	            CallTerm equals, CallTerm equals
//
// "rules why" walks these terms from an output to the inputs, with the values of a run.
func (s *scope) putTerm(e *check.Expr, v plan.Value, args []int32) {
	if e.Op == check.OpRef {
		s.putReference(e.Object, v, args)
		return
	}
	t := newTerm(plan.CallTerm, e.Name, v, args)
	switch e.Op {
	case check.OpConst:
		t.Kind = plan.ConstTerm
	case check.OpField, check.OpHas:
		if s.putPath(e, v, args) {
			return
		}
		if t.Kind = plan.FieldTerm; e.Op == check.OpHas {
			t.Kind = plan.HasTerm
		}
	case check.OpTrait:
		trait := e.Object.(*check.Trait).Book
		t.Kind, t.Name, t.Cite, t.Place = plan.TraitTerm, trait.ID, trait.Cite.S, trait.Place
		t.Formula = formulaText(&trait.Formula)
	case check.OpApply:
		function := e.Object.(*check.Function)
		t.Kind, t.Name, t.Cite, t.Place = plan.FunctionTerm, function.Book.ID, function.Book.Cite.S, function.Book.Place
		t.Formula = formulaText(&function.Book.Formula)
		for _, p := range function.Params {
			t.Params = append(t.Params, p.Name())
		}
	case check.OpLookUp:
		table := e.Object.(*check.Table).Book
		t.Kind, t.Name, t.Cite, t.Place, t.Row = plan.TableTerm, table.ID, table.Cite.S, table.Place, s.rowOf(e, v)
	case check.OpAnd:
		t.Kind = plan.AndTerm
	case check.OpOr:
		t.Kind = plan.OrTerm
	case check.OpCond:
		t.Kind = plan.CondTerm
	case check.OpChoose:
		t.Kind, t.Params = plan.ChooseTerm, e.Args[0].Type.Enum
	case check.OpMakeList, check.OpMakeMap:
		t.Kind = plan.ListTerm
	case check.OpAll, check.OpExists, check.OpExistsOne, check.OpMap, check.OpFilter, check.OpSortBy,
		check.OpFold:
		t.Kind, t.Name = plan.WalkTerm, macroNames[e.Op]
	}
	if isPositional(e.Op) && len(args) != len(e.Args) {
		t.Kind, t.Name, t.Params = plan.CallTerm, "", nil // a part of it is no term: it can only be told as a whole
	}
	s.trace.put(s.trace.add(t))
}

var macroNames = map[check.Op]string{
	check.OpAll: "all", check.OpExists: "exists", check.OpExistsOne: "exists_one", check.OpMap: "map",
	check.OpFilter: "filter", check.OpSortBy: "sort_by", check.OpFold: "fold",
}

// isPositional reports whether the arguments of a term are told apart by their positions.
func isPositional(op check.Op) bool {
	switch op {
	case check.OpAnd, check.OpOr, check.OpCond, check.OpChoose, check.OpCall:
		return true
	}
	return false
}

// putOutsideLoops adds those of some terms that have the same value in each iteration of a loop and, in the place of each
// other, those that it rests on.
func (s *scope) putOutsideLoops(terms []int32) {
	for _, at := range terms {
		if t := &s.trace.terms[at]; s.isOutsideLoops(t.Value) {
			s.trace.put(at)
		} else {
			s.putOutsideLoops(t.Args)
		}
	}
}

// isOutsideLoops reports whether a value is computed once.
func (s *scope) isOutsideLoops(v plan.Value) bool {
	for _, id := range [...]plan.ID{v.ID, v.Fault, v.Present} {
		if id != plan.None && s.depth[id] > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(v.Fields, func(f plan.Value) bool { return !s.isOutsideLoops(f) })
}

// putReference notes the term of a name's object.
func (s *scope) putReference(o check.Object, v plan.Value, args []int32) {
	switch o := o.(type) {
	case *check.Let:
		if term, ok := s.letTerms[o]; ok {
			s.trace.put(term)
		} else { // an input of an expression that stands alone
			s.trace.put(s.trace.add(newTerm(plan.GivenTerm, o.Name(), v, nil)))
		}
	case *check.Option:
		s.trace.put(s.trace.add(newTerm(plan.OptionTerm, o.Book.ID, v, nil)))
	case *check.Die:
		if term, ok := s.dieTerms[o]; ok {
			s.trace.put(term)
		}
	case *check.Use:
		s.trace.put(s.useTerms[o].whole...)
	case *check.Param:
		if term, ok := s.paramTerms[o]; ok {
			s.trace.put(term)
		} else {
			s.trace.put(s.trace.add(newTerm(plan.GivenTerm, o.Name(), shownValue(v), nil)))
		}
	case *check.Item, *check.Each:
		s.trace.put(s.elementTerms[o])
	case *check.Given:
		s.trace.put(s.givenTerms[o]...)
	default:
		s.trace.put(args...)
	}
}

// shownValue returns a value as terms show it: records that are passed whole are not shown.
func shownValue(v plan.Value) plan.Value {
	if v.Type != nil && v.Type.Kind == plan.Record {
		return noValue()
	}
	return v
}

// putPath notes a path that begins with a given record or with a use, and reports whether the expression is one.
func (s *scope) putPath(e *check.Expr, v plan.Value, args []int32) bool {
	path, at := e.Name, e.Args[0]
	for at.Op == check.OpField && at.Args[0].Type.Kind == plan.Record {
		path, at = at.Name+"."+path, at.Args[0]
	}
	if at.Op != check.OpRef || e.Args[0].Type.Kind != plan.Record {
		return false
	}
	switch o := at.Object.(type) {
	case *check.Given:
		name := o.Name() + "." + path
		if e.Op == check.OpHas {
			name = "has " + name
		}
		s.trace.put(s.trace.add(newTerm(plan.GivenTerm, name, shownValue(v), s.givenFor(o, path))))
	case *check.Use:
		first := splitPath(path)[0]
		s.trace.put(s.trace.add(newTerm(plan.UseTerm, s.path+o.Name()+"."+path, shownValue(v),
			s.useTerms[o].outputs[first])))
	case *check.Item, *check.Each:
		s.trace.put(s.trace.add(newTerm(plan.GivenTerm, o.Name()+"."+path, shownValue(v), nil)))
	default:
		return false
	}
	return true
}

// givenFor returns the term that a use gave for a path of its input, if it gave one. A use may give input.spend as a whole
// while the formula reads input.spend.ep: the longest given prefix counts.
func (s *scope) givenFor(o *check.Given, path string) []int32 {
	if o.Root != plan.InputRoot {
		return s.givenTerms[o]
	}
	parts := splitPath(path)
	for n := len(parts); n > 0; n-- {
		if terms, ok := s.inputTerms[strings.Join(parts[:n], ".")]; ok {
			return terms
		}
	}
	return s.givenTerms[o]
}

// rowOf returns the number of the row that a look-up found: the operand of its cell or, with two keys, the value from which
// that operand was computed.
func (s *scope) rowOf(e *check.Expr, v plan.Value) plan.ID {
	for len(v.Fields) > 0 {
		v = v.Fields[0]
	}
	if v.ID == plan.None || s.g.Nodes[v.ID].Op != plan.OpCell {
		return plan.None
	}
	found := s.g.Nodes[v.ID].Args[0]
	if row, ok := s.foundRows[found]; ok {
		return row
	}
	return found
}

// scopeTerms are the terms of what the names of a scope stand for.
type scopeTerms struct {
	letTerms   map[*check.Let]int32
	dieTerms   map[*check.Die]int32
	paramTerms map[*check.Param]int32
	useTerms   map[*check.Use]usedTerms
	givenTerms map[*check.Given][]int32 // of what was given as a whole: an input, a character
	inputTerms map[string][]int32       // of what was given for paths of the input
	// elementTerms are those of the elements that loops walk.
	elementTerms map[check.Object]int32
}

func newScopeTerms() scopeTerms {
	return scopeTerms{
		letTerms: map[*check.Let]int32{}, dieTerms: map[*check.Die]int32{}, paramTerms: map[*check.Param]int32{},
		useTerms: map[*check.Use]usedTerms{}, givenTerms: map[*check.Given][]int32{}, inputTerms: map[string][]int32{},
		elementTerms: map[check.Object]int32{},
	}
}

// nameTerm notes the term of a let, an output or a next value, whose formula came to these terms.
func (s *scope) nameTerm(name string, v plan.Value, args []int32, f *check.Formula) int32 {
	t := newTerm(plan.NamedTerm, s.path+name, v, args)
	t.Of = s.subj
	if last := len(s.g.Names) - 1; s.named && last >= 0 && s.g.Names[last].Name == t.Name {
		t.Named = int32(last)
	} else {
		t.Formula, t.Cite, t.Place = formulaText(f.Book), s.cite, f.Book.Place
	}
	return s.trace.add(t)
}

// conditionTerm notes a requirement or an end, the terms of which have been begun.
func (s *scope) conditionTerm(kind plan.TermKind, message string, v plan.Value, formula string, at plan.Place) {
	t := newTerm(kind, message, v, s.trace.end())
	t.Of, t.Formula, t.Cite, t.Place = s.subj, formula, s.cite, at
	s.trace.add(t)
}

// dieTerm notes a source of faces.
func (s *scope) dieTerm(d *check.Die, args []int32) {
	t := newTerm(plan.DieTerm, s.path+d.Book.Name, s.vars[d], args)
	t.Of, t.Formula, t.Cite, t.Place = s.subj, dieText(d.Book), s.cite, d.Book.Place
	switch {
	case d.Book.Notation.Written():
		t.Place = d.Book.Notation.At(0)
	case d.Book.Roll != nil:
		t.Place = d.Book.Roll.Dice.At(0)
	}
	s.dieTerms[d] = s.trace.add(t)
}

// argumentTerm notes the argument of a parameter.
func (s *scope) argumentTerm(p *check.Param, v plan.Value, args []int32) {
	s.paramTerms[p] = s.trace.add(newTerm(plan.ParamTerm, p.Name(), shownValue(v), args))
	s.trace.put(s.paramTerms[p])
}

// A usedTerms is the terms of what a use gives.
type usedTerms struct {
	outputs map[string][]int32 // the output; or whether the use is made, the output, and what is given otherwise
	whole   []int32            // of a use that walks lists
}

// outputTerms returns the terms of the outputs of the rule that a use has written out in the scope.
func (s *scope) outputTerms(u *check.Use) usedTerms {
	out := usedTerms{outputs: map[string][]int32{}}
	for _, o := range u.Rule.Body.Outputs {
		if term, ok := s.letTerms[o]; ok {
			out.outputs[o.Name()] = []int32{term}
		}
	}
	return out
}

// addOtherwise adds the condition that decides between an output and its otherwise.
func (u usedTerms) addOtherwise(output string, when, otherwise []int32) {
	if len(when) == 1 && len(otherwise) == 1 && len(u.outputs[output]) == 1 {
		u.outputs[output] = []int32{when[0], u.outputs[output][0], otherwise[0]}
	}
}

// putUseOfElement notes the record of outputs that a use gives for one element of each of the lists that it walks.
func (s *scope) putUseOfElement(u *check.Use, i plan.ID, given plan.Value) {
	t := newTerm(plan.ElementTerm, "each", noValue(), nil)
	for _, e := range u.Each {
		t.Args = append(t.Args, s.elementTerms[e])
	}
	for _, o := range u.Rule.Body.Outputs {
		k, _ := given.Type.Field(o.Name())
		output := newTerm(plan.UseTerm, s.path+u.Book.Name+"[*]."+o.Name(), shownValue(given.Fields[k]),
			s.useTerms[u].outputs[o.Name()])
		t.Args = append(t.Args, s.trace.add(output))
	}
	t.Row = i
	s.trace.put(s.trace.add(t))
}

// eachTerm notes the list that a use gives for each element of lists.
func (s *scope) eachTerm(u *check.Use, v plan.Value, args []int32) {
	t := newTerm(plan.UseTerm, s.path+u.Book.Name, v, args)
	t.Of, t.Formula, t.Cite, t.Place = "rule "+u.Rule.Book.ID, u.Book.Rule.S, u.Rule.Book.Cite.S, u.Book.Place
	s.useTerms[u] = usedTerms{whole: []int32{s.trace.add(t)}}
}

// graph ends the graph, with its terms encoded. The slice of terms is handed on to the next graph: a ruleset has
// hundreds of graphs, and none needs its terms once they are bytes.
func (s *scope) graph() plan.Graph {
	s.g.Terms = s.plan.terms.Encode(s.trace.terms)
	s.plan.idleTerms, s.trace.terms = s.trace.terms, nil
	return s.g
}
