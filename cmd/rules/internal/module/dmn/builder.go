package dmn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// resultID is the output of a decision without parts.
const resultID = "result"

// Limits of what is translated: the text of one expression, one formula, and how deep decisions and functions are written
// out in one another.
const (
	mostText    = 16 << 10
	mostFormula = 64 << 10
	mostNesting = 64
	mostLogic   = 10_000 // pieces of logic, each counted as often as it is written out
	mostList    = 100    // elements of a list that is given
)

// A builder makes rules, functions and tables of a model.
type builder struct {
	m         *model
	functions []*function
	tables    []*rowTable
	notes     []string
	depth     int
	logics    int    // pieces of logic that have been translated
	even      string // the name of the function that rounds a half to even, once it is needed
}

// A function of the ruleset.
type function struct {
	id, cite, doc string
	params        []param
	expr          string
	place         plan.Place
}

// A rowTable is the constant outputs of the rules of a decision table.
type rowTable struct {
	element  *element
	id, cite string
	columns  []string
	rows     []tableRow
}

type tableRow struct {
	key   string
	doc   string
	cells []string // in CUE
	place plan.Place
}

// A rule is what a decision becomes.
type rule struct {
	body    *body
	outputs []output
	known   string // of all outputs
	place   plan.Place
}

// An output of a rule, and what others read it as.
type output struct {
	id   string
	path []string // the names in the model; empty of a result without parts
	v    value
}

// A body is where formulas stand: that of a rule, or of a function, which has only its parameters.
type body struct {
	isFunction bool
	inputs     []*input
	uses       []use
	lets       []let
	ids        *namer
	inlined    map[*decision]value
	// optional are the inputs that may be missing because an expression asks for null, or stands in logic of three values.
	optional map[*input]bool
	restart  bool // one of them was found after it may have been read
}

type use struct {
	of *decision
	id string
}

type let struct{ id, cel string }

func newBody(optional map[*input]bool) *body {
	return &body{ids: newNamer(resultID), inlined: map[*decision]value{}, optional: optional}
}

// letBeMissing lets an input be missing in the whole of a body.
func (b *body) letBeMissing(in *input) {
	if !b.optional[in] {
		b.optional[in], b.restart = true, true
	}
}

func (b *body) isOptional(in *input) bool { return b.optional[in] || in.typ.optional }

// input returns an input of the rule.
func (b *body) input(in *input) value {
	if !slices.Contains(b.inputs, in) {
		b.inputs = append(b.inputs, in)
	}
	t := *in.typ
	t.optional = b.isOptional(in)
	return ofType(&t, "input."+in.id, "")
}

// let gives a formula a name, where it is longer than one.
func (b *body) let(name string, cel string) string {
	if b.isFunction || len(cel) < 24 {
		return cel
	}
	if i := slices.IndexFunc(b.lets, func(l let) bool { return l.cel == cel }); i >= 0 {
		return b.lets[i].id
	}
	id := b.ids.unique(name)
	b.lets = append(b.lets, let{id, cel})
	return id
}

// note adds what a model leaves open, once.
func (c *builder) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.notes, text) {
		c.notes = append(c.notes, text)
	}
}

// compile makes the rule of a decision. What it requires is compiled first.
func (c *builder) compile(d *decision) error {
	if d.state == done {
		return d.refused
	}
	if d.state == open {
		return problemAt(d.element, "the decision requires itself")
	}
	if c.depth++; c.depth > mostNesting {
		return problemAt(d.element, "more than %d decisions require one another in a row", mostNesting)
	}
	defer func() { c.depth-- }()
	d.state = open
	b, v, err := c.decide(d)
	if err == nil && !v.isParts() && v.typ == nil {
		err = problemAt(d.logic, "the decision is always null, and nothing says its type")
	}
	if d.state, d.refused = done, err; err != nil {
		return err
	}
	d.rule = &rule{body: b, place: d.element.place}
	c.addOutputs(d.rule, nil, v)
	d.rule.finish()
	return nil
}

