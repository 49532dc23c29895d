package dmn

import (
	"fmt"
	"slices"
	"strings"
)

// A translator makes formulas of the expressions of one body, in one scope.
type translator struct {
	c     *builder
	scope *scope
	body  *body
}

// functions are those of FEEL that have a counterpart, with the kinds of their parameters; of a list any.
var functions = []string{"not", "floor", "ceiling", "abs", "decimal", "string", "max", "min", "sum", "count", "flatten",
	"concatenate", "list contains", "date", "time", "date and time", "duration"}

// expression returns the value of the text of an element.
func (x *translator) expression(e *element, want *typ) (value, error) {
	if len(e.text) > mostText {
		return value{}, problemAt(e, "the expression has %d bytes, and at most %d are read", len(e.text), mostText)
	}
	n, err := parseExpression(e.text, append(x.scope.names(), functions...), x.c.m.members)
	if err != nil {
		return value{}, e.wrong(err)
	}
	v, err := x.value(n, want)
	if err == nil && len(v.cel)+len(v.known) > mostFormula {
		err = problemAt(e, "its formula would have %d bytes, written out", len(v.cel)+len(v.known))
	}
	return v, e.wrong(err)
}

// value returns an expression as a formula. Want is the type that is asked for where the expression does not say its own.
func (x *translator) value(n *node, want *typ) (value, error) {
	switch n.kind {
	case numberNode, stringNode, truthNode:
		literal, ok := constantNode(n)
		if !ok {
			return value{}, wrongAt(n, "%s is no number", n.text)
		}
		return constantOf(&typ{kind: kindOf(literal)}, literal), nil
	case nullNode:
		return value{typ: want, cel: want.zero(), prec: atomPrec, known: "false"}, nil
	case atNode:
		k, seconds, err := momentOf(n.text)
		if err != nil {
			return value{}, wrongAt(n, "%s", err)
		}
		return constantOf(&typ{kind: k}, seconds), nil
	case nameNode:
		return x.named(n, want)
	case memberNode:
		return x.member(n)
	case negateNode:
		v, err := x.ofKind(n.args[0], number)
		if f, ok := v.literal.(float64); ok && err == nil {
			return constantOf(v.typ, -f), nil
		}
		return value{typ: v.typ, cel: "-" + v.within(signPrec+1), prec: signPrec, known: v.known}, err
	case binaryNode:
		return x.binary(n)
	case choiceNode:
		return x.choice(n, want)
	case listNode:
		return x.list(n, want)
	case callNode:
		return x.call(n, want)
	}
	return value{}, wrongAt(n, "a test or an interval is no value")
}

func kindOf(literal any) kind {
	switch literal.(type) {
	case string:
		return text
	case bool:
		return truth
	}
	return number
}

// ofKind returns the value of an expression that must be of a kind.
func (x *translator) ofKind(n *node, k kind) (value, error) {
	v, err := x.value(n, &typ{kind: k})
	if err == nil && (v.isParts() || v.typ == nil || v.typ.kind != k) {
		err = wrongAt(n, "%s is needed here", nameOfKind(k))
	}
	return v, err
}

func nameOfKind(k kind) string {
	return [...]string{"a value", "a number", "a string", "a boolean", "a date", "a time", "a date and time",
		"a duration of days and time", "a duration of years and months", "a list", "a context"}[k]
}

func (x *translator) named(n *node, want *typ) (value, error) {
	switch of := x.scope.find(n.text).(type) {
	case value:
		return of, nil
	case *input:
		if of.typ == nil {
			of.typ = want
		}
		if of.typ == nil {
			return value{}, wrongAt(n, "nothing says the type of %s", n.text)
		}
		return x.body.input(of), nil
	case *decision:
		return x.c.decided(of, x.body)
	case *knowledge:
		return value{}, wrongAt(n, "%s is a function: a function alone is no value here", n.text)
	}
	return value{}, wrongAt(n, "%s is nothing that is required here", n.text)
}

