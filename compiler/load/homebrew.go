package load

import (
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/fieldset"
	"github.com/tabletop-rules/rules/compiler/load/shape"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Homebrew reads the homebrew package at the root of a module. It is nil when the package is none; then diags says why.
func Homebrew(src Source, diags *diag.List) *book.Homebrew {
	r := newReader(src, diags)
	r.isHomebrew = true
	root, doc, ok := r.openPackage(".")
	if !ok {
		return nil
	}
	h := r.readHomebrew(root, doc)
	r.ReportConflicts(root.value)
	r.reportUnreadAttributes(r.PackageScope(r.Packages[0]))
	return h
}

// HomebrewOf is the id of the ruleset that the package at the root of a module changes; not ok when it is no homebrew.
func HomebrewOf(src Source) (ruleset string, ok bool) {
	r := newReader(src, &diag.List{})
	inst := r.loadInstance(".")
	if inst == nil || !hasField(r.PackageScope(inst), "ruleset") {
		return "", false
	}
	v, _ := r.buildInstance(inst)
	return r.rootNode(inst, v).readString("ruleset"), true
}

func hasField(s *site.Scope, name string) bool {
	return slices.ContainsFunc(s.List, func(f site.Field) bool { return f.Kind == site.Regular && f.Name == name })
}

// readHomebrew reads additions, extensions, replacements and disablings each by the same functions as a ruleset's own
// parts, with another field set: additions are whole definitions (#Rule), extensions have no citation (#Body).
func (r *reader) readHomebrew(n *node, doc string) *book.Homebrew {
	n.checkFields("#Homebrew")
	c := readMoreCharacter(n)
	h := &book.Homebrew{
		ID: n.readID(), Title: n.readString("title"), Doc: doc, Place: n.place, Ruleset: n.readNameField("ruleset"),
		Revision: n.readRevision(), Adds: readAdditions(n, c), Words: readWords(n), Allows: readAllowances(n),
	}
	if k, ok := n.readPart("extend", "#Homebrew/extend"); ok {
		h.Extends = &book.Extension{
			Tables:     readEach(k, "tables", "table", readMoreRows),
			Rules:      readEach(k, "rules", "rule", c.readMoreRule),
			Procedures: readEach(k, "procedures", "procedure", c.readMoreProcedure),
		}
	}
	if k, ok := n.fieldNamed("replace"); ok && k.checkStruct() {
		h.Replaces = readReplacements(k, nil)
	}
	if k, ok := n.readPart("disable", "#Homebrew/disable"); ok {
		h.Disables = readDisablings(k, nil)
	}
	return h
}

// readPart is a part of a homebrew that is a struct with some fields.
func (n *node) readPart(name, path string) (*node, bool) {
	k, ok := n.fieldNamed(name)
	if !ok || !k.checkStruct() {
		return nil, false
	}
	k.checkFields(path)
	return k, true
}

// readMoreCharacter are the fields that a homebrew adds to characters.
func readMoreCharacter(n *node) *characterShapes {
	if k, ok := n.fieldNamed("#Character"); ok {
		s := k.readCharacter()
		k.reportLackedFields(s)
		return &characterShapes{s}
	}
	return &characterShapes{&plan.Shape{Kind: plan.Record, Character: true, Place: n.place}}
}

// reportLackedFields reports fields that a homebrew adds to characters without a default: no sheet that was written for the
// ruleset has them. A field with a ! says itself that it must be given.
func (n *node) reportLackedFields(s *plan.Shape) {
	demanded := map[string]bool{}
	for _, f := range site.MembersOf(site.SplitConjuncts(n.sites)) {
		isLet := f.Decl == nil
		demanded[f.Name] = demanded[f.Name] || !isLet && f.Decl.Constraint == token.NOT
	}
	for _, m := range s.Fields {
		if m.Optional || m.Default != "" || demanded[m.Name] {
			continue
		}
		d := n.r.addf("overlay-field", m.Place, "#Character",
			"%s has no default, and no character that there is has it", m.Name)
		d.Repair = fmt.Sprintf("give it a default, as in %s: %s, or write %[1]s! where all of them are written anew",
			m.Name, shape.DefaultForm(m.Shape))
	}
}

// readAdditions are the definitions and the fields of characters that a homebrew adds.
func readAdditions(n *node, c *characterShapes) *book.Ruleset {
	k, ok := n.readPart("add", "#Homebrew/add")
	if !ok {
		return &book.Ruleset{Character: c.shape, Marks: n.r.marks, Keys: map[*plan.Shape]string{}}
	}
	return readDefinitions(k, c)
}

func readMoreRows(n *node) *book.Table {
	n.checkFields("#Rows")
	t := &book.Table{Definition: book.Definition{ID: n.name, Place: n.place}}
	fillRows(n, t)
	return t
}

func (c *characterShapes) readMoreRule(n *node) *book.Rule {
	n.checkFields("#Homebrew/extend/rules/*")
	return &book.Rule{Definition: extendedDefinition(n), Input: c.readInput(n, "#Input"), Body: readBody(n)}
}

func (c *characterShapes) readMoreProcedure(n *node) *book.Procedure {
	n.checkFields("#Homebrew/extend/procedures/*")
	p := c.readSteps(n)
	p.Definition = extendedDefinition(n)
	return p
}

// extendedDefinition returns the name of the definition that is extended.
func extendedDefinition(n *node) book.Definition { return book.Definition{ID: n.name, Place: n.place} }

// readReplacements reads structs down to those with an expectation and a replacement.
//
// The path of a replacement is written as nested labels, so the walk must know where a path ends:
//
//	replace: rules: test: output: active_value: {expect: "base - penalty - hard", with: "base - penalty"}
//
// The path is [rules test output active_value], of length 4 (depthOf), and the struct there is the replacement. In a table
// the row and the column come behind "rows", [tables chances rows 3 hit], which makes 5; a step of an event has two labels
// more than a body, which makes 6, and the start of a procedure one more. Looking for a member "expect" instead of counting
// would take a let of that name for a replacement.
func readReplacements(n *node, path []string) []book.Replacement {
	var out []book.Replacement
	for _, k := range n.replacedParts(path) {
		at := append(slices.Clip(path), k.name)
		k.subject = "replace " + strings.Join(at, ".")
		isOption := len(at) == 2 && at[0] == "options"
		switch {
		case k.reportShallow(at), k.reportWhole(at):
		case !k.isError() && k.isBareValue(at) && isReplacement(k, at): // package overlay knows what it replaces
			out = append(out, book.Replacement{Path: at, Place: k.place, With: readStated(k, path[0], partOf(at))})
		case !k.isError() && !k.isStruct() && (isOption || isReplacement(k, at)):
			k.addf("wrong-type", "%s must say too what it replaces", k.name).Repair =
				fmt.Sprintf("write %s: {expect: <what is there now>, with: %s}", k.name, k.readJSON())
		case !k.checkStruct():
		case !isReplacement(k, at):
			out = append(out, readReplacements(k, at)...)
		default:
			out = append(out, readReplacement(k, at))
			out = append(out, readPartReplacements(k, at)...)
		}
	}
	return out
}

// isBareValue reports whether a value stands alone where a replacement does: a cell, or the text of a formula or of dice.
func (n *node) isBareValue(path []string) bool {
	return n.value.IsConcrete() && !n.isStruct() && !n.isList() && (path[0] == "tables" || n.isString())
}

// reportShallow reports a replacement that stands above the part which it replaces, {expect, with} of a whole row, and
// whether there is one. A let may be called "with": what stands there has an expectation of its own.
func (n *node) reportShallow(path []string) bool {
	if len(path) == depthOf(path) || isReplacement(n, path) || len(path) < 2 {
		return false
	}
	with, puts := n.fieldNamed("with")
	expect, expects := n.fieldNamed("expect")
	if !puts || !expects {
		return false
	}
	for _, k := range []*node{with, expect} {
		if _, nested := k.fieldNamed("expect"); nested {
			return false
		}
	}
	d := n.addf("wrong-type", "a part is replaced with what is expected of it, and not %s as a whole", n.name)
	form := n.name + ": NAME: "
	switch {
	case path[0] == "tables" && len(path) == 3:
		form += "COLUMN: "
	case path[0] == "tables":
		form = n.name + ": COLUMN: "
	}
	d.Repair = "write " + form + "{expect: ..., with: ...}"
	for _, put := range with.dataFields() {
		if k, ok := expect.fieldNamed(put.name); ok && k.readJSON() != put.readJSON() {
			d.Repair = fmt.Sprintf("write %s: %s: {expect: %s, with: %s}", n.name, k.name, k.readJSON(), put.readJSON())
			return true
		}
	}
	if !with.isStruct() && !expect.isStruct() && !with.isError() && !expect.isError() {
		d.Repair = fmt.Sprintf("write %s{expect: %s, with: %s}", form, expect.readJSON(), with.readJSON())
	}
	return true
}

// reportWhole reports a rule or a procedure that is written anew under replace, with its citation or what it is given, and
// whether it is one: only parts of it are replaced.
func (n *node) reportWhole(path []string) bool {
	if len(path) != 2 || path[0] != "rules" && path[0] != "procedures" || !n.isStruct() {
		return false
	}
	parts, anew := 0, false
	for _, k := range n.allFields() {
		_, expects := k.fieldNamed("expect")
		switch {
		case k.name == "doc", k.name == "cite" && k.isString(), k.def && isGivenDefinition(k.name):
			anew = true
		case !expects:
			parts++
		}
	}
	if !anew || parts == 0 {
		return false
	}
	kind := strings.TrimSuffix(path[0], "s")
	n.addf("wrong-type", "a %s is replaced part by part, and not as a whole", kind).
		Repair = "to have it all anew, " + makeAnew(path[0], n.name)
	return true
}

// makeAnew says what a homebrew writes instead of changing a definition of a section where it cannot be changed.
func makeAnew(section, id string) string {
	return fmt.Sprintf("disable the %s and add one of another name: disable: %s: %s: \"the reason\", add: %[2]s: "+
		"%[3]s_anew: {...}", strings.TrimSuffix(section, "s"), section, id)
}

// replacedParts are the members of a struct that replacements may stand in; others are reported.
func (n *node) replacedParts(path []string) []*node {
	described, ok := replacedForm(path)
	if !ok {
		return n.dataFields()
	}
	n.checkFields(described)
	set := fieldset.Of(described)
	known := slices.Concat(set.Required, set.Optional)
	return slices.DeleteFunc(n.dataFields(), func(k *node) bool { return !slices.Contains(known, k.name) })
}

// replacedForm returns the struct of the schema that describes the members at a path in a replaced definition; not ok where
// these have names of the author's.
func replacedForm(path []string) (described string, ok bool) {
	switch {
	case len(path) == 0:
		return "#Homebrew/replace", true
	case len(path) == 2:
		return "#Homebrew/replace/" + path[0] + "/*", true
	case len(path) == 3 && path[0] == "procedures" && path[2] == "start",
		len(path) == 4 && path[0] == "procedures" && path[2] == "events":
		return "#Replacements", true
	}
	return "", false
}

// isReplacement reports whether a struct has the expectation and the replacement at its path. A let may be called "with",
// so that the depth decides; only a whole definition may be left alone with its parts replaced.
func isReplacement(n *node, path []string) bool {
	if len(path) != 2 {
		return len(path) == depthOf(path)
	}
	_, expects := n.fieldNamed("expect")
	_, puts := n.fieldNamed("with")
	return path[0] != "rules" && path[0] != "procedures" && (expects || puts)
}

// depthOf returns the length of the paths to the replaceable parts of a definition, of which one begins with or goes on
// from path.
//
// The lengths, with the parts at their ends. Whole definitions, at length 2, are told by their members (isReplacement):
//
//	3   rules.test.cite
//	4   rules.test.let.base      procedures.climb.output.height
//	5   tables.weapon.rows.dagger.damage        procedures.climb.start.let.base
//	    procedures.climb.events.fall.when
//	6   procedures.climb.events.fall.let.base
func depthOf(path []string) int {
	part := path[min(2, len(path)-1)]
	switch {
	case len(path) < 3, part == "cite":
		return 3
	case path[0] == "tables", part == "start", part == "events" && len(path) == 5 && path[4] == "when":
		return 5
	case part == "events":
		return 6
	}
	return 4
}

// readPartReplacements returns the replacements of parts of a definition that is itself replaced.
//
// replace: tables: weapon: {expect: {...}, with: {...}, cite: {...}} replaces the rows and the citation: the struct at
// depth 2 is a replacement and holds another, which only "cite" and "rows" may name.
func readPartReplacements(n *node, path []string) []book.Replacement {
	if len(path) != 2 {
		return nil
	}
	rest := *n
	rest.read = true
	rest.kids = slices.DeleteFunc(slices.Clone(n.allFields()), func(k *node) bool {
		return k.name != "cite" && k.name != "rows"
	})
	return readReplacements(&rest, path)
}

// readReplacement reads one replacement: the value that is expected and the one to be put in its place, both in the form
// that stands at the path.
func readReplacement(n *node, path []string) book.Replacement {
	part := partOf(path)
	if _, expects := n.fieldNamed("expect"); !expects && len(path) > 2 {
		if _, puts := n.fieldNamed("with"); puts {
			n.meant = append(n.meant, "expect") // package overlay reports it, with what is there
		}
	}
	switch {
	case len(path) == 2:
		n.checkFields("#Homebrew/replace/" + path[0] + "/*")
		n.requireFields("expect", "with") // the schema lets both go where only the citation or a cell is replaced
	case part == "require":
		n.checkFields("#Replacements/require/*")
	default:
		n.checkFields("#Replacement")
	}
	r := book.Replacement{Path: path, Place: n.place}
	if k, ok := n.fieldNamed("expect"); ok {
		r.Expect = readStated(k, path[0], part)
	}
	if k, ok := n.fieldNamed("with"); ok {
		r.With = readStated(k, path[0], part)
	}
	if k, ok := n.fieldNamed("says"); ok {
		r.Says = k.readPlacedText()
	}
	return r
}

// partOf is the part of a definition that a path leads into: "let", "dice", "cite"; empty for the definition itself.
func partOf(path []string) string {
	switch {
	case len(path) < 3:
		return ""
	case path[0] == "procedures" && path[2] == "start" && len(path) > 3:
		return path[3]
	case path[0] == "procedures" && path[2] == "events" && len(path) > 4:
		return path[4]
	}
	return path[2]
}

// readStated returns one side of a replacement in the form of its part of a definition.
func readStated(n *node, kind, part string) book.Stated {
	s := book.Stated{Place: n.place}
	switch {
	case kind == "tables" && part == "":
		s.Rows = readStatedRows(n)
	case kind == "tables", kind == "options", part == "cite":
		s.JSON = n.readCell()
	case part == "dice":
		s.Die = readDie(n)
	case part == "use":
		s.Use = readStatedUse(n)
	default:
		f := readFormula(n)
		s.Formula = &f
	}
	return s
}

func readStatedRows(n *node) *book.Table {
	t := &book.Table{}
	if n.checkStruct() {
		n.checkFields("#Rows")
		fillRows(n, t)
	}
	return t
}

func readStatedUse(n *node) *book.Use {
	if !n.checkStruct() {
		return &book.Use{}
	}
	return readUse(n)
}

// readDisablings reads structs down to the reasons: of a definition, or of a row of a table or an event of a procedure.
func readDisablings(n *node, path []string) []book.Disabling {
	var out []book.Disabling
	for _, k := range n.dataFields() {
		at := append(slices.Clip(path), k.name)
		k.subject = "disable " + strings.Join(at, ".")
		isReason := len(at) == 2 || len(at) == 4
		hasParts := len(at) == 2 && (at[0] == "tables" || at[0] == "procedures")
		switch {
		case len(at) == 3 && at[2] != "rows" && at[2] != "events": // reported as an unknown field
		case hasParts && k.isStruct():
			k.checkFields("#Homebrew/disable/" + at[0] + "/*")
			out = append(out, readDisablings(k, at)...)
		case isReason && k.isStruct():
			k.addf("not-concrete", "the %s %s is disabled as a whole", strings.TrimSuffix(at[len(at)-2], "s"),
				k.name).Repair =
				fmt.Sprintf("write %s: \"the reason\"; to change a part of it, replace that", k.name)
		case isReason && k.value.IncompleteKind()&(cue.BoolKind|cue.NullKind) != 0 && !k.isError():
			k.addf("not-text", "what is disabled is disabled with the reason").Repair =
				fmt.Sprintf("write %s: \"the reason\"", k.name)
		case isReason:
			if why, ok := k.readText(); ok {
				out = append(out, book.Disabling{Path: at, Place: k.place, Why: why})
			}
		case k.checkStruct():
			out = append(out, readDisablings(k, at)...)
		}
	}
	return out
}
