package dmn

import (
	"slices"
	"strconv"
	"strings"
)

// A kind is what a value of FEEL is.
type kind int

const (
	unknown kind = iota
	number
	text
	truth
	date    // days since 1970-01-01
	clock   // seconds since midnight
	instant // seconds since 1970-01-01T00:00:00Z
	seconds // a duration of days and time
	months  // a duration of years and months
	list
	record
)

// isNumeric reports whether a formula has a double for it.
func (k kind) isNumeric() bool { return k == number || k >= date && k <= months }

// A typ is the type of a value. Enum is all that a text may be; low and high bound a number where they are given.
type typ struct {
	kind      kind
	called    string // the definition of CUE, if it has one
	elem      *typ
	members   []member
	enum      []string
	low, high string // of CUE: ">=0", "<255"
	optional  bool   // a member or an input that may be missing
	isFound   bool   // enum is what rules can give, and no declaration
}

type member struct {
	name, id string
	typ      *typ
}

// A value is an expression of FEEL as a formula. DMN has null wherever a value is missing, or an operation has no result;
// formulas have none. So a value is a formula and the condition under which there is one: known. Logic of three values is
// that of two: "a and b" holds where both are known and hold, and is known where one is known not to.
type value struct {
	typ     *typ
	cel     string // means something where the value is known
	prec    int    // how firmly the operator of cel binds
	known   string // "" where it always is, "false" where it never is
	fields  []namedValue
	literal any // float64, string or bool of a constant
	// opposite is when a truth that is known fails; "" where it is the negation of cel.
	opposite string
}

// A namedValue is a member of a record that only exists part by part: of a context, or of a decision with several outputs.
type namedValue struct {
	name, id string
	value    value
}

const (
	choicePrec = iota + 1
	orPrec
	andPrec
	relationPrec
	sumPrec
	productPrec
	signPrec
	atomPrec
)

// within returns the formula of a value as an operand of an operator that binds so firmly.
func (v value) within(prec int) string {
	if v.prec < prec {
		return "(" + v.cel + ")"
	}
	return v.cel
}

func (v value) isNull() bool { return v.known == "false" }

// isParts reports whether the value is a record without a formula of its own.
func (v value) isParts() bool { return v.fields != nil }

// both returns the conjunction of conditions; "" holds.
func both(conditions ...string) string {
	var out []string
	for _, c := range conditions {
		switch {
		case c == "false":
			return c
		case c == "" || slices.Contains(out, c):
		default:
			out = append(out, c)
		}
	}
	if len(out) > 1 {
		for i, c := range out {
			if hasLooser(c, " || ", " ? ") {
				out[i] = "(" + c + ")"
			}
		}
	}
	return strings.Join(out, " && ")
}

// hasLooser reports whether one of some operators stands outside parentheses, brackets and strings.
func hasLooser(cel string, operators ...string) bool {
	depth, quoted := 0, false
	for i := 0; i < len(cel); i++ {
		switch c := cel[i]; {
		case quoted && c == '\\':
			i++
		case c == '\'':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("([", c) >= 0:
			depth++
		case strings.IndexByte(")]", c) >= 0:
			depth--
		case depth == 0:
			for _, op := range operators {
				if strings.HasPrefix(cel[i:], op) {
					return true
				}
			}
		}
	}
	return false
}

// either returns the disjunction of conditions.
func either(conditions ...string) string {
	var out []string
	for _, c := range conditions {
		if c == "" || c == "true" {
			return ""
		}
		if hasLooser(c, " ? ") {
			c = "(" + c + ")"
		}
		if c != "false" && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return "false"
	}
	return strings.Join(out, " || ")
}

// negated returns the opposite of a condition.
func negated(condition string) string {
	switch {
	case condition == "":
		return "false"
	case condition == "false":
		return ""
	case hasLooser(condition, " && ", " || ", " ? ", " == ", " != ", " < ", " <= ", " > ", " >= ", " in "):
		return "!(" + condition + ")"
	}
	return "!" + condition
}

// holds returns when a truth is known and true.
func (v value) holds() string {
	if v.literal == true {
		return v.known
	}
	if v.literal == false || v.isNull() {
		return "false"
	}
	return both(v.known, v.cel)
}

// fails returns when a truth is known and false.
func (v value) fails() string {
	if v.literal == true || v.isNull() {
		return "false"
	}
	if v.literal == false {
		return v.known
	}
	if v.opposite != "" {
		return both(v.known, v.opposite)
	}
	return both(v.known, negated(v.cel))
}

// truthOf returns the truth that holds and fails under two conditions, and is known where one of them does.
func truthOf(holds, fails string) value {
	v := truthKnown(holds, either(holds, fails))
	if v.literal != nil {
		return v
	}
	v.opposite = fails
	return v
}

