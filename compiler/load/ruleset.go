package load

import (
	"regexp"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// readRuleset reads a package, or the value that a release ships of one.
func (r *reader) readRuleset(n *node, doc string) *book.Ruleset {
	n.checkFields("#Ruleset")
	rs := readDefinitions(n, readCharacters(n))
	rs.ID, rs.Title, rs.Doc, rs.Place, rs.Allows = n.readID(), n.readString("title"), doc, n.place, readAllowances(n)
	if s, ok := n.fieldNamed("source"); ok {
		s.checkFields("#Ruleset/source")
		rs.Book, rs.Author = s.readString("book"), s.readString("author")
	}
	return rs
}

// readDefinitions reads the definitions that stand in a ruleset, or in what a homebrew adds to one.
func readDefinitions(n *node, c *characters) *book.Ruleset {
	return &book.Ruleset{
		Character:  c.shape,
		Options:    readEach(n, "options", "option", readOption),
		Tables:     readEach(n, "tables", "table", readTable),
		Traits:     readEach(n, "traits", "trait", readTrait),
		Functions:  readEach(n, "functions", "function", readFunction),
		Readings:   readEach(n, "readings", "reading", readReading),
		Errata:     readEach(n, "errata", "erratum", readErratum),
		Rules:      readEach(n, "rules", "rule", c.readRule),
		Procedures: readEach(n, "procedures", "procedure", c.readProcedure),
	}
}

// readAllowances are the warnings that are not to be reported.
func readAllowances(n *node) []book.Allowance {
	var out []book.Allowance
	for _, k := range n.elementsOf("allow") {
		if k.checkStruct() {
			k.checkFields("#Allowance")
			out = append(out, book.Allowance{
				Code: k.readPlacedField("code"), At: k.readPlacedField("at"), Why: k.readString("why"), Place: k.place,
			})
		}
	}
	return out
}

// readID is the ruleset's name, by which commands and plans know it.
func (n *node) readID() string {
	id := n.readPlacedField("id")
	if id.S != "" && !identifier.MatchString(id.S) {
		n.r.addf("bad-name", id.Place, n.subject, "%q is no name: %s", id.S, nameRule)
	}
	return id.S
}

// readEach reads the members of one of a ruleset's maps.
func readEach[T any](n *node, field, kind string, read func(*node) T) []T {
	var out []T
	for _, k := range n.fieldsOf(field) {
		k.subject = kind + " " + k.name
		k.checkName()
		checkDefinedOnce(k)
		if k.checkStruct() {
			out = append(out, read(k))
		}
	}
	return out
}

// checkDefinedOnce reports a definition that is written twice: two structs under one name that both have a citation.
func checkDefinedOnce(n *node) {
	var first plan.Place
	for _, s := range n.sites {
		lit, ok := s.expr.(*ast.StructLit)
		if !ok || s.shared || !slices.ContainsFunc(lit.Elts, func(d ast.Decl) bool { return declaresName(d, "cite") }) {
			continue
		}
		at := n.r.placeOf(s.ownPosition())
		if first.Line == 0 {
			first = at
			continue
		}
		d := n.r.addf("duplicate-id", at, n.subject, "there is already one of this name")
		d.Related = append(d.Related, diag.Related{Place: first, Message: "the other"})
	}
}

// checkStruct reports whether a value has no error of its own, and says so when it has.
func (n *node) checkStruct() bool {
	return n.checkKind(cue.StructKind, "a struct")
}

const nameRule = "small letters, digits and _, beginning with a letter"

var identifier = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// reserved are the names that CEL or the scope of a formula has taken.
var reserved = map[string]bool{
	"character": true, "input": true, "event": true, "state": true, "option": true, "true": true, "false": true,
	"null": true, "in": true, "as": true, "break": true, "const": true, "continue": true, "else": true, "for": true,
	"function": true, "if": true, "import": true, "let": true, "loop": true, "package": true, "namespace": true,
	"return": true, "var": true, "void": true, "while": true,
}

// checkName reports an id that formulas cannot use.
func (n *node) checkName() {
	switch {
	case reserved[n.name]:
		n.r.addf("bad-name", n.place, n.subject, "the name %s is taken by the language", n.name)
	case !identifier.MatchString(n.name):
		n.r.addf("bad-name", n.place, n.subject, "%q is no name: %s", n.name, nameRule).Repair = suggestName(n.name)
	}
}

// wordStart is a capital letter behind a small one or a digit.
var wordStart = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// suggestName is the repair for a name that formulas cannot use: attack_bonus for attackBonus or Attack-Bonus.
func suggestName(name string) string {
	words := wordStart.ReplaceAllString(name, "${1}_$2")
	meant := strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(words))
	if !identifier.MatchString(meant) {
		return ""
	}
	return "write " + meant
}

// readDefinition reads what all definitions have.
func (n *node) readDefinition() book.Definition {
	d := book.Definition{ID: n.name, Place: n.place, Cite: n.readPlacedField("cite"), Doc: n.readString("doc")}
	for _, k := range n.elementsOf("covers") {
		d.Covers = append(d.Covers, k.readPlacedText())
	}
	return d
}

