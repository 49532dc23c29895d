package dmn

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// call returns what a function gives: one of FEEL, or a knowledge model.
func (x *translator) call(n *node, want *typ) (value, error) {
	if k, ok := x.scope.find(n.text).(*knowledge); ok {
		return x.invoke(n, k)
	}
	if len(n.named) > 0 || !slices.Contains(functions, n.text) {
		return value{}, wrongAt(n, "function %s has no counterpart here", n.text)
	}
	if err := x.countArguments(n); err != nil {
		return value{}, err
	}
	switch n.text {
	case "not":
		v, err := x.operand(n.args[0])
		if err != nil {
			return v, err
		}
		return not(v), nil
	case "floor", "ceiling", "abs":
		v, err := x.ofKind(n.args[0], number)
		cel := map[string]string{"floor": "double(floor(%s))", "ceiling": "double(ceil(%s))", "abs": "abs(%s)"}[n.text]
		return value{typ: v.typ, cel: fmt.Sprintf(cel, v.cel), prec: atomPrec, known: v.known}, err
	case "decimal":
		return x.decimal(n)
	case "string":
		v, err := x.value(n.args[0], nil)
		if err == nil && (v.isParts() || v.typ == nil || v.typ.kind != number && v.typ.kind != text) {
			err = wrongAt(n, "string takes a number or a string here")
		}
		if err != nil || v.typ.kind == text {
			return v, err
		}
		return value{typ: &typ{kind: text}, cel: "string(" + v.cel + ")", prec: atomPrec, known: v.known}, nil
	case "max", "min", "sum", "count":
		return x.aggregate(n)
	case "flatten", "concatenate":
		return x.concatenate(n, want)
	case "list contains":
		of, err := x.ofKind(n.args[0], list)
		if err != nil {
			return of, err
		}
		v, err := x.value(n.args[1], of.typ.elem)
		if err == nil && (v.isParts() || v.typ == nil || !sameKind(v.typ, of.typ.elem)) {
			err = wrongAt(n, "the list has no %s", v.describe())
		}
		if err != nil {
			return v, err
		}
		return truthKnown(v.within(relationPrec+1)+" in "+of.within(relationPrec+1), both(of.known, v.known)), nil
	}
	if n.args[0].kind != stringNode {
		return value{}, wrongAt(n, "%s takes a date or time that is written out", n.text)
	}
	return x.value(&node{kind: atNode, text: n.args[0].text, offset: n.offset}, nil)
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
		return wrongAt(n, "%s with %d arguments has no counterpart here", n.text, len(n.args))
	}
	return nil
}

// decimal rounds to so many digits, a half to the even neighbour, as DMN does.
func (x *translator) decimal(n *node) (value, error) {
	v, err := x.ofKind(n.args[0], number)
	if err != nil {
		return v, err
	}
	digits, ok := constantNode(n.args[1])
	places, isNumber := digits.(float64)
	if !ok || !isNumber || places != math.Trunc(places) || math.Abs(places) > 15 {
		return value{}, wrongAt(n.args[1], "the digits of decimal are a whole number from -15 to 15 that is written out")
	}
	name := x.c.roundEven()
	out := value{typ: v.typ, cel: fmt.Sprintf("%s(%s)", name, v.cel), prec: atomPrec, known: v.known}
	if places != 0 {
		scale := formatNumber(math.Pow(10, math.Abs(places)))
		first, then := "*", "/"
		if places < 0 {
			first, then = then, first
		}
		out.cel = fmt.Sprintf("%s(%s %s %s) %s %s", name, v.within(productPrec), first, scale, then, scale)
		out.prec = productPrec
	}
	return out, nil
}

