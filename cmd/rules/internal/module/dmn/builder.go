package dmn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// resultID is the output of a decision without parts.
const resultID = "result"

// Limits of what is translated: the text of one expression or cell, one formula or the conditions of one decision table,
// and how deep decisions and functions are written out in one another.
const (
	mostText    = 16 << 10
	mostFormula = 64 << 10
	mostLetters = 8_192 // of a formula that is written, as the language has it
	mostNesting = 64
	mostLogic   = 10_000   // pieces of logic, each counted as often as it is written out
	mostList    = 100      // elements of a list that is given
	mostWork    = 64 << 20 // bytes of all formulas, each counted again in the longer ones that it is part of
)

// A builder makes rules, functions and tables of a model.
type builder struct {
	m         *model
	functions []*function
	tables    []*rowTable
	notes     []string
	depth     int
	logics    int    // pieces of logic that have been translated
	work      int    // bytes of the formulas of all expressions within expressions, and nodeWork for each
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

// A rule is the translation of a decision.
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

// markOptional lets an input be missing in the whole body, which is translated again if it was not optional before.
func (b *body) markOptional(in *input) {
	if !b.optional[in] {
		b.optional[in], b.restart = true, true
	}
}

func (b *body) isOptional(in *input) bool { return b.optional[in] || in.typ.optional }

// useInput returns the value of an input, which it adds to those of the rule.
func (b *body) useInput(in *input) value {
	if !slices.Contains(b.inputs, in) {
		b.inputs = append(b.inputs, in)
	}
	t := *in.typ
	t.optional = b.isOptional(in)
	return valueOfType(&t, "input."+in.id, "")
}

// nameFormula declares a let for a long formula of a rule and returns its name. Any other formula it returns as it is.
func (b *body) nameFormula(name string, cel string) string {
	if b.isFunction || len(cel) < 24 {
		return cel
	}
	if i := slices.IndexFunc(b.lets, func(l let) bool { return l.cel == cel }); i >= 0 {
		return b.lets[i].id
	}
	id := b.ids.uniqueName(name)
	b.lets = append(b.lets, let{id, cel})
	return id
}

// addNote adds a note about a gap in the model, once.
func (c *builder) addNote(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.notes, text) {
		c.notes = append(c.notes, text)
	}
}

// compileDecision makes the rule of a decision. What it requires is compiled first.
func (c *builder) compileDecision(d *decision) error {
	if d.state == done {
		return d.err
	}
	if d.state == open {
		return problemAt(d.element, "the decision requires itself")
	}
	if c.depth++; c.depth > mostNesting {
		return problemAt(d.element, "more than %d decisions require one another in a row", mostNesting)
	}
	defer func() { c.depth-- }()
	d.state = open
	b, v, err := c.translateDecision(d)
	if err == nil && !v.hasParts() && v.typ == nil {
		err = problemAt(d.logic, "the decision is always null, and nothing says its type")
	}
	if d.state, d.err = done, err; err != nil {
		return err
	}
	d.rule = &rule{body: b, place: d.element.place}
	c.addOutputs(d.rule, nil, v)
	d.rule.finish()
	return nil
}

// translateDecision returns the body and the value of a decision. It starts again when an input turns out to be optional.
func (c *builder) translateDecision(d *decision) (*body, value, error) {
	optional := map[*input]bool{}
	for {
		b := newBody(optional)
		v, err := c.translateLogic(d.logic, d.scope, b, d.typ, d.name)
		if err != nil || !b.restart {
			return b, v, err
		}
	}
}