// decide translates the logic of a decision, again when an input turns out to be one that may be missing.
func (c *builder) decide(d *decision) (*body, value, error) {
	optional := map[*input]bool{}
	for {
		b := newBody(optional)
		v, err := c.logic(d.logic, d.scope, b, d.typ, d.name)
		if err != nil || !b.restart {
			return b, v, err
		}
	}
}

// finish gives the condition of all outputs a name, and forgets inputs that nothing reads.
func (r *rule) finish() {
	b := r.body
	if !strings.Contains(r.known, "has(") && len(r.outputs) == 1 && r.outputs[0].v.known == r.known {
		r.known = b.let("known", r.known)
		r.outputs[0].v.known = r.known
	}
	texts := []string{r.known}
	for _, l := range b.lets {
		texts = append(texts, l.cel)
	}
	for _, o := range r.outputs {
		texts = append(texts, o.v.cel)
	}
	formulas := strings.Join(texts, "\n")
	b.inputs = slices.DeleteFunc(b.inputs, func(in *input) bool {
		return !readsName(formulas, "input."+in.id) && !slices.ContainsFunc(b.uses, func(u use) bool {
			return slices.Contains(u.of.rule.body.inputs, in)
		})
	})
}

// readsName reports whether a name stands in formulas, and not as the beginning of a longer one.
func readsName(formulas, name string) bool {
	for {
		_, after, ok := strings.Cut(formulas, name)
		if !ok {
			return false
		}
		if after == "" || !isNamePart(rune(after[0])) {
			return true
		}
		formulas = after
	}
}

// addOutputs adds what a decision gives as outputs: the result, or each of its parts, also those of parts.
func (c *builder) addOutputs(r *rule, path []string, v value) {
	if !v.isParts() {
		id := resultID
		if len(path) > 0 {
			id = r.body.ids.unique(strings.Join(path, " "))
		}
		r.outputs = append(r.outputs, output{id, path, v})
		r.known = both(r.known, v.known)
		return
	}
	for _, f := range v.fields {
		c.addOutputs(r, append(slices.Clone(path), f.name), f.value)
	}
}

// decided returns what a decision gives to another: the outputs of a use of its rule, where it always has one; else its
// logic is written out, for a use would refuse the whole where DMN goes on with null.
func (c *builder) decided(d *decision, b *body) (value, error) {
	if err := c.compile(d); err != nil {
		return value{}, err
	}
	if v, ok := b.inlined[d]; ok {
		return v, nil
	}
	optional := slices.ContainsFunc(d.rule.body.inputs, d.rule.body.isOptional)
	if d.rule.known != "" || optional || b.isFunction {
		if c.depth++; c.depth > mostNesting {
			return value{}, problemAt(d.element, "more than %d decisions stand in one another", mostNesting)
		}
		defer func() { c.depth-- }()
		v, err := c.logic(d.logic, d.scope, b, d.typ, d.name)
		b.inlined[d] = v
		return v, err
	}
	i := slices.IndexFunc(b.uses, func(u use) bool { return u.of == d })
	if i < 0 {
		i = len(b.uses)
		b.uses = append(b.uses, use{d, b.ids.unique(d.name)})
		for _, in := range d.rule.body.inputs {
			b.input(in)
		}
	}
	return valueOfUse(b.uses[i].id, d.rule.outputs, 0), nil
}

// valueOfUse returns the outputs of a used rule, put together by their paths.
func valueOfUse(id string, outputs []output, depth int) value {
	if len(outputs) == 1 && len(outputs[0].path) == depth {
		v := outputs[0].v
		return value{typ: withoutConstraint(v), cel: id + "." + outputs[0].id, prec: atomPrec}
	}
	var fields []namedValue
	for len(outputs) > 0 {
		name, end := outputs[0].path[depth], 1
		for end < len(outputs) && outputs[end].path[depth] == name {
			end++
		}
		fields = append(fields, namedValue{name: name, value: valueOfUse(id, outputs[:end], depth+1)})
		outputs = outputs[end:]
	}
	return value{fields: fields}
}

// withoutConstraint returns the type of a value that has been computed: a constant is the only text that it can be.
func withoutConstraint(v value) *typ {
	t := *v.typ
	t.optional = false
	if s, ok := v.literal.(string); ok {
		t.enum, t.isFound = []string{s}, true
	}
	return &t
}

