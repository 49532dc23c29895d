package lsp

import (
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/workspace"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Who compiles. CUE is evaluated without bounds, so what strangers wrote is evaluated in a worker that can be killed
// (package sandbox), and an editor's buffer is a stranger's as much as the file under it. Only the module of a directory
// that the user trusts is compiled in this process, by a session that compiles again what changed and nothing else. The
// list of trusted directories is asked each time: it may change while the editor runs.

// shippedName is what the files of the ruleset that ships are called, of which a client can open none.
const shippedName = "rules:shipped"

// isTrusted reports whether the directory that the server works on may be evaluated in this process.
func (s *server) isTrusted() bool { return s.options.Trusts != nil && s.options.Trusts(s.options.Root) }

// module is what the server works on, as a worker reads it.
func (s *server) module(v *view) sandbox.Module {
	m := sandbox.Module{Dir: s.options.Root, Patched: map[string][]byte{}}
	for name, text := range v.texts {
		m.Patched[name] = []byte(text)
	}
	return m
}

// nameBase says how the files of the ruleset are called that a homebrew changes: by their whole paths, or shippedName.
func (o *Options) nameBase() {
	o.Base.Name = shippedName
	if o.Base.Dir != "" {
		o.Base.Name = filepath.ToSlash(o.Base.Dir)
	}
}

// compile compiles the buffers of a view.
func (s *server) compile(v *view) ([]*plan.Plan, []diag.Diagnostic) {
	switch {
	case s.options.Homebrew:
		return s.compileHomebrew(v)
	case s.isTrusted():
		s.source.files = v.buffers
		return s.session.Release()
	}
	s.compiler.Forget()
	return s.compiler.Release(s.module(v), compiler.Options{Analyse: true})
}

// compileHomebrew compiles the ruleset with the homebrew, and leaves out what "rules vet" leaves out. While the homebrew
// does not say which ruleset it changes, it is the one that it changed last.
func (s *server) compileHomebrew(v *view) ([]*plan.Plan, []diag.Diagnostic) {
	h := s.module(v)
	s.compiler.Forget()
	id, ok, limit := s.compiler.HomebrewOf(h)
	if len(limit) > 0 {
		return nil, limit
	}
	if ok {
		s.setChanges(id)
	}
	o := compiler.Options{Analyse: true}
	p, list := s.compiler.Homebrew(s.options.Base, s.changedRuleset(), []sandbox.Module{h}, o)
	list = workspace.OwnProblems(list, s.baseProblems(o), func(at plan.Place) bool { return s.isOwnFile(at.File) })
	if p == nil {
		return nil, list
	}
	return []*plan.Plan{p}, list
}

// baseProblems are what is wrong with the ruleset without the homebrew. They are looked for again when files were saved.
func (s *server) baseProblems(o compiler.Options) []diag.Diagnostic {
	s.mu.Lock()
	saved := s.onDisk
	s.mu.Unlock()
	if id := s.changedRuleset(); s.base.ruleset != id || s.base.saved != saved {
		_, list := s.compiler.Release(s.options.Base, o, id)
		s.base = baseDiagnostics{id, saved, list}
	}
	return s.base.list
}

// baseDiagnostics are what was found in the ruleset that a homebrew changes, alone.
type baseDiagnostics struct {
	ruleset string
	saved   int // the version in which files were saved last before that
	list    []diag.Diagnostic
}

// changedRuleset is the ruleset that the homebrew changes; empty before that is known.
func (s *server) changedRuleset() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changes
}

func (s *server) setChanges(ruleset string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes = ruleset
}

// loadDrafts reads the rulesets that may lie in a directory, as they are written: the one that is called like it, or else
// all; with a homebrew the one that it changes.
func (s *server) loadDrafts(v *view, dir string) []*compiler.Draft {
	if !s.options.Homebrew && s.isTrusted() {
		return compiler.Drafts(load.Source{FS: v.buffers}, path.Base(dir))
	}
	if s.isBeyond(v.version) {
		return nil
	}
	s.reader.Forget()
	if !s.options.Homebrew {
		return s.reader.Drafts(s.module(v), path.Base(dir))
	}
	h := s.module(v)
	id, ok, _ := s.reader.HomebrewOf(h)
	if !ok {
		return nil
	}
	s.setChanges(id)
	if d := s.reader.HomebrewDraft(s.options.Base, id, h); d != nil {
		return []*compiler.Draft{d}
	}
	return nil
}

// isBeyond reports whether the diagnostics of a version say that it goes beyond the bounds of a stranger: then it is not
// read once more.
func (s *server) isBeyond(version int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.foundIn == version && slices.ContainsFunc(s.found, func(d diag.Diagnostic) bool {
		return d.Code == "evaluation-limit" && path.Ext(d.Place.File) != ".cue"
	})
}

// casesDir is where the cases of a ruleset lie: a homebrew has them in one directory.
func (s *server) casesDir(ruleset string) string {
	if s.options.Homebrew {
		return "golden"
	}
	return path.Join("golden", ruleset)
}

// isOwnFile reports whether a file lies in the directory that the server works on.
func (s *server) isOwnFile(name string) bool {
	return !s.options.Homebrew || name != s.options.Base.Name && !strings.HasPrefix(name, s.options.Base.Name+"/")
}

// baseFile is the path of a file of the ruleset that a homebrew changes, in the ruleset's own module.
func (s *server) baseFile(name string) (string, bool) {
	if s.isOwnFile(name) {
		return "", false
	}
	return strings.CutPrefix(name, s.options.Base.Name+"/")
}

// shownAt are the places at which a diagnostic is shown: its own, when it is in a file of the directory. What is wrong with
// the whole directory is shown at the beginning of each buffer, and what is wrong with the ruleset because of the homebrew
// where that names the ruleset.
func (s *server) shownAt(v *view, d *diag.Diagnostic) []plan.Place {
	switch {
	case !s.isOwnFile(d.Place.File):
		return []plan.Place{v.findRulesetLine()}
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

// rulesetLine is where a homebrew says which ruleset it changes.
var rulesetLine = regexp.MustCompile(`^\s*ruleset:`)

// findRulesetLine finds rulesetLine in the files of a homebrew; without one it is the beginning of the first.
func (v *view) findRulesetLine() plan.Place {
	names, err := fs.Glob(v, "*.cue")
	if err != nil || len(names) == 0 {
		return plan.Place{}
	}
	for _, name := range names {
		if i := slices.IndexFunc(v.text(name).lines, rulesetLine.MatchString); i >= 0 {
			return plan.Place{File: name, Line: i + 1, Col: 1}
		}
	}
	return plan.Place{File: names[0], Line: 1, Col: 1}
}
