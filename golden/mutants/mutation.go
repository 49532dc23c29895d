package mutants

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// A Kind says what a mutation changes.
type Kind string

// The kinds of mutations, in the order of a report.
const (
	Literal      Kind = "literal"       // a number of a formula
	Comparison   Kind = "comparison"    // < becomes <=
	Operator     Kind = "operator"      // + becomes -
	Rounding     Kind = "rounding"      // div_floor becomes div_ceil
	Arm          Kind = "arm"           // two arms change places
	DiceFaces    Kind = "dice faces"    // one face more
	DiceCount    Kind = "dice count"    // one die more
	DiceModifier Kind = "dice modifier" // keep, explode, reroll: one more
	Cell         Kind = "cell"          // a number of a row
	Limit        Kind = "limit"         // the end of a band, the limit of a step
	Row          Kind = "row"           // a row is deleted
	Range        Kind = "range"         // a bound of the character, of an input or of a state
)

// Kinds lists the kinds of mutations in the order of a report.
func Kinds() []Kind {
	return []Kind{Literal, Comparison, Operator, Rounding, Arm, DiceFaces, DiceCount, DiceModifier, Cell, Limit, Row, Range}
}

// A Mutation is one change of one place of the source.
//
// owner names the definitions that the change is in, for reach; edits has a change for each part of
// the book that was read from the place, as a CUE definition may be used by several rules. Both
// grow while mutations are gathered and are fixed afterwards.
type Mutation struct {
	Kind  Kind
	Place plan.Place
	What  string // the definition and its part: "rule test, let value"
	Was   string // as it is written
	Now   string // what it becomes
	owner []string
	edits []func() (undo func()) // one for every part of the book that comes from the place
}

// apply changes the book and returns the function that restores it.
func (m *Mutation) apply() (undo func()) {
	var undos []func()
	for _, edit := range m.edits {
		undos = append(undos, edit())
	}
	return func() {
		for _, u := range slices.Backward(undos) {
			u()
		}
	}
}

// A collector gathers mutations: what stands in one place of the source is one, whatever it reaches.
//
// A place of the source may have come into the book several times: a definition of CUE that three
// rules embed, or a list of rows that a comprehension makes. It is one mutation for the author,
// with three edits, and is noticed when any of the three is.
type collector struct {
	list []*Mutation
	seen map[string]*Mutation
}

// addMutation adds an edit to the mutation at its place, or a new mutation.
func (c *collector) addMutation(m Mutation, owner string, edit func() func()) {
	key := fmt.Sprintf("%v %s %s %s", m.Place, m.Kind, m.Was, m.Now)
	old := c.seen[key]
	if old == nil {
		old = &m
		c.seen[key] = old
		c.list = append(c.list, old)
	}
	old.edits = append(old.edits, edit)
	if !slices.Contains(old.owner, owner) {
		old.owner = append(old.owner, owner)
	}
}

// newEdit returns an edit that sets a variable.
func newEdit[T any](p *T, to T) func() func() {
	return func() func() {
		was := *p
		*p = to
		return func() { *p = was }
	}
}

// List finds the mutations of a ruleset by place. Applying one changes the book.
//
// A choice's key (book.Chooser) is left alone: another key is nearly always an error of types,
// which proves nothing about cases.
func List(b *book.Ruleset) []*Mutation {
	c := &collector{seen: map[string]*Mutation{}}
	for _, p := range b.Parts() {
		if p.S != "" && p.Role != book.Chooser {
			c.addPart(p)
		}
	}
	for _, t := range b.Tables {
		c.addTable(t)
	}
	for _, r := range b.Rules {
		c.addDice("rule "+r.ID, &r.Body)
		c.addShape("rule "+r.ID, "input", r.Input)
		c.addArms("rule "+r.ID, &r.Body)
	}
	for _, p := range b.Procedures {
		c.addProcedure(p)
	}
	c.addShape("character", "character", b.Character)
	slices.SortStableFunc(c.list, func(x, y *Mutation) int { return comparePlaces(x.Place, y.Place) })
	return c.list
}

func comparePlaces(a, b plan.Place) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}

