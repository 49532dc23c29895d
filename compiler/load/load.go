// Package load turns CUE packages into rulesets as their authors wrote them: book.Ruleset, and book.Release for what
// rules.cue ships.
//
// A value comes from CUE's evaluation, so that references, embeddings and comprehensions mean what CUE says. Order,
// places and the constraints of inputs come from the syntax trees of the author's files alone: a unified value knows
// the schema's places better than the author's. This package and those below it are the only ones that import CUE, and
// they import no CEL.
//
// # Two views of one file
//
// CUE's evaluator gives values. It knows that a field is 5 after embedding, references and comprehensions, and is the
// only one who does; but it has forgotten where the author wrote it, in which order, and of a constraint like ">=1 &
// <=10" it gives back something that only it can test. The syntax tree has all of that, and knows no values. Reading
// either alone fails: an interpreter of syntax trees is a second, worse CUE, and an error "conflicting values 5 and
// string" at the schema's line helps nobody.
//
// So every field is a node with both (node.go): the value, and the sites, the expressions in the author's files that it
// was unified from. Sites are found by following CUE's own scoping: conjuncts of "&", embedded structs, references to
// fields and definitions, patterns and computed labels (package site). That search may miss something, for CUE is larger
// than it; then a place is that of the field around it and never a wrong value, because values do not pass through it.
// Which fields there are at all, the evaluation decides; order is that of the first site.
//
// Strings give a place to each of their code points when some site is a literal that says just that string: a caret can
// then point into a formula, through escapes and line ends (literal.go). Constraints of inputs are read from sites into a
// schema of fields, kinds and bounds (package shape); one that says more than a schema can is refused
// rather than dropped, as a field that looks bounded and is not would be believed.
//
// # What is read for whom
//
// The schema is for editors and for plain cue vet. It is withdrawn before evaluation, and its rules are checked here in
// the author's words (withdraw.go, fieldcheck.go). Rulesets that are not asked for are cut out of rules.cue before CUE
// builds their packages (narrow.go, leftOut). A file of a stranger is measured by its tokens before anything recursive
// sees it (limits.go).
//
// # One formula and one bound
//
// Rule test of tempestas embeds the hidden struct _aim, which has the line
//
//	output: active_value: "base - penalty - hard"
//
// instance.go has CUE parse the file, and limits.go and withdraw.go see it first: its tokens are
// counted, and the embedded schema.#Ruleset becomes "_". CUE builds the package to one value.
// ruleset.go walks this value: rootNode, its member "rules", the member "test" of that, and body.go
// the member "output" of that. Each step makes nodes: active_value has the value "base - penalty -
// hard" from CUE, and one site, the *ast.BasicLit behind the colon, which package site has reached by
// the embedding. definition.go sees a string and no struct, so it is one expression; text.go finds
// that the literal of the site unquotes to the very string of the value, and literal.go gives the
// byte offset of each of its 21 code points in the literal. Nothing is escaped and the literal
// stands on one line, so that these offsets are one book.Run: the first code point is one column
// behind the quote, and each other follows from it.
//
// Among the outputs of test it stands where _aim is embedded, before those that test declares behind
// it; a message about it points into _aim. Had the author computed it, as "base\(_rest)", no literal
// would say the string: the text then has one place, that of the expression.
//
// The #Character of tempestas has the line
//
//	statistics: [string]: int & >=0
//
// This is a definition: it has no value to walk, as any number of JSON objects satisfy it, so inputs.go has package shape
// read its sites alone: a map whose elements are {Kind: Int, Min: 0}. The field has neither "!" nor "?", so it needs a
// default: an empty map.
//
// # The rooms
//
// Package site knows what is written for a value, and where; shape reads constraints from it; explain words what CUE
// refuses; fieldset has the fields that schema.cue names. None of them knows a node or a book.
//
// # In which order to read
//
// load.go, reader.go and instance.go open a module; node.go joins a value with its sites, element.go does for lists;
// ruleset.go, definition.go, body.go, table.go and matrix.go read what a ruleset has, release.go and homebrew.go what the
// other two kinds of package have. text.go and literal.go are about strings and their places, inputs.go about inputs.
// fieldcheck.go judges which fields a struct has, encoding.go and unread.go report what CUE passes over in silence.
// narrow.go and sources.go let a command read less than a whole module.
//
// # What holds between the steps, and the test that says so
//
//   - What is read equals what "cue export" prints: TestOracleShipped, TestOracleExamples,
//     TestOracleGenerated.
//   - What CUE accepts is not refused as a problem of CUE's: TestVerdicts.
//   - A place is that of the code point an author would point at, through escapes and UTF-16:
//     TestTextPlaces, TestDecode.
//   - Every file of the directory is read or reported: TestFilesAreNotPassedOver, TestUnreadFilesAreNamed.
//   - Every error is reported in one go, where one does not follow from another: TestCollectsAll.
//   - No text exhausts the reader: TestLimits, FuzzDirectory.
//
// Invariant: whatever the files contain, a problem is a diagnostic at the author's own place; nothing is read from the
// host, the network or the environment, only from the given tree.
package load

