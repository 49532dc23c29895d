package lsp

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// diagnosticsByFile returns the diagnostics of a list for the client, by the files in which it shows them.
func diagnosticsByFile(v *view, list []diag.Diagnostic) map[string][]diagnostic {
	out := map[string][]diagnostic{}
	for i := range list {
		for _, at := range shownAt(v, &list[i]) {
			out[at.File] = append(out[at.File], diagnosticOf(v, &list[i], at))
		}
	}
	return out
}

// shownAt returns the places at which a diagnostic is shown: its own, if it is in a file of the directory. A diagnostic of
// the whole directory is shown at the beginning of each buffer, and one of the ruleset because of the homebrew where that
// names the ruleset.
//
// A client shows nothing for a directory, nor for a file of the ruleset below a homebrew, which it may not be able to open.
// Both are moved to a line of the author's own that has to do with it, with the place in the message.
func shownAt(v *view, d *diag.Diagnostic) []plan.Place {
	switch {
	case !v.isOwnFile(d.Place.File):
		return []plan.Place{findRulesetLine(v)}
	case d.Place.File != "." && d.Place.File != "":
		return []plan.Place{d.Place}
	}
	var out []plan.Place
	for name := range v.texts {
		if path.Ext(name) == ".cue" {
			out = append(out, plan.Place{File: name, Line: 1, Col: 1})
		}
	}
	return out
}

// diagnosticOf returns a diagnostic for the client, shown at a place.
//
// Repair and related places that no client can open go into the message: many editors show only
// that.
func diagnosticOf(v *view, d *diag.Diagnostic, at plan.Place) diagnostic {
	out := diagnostic{
		Range:    v.spanAt(at, 0),
		Severity: map[diag.Severity]int{diag.Error: 1, diag.Warn: 2, diag.Note: 3}[d.Severity],
		Code:     string(d.Code), Source: "rules", Message: d.Message,
	}
	if d.Subject != "" {
		out.Message = d.Subject + ": " + out.Message
	}
	if d.Repair != "" {
		out.Message += "\n" + d.Repair
	}
	if isUnnecessary(d.Code) && at == d.Place {
		out.Tags = []int{unnecessaryTag}
		if d.Code == "table-unreached" {
			out.Range = rowSpan(v, at)
		}
	}
	if at.File != d.Place.File {
		out.Message = v.placeText(d.Place) + out.Message
		if l, ok := v.locationOf(d.Place, 0); ok {
			out.RelatedInformation = append(out.RelatedInformation, related{l, "the place in the ruleset"})
		}
	}
	for _, r := range d.Related {
		if l, ok := v.locationOf(r.Place, 0); ok {
			out.RelatedInformation = append(out.RelatedInformation, related{l, r.Message})
		} else {
			out.Message += "\n" + v.placeText(r.Place) + r.Message
		}
	}
	return out
}

// unnecessaryTag is the protocol's number for what could as well not be there.
const unnecessaryTag = 1

// isUnnecessary reports whether diagnostics of a code say that nothing reaches or reads the text at their place.
func isUnnecessary(code diag.Code) bool {
	return code == "table-unreached" || code == "table-unread" || code == "unread-definition" ||
		strings.HasPrefix(string(code), "unused")
}

// rulesetLine is where a homebrew says which ruleset it changes.
var rulesetLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*ruleset:`) })

// findRulesetLine finds rulesetLine in the files of a homebrew; without one it is the beginning of the first.
func findRulesetLine(v *view) plan.Place {
	names, err := fs.Glob(v, "*.cue")
	if err != nil || len(names) == 0 {
		return plan.Place{}
	}
	for _, name := range names {
		if i := slices.IndexFunc(v.text(name).lines, rulesetLine().MatchString); i >= 0 {
			return plan.Place{File: name, Line: i + 1, Col: 1}
		}
	}
	return plan.Place{File: names[0], Line: 1, Col: 1}
}