func readOption(n *node) *book.Option {
	n.checkFields("#Option")
	o := &book.Option{Definition: n.readDefinition(), Default: n.readPlacedField("default")}
	for _, k := range n.fieldsOf("values") {
		s, _ := k.readText()
		o.Values = append(o.Values, book.Value{Name: k.name, Doc: s, Place: k.place})
	}
	return o
}

func readTrait(n *node) *book.Trait {
	n.checkFields("#Trait")
	return &book.Trait{Definition: n.readDefinition(), Formula: readFormulaField(n, "expr")}
}

func readFunction(n *node) *book.Function {
	n.checkFields("#Function")
	f := &book.Function{Definition: n.readDefinition(), Formula: readFormulaField(n, "expr")}
	for _, k := range n.fieldsOf("params") {
		k.checkName()
		f.Params = append(f.Params, book.Param{Name: k.name, Type: k.readPlacedText(), Place: k.place})
	}
	return f
}

func readReading(n *node) *book.Reading {
	n.checkFields("#Reading")
	d := n.readDefinition()
	return &book.Reading{
		ID: d.ID, Place: d.Place, Cite: d.Cite,
		Question: n.readString("question"), Ruled: n.readString("ruled"),
		Rejected: n.readString("rejected"), Why: n.readString("why"),
	}
}

func readErratum(n *node) *book.Erratum {
	n.checkFields("#Erratum")
	d := n.readDefinition()
	return &book.Erratum{
		ID: d.ID, Place: d.Place, Cite: d.Cite,
		Printed: n.readString("printed"), Ruled: n.readString("ruled"), Why: n.readString("why"),
		Option: n.readPlacedField("option"),
	}
}

// readFormulaField reads a formula: one expression, or one for each value of a choice.
func readFormulaField(n *node, name string) book.Formula {
	k, ok := n.fieldNamed(name)
	if !ok {
		return book.Formula{Place: n.place}
	}
	return readFormula(k)
}

func readFormula(n *node) book.Formula {
	f := book.Formula{Place: n.place}
	if !n.isStruct() {
		f.Expr = n.constantOrFormula()
		return f
	}
	if k, ok := n.fieldNamed("option"); ok {
		n.readOptionChoice(k, &f)
		return f
	}
	_, chooses := n.fieldNamed("by")
	if _, arms := n.fieldNamed("is"); !chooses && !arms {
		n.addf("wrong-type", "%s must be a formula in quotes, or one for each value: {by: \"...\", is: {...}}", n.name)
		return f
	}
	n.checkFields("#Choice")
	f.By = n.readExpr("by")
	for _, k := range n.fieldsOf("is") {
		f.Is = append(f.Is, book.Arm{Value: k.name, Place: k.place, Expr: k.constantOrFormula()})
	}
	return f
}

// readOptionChoice reads a formula for each value of one option.
func (n *node) readOptionChoice(k *node, f *book.Formula) {
	n.checkFields("#OptionChoice")
	if !k.checkStruct() {
		return
	}
	options := k.dataFields()
	if len(options) != 1 {
		f.By = book.Text{S: "option", Place: k.place} // which check reports: it chooses by one option
		return
	}
	o := options[0]
	if !o.checkStruct() {
		return
	}
	f.By = book.Text{S: "option." + o.name, Place: o.place}
	for _, arm := range o.dataFields() {
		f.Is = append(f.Is, book.Arm{Value: arm.name, Place: arm.place, Expr: arm.constantOrFormula()})
	}
}

// constantOrFormula is an expression, or a number or a truth value that stands without quotes, as text.
func (n *node) constantOrFormula() book.Text {
	v, _ := n.value.Default()
	kind := v.IncompleteKind()
	if kind&(cue.NumberKind|cue.BoolKind) == 0 || kind&^(cue.NumberKind|cue.BoolKind) != 0 || !v.IsConcrete() {
		return n.formulaText()
	}
	text := n.readJSON()
	if kind == cue.FloatKind && !strings.ContainsAny(text, ".eE") {
		text += ".0"
	}
	return book.Text{S: text, Place: n.placeOf()}
}

// readNamedFormulas reads a map of formulas by names.
func readNamedFormulas(n *node, field string) []book.Named {
	return readFormulaMap(n, field, (*node).checkName)
}

// readFormulaMap reads a map of formulas, whose keys judge looks at.
func readFormulaMap(n *node, field string, judge func(*node)) []book.Named {
	var out []book.Named
	for _, k := range n.fieldsOf(field) {
		judge(k)
		out = append(out, book.Named{Name: k.name, Place: k.place, Formula: readFormula(k)})
	}
	return out
}

// packageComment is the documentation of a package: the comment before its clause.
func packageComment(files []*ast.File) string {
	for _, f := range files {
		for _, d := range f.Decls {
			if p, ok := d.(*ast.Package); ok {
				if s := docComment(p); s != "" {
					return s
				}
			}
		}
		if s := docComment(f); s != "" {
			return s
		}
	}
	return ""
}

func docComment(n ast.Node) string {
	for _, g := range ast.Comments(n) {
		if g.Doc {
			return strings.TrimSpace(g.Text())
		}
	}
	return ""
}