func (x *translator) member(n *node) (value, error) {
	of, err := x.value(n.args[0], nil)
	if err != nil {
		return value{}, err
	}
	if i := slices.IndexFunc(of.fields, func(f namedValue) bool { return f.name == n.text }); i >= 0 {
		return of.fields[i].value, nil
	}
	if !of.isParts() && of.typ != nil && of.typ.kind == record {
		for _, m := range of.typ.members {
			if m.name == n.text {
				cel := of.within(atomPrec) + "." + m.id
				return ofType(m.typ, cel, of.known), nil
			}
		}
	}
	return value{}, wrongAt(n, "there is no member %s", n.text)
}

// ofType returns a value that is read somewhere; one that may be missing is known where it is there.
func ofType(t *typ, cel, known string) value {
	v := value{typ: t, cel: cel, prec: atomPrec, known: known}
	if t.optional {
		v.known = both(known, "has("+cel+")")
	}
	return v
}

func (x *translator) binary(n *node) (value, error) {
	switch n.text {
	case "and", "or":
		a, err := x.operand(n.args[0])
		if err != nil {
			return a, err
		}
		b, err := x.operand(n.args[1])
		if err != nil {
			return b, err
		}
		if n.text == "and" {
			return all(a, b), nil
		}
		return some(a, b), nil
	case "in":
		v, err := x.value(n.args[0], nil)
		if err != nil {
			return v, err
		}
		return x.tests(v, n.args[1:])
	case "=", "!=", "<", "<=", ">", ">=":
		a, b, err := x.pair(n.args[0], n.args[1])
		if err != nil {
			return value{}, err
		}
		return compare(n, a, n.text, b)
	}
	a, b, err := x.pair(n.args[0], n.args[1])
	if err != nil {
		return value{}, err
	}
	return arithmetic(n, a, b)
}

// operand returns a truth that stands in logic of three values: an input may be missing there.
func (x *translator) operand(n *node) (value, error) {
	if in, ok := x.scope.find(n.text).(*input); ok && n.kind == nameNode {
		x.body.letBeMissing(in)
	}
	return x.ofKind(n, truth)
}

// pair returns two values, either of which may say the type of the other.
func (x *translator) pair(m, n *node) (a, b value, err error) {
	for _, of := range [][2]*node{{m, n}, {n, m}} {
		if in, ok := x.scope.find(of[0].text).(*input); ok && of[0].kind == nameNode && of[1].kind == nullNode {
			if in.typ == nil {
				return a, b, wrongAt(of[0], "nothing says the type of %s", in.name)
			}
			x.body.letBeMissing(in)
		}
	}
	var errA error
	if a, errA = x.value(m, nil); errA != nil || a.typ == nil {
		if b, err = x.value(n, nil); err == nil && b.typ != nil {
			a, err = x.value(m, b.typ)
		} else if errA != nil {
			err = errA
		}
		return a, b, err
	}
	b, err = x.value(n, a.typ)
	return a, b, err
}

func arithmetic(n *node, a, b value) (value, error) {
	if a.typ == nil || b.typ == nil { // null and null
		return value{typ: &typ{kind: number}, cel: "0.0", prec: atomPrec, known: "false"}, nil
	}
	if a.isParts() || b.isParts() || a.typ.kind != b.typ.kind ||
		a.typ.kind != number && (n.text != "+" || a.typ.kind != text) {
		return value{}, wrongAt(n, "%s does not take %s and %s here", n.text, a.describe(), b.describe())
	}
	known := both(a.known, b.known)
	out := value{typ: &typ{kind: a.typ.kind}, known: known}
	switch n.text {
	case "**":
		out.cel, out.prec = fmt.Sprintf("pow(%s, %s)", a.cel, b.cel), atomPrec
		return out, nil
	case "/":
		if b.literal == nil {
			out.known = both(known, b.within(relationPrec+1)+" != 0.0")
		} else if b.literal == 0.0 {
			out.known = "false"
			out.cel, out.prec = "0.0", atomPrec
			return out, nil
		}
	}
	out.prec = productPrec
	if n.text == "+" || n.text == "-" {
		out.prec = sumPrec
	}
	out.cel = a.within(out.prec) + " " + n.text + " " + b.within(out.prec+1)
	return out, nil
}

func (v value) describe() string {
	if v.isParts() || v.typ == nil {
		return nameOfKind(record)
	}
	return nameOfKind(v.typ.kind)
}