func (c *collector) addProcedure(p *book.Procedure) {
	owner := "procedure " + p.ID
	c.addShape(owner, "input", p.Input)
	c.addShape(owner, "state", p.State)
	if p.Start != nil {
		c.addDice(owner, &p.Start.Body)
	}
	for _, e := range p.Events {
		c.addDice(owner, &e.Body)
		c.addShape(owner, "event "+e.ID, e.Input)
	}
}

// kindOfNumber returns the kind of a bare number in a text of a role.
func kindOfNumber(r book.Role) Kind {
	switch r {
	case book.Faces:
		return DiceFaces
	case book.Count:
		return DiceCount
	case book.Modifier:
		return DiceModifier
	}
	return Literal
}

// describePart returns a part in words, for people.
func describePart(p book.Part) string {
	if p.Arm != "" {
		return p.Definition + ", " + p.Name + ", " + p.Arm
	}
	return p.Definition + ", " + p.Name
}

// addPart adds the mutations of a formula or of dice in notation.
func (c *collector) addPart(p book.Part) {
	rewrite := rewriteFormula
	if p.Role == book.Notation || p.Role == book.DiceValue && dice.IsNotation(p.S) {
		rewrite = rewriteNotation
	}
	for _, r := range rewrite(p.S) {
		was := p.S[r.from:r.to]
		at := p.At(utf8.RuneCountInString(p.S[:r.from]))
		// A constant without quotes is one literal. Of other texts of which only the beginning is known the offset tells
		// them apart.
		if len(p.Runs) == 0 && was != p.S {
			was = fmt.Sprintf("%s (character %d of %q)", was, r.from+1, p.S)
		}
		if was == "" {
			was = "no number"
		}
		kind := r.kind
		if kind == Literal {
			kind = kindOfNumber(p.Role)
		}
		now := book.Text{S: p.S[:r.from] + r.text + p.S[r.to:], Place: p.Place}
		m := Mutation{Kind: kind, Place: at, What: describePart(p), Was: was, Now: r.text}
		c.addMutation(m, p.Definition, newEdit(p.Text, now))
	}
}

// addDice adds the mutations of the bare numbers in the struct form of a die.
func (c *collector) addDice(owner string, b *book.Body) {
	for i := range b.Sources {
		d := b.Sources[i].Die
		if d == nil || d.ExplodeTimes == 0 {
			continue
		}
		m := Mutation{
			Kind: DiceModifier, Place: d.Place, What: owner + ", die " + d.Name,
			Was: "explode " + plural.Of(d.ExplodeTimes, "time"), Now: strconv.Itoa(d.ExplodeTimes + 1),
		}
		c.addMutation(m, owner, newEdit(&d.ExplodeTimes, d.ExplodeTimes+1))
	}
}

// addArms lets neighbouring arms of choices change places.
//
// Neighbours change places instead of one arm getting another text: both arms stay formulas that
// the author wrote, so the mutant compiles.
func (c *collector) addArms(owner string, b *book.Body) {
	for _, list := range [][]book.Named{b.Lets, b.Outputs} {
		for i := range list {
			arms := list[i].Formula.Is
			for k := 1; k < len(arms); k++ {
				x, y := &arms[k-1], &arms[k]
				if x.Expr.S == y.Expr.S {
					continue
				}
				m := Mutation{
					Kind: Arm, Place: y.Place, What: owner + ", " + list[i].Name,
					Was: y.Value + ": " + y.Expr.S, Now: y.Value + ": " + x.Expr.S,
				}
				c.addMutation(m, owner, func() func() {
					x.Expr, y.Expr = y.Expr, x.Expr
					return func() { x.Expr, y.Expr = y.Expr, x.Expr }
				})
			}
		}
	}
}

// addTable adds the mutations of rows: their numbers, their limits, and that they are there.
//
// A row is taken out by its place and key and not by its index: the rows of a mutant that was
// applied before are back by then, but another slice.
func (c *collector) addTable(t *book.Table) {
	owner := "table " + t.ID
	for i := range t.Rows {
		r := &t.Rows[i]
		what := fmt.Sprintf("%s, row %s", owner, r.Quoted())
		for k := range r.Cells {
			column := what
			if k < len(t.Columns) {
				column += ", " + t.Columns[k].Name
			}
			c.addCell(owner, column, &r.Cells[k])
		}
		c.addLimits(owner, what, r)
	}
	for i := range t.Rows {
		r := t.Rows[i]
		m := Mutation{Kind: Row, Place: r.Place, What: fmt.Sprintf("%s, row %s", owner, r.Quoted()), Was: "the row",
			Now: "no row"}
		c.addMutation(m, owner, func() func() {
			rows := t.Rows
			t.Rows = slices.DeleteFunc(slices.Clone(rows), func(x book.Row) bool { return sameRow(&x, &r) })
			return func() { t.Rows = rows }
		})
	}
}

