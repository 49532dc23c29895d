package load

import (
	"regexp"
	"strings"
	"sync"

	"cuelang.org/go/cue"

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

// readDefinition returns the members that all definitions have.
func (n *node) readDefinition() book.Definition {
	d := book.Definition{ID: n.name, Place: n.place, Cite: n.readPlacedField("cite"), Doc: n.readString("doc"),
		Said: n.readSaid()}
	for _, k := range n.elementsOf("covers") {
		d.Covers = append(d.Covers, k.readPlacedText())
	}
	return d
}

// readFormula reads a formula in one of its three forms:
//
//	hard: "penalty + 10"                                          one expression
//	hard: {by: "input.kind", is: {skill: "1", power: "2"}}        one for each value of an expression
//	hard: option: hard_tests: {book: "1", house: "2"}             one for each value of an option
//
// The third becomes the second, by "option.hard_tests", so that no later phase knows of it. A
// number or truth value without quotes is a formula too; 2.0 must keep its fraction, as it is a
// double in CEL and 2 is an int.
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