// truthKnown returns the truth of a condition that means something where it is known.
func truthKnown(condition, known string) value {
	v := value{typ: &typ{kind: truth}, cel: condition, prec: precOf(condition), known: known}
	if condition == "" || condition == "false" {
		v.cel, v.prec, v.literal = strconv.FormatBool(condition == ""), atomPrec, condition == ""
	}
	return v
}

// all returns the conjunction of truths.
func all(list ...value) value {
	var holds, fails []string
	for _, v := range list {
		holds, fails = append(holds, v.holds()), append(fails, v.fails())
	}
	if known, ok := sameKnown(list); ok {
		return truthKnown(both(conditionsOf(list)...), known)
	}
	return truthOf(both(holds...), either(fails...))
}

// some returns the disjunction of truths.
func some(list ...value) value {
	var holds, fails []string
	for _, v := range list {
		holds, fails = append(holds, v.holds()), append(fails, v.fails())
	}
	if known, ok := sameKnown(list); ok {
		return truthKnown(either(conditionsOf(list)...), known)
	}
	return truthOf(either(holds...), both(fails...))
}

// sameKnown returns the condition under which truths are known, when it is the same for all.
func sameKnown(list []value) (string, bool) {
	for _, v := range list {
		if v.known != list[0].known {
			return "", false
		}
	}
	return list[0].known, true
}

// conditionsOf returns truths as conditions, of which "" holds.
func conditionsOf(list []value) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.cel
		if v.literal == true {
			out[i] = ""
		}
	}
	return out
}

// not returns the opposite of a truth.
func not(v value) value {
	switch {
	case v.isNull():
		return v
	case v.opposite != "":
		out := truthKnown(v.opposite, v.known)
		out.opposite = v.cel
		return out
	}
	return truthKnown(negated(conditionsOf([]value{v})[0]), v.known)
}

// precOf returns how firmly the operators of a condition bind.
func precOf(condition string) int {
	switch {
	case hasLooser(condition, " ? "):
		return choicePrec
	case hasLooser(condition, " || "):
		return orPrec
	case hasLooser(condition, " && "):
		return andPrec
	case hasLooser(condition, " == ", " != ", " < ", " <= ", " > ", " >= ", " in "):
		return relationPrec
	case strings.HasPrefix(condition, "!"):
		return signPrec
	}
	return atomPrec
}

func constantOf(t *typ, literal any) value {
	v := value{typ: t, prec: atomPrec, literal: literal}
	switch x := literal.(type) {
	case float64:
		v.cel = formatNumber(x)
		if x < 0 {
			v.prec = signPrec
		}
	case string:
		v.cel = quoteFormula(x)
	case bool:
		v.cel = strconv.FormatBool(x)
	}
	return v
}

// formatNumber returns a double as formulas write it, with a point.
func formatNumber(x float64) string {
	s := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// quoteFormula returns a text as a string of a formula.
func quoteFormula(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s) + "'"
}

// orElse returns the formula of a value where it may be unknown: of no meaning there, but of its type.
func (v value) orElse() string {
	if v.known == "" {
		return v.cel
	}
	zero := v.typ.zero()
	if v.isNull() || v.cel == zero {
		return zero
	}
	return value{cel: v.known, prec: precOf(v.known)}.within(orPrec) + " ? " + v.within(orPrec) + " : " + zero
}

// zero returns a formula of a type that stands where no value is.
func (t *typ) zero() string {
	switch {
	case t == nil:
		return "0.0"
	case t.kind == text:
		return "''"
	case t.kind == truth:
		return "false"
	case t.kind == list:
		return "[]"
	}
	return "0.0"
}

// formula returns the type as that of a parameter.
func (t *typ) formula() string {
	switch t.kind {
	case text:
		return "string"
	case truth:
		return "bool"
	case list:
		return "list(" + t.elem.formula() + ")"
	case record:
		parts := make([]string, len(t.members))
		for i, m := range t.members {
			parts[i] = m.id + ": " + m.typ.formula()
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "double"
}

// isPlain reports whether all of a type can be a parameter: known, and without members that may be missing.
func (t *typ) isPlain() bool {
	switch {
	case t == nil || t.kind == unknown:
		return false
	case t.kind == list:
		return t.elem.isPlain()
	}
	return !slices.ContainsFunc(t.members, func(m member) bool { return m.typ.optional || !m.typ.isPlain() })
}

// sameKind reports whether values of two types can be compared.
func sameKind(a, b *typ) bool {
	if a.kind == list && b.kind == list {
		return sameKind(a.elem, b.elem)
	}
	return a.kind == b.kind
}
