// Package load turns CUE packages into rulesets as their authors wrote them: book.Ruleset, and book.Release for what
// rules.cue ships.
//
// A value comes from CUE's evaluation, so that references, embeddings and comprehensions mean what CUE says. Order,
// places and the constraints of inputs come from the syntax trees of the author's files alone: a unified value knows
// the schema's places better than the author's. This is the only package that imports CUE, and it imports no CEL.
//
// Invariant: whatever the files contain, a problem is a diagnostic at the author's own place; nothing is read from the
// host, the network or the environment, only from the given tree.
package load

import (
	"io/fs"
	"slices"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/build"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
)

// Source is a tree of CUE files: a module. Name is how its files are named in diagnostics: a prefix, or "" to name them
// as they are.
type Source struct {
	FS   fs.FS
	Name string
}

// Directory reads the ruleset package in one directory of a module: a path relative to the root, "." for the root. It
// is nil when the package is no ruleset; then diags says why.
func Directory(src Source, dir string, diags *diag.List) *book.Ruleset {
	r := newReader(src, diags)
	inst := r.loadInstance(dir)
	if inst == nil {
		return nil
	}
	v, ok := r.buildInstance(inst)
	if !ok {
		return nil
	}
	rs := r.readRuleset(r.rootNode(inst, v), r.packageScope(inst).doc)
	r.reportConflicts(v)
	return rs
}

// Release reads rules.cue at the root of a module and every ruleset that it ships, or only those named: then packages that
// only others import are not even parsed, where narrow can tell. It gives what could be read; diags has the rest.
func Release(src Source, diags *diag.List, only ...string) []*book.Release {
	r := newReader(src, diags)
	if len(only) > 0 {
		r.only = only
	}
	var out []*book.Release
	for _, n := range r.shippedEntries() {
		if len(only) > 0 && !slices.Contains(only, n.name) {
			continue
		}
		if rel := r.readRelease(n); rel != nil {
			out = append(out, rel)
		}
		r.reportConflicts(n.value)
	}
	return out
}

// Names are the rulesets that rules.cue at the root of a module ships, in its order, without reading them; none when it
// cannot be read, which Release explains.
func Names(src Source) []string {
	r := newReader(src, &diag.List{})
	r.only = []string{}
	if others := r.shippedEntries(); len(others) == 0 && r.left.namesOfOnlyFile() != nil {
		return r.left.namesOfOnlyFile()
	}
	var out []string
	for _, n := range newReader(src, &diag.List{}).shippedEntries() { // some cannot be told from their names alone
		out = append(out, n.name)
	}
	return out
}

// shippedEntries are the entries of rules.cue.
func (r *reader) shippedEntries() []*node {
	inst := r.loadInstance(".")
	if inst == nil {
		return nil
	}
	v, ok := r.buildInstance(inst)
	if !ok {
		return nil
	}
	root := r.rootNode(inst, v)
	if _, ok := root.fieldNamed("rulesets"); !ok {
		r.addf("missing-field", root.place, "", "there are no rulesets: this is not the root of a release")
	}
	return root.fieldsOf("rulesets")
}

// buildInstance evaluates a package. A name that CUE does not know ends it here: it hides every other error of the package.
func (r *reader) buildInstance(inst *build.Instance) (cue.Value, bool) {
	v := r.ctx.BuildInstance(inst)
	if inst.Err == nil && !slices.ContainsFunc(inst.Imports, func(dep *build.Instance) bool { return dep.Err != nil }) {
		return v, true
	}
	if !r.reportReferences() {
		r.cueErrors(inst.Err)
	}
	return v, false
}
