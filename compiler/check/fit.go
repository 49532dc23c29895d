package check

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/overloads"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// checkFits reports whether a value may stand where a type is asked for: a value of the type, a record that has at least
// its fields, a string that may be one of its enum. The parameter what names the place in the diagnostic.
func (r *reporter) checkFits(e *Expr, want *plan.Type, what string) bool {
	if e == nil || e.Type.Kind == plan.Invalid || want.Kind == plan.Invalid {
		return false
	}
	if why, ok := explainMisfit(e.Type, want); !ok {
		r.reportMisfit(e, want, what, why)
		return false
	}
	r.warnOfMisspeltCells(e, want, what)
	return r.checkFitsEnum(e, want, what)
}

// explainMisfit tells whether a type may stand where another is asked for, and why not where the types alone do not say it.
func explainMisfit(t, want *plan.Type) (why string, ok bool) {
	if want.Kind != t.Kind {
		return "", false
	}
	switch want.Kind {
	case plan.List, plan.Map:
		return explainMisfit(t.Elem, want.Elem)
	case plan.Record:
		why = explainRecordMisfit(t, want)
	}
	return why, why == ""
}

// explainRecordMisfit names the first field because of which a record is not of a type that is asked for, from the
// outside in; records of a dozen fields would tell nobody anything when they are printed side by side. A type that is
// marked as the character's is more than its fields, since traits may be asked of it.
func explainRecordMisfit(t, want *plan.Type) string {
	if want.Character && !t.Character {
		return ", which is no #Character"
	}
	for i := range want.Fields {
		w := &want.Fields[i]
		k, _ := t.Field(w.Name)
		if k < 0 {
			if w.Optional {
				continue
			}
			return ", which has no field " + w.Name
		}
		f := &t.Fields[k]
		if f.Optional && !w.Optional {
			return ", whose field " + w.Name + " may be missing"
		}
		if _, ok := explainMisfit(f.Type, w.Type); !ok {
			return fmt.Sprintf(", whose field %s is %s and not %s", w.Name, briefType(f.Type), briefType(w.Type))
		}
	}
	return ""
}

// checkFitsEnum reports the strings that an expression may be and an enum has not, as far as they are written in it.
//
// A word is reported only where it is sure: a constant that the enum lacks, in any arm of a
// condition, or an enum that has no word in common. An enum that only overlaps, or any string, is
// left to the run time.
func (r *reporter) checkFitsEnum(e *Expr, want *plan.Type, what string) bool {
	if want.Kind != plan.String || len(want.Enum) == 0 {
		return true
	}
	ok := true
	for _, c := range resultsOf(e) {
		switch {
		case c.Op == OpConst && !hasValue(want, c.Value.String):
			r.reportNotInEnum(c, want, what)
			ok = false
		case c.Op != OpConst && c.Type.Enum != nil && areDisjoint(c.Type, want):
			r.addf("enum-value", c.Place, "%s is one of %s, and this is one of %s", what, listEnum(want), listEnum(c.Type))
			ok = false
		}
	}
	return ok
}

func (r *reporter) reportNotInEnum(c *Expr, want *plan.Type, what string) {
	if r.reportDisabledRow(c, want) {
		return
	}
	d := r.addf("enum-value", c.Place, "%s is never '%s': it is one of %s", what, c.Value.String, listEnum(want))
	d.Repair, d.Lacks = diag.DidYouMean(c.Value.String, want.Enum), r.lackedRow(c.Value.String, want)
}

// lackedRow returns the row that one table would have to have for a word to be one of an enum: the table whose keys the
// enum has, perhaps before words for none. Where several tables have these keys, nobody knows which is meant.
func (r *reporter) lackedRow(word string, want *plan.Type) diag.Lack {
	if r.book == nil {
		return diag.Lack{}
	}
	var out diag.Lack
	for _, t := range r.book.Tables {
		n := len(t.Rows)
		if t.Kind.HasNumbers() || n == 0 || n > len(want.Enum) ||
			!slices.EqualFunc(t.Rows, want.Enum[:n], func(row book.Row, key string) bool { return row.Key == key }) {
			continue
		}
		if out.Table != "" {
			return diag.Lack{}
		}
		out = diag.Lack{Table: t.ID, Row: word}
	}
	return out
}

