package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func (c *characterShapes) readRule(n *node) *book.Rule {
	n.checkFields("#Rule")
	return &book.Rule{
		Definition: n.readCitedDefinition(), Input: c.readInput(n, "#Input"), Body: readBody(n),
		Otherwise: readNamedFormulas(n, "otherwise"),
	}
}

// readBody returns the formulas of a rule or an event.
func readBody(n *node) book.Body {
	out := book.Body{
		Sources:   readSources(n),
		Lets:      readNamedFormulas(n, "let"),
		Decisions: readDecisions(n),
		Requires:  readRequires(n, "require"),
		Outputs:   readOutputs(n),
	}
	out.Lets = showLets(out.Lets, out.Outputs)
	return out
}

// showLets gives outputs that are a let of their own name, hits: "hits", the let's formula, and returns the other lets. An
// output is a let that is shown, so that one name is enough.
func showLets(lets, outputs []book.Named) []book.Named {
	return slices.DeleteFunc(lets, func(let book.Named) bool {
		i := slices.IndexFunc(outputs, func(o book.Named) bool {
			return o.Name == let.Name && strings.TrimSpace(o.Formula.Expr.S) == let.Name
		})
		if i >= 0 {
			outputs[i].Formula = let.Formula
		}
		return i >= 0
	})
}

// readOutputs returns the outputs of a body, those among them that are outputs of a use as they are.
//
// A list under an output's name, ours: ["active_value", "success"], stands for one output for each of its strings,
// active_value with the formula "ours.active_value": a rule that uses another often passes its outputs on.
func readOutputs(n *node) (out []book.Named) {
	for _, k := range n.fieldsOf("output") {
		if k.isList() {
			k.checkName()
			if !n.r.isHomebrew && !n.declares(k.name, "use", "let", "dice") {
				d := k.addf("wrong-type", "a list hands on outputs of a use, and there is no use %s", k.name)
				d.Repair, d.Breaks = fmt.Sprintf(`an output is one formula: %s: "..."`, k.name), []string{k.name}
				continue
			}
			out = append(out, k.readHandedOn()...)
			continue
		}
		out = append(out, readOutput(k))
	}
	return out
}

// readHandedOn returns a formula for each string of a list: input: ["skill"] is skill with the formula "input.skill". It
// has the place of the string, so that a message about it points at its name.
func (n *node) readHandedOn() (out []book.Named) {
	decimals, when := n.readDecimals(), n.readWhen()
	for _, e := range n.listElements() {
		if name := e.readPlacedText(); name.S != "" {
			out = append(out, book.Named{Name: name.S, Place: name.Place, Decimals: decimals, When: when,
				Formula: book.Formula{
					Place: name.Place, Expr: book.Text{S: n.name + "." + name.S, Place: name.Place}}})
		}
	}
	return out
}

// isList reports whether the value is a list.
func (n *node) isList() bool { return n.value.IncompleteKind() == cue.ListKind }

// readOutput returns an output that is a formula, with the attributes by which it is shown.
func readOutput(k *node) book.Named {
	k.checkName()
	return book.Named{
		Name: k.name, Place: k.place, Formula: readFormula(k), Decimals: k.readDecimals(), When: k.readWhen(),
	}
}

// maxDecimals is the largest number of digits after the point that an output may be shown with.
// @decimals says how many digits people read, and billionths of anything are no number at a table.
const maxDecimals = 9

// readDecimals reads the attribute @decimals of an output, empty when it has none.
func (n *node) readDecimals() book.Text {
	text := n.readAttribute(func(s site.Site) *ast.Attribute { return s.Decimals }, n.sites)
	if v, err := strconv.ParseUint(text.S, 10, 8); text.Place.File != "" && (err != nil || v > maxDecimals) {
		n.r.addf("out-of-range", text.Place, n.subject,
			"@decimals(%s): the digits after the point are a number from 0 to %d",
			text.S, maxDecimals)
		return book.Text{}
	}
	return text
}

