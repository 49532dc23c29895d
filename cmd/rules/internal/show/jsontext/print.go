// Package jsontext writes JSON text, and edits objects whose members keep their order.
package jsontext

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
)

// Quote returns a string as JSON, with < > & as they are: these are escaped for HTML by default,
// and formulas are full of them.
func Quote(s string) json.RawMessage {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	must.Succeed(e.Encode(s))
	return bytes.TrimSpace(out.Bytes())
}

// PrintJSON writes a value as JSON for tools: indented, a line break at the end.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// PrintIndented writes JSON text as PrintJSON writes values, its members in their order.
func PrintIndented(w io.Writer, text []byte) error {
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err := out.WriteTo(w)
	return err
}

// Compact returns JSON on one line, and text that is no JSON as it is, so that a message can be
// made of anything.
func Compact(text []byte) string {
	var out bytes.Buffer
	if json.Compact(&out, text) != nil {
		return string(text)
	}
	return out.String()
}

// OrObject returns a text, and {} for none: a record that is not given is one without members.
func OrObject(text []byte) []byte {
	if len(text) == 0 {
		return []byte("{}")
	}
	return text
}

// Decimal writes a number with as few digits as tell it from every other, and never with an
// exponent, which players do not read.
func Decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Double writes a double with a fraction, which tells it from a whole number.
func Double(x float64) json.RawMessage {
	text := Decimal(x)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return json.RawMessage(text)
}
