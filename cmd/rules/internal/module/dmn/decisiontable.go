package dmn

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plural"
)

// A decisionTable is one whose cells have been read.
type decisionTable struct {
	element *element
	policy  string // the letter of the hit policy, with that of the aggregation
	name    string
	inputs  []column
	outputs []outputColumn
	rules   []tableRule
	size    int // bytes of the conditions, and of the outputs that are no constants
}

type column struct {
	name  string
	value value
}

type outputColumn struct {
	name     string
	typ      *typ
	priority []string // the texts of the output values, the first before the others
	fallback *value   // the default
}

type tableRule struct {
	element *element
	number  int
	when    string // the condition; "" always holds
	cells   [][]*node
	outputs []value
}

// policyOf returns the letter of the hit policy of a table, for collect with its aggregation: "U", "C sum".
func policyOf(e *element) (string, error) {
	name := strings.ToUpper(e.attrs["hitPolicy"])
	switch name {
	case "", "UNIQUE":
		return "U", nil
	case "ANY", "FIRST", "PRIORITY", "RULE ORDER", "OUTPUT ORDER":
		return name[:1], nil
	case "COLLECT":
		switch aggregation := strings.ToUpper(e.attrs["aggregation"]); aggregation {
		case "":
			return "C", nil
		case "SUM", "MIN", "MAX", "COUNT":
			return "C " + strings.ToLower(aggregation), nil
		default:
			return "", problemAt(e, "there is no aggregation %q", aggregation)
		}
	}
	return "", problemAt(e, "there is no hit policy %q", name)
}

// translateDecisionTable returns the value of a decision table.
func (x *translator) translateDecisionTable(e *element, want *typ, called string) (value, error) {
	t := &decisionTable{element: e, name: called}
	var err error
	if t.policy, err = policyOf(e); err != nil {
		return value{}, err
	}
	if err := x.readInputs(t); err != nil {
		return value{}, err
	}
	if err := x.readOutputs(t, want); err != nil {
		return value{}, err
	}
	for i, r := range e.childrenNamed("rule") {
		if err := x.readRule(t, i+1, r); err != nil {
			return value{}, err
		}
	}
	if len(t.rules) == 0 {
		return value{}, problemAt(e, "a decision table without rules")
	}
	if t.policy == "P" || t.policy == "O" {
		if err := t.sortByPriority(); err != nil {
			return value{}, err
		}
	}
	if strings.HasPrefix(t.policy, "C") || t.policy == "R" || t.policy == "O" {
		return x.translateAllHits(t)
	}
	return x.translateSingleHit(t)
}

func (x *translator) readInputs(t *decisionTable) error {
	for _, e := range t.element.childrenNamed("input") {
		expression := e.childNamed("inputExpression")
		if expression == nil || expression.childNamed("text") == nil {
			return problemAt(e, "an input without expression")
		}
		of, err := x.c.m.typeNamed(expression.attrs["typeRef"], x.scope.prefix, expression)
		if err != nil {
			return err
		}
		name := strings.TrimSpace(expression.childText("text"))
		if values := e.childNamed("inputValues"); values != nil {
			x.restrictInput(name, of, values)
		}
		v, err := x.translateText(expression.childNamed("text"), of)
		if err != nil {
			return err
		}
		if v.hasParts() || v.typ == nil {
			return problemAt(expression, "%s is a context, and no value that cells can be compared with", name)
		}
		if v.known == "" && v.prec < atomPrec && !x.body.isFunction {
			v.cel, v.prec = x.body.nameFormula(name, v.cel), atomPrec
		}
		t.inputs = append(t.inputs, column{name, v})
	}
	return nil
}

// restrictInput gives input data that stand alone in a column of strings the values of the column, unless its own type
// says them.
func (x *translator) restrictInput(name string, of *typ, values *element) {
	in, ok := x.scope.lookUp(name).(*input)
	if !ok {
		return
	}
	if in.typ == nil {
		in.typ = of
	}
	if in.typ == nil || in.typ.kind != text || in.typ.enum != nil {
		return
	}
	if t, err := in.typ.restrictTo(values); err == nil {
		in.typ = t
	}
}

