package load

import (
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"

	"github.com/tabletop-rules/rules/compiler/book"
)

func formatInt(i int64) string { return strconv.FormatInt(i, 10) }

func (c *characters) rule(n *node) *book.Rule {
	n.checkFields("#Rule")
	return &book.Rule{Definition: n.definition(), Input: c.input(n, "#Input"), Body: n.body()}
}

// body reads what a rule or an event computes.
func (n *node) body() book.Body {
	return book.Body{
		Sources:  n.sources(),
		Lets:     n.namedFormulas("let"),
		Requires: n.requires("require"),
		Outputs:  n.namedFormulas("output"),
	}
}

// sources are dice and uses in one sequence, as they are written.
func (n *node) sources() []book.Source {
	dice, uses := n.in("dice"), n.in("use")
	all := slices.Concat(dice, uses)
	slices.SortStableFunc(all, func(a, b *node) int { return compareKeys(a.key, b.key) })
	var out []book.Source
	for _, k := range all {
		k.named()
		if slices.Contains(dice, k) {
			out = append(out, book.Source{Die: k.die()})
			continue
		}
		if k.usable() {
			out = append(out, book.Source{Use: k.use()})
		}
	}
	return out
}

// requires reads conditions by what is said when they do not hold.
func (n *node) requires(field string) []book.Require {
	var out []book.Require
	for _, k := range n.in(field) {
		out = append(out, book.Require{Message: k.name, Place: k.place, Expr: k.formulaText()})
	}
	return out
}

// die reads a source of faces, in notation or as a struct.
func (n *node) die() *book.Die {
	d := &book.Die{Name: n.name, Place: n.place}
	if !n.structured() {
		d.Notation = n.formulaText()
		return d
	}
	n.checkFields("#Dice")
	d.Faces, d.Count = n.number("die"), n.number("count")
	d.Most, d.Distinct = n.positive("most"), n.flag("distinct")
	if k, ok := n.field("explode"); ok && k.usable() {
		k.checkFields("#Dice/explode")
		d.Explode, d.ExplodeTimes = k.number("on"), k.positive("times")
	}
	if k, ok := n.field("again"); ok && k.usable() {
		k.checkFields("#Dice/again")
		d.Again, d.Once = k.number("on"), k.flag("once")
	}
	return d
}

func (n *node) use() *book.Use {
	n.checkFields("#Use")
	u := &book.Use{
		Name: n.name, Place: n.place,
		Rule: n.words("rule"), Character: n.expr("character"), When: n.expr("when"),
		Each: n.namedFormulas("each"), Otherwise: n.namedFormulas("otherwise"),
	}
	k, ok := n.field("input")
	if ok && k.value.IncompleteKind() == cue.StringKind {
		u.Input = k.formulaText()
		return u
	}
	u.Inputs = n.paths("input")
	return u
}

// paths reads a map of formulas by paths.
func (n *node) paths(field string) []book.Named { return n.formulas(field, (*node).path) }

// path reports a name that is no path: names with dots between them.
func (n *node) path() {
	for _, part := range strings.Split(n.name, ".") {
		if !identifier.MatchString(part) {
			n.r.addf("bad-name", n.place, n.subject, "%q is no path: names with dots between them", n.name)
			return
		}
	}
}

func (c *characters) procedure(n *node) *book.Procedure {
	n.checkFields("#Procedure")
	p := c.steps(n)
	p.Definition = n.definition()
	return p
}

// steps is what a procedure has, or has more.
func (c *characters) steps(n *node) *book.Procedure {
	p := &book.Procedure{
		Input:  c.input(n, "#Input"),
		State:  c.input(n, "#State"),
		Lets:   n.namedFormulas("let"),
		Start:  n.start(),
		Ends:   n.ends(),
		Output: n.namedFormulas("output"),
	}
	for _, k := range n.in("events") {
		k.subject = n.subject + ", event " + k.name
		k.named()
		if k.usable() {
			p.Events = append(p.Events, c.event(k))
		}
	}
	return p
}

// ends are the conditions by status.
func (n *node) ends() []book.Require {
	for _, k := range n.in("ends") {
		k.named()
	}
	return n.requires("ends")
}

// start is the step that a procedure begins with, nil when it has none.
func (n *node) start() *book.Step {
	k, ok := n.field("start")
	if !ok || !k.usable() {
		return nil
	}
	k.subject = n.subject + ", start"
	k.checkFields("#Step")
	s := k.step()
	return &s
}

func (c *characters) event(n *node) *book.Event {
	n.checkFields("#Procedure/events/*")
	return &book.Event{Step: n.step(), Input: c.input(n, "#Event"), When: n.expr("when")}
}

func (n *node) step() book.Step {
	return book.Step{Definition: n.definition(), Body: n.body(), Next: n.paths("next")}
}