// resultsOf lists the expressions that a value may come from: the arms of conditions.
func resultsOf(e *Expr) []*Expr {
	if e.Op != OpCond {
		return []*Expr{e}
	}
	return append(resultsOf(e.Args[1]), resultsOf(e.Args[2])...)
}

// warnOfMisspeltCells reports the words of a column that an enum lacks and nearly has, where a cell is given as a value of
// the enum. A word that is near none of the enum's may stand there on purpose, "none" behind a condition.
func (r *reporter) warnOfMisspeltCells(e *Expr, want *plan.Type, what string) {
	if want.Kind != plan.String || len(want.Enum) == 0 {
		return
	}
	for _, c := range resultsOf(e) {
		table, column := columnOf(c)
		if table == nil || areDisjoint(c.Type, want) {
			continue
		}
		for i := range table.Book.Rows {
			row := &table.Book.Rows[i]
			if column >= len(row.Cells) {
				continue
			}
			word := textOfCell(&row.Cells[column])
			meant := diag.DidYouMean(word, want.Enum)
			if word == "" || hasValue(want, word) || meant == "" {
				continue
			}
			d := r.diags.Addf("cell-word", row.Cells[column].Place, "table "+table.name, "%s is %q, and %s is one of %s",
				table.Book.Columns[column].Name, word, what, listEnum(want))
			d.Repair = meant
			d.Related = append(d.Related, diag.Related{Place: c.Place, Message: r.subject + " gives it there"})
		}
	}
}

// columnOf returns the table and the column of an expression that is a cell; nil for any other expression, and for cells of
// a table with two keys.
func columnOf(e *Expr) (t *Table, column int) {
	switch {
	case e.Op == OpLookUp:
		t, _ = e.Object.(*Table)
		if t == nil || t.Across != nil || t.Gives < 0 {
			return nil, 0
		}
		return t, t.Gives
	case e.Op == OpField && e.Args[0].Op == OpLookUp:
		t, _ = e.Args[0].Object.(*Table)
		if t == nil || t.Row == nil || t.Across != nil {
			return nil, 0
		}
		if column, _ = t.Row.Field(e.Name); column >= 0 {
			return t, column
		}
	}
	return nil, 0
}

func areDisjoint(a, b *plan.Type) bool {
	return !slices.ContainsFunc(a.Enum, func(v string) bool { return hasValue(b, v) })
}

// listEnum lists an enum for a message.
func listEnum(t *plan.Type) string {
	const most = 12
	if len(t.Enum) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(t.Enum[:most], ", "), len(t.Enum)-most)
	}
	return strings.Join(t.Enum, ", ")
}

// listQuoted lists an enum for a message, each word in quotes as it stands in a formula.
func listQuoted(t *plan.Type) string {
	var out []string
	for _, word := range t.Enum {
		out = append(out, "'"+word+"'")
	}
	return listEnum(&plan.Type{Enum: out})
}

// briefType prints a type for a message: a long record by its first fields.
func briefType(t *plan.Type) string {
	const most = 60
	s := t.String()
	if len(s) <= most {
		return s
	}
	cut := strings.LastIndexByte(s[:most], ',')
	if cut < 0 {
		return s
	}
	return s[:cut] + ", ...}"
}

// reportMismatch reports types that do not go together; an int beside a double has a repair of its own.
func (r *reporter) reportMismatch(at plan.Place, a, b *plan.Type, format string, args ...any) *diag.Diagnostic {
	if isNumber(a) && isNumber(b) || isListOfNumbers(a) && isListOfNumbers(b) {
		d := r.addf("no-promotion", at, format, args...)
		d.Repair = "write 1.0 or double(x)"
		return d
	}
	return r.addf("type", at, format, args...)
}