func (x *translator) readOutputs(t *decisionTable, want *typ) error {
	columns := t.element.childrenNamed("output")
	multiple := strings.HasPrefix(t.policy, "C") && len(t.policy) == 1 || t.policy == "R" || t.policy == "O"
	if want != nil && multiple && want.kind == list {
		want = want.elem
	}
	for _, e := range columns {
		o := outputColumn{name: e.attrs["name"]}
		var err error
		if o.typ, err = x.c.m.typeNamed(e.attrs["typeRef"], x.scope.prefix, e); err != nil {
			return err
		}
		if o.typ == nil && want != nil {
			o.typ = want
			if len(columns) > 1 || want.kind == record {
				i := slices.IndexFunc(want.members, func(m member) bool { return m.name == o.name })
				if o.typ = nil; i >= 0 {
					o.typ = want.members[i].typ
				}
			}
		}
		if values := e.childNamed("outputValues"); values != nil {
			of, err := (&typ{kind: text}).restrictTo(values)
			if err == nil {
				o.priority = of.enum
			}
		}
		if o.priority == nil && o.typ != nil {
			o.priority = o.typ.enum
		}
		if other := e.childNamed("defaultOutputEntry"); other != nil && other.childNamed("text") != nil {
			v, err := x.translateText(other.childNamed("text"), o.typ)
			if err != nil {
				return err
			}
			o.fallback = &v
		}
		t.outputs = append(t.outputs, o)
	}
	if len(t.outputs) == 0 {
		return problemAt(t.element, "a decision table without output")
	}
	return nil
}

func (x *translator) readRule(t *decisionTable, number int, e *element) error {
	r := tableRule{element: e, number: number}
	entries := e.childrenNamed("inputEntry")
	if len(entries) != len(t.inputs) || len(e.childrenNamed("outputEntry")) != len(t.outputs) {
		return problemAt(e, "rule %d has %s and %s, and the table %d and %d", number,
			plural.Of(len(entries), "input"), plural.Of(len(e.childrenNamed("outputEntry")), "output"), len(t.inputs), len(t.outputs))
	}
	var conditions []string
	for i, entry := range entries {
		at := entry.childNamed("text")
		if at == nil {
			at = entry
		}
		tests, err := parseTests(at.text, append(x.scope.sortedNames(), functions...), x.c.m.members)
		if err != nil {
			return at.placeError(err)
		}
		v, err := x.translateTests(t.inputs[i].value, tests)
		if err != nil {
			return at.placeError(err)
		}
		r.cells = append(r.cells, tests)
		when := v.whenTrue()
		if err := t.addSize(e, len(when)); err != nil {
			return err
		}
		conditions = append(conditions, when)
	}
	r.when = andConditions(conditions...)
	for i, entry := range e.childrenNamed("outputEntry") {
		at := entry.childNamed("text")
		if at == nil {
			return problemAt(entry, "an output without text")
		}
		v, err := x.translateText(at, t.outputs[i].typ)
		if err != nil {
			return err
		}
		if t.outputs[i].typ == nil && !v.hasParts() {
			t.outputs[i].typ = v.typ
		}
		priority := t.outputs[i].priority
		if s, isText := v.literal.(string); isText && priority != nil && !slices.Contains(priority, s) {
			return problemAt(entry, "rule %d: %q is none of the output values %s", number, s, strings.Join(priority, ", "))
		}
		if v.literal == nil {
			if err := t.addSize(e, len(v.cel)+len(v.known)); err != nil {
				return err
			}
		}
		r.outputs = append(r.outputs, v)
	}
	t.rules = append(t.rules, r)
	return nil
}

// addSize counts bytes of the formula of a table, and refuses too many at the rule that has them.
func (t *decisionTable) addSize(rule *element, bytes int) error {
	if t.size += bytes; t.size > mostFormula {
		return problemAt(rule, "the conditions and computed outputs of the decision table have %d bytes up to here, "+
			"and at most %d are written in one formula: divide the table", t.size, mostFormula)
	}
	return nil
}

// sortByPriority puts the rules in the order of their outputs, as the output values have them, the first column first.
func (t *decisionTable) sortByPriority() error {
	if !slices.ContainsFunc(t.outputs, func(o outputColumn) bool { return o.priority != nil }) {
		return problemAt(t.element, "hit policy %s needs the order of the output values", t.policy)
	}
	for _, r := range t.rules {
		for i, o := range t.outputs {
			if _, isText := r.outputs[i].literal.(string); o.priority != nil && !isText {
				return problemAt(r.element, "the output of rule %d has no place in the order of the output values",
					r.number)
			}
		}
	}
	slices.SortStableFunc(t.rules, func(a, b tableRule) int {
		for i, o := range t.outputs {
			if o.priority == nil {
				continue
			}
			if d := o.rankOf(a.outputs[i]) - o.rankOf(b.outputs[i]); d != 0 {
				return d
			}
		}
		return 0
	})
	return nil
}