// compare returns the comparison of two values.
func compare(n *node, a value, op string, b value) (value, error) {
	if a.isNull() || b.isNull() {
		if op != "=" && op != "!=" {
			return truthKnown("false", "false"), nil
		}
		other := b
		if b.isNull() {
			other = a
		}
		if op == "=" {
			return truthKnown(negated(other.known), ""), nil
		}
		return truthKnown(other.known, ""), nil
	}
	ordered := op != "=" && op != "!="
	if a.isParts() || b.isParts() || a.typ == nil || b.typ == nil || !sameKind(a.typ, b.typ) ||
		ordered && !a.typ.kind.isNumeric() && a.typ.kind != text {
		return value{}, wrongAt(n, "%s and %s cannot be compared by %s", a.describe(), b.describe(), op)
	}
	if isPossible, err := canBeEqual(n, a, b); err != nil || !isPossible {
		return truthKnown(map[bool]string{true: "", false: "false"}[op == "!="], both(a.known, b.known)), err
	}
	if a.literal != nil && b.literal != nil {
		return constantOf(&typ{kind: truth}, holdsBetween(a.literal, op, b.literal)), nil
	}
	if b.literal == true || b.literal == false {
		if (b.literal == true) == (op == "=") {
			return a, nil
		}
		return not(a), nil
	}
	if op == "=" {
		op = "=="
	}
	cel := a.within(relationPrec+1) + " " + op + " " + b.within(relationPrec+1)
	out := truthKnown(cel, both(a.known, b.known))
	out.opposite = oppositeOf(a, op, b)
	return out, nil
}

// oppositeOf returns the comparison that holds where one does not.
func oppositeOf(a value, op string, b value) string {
	opposite := map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[op]
	return a.within(relationPrec+1) + " " + opposite + " " + b.within(relationPrec+1)
}

// canBeEqual reports whether a text can be what another is compared with. It refuses one that a declared type excludes.
func canBeEqual(n *node, a, b value) (bool, error) {
	for _, of := range [][2]value{{a, b}, {b, a}} {
		t := of[0].typ
		s, isText := of[1].literal.(string)
		if !isText || t.enum == nil || slices.Contains(t.enum, s) {
			continue
		}
		if !t.isFound {
			return false, wrongAt(n, "%q is none of the allowed values %s", s, strings.Join(t.enum, ", "))
		}
		return false, nil
	}
	return true, nil
}

func (x *translator) choice(n *node, want *typ) (value, error) {
	condition, err := x.ofKind(n.args[0], truth)
	if err != nil {
		return value{}, err
	}
	a, err := x.value(n.args[1], want)
	if err != nil {
		return value{}, err
	}
	b, err := x.value(n.args[2], a.typ)
	if err != nil {
		return value{}, err
	}
	if a.typ == nil && b.typ != nil {
		a.typ, a.cel = b.typ, b.typ.zero()
	}
	return join(n, condition.holds(), a, b)
}

// join returns one value where a condition holds, and another where it does not.
func join(n *node, condition string, a, b value) (value, error) {
	if condition == "" {
		return a, nil
	}
	if condition == "false" {
		return b, nil
	}
	if a.isParts() || b.isParts() || a.typ == nil || b.typ == nil || !sameKind(a.typ, b.typ) || a.typ.kind == record {
		return value{}, wrongAt(n, "%s and %s are no results of one choice", a.describe(), b.describe())
	}
	if a.literal == true && b.literal == false && a.known == "" && b.known == "" {
		return truthKnown(condition, ""), nil
	}
	c := value{cel: condition, prec: precOf(condition)}.within(orPrec)
	out := value{typ: &typ{kind: a.typ.kind, elem: a.typ.elem, enum: union(a, b), isFound: true}, prec: choicePrec}
	out.cel = c + " ? " + a.within(orPrec) + " : " + b.cel
	if a.isNull() {
		out.cel, out.prec = b.cel, b.prec
	} else if b.isNull() {
		out.cel, out.prec = a.cel, a.prec
	}
	switch {
	case a.known == b.known:
		out.known = a.known
	case a.isNull():
		out.known = both(negated(condition), b.known)
	case b.isNull():
		out.known = both(condition, a.known)
	default:
		out.known = c + " ? " + inArm(a.known) + " : " + inArm(b.known)
	}
	return out, nil
}

