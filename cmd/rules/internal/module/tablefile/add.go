package tablefile

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Add returns the homebrew that adds a sheet as a new table. Its kind follows from the keys, and the type of a column from
// its cells. With problems it is as Change returns it.
func Add(p *plan.Plan, table, id string, g *Grid) (*Homebrew, []diag.Diagnostic) {
	r := &reader{g: g}
	t := &plan.Table{ID: table, Kind: kindOfKeys(g), Row: &plan.Type{Kind: plan.Record}}
	var inferred, rolled []string
	forms := make([]columnForm, len(g.Rows[0]))
	r.refuseFaults(t)
	for c, name := range g.Rows[0] {
		if c == 0 || name == "" || isNote(name, t) {
			continue
		}
		heading := name
		if name = columnName(name); !identifier().MatchString(name) {
			r.refuse(0, c, "a column is called by small letters, digits and _", "%q is no name of a column", heading)
		}
		form := formOfColumn(g, c)
		forms[c] = form
		t.Row.Fields = append(t.Row.Fields, plan.Field{Name: name, Type: &plan.Type{Kind: form.kind}})
		inferred = append(inferred, name+" "+form.name)
		if form.isDice {
			rolled = append(rolled, quote(name))
		}
	}
	r.refuseSecondTable(forms)
	rows := r.readRows(t, nil, r.findColumns(t))
	if len(rows) == 0 || !r.areJudged(t.Kind) {
		return nil, r.list
	}
	w := beginHomebrew(p, id, g)
	w.h.Added, w.h.Inferred = len(rows), fmt.Sprintf("%s; %s", t.Kind, strings.Join(inferred, ", "))
	if g.comma == commaDecimal {
		w.h.Inferred += "; a comma begins the decimals"
	}
	w.line("add: tables: %s: {", label(table))
	cite, cites := g.readNotes(citeNote)
	doc, docs := g.readNotes(docNote)
	w.line("cite: %s", quote(cmp.Or(cite, g.Name)))
	if doc != "" {
		w.line("doc: %s", quote(doc))
	}
	if len(rolled) > 0 {
		w.line("dice: [%s]", strings.Join(rolled, ", "))
	}
	open, end := brackets(t.Kind)
	w.line("%s: %s", t.Kind, open)
	for i := range rows {
		for _, note := range []string{cites[rows[i].row], docs[rows[i].row]} {
			if note = strings.Join(strings.Fields(note), " "); note != "" { // a comment ends with its line
				w.from(g.Cell(rows[i].row, 0), "// %s.", strings.TrimSuffix(note, ".")) // whose end opens no level
			}
		}
		w.writeRow(g, &rows[i])
	}
	w.line("%s", end)
	w.line("}")
	return w.h, r.list
}

// kindOfKeys returns the kind of table that the keys of a sheet make: words when most are no numbers, else steps when more
// of them are open than closed, else bands. Where one is a range, more numbers than words are enough: 2 to 10, jack and
// queen are words, 1-3, 4-6 and six numbers with a slip.
func kindOfKeys(g *Grid) plan.TableKind {
	open, closed, ranges, words := 0, 0, 0, 0
	for i := range g.Rows {
		if i == 0 || isEmpty(g.Rows[i][1:]) {
			continue
		}
		s, ok := g.spanOfKey(i)
		if ok && (s.open || s.lo < s.hi) {
			ranges++
		}
		switch {
		case g.faults[position{i, 0}] != fault{}, g.repairSpan(plain(g.Rows[i][0])) != "":
			closed++
		case !ok:
			words++
		case s.open:
			open++
		default:
			closed++
		}
	}
	switch {
	case !isMost(open+closed, words) && (ranges == 0 || open+closed <= words):
		return plan.KeyedTable
	case open > closed:
		return plan.StepsTable
	}
	return plan.BandsTable
}

// isMost reports whether so many cells decide how the others are read: nine of ten. Those that do not fit are mistakes
// then, and are told at their cells; a column that is taken for words because of one slip would hide it.
func isMost(fitting, others int) bool { return fitting > 0 && fitting >= 9*others }

// A columnForm is how the cells of a new column are read.
type columnForm struct {
	name   string
	kind   plan.Kind
	isDice bool
}

// formOfColumn returns the narrowest form that most cells of a column have.
func formOfColumn(g *Grid, column int) columnForm { return formOfRows(g, column, g.Rows[1:]) }

// formOfRows returns the narrowest form that most cells of a column have in some rows. A number for readers counts as one,
// so that it is refused at its cell and makes no column of words.
func formOfRows(g *Grid, column int, rows [][]string) columnForm {
	whole, numbers, truths, rolls, all := 0, 0, 0, 0, 0
	for _, row := range rows {
		text := plain(row[column])
		if text == "" {
			continue
		}
		all++
		x, ok := g.readNumber(text)
		switch {
		case ok && x.IsInt(), !ok && g.isForReaders(text):
			whole, numbers = whole+1, numbers+1
		case ok:
			numbers++
		}
		if slices.Contains([]string{"yes", "no", "true", "false"}, strings.ToLower(text)) {
			truths++
		}
		if isDice(germanDice().ReplaceAllString(text, "${1}d$2")) {
			rolls++
		}
	}
	switch {
	case isMost(numbers, all-numbers) && whole == numbers:
		return columnForm{"int", plan.Int, false}
	case isMost(numbers, all-numbers):
		return columnForm{"double", plan.Double, false}
	case isMost(truths, all-truths):
		return columnForm{"bool", plan.Bool, false}
	case isMost(rolls, all-rolls):
		return columnForm{"dice", plan.String, true}
	}
	return columnForm{"string", plan.String, false}
}

// germanDice finds a W for the dice of German books, which the compiler refuses at its cell.
var germanDice = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b([0-9]*)[Ww]([0-9]+)`) })

// isDice reports whether a text is dice in notation, or a number in their place. A range, 5-30, is none.
func isDice(text string) bool {
	_, err := dice.ParseExpression(text)
	_, isNumber := number(text)
	return err == nil && (isNumber || strings.ContainsAny(text, "dD"))
}