func (o outputColumn) rankOf(v value) int { return slices.Index(o.priority, v.literal.(string)) }

// hasConstantOutputs reports whether all outputs are constants.
func (t *decisionTable) hasConstantOutputs() bool {
	return !slices.ContainsFunc(t.rules, func(r tableRule) bool { return !areConstants(r.outputs) })
}

func areConstants(list []value) bool {
	return !slices.ContainsFunc(list, func(v value) bool { return v.literal == nil })
}

// hasFallback reports whether every output has a default.
func (t *decisionTable) hasFallback() bool {
	return !slices.ContainsFunc(t.outputs, func(o outputColumn) bool { return o.fallback == nil })
}

// translateSingleHit returns the outputs of the one rule that counts.
func (x *translator) translateSingleHit(t *decisionTable) (value, error) {
	coverage, err := t.findCoverage()
	if err != nil {
		return value{}, err
	}
	known := ""
	if (t.policy == "U" || t.policy == "A") && !coverage.isUnique {
		if known = x.uniqueHitCondition(t); known == "" {
			return value{}, problemAt(t.element, "more rules than one can match, and nothing tells their outputs apart")
		}
	}
	rules := t.rules
	for i, r := range rules {
		if r.when == "" && t.policy != "U" && t.policy != "A" { // those behind it never count
			rules, coverage.isComplete = rules[:i+1], true
			break
		}
	}
	if coverage.gap != "" && !t.hasFallback() {
		x.c.addNote("%s: no rule of its decision table matches %s", t.name, coverage.gap)
	}
	if t.hasConstantOutputs() && (!t.hasFallback() || areConstants(fallbackValues(t))) {
		return x.selectRow(t, rules, known, coverage.isComplete)
	}
	return x.chainChoices(t, rules, known, coverage.isComplete)
}

// uniqueHitCondition returns the condition under which the matching rules agree: for U it is a single rule, for A all of
// them have the same outputs.
func (x *translator) uniqueHitCondition(t *decisionTable) string {
	var groups []string
	var of [][]value
	isSame := func(a, b value) bool { return !a.hasParts() && !b.hasParts() && a.cel == b.cel }
	for _, r := range t.rules {
		i := -1
		if t.policy == "A" {
			i = slices.IndexFunc(of, func(o []value) bool { return slices.EqualFunc(o, r.outputs, isSame) })
		}
		when := r.when
		if when == "" {
			when = "true"
		}
		if i < 0 {
			groups, of = append(groups, when), append(of, r.outputs)
			continue
		}
		groups[i] += " || " + when
	}
	matching := x.body.nameFormula("matching", "["+strings.Join(groups, ", ")+"]")
	limit := "== 1"
	if t.hasFallback() {
		limit = "<= 1"
	}
	return matching + ".filter(m, m).size() " + limit
}

// selectRow returns the row of the rule that counts, from the table of the constant outputs.
func (x *translator) selectRow(t *decisionTable, rules []tableRule, known string, complete bool) (value, error) {
	table, err := x.c.addTable(t, rules, !complete && t.hasFallback())
	if err != nil {
		return value{}, err
	}
	last := "none"
	switch {
	case complete:
		last = strconv.Itoa(rules[len(rules)-1].number)
		rules = rules[:len(rules)-1]
	case t.hasFallback():
		last = "default"
	case x.body.isFunction:
		var all []string
		for _, r := range rules {
			all = append(all, r.when)
		}
		known = andConditions(known, orConditions(all...))
		last = strconv.Itoa(rules[len(rules)-1].number)
		rules = rules[:len(rules)-1]
	}
	var key strings.Builder
	for _, r := range rules {
		when := r.when
		if when == "" {
			when = "true"
		}
		fmt.Fprintf(&key, "%s ? '%d' : ", value{cel: when, prec: precOf(when)}.asOperand(orPrec), r.number)
	}
	hit := key.String() + "'" + last + "'"
	if !x.body.isFunction {
		hit = x.body.nameFormula("hit", hit)
	}
	if last == "none" {
		known = andConditions(known, hit+" != 'none'")
	}
	return t.assembleOutputs(func(i int) value {
		cel := table.id + "(" + hit + ")"
		if len(t.outputs) > 1 {
			cel += "." + table.columns[i]
		}
		return value{typ: t.outputType(i), cel: cel, prec: atomPrec, known: known}
	}), nil
}