// inArm returns a condition as an arm of a choice.
func inArm(condition string) string {
	if condition == "" {
		return "true"
	}
	return value{cel: condition, prec: precOf(condition)}.within(orPrec)
}

// union returns the texts that one of two values can be; nil when any.
func union(a, b value) []string {
	var out []string
	for _, v := range []value{a, b} {
		switch s, isText := v.literal.(string); {
		case isText:
			out = append(out, s)
		case v.typ.enum != nil:
			out = append(out, v.typ.enum...)
		default:
			return nil
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (x *translator) list(n *node, want *typ) (value, error) {
	var of *typ
	if want != nil && want.kind == list {
		of = want.elem
	}
	parts := make([]string, len(n.args))
	out := value{typ: &typ{kind: list, elem: of}, prec: atomPrec}
	for i, arg := range n.args {
		v, err := x.value(arg, of)
		if err != nil {
			return value{}, err
		}
		if v.isParts() || v.typ == nil || v.known != "" || of != nil && !sameKind(of, v.typ) {
			return value{}, wrongAt(arg, "the elements of a list are of one type, and none of them null")
		}
		of = &typ{kind: v.typ.kind, elem: v.typ.elem, members: v.typ.members}
		out.typ.elem = of
		parts[i] = v.cel
	}
	if of == nil {
		return value{}, wrongAt(n, "nothing says the type of the elements of this list")
	}
	out.cel = "[" + strings.Join(parts, ", ") + "]"
	return out, nil
}

// tests returns whether one of the tests of a cell holds for a value.
func (x *translator) tests(v value, tests []*node) (value, error) {
	texts, err := textsOf(v, tests)
	if err != nil {
		return value{}, err
	}
	if len(texts) > 1 {
		return truthKnown(v.within(relationPrec+1)+" in ["+strings.Join(texts, ", ")+"]", v.known), nil
	}
	list := make([]value, len(tests))
	for i, n := range tests {
		var err error
		if list[i], err = x.test(v, n); err != nil {
			return value{}, err
		}
	}
	return some(list...), nil
}

// textsOf returns the strings that all of some tests of a text are, as far as it can be one of them; nil when others are
// among the tests.
func textsOf(v value, tests []*node) ([]string, error) {
	if v.isParts() || v.typ == nil || v.typ.kind != text {
		return nil, nil
	}
	var out []string
	for _, n := range tests {
		if n.kind != stringNode {
			return nil, nil
		}
		isPossible, err := canBeEqual(n, v, constantOf(&typ{kind: text}, n.text))
		if err != nil {
			return nil, err
		}
		if isPossible {
			out = append(out, quoteFormula(n.text))
		}
	}
	return out, nil
}

func (x *translator) test(v value, n *node) (value, error) {
	switch n.kind {
	case anyNode:
		return truthKnown("", ""), nil
	case notNode:
		t, err := x.tests(v, n.args)
		if err != nil {
			return t, err
		}
		return not(t), nil
	case testNode:
		b, err := x.value(n.args[0], v.typ)
		if err != nil {
			return b, err
		}
		return compare(n, v, n.text, b)
	case intervalNode:
		low, err := x.value(n.args[0], v.typ)
		if err != nil {
			return low, err
		}
		high, err := x.value(n.args[1], v.typ)
		if err != nil {
			return high, err
		}
		from, err := compare(n, v, map[byte]string{'[': ">=", '(': ">"}[n.text[0]], low)
		if err != nil {
			return from, err
		}
		to, err := compare(n, v, map[byte]string{']': "<=", ')': "<"}[n.text[1]], high)
		if err != nil {
			return to, err
		}
		return all(from, to), nil
	}
	b, err := x.value(n, v.typ)
	if err != nil {
		return b, err
	}
	if b.typ != nil && b.typ.kind == list && v.typ != nil && v.typ.kind != list && !b.isParts() {
		if !sameKind(b.typ.elem, v.typ) {
			return value{}, wrongAt(n, "the list has %s, and not %s", nameOfKind(b.typ.elem.kind), v.describe())
		}
		in := v.within(relationPrec+1) + " in " + b.within(relationPrec+1)
		return truthKnown(in, both(v.known, b.known)), nil
	}
	return compare(n, v, "=", b)
}
