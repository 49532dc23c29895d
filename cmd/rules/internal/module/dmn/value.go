package dmn

import (
	"slices"
	"strconv"
	"strings"
)

// A kind is the kind of a value of FEEL.
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

// isNumeric reports whether formulas represent the kind by a double.
func (k kind) isNumeric() bool { return k == number || k >= date && k <= months }

// A typ is the type of a value. Enum is all that a text may be; low and high bound a number where they are given.
type typ struct {
	kind      kind
	cueName   string // the definition of CUE, if it has one
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
	name  string
	value value
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

// asOperand returns the formula of a value, in parentheses if its operator binds less firmly than prec.
func (v value) asOperand(prec int) string {
	if v.prec < prec {
		return "(" + v.cel + ")"
	}
	return v.cel
}

func (v value) isNull() bool { return v.known == "false" }

// hasParts reports whether the value is a record without a formula of its own.
func (v value) hasParts() bool { return v.fields != nil }

// andConditions returns the conjunction of conditions; "" always holds.
func andConditions(conditions ...string) string {
	var out []string
	has := map[string]bool{"": true}
	for _, c := range conditions {
		switch {
		case c == "false":
			return c
		case !has[c]:
			has[c] = true
			out = append(out, c)
		}
	}
	if len(out) > 1 {
		for i, c := range out {
			if hasTopLevelOperator(c, " || ", " ? ") {
				out[i] = "(" + c + ")"
			}
		}
	}
	return strings.Join(out, " && ")
}

// hasTopLevelOperator reports whether one of some operators stands outside parentheses, brackets and strings.
func hasTopLevelOperator(cel string, operators ...string) bool {
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

// orConditions returns the disjunction of conditions; "" always holds.
func orConditions(conditions ...string) string {
	var out []string
	has := map[string]bool{"false": true}
	for _, c := range conditions {
		if c == "" || c == "true" {
			return ""
		}
		if hasTopLevelOperator(c, " ? ") {
			c = "(" + c + ")"
		}
		if !has[c] {
			has[c] = true
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return "false"
	}
	return strings.Join(out, " || ")
}

// negateCondition returns the negation of a condition.
func negateCondition(condition string) string {
	switch {
	case condition == "":
		return "false"
	case condition == "false":
		return ""
	case hasTopLevelOperator(condition, " && ", " || ", " ? ", " == ", " != ", " < ", " <= ", " > ", " >= ", " in "):
		return "!(" + condition + ")"
	}
	return "!" + condition
}

// whenTrue returns the condition under which a truth is known and true.
func (v value) whenTrue() string {
	if v.literal == true {
		return v.known
	}
	if v.literal == false || v.isNull() {
		return "false"
	}
	return andConditions(v.known, v.cel)
}

// whenFalse returns the condition under which a truth is known and false.
func (v value) whenFalse() string {
	if v.literal == true || v.isNull() {
		return "false"
	}
	if v.literal == false {
		return v.known
	}
	if v.opposite != "" {
		return andConditions(v.known, v.opposite)
	}
	return andConditions(v.known, negateCondition(v.cel))
}

// truthOfOutcomes returns the truth that is true under one condition, false under another, and unknown elsewhere.
func truthOfOutcomes(holds, fails string) value {
	v := newTruth(holds, orConditions(holds, fails))
	if v.literal != nil {
		return v
	}
	v.opposite = fails
	return v
}

// newTruth returns the truth of a condition that means something where it is known.
func newTruth(condition, known string) value {
	v := value{typ: &typ{kind: truth}, cel: condition, prec: precOf(condition), known: known}
	if condition == "" || condition == "false" {
		v.cel, v.prec, v.literal = strconv.FormatBool(condition == ""), atomPrec, condition == ""
	}
	return v
}

// andTruths returns the conjunction of truths.
func andTruths(list ...value) value {
	var holds, fails []string
	for _, v := range list {
		holds, fails = append(holds, v.whenTrue()), append(fails, v.whenFalse())
	}
	if known, ok := commonKnown(list); ok {
		return newTruth(andConditions(conditionsOf(list)...), known)
	}
	return truthOfOutcomes(andConditions(holds...), orConditions(fails...))
}

// orTruths returns the disjunction of truths.
func orTruths(list ...value) value {
	var holds, fails []string
	for _, v := range list {
		holds, fails = append(holds, v.whenTrue()), append(fails, v.whenFalse())
	}
	if known, ok := commonKnown(list); ok {
		return newTruth(orConditions(conditionsOf(list)...), known)
	}
	return truthOfOutcomes(orConditions(holds...), andConditions(fails...))
}

// commonKnown returns the condition under which truths are known, when it is the same for all.
func commonKnown(list []value) (string, bool) {
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

// negateTruth returns the negation of a truth.
func negateTruth(v value) value {
	switch {
	case v.isNull():
		return v
	case v.opposite != "":
		out := newTruth(v.opposite, v.known)
		out.opposite = v.cel
		return out
	}
	return newTruth(negateCondition(conditionsOf([]value{v})[0]), v.known)
}

// precOf returns how firmly the operators of a condition bind.
func precOf(condition string) int {
	switch {
	case hasTopLevelOperator(condition, " ? "):
		return choicePrec
	case hasTopLevelOperator(condition, " || "):
		return orPrec
	case hasTopLevelOperator(condition, " && "):
		return andPrec
	case hasTopLevelOperator(condition, " == ", " != ", " < ", " <= ", " > ", " >= ", " in "):
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

// formulaOrZero returns the formula of a value where it may be unknown: of no meaning there, but of its type.
func (v value) formulaOrZero() string {
	if v.known == "" {
		return v.cel
	}
	zero := v.typ.zeroFormula()
	if v.isNull() || v.cel == zero {
		return zero
	}
	return value{cel: v.known, prec: precOf(v.known)}.asOperand(orPrec) + " ? " + v.asOperand(orPrec) + " : " + zero
}

// zeroFormula returns a formula of a type to stand in for a missing value.
func (t *typ) zeroFormula() string {
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

// formulaType returns the type in the notation of a parameter.
func (t *typ) formulaType() string {
	switch t.kind {
	case text:
		return "string"
	case truth:
		return "bool"
	case list:
		return "list(" + t.elem.formulaType() + ")"
	case record:
		parts := make([]string, len(t.members))
		for i, m := range t.members {
			parts[i] = m.id + ": " + m.typ.formulaType()
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "double"
}

// isPlain reports whether a type can be that of a parameter: it is known and has no optional members.
func (t *typ) isPlain() bool {
	switch {
	case t == nil || t.kind == unknown:
		return false
	case t.kind == list:
		return t.elem.isPlain()
	}
	return !slices.ContainsFunc(t.members, func(m member) bool { return m.typ.optional || !m.typ.isPlain() })
}

// haveSameKind reports whether values of two types can be compared.
func haveSameKind(a, b *typ) bool {
	if a.kind == list && b.kind == list {
		return haveSameKind(a.elem, b.elem)
	}
	return a.kind == b.kind
}
