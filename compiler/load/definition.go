package load

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"

	"github.com/tabletop-rules/rules/compiler/book"
)

// checkStruct reports whether a value has no error of its own, and says so when it has.
func (n *node) checkStruct() bool {
	return n.checkKind(cue.StructKind, "a struct")
}

const nameRule = "small letters, digits and _, beginning with a letter"

var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_]*$`) })

// reserved are the names that CEL or the scope of a formula has taken.
// The first five are names that formulas read. The others are those of the CEL specification,
// section "Syntax": its reserved words, the operator in, and the literals true, false and null.
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
		d := n.r.addf("bad-name", n.place, n.subject, "the name %s is taken by the language", n.name)
		d.Repair, d.Breaks = "give it another name", []string{n.name}
	case !identifier().MatchString(n.name):
		d := n.r.addf("bad-name", n.place, n.subject, "%q is no name: %s", n.name, nameRule)
		d.Repair = suggestName(n.name)
		d.Breaks = []string{n.name, strings.TrimPrefix(d.Repair, "write ")}
	}
}

// wordStart is a capital letter behind a small one or a digit.
var wordStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([a-z0-9])([A-Z])`) })

// suggestName is the repair for a name that formulas cannot use: attack_bonus for attackBonus or Attack-Bonus.
func suggestName(name string) string {
	words := wordStart().ReplaceAllString(name, "${1}_$2")
	meant := strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(words))
	if !identifier().MatchString(meant) {
		return ""
	}
	return "write " + meant
}

// readCitedDefinition returns the members of a definition that says where the book has it: by its cite, by the @cite at its
// head, or by that of the innermost struct around it or of its file.
func (n *node) readCitedDefinition() book.Definition {
	d := n.readDefinition()
	if n.citesItself() || slices.Contains(n.meant, "cite") {
		return d
	}
	for _, s := range n.sites {
		if a := n.r.AttributeAround(s.OwnPosition(), "cite"); a != nil && !s.Shared {
			d.Cite = n.readCiteAttribute(a)
			return d
		}
	}
	missing := n.r.addf("missing-cite", n.place, n.subject, "cite is missing: where does the book say this")
	missing.Repair = `write cite: "..." with the chapter, heading or table, or @cite("...") where it is that of all`
	return d
}

// readDefinition returns the members that definitions and steps have.
func (n *node) readDefinition() book.Definition {
	d := book.Definition{ID: n.name, Place: n.place, Cite: n.readPlacedField("cite"), Doc: n.readString("doc"),
		Said: n.readSaid()}
	if _, ok := n.fieldNamed("cite"); !ok {
		if a := n.headCite(); a != nil {
			d.Cite = n.readCiteAttribute(a)
		}
	}
	for _, k := range n.elementsOf("covers") {
		d.Covers = append(d.Covers, k.readPlacedText())
	}
	return d
}

// citesItself reports whether a definition has a cite or an @cite of its own.
func (n *node) citesItself() bool {
	_, ok := n.fieldNamed("cite")
	return ok || n.headCite() != nil
}

// headCite returns the @cite among the declarations of the definition's own struct; nil when there is none. That of a
// struct which it embeds is none of its own.
func (n *node) headCite() *ast.Attribute {
	for _, s := range n.sites {
		if a := s.HeadAttribute("cite"); a != nil && !s.Shared {
			return a
		}
	}
	return nil
}

// readCiteAttribute returns the citation in an @cite, which may stand there without quotes.
func (n *node) readCiteAttribute(a *ast.Attribute) book.Text {
	cite := book.Text{S: n.r.ReadAttribute(a), Place: n.r.PlaceOf(a.Pos())}
	if text, err := literal.Unquote(cite.S); err == nil {
		cite.S = text
	}
	return cite
}

// readFormula reads a formula in one of its two forms: one expression, or one for each value of a name, whose path stands
// before them.
//
//	hard: "penalty + 10"
//	hard: option: hard_tests: {book: "1", house: "2"}
//	hard: input: kind: {skill: "1", power: "2"}
//
// A number or truth value without quotes is a formula too; 2.0 must keep its fraction, as it is a
// double in CEL and 2 is an int.
func readFormula(n *node) book.Formula {
	f := book.Formula{Place: n.place}
	if !n.isStruct() {
		f.Expr = n.constantOrFormula()
		return f
	}
	f.By, f.Is = n.readChoice()
	if f.By.S == "" {
		d := n.addf("wrong-type", "%s must be a formula in quotes, or one for each value of a name", n.name)
		d.Repair = "write as in " + n.name + `: option: tie: {made: "...", missed: "..."}`
		if n.name == "character" {
			d.Repair, d.Breaks = `a field of the character stands with its path: "character.level": "..."`, []string{n.name}
		}
		if n.name == "state" {
			d.Repair, d.Breaks = "the fields of the state stand by themselves: leave out state:", []string{n.name}
		}
	}
	return f
}

// readChoice returns the name that a formula is chosen by and the formulas for its values. The code points of the name have
// the places of its labels. It is empty when the struct is no choice.
//
// Revisions of the past wrote the name as {by: "input.kind", is: {...}}. They are read, as diff and bisect ask for them.
func (n *node) readChoice() (by book.Text, arms []book.Arm) {
	values := n.dataFields()
	if old, ok := n.fieldNamed("by"); ok && len(values) == 2 {
		if is, ok := n.fieldNamed("is"); ok && is.isStruct() {
			by, values = old.formulaText(), is.dataFields()
			n.addf("old-choice", "by and is are the old form of a choice").Repair =
				"write " + n.name + ": " + strings.ReplaceAll(by.S, ".", ": ") + ": {...}"
		}
	}
	for len(values) == 1 && values[0].isStruct() && identifier().MatchString(values[0].name) {
		k := values[0]
		if by.S != "" {
			by.S += "."
		} else {
			by.Place = k.place
		}
		by.Runs = append(by.Runs, book.Run{Start: len(by.S), Place: k.place})
		by.S += k.name
		values = k.dataFields()
	}
	if by.S == "" || slices.ContainsFunc(values, (*node).isStruct) {
		return by, nil // check reports options without the name of one
	}
	for _, k := range values {
		arms = append(arms, book.Arm{Value: k.name, Place: k.place, Expr: k.constantOrFormula()})
	}
	return by, arms
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
func readNamedFormulas(n *node, field string) (out []book.Named) {
	for _, k := range n.fieldsOf(field) {
		k.checkName()
		out = append(out, book.Named{Name: k.name, Place: k.place, Formula: readFormula(k)})
	}
	return out
}