// logic returns what the logic of a decision, a knowledge model or an entry of a context gives.
func (c *builder) logic(e *element, s *scope, b *body, want *typ, called string) (value, error) {
	if c.logics++; c.logics > mostLogic {
		return value{}, problemAt(e, "decisions and functions would be written out in one another more than %d times", mostLogic)
	}
	x := &translator{c: c, scope: s, body: b}
	if own, err := c.m.typeNamed(e.attrs["typeRef"], s.prefix, e); err != nil {
		return value{}, err
	} else if own != nil && want == nil {
		want = own
	}
	switch e.name {
	case "literalExpression":
		if language := e.attrs["expressionLanguage"]; language != "" && !strings.Contains(strings.ToUpper(language), "FEEL") {
			return value{}, problemAt(e, "expressions of %s are not carried out", language)
		}
		at := e.child("text")
		if at == nil {
			return value{}, problemAt(e, "an expression without text")
		}
		return x.expression(at, want)
	case "decisionTable":
		return x.decisionTable(e, want, called)
	case "context":
		return c.context(e, s, b, want, called)
	case "invocation":
		return x.invocation(e)
	}
	return value{}, problemAt(e, "<%s> has no counterpart here", e.name)
}

// context returns the last entry of a context, when it has no name; else all of them, as parts.
func (c *builder) context(e *element, s *scope, b *body, want *typ, called string) (value, error) {
	inner := s.inner()
	out := value{fields: []namedValue{}}
	for _, entry := range e.all("contextEntry") {
		logic := logicOf(entry)
		if logic == nil {
			return value{}, problemAt(entry, "an entry without logic")
		}
		v := entry.child("variable")
		if v == nil {
			return c.logic(logic, inner, b, want, called)
		}
		name := v.attrs["name"]
		t, err := c.m.typeNamed(v.attrs["typeRef"], s.prefix, v)
		if err != nil {
			return value{}, err
		}
		of, err := c.logic(logic, inner, b, t, name)
		if err != nil {
			return value{}, err
		}
		if of.known == "" && !of.isParts() && of.literal == nil {
			if cel := b.let(name, of.cel); cel != of.cel {
				of.cel, of.prec = cel, atomPrec
			}
		}
		inner.values[name] = of
		out.fields = append(out.fields, namedValue{name: name, value: of})
	}
	if len(out.fields) == 0 {
		return value{}, problemAt(e, "a context without entries")
	}
	return out, nil
}

// invocation returns what a knowledge model gives for the bindings of an invocation.
func (x *translator) invocation(e *element) (value, error) {
	of := e.child("literalExpression")
	if of == nil {
		return value{}, problemAt(e, "an invocation of nothing")
	}
	k, ok := x.scope.find(of.childText("text")).(*knowledge)
	if !ok {
		return value{}, problemAt(of, "%s is no knowledge model that is required here", of.childText("text"))
	}
	args := make([]value, len(k.params))
	given := map[string]bool{}
	for _, binding := range e.all("binding") {
		name := binding.child("parameter")
		logic := logicOf(binding)
		if name == nil || logic == nil {
			return value{}, problemAt(binding, "a binding without parameter or logic")
		}
		i := slices.IndexFunc(k.params, func(p param) bool { return p.name == name.attrs["name"] })
		if i < 0 || given[name.attrs["name"]] {
			return value{}, problemAt(name, "%s has no parameter %q, or it is bound twice", k.name, name.attrs["name"])
		}
		given[name.attrs["name"]] = true
		v, err := x.c.logic(logic, x.scope, x.body, k.params[i].typ, name.attrs["name"])
		if err != nil {
			return v, err
		}
		args[i] = v
	}
	for i, p := range k.params {
		if !given[p.name] {
			args[i] = value{typ: p.typ, cel: p.typ.zero(), prec: atomPrec, known: "false"}
		}
	}
	return x.c.invoke(k, args, x.body)
}