func fallbackValues(t *decisionTable) []value {
	out := make([]value, len(t.outputs))
	for i, o := range t.outputs {
		out[i] = *o.fallback
	}
	return out
}

// assembleOutputs returns the value of a table: that of its one output, or a part for each of several.
func (t *decisionTable) assembleOutputs(of func(i int) value) value {
	if len(t.outputs) == 1 {
		return of(0)
	}
	out := value{fields: []namedValue{}}
	for i, o := range t.outputs {
		out.fields = append(out.fields, namedValue{name: o.name, value: of(i)})
	}
	return out
}

// outputType returns the type of an output: of texts those that stand in the rules.
func (t *decisionTable) outputType(i int) *typ {
	first := t.rules[0].outputs[i]
	out := &typ{kind: first.typ.kind}
	if out.kind != text {
		return out
	}
	all := []value{}
	for _, r := range t.rules {
		all = append(all, r.outputs[i])
	}
	if t.hasFallback() {
		all = append(all, *t.outputs[i].fallback)
	}
	out.enum, out.isFound = []string{}, true
	for _, v := range all {
		s, ok := v.literal.(string)
		if !ok {
			out.enum = nil
			return out
		}
		out.enum = append(out.enum, s)
	}
	slices.Sort(out.enum)
	out.enum = slices.Compact(out.enum)
	return out
}

// chainChoices returns the outputs of the rule that counts, as a chain of choices.
func (x *translator) chainChoices(t *decisionTable, rules []tableRule, known string, complete bool) (value, error) {
	var err error
	out := t.assembleOutputs(func(i int) value {
		var v value
		switch {
		case t.hasFallback():
			v = *t.outputs[i].fallback
		case complete:
			v = rules[len(rules)-1].outputs[i]
		default:
			v = value{typ: t.outputs[i].typ, cel: t.outputs[i].typ.zeroFormula(), prec: atomPrec, known: "false"}
		}
		at := len(rules)
		if complete && !t.hasFallback() {
			at--
		}
		for at--; at >= 0 && err == nil; at-- {
			v, err = chooseValue(&node{}, rules[at].when, rules[at].outputs[i], v)
		}
		v.known = andConditions(v.known, known)
		return v
	})
	if err != nil {
		return value{}, problemAt(t.element, "%s", err)
	}
	return out, nil
}

// translateAllHits returns the outputs of all matching rules: a list, or its aggregate.
func (x *translator) translateAllHits(t *decisionTable) (value, error) {
	if t.policy == "C count" {
		return x.countHits(t), nil
	}
	var table *rowTable
	if len(t.outputs) > 1 {
		if len(t.policy) > 1 {
			return value{}, problemAt(t.element, "the aggregation of several outputs has no counterpart here")
		}
		if !t.hasConstantOutputs() || t.hasFallback() && !areConstants(fallbackValues(t)) {
			return value{}, problemAt(t.element, "hit policy %s with several outputs needs constants", t.policy)
		}
		var err error
		if table, err = x.c.addTable(t, t.rules, t.hasFallback()); err != nil {
			return value{}, err
		}
	}
	var parts, always, all []string
	for _, r := range t.rules {
		v := r.outputs[0]
		if table != nil {
			v = constantOf(&typ{kind: text}, strconv.Itoa(r.number))
		}
		if v.hasParts() || v.known != "" || v.typ == nil || v.typ.kind == list ||
			v.typ.kind != t.rules[0].outputs[0].typ.kind && table == nil {
			return value{}, problemAt(r.element, "the output of rule %d is no value that a list can have", r.number)
		}
		all = append(all, r.when)
		if r.when == "" {
			always = append(always, v.cel)
			parts = append(parts, "["+v.cel+"]")
			continue
		}
		parts = append(parts, "("+value{cel: r.when, prec: precOf(r.when)}.asOperand(orPrec)+" ? ["+v.cel+"] : [])")
	}
	if table != nil && t.hasFallback() {
		parts = append(parts, "("+value{cel: orConditions(all...)}.asOperand(orPrec)+" ? [] : ['default'])")
		all = append(all, "")
	}
	hits := strings.Join(parts, " + ")
	if len(always) == len(parts) {
		hits = "[" + strings.Join(always, ", ") + "]"
	}
	hits = x.body.nameFormula("hits", hits)
	known := orConditions(all...)
	if known != "" {
		known = value{cel: hits, prec: precOfSum(hits)}.asOperand(atomPrec) + ".size() > 0"
	}
	out := value{typ: &typ{kind: list, elem: &typ{kind: t.rules[0].outputs[0].typ.kind}}, cel: hits, prec: precOfSum(hits)}
	if coverage, err := t.findCoverage(); err != nil {
		return value{}, err
	} else if coverage.isComplete {
		known = ""
	}
	if table != nil {
		out.typ.elem = t.rowType(table)
		out.cel, out.prec = out.asOperand(atomPrec)+".map(r, "+table.id+"(r))", atomPrec
	}
	if len(t.policy) > 1 {
		out = aggregateList(strings.TrimPrefix(t.policy, "C "), out, true)
		if out.typ.kind != t.rules[0].outputs[0].typ.kind {
			return value{}, problemAt(t.element, "the aggregation takes numbers")
		}
	}
	out.known = known
	if known != "" && t.hasFallback() && table == nil {
		return x.applyFallback(t, out)
	}
	return out, nil
}

