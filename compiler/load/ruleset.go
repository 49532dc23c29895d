package load

import (
	"cmp"
	"fmt"
	"slices"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// readRuleset reads a package, or the value that a release ships of one.
func (r *reader) readRuleset(n *node, doc string) *book.Ruleset {
	n.checkFields("#Ruleset")
	rs := readDefinitions(n, readCharacters(n))
	rs.ID, rs.Title, rs.Doc, rs.Place, rs.Allows = n.readID(), n.readString("title"), doc, n.place, readAllowances(n)
	rs.Words = readWords(n)
	if s, ok := n.fieldNamed("source"); ok && s.checkStruct() {
		s.checkFields("#Ruleset/source")
		rs.Book, rs.Author = s.readString("book"), s.readString("author")
	}
	return rs
}

// readDefinitions returns the definitions of a ruleset, or those that a homebrew adds to one. c comes from the ruleset's
// own #Character, which all inputs refer to, or from the homebrew's.
func readDefinitions(n *node, c *characterShapes) *book.Ruleset {
	options := readEach(n, "options", "option", readOption)
	return &book.Ruleset{
		Character:  c.shape,
		Marks:      n.r.marks,
		Keys:       map[*plan.Shape]string{},
		Options:    options,
		Tables:     readEach(n, "tables", "table", readTable),
		Traits:     readEach(n, "traits", "trait", readTrait),
		Functions:  readEach(n, "functions", "function", readFunction),
		Readings:   readEach(n, "readings", "reading", readReading),
		Errata:     readEach(n, "errata", "erratum", func(k *node) *book.Erratum { return readErratum(k, options) }),
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
				Code: k.readNameField("code"), At: k.readNameField("at"), Why: k.readString("why"), Place: k.place,
			})
		}
	}
	return out
}

// readID is the ruleset's name, by which commands and plans know it.
func (n *node) readID() string {
	id := n.readPlacedField("id")
	if id.S != "" && !identifier().MatchString(id.S) {
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

// checkDefinedOnce reports a definition that is written twice: two structs under one name that both have a citation or a
// doc.
//
// To CUE the second is more of the first, and "damage: 4" beside "damage: 5" a conflict at best. A definition may rightly
// be written in several structs, as with a shared pattern; the citation and the doc, which each has once, tell two
// definitions from one.
func checkDefinedOnce(n *node) {
	var first plan.Place
	for _, s := range n.sites {
		isHead := func(d ast.Decl) bool {
			return site.DeclaresName(d, "cite") || site.DeclaresName(d, "doc") || site.IsAttribute(d, "cite")
		}
		lit, ok := s.Expr.(*ast.StructLit)
		if !ok || s.Shared || !slices.ContainsFunc(lit.Elts, isHead) {
			continue
		}
		at := n.r.PlaceOf(s.OwnPosition())
		if first.Line == 0 {
			first = at
			continue
		}
		d := n.r.addf("duplicate-id", at, n.subject, "there is already one of this name")
		d.Breaks = []string{n.name}
		d.Repair = "give one of them another name"
		d.Related = append(d.Related, diag.Related{Place: first, Message: "the other"})
	}
}

func readOption(n *node) *book.Option {
	n.checkFields("#Option")
	o := &book.Option{Definition: n.readCitedDefinition(), Default: n.readNameField("default")}
	_, says := n.fieldNamed("default")
	if k, ok := n.fieldNamed("values"); ok && k.isStruct() && !k.isError() && len(k.dataFields()) == 0 {
		k.addf("missing-field", "an option has values").Repair = `write values: {strict: "what it means", loose: "..."}`
	}
	for _, k := range n.fieldsOf("values") {
		s, _ := k.readText()
		o.Values = append(o.Values, book.Value{Name: k.name, Doc: s, Place: k.place})
		if !says && o.Default.S == "" {
			o.Default = book.Text{S: k.name, Place: k.place} // the first
		}
	}
	return o
}

func readTrait(n *node) *book.Trait {
	n.checkFields("#Trait")
	return &book.Trait{Definition: n.readCitedDefinition(), Formula: readFormulaField(n, "expr")}
}

func readFunction(n *node) *book.Function {
	n.checkFields("#Function")
	f := &book.Function{Definition: n.readCitedDefinition(), Formula: readFormulaField(n, "expr")}
	for _, k := range n.fieldsOf("params") {
		k.checkName()
		f.Params = append(f.Params, book.Param{Name: k.name, Type: k.readParameterType(), Place: k.place})
	}
	return f
}

// readParameterType reads the type of a parameter, which formulas call otherwise than CUE does: "list(int)" for [...int].
func (n *node) readParameterType() book.Text {
	name := typeNameOf(n.value)
	if _, err := n.value.String(); err != nil && (name != "" || n.value.IncompleteKind() == cue.ListKind) {
		n.addf("not-text", "%s must be the name of a type, in quotes", n.name).Repair =
			fmt.Sprintf("write %s: %q", n.labelText(), cmp.Or(name, "list(int)"))
		return book.Text{Place: n.place}
	}
	return n.readPlacedName()
}

// typeNameOf returns how formulas call the type of a value of CUE; "" where that does not follow from its kind.
func typeNameOf(v cue.Value) string {
	switch v.IncompleteKind() {
	case cue.IntKind:
		return "int"
	case cue.FloatKind, cue.NumberKind:
		return "double"
	case cue.BoolKind:
		return "bool"
	case cue.StringKind:
		return "string"
	case cue.ListKind:
		if elem := typeNameOf(v.LookupPath(cue.MakePath(cue.AnyIndex))); elem != "" {
			return "list(" + elem + ")"
		}
	}
	return ""
}

func readReading(n *node) *book.Reading {
	n.checkFields("#Reading")
	d := n.readCitedDefinition()
	return &book.Reading{
		ID: d.ID, Place: d.Place, Cite: d.Cite,
		Question: n.readString("question"), Ruled: n.readString("ruled"),
		Rejected: n.readString("rejected"), Why: n.readString("why"),
	}
}

// readErratum reads an erratum. Its option is by default the one of its own name, and its citation that of its option.
func readErratum(n *node, options []*book.Option) *book.Erratum {
	n.checkFields("#Erratum")
	e := &book.Erratum{
		ID: n.name, Place: n.place,
		Printed: n.readString("printed"), Ruled: n.readString("ruled"), Why: n.readString("why"),
		Option: n.readNameField("option"),
	}
	named := cmp.Or(e.Option.S, e.ID)
	i := slices.IndexFunc(options, func(o *book.Option) bool { return o.ID == named })
	if i >= 0 && e.Option.S == "" {
		e.Option = book.Text{S: named, Place: n.place}
	}
	if i < 0 || n.citesItself() {
		e.Cite = n.readCitedDefinition().Cite
	} else {
		e.Cite = options[i].Cite
	}
	return e
}

// readFormulaField reads a formula: one expression, or one for each value of a choice.
func readFormulaField(n *node, name string) book.Formula {
	k, ok := n.fieldNamed(name)
	if !ok {
		return book.Formula{Place: n.place}
	}
	return readFormula(k)
}
