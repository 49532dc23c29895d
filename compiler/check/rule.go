package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// typeRule checks a rule.
func (c *checker) typeRule(x *Rule) {
	subject := "rule " + x.name
	x.Character, x.Input = c.newCharacter(), c.newGiven(plan.InputRoot, "input", x.Book.Input)
	scope := c.newScope(x.Character, x.Input)
	x.Body = c.checkBody(&x.Book.Body, scope, x.Input, subject)
	c.checkOtherwise(x.Body, scope)
	result := &plan.Type{Kind: plan.Record}
	for _, o := range x.Body.Outputs {
		t := o.typ
		if x.cyclic {
			t = broken
		}
		result.Fields = append(result.Fields, plan.Field{Name: o.name, Type: t})
	}
	x.typ = result
	constants := c.newScope()
	c.resolveLets(x.Book.Otherwise, constants, subject, "otherwise")
	x.Otherwise = c.typeValues(x.Book.Otherwise, func(n *book.Named) *plan.Type { return c.outputType(x, n, subject) })
}

// checkBody returns a checked body. All its names are entered first, for its parts may stand in any order; then each is
// typed after those that it reads. given is the record that comes with one use of the body, of which fields may be decided
// late; nil of a start.
//
// The steps:
//
//  1. Names: dice and uses, lets, outputs. A use of a typed rule has its type at once, a die that
//     of its notation; lets have none yet.
//  2. Texts: each is parsed and its names are resolved, in the scope that is complete now.
//  3. Types: lets and outputs pull in whatever they read; sources that nothing read are completed
//     after them.
//  4. Checks that need the types of all: the rolling order, decisions, requirements, and that
//     outputs of a conditional use have a value otherwise.
//  5. Requirements that come from @key. Which of all requirements is early is known only when
//     decisions are.
func (c *checker) checkBody(b *book.Body, s *Scope, given *Given, subject string) *Body {
	out := &Body{}
	for _, src := range b.Sources {
		out.Sources = append(out.Sources, c.declareSource(src, s, subject))
	}
	out.Lets = c.declareLets(b.Lets, s, subject, "let")
	out.Outputs = c.declareLets(b.Outputs, s, subject, "output")
	for _, src := range out.Sources {
		c.resolveSource(src, s, subject)
	}
	c.resolveLets(b.Lets, s, subject, "let")
	c.resolveLets(b.Outputs, s, subject, "output")
	c.resolveDecisions(b.Decisions, s, subject)
	for i := range b.Requires {
		r := &b.Requires[i]
		if isExchanged(r) {
			c.diags.Addf("syntax", r.Expr.At(0), subject, "%q is no condition", r.Expr.S).Repair =
				fmt.Sprintf("what is told stands before the colon, and the condition behind it: %q: %q", r.Expr.S,
					r.Message)
			continue
		}
		c.resolveText(&r.Expr, s, fmt.Sprintf("%s, require %q", subject, r.Message))
	}
	c.completeLets(out.Lets)
	c.completeLets(out.Outputs)
	var lets []*Let
	if given != nil && given.Root == plan.InputRoot { // of a rule, whose sheet can be traced
		lets = out.Lets
	}
	c.checkAttributes(out.Outputs, lets, s, subject)
	for _, src := range out.Sources {
		c.completeObject(src.Object(), plan.Place{})
	}
	c.checkRollingOrder(out, s, subject)
	for i := range b.Decisions {
		if d := c.typeDecision(&b.Decisions[i], out, given, subject); d != nil {
			c.checkBoundsOrder(d, out, s, subject)
			out.Decisions = append(out.Decisions, d)
		}
	}
	for i := range b.Requires {
		r := c.typeRequire(&b.Requires[i], "a requirement")
		r.Early = r.Early && !out.readsDecided(r.Expr)
		out.Requires = append(out.Requires, r)
	}
	if given == nil { // a start
		given, _ = s.findObject("input").(*Given)
	}
	out.FirstKeys, out.LastKeys = requireMapKeys(s, given)
	for _, r := range slices.Concat(out.FirstKeys, out.LastKeys) {
		r.Early = !out.readsDecided(r.Expr)
	}
	return out
}