func precOfSum(cel string) int {
	if hasTopLevelOperator(cel, " + ") {
		return sumPrec
	}
	return atomPrec
}

// applyFallback returns a value that is the default where no rule matches.
func (x *translator) applyFallback(t *decisionTable, v value) (value, error) {
	other := *t.outputs[0].fallback
	if v.typ.kind == list && !other.hasParts() && other.typ != nil && other.typ.kind != list {
		other = value{typ: v.typ, cel: "[" + other.cel + "]", prec: atomPrec, known: other.known}
	}
	matched := v.known
	v.known = ""
	out, err := chooseValue(&node{}, matched, v, other)
	if err != nil {
		return value{}, problemAt(t.element, "the default: %s", err)
	}
	return out, nil
}

// countHits returns the number of matching rules.
func (x *translator) countHits(t *decisionTable) value {
	parts := make([]string, len(t.rules))
	for i, r := range t.rules {
		parts[i] = r.when
		if r.when == "" {
			parts[i] = "true"
		}
	}
	matching := x.body.nameFormula("matching", "["+strings.Join(parts, ", ")+"]")
	return value{typ: &typ{kind: number}, cel: "double(" + matching + ".filter(m, m).size())", prec: atomPrec}
}

// rowType returns the type of a row of a table.
func (t *decisionTable) rowType(of *rowTable) *typ {
	out := &typ{kind: record}
	for i, o := range t.outputs {
		out.members = append(out.members, member{o.name, of.columns[i], t.outputType(i)})
	}
	return out
}

// addTable adds the outputs of the rules as a table of the ruleset, by the numbers of the rules, and the defaults behind
// them. Logic that is written out several times has its table once.
func (c *builder) addTable(t *decisionTable, rules []tableRule, withDefault bool) (*rowTable, error) {
	out := &rowTable{element: t.element, cite: "decision table of " + t.name}
	ids := newNamer()
	for _, o := range t.outputs {
		name := o.name
		if len(t.outputs) == 1 {
			name = resultID
		}
		out.columns = append(out.columns, ids.uniqueName(name))
	}
	for i := range t.outputs {
		for _, r := range rules {
			if v := r.outputs[i]; v.typ.kind != rules[0].outputs[i].typ.kind {
				return nil, problemAt(r.element, "the output of rule %d is %s, and that of the others %s", r.number,
					v.describeKind(), rules[0].outputs[i].describeKind())
			}
		}
	}
	numbered := slices.Clone(rules)
	slices.SortFunc(numbered, func(a, b tableRule) int { return a.number - b.number })
	for _, r := range numbered {
		out.addRow(strconv.Itoa(r.number), r.element, r.outputs)
	}
	if withDefault {
		out.addRow("default", t.element, fallbackValues(t))
	}
	if i := slices.IndexFunc(c.tables, out.isSame); i >= 0 {
		return c.tables[i], nil
	}
	out.id = c.m.ids.uniqueName(t.name + " rows")
	c.tables = append(c.tables, out)
	return out, nil
}

func (o *rowTable) isSame(other *rowTable) bool {
	hasKey := func(a, b tableRow) bool { return a.key == b.key }
	return o.element == other.element && slices.EqualFunc(o.rows, other.rows, hasKey)
}

func (o *rowTable) addRow(key string, e *element, outputs []value) {
	row := tableRow{key: key, place: e.place, doc: e.doc()}
	for _, v := range outputs {
		cell := v.cel
		if s, ok := v.literal.(string); ok {
			cell = quoteString(s)
		}
		row.cells = append(row.cells, cell)
	}
	o.rows = append(o.rows, row)
}