// readWhen reads the attribute @when of an output, empty when it has none.
func (n *node) readWhen() book.Text {
	text := n.readAttribute(func(s site.Site) *ast.Attribute { return s.When }, n.sites)
	if text.S == "" && text.Place.File != "" {
		n.r.addf("bad-name", text.Place, n.subject, "@when() names no output")
	}
	return text
}

// readAttribute returns the text in the parentheses of an attribute that some sites of the node may have; without a place
// if none has.
func (n *node) readAttribute(of func(site.Site) *ast.Attribute, sites ...[]site.Site) book.Text {
	for _, s := range slices.Concat(sites...) {
		if a := of(s); a != nil {
			return book.Text{S: n.r.ReadAttribute(a), Place: n.r.PlaceOf(a.Pos())}
		}
	}
	return book.Text{}
}

// readSources returns dice and uses in one sequence, as they are written.
//
// The order is that in which faces are consumed, so it is part of a rule's meaning: --dice 43,7 gives the first die 43.
// Fields of a CUE struct have no order; here it is that of their sites, across the two structs "dice" and "use".
func readSources(n *node) []book.Source {
	dice, uses := n.fieldsOf("dice"), n.fieldsOf("use")
	all := slices.Concat(dice, uses)
	slices.SortStableFunc(all, func(a, b *node) int { return site.CompareKeys(a.key, b.key) })
	var out []book.Source
	for _, k := range all {
		k.checkName()
		if slices.Contains(dice, k) {
			out = append(out, book.Source{Die: readDie(k)})
			continue
		}
		if rule, err := k.value.String(); err == nil {
			d := k.addf("wrong-type", "%s must be a struct", k.name)
			d.Repair, d.Breaks = fmt.Sprintf("write %s: {rule: %q}", k.name, rule), []string{k.name}
			continue
		}
		if k.checkStruct() {
			out = append(out, book.Source{Use: readUse(k)})
		}
	}
	return out
}

// readDecisions returns the fields that are decided when dice have fallen.
func readDecisions(n *node) []book.Decision {
	var out []book.Decision
	var sources []string
	for _, k := range slices.Concat(n.fieldsOf("dice"), n.fieldsOf("use")) {
		sources = append(sources, strconv.Quote(k.name))
	}
	for _, k := range n.fieldsOf("decide") {
		k.checkPath()
		if !k.checkStruct() {
			continue
		}
		if _, ok := k.fieldNamed("after"); !ok && len(sources) > 0 {
			k.meant = append(k.meant, "after")
			k.addf("missing-field", "after is missing: which dice and uses have fallen when it is decided").
				Repair = fmt.Sprintf("write after: [%s]", strings.Join(sources, ", "))
		}
		k.checkFields("#Decision")
		out = append(out, book.Decision{
			Path: k.name, Place: k.place, After: k.readTexts("after"), When: k.readExpr("when"),
			Least: k.readNumber("least"), Most: k.readNumber("most"),
		})
	}
	return out
}

// readRequires returns conditions with the messages of their refusals.
func readRequires(n *node, field string) []book.Require {
	var out []book.Require
	for _, k := range n.fieldsOf(field) {
		out = append(out, book.Require{Message: k.name, Place: k.place, Expr: k.formulaText()})
	}
	return out
}

// readDie returns a source of faces, in notation or as a struct.
//
// Which struct it is shows in its members: one with "roll" is dice as data (#Roll), any other is #Dice. So a misspelt
// member is reported against the right one of the two. A number that may be a formula is kept as text and judged by check;
// only a member that must be written out (zero, most) is a number already.
func readDie(n *node) *book.Die {
	d := &book.Die{Name: n.name, Place: n.place}
	if !n.isStruct() {
		if advice := adviseDice(n); advice != "" {
			n.addf("not-text", "%s must be dice in a string", n.name).Repair = advice
			d.Notation = book.Text{Place: n.place}
			return d
		}
		d.Notation = n.formulaText()
		return d
	}
	if _, ok := n.fieldNamed("roll"); ok {
		d.Roll = readRoll(n)
		return d
	}
	n.checkFields("#Dice")
	n.readFaces(d)
	d.Count, d.Zero = n.readNumber("count"), n.readPositive("zero")
	d.Most, d.MostPlace, d.Distinct = n.readPositive("most"), n.placeOfField("most"), n.readFlag("distinct")
	if k, ok := n.fieldNamed("explode"); ok && k.checkStruct() {
		k.checkFields("#Dice/explode")
		d.Explode, d.ExplodeTimes = k.readNumber("on"), k.readPositive("times")
		d.ExplodeWhen, d.ExplodeInto = k.readExpr("when"), k.readPlacedField("into")
	}
	if k, ok := n.fieldNamed("again"); ok && k.checkStruct() {
		k.checkFields("#Dice/again")
		d.Again, d.Once = k.readNumber("on"), k.readFlag("once")
		d.AgainWhen = k.readExpr("when")
	}
	return d
}

