package dmn

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plural"
)

// translateCall returns the value of a call: of a function of FEEL, or of a knowledge model.
func (x *translator) translateCall(n *node, want *typ) (value, error) {
	if k, ok := x.scope.lookUp(n.text).(*knowledgeModel); ok {
		return x.callKnowledge(n, k)
	}
	if len(n.argNames) > 0 || !slices.Contains(functions, n.text) {
		return value{}, errorAt(n, "function %s has no counterpart here", n.text)
	}
	if err := x.countArguments(n); err != nil {
		return value{}, err
	}
	switch n.text {
	case "not":
		v, err := x.translateTruthOperand(n.args[0])
		if err != nil {
			return v, err
		}
		return negateTruth(v), nil
	case "floor", "ceiling", "abs":
		v, err := x.translateOfKind(n.args[0], number)
		cel := map[string]string{"floor": "double(floor(%s))", "ceiling": "double(ceil(%s))", "abs": "abs(%s)"}[n.text]
		return value{typ: v.typ, cel: fmt.Sprintf(cel, v.cel), prec: atomPrec, known: v.known}, err
	case "decimal":
		return x.translateDecimal(n)
	case "string":
		v, err := x.translateNode(n.args[0], nil)
		if err == nil && (v.hasParts() || v.typ == nil || v.typ.kind != number && v.typ.kind != text) {
			err = errorAt(n, "string takes a number or a string here")
		}
		if err != nil || v.typ.kind == text {
			return v, err
		}
		return value{typ: &typ{kind: text}, cel: "string(" + v.cel + ")", prec: atomPrec, known: v.known}, nil
	case "max", "min", "sum", "count":
		return x.translateAggregate(n)
	case "flatten", "concatenate":
		return x.translateConcatenation(n, want)
	case "list contains":
		of, err := x.translateOfKind(n.args[0], list)
		if err != nil {
			return of, err
		}
		v, err := x.translateNode(n.args[1], of.typ.elem)
		if err == nil && (v.hasParts() || v.typ == nil || !haveSameKind(v.typ, of.typ.elem)) {
			err = errorAt(n, "the list has no %s", v.describeKind())
		}
		if err != nil {
			return v, err
		}
		contains := v.asOperand(relationPrec+1) + " in " + of.asOperand(relationPrec+1)
		return newTruth(contains, andConditions(of.known, v.known)), nil
	}
	if n.args[0].kind != stringNode {
		return value{}, errorAt(n, "%s takes a date or time that is written out", n.text)
	}
	return x.translateNode(&node{kind: atNode, text: n.args[0].text, offset: n.offset}, nil)
}

// countArguments refuses a call with too few or too many arguments.
func (x *translator) countArguments(n *node) error {
	least, most := 1, 1
	switch n.text {
	case "decimal", "list contains":
		least, most = 2, 2
	case "max", "min", "sum", "count", "concatenate":
		most = math.MaxInt
	}
	if len(n.args) < least || len(n.args) > most {
		return errorAt(n, "%s with %s has no counterpart here", n.text, plural.Of(len(n.args), "argument"))
	}
	return nil
}

// translateDecimal returns a number rounded to a constant count of digits, a half to the even neighbour, as DMN does.
func (x *translator) translateDecimal(n *node) (value, error) {
	v, err := x.translateOfKind(n.args[0], number)
	if err != nil {
		return v, err
	}
	digits, ok := constantNode(n.args[1])
	places, isNumber := digits.(float64)
	if !ok || !isNumber || places != math.Trunc(places) || math.Abs(places) > 15 {
		return value{}, errorAt(n.args[1], "the digits of decimal are a whole number from -15 to 15 that is written out")
	}
	name := x.c.roundEven()
	out := value{typ: v.typ, cel: fmt.Sprintf("%s(%s)", name, v.cel), prec: atomPrec, known: v.known}
	if places != 0 {
		scale := formatNumber(math.Pow(10, math.Abs(places)))
		first, then := "*", "/"
		if places < 0 {
			first, then = then, first
		}
		out.cel = fmt.Sprintf("%s(%s %s %s) %s %s", name, v.asOperand(productPrec), first, scale, then, scale)
		out.prec = productPrec
	}
	return out, nil
}