// declareLets enters the names of formulas.
func (c *checker) declareLets(list []book.Named, s *Scope, subject, part string) []*Let {
	var out []*Let
	for i := range list {
		n := &list[i]
		let := &Let{header: header{name: n.Name, place: n.Place, typ: broken, progress: pending, within: subject + ", "},
			Book: n}
		if part != "output" || !showsDie(n, s) {
			c.declareName(s, fmt.Sprintf("%s, %s %s", subject, part, n.Name), let)
		}
		out = append(out, let)
	}
	return out
}

// showsDie reports whether an output is a die of its own name, roll: "roll". The name then stays the die's: both have the
// same value.
func showsDie(n *book.Named, s *Scope) bool {
	_, isDie := s.findObject(n.Name).(*Die)
	return isDie && strings.TrimSpace(n.Formula.Expr.S) == n.Name
}

// checkAttributes checks the attributes by which outputs are shown: that there is a double where @decimals is, and that
// @when names a truth, which is one of the outputs or, in a rule, of its lets. An author of a homebrew can mend the
// attributes of the homebrew, and none of the ruleset.
func (c *checker) checkAttributes(outputs, lets []*Let, s *Scope, subject string) {
	for _, o := range outputs {
		within := fmt.Sprintf("%s, output %s", subject, o.name)
		at := o.Book.Decimals
		if at.S != "" && o.typ != broken && !hasDouble(o.typ) && !isReplacedApart(o, at.Place) {
			c.diags.Addf("type", at.Place, within, "@decimals is about doubles, and there is none in %s", o.typ).Repair =
				"remove @decimals(" + at.S + ")"
		}
		c.checkWhen(o, outputs, lets, s, within)
	}
}

// checkWhen checks the @when of an output in a scope: it names another output, or a let that an output reads, for the
// value of any other let is in no sheet. Where a homebrew wrote an output, its author cannot mend that.
func (c *checker) checkWhen(o *Let, outputs, lets []*Let, s *Scope, within string) {
	at := o.Book.When
	if at.S == "" {
		return
	}
	all := slices.Concat(outputs, lets)
	i := slices.IndexFunc(all, func(l *Let) bool { return l.name == at.S })
	mayRead := func(l *Let) bool {
		return l.Formula.Expr == nil || isReplacedApart(l, at.Place) ||
			l.Formula.Expr.Mentions(func(read Object) bool { return read == all[i] })
	}
	switch {
	case i < 0:
		d := c.diags.Addf("unknown-name", at.Place, within, "@when(%s): there is no such output or let here", at.S)
		name := at.S[strings.LastIndexByte(at.S, '.')+1:] // of a field of the input, a use, the character
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_0123456789") != "" || s.findObject(name) != nil {
			name = "is_shown" // a formula, or the name of a die, a use or a let
		}
		if name != at.S {
			d.Repair = fmt.Sprintf("make it an output, %s: %q, and write @when(%[1]s)", name, at.S)
		}
	case all[i].typ != broken && all[i].typ.Kind != plan.Bool:
		place := at.Place
		if isReplacedApart(all[i], place) {
			place = all[i].Book.Formula.Place
		}
		c.diags.Addf("type", place, within, "@when(%s): it is %s, and must be true or false", at.S, all[i].typ)
	case i >= len(outputs) && !slices.ContainsFunc(outputs, mayRead):
		c.diags.Addf("unknown-name", at.Place, within,
			"@when(%s): no output reads this let, so that no sheet has its value",
			at.S).Repair = "make " + at.S + " an output"
	}
}

// isReplacedApart reports whether a homebrew wrote the formula of a let, and not the text at a place.
func isReplacedApart(l *Let, at plan.Place) bool {
	return l.Book.Formula.Overlay != "" && l.Book.Formula.Place.File != at.File
}