// adviseDice returns how dice are written that stand as a number or a list; "" for any other value.
func adviseDice(n *node) string {
	switch kind := n.value.IncompleteKind(); {
	case n.isError():
	case kind == cue.IntKind:
		return fmt.Sprintf("write %s: \"d%s\" for one die with so many faces", n.name, n.readJSON())
	case kind == cue.ListKind:
		return `give each die a name, dice: {first: "d10", second: "d6"}, or write "d10 + d6" for their sum`
	}
	return ""
}

// readFaces reads the faces of the dice of a struct.
func (n *node) readFaces(d *book.Die) {
	d.Faces = n.readNumber("die")
	if k, ok := n.fieldNamed("faces"); ok {
		switch {
		case k.value.IncompleteKind() == cue.StringKind:
			d.Rows = k.readPlacedText()
		case k.value.IncompleteKind() == cue.ListKind && slices.ContainsFunc(k.listElements(), (*node).isString):
			p := k.addf("wrong-type", "faces are whole numbers, and not words")
			p.Repair = `faces that are words are the rows of a table: faces: "fate", tables: fate: keyed: {...}`
			p.Breaks = []string{n.name}
		default:
			d.Shows = book.Shown{Place: k.placeOf(), Values: k.readIntegers("a face", -maxFace)}
		}
	}
	if k, ok := n.fieldNamed("weights"); ok {
		d.Weights = book.Shown{Place: k.placeOf(), Values: k.readIntegers("a weight", 1)}
	}
	if k, ok := n.fieldNamed("pool"); ok {
		if k.value.IncompleteKind() == cue.StringKind {
			d.Pool = k.formulaText()
		} else {
			d.Pool = book.Text{S: listText(k.readIntegers("a number of faces", 2)), Place: k.placeOf()}
		}
	}
}

// maxFace bounds what a face shows, so that no sum of dice overflows.
// A group has at most 1,000 dice (dice.MaxCount), each a chain of at most 1,000 faces
// (plan.MaxChain), and 1e15 is far below 2^63.
const maxFace = 1_000_000_000

// readIntegers reads a list of whole numbers that are written out, each from least to maxFace. What is none of these stands as
// one that is, so that nothing else is said of the list.
func (n *node) readIntegers(what string, least int64) []int64 {
	out := []int64{}
	for _, k := range n.listElements() {
		i, err := k.value.Int64()
		if err != nil || i < least || i > maxFace {
			i = max(least, 1)
			switch {
			case k.isError():
				k.r.ReportErrors(k.value.Err())
			case !k.value.IsConcrete():
				k.reportUnwritten("a whole number")
			default:
				k.addf("out-of-range", "%s is a whole number from %d to %d, and not %s", what, least, maxFace, k.readJSON())
			}
		}
		out = append(out, i)
	}
	return out
}

// listText writes a list as a formula would, so that a pool that is written as a list is a formula like any other.
func listText(list []int64) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = strconv.FormatInt(v, 10)
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// readRoll reads dice as data, and those that are added to them.
func readRoll(n *node) *book.Roll {
	n.checkFields("#Roll")
	r := &book.Roll{
		Place: n.place, Dice: n.readExpr("roll"), Times: n.readNumber("times"), Most: n.readPositive("most"),
		MostPlace: n.placeOfField("most"), Repeat: n.readNumber("repeat"),
	}
	if k, ok := n.fieldNamed("plus"); ok && k.checkStruct() {
		r.Plus = readRoll(k)
	}
	return r
}

