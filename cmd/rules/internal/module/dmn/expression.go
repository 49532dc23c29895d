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

// translateText returns the value of the text of an element.
func (x *translator) translateText(e *element, want *typ) (value, error) {
	n, err := parseExpression(e.text, append(x.scope.sortedNames(), functions...), x.c.m.members)
	if err != nil {
		return value{}, e.placeError(err)
	}
	v, err := x.translateNode(n, want)
	return v, e.placeError(err)
}

// nodeWork is the work of an expression with an empty formula.
const nodeWork = 64

// translateNode returns the value of an expression. Want is the type for an expression that does not say its own. The work
// of a whole model is bounded here: names stand for formulas of any length, any number of times.
func (x *translator) translateNode(n *node, want *typ) (value, error) {
	if x.c.work += nodeWork; x.c.work > mostWork {
		return value{}, errorAt(n, "the formulas of the model would have more than %d bytes, written out", mostWork)
	}
	v, err := x.translateKind(n, want)
	size := len(v.cel) + len(v.known)
	x.c.work += size
	if err == nil && size > mostFormula {
		err = errorAt(n, "its formula would have %d bytes, written out, and at most %d are read", size, mostFormula)
	}
	return v, err
}

// translateKind returns the value of an expression by its kind.
func (x *translator) translateKind(n *node, want *typ) (value, error) {
	switch n.kind {
	case numberNode, stringNode, truthNode:
		literal, ok := constantNode(n)
		if !ok {
			return value{}, errorAt(n, "%s is no number", n.text)
		}
		return constantOf(&typ{kind: kindOf(literal)}, literal), nil
	case nullNode:
		return value{typ: want, cel: want.zeroFormula(), prec: atomPrec, known: "false"}, nil
	case atNode:
		k, seconds, err := momentOf(n.text)
		if err != nil {
			return value{}, errorAt(n, "%s", err)
		}
		return constantOf(&typ{kind: k}, seconds), nil
	case nameNode:
		return x.translateName(n, want)
	case memberNode:
		return x.translateMember(n)
	case negateNode:
		v, err := x.translateOfKind(n.args[0], number)
		if f, ok := v.literal.(float64); ok && err == nil {
			return constantOf(v.typ, -f), nil
		}
		return value{typ: v.typ, cel: "-" + v.asOperand(signPrec+1), prec: signPrec, known: v.known}, err
	case binaryNode:
		return x.translateBinary(n)
	case choiceNode:
		return x.translateChoice(n, want)
	case listNode:
		return x.translateList(n, want)
	case callNode:
		return x.translateCall(n, want)
	}
	return value{}, errorAt(n, "a test or an interval is no value")
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

// translateOfKind returns the value of an expression that must be of a kind.
func (x *translator) translateOfKind(n *node, k kind) (value, error) {
	v, err := x.translateNode(n, &typ{kind: k})
	if err == nil && (v.hasParts() || v.typ == nil || v.typ.kind != k) {
		err = errorAt(n, "%s is needed here", nameOfKind(k))
	}
	return v, err
}

func nameOfKind(k kind) string {
	return [...]string{"a value", "a number", "a string", "a boolean", "a date", "a time", "a date and time",
		"a duration of days and time", "a duration of years and months", "a list", "a context"}[k]
}

func (x *translator) translateName(n *node, want *typ) (value, error) {
	switch of := x.scope.lookUp(n.text).(type) {
	case value:
		return of, nil
	case *input:
		if of.typ == nil {
			of.typ = want
		}
		if of.typ == nil {
			return value{}, errorAt(n, "nothing says the type of %s", n.text)
		}
		return x.body.useInput(of), nil
	case *decision:
		return x.c.valueOfDecision(of, x.body)
	case *knowledgeModel:
		return value{}, errorAt(n, "%s is a function: a function alone is no value here", n.text)
	}
	return value{}, errorAt(n, "%s is nothing that is required here", n.text)
}

func (x *translator) translateMember(n *node) (value, error) {
	of, err := x.translateNode(n.args[0], nil)
	if err != nil {
		return value{}, err
	}
	if i := slices.IndexFunc(of.fields, func(f namedValue) bool { return f.name == n.text }); i >= 0 {
		return of.fields[i].value, nil
	}
	if !of.hasParts() && of.typ != nil && of.typ.kind == record {
		for _, m := range of.typ.members {
			if m.name == n.text {
				cel := of.asOperand(atomPrec) + "." + m.id
				return valueOfType(m.typ, cel, of.known), nil
			}
		}
	}
	return value{}, errorAt(n, "there is no member %s", n.text)
}

// valueOfType returns the value that a formula reads; an optional one is known where it is present.
func valueOfType(t *typ, cel, known string) value {
	v := value{typ: t, cel: cel, prec: atomPrec, known: known}
	if t.optional {
		v.known = andConditions(known, "has("+cel+")")
	}
	return v
}

func (x *translator) translateBinary(n *node) (value, error) {
	switch n.text {
	case "and", "or":
		a, err := x.translateTruthOperand(n.args[0])
		if err != nil {
			return a, err
		}
		b, err := x.translateTruthOperand(n.args[1])
		if err != nil {
			return b, err
		}
		if n.text == "and" {
			return andTruths(a, b), nil
		}
		return orTruths(a, b), nil
	case "in":
		v, err := x.translateNode(n.args[0], nil)
		if err != nil {
			return v, err
		}
		return x.translateTests(v, n.args[1:])
	case "=", "!=", "<", "<=", ">", ">=":
		a, b, err := x.translatePair(n.args[0], n.args[1])
		if err != nil {
			return value{}, err
		}
		return compareValues(n, a, n.text, b)
	}
	a, b, err := x.translatePair(n.args[0], n.args[1])
	if err != nil {
		return value{}, err
	}
	return applyArithmetic(n, a, b)
}

// translateTruthOperand returns an operand of "and" or "or", whose logic has three values: an input may be missing there.
func (x *translator) translateTruthOperand(n *node) (value, error) {
	if in, ok := x.scope.lookUp(n.text).(*input); ok && n.kind == nameNode {
		x.body.markOptional(in)
	}
	return x.translateOfKind(n, truth)
}

// translatePair returns two values, either of which may say the type of the other.
func (x *translator) translatePair(m, n *node) (a, b value, err error) {
	for _, of := range [][2]*node{{m, n}, {n, m}} {
		if in, ok := x.scope.lookUp(of[0].text).(*input); ok && of[0].kind == nameNode && of[1].kind == nullNode {
			if in.typ == nil {
				return a, b, errorAt(of[0], "nothing says the type of %s", in.name)
			}
			x.body.markOptional(in)
		}
	}
	var errA error
	if a, errA = x.translateNode(m, nil); errA != nil && !m.takesType() {
		return a, b, errA
	} else if errA != nil || a.typ == nil {
		if b, err = x.translateNode(n, nil); err == nil && b.typ != nil {
			a, err = x.translateNode(m, b.typ)
		} else if errA != nil {
			err = errA
		}
		return a, b, err
	}
	b, err = x.translateNode(n, a.typ)
	return a, b, err
}

// takesType reports whether an expression without a type of its own takes one from the expression beside it. A chain of
// operators does not: trying it again at each of them would double the work each time.
func (n *node) takesType() bool {
	return slices.Contains([]nodeKind{nullNode, nameNode, choiceNode, listNode, callNode}, n.kind)
}

func applyArithmetic(n *node, a, b value) (value, error) {
	if a.typ == nil || b.typ == nil { // null and null
		return value{typ: &typ{kind: number}, cel: "0.0", prec: atomPrec, known: "false"}, nil
	}
	if a.hasParts() || b.hasParts() || a.typ.kind != b.typ.kind ||
		a.typ.kind != number && (n.text != "+" || a.typ.kind != text) {
		return value{}, errorAt(n, "%s does not take %s and %s here", n.text, a.describeKind(), b.describeKind())
	}
	known := andConditions(a.known, b.known)
	out := value{typ: &typ{kind: a.typ.kind}, known: known}
	switch n.text {
	case "**":
		out.cel, out.prec = fmt.Sprintf("pow(%s, %s)", a.cel, b.cel), atomPrec
		return out, nil
	case "/":
		if b.literal == nil {
			out.known = andConditions(known, b.asOperand(relationPrec+1)+" != 0.0")
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
	out.cel = a.asOperand(out.prec) + " " + n.text + " " + b.asOperand(out.prec+1)
	return out, nil
}

func (v value) describeKind() string {
	if v.hasParts() || v.typ == nil {
		return nameOfKind(record)
	}
	return nameOfKind(v.typ.kind)
}

// compareValues returns the comparison of two values.
func compareValues(n *node, a value, op string, b value) (value, error) {
	if a.isNull() || b.isNull() {
		if op != "=" && op != "!=" {
			return newTruth("false", "false"), nil
		}
		other := b
		if b.isNull() {
			other = a
		}
		if op == "=" {
			return newTruth(negateCondition(other.known), ""), nil
		}
		return newTruth(other.known, ""), nil
	}
	ordered := op != "=" && op != "!="
	if a.hasParts() || b.hasParts() || a.typ == nil || b.typ == nil || !haveSameKind(a.typ, b.typ) ||
		ordered && !a.typ.kind.isNumeric() && a.typ.kind != text {
		return value{}, errorAt(n, "%s and %s cannot be compared by %s", a.describeKind(), b.describeKind(), op)
	}
	if isPossible, err := canBeEqual(n, a, b); err != nil || !isPossible {
		return newTruth(map[bool]string{true: "", false: "false"}[op == "!="], andConditions(a.known, b.known)), err
	}
	if a.literal != nil && b.literal != nil {
		return constantOf(&typ{kind: truth}, isComparisonTrue(a.literal, op, b.literal)), nil
	}
	if b.literal == true || b.literal == false {
		if (b.literal == true) == (op == "=") {
			return a, nil
		}
		return negateTruth(a), nil
	}
	if op == "=" {
		op = "=="
	}
	cel := a.asOperand(relationPrec+1) + " " + op + " " + b.asOperand(relationPrec+1)
	out := newTruth(cel, andConditions(a.known, b.known))
	out.opposite = oppositeOf(a, op, b)
	return out, nil
}

// oppositeOf returns the negation of a comparison.
func oppositeOf(a value, op string, b value) string {
	opposite := map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[op]
	return a.asOperand(relationPrec+1) + " " + opposite + " " + b.asOperand(relationPrec+1)
}

// canBeEqual reports whether two texts can be equal. It refuses a constant that a declared type excludes.
func canBeEqual(n *node, a, b value) (bool, error) {
	for _, of := range [][2]value{{a, b}, {b, a}} {
		t := of[0].typ
		s, isText := of[1].literal.(string)
		if !isText || t.enum == nil || slices.Contains(t.enum, s) {
			continue
		}
		if !t.isFound {
			return false, errorAt(n, "%q is none of the allowed values %s", s, strings.Join(t.enum, ", "))
		}
		return false, nil
	}
	return true, nil
}

func (x *translator) translateChoice(n *node, want *typ) (value, error) {
	condition, err := x.translateOfKind(n.args[0], truth)
	if err != nil {
		return value{}, err
	}
	a, err := x.translateNode(n.args[1], want)
	if err != nil {
		return value{}, err
	}
	b, err := x.translateNode(n.args[2], a.typ)
	if err != nil {
		return value{}, err
	}
	if a.typ == nil && b.typ != nil {
		a.typ, a.cel = b.typ, b.typ.zeroFormula()
	}
	return chooseValue(n, condition.whenTrue(), a, b)
}

// chooseValue returns the value that is a where a condition holds, and b where it does not.
func chooseValue(n *node, condition string, a, b value) (value, error) {
	if condition == "" {
		return a, nil
	}
	if condition == "false" {
		return b, nil
	}
	if a.hasParts() || b.hasParts() || a.typ == nil || b.typ == nil || !haveSameKind(a.typ, b.typ) || a.typ.kind == record {
		return value{}, errorAt(n, "%s and %s are no results of one choice", a.describeKind(), b.describeKind())
	}
	if a.literal == true && b.literal == false && a.known == "" && b.known == "" {
		return newTruth(condition, ""), nil
	}
	c := value{cel: condition, prec: precOf(condition)}.asOperand(orPrec)
	out := value{typ: &typ{kind: a.typ.kind, elem: a.typ.elem, enum: possibleTexts(a, b), isFound: true}, prec: choicePrec}
	out.cel = c + " ? " + a.asOperand(orPrec) + " : " + b.cel
	if a.isNull() {
		out.cel, out.prec = b.cel, b.prec
	} else if b.isNull() {
		out.cel, out.prec = a.cel, a.prec
	}
	switch {
	case a.known == b.known:
		out.known = a.known
	case a.isNull():
		out.known = andConditions(negateCondition(condition), b.known)
	case b.isNull():
		out.known = andConditions(condition, a.known)
	default:
		out.known = c + " ? " + formatArm(a.known) + " : " + formatArm(b.known)
	}
	return out, nil
}

// formatArm returns a condition as an arm of a choice.
func formatArm(condition string) string {
	if condition == "" {
		return "true"
	}
	return value{cel: condition, prec: precOf(condition)}.asOperand(orPrec)
}

// possibleTexts returns the texts that a or b can be; nil when any.
func possibleTexts(a, b value) []string {
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

func (x *translator) translateList(n *node, want *typ) (value, error) {
	var of *typ
	if want != nil && want.kind == list {
		of = want.elem
	}
	parts := make([]string, len(n.args))
	out := value{typ: &typ{kind: list, elem: of}, prec: atomPrec}
	for i, arg := range n.args {
		v, err := x.translateNode(arg, of)
		if err != nil {
			return value{}, err
		}
		if v.hasParts() || v.typ == nil || v.known != "" || of != nil && !haveSameKind(of, v.typ) {
			return value{}, errorAt(arg, "the elements of a list are of one type, and none of them null")
		}
		of = &typ{kind: v.typ.kind, elem: v.typ.elem, members: v.typ.members}
		out.typ.elem = of
		parts[i] = v.cel
	}
	if of == nil {
		return value{}, errorAt(n, "nothing says the type of the elements of this list")
	}
	out.cel = "[" + strings.Join(parts, ", ") + "]"
	return out, nil
}

// translateTests returns the truth that one of the tests of a cell holds for a value.
func (x *translator) translateTests(v value, tests []*node) (value, error) {
	texts, err := textsOf(v, tests)
	if err != nil {
		return value{}, err
	}
	if len(texts) > 1 {
		return newTruth(v.asOperand(relationPrec+1)+" in ["+strings.Join(texts, ", ")+"]", v.known), nil
	}
	list := make([]value, len(tests))
	size := 0
	for i, n := range tests {
		var err error
		if list[i], err = x.translateTest(v, n); err != nil {
			return value{}, err
		}
		if size += len(list[i].cel) + len(list[i].known); size > mostFormula {
			return value{}, errorAt(n, "the formula of these tests would have more than %d bytes", mostFormula)
		}
	}
	return orTruths(list...), nil
}

// textsOf returns the strings that all of some tests of a text are, as far as it can be one of them; nil when others are
// among the tests.
func textsOf(v value, tests []*node) ([]string, error) {
	if v.hasParts() || v.typ == nil || v.typ.kind != text {
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

func (x *translator) translateTest(v value, n *node) (value, error) {
	switch n.kind {
	case anyNode:
		return newTruth("", ""), nil
	case notNode:
		t, err := x.translateTests(v, n.args)
		if err != nil {
			return t, err
		}
		return negateTruth(t), nil
	case testNode:
		b, err := x.translateNode(n.args[0], v.typ)
		if err != nil {
			return b, err
		}
		return compareValues(n, v, n.text, b)
	case intervalNode:
		low, err := x.translateNode(n.args[0], v.typ)
		if err != nil {
			return low, err
		}
		high, err := x.translateNode(n.args[1], v.typ)
		if err != nil {
			return high, err
		}
		from, err := compareValues(n, v, map[byte]string{'[': ">=", '(': ">"}[n.text[0]], low)
		if err != nil {
			return from, err
		}
		to, err := compareValues(n, v, map[byte]string{']': "<=", ')': "<"}[n.text[1]], high)
		if err != nil {
			return to, err
		}
		return andTruths(from, to), nil
	}
	b, err := x.translateNode(n, v.typ)
	if err != nil {
		return b, err
	}
	if b.typ != nil && b.typ.kind == list && v.typ != nil && v.typ.kind != list && !b.hasParts() {
		if !haveSameKind(b.typ.elem, v.typ) {
			return value{}, errorAt(n, "the list has %s, and not %s", nameOfKind(b.typ.elem.kind), v.describeKind())
		}
		in := v.asOperand(relationPrec+1) + " in " + b.asOperand(relationPrec+1)
		return newTruth(in, andConditions(v.known, b.known)), nil
	}
	return compareValues(n, v, "=", b)
}
