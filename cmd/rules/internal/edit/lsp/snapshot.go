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
	library   *library
	found     []diag.Diagnostic  // as published last
	foundIn   int                // the version of that
	played    map[string]*played // by ruleset, as its cases were played last
	character string             // the file of the chosen character; empty for those of the cases
}

// isBeyond reports whether the diagnostics say that the files go beyond the bounds of a stranger, or that the program fails
// on them: then they are not read once more.
//
// A module that is too large for the bounds would be tried again by each of the dozen requests
// after a key, each time until it is killed.
func (s *snapshot) isBeyond() bool {
	return s.foundIn == s.version && slices.ContainsFunc(s.found, func(d diag.Diagnostic) bool {
		return (d.Code == "evaluation-limit" || d.Code == "internal") && path.Ext(d.Place.File) != ".cue"
	})
}

// index returns the index of the ruleset that a file belongs to; nil for a file of none.
func (s *snapshot) index(file string) *symbols.Index {
	return s.library.entry(s.view, file, s.isBeyond()).index
}

// draft returns the ruleset that a file belongs to as it was read last; nil for a file of none.
func (s *snapshot) draft(file string) *compiler.Draft {
	return s.library.entry(s.view, file, s.isBeyond()).draft
}

// isStale reports whether the known ruleset of a file is of an earlier text, because the present one cannot be read.
func (s *snapshot) isStale(file string) bool {
	return s.library.entry(s.view, file, s.isBeyond()).isStale
}

// indexOf returns the index of a ruleset; nil for one that there is not.
func (s *snapshot) indexOf(ruleset string) *symbols.Index {
	return s.library.entryOf(s.view, ruleset, s.isBeyond()).index
}

// rulesetOf returns the path of a file of a client, and the index of its ruleset, or of the one that its cases are about;
// not ok for a file of no ruleset.
func (s *snapshot) rulesetOf(uri string) (file string, x *symbols.Index, ok bool) {
	switch file, ok = s.fileOf(uri); {
	case !ok:
	case path.Ext(file) == caseExtension:
		x = s.indexOf(path.Base(path.Dir(file)))
	default:
		x = s.index(file)
	}
	return file, x, x != nil
}

// rulings returns those of the release for a ruleset.
func (s *snapshot) rulings(ruleset string) []book.Ruling {
	for _, d := range s.library.drafts() {
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

// locate returns the target of a request; not ok for a file of no ruleset.
func (s *snapshot) locate(p documentPosition) (*target, bool) {
	file, x, ok := s.rulesetOf(p.TextDocument.URI)
	if !ok {
		return nil, false
	}
	text := s.text(file)
	at := text.place(file, p.Position, s.encoding)
	line := []rune(text.line(at.Line))
	return &target{s, x, at, string(line[:min(at.Col-1, len(line))])}, true
}
