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

// ruleset reads a package, or the value that a release ships of one.
func (r *reader) ruleset(n *node, doc string) *book.Ruleset {
	n.checkFields("#Ruleset")
	rs := n.defined(n.characters())
	rs.ID, rs.Title, rs.Doc, rs.Place, rs.Allows = n.id(), n.string("title"), doc, n.place, n.allowances()
	if s, ok := n.field("source"); ok {
		s.checkFields("#Ruleset/source")
		rs.Book, rs.Author = s.string("book"), s.string("author")
	}
	return rs
}

// defined reads the definitions that stand in a ruleset, or in what a homebrew adds to one.
func (n *node) defined(c *characters) *book.Ruleset {
	return &book.Ruleset{
		Character:  c.shape,
		Options:    definitions(n, "options", "option", option),
		Tables:     definitions(n, "tables", "table", table),
		Traits:     definitions(n, "traits", "trait", trait),
		Functions:  definitions(n, "functions", "function", function),
		Readings:   definitions(n, "readings", "reading", reading),
		Errata:     definitions(n, "errata", "erratum", erratum),
		Rules:      definitions(n, "rules", "rule", c.rule),
		Procedures: definitions(n, "procedures", "procedure", c.procedure),
	}
}

// allowances are the warnings that are not to be reported.
func (n *node) allowances() []book.Allowance {
	var out []book.Allowance
	for _, k := range n.each("allow") {
		if k.usable() {
			k.checkFields("#Allowance")
			out = append(out, book.Allowance{Code: k.words("code"), At: k.words("at"), Why: k.string("why"), Place: k.place})
		}
	}
	return out
}

// id is the ruleset's name, by which commands and plans know it.
func (n *node) id() string {
	id := n.words("id")
	if id.S != "" && !identifier.MatchString(id.S) {
		n.r.addf("bad-name", id.Place, n.subject, "%q is no name: %s", id.S, nameRule)
	}
	return id.S
}

// definitions reads the members of one of a ruleset's maps.
func definitions[T any](n *node, field, kind string, read func(*node) T) []T {
	var out []T
	for _, k := range n.in(field) {
		k.subject = kind + " " + k.name
		k.named()
		k.once()
		if k.usable() {
			out = append(out, read(k))
		}
	}
	return out
}

// once reports a definition that is written twice: two structs under one name that both have a citation.
func (n *node) once() {
	var first plan.Place
	for _, s := range n.sites {
		lit, ok := s.expr.(*ast.StructLit)
		if !ok || s.shared || !slices.ContainsFunc(lit.Elts, func(d ast.Decl) bool { return declares(d, "cite") }) {
			continue
		}
		at := n.r.place(s.own())
		if first.Line == 0 {
			first = at
			continue
		}
		d := n.r.addf("duplicate-id", at, n.subject, "there is already one of this name")
		d.Related = append(d.Related, diag.Related{Place: first, Message: "the other"})
	}
}

// usable reports whether a value has no error of its own, and says so when it has.
func (n *node) usable() bool {
	return n.want(cue.StructKind, "a struct")
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

// named reports an id that formulas cannot use.
func (n *node) named() {
	switch {
	case reserved[n.name]:
		n.r.addf("bad-name", n.place, n.subject, "the name %s is taken by the language", n.name)
	case !identifier.MatchString(n.name):
		n.r.addf("bad-name", n.place, n.subject, "%q is no name: %s", n.name, nameRule)
	}
}

// definition reads what all definitions have.
func (n *node) definition() book.Definition {
	d := book.Definition{ID: n.name, Place: n.place, Cite: n.words("cite"), Doc: n.string("doc")}
	for _, k := range n.each("covers") {
		d.Covers = append(d.Covers, k.word())
	}
	return d
}

func option(n *node) *book.Option {
	n.checkFields("#Option")
	o := &book.Option{Definition: n.definition(), Default: n.words("default")}
	for _, k := range n.in("values") {
		s, _ := k.text()
		o.Values = append(o.Values, book.Value{Name: k.name, Doc: s, Place: k.place})
	}
	return o
}

func trait(n *node) *book.Trait {
	n.checkFields("#Trait")
	return &book.Trait{Definition: n.definition(), Formula: n.formula("expr")}
}

func function(n *node) *book.Function {
	n.checkFields("#Function")
	f := &book.Function{Definition: n.definition(), Formula: n.formula("expr")}
	for _, k := range n.in("params") {
		k.named()
		f.Params = append(f.Params, book.Param{Name: k.name, Type: k.paramType(), Place: k.place})
	}
	return f
}

var paramType = regexp.MustCompile(`^((int|double|bool|string)|list[(](int|double|bool|string)[)])$`)

func (n *node) paramType() book.Text {
	t := n.word()
	if t.S != "" && !paramType.MatchString(t.S) {
		n.addf("bad-type", "%q is no type of a parameter", t.S).Repair =
			"int, double, bool, string, or a list of one of them: list(int)"
	}
	return t
}

func reading(n *node) *book.Reading {
	n.checkFields("#Reading")
	d := n.definition()
	return &book.Reading{
		ID: d.ID, Place: d.Place, Cite: d.Cite,
		Question: n.string("question"), Ruled: n.string("ruled"), Rejected: n.string("rejected"), Why: n.string("why"),
	}
}

func erratum(n *node) *book.Erratum {
	n.checkFields("#Erratum")
	d := n.definition()
	return &book.Erratum{
		ID: d.ID, Place: d.Place, Cite: d.Cite,
		Printed: n.string("printed"), Ruled: n.string("ruled"), Why: n.string("why"), Option: n.words("option"),
	}
}

// formula reads a formula: one expression, or one for each value of a choice.
func (n *node) formula(name string) book.Formula {
	k, ok := n.field(name)
	if !ok {
		return book.Formula{Place: n.place}
	}
	return k.asFormula()
}

func (n *node) asFormula() book.Formula {
	f := book.Formula{Place: n.place}
	if !n.structured() {
		f.Expr = n.formulaText()
		return f
	}
	n.checkFields("#Choice")
	f.By = n.expr("by")
	for _, k := range n.in("is") {
		f.Is = append(f.Is, book.Arm{Value: k.name, Place: k.place, Expr: k.formulaText()})
	}
	return f
}

// namedFormulas reads a map of formulas by names.
func (n *node) namedFormulas(field string) []book.Named { return n.formulas(field, (*node).named) }

// formulas reads a map of formulas, whose keys judge looks at.
func (n *node) formulas(field string, judge func(*node)) []book.Named {
	var out []book.Named
	for _, k := range n.in(field) {
		judge(k)
		out = append(out, book.Named{Name: k.name, Place: k.place, Formula: k.asFormula()})
	}
	return out
}

// comment is the documentation of a package: the comment before its clause.
func comment(files []*ast.File) string {
	for _, f := range files {
		for _, d := range f.Decls {
			if p, ok := d.(*ast.Package); ok {
				if s := docs(p); s != "" {
					return s
				}
			}
		}
		if s := docs(f); s != "" {
			return s
		}
	}
	return ""
}

func docs(n ast.Node) string {
	for _, g := range ast.Comments(n) {
		if g.Doc {
			return strings.TrimSpace(g.Text())
		}
	}
	return ""
}