// translateAggregate returns the value of max, min, sum or count of a list, or of several numbers.
func (x *translator) translateAggregate(n *node) (value, error) {
	of := value{typ: &typ{kind: list, elem: &typ{kind: number}}, prec: atomPrec}
	var parts, known []string
	for _, arg := range n.args {
		v, err := x.translateNode(arg, nil)
		if err != nil {
			return v, err
		}
		if len(n.args) == 1 && !v.hasParts() && v.typ != nil && v.typ.kind == list {
			of = v
			break
		}
		if v.hasParts() || v.typ == nil || v.typ.kind != number {
			return value{}, errorAt(arg, "%s takes numbers, or a list of them", n.text)
		}
		parts, known = append(parts, v.cel), append(known, v.known)
	}
	if parts != nil {
		of.cel, of.known = "["+strings.Join(parts, ", ")+"]", andConditions(known...)
	}
	if n.text != "count" && of.typ.elem.kind != number {
		return value{}, errorAt(n, "%s takes numbers, or a list of them", n.text)
	}
	return aggregateList(n.text, of, parts != nil), nil
}

// aggregateList returns the least, the greatest, the sum or the number of the elements of a list. An empty list has no
// least, no greatest and no sum.
func aggregateList(function string, of value, hasElements bool) value {
	out := value{typ: &typ{kind: number}, prec: atomPrec, known: of.known}
	if function == "count" {
		out.cel = "double(size(" + of.cel + "))"
		return out
	}
	out.cel = function + "(" + of.cel + ")"
	if !hasElements {
		out.known = andConditions(of.known, "size("+of.cel+") > 0")
	}
	return out
}

// translateConcatenation returns the elements of lists, one after the other; flatten takes elements beside lists.
func (x *translator) translateConcatenation(n *node, want *typ) (value, error) {
	args := n.args
	if n.text == "flatten" {
		if n.args[0].kind != listNode {
			return value{}, errorAt(n, "flatten takes a list here whose elements are written out")
		}
		args = n.args[0].args
	}
	out := value{typ: &typ{kind: list}, prec: sumPrec}
	if want != nil && want.kind == list {
		out.typ.elem = want.elem
	}
	var parts []string
	for _, arg := range args {
		v, err := x.translateNode(arg, nil)
		if err != nil {
			return v, err
		}
		if v.hasParts() || v.typ == nil {
			return value{}, errorAt(arg, "a list is needed here")
		}
		elem := v.typ
		switch {
		case v.typ.kind == list:
			elem = v.typ.elem
		case n.text == "flatten":
			v.cel = "[" + v.cel + "]"
		default:
			return value{}, errorAt(arg, "a list is needed here")
		}
		if elem.kind == list || out.typ.elem != nil && !haveSameKind(out.typ.elem, elem) {
			return value{}, errorAt(arg, "lists of one type are joined here")
		}
		out.typ.elem, out.known = elem, andConditions(out.known, v.known)
		parts = append(parts, v.asOperand(sumPrec))
	}
	if out.cel = strings.Join(parts, " + "); out.cel == "" {
		return value{}, errorAt(n, "nothing says the type of this list")
	}
	return out, nil
}

// callKnowledge returns the value of a knowledge model for the arguments of a call.
func (x *translator) callKnowledge(n *node, k *knowledgeModel) (value, error) {
	if len(n.args) != len(k.params) {
		return value{}, errorAt(n, "%s takes %s, and has %d", k.name, plural.Of(len(k.params), "argument"), len(n.args))
	}
	args := make([]value, len(k.params))
	for i, arg := range n.args {
		at := i
		if n.argNames != nil {
			if at = slices.IndexFunc(k.params, func(p param) bool { return p.name == n.argNames[i] }); at < 0 {
				return value{}, errorAt(n, "%s has no parameter %q", k.name, n.argNames[i])
			}
		}
		v, err := x.translateNode(arg, k.params[at].typ)
		if err != nil {
			return v, err
		}
		if args[at].cel != "" || args[at].hasParts() {
			return value{}, errorAt(n, "parameter %q is given twice", k.params[at].name)
		}
		args[at] = v
	}
	out, err := x.c.invokeKnowledge(k, args, x.body)
	if err != nil {
		if _, told := err.(*problem); !told {
			err = errorAt(n, "%s", err)
		}
	}
	return out, err
}