// reportMisfit reports a value of a type that is not asked for. A fraction where a whole number is asked for must be
// rounded, and how is a ruling.
func (r *reporter) reportMisfit(e *Expr, want *plan.Type, what, why string) {
	const format = "%s must be %s, not %s%s"
	if e.Type.Kind == plan.Double && want.Kind == plan.Int {
		r.addf("no-promotion", e.Place, format, what, briefType(want), briefType(e.Type), why).
			Repair = "say how to round: floor(x), ceil(x) or round(x)"
		return
	}
	d := r.reportMismatch(e.Place, e.Type, want, format, what, briefType(want), briefType(e.Type), why)
	if d.Repair == "" {
		d.Repair = adviseConversion(e.Type, want)
	}
	if word := e.Value.String; e.Op == OpConst && e.Type.Kind == plan.String && word != "" && d.Repair == "" {
		d.Repair = fmt.Sprintf("'%s' in quotes is a word: what a name stands for is read without quotes, as state.%[1]s, "+
			"input.%[1]s or %[1]s", word)
	}
}

// adviseConversion returns how a value of one type becomes one of another that is asked for; "" where that has no usual
// meaning.
func adviseConversion(from, want *plan.Type) string {
	switch {
	case want.Kind == plan.Bool && isNumber(from):
		return "a condition compares: x >= 1"
	case isNumber(want) && from.Kind == plan.Bool:
		return truthAsNumber
	case want.Kind == plan.String && isNumber(from):
		return "string(x) makes a text of a number"
	case isNumber(want) && isListOfNumbers(from):
		return "sum(xs) adds the numbers of a list, max(xs) takes the greatest, size(xs) counts them, xs[0] is the first"
	case want.Kind == plan.List && from.Kind == want.Elem.Kind:
		return "a list of one is [x]"
	}
	return ""
}

// truthAsNumber is the repair for a truth where a number is asked for.
const truthAsNumber = "say which number it is, in brackets: (x ? 1 : 0)"

func isNumber(t *plan.Type) bool        { return t.Kind == plan.Int || t.Kind == plan.Double }
func isListOfNumbers(t *plan.Type) bool { return t.Kind == plan.List && isNumber(t.Elem) }

// checkEnums reports an equality or a membership that never holds because one side is not of the other's enum.
func (r *reporter) checkEnums(out *Expr) {
	left, right := out.Args[0], out.Args[1]
	if right.Op == OpMakeList {
		for _, elem := range right.Args {
			r.checkEqual(left, elem)
		}
		return
	}
	if right.Type.Kind == plan.List && right.Type.Elem != nil && out.Name == overloads.InList {
		right = &Expr{Op: OpCall, Name: overloads.IndexList, Type: right.Type.Elem, Args: []*Expr{right}, Place: right.Place}
	}
	r.checkEqual(left, right)
}

// checkEqual reports two strings that are compared and can never be equal, where the words of both are known. Two constants
// may be copies that CUE made of one formula for several cases, so that nothing is said about them.
func (r *reporter) checkEqual(a, b *Expr) {
	if a.Op == OpConst {
		a, b = b, a
	}
	if a.Op == OpConst { // constants of the author's own, not values of an enum
		return
	}
	if a.Type.Kind != plan.String || b.Type.Kind != plan.String || len(a.Type.Enum) == 0 || len(b.Type.Enum) == 0 {
		return
	}
	r.checkFitsEnum(b, a.Type, a.Describe())
}

// reportSwappedKeys reports the two keys of a chart that stand in the other order, and returns whether they do: neither can
// be a key where it stands, and each can where the other one does.
func (b *treeBuilder) reportSwappedKeys(e *Expr) bool {
	t := e.Object.(*Table)
	if t.Across == nil || len(e.Args) != 2 {
		return false
	}
	rows, columns := keyType(t), keyType(t.Across)
	first, second := e.Args[0], e.Args[1]
	for _, x := range []struct {
		key              *Expr
		here, otherwhere *plan.Type
	}{{first, rows, columns}, {second, columns, rows}} {
		words := x.key.Type
		if x.key.Op == OpConst {
			words = &plan.Type{Kind: x.key.Type.Kind, Enum: []string{x.key.Value.String}}
		}
		if words.Kind != plan.String || len(words.Enum) == 0 || !areDisjoint(words, x.here) ||
			areDisjoint(words, x.otherwhere) {
			return false
		}
	}
	d := b.addf("enum-value", first.Place, "the keys of table %s stand the other way round: the row comes before "+
		"the column", t.name)
	d.Repair = fmt.Sprintf("write %s(%s, %s)", t.name, describeKey(second), describeKey(first))
	return true
}

