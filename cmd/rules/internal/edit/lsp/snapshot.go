package lsp

import (
	"path"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A snapshot is all that an answer is made of: the files as they are on the screen, what is wrong with them, how their
// cases went, and their names, which are read when they are asked for. Every request has a snapshot of its own, and what
// a feature of the editor shows is a function of it.
type snapshot struct {
	*view
	library          *library
	diagnostics      []diag.Diagnostic         // as published last
	diagnosedVersion int                       // the version of that
	playedRulesets   map[string]*playedRuleset // by ruleset, as its cases were played last
	character        string                    // the file of the chosen character; empty for those of the cases
}

// exceedsBounds reports whether the diagnostics say that the files go beyond the bounds of a stranger, or that the
// program fails on them: then they are not read once more.
//
// A module that is too large for the bounds would be tried again by each of the dozen requests
// after a key, each time until it is killed.
func (s *snapshot) exceedsBounds() bool {
	return s.diagnosedVersion == s.version && slices.ContainsFunc(s.diagnostics, func(d diag.Diagnostic) bool {
		return (d.Code == "evaluation-limit" || d.Code == "internal") && path.Ext(d.Place.File) != ".cue"
	})
}

// indexOfFile returns the index of the ruleset that a file belongs to; nil for a file of none.
func (s *snapshot) indexOfFile(file string) *symbols.Index {
	return s.library.entryOfFile(s.view, file, s.exceedsBounds()).index
}

// draftOfFile returns the ruleset that a file belongs to as it was read last; nil for a file of none.
func (s *snapshot) draftOfFile(file string) *compiler.Draft {
	return s.library.entryOfFile(s.view, file, s.exceedsBounds()).draft
}

// isStale reports whether the known ruleset of a file is of an earlier text, because the present one cannot be read.
func (s *snapshot) isStale(file string) bool {
	return s.library.entryOfFile(s.view, file, s.exceedsBounds()).isStale
}

// indexOfRuleset returns the index of a ruleset; nil for one that there is not.
func (s *snapshot) indexOfRuleset(ruleset string) *symbols.Index {
	return s.library.entryOfRuleset(s.view, ruleset, s.exceedsBounds()).index
}

// rulesetOf returns the path of a file of a client, and the index of its ruleset, or of the one that its cases are about;
// not ok for a file of no ruleset.
func (s *snapshot) rulesetOf(uri string) (file string, x *symbols.Index, ok bool) {
	switch file, ok = s.fileOf(uri); {
	case !ok:
	case path.Ext(file) == caseExtension:
		x = s.indexOfRuleset(path.Base(path.Dir(file)))
	default:
		x = s.indexOfFile(file)
	}
	return file, x, x != nil
}

// rulingsOf returns the rulings of the release for a ruleset.
func (s *snapshot) rulingsOf(ruleset string) []book.Ruling {
	for _, d := range s.library.loadedDrafts() {
		if d.Rules.ID == ruleset {
			return d.Rulings
		}
	}
	return nil
}

// A target is what a request about a position is about.
type target struct {
	*snapshot
	index  *symbols.Index // of the ruleset of the file
	at     plan.Place
	before string // the line up to the place
}

// locateTarget returns the target of a request; not ok for a file of no ruleset.
func (s *snapshot) locateTarget(p documentPosition) (*target, bool) {
	file, x, ok := s.rulesetOf(p.TextDocument.URI)
	if !ok {
		return nil, false
	}
	text := s.text(file)
	at := text.placeOf(file, p.Position, s.encoding)
	line := []rune(text.line(at.Line))
	return &target{s, x, at, string(line[:min(at.Col-1, len(line))])}, true
}
