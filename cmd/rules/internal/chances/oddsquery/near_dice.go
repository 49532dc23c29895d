package oddsquery

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Dice of a table are words, and a plan has the dice of all its words. Other ones are compiled into it when a question
// leaves such a cell open (OpenColumns), so that one plan serves all settings.

// A diceGroup is dice of one kind with a number added: 2d6+1.
type diceGroup struct {
	count, faces, plus int
	isBare             bool // one die, without a number before it
}

// diceGroupForm is how a group is written.
var diceGroupForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d{0,3})d(\d{1,4})(?: ?([+-]) ?(\d{1,4}))?$`)
})

// dieSizes are the dice that people have, in order: a die is changed for its neighbour.
var dieSizes = [...]int{2, 3, 4, 6, 8, 10, 12, 20, 100}

// parseGroup reads "2d6+1"; not ok of any other notation.
func parseGroup(text string) (g diceGroup, ok bool) {
	m := diceGroupForm().FindStringSubmatch(text)
	if m == nil {
		return g, false
	}
	if g.count, g.isBare = 1, m[1] == ""; !g.isBare {
		g.count, _ = strconv.Atoi(m[1])
	}
	g.faces, _ = strconv.Atoi(m[2]) // the form has digits alone
	g.plus, _ = strconv.Atoi(m[3] + m[4])
	return g, g.count > 0 && g.faces > 0
}

// String writes the group in notation.
func (g diceGroup) String() string {
	out := fmt.Sprintf("%dd%d", g.count, g.faces)
	if g.isBare && g.count == 1 {
		out = out[1:]
	}
	if g.plus != 0 {
		out += fmt.Sprintf("%+d", g.plus)
	}
	return out
}

// NearDice returns the dice that are one step away from some: one die more or less, the next size, and a number that is one
// more or less. Notation with more to it has none.
func NearDice(text string) (out []string) {
	g, ok := parseGroup(text)
	if !ok {
		return nil
	}
	for _, by := range []int{-1, 1} {
		more, larger, plus := g, g, g
		more.count, plus.plus = g.count+by, g.plus+by
		if more.count > 0 {
			out = append(out, more.String())
		}
		if larger.faces = nextSize(g.faces, by); larger.faces > 0 {
			out = append(out, larger.String())
		}
		out = append(out, plus.String())
	}
	return out
}

// nextSize returns the size of the next larger or smaller die, 0 where there is none.
func nextSize(faces, by int) int {
	if by > 0 {
		if i := slices.IndexFunc(dieSizes[:], func(s int) bool { return s > faces }); i >= 0 {
			return dieSizes[i]
		}
		return 0
	}
	smaller := 0
	for _, s := range dieSizes {
		if s < faces {
			smaller = s
		}
	}
	return smaller
}

// diceBetween returns the dice from some to others: of all numbers of dice, sizes and numbers added between theirs.
func diceBetween(from, to string) ([]string, error) {
	a, ok := parseGroup(from)
	b, okToo := parseGroup(to)
	switch {
	case !ok || !okToo:
		return nil, fmt.Errorf("a range of dice is of one kind, as 2d6..2d6+3 or 1d6..1d12")
	case a.count > b.count || a.faces > b.faces || a.plus > b.plus:
		return nil, fmt.Errorf("the range is empty")
	}
	var out []string
	for count := a.count; count <= b.count; count++ {
		for faces := a.faces; faces > 0 && faces <= b.faces; faces = nextSize(faces, 1) {
			for plus := a.plus; plus <= b.plus; plus++ {
				if out = append(out, diceGroup{count, faces, plus, a.isBare}.String()); len(out) > MaxVaried {
					return nil, fmt.Errorf("more than %d values", MaxVaried)
				}
			}
		}
	}
	if last := b.String(); !slices.Contains(out, last) { // of a size that nobody has
		out = append(out, last)
	}
	return out, nil
}

// isDice reports whether a text is dice in notation.
func isDice(text string) bool {
	e, err := dice.ParseExpression(text)
	return err == nil && e.Dice()
}

// listWords returns the words among a list, and the dice of a range. What else there is is told of where values are tried.
func listWords(list string) (out []string) {
	if from, to, isRange := strings.Cut(list, ".."); isRange {
		out, err := diceBetween(from, to)
		if err != nil {
			return nil
		}
		return out
	}
	for part := range strings.SplitSeq(list, ",") {
		out = append(out, strings.Trim(part, `"`))
	}
	return out
}

// OpenColumns returns the columns to which cells belong that --vary leaves open, with the words that it names.
func OpenColumns(vary []string) (out []compiler.OpenColumn) {
	for _, text := range vary {
		name, list, _ := plan.CutAssignment(text)
		if cell, isCell := strings.CutPrefix(name, tablesRoot+"."); isCell {
			if o := (compiler.OpenColumn{Words: listWords(list), Every: list == everyWord}); o.Words != nil {
				out = appendOpen(out, cell, o)
			}
		}
	}
	return out
}

// NearDiceOf returns the dice that are one step away from those of cells.
func NearDiceOf(p *plan.Plan, cells []plan.Cell) (out []compiler.OpenColumn) {
	for i := range cells {
		c := &cells[i]
		if now, err := strconv.Unquote(p.CellText(c)); err == nil && isDice(now) {
			out = appendOpen(out, c.Name, compiler.OpenColumn{Words: NearDice(now)})
		}
	}
	return out
}

// appendOpen appends the column of a cell, which is called table.row.column. A column with a point in its name that stands
// bare is not known before the table is, and so each end of the name is taken for one.
func appendOpen(out []compiler.OpenColumn, cell string, o compiler.OpenColumn) []compiler.OpenColumn {
	path := plan.SplitPath(cell)
	for from := 2; from < len(path); from++ {
		o.Table, o.Column = path[0], strings.Join(path[from:], ".")
		out = append(out, o)
	}
	return out
}