// readUse returns a use. The members beside `rule` are read as text; check, which knows the rule, judges which of them go
// together.
func readUse(n *node) *book.Use {
	n.checkFields("#Use")
	u := &book.Use{
		Name: n.name, Place: n.place,
		Rule: n.readNameField("rule"), Character: n.readExpr("character"), When: n.readExpr("when"),
		Each: readNamedFormulas(n, "each"), Otherwise: readNamedFormulas(n, "otherwise"),
	}
	k, ok := n.fieldNamed("input")
	if ok && k.value.IncompleteKind() == cue.StringKind {
		u.Input = k.formulaText()
		return u
	}
	u.Inputs = readPaths(n, "input")
	return u
}

// readPaths reads a map of formulas by paths, and the lists of what is handed on: input: ["skill", "general"].
func readPaths(n *node, field string) (out []book.Named) {
	for _, k := range n.fieldsOf(field) {
		switch named := k.checkPath(); {
		case !k.isList():
			out = append(out, book.Named{Name: k.name, Place: k.place, Formula: readFormula(k)})
		case named:
			out = append(out, k.readHandedOn()...)
		}
	}
	return out
}

// checkPath reports a name that is no path: names with dots between them. It returns whether the name is one.
func (n *node) checkPath() bool {
	if !isPath(n.name) {
		d := n.r.addf("bad-name", n.place, n.subject, "%q is no path: names with dots between them", n.name)
		d.Breaks = []string{n.name}
		return false
	}
	return true
}

// isPath reports whether a text is names with dots between them.
func isPath(text string) bool {
	return !slices.ContainsFunc(strings.Split(text, "."),
		func(part string) bool { return !identifier().MatchString(part) })
}

func (c *characterShapes) readProcedure(n *node) *book.Procedure {
	n.checkFields("#Procedure")
	p := c.readSteps(n)
	p.Definition = n.readCitedDefinition()
	return p
}

// readSteps returns the steps of a procedure, or those that a homebrew adds.
func (c *characterShapes) readSteps(n *node) *book.Procedure {
	p := &book.Procedure{
		Input: c.readInput(n, "#Input"),
		State: c.readInput(n, "#State"),
		Lets:  readNamedFormulas(n, "let"),
		Start: readStart(n),
		Ends:  readEnds(n),
	}
	for _, k := range n.fieldsOf("output") {
		if k.isList() {
			k.addf("wrong-type", "%s must be a formula in quotes: a list names outputs of a use, "+
				"and a procedure has no uses", k.name)
			continue
		}
		p.Output = append(p.Output, readOutput(k))
	}
	p.Lets = showLets(p.Lets, p.Output)
	for _, k := range n.fieldsOf("events") {
		k.subject = n.subject + ", event " + k.name
		k.checkName()
		checkDefinedOnce(k)
		if k.checkStruct() {
			p.Events = append(p.Events, c.readEvent(k))
		}
	}
	return p
}

// readEnds are the conditions by status.
func readEnds(n *node) []book.Require {
	for _, k := range n.fieldsOf("ends") {
		k.checkName()
		if plan.IsStatus(k.name) {
			k.r.addf("bad-name", k.place, k.subject, "odds and plays call %s what is no end", k.name).
				Repair = "give the end another name"
		}
	}
	return readRequires(n, "ends")
}

// readStart is the step that a procedure begins with, nil when it has none.
func readStart(n *node) *book.Step {
	k, ok := n.fieldNamed("start")
	if !ok || !k.checkStruct() {
		return nil
	}
	k.subject = n.subject + ", start"
	k.checkFields("#Step")
	s := k.readStep()
	return &s
}

func (c *characterShapes) readEvent(n *node) *book.Event {
	n.checkFields("#Procedure/events/*")
	return &book.Event{Step: n.readStep(), Input: c.readInput(n, "#Event"), When: n.readExpr("when")}
}

func (n *node) readStep() book.Step {
	return book.Step{Definition: n.readDefinition(), Body: readBody(n), Next: readPaths(n, "next")}
}
