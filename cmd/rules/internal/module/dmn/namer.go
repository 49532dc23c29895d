package dmn

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A namer makes names of definitions of those in a model, each once.
type namer struct{ taken map[string]bool }

// newNamer returns a namer that never returns a word of formulas, a name of a function or one of taken.
func newNamer(taken ...string) *namer {
	n := &namer{map[string]bool{}}
	for _, word := range slices.Concat(taken, reserved) {
		n.taken[word] = true
	}
	return n
}

// reserved are the words that schema.#ID refuses, and the functions of formulas.
var reserved = strings.Fields("character input event state option true false null in as break const continue else for " +
	"function if import let loop package namespace return var void while abs ceil floor round min max pow sum count " +
	"counts range slice sort sort_by pour get with size has all exists exists_one map filter fold int double string bool " +
	"type div_floor div_ceil div_half_up div_trunc duration timestamp bytes uint dyn list matches contains")

// uniqueName returns an unused name: "Risk Category" and "RiskCategory" become risk_category and risk_category_2.
func (n *namer) uniqueName(name string) string {
	base := identifierOf(name)
	out := base
	for i := 2; n.taken[out]; i++ {
		out = fmt.Sprintf("%s_%d", base, i)
	}
	n.taken[out] = true
	return out
}

// identifierOf returns a name in small letters, digits and _. Letters outside ASCII are left out.
func identifierOf(name string) string {
	var out strings.Builder
	var before rune
	for i, r := range name {
		switch {
		case r >= 'A' && r <= 'Z':
			next := rune(0)
			if i+1 < len(name) {
				next = rune(name[i+1])
			}
			if unicode.IsLower(before) || unicode.IsDigit(before) || unicode.IsUpper(before) && unicode.IsLower(next) {
				out.WriteByte('_')
			}
			out.WriteRune(unicode.ToLower(r))
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			out.WriteRune(r)
		case r != '\'':
			out.WriteByte('_')
		}
		before = r
	}
	parts := strings.FieldsFunc(out.String(), func(r rune) bool { return r == '_' })
	id := strings.Join(parts, "_")
	if id == "" || id[0] >= '0' && id[0] <= '9' {
		id = "x" + id
	}
	return id
}

// upperName returns a name as definitions of CUE have it: risk_category is RiskCategory.
func upperName(id string) string {
	var out strings.Builder
	for _, part := range strings.Split(id, "_") {
		if part != "" {
			out.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return out.String()
}

func parseNumber(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
