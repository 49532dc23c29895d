package lsp

import (
	"cmp"
	"context"
	"path"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A library has the rulesets of a project as their authors have written them so far, with their names. A ruleset is read
// when a request asks for it, and again when something has changed since. While CUE cannot read it, the last one is given:
// most keys that an author types break something. It serves requests, which come one at a time.
//
// Two readers of the same text exist on purpose. The checker wants everything that is wrong and
// gives up at the first phase that fails; the library wants as much as there is, and takes a book
// whose formulas do not parse. Sharing one would make completion wait for an analysis.
type library struct {
	reader        sandbox.Compiler
	entries       map[string]*libraryEntry // by directory
	listedVersion int                      // the version of the view for which all rulesets were read
}

// A libraryEntry is what is known of the ruleset in a directory.
type libraryEntry struct {
	index   *symbols.Index // nil where no ruleset lies
	draft   *compiler.Draft
	version int  // of the view that it was read for, or could not be read for
	isStale bool // that view could not be read, and what is known is of an earlier text
}

func newLibrary(trusts func(string) bool) *library {
	return &library{reader: sandbox.Compiler{Trusts: trusts}, entries: map[string]*libraryEntry{}, listedVersion: -1}
}

// close ends the process that reads, if there is one.
func (l *library) close() { l.reader.Close() }

// entryOfFile returns the entry of the ruleset that a file belongs to. A module beyond the bounds of a stranger is not read
// again.
//
// The version is noted before anything is read: a file that cannot be read is tried once for a version, however many
// requests come for it. An editor sends a dozen after each key.
func (l *library) entryOfFile(v *view, file string, beyond bool) *libraryEntry {
	dir := path.Dir(file)
	e := l.entries[dir]
	if e == nil {
		e = &libraryEntry{version: -1}
		l.entries[dir] = e // known from now on, also when no ruleset lies there
	}
	if e.version == v.version {
		return e
	}
	e.version = v.version
	e.isStale = true
	if !beyond {
		l.readDrafts(v, path.Base(dir)) // puts another entry in the place of this one, if it can be read
	}
	return l.entries[dir]
}

// readDrafts reads the rulesets of a name, or else all that there are.
func (l *library) readDrafts(v *view, name string) {
	for _, d := range l.loadDrafts(v, name) {
		e := &libraryEntry{index: symbols.New(d.Rules), draft: d, version: v.version}
		if d.Homebrew != nil {
			e.index.AddHomebrew(d.Homebrew)
		}
		l.entries[dirOf(d)] = e
	}
}

// entryOfRuleset returns the entry of a ruleset, of the homebrew's when it has no name; an empty one of an unknown ruleset.
//
// A ruleset is asked for by its id before any of its files was opened, by a case for example. So the second try reads the
// rulesets of that name first, and looks again.
func (l *library) entryOfRuleset(v *view, ruleset string, beyond bool) *libraryEntry {
	if v.homebrew {
		return l.entryOfFile(v, "homebrew.cue", beyond)
	}
	for try := range 2 {
		for dir, e := range l.entries {
			if e.index != nil && e.index.Ruleset() == ruleset {
				return l.entryOfFile(v, path.Join(dir, "ruleset.cue"), beyond)
			}
		}
		if try == 0 && !beyond {
			l.readDrafts(v, ruleset)
		}
	}
	return &libraryEntry{}
}

// loadDrafts reads the rulesets of a name as they are written, or else all; with a homebrew the one that it changes.
func (l *library) loadDrafts(v *view, name string) []*compiler.Draft {
	l.reader.Forget()
	m := v.module()
	if !v.homebrew {
		return l.reader.Drafts(m, name)
	}
	id, ok, _ := l.reader.HomebrewOf(m)
	if !ok {
		return nil
	}
	if d := l.reader.HomebrewDraft(v.base, id, m); d != nil {
		return []*compiler.Draft{d}
	}
	return nil
}

// compile returns the plans and diagnostics of a view that differs from the screen.
func (l *library) compile(v *view) ([]*plan.Plan, []diag.Diagnostic) {
	l.reader.Forget()
	plans, found, err := l.reader.Recompile(context.Background(), v.compilationSubject(""))
	must.Succeed(err) // the context does not end
	return plans, found
}

// allIndexes returns the indexes of all rulesets of the project, in the order of their ids. Those that no request has asked
// for yet are read first.
func (l *library) allIndexes(v *view, beyond bool) []*symbols.Index {
	if l.listedVersion != v.version && !beyond {
		l.listedVersion = v.version
		l.readDrafts(v, "")
	}
	var out []*symbols.Index
	for _, e := range l.entries {
		if e.index != nil {
			out = append(out, e.index)
		}
	}
	slices.SortFunc(out, func(a, b *symbols.Index) int { return cmp.Compare(a.Ruleset(), b.Ruleset()) })
	return out
}

// loadedDrafts returns the rulesets that have been read so far.
func (l *library) loadedDrafts() []*compiler.Draft {
	var out []*compiler.Draft
	for _, e := range l.entries {
		if e.draft != nil {
			out = append(out, e.draft)
		}
	}
	return out
}

// dirOf returns the directory of a ruleset; empty for one that defines nothing, whose directory nothing tells.
func dirOf(d *compiler.Draft) string {
	if d.Homebrew != nil {
		return "."
	}
	if at := firstPlace(d.Rules); at != (plan.Place{}) {
		return path.Dir(at.File)
	}
	return ""
}

// firstPlace returns where a definition of a ruleset stands: in its directory, as the place of the ruleset itself need not
// be.
func firstPlace(b *book.Ruleset) plan.Place {
	switch {
	case len(b.Rules) > 0:
		return b.Rules[0].Place
	case len(b.Procedures) > 0:
		return b.Procedures[0].Place
	case len(b.Tables) > 0:
		return b.Tables[0].Place
	}
	return plan.Place{}
}