import (
	"slices"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/build"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/site"
)

// Directory reads the ruleset package in one directory of a module: a path relative to the root, "." for the root. It
// is nil when the package is no ruleset; then diags says why.
func Directory(src Source, dir string, diags *diag.List) *book.Ruleset {
	r := newReader(src, diags)
	root, doc, ok := r.openPackage(dir)
	if !ok {
		return nil
	}
	rs := r.readRuleset(root, doc)
	r.ReportConflicts(root.value)
	r.reportUnreadAttributes(r.PackageScope(r.Packages[0]))
	return rs
}

// Release reads rules.cue at the root of a module and every ruleset that it ships, or only those named: then packages that
// only others import are not even parsed, where narrow can tell. It returns the readable ones; diags has the rest.
func Release(src Source, diags *diag.List, only ...string) []*book.Release {
	r := newReader(src, diags)
	if len(only) > 0 {
		r.only = only
	}
	var out []*book.Release
	var read []*site.Scope
	for _, n := range r.shippedEntries() {
		if len(only) > 0 && !slices.Contains(only, n.name) {
			continue
		}
		if rel := r.readRelease(n); rel != nil {
			out = append(out, rel)
			read = append(read, packageOfRules(n))
		}
		r.ReportConflicts(n.value)
	}
	r.reportUnreadAttributes(read...)
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

// shippedEntries opens the root of a release and returns its entries; a root without rulesets is reported.
func (r *reader) shippedEntries() []*node {
	root, _, ok := r.openPackage(".")
	if !ok {
		return nil
	}
	if _, ok := root.fieldNamed("rulesets"); !ok {
		r.addf("missing-field", root.place, "", "there are no rulesets: this is not the root of a release")
	}
	return root.fieldsOf("rulesets")
}

// openPackage parses and evaluates the package in a directory; doc is its comment. It is not ok when its values cannot be
// read, which is reported.
func (r *reader) openPackage(dir string) (root *node, doc string, ok bool) {
	inst := r.loadInstance(dir)
	if inst == nil {
		return nil, "", false
	}
	r.reportSchemaNames()
	r.reportComprehensions()
	v, ok := r.buildInstance(inst)
	if !ok {
		return nil, "", false
	}
	return r.rootNode(inst, v), r.PackageScope(inst).Doc, true
}

// buildInstance evaluates a package. A name that CUE does not know ends it here: it hides every other error of the
// package.
func (r *reader) buildInstance(inst *build.Instance) (cue.Value, bool) {
	v := r.Context.BuildInstance(inst)
	if inst.Err == nil && !slices.ContainsFunc(inst.Imports, func(dep *build.Instance) bool { return dep.Err != nil }) {
		return v, true
	}
	if !r.ReportReferences() {
		r.ReportErrors(inst.Err)
	}
	return v, false
}