// invoke returns what a knowledge model gives: a call of its function, or its logic written out where an argument may be
// null or is no value of its own, where a text may be another than its parameter allows, or where it gives a context.
func (c *builder) invoke(k *knowledge, args []value, b *body) (value, error) {
	k.isInvoked = true
	inline := slices.ContainsFunc(args, func(v value) bool { return v.isParts() || v.known != "" })
	if !inline {
		for i, p := range k.params {
			if p.typ != nil && !p.typ.allows(args[i]) {
				inline = true
			}
			if p.typ != nil && !args[i].isParts() && args[i].typ != nil && !sameKind(p.typ, args[i].typ) {
				return value{}, problemAt(k.element, "parameter %q is %s, and is given %s", p.name,
					nameOfKind(p.typ.kind), args[i].describe())
			}
		}
		if err := c.define(k); err != nil {
			return value{}, err
		}
		inline = inline || k.inline
	}
	if inline {
		if c.depth++; c.depth > mostNesting {
			return value{}, problemAt(k.element, "functions call one another more than %d deep", mostNesting)
		}
		defer func() { c.depth-- }()
		s := k.scope.inner()
		for i, p := range k.params {
			s.values[p.name] = args[i]
		}
		return c.logic(k.logic, s, b, nil, k.name)
	}
	texts := make([]string, len(args))
	for i, v := range args {
		texts[i] = v.cel
	}
	list := "(" + strings.Join(texts, ", ") + ")"
	out := value{typ: k.cel.typ, cel: k.id + list, prec: atomPrec}
	if k.cel.known != "" {
		out.known = k.id + "_known" + list
	}
	return out, nil
}

// allows reports whether a value is one of the texts that a type allows, if it allows some alone.
func (t *typ) allows(v value) bool {
	if t.enum == nil || v.isParts() || v.typ == nil {
		return true
	}
	of := v.typ.enum
	if s, ok := v.literal.(string); ok {
		of = []string{s}
	}
	return of != nil && !slices.ContainsFunc(of, func(s string) bool { return !slices.Contains(t.enum, s) })
}

// define makes the function of a knowledge model.
func (c *builder) define(k *knowledge) error {
	switch k.state {
	case done:
		return nil
	case open:
		return problemAt(k.element, "the function calls itself")
	}
	if c.depth++; c.depth > mostNesting {
		return problemAt(k.element, "functions call one another more than %d deep", mostNesting)
	}
	defer func() { c.depth-- }()
	k.state = open
	defer func() { k.state = done }()
	s := k.scope.inner()
	for _, p := range k.params {
		if !p.typ.isPlain() {
			k.inline = true
			return nil
		}
		s.values[p.name] = ofType(p.typ, p.id, "")
	}
	b := newBody(map[*input]bool{})
	b.isFunction = true
	v, err := c.logic(k.logic, s, b, nil, k.name)
	if err != nil {
		return err
	}
	k.cel = v
	if v.isParts() || v.typ == nil || v.typ.kind == record || len(b.inputs) > 0 || v.isNull() {
		k.inline = true
		return nil
	}
	k.cel.typ = withoutConstraint(v)
	f := &function{id: k.id, cite: k.element.cite(), doc: k.element.doc(), params: k.params, expr: v.cel, place: k.logic.place}
	c.functions = append(c.functions, f)
	if v.known != "" {
		known := *f
		known.id, known.expr = k.id+"_known", v.known
		known.doc = "Whether " + k.name + " has a value: DMN has null where it has none."
		c.functions = append(c.functions, &known)
	}
	return nil
}

// roundEven returns the name of the function that rounds a half to the even neighbour.
func (c *builder) roundEven() string {
	if c.even == "" {
		c.even = c.m.ids.unique("round_even")
		c.functions = append(c.functions, &function{
			id: c.even, cite: "DMN, decimal", doc: "The nearest whole number, a half to the even one.",
			params: []param{{"x", "x", &typ{kind: number}}},
			expr:   "x - double(floor(x)) == 0.5 ? 2.0 * double(round(x / 2.0)) : double(floor(x + 0.5))",
		})
	}
	return c.even
}

// cite returns where a definition stands in its file.
func (e *element) cite() string { return e.called() }

// doc returns the description of an element on one line.
func (e *element) doc() string { return strings.Join(strings.Fields(e.childText("description")), " ") }
