package view

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// Text returns a value as people read it: a string without quotes, and a double without the digits that binary fractions
// add to it.
func Text(v runtime.Value) string {
	switch {
	case v.Kind() == plan.String:
		return v.Text()
	case v.Kind() == plan.Double && v.NotANumber() != "":
		return v.NotANumber()
	}
	return replaceNumbers(v.AppendJSON(nil), say.FormatNear)
}

// FullText returns a value for a spreadsheet: a string without quotes, and a number with all of its digits.
func FullText(v runtime.Value) string {
	if v.Kind() == plan.String {
		return v.Text()
	}
	return v.String()
}

// TextOfJSON returns the Text of a value in JSON.
func TextOfJSON(text json.RawMessage) string { return textOfJSON(text, say.FormatNear) }

// textOfJSON returns the text of a value whose doubles are formatted so. It tells null from a string by the pointer:
// Unmarshal of null leaves a plain string empty.
func textOfJSON(text json.RawMessage, format func(float64) string) string {
	var s *string
	if json.Unmarshal(text, &s) == nil && s != nil {
		return *s
	}
	return replaceNumbers(text, format)
}

// replaceNumbers returns JSON in which each double, which has a point or an exponent, is written as people read it. Strings
// in it keep their quotes. It goes through the text once and parses nothing else, so that lists and maps keep the form in
// which a sheet has them: [1.5000000000000002, "a 1.50"] becomes [1.5, "a 1.50"].
func replaceNumbers(text []byte, format func(float64) string) string {
	var out strings.Builder
	for at := 0; at < len(text); {
		end := at + 1
		switch c := text[at]; {
		case c == '"':
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			out.Write(text[at:end])
		case c == '-' || c >= '0' && c <= '9':
			for end < len(text) && strings.IndexByte("+-.eE0123456789", text[end]) >= 0 {
				end++
			}
			out.WriteString(textOfNumber(string(text[at:end]), format))
		default:
			out.WriteByte(c)
		}
		at = end
	}
	return out.String()
}

// textOfNumber returns a number for reading. Integers are left alone: their digits all matter. A
// double has a point or an exponent in a sheet, always, by which the two are told apart here.
func textOfNumber(text string, format func(float64) string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !strings.ContainsAny(text, ".eE") {
		return text
	}
	return format(v)
}
