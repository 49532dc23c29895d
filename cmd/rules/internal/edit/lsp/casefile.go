package lsp

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/golden"
)

const fileItem = 17 // the protocol's number

var headerLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-z]+):\s*(.*)$`) })

// completeCase returns the items that may stand at a position in a case: headers and files, and in a header its values.
//
// Whether the position lies among the headers cannot be asked of the parser of cases: the case is half written. So the
// lines before it are walked: headers begin a case and end at the first empty line or file, and begin again behind the line
// that starts another case.
func completeCase(s *snapshot, file string, p position) []completionItem {
	text := s.text(file)
	at := text.placeOf(file, p, s.encoding)
	line := []rune(text.line(at.Line))
	before := string(line[:min(at.Col-1, len(line))])
	inHeaders := true
	for i := 1; i < at.Line; i++ {
		switch l := text.line(i); {
		case l == fileLine(golden.NextCase):
			inHeaders = true
		case strings.TrimSpace(l) == "", strings.HasPrefix(l, "-- "):
			inHeaders = false
		}
	}
	out := []completionItem{}
	if strings.HasPrefix(before, "--") {
		for _, f := range golden.Files() {
			out = append(out, completionItem{Label: fileLine(f.Name), Kind: fileItem, Detail: f.Doc})
		}
		return append(out, completionItem{Label: fileLine(golden.NextCase), Kind: fileItem, Detail: "another case begins"})
	}
	m := headerLine().FindStringSubmatch(before)
	switch {
	case !inHeaders:
		out = append(out, completeJSON(s, file, p)...)
	case m != nil:
		out = append(out, headerValues(s, file, m[1], m[2])...)
	default:
		for _, h := range golden.Headers() {
			out = append(out, completionItem{Label: h.Name, Kind: completionKinds[symbols.Field], Detail: h.Doc})
		}
	}
	return out
}

// headerValues returns the values that a header of a case may have, behind those that it has already.
func headerValues(s *snapshot, file, header, said string) []completionItem {
	out := []completionItem{}
	ruleset := path.Base(path.Dir(file))
	x := s.indexOfRuleset(ruleset)
	if header == "covers" {
		list, err := golden.LoadStatements(s, path.Dir(file), path.Dir(file))
		if err != nil {
			return out
		}
		for _, st := range list {
			if !slices.Contains(strings.Fields(said), st.ID) {
				out = append(out, completionItem{Label: st.ID, Kind: completionKinds[symbols.Value]})
			}
		}
		return out
	}
	if x == nil {
		return out
	}
	kinds := map[string]symbols.Kind{"rule": symbols.Rule, "odds": symbols.Rule, "procedure": symbols.Procedure,
		"table": symbols.Table, "function": symbols.Function, "option": symbols.Option, "printed": symbols.Option}
	kind, ok := kinds[header]
	if !ok {
		return out
	}
	option, _, chosen := strings.Cut(said, "=")
	for _, d := range x.Definitions() {
		switch {
		case d.Kind != kind:
		case kind == symbols.Option && chosen:
			if d.Name == option {
				for _, value := range d.Members() {
					out = append(out, itemOf(&value))
				}
			}
		default:
			out = append(out, itemOf(&d))
		}
	}
	return out
}