func sameRow(x, y *book.Row) bool {
	return x.Place == y.Place && x.RowKey == y.RowKey
}

// addLimits moves each limit of a row's key by one: its end, if it has one of its own, and its beginning.
//
// Limits move upwards only. A band that ends one later overlaps the next and is refused, which counts as noticed; cases
// must notice the limits whose neighbours leave room.
func (c *collector) addLimits(owner, what string, r *book.Row) {
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	m := Mutation{Kind: Limit, Place: r.Place, What: what}
	limits := len(r.Limits())
	if limits > 1 {
		m.Was, m.Now = "to "+number(r.Hi), "to "+number(r.Hi+1)
		c.addMutation(m, owner, newEdit(&r.Hi, r.Hi+1))
	}
	if limits > 0 {
		m.Was, m.Now = "from "+number(r.Lo), "from "+number(r.Lo+1)
		c.addMutation(m, owner, newEdit(&r.Lo, r.Lo+1))
	}
}

// addCell adds the numbers and truths of a cell, also those in its lists and records.
func (c *collector) addCell(owner, what string, cell *book.Cell) {
	for _, t := range findScalars(cell.JSON) {
		was := cell.JSON[t.from:t.to]
		now, ok := increase(was)
		switch {
		case was == "true":
			now, ok = "false", true
		case was == "false":
			now, ok = "true", true
		}
		if !ok {
			continue
		}
		m := Mutation{Kind: Cell, Place: cell.Place, What: what, Was: was, Now: now}
		if t.from > 0 {
			m.Was = fmt.Sprintf("%s (character %d of %s)", was, t.from+1, cell.JSON)
		}
		c.addMutation(m, owner, newEdit(&cell.JSON, cell.JSON[:t.from]+now+cell.JSON[t.to:]))
	}
}

// A stretch is a part of a text, by offsets in bytes.
type stretch struct{ from, to int }

// findScalars returns the numbers and truths of a JSON value; none of a text that is no JSON.
//
// The decoder gives values and where each ends. A number begins as many bytes before as its text has, which UseNumber keeps
// as it is written.
func findScalars(s string) []stretch {
	var out []stretch
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber() // whose text is what stands there
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			return nil
		}
		switch t.(type) {
		case json.Number, bool:
			end := int(d.InputOffset())
			out = append(out, stretch{end - len(fmt.Sprint(t)), end})
		}
	}
}

// addShape adds the bounds of a shape, those of its fields and elements, and how many elements there may be.
//
// A character within an input is not walked: its bounds are those of the character, which are
// changed once.
func (c *collector) addShape(owner, path string, s *plan.Shape) {
	if s == nil || s.Character && path != "character" {
		return
	}
	what := owner + ", " + path
	if owner == path {
		what = path
	}
	bound := func(b *plan.Bound, name string) {
		if b == nil {
			return
		}
		was := strconv.FormatFloat(b.Value, 'f', -1, 64)
		now := strconv.FormatFloat(b.Value+1, 'f', -1, 64)
		c.addMutation(Mutation{Kind: Range, Place: s.Place, What: what, Was: name + " " + was, Now: name + " " + now},
			owner,
			newEdit(&b.Value, b.Value+1))
	}
	bound(s.Min, "at least")
	bound(s.Max, "at most")
	if s.Kind == plan.List {
		m := Mutation{Kind: Range, Place: s.Place, What: what, Was: plural.Of(s.MaxItems, "element"),
			Now: fmt.Sprint(s.MaxItems + 1)}
		c.addMutation(m, owner, newEdit(&s.MaxItems, s.MaxItems+1))
	}
	c.addShape(owner, path+"[]", s.Elem)
	for i := range s.Fields {
		c.addShape(owner, path+"."+s.Fields[i].Name, s.Fields[i].Shape)
	}
}