// hasDouble reports whether a value of a type may have a double in it.
func hasDouble(t *plan.Type) bool {
	inField := func(f plan.Field) bool { return hasDouble(f.Type) }
	return t.Kind == plan.Double || t.Elem != nil && hasDouble(t.Elem) || slices.ContainsFunc(t.Fields, inField)
}

// completeLets types the lets that nothing has read so far; the others are typed already.
func (c *checker) completeLets(list []*Let) {
	for _, l := range list {
		c.completeObject(l, plan.Place{})
	}
}

// declareSource enters a die or a use, the types of which depend on no formula of the body.
func (c *checker) declareSource(src book.Source, s *Scope, subject string) Source {
	if b := src.Die; b != nil {
		die := &Die{header: header{name: b.Name, place: b.Place, progress: pending, within: subject + ", "}, Book: b}
		c.declareName(s, subject, die)
		c.dieChecker(die).readDie()
		return Source{Die: die}
	}
	b := src.Use
	use := &Use{header: header{name: b.Name, place: b.Place, progress: pending, within: subject + ", "}, Book: b}
	if x := c.rules[b.Rule.S]; x != nil && x.progress == typed {
		use.Rule = x
	}
	use.typ = resultOf(use)
	c.declareName(s, subject, use)
	return Source{Use: use}
}

// resolveSource resolves the texts of a die or of a use. "d6" as the number of faces is a slip, unless a let has that
// name.
func (c *checker) resolveSource(src Source, s *Scope, subject string) {
	if d := src.Die; d != nil {
		for _, t := range textsOf(d) {
			isName := s.findObject(strings.TrimSpace(t.S)) != nil // a let may be called d6
			if t == &d.Book.Faces && !isName && c.reportSides(t, subject+", dice "+d.name) {
				continue
			}
			c.resolveText(t, s, subject+", dice "+d.name)
		}
		return
	}
	c.resolveUse(src.Use, s, subject+", use "+src.Use.name)
}

// sidesText is a number of faces in the words of dice: d6, 1d6 or 100%.
var sidesText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:1?d)?([0-9]+|%)%?\s*$`) })

// reportSides reports a number of faces that is written as a die, d6 for 6, and says whether it is.
func (c *checker) reportSides(t *book.Text, subject string) bool {
	m := sidesText().FindStringSubmatch(t.S)
	if m == nil || !strings.ContainsAny(t.S, "d%") {
		return false
	}
	faces := m[1]
	if faces == "%" {
		faces = "100"
	}
	c.diags.Addf("die-faces", t.At(0), subject, "die is how many faces the die has, and not %q", t.S).
		Repair = "write die: " + faces
	return true
}

// typeRequire types a requirement, or the condition of an end of a procedure.
func (c *checker) typeRequire(r *book.Require, what string) *Require {
	out := &Require{Book: r, Expr: c.typeTextAs(&r.Expr, plan.BoolType, what)}
	out.Early = !out.Expr.Mentions(isRolled)
	return out
}

func isRolled(o Object) bool {
	switch o.(type) {
	case *Die, *Use:
		return true
	}
	return false
}

// checkRollingOrder checks that a source depends, through lets too, only on sources above it: dice are rolled as written.
func (c *checker) checkRollingOrder(b *Body, s *Scope, subject string) {
	for i, src := range b.Sources {
		own := src.Object()
		if own.self().cyclic {
			continue
		}
		for _, on := range c.readLater(b, s, textsOf(own), i) {
			out := c.diags.Addf("source-order", on.place, subject+", "+own.Name(),
				"%s is rolled before %s, on which it depends", own.Name(), on.object.Name())
			out.Repair = "move " + own.Name() + " below " + on.object.Name()
			out.Related = []diag.Related{{Place: on.object.Place(), Message: on.object.Name() + " stands here"}}
		}
	}
}

var (
	conditionText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[<>=!]=|[\w)\]] ?[<>]|&&|\|\|`) })
	proseText     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\pL+(?: \pL+)+$`) })
)

// isExchanged reports whether a condition stands where a requirement has what is told, and the other way round.
func isExchanged(r *book.Require) bool {
	return conditionText().MatchString(r.Message) && proseText().MatchString(r.Expr.S)
}