// aggregate returns what a function makes of a list, or of several numbers.
func (x *translator) aggregate(n *node) (value, error) {
	of := value{typ: &typ{kind: list, elem: &typ{kind: number}}, prec: atomPrec}
	var parts, known []string
	for _, arg := range n.args {
		v, err := x.value(arg, nil)
		if err != nil {
			return v, err
		}
		if len(n.args) == 1 && !v.isParts() && v.typ != nil && v.typ.kind == list {
			of = v
			break
		}
		if v.isParts() || v.typ == nil || v.typ.kind != number {
			return value{}, wrongAt(arg, "%s takes numbers, or a list of them", n.text)
		}
		parts, known = append(parts, v.cel), append(known, v.known)
	}
	if parts != nil {
		of.cel, of.known = "["+strings.Join(parts, ", ")+"]", both(known...)
	}
	if n.text != "count" && of.typ.elem.kind != number {
		return value{}, wrongAt(n, "%s takes numbers, or a list of them", n.text)
	}
	return aggregated(n.text, of, parts != nil), nil
}

// aggregated returns the least, the greatest, the sum or the number of the elements of a list. An empty list has no least,
// no greatest and no sum.
func aggregated(function string, of value, hasElements bool) value {
	out := value{typ: &typ{kind: number}, prec: atomPrec, known: of.known}
	if function == "count" {
		out.cel = "double(size(" + of.cel + "))"
		return out
	}
	out.cel = function + "(" + of.cel + ")"
	if !hasElements {
		out.known = both(of.known, "size("+of.cel+") > 0")
	}
	return out
}

// concatenate returns the elements of lists, one after the other; flatten takes elements beside lists.
func (x *translator) concatenate(n *node, want *typ) (value, error) {
	args := n.args
	if n.text == "flatten" {
		if n.args[0].kind != listNode {
			return value{}, wrongAt(n, "flatten takes a list here whose elements are written out")
		}
		args = n.args[0].args
	}
	out := value{typ: &typ{kind: list}, prec: sumPrec}
	if want != nil && want.kind == list {
		out.typ.elem = want.elem
	}
	var parts []string
	for _, arg := range args {
		v, err := x.value(arg, nil)
		if err != nil {
			return v, err
		}
		if v.isParts() || v.typ == nil {
			return value{}, wrongAt(arg, "a list is needed here")
		}
		elem := v.typ
		switch {
		case v.typ.kind == list:
			elem = v.typ.elem
		case n.text == "flatten":
			v.cel = "[" + v.cel + "]"
		default:
			return value{}, wrongAt(arg, "a list is needed here")
		}
		if elem.kind == list || out.typ.elem != nil && !sameKind(out.typ.elem, elem) {
			return value{}, wrongAt(arg, "lists of one type are joined here")
		}
		out.typ.elem, out.known = elem, both(out.known, v.known)
		parts = append(parts, v.within(sumPrec))
	}
	if out.cel = strings.Join(parts, " + "); out.cel == "" {
		return value{}, wrongAt(n, "nothing says the type of this list")
	}
	return out, nil
}

// invoke returns what a knowledge model gives for the arguments of a call.
func (x *translator) invoke(n *node, k *knowledge) (value, error) {
	if len(n.args) != len(k.params) {
		return value{}, wrongAt(n, "%s takes %d arguments, and has %d", k.name, len(k.params), len(n.args))
	}
	args := make([]value, len(k.params))
	for i, arg := range n.args {
		at := i
		if n.named != nil {
			if at = slices.IndexFunc(k.params, func(p param) bool { return p.name == n.named[i] }); at < 0 {
				return value{}, wrongAt(n, "%s has no parameter %q", k.name, n.named[i])
			}
		}
		v, err := x.value(arg, k.params[at].typ)
		if err != nil {
			return v, err
		}
		if args[at].cel != "" || args[at].isParts() {
			return value{}, wrongAt(n, "parameter %q is given twice", k.params[at].name)
		}
		args[at] = v
	}
	out, err := x.c.invoke(k, args, x.body)
	if err != nil {
		if _, told := err.(*problem); !told {
			err = wrongAt(n, "%s", err)
		}
	}
	return out, err
}
