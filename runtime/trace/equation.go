package trace

import (
	"strings"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An equation shows a formula with values in the place of names. It follows the author's formula and not the graph, for the
// passes exchange operands and fold what the author keeps apart. Of what is decided only the part that decided is shown.

// equationOf returns the equation of a step; empty when the step has no formula, or when its value stands there already.
func (b *builder) equationOf(t *plan.Term) string {
	args := t.Args
	switch t.Kind {
	case plan.NamedTerm, plan.TraitTerm, plan.RequireTerm, plan.EndTerm:
		if len(args) != 1 {
			return ""
		}
	case plan.FunctionTerm:
		if len(args) != len(t.Params)+1 {
			return ""
		}
	default:
		return ""
	}
	return b.renderTerm(args[len(args)-1], lowest)
}

// The precedence of operators, as in CEL.
const (
	lowest = iota
	orLevel
	andLevel
	compareLevel
	addLevel
	timesLevel
	signLevel
)

// An operator is how a call is written between its operands.
type operator struct {
	text  string
	level int
}

// operatorOf returns the operator that an overload is; false when it is a function.
func operatorOf(overload string) (operator, bool) {
	for _, o := range [...]struct {
		prefix string
		operator
	}{
		{"less_equals_", operator{"<=", compareLevel}}, {"greater_equals_", operator{">=", compareLevel}},
		{"less_", operator{"<", compareLevel}}, {"greater_", operator{">", compareLevel}},
		{"not_equals", operator{"!=", compareLevel}}, {"equals", operator{"=", compareLevel}},
		{"in_", operator{"in", compareLevel}},
		{"add_", operator{"+", addLevel}}, {"subtract_", operator{"-", addLevel}},
		{"multiply_", operator{"*", timesLevel}}, {"divide_", operator{"/", timesLevel}},
		{"modulo_", operator{"%", timesLevel}},
	} {
		if strings.HasPrefix(overload, o.prefix) {
			return o.operator, true
		}
	}
	return operator{}, false
}

// renderTerm returns the text of a term; in parentheses when it binds less than the level at which it stands.
func (b *builder) renderTerm(at int32, level int) string {
	t := &b.terms[at]
	switch t.Kind {
	case plan.ConstTerm:
		return b.valueText(&t.Value)
	case plan.CallTerm:
		return b.renderCall(t, level)
	case plan.AndTerm, plan.OrTerm:
		return b.renderLogic(t, level)
	case plan.CondTerm, plan.ChooseTerm:
		if needed := b.decidingArgs(t); len(needed) == 2 && len(t.Args) > 2 {
			return b.renderTerm(needed[1], level)
		}
	}
	text := b.valueText(&t.Value)
	if t.Named >= 0 {
		text = b.valueText(&b.Graph.Names[t.Named].Value)
	}
	if name := b.nameOf(t); name != "" {
		text += " (" + name + ")"
	}
	return text
}

// nameOf returns the name in an equation of a term that is no part of the formula itself.
func (b *builder) nameOf(t *plan.Term) string {
	if b.isColumn(t) {
		return b.nameOf(&b.terms[t.Args[0]]) + ", column " + t.Name
	}
	switch stepKind(t.Kind) {
	case "", Walk:
		return ""
	case Table:
		if row := b.foundRow(t); row.Row != "" {
			return t.Name + ", row " + row.Row
		}
	}
	return t.Name
}

// renderCall writes an operator between its operands, and a function before them.
func (b *builder) renderCall(t *plan.Term, level int) string {
	if o, ok := operatorOf(t.Name); ok && len(t.Args) == 2 {
		right := o.level
		if o.text == "-" || o.text == "/" || o.text == "%" || o.level == compareLevel {
			right++
		}
		of := b.keysText(&b.terms[t.Args[1]])
		if o.text != "in" || of == "" {
			of = b.renderTerm(t.Args[1], right)
		}
		return parenthesise(b.renderTerm(t.Args[0], o.level)+" "+o.text+" "+of, o.level < level)
	}
	switch {
	case t.Name == "logical_not" && len(t.Args) == 1:
		return "not " + b.renderTerm(t.Args[0], signLevel)
	case strings.HasPrefix(t.Name, "negate_") && len(t.Args) == 1:
		return "-" + b.renderTerm(t.Args[0], signLevel)
	case isConversion(t.Name) && len(t.Args) == 1:
		return b.renderTerm(t.Args[0], level)
	case functionName(t.Name) == "size" && len(t.Args) == 1 && b.nameOf(&b.terms[t.Args[0]]) != "":
		return b.valueText(&t.Value) + " (size of " + b.nameOf(&b.terms[t.Args[0]]) + ")"
	case t.Name == "" || strings.HasPrefix(t.Name, "index_"):
		return b.valueText(&t.Value)
	}
	var list []string
	for _, a := range t.Args {
		list = append(list, b.renderTerm(a, lowest))
	}
	return functionName(t.Name) + "(" + strings.Join(list, ", ") + ")"
}

// keysText returns a map in which a key is looked for: its keys, without their values. It is empty for a term that is no
// map.
func (b *builder) keysText(t *plan.Term) string {
	v, failure := b.readValue(&t.Value)
	if failure != "" || v.Kind() != plan.Map {
		return ""
	}
	keys := shortenText(strings.Join(v.Names(), ", "))
	if v.Len() == 0 {
		keys = "nothing"
	}
	if name := b.nameOf(t); name != "" {
		return keys + " (keys of " + name + ")"
	}
	return keys
}

// isConversion reports whether an overload gives a number as another kind of number.
func isConversion(overload string) bool {
	return overload == "int64_to_double" || overload == "int64_to_int64" || overload == "double_to_double"
}

// functionName returns the function of an overload.
func functionName(overload string) string {
	for _, f := range builtin.Table() {
		for i := range f.Overloads {
			if f.Overloads[i].ID == overload {
				return f.Name
			}
		}
	}
	for _, known := range [...]struct{ part, name string }{{"size", "size"}, {"_to_string", "string"}, {"_to_int64", "int"},
		{"_to_double", "double"}} {
		if strings.Contains(overload, known.part) {
			return known.name
		}
	}
	return strings.TrimSuffix(overload, "_string")
}

// renderLogic writes the sides of && and || that decided.
func (b *builder) renderLogic(t *plan.Term, level int) string {
	word, own := " and ", andLevel
	if t.Kind == plan.OrTerm {
		word, own = " or ", orLevel
	}
	sides := b.decidingSides(t)
	if len(sides) == 1 {
		return b.renderTerm(sides[0], level)
	}
	var list []string
	for _, a := range sides {
		list = append(list, b.renderTerm(a, own))
	}
	return parenthesise(strings.Join(list, word), own < level)
}

func parenthesise(text string, needed bool) string {
	if needed {
		return "(" + text + ")"
	}
	return text
}

// valueText returns a value as an equation shows it.
func (b *builder) valueText(v *plan.Value) string {
	value, failure := b.readValue(v)
	switch {
	case failure != "":
		return "no value"
	case value.Kind() == plan.Invalid:
		return "..."
	}
	return shortenText(plainText(value))
}