// describeKey returns a key as an author writes it.
func describeKey(e *Expr) string {
	if e.Op == OpConst {
		return "'" + e.Value.String + "'"
	}
	return e.Describe()
}

// keyType returns the type of the keys of a table; without an enum where they are numbers.
func keyType(t *Table) *plan.Type {
	out := &plan.Type{Kind: plan.String}
	for i := range t.Book.Rows {
		if !t.Book.Kind.HasNumbers() {
			out.Enum = append(out.Enum, t.Book.Rows[i].Key)
		}
	}
	return out
}

// checkKey checks the key of a look-up: a string that the table has, as far as it is known.
func (r *reporter) checkKey(key *Expr, t *Table) {
	if key.Type.Kind != plan.String {
		return
	}
	want := keyType(t)
	what := "the key of table " + t.name
	if t.Book.IsAcross {
		what = "the column of table " + t.name
	}
	r.warnOfMisspeltCells(key, want, what)
	r.checkFitsEnum(key, want, what)
}

// checkRounding reports a rounding of a product of integers with a fraction: floor(100 * 0.29) is 28.
func (r *reporter) checkRounding(out *Expr) {
	fraction, measured := findFraction(out.Args[0])
	if fraction == nil || measured || isSigned(fraction, out.Args[0]) {
		return
	}
	r.addf("inexact-rounding", fraction.Place,
		"%v has no exact double, and the product that is rounded may fall short of a whole number", fraction.Value.Double).
		Repair = sayInIntegers(fraction.Value.Double)
}

// sayInIntegers says how a product with a fraction is rounded without doubles.
func sayInIntegers(fraction float64) string {
	// 10^9 times a value of up to 9 * 10^9 is below 2^63.
	const most = 9 // decimals that still leave room in an int
	text := strconv.FormatFloat(math.Abs(fraction), 'f', -1, 64)
	whole, decimals, _ := strings.Cut(text, ".")
	if len(whole)+len(decimals) > most {
		return "use integers: " + strings.Join(builtin.DivisionNames(), ", ")
	}
	over, under := strings.TrimLeft(whole+decimals, "0"), "1"+strings.Repeat("0", len(decimals))
	names := builtin.DivisionNames()
	others := strings.Join(names[1:], ", ")
	return fmt.Sprintf("use integers: for %s * x write %s(%s * x, %s), or %s", text, names[0], over, under, others)
}

// isInexact reports whether a double is not quite the fraction that was written. Halves, quarters and so on are exact, and
// so are their products with any integer that a game knows. 2^10 is a bound of the numbers that games print: k/1024 times
// an int is exact as long as the product of the int and k stays below 2^53.
func isInexact(fraction float64) bool {
	const parts = 1 << 10
	return fraction*parts != math.Trunc(fraction*parts)
}

// isSigned reports whether an expression is a literal with nothing but signs before it: no product, so nothing falls short.
func isSigned(literal, e *Expr) bool {
	for e.Op == OpCall && e.Name == "negate_double" {
		e = e.Args[0]
	}
	return e == literal
}

// findFraction looks through a product or quotient for a literal with an inexact fraction, and whether some factor is a
// double by nature, so that nothing exact was meant.
//
// floor(100 * 0.29) is reported: 100 and 0.29 are exact numbers to their author. floor(input.weight
// * 0.29) with a double weight is not: weight was measured, and how its product rounds is nobody's
// ruling.
func findFraction(e *Expr) (fraction *Expr, measured bool) {
	switch {
	case e.Op == OpConst && isInexact(e.Value.Double):
		return e, false
	case e.Op == OpConst:
		return nil, false
	case e.Op != OpCall:
		return nil, true
	}
	switch e.Name {
	case "int64_to_double":
		return nil, false
	case "negate_double", "multiply_double", "divide_double":
		for _, a := range e.Args {
			part, no := findFraction(a)
			if part != nil {
				fraction = part
			}
			measured = measured || no
		}
		return fraction, measured
	}
	return nil, true
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
