package judge

import (
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// A sample is some value of the type of a formula: a list among them has an element. It is asked for where the value itself
// does not say of which type it is, as an empty list does not, of which a sum of doubles is 0.0 and one of ints 0. The formula
// then says it by its form, and names by the formulas and fields behind them. The sample of an unknown type is nil, and an
// int stands for a list of ints too.

// sampleOf returns a sample of an expression: its value, unless it has none or one that does not tell its type.
func (s *scope) sampleOf(e ast.Expr) any {
	if v := s.tryExpr(e); tellsType(v) {
		return v
	}
	return s.sampleByForm(e)
}

// tryExpr evaluates an expression, and returns nil where that has no value.
func (s *scope) tryExpr(e ast.Expr) (v any) {
	defer func() {
		if recover() != nil {
			v = nil
		}
	}()
	if v, err := s.evalExpr(e); err == nil {
		return v
	}
	return nil
}

func tellsType(v any) bool {
	if xs, isList := v.([]any); isList {
		return slices.ContainsFunc(xs, tellsType)
	}
	return v != nil
}

// chooseSample returns a double if one is among some samples, or else the first that tells its type, with the words of all.
func chooseSample(samples ...any) (chosen any) {
	for _, x := range samples {
		if _, isDouble := x.(float64); isDouble || !tellsType(chosen) {
			chosen = x
		}
		chosen = typedLike(chosen, x)
	}
	return chosen
}

// elementSample returns a sample of the elements of a list, or of the keys of a map.
func (s *scope) elementSample(list ast.Expr) any {
	switch v := s.sampleOf(list).(type) {
	case []any:
		return chooseSample(v...)
	case *object:
		return ""
	default: // the sample of a list of ints may be an int
		return v
	}
}

// sumOfNothing returns the sum of no elements like a sample.
func sumOfNothing(sample any) (any, error) {
	switch sample.(type) {
	case int64:
		return int64(0), nil
	case float64:
		return 0.0, nil
	}
	return nil, &Unjudged{"a sum of no elements of a type that is not known"}
}

func (s *scope) sampleOfFormula(f formula) any {
	if f.constant != nil {
		return f.constant
	}
	if e, err := s.r.parseFormula(f.text); f.cases == nil && err == nil {
		return s.sampleOf(e)
	}
	var samples []any
	for _, c := range f.cases {
		samples = append(samples, s.sampleOfFormula(c.(formula)))
	}
	return chooseSample(samples...)
}

func (s *scope) sampleByForm(e ast.Expr) any {
	switch e.Kind() {
	case ast.IdentKind:
		return s.sample(e.AsIdent())
	case ast.SelectKind:
		return s.sampleOfField(e.AsSelect().Operand(), e.AsSelect().FieldName())
	case ast.ListKind:
		out := []any{}
		for _, x := range e.AsList().Elements() {
			out = append(out, s.sampleOf(x))
		}
		return out
	case ast.MapKind:
		o := newObject()
		for _, x := range e.AsMap().Entries() {
			name, _ := textOf(s.tryExpr(x.AsMapEntry().Key()))
			o.setField(name, s.sampleOf(x.AsMapEntry().Value()))
		}
		return o
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		return s.withName(c.AccuVar(), []any{}).withName(c.IterVar(), s.elementSample(c.IterRange())).sampleOf(c.LoopStep())
	case ast.CallKind:
		return s.sampleOfCall(e.AsCall())
	}
	return nil
}

// sampleOfField returns a sample of a field of a record, or of the values of a map if it has no such key.
func (s *scope) sampleOfField(record ast.Expr, name string) any {
	for _, v := range []any{s.tryExpr(record), s.sampleByForm(record)} {
		o, isObject := v.(*object)
		if !isObject {
			continue
		}
		if v, _, err := o.getField(name); err == nil && tellsType(v) {
			return v
		}
		if o.field != nil && o.field.fieldNamed(name) != nil {
			return o.field.fieldNamed(name).sampleOf(s.r)
		}
		if o.field == nil && len(o.names) > 0 {
			v, _, _ := o.getField(o.names[0])
			return v
		}
	}
	return nil
}

// sampleOf returns a sample of the values of a field.
func (f *field) sampleOf(r *Ruleset) any {
	switch f.kind {
	case cue.IntKind:
		return int64(1)
	case cue.NumberKind:
		return 1.0
	case cue.StringKind:
		if order := f.wordsIn(r); order != nil {
			return word{text: order[0], order: order}
		}
		return ""
	case cue.ListKind:
		if f.element != nil {
			return []any{f.element.sampleOf(r)}
		}
	case cue.StructKind:
		o := &object{fields: map[string]any{}, field: f}
		if f.isCharacter {
			o.traits = r.traitOf
		}
		return o
	}
	return nil
}

// sampleOfType returns a sample of the type of a parameter: "list(double)".
func (r *Ruleset) sampleOfType(text string) any {
	if element, isList := strings.CutPrefix(text, "list("); isList {
		return []any{r.sampleOfType(strings.TrimSuffix(element, ")"))}
	}
	if text == "character" {
		return r.character.sampleOf(r)
	}
	return map[string]any{"int": int64(1), "double": 1.0, "bool": true, "string": ""}[text]
}

func (s *scope) sampleOfCall(c ast.CallExpr) any {
	args, name := c.Args(), c.FunctionName()
	if c.IsMemberFunction() {
		args = append([]ast.Expr{c.Target()}, args...)
	}
	samples := func(list ...ast.Expr) (out []any) {
		for _, x := range list {
			out = append(out, s.sampleOf(x))
		}
		return out
	}
	switch name {
	case operators.Conditional:
		return chooseSample(samples(args[1:]...)...)
	case operators.Add, operators.Subtract, operators.Multiply, operators.Divide, operators.Modulo, operators.Negate, "abs", "pow":
		return chooseSample(samples(args...)...)
	case operators.Index:
		key, _ := textOf(s.tryExpr(args[1]))
		if _, isRecord := s.sampleOf(args[0]).(*object); isRecord {
			return s.sampleOfField(args[0], key)
		}
		return s.elementSample(args[0])
	case "max", "min":
		if len(args) > 1 {
			return chooseSample(samples(args...)...)
		}
		return s.elementSample(args[0])
	case "sum":
		if len(args) == 1 {
			return s.elementSample(args[0])
		}
		return s.withName(args[1].AsIdent(), s.elementSample(args[0])).sampleOf(args[2])
	case "fold":
		start := s.sampleOf(args[3])
		inner := s.withName(args[1].AsIdent(), s.elementSample(args[0])).withName(args[2].AsIdent(), start)
		return chooseSample(start, inner.sampleOf(args[4]))
	case "get":
		return chooseSample(s.sampleOf(args[2]), s.sampleOfField(args[0], ""))
	case "sort", "sort_by", "slice", "with":
		return s.sampleOf(args[0])
	case "count", "size", "int", "ceil", "floor", "round", "div_away", "div_ceil", "div_floor", "div_half_up", "div_trunc",
		"counts", "pour", "range":
		return int64(1)
	case "double", "string":
		return s.r.sampleOfType(name)
	}
	if t := s.r.tables[name]; t != nil && len(t.rows) > 0 {
		return t.sample(len(args))
	}
	if f := s.r.functions[name]; f != nil {
		value := func(i int) any { return s.r.sampleOfType(f.params[f.order[i]]) }
		return s.scopeOfFunction(f, value).sampleOfFormula(f.expr)
	}
	return true
}

// sample returns a row of a table, or a cell where the look-up by so many keys gives one.
func (t *table) sample(keys int) any {
	if keys == 2 {
		return t.rows[0].crossed[0]
	}
	if t.gives != "" {
		return t.rows[0].cells.fields[t.gives]
	}
	return t.rows[0].cells
}

// sampleOf returns a sample of what a name of a body stands for.
func (r *run) sampleOf(name string) any {
	if f, has := r.formulas[name]; has {
		return r.newScope().sampleOfFormula(f)
	}
	for _, c := range r.b.chances {
		switch {
		case c.id != name:
		case c.use != nil && c.use.each != nil:
			return []any{r.sampleOfUse(c.use)}
		case c.use != nil:
			return r.sampleOfUse(c.use)
		case c.die.table == "":
			return int64(1)
		case c.die.count == nil:
			return r.e.r.tables[c.die.table].sample(1)
		default:
			return []any{r.e.r.tables[c.die.table].sample(1)}
		}
	}
	return r.roots[name]
}

func (r *run) sampleOfUse(u *use) *object {
	callee := r.e.r.rules[u.rule]
	inner := r.e.prepareRun(&callee.body, "", map[string]any{"character": r.roots["character"],
		"input": callee.input.sampleOf(r.e.r)}, nil, callee.input, "input")
	o := newObject()
	for _, n := range callee.outputs {
		o.setField(n.name, &thunk{compute: func() (any, error) { return inner.sampleOf(n.name), nil }})
	}
	return o
}