// finish gives the condition of all outputs a name, and forgets inputs that nothing reads.
func (r *rule) finish() {
	b := r.body
	if !strings.Contains(r.known, "has(") && len(r.outputs) == 1 && r.outputs[0].v.known == r.known {
		r.known = b.nameFormula("known", r.known)
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

// addOutputs adds the value of a decision to the outputs of its rule: the result, or each of its parts, at any depth.
func (c *builder) addOutputs(r *rule, path []string, v value) {
	if !v.hasParts() {
		id := resultID
		if len(path) > 0 {
			id = r.body.ids.uniqueName(strings.Join(path, " "))
		}
		r.outputs = append(r.outputs, output{id, path, v})
		r.known = andConditions(r.known, v.known)
		return
	}
	for _, f := range v.fields {
		c.addOutputs(r, append(slices.Clone(path), f.name), f.value)
	}
}

// valueOfDecision returns the value of a decision that another requires: the outputs of a use of its rule, if it is never
// null. Else its logic is written out, for a use would refuse the whole where DMN goes on with null.
func (c *builder) valueOfDecision(d *decision, b *body) (value, error) {
	if err := c.compileDecision(d); err != nil {
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
		v, err := c.translateLogic(d.logic, d.scope, b, d.typ, d.name)
		b.inlined[d] = v
		return v, err
	}
	i := slices.IndexFunc(b.uses, func(u use) bool { return u.of == d })
	if i < 0 {
		i = len(b.uses)
		b.uses = append(b.uses, use{d, b.ids.uniqueName(d.name)})
		for _, in := range d.rule.body.inputs {
			b.useInput(in)
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

// translateLogic returns the value of the logic of a decision, a knowledge model or an entry of a context.
func (c *builder) translateLogic(e *element, s *scope, b *body, want *typ, called string) (value, error) {
	if c.logics++; c.logics > mostLogic {
		return value{}, problemAt(e, "decisions and functions would be written out in one another more than %d times",
			mostLogic)
	}
	x := &translator{c: c, scope: s, body: b}
	if own, err := c.m.typeNamed(e.attrs["typeRef"], s.prefix, e); err != nil {
		return value{}, err
	} else if own != nil && want == nil {
		want = own
	}
	switch e.name {
	case "literalExpression":
		language := e.attrs["expressionLanguage"]
		if language != "" && !strings.Contains(strings.ToUpper(language), "FEEL") {
			return value{}, problemAt(e, "expressions of %s are not carried out", language)
		}
		at := e.childNamed("text")
		if at == nil {
			return value{}, problemAt(e, "an expression without text")
		}
		return x.translateText(at, want)
	case "decisionTable":
		return x.translateDecisionTable(e, want, called)
	case "context":
		return c.translateContext(e, s, b, want, called)
	case "invocation":
		return x.translateInvocation(e)
	}
	return value{}, problemAt(e, "<%s> has no counterpart here", e.name)
}

// translateContext returns the last entry of a context, when it has no name; else all of them, as parts.
func (c *builder) translateContext(e *element, s *scope, b *body, want *typ, called string) (value, error) {
	inner := s.innerScope()
	out := value{fields: []namedValue{}}
	for _, entry := range e.childrenNamed("contextEntry") {
		logic := logicOf(entry)
		if logic == nil {
			return value{}, problemAt(entry, "an entry without logic")
		}
		v := entry.childNamed("variable")
		if v == nil {
			return c.translateLogic(logic, inner, b, want, called)
		}
		name := v.attrs["name"]
		t, err := c.m.typeNamed(v.attrs["typeRef"], s.prefix, v)
		if err != nil {
			return value{}, err
		}
		of, err := c.translateLogic(logic, inner, b, t, name)
		if err != nil {
			return value{}, err
		}
		if of.known == "" && !of.hasParts() && of.literal == nil {
			if cel := b.nameFormula(name, of.cel); cel != of.cel {
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

// translateInvocation returns the value of a knowledge model for the bindings of an invocation.
func (x *translator) translateInvocation(e *element) (value, error) {
	of := e.childNamed("literalExpression")
	if of == nil {
		return value{}, problemAt(e, "an invocation of nothing")
	}
	k, ok := x.scope.lookUp(of.childText("text")).(*knowledgeModel)
	if !ok {
		return value{}, problemAt(of, "%s is no knowledge model that is required here", of.childText("text"))
	}
	args := make([]value, len(k.params))
	given := map[string]bool{}
	for _, binding := range e.childrenNamed("binding") {
		name := binding.childNamed("parameter")
		logic := logicOf(binding)
		if name == nil || logic == nil {
			return value{}, problemAt(binding, "a binding without parameter or logic")
		}
		i := slices.IndexFunc(k.params, func(p param) bool { return p.name == name.attrs["name"] })
		if i < 0 || given[name.attrs["name"]] {
			return value{}, problemAt(name, "%s has no parameter %q, or it is bound twice", k.name, name.attrs["name"])
		}
		given[name.attrs["name"]] = true
		v, err := x.c.translateLogic(logic, x.scope, x.body, k.params[i].typ, name.attrs["name"])
		if err != nil {
			return v, err
		}
		args[i] = v
	}
	for i, p := range k.params {
		if !given[p.name] {
			args[i] = value{typ: p.typ, cel: p.typ.zeroFormula(), prec: atomPrec, known: "false"}
		}
	}
	return x.c.invokeKnowledge(k, args, x.body)
}

// invokeKnowledge returns the value of a knowledge model: a call of its function, or its logic written out. It is written
// out where an argument may be null or has parts, where a text may be one that its parameter excludes, or where the result
// is a context.
func (c *builder) invokeKnowledge(k *knowledgeModel, args []value, b *body) (value, error) {
	k.isInvoked = true
	inline := slices.ContainsFunc(args, func(v value) bool { return v.hasParts() || v.known != "" })
	if !inline {
		for i, p := range k.params {
			if p.typ != nil && !p.typ.allowsValue(args[i]) {
				inline = true
			}
			if p.typ != nil && !args[i].hasParts() && args[i].typ != nil && !haveSameKind(p.typ, args[i].typ) {
				return value{}, problemAt(k.element, "parameter %q is %s, and is given %s", p.name,
					nameOfKind(p.typ.kind), args[i].describeKind())
			}
		}
		if err := c.defineFunction(k); err != nil {
			return value{}, err
		}
		inline = inline || k.inline
	}
	if inline {
		if c.depth++; c.depth > mostNesting {
			return value{}, problemAt(k.element, "functions call one another more than %d deep", mostNesting)
		}
		defer func() { c.depth-- }()
		s := k.scope.innerScope()
		for i, p := range k.params {
			s.values[p.name] = args[i]
		}
		return c.translateLogic(k.logic, s, b, nil, k.name)
	}
	texts := make([]string, len(args))
	for i, v := range args {
		texts[i] = v.cel
	}
	list := "(" + strings.Join(texts, ", ") + ")"
	out := value{typ: k.result.typ, cel: k.id + list, prec: atomPrec}
	if k.result.known != "" {
		out.known = k.knownID + list
	}
	return out, nil
}

// allowsValue reports whether every text that a value can be is one that the type allows.
func (t *typ) allowsValue(v value) bool {
	if t.enum == nil || v.hasParts() || v.typ == nil {
		return true
	}
	of := v.typ.enum
	if s, ok := v.literal.(string); ok {
		of = []string{s}
	}
	return of != nil && !slices.ContainsFunc(of, func(s string) bool { return !slices.Contains(t.enum, s) })
}

// defineFunction makes the function of a knowledge model.
func (c *builder) defineFunction(k *knowledgeModel) error {
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
	s := k.scope.innerScope()
	for _, p := range k.params {
		if !p.typ.isPlain() {
			k.inline = true
			return nil
		}
		s.values[p.name] = valueOfType(p.typ, p.id, "")
	}
	b := newBody(map[*input]bool{})
	b.isFunction = true
	v, err := c.translateLogic(k.logic, s, b, nil, k.name)
	if err != nil {
		return err
	}
	k.result = v
	if v.hasParts() || v.typ == nil || v.typ.kind == record || len(b.inputs) > 0 || v.isNull() {
		k.inline = true
		return nil
	}
	k.result.typ = withoutConstraint(v)
	f := &function{id: k.id, cite: k.element.cite(), doc: k.element.doc(), params: k.params, expr: v.cel,
		place: k.logic.place}
	c.functions = append(c.functions, f)
	if v.known != "" {
		k.knownID = c.m.ids.uniqueName(k.id + "_known")
		known := *f
		known.id, known.expr = k.knownID, v.known
		known.doc = "Whether " + k.name + " has a value: DMN has null where it has none."
		c.functions = append(c.functions, &known)
	}
	return nil
}

// roundEven returns the name of the function that rounds a half to the even neighbour.
func (c *builder) roundEven() string {
	if c.even == "" {
		c.even = c.m.ids.uniqueName("round_even")
		c.functions = append(c.functions, &function{
			id: c.even, cite: "DMN, decimal", doc: "The nearest whole number, a half to the even one.",
			params: []param{{"x", "x", &typ{kind: number}}},
			expr:   "x - double(floor(x)) == 0.5 ? 2.0 * double(round(x / 2.0)) : double(floor(x + 0.5))",
		})
	}
	return c.even
}

// cite returns where a definition stands in its file.
func (e *element) cite() string { return e.displayName() }

// doc returns the description of an element on one line.
func (e *element) doc() string { return strings.Join(strings.Fields(e.childText("description")), " ") }
