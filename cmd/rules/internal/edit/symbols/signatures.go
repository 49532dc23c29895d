package symbols

import "strings"

// A Signature is one form in which a function or a table is called.
type Signature struct {
	Text   string   // "div_floor(int, int) -> int"
	Params []string // as they stand in the text
}

// SignaturesOf returns the forms in which a symbol is called, in the order of its declaration; none if it is not called. As
// a member it is called with a value and a dot before it.
//
// Signatures are read back from the text that documents them, so that an editor shows while typing the same text as "rules
// help functions".
func SignaturesOf(s *Symbol, member bool) []Signature {
	if s.Kind != Builtin && s.Kind != Function && s.Kind != Table {
		return nil
	}
	var out []Signature
	for line := range strings.Lines(s.Detail) {
		text, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " = ") // without the formula of a function
		head, rest, _ := strings.Cut(text, "(")
		params, _, ok := strings.Cut(rest, ")")
		if !ok || strings.Contains(head, ".") != (member && s.Kind == Builtin) {
			continue
		}
		form := Signature{Text: text}
		if params != "" {
			form.Params = strings.Split(params, ", ")
		}
		out = append(out, form)
	}
	return out
}
