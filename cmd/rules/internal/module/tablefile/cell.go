package tablefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A reader reads the cells of a sheet, and collects their problems.
type reader struct {
	g    *Grid
	list []diag.Diagnostic
}

// refuse notes a problem of a cell.
func (r *reader) refuse(row, column int, repair, format string, args ...any) {
	r.list = append(r.list, diag.Diagnostic{
		Code: "sheet-cell", Severity: diag.Error, Place: plan.Place{File: r.g.Cell(row, column)},
		Message: fmt.Sprintf(format, args...), Repair: repair,
	})
}

// readCell returns a cell as JSON on one line, as the type of its column has it; nil of one that it refuses.
func (r *reader) readCell(t *plan.Type, row, column int, text string) json.RawMessage {
	x, isNumber := r.g.readNumber(text)
	switch t.Kind {
	case plan.Int:
		if isNumber && x.IsInt() {
			return json.RawMessage(x.Num().String())
		}
		r.refuse(row, column, r.g.repairNumber(text), "%q is no whole number", text)
	case plan.Double:
		if isNumber {
			near, _ := x.Float64()
			if math.IsInf(near, 0) {
				r.refuse(row, column, "", "%s is beyond the doubles: "+plan.DoubleLimit, text)
				return nil
			}
			return jsontext.Double(near)
		}
		r.refuse(row, column, r.g.repairNumber(text), "%q is no number", text)
	case plan.Bool:
		switch strings.ToLower(text) {
		case "true", "yes", "1", "x":
			return json.RawMessage("true")
		case "false", "no", "0":
			return json.RawMessage("false")
		}
		r.refuse(row, column, "write yes or no", "%q is no truth", text)
	case plan.String:
		return jsontext.Quote(text)
	default:
		if json.Valid([]byte(text)) {
			return json.RawMessage(jsontext.Compact([]byte(text)))
		}
		r.refuse(row, column, "lists and records stand in a cell as JSON: [1, 2], {\"dice\": \"2d6\"}", "%q is no %s",
			text, t.Kind)
	}
	return nil
}

// isSameJSON reports whether two values are one: numbers are compared exactly, with a fraction or without, and members in
// any order.
func isSameJSON(a, b json.RawMessage) bool {
	return bytes.Equal(a, b) || reflect.DeepEqual(exactJSON(a), exactJSON(b))
}

// isUnchanged reports whether a cell of a sheet says what the table has. Blanks at the ends of a text and the signs that end
// its lines are not the author's in a sheet: programs put them in, leave them out and write them in their own way.
func isUnchanged(value, known json.RawMessage) bool {
	var is, was string
	if json.Unmarshal(value, &is) == nil && json.Unmarshal(known, &was) == nil {
		return bareText(is) == bareText(was)
	}
	return isSameJSON(value, known)
}

func bareText(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// exactJSON returns a value whose numbers are written in one form, for comparison.
func exactJSON(text json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return text
	}
	return normalizeNumbers(v)
}

// An exactNumber is a number as a fraction, which no string is equal to.
type exactNumber string

func normalizeNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if x, ok := number(v.String()); ok {
			return exactNumber(x.RatString())
		}
	case []any:
		for i := range v {
			v[i] = normalizeNumbers(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = normalizeNumbers(v[name])
		}
	}
	return v
}

// inCUE returns a value in CUE, of which JSON is a part; strings are written as cue fmt leaves them.
func inCUE(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return quote(text)
	}
	return string(value)
}

// quote returns a string as a literal of CUE, which has other escapes than Go.
func quote(text string) string { return literal.String.Quote(text) }

// label returns a name as CUE takes it before a colon.
func label(name string) string {
	if ast.StringLabelNeedsQuoting(name) {
		return quote(name)
	}
	return name
}

// limitsText returns the limits of a key in CUE: 5, [1, 3].
func limitsText(k plan.RowKey) string {
	if k.Kind == plan.BandsTable && k.Lo == k.Hi {
		return plan.FormatDouble(k.Lo)
	}
	var ends []string
	for _, x := range k.Limits() {
		ends = append(ends, plan.FormatDouble(x))
	}
	if len(ends) == 1 {
		return ends[0]
	}
	return "[" + strings.Join(ends, ", ") + "]"
}
