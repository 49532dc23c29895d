package lsp

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
)

// identifier is what a name of a ruleset looks like.
var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z_][A-Za-z0-9_]*$`) })

// renameSymbol returns the edits that give a name another text: where it is declared, in formulas, in CUE and in cases.
// They are tried out first: it refuses when the ruleset would have an error that it has not now, or a case would fail
// that passes.
//
// Edits of one line must be given from its end backwards only for applyRename, which makes them one by
// one; to the client their order is nothing, for the protocol applies them all to the text as it
// was.
func renameSymbol(s *snapshot, p renameParams) (*workspaceEdit, error) {
	t, ok := s.locateTarget(p.documentPosition)
	if !ok {
		return nil, newRefusal("this file belongs to no ruleset of the module")
	}
	sym, ok := declaredAt(t)
	switch {
	case !ok:
		return nil, newRefusal("there is no name of the ruleset here")
	case !identifier().MatchString(p.NewName):
		return nil, newRefusal("a name is a small letter, then letters, digits and underscores")
	case !s.isOwnFile(sym.Place.File):
		return nil, newRefusal("this is a name of the ruleset that the homebrew changes, and is renamed there")
	case t.isStale(sym.Place.File): // the places that are known are those of an earlier text
		return nil, newRefusal("the ruleset cannot be read as it stands: mend its error first")
	}
	list := append(occurrencesOf(t, &sym), caseOccurrencesOf(t, &sym)...)
	slices.SortFunc(list, func(a, b occurrence) int { // the last of a line first, so that the places before it stay
		switch {
		case a.at.File != b.at.File:
			return strings.Compare(a.at.File, b.at.File)
		case a.at.Line != b.at.Line:
			return b.at.Line - a.at.Line
		}
		return b.at.Col - a.at.Col
	})
	list = slices.Compact(list)
	if err := tryRename(t, list, p.NewName); err != nil {
		return nil, err
	}
	out := &workspaceEdit{map[string][]textEdit{}}
	for _, o := range list {
		if l, ok := t.locationOf(o.at, o.length); ok {
			out.Changes[l.URI] = append(out.Changes[l.URI], textEdit{l.Range, p.NewName})
		}
	}
	return out, nil
}

// tryRename compiles the result of a rename, and plays its cases. The error names the first problem.
//
// A diagnostic counts as known by its code and line and not by its message, because the message may quote the name that
// changes. So a second error of the same code in the same line goes unseen here, and is shown after the edit as any other.
func tryRename(t *target, list []occurrence, name string) error {
	edited := applyRename(t.view, list, name)
	plans, found := t.library.compile(edited)
	for _, d := range found {
		isKnown := slices.ContainsFunc(t.diagnostics, func(x diag.Diagnostic) bool {
			return x.Code == d.Code && x.Place.File == d.Place.File && x.Place.Line == d.Place.Line
		})
		if d.Severity == diag.Error && !isKnown {
			return newRefusal("with the name %s there would be an error: %s: %s", name,
				diag.PlaceString(d.Place), d.Message)
		}
	}
	for _, p := range plans {
		before := t.playedRulesets[p.Ruleset]
		if p.Ruleset != t.index.Ruleset() || before == nil {
			continue
		}
		program := runtime.New(p)
		cases, err := golden.Load(edited, edited.casesDir(p.Ruleset), edited.casesDir(p.Ruleset))
		if err != nil && len(before.unread) == 0 {
			return newRefusal("with the name %s a case could not be read: %v", name, err)
		}
		for _, c := range cases {
			passed := slices.ContainsFunc(before.results, func(r *golden.Result) bool {
				return r.Case.File == c.File && r.Case.Name == c.Name && r.Passed()
			})
			if r := golden.Run(program, c); passed && !r.Passed() {
				return newRefusal("with the name %s a case would fail: %s:%s", name, c.File, r.Problems[0].String())
			}
		}
	}
	return nil
}

// applyRename returns a view in which a name stands at some places. Later places of a file come first.
func applyRename(v *view, list []occurrence, name string) *view {
	out := *v
	out.read = map[string]*textFile{}
	edited := map[string][]string{}
	for _, o := range list {
		lines := edited[o.at.File]
		if lines == nil {
			lines = slices.Clone(v.text(o.at.File).lines)
		}
		line := []rune(lines[o.at.Line-1])
		length := o.length
		if length == 0 {
			length = wordLength(line, o.at.Col-1)
		}
		lines[o.at.Line-1] = string(slices.Replace(line, o.at.Col-1, o.at.Col-1+length, []rune(name)...))
		edited[o.at.File] = lines
	}
	for file, lines := range edited {
		out.buffers = out.buffers.withText(file, strings.Join(lines, "\n"))
	}
	return &out
}
