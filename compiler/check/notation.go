package check

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// parseNotation reads a sum of dice and constants, and how often it is rolled; 0 for once, which is no list. It is nil, and
// reported, when it cannot be read or names no die.
func (r *reporter) parseNotation(text *book.Text) (e *dice.Expression, repeat int) {
	if text.S == "" && text.Runs == nil { // load has refused what stands there
		return nil, 0
	}
	e, repeat, err := dice.ParseRepeated(text.S)
	if err == nil && !e.Dice() {
		err = &dice.SyntaxError{Msg: "no die is named: write one, such as d6, 3d6 or d%"}
	}
	if err != nil {
		r.reportNotation(text, err)
		return nil, 0
	}
	r.reportDepartures(text, e)
	return e, repeat
}

// reportDepartures reports groups of dice that mean something else at the command line.
func (r *reporter) reportDepartures(text *book.Text, e *dice.Expression) {
	for _, d := range departuresOf(e) {
		r.addf("dice-meaning", text.At(d.offset), "%s", d.here).Repair = d.advice
	}
	for _, m := range openCount().FindAllStringSubmatchIndex(text.S, -1) {
		sign, face := text.S[m[2]:m[3]], text.S[m[4]:m[5]]
		r.addf("dice-dialect", text.At(m[2]), "%s%s leaves %[2]s out; Roll20's includes it", sign, face).
			Repair = fmt.Sprintf("write %s=%s for dice that show %[2]s, too", sign, face)
	}
}

// formulaLike is what reads a member or calls something, as no notation does.
var formulaLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*([a-ce-z_]|[a-z_]{2})\w*\s*[.(]`)
})

// printedRange is a range as books print it, where dice are expected.
var printedRange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(\d+)\s*(?:-|–|to)\s*(\d+)\s*$`) })

// computedCount is a formula for how many dice there are, in front of the faces of one: input.shots d6, or a name that is
// marked as in Roll20, @{shots}d6.
var computedCount = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*[@$]?[({]?([a-z_][\w. +*-]*?)[)}]?\s*[*x]?\s*\b\d?d(\d+)\s*$`)
})

// anyOfMany is how programs call a number by chance: rand(1, 10).
var anyOfMany = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\s*(?:[a-z.]*rand\w*|roll)\(\s*1\s*[,.-]+\s*(\d+)\s*\)\s*$`)
})

// openCount counts dice by a comparison that its number does not hold: 5d10>6.
var openCount = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`d[0-9]+([<>])([0-9]+)`) })

// countedName is a name at once before the faces of dice: nd6.
var countedName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*([a-z_]\w*?)d(\d+)\s*$`) })

// diceInFormula are dice without quotes in a formula.
var diceInFormula = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[^\w'])(\d*d\d+)\b`) })

// reportNotation reports notation that cannot be read, at the character.
func (r *reporter) reportNotation(text *book.Text, err error) {
	at := text.At(0)
	if wrong, ok := errors.AsType[*dice.SyntaxError](err); ok {
		at = text.At(wrong.Offset)
	}
	d := r.addf("dice-notation", at, "%s", err)
	switch name := nameAt(text.S, err); {
	case printedRange().MatchString(text.S):
		m := printedRange().FindStringSubmatch(text.S)
		d.Repair = fmt.Sprintf("a range is written as its two ends: [%s, %s]", m[1], m[2])
		if dice := diceOfSpan(m[1], m[2]); strings.Contains(r.subject, ", dice ") && dice != "" {
			d.Repair = "a range is no notation: write the dice that show it: " + dice
		}
	case anyOfMany().MatchString(text.S):
		d.Repair = "write d" + anyOfMany().FindStringSubmatch(text.S)[1]
	case countedName().MatchString(text.S):
		m := countedName().FindStringSubmatch(text.S)
		d.Repair = fmt.Sprintf("how many dice a formula says is {die: %s, count: %q}, a list with the total sum(%s)", m[2],
			r.fullName(m[1]), cmp.Or(dieOfSubject(r.subject), "roll"))
	case computedCount().MatchString(text.S) && !strings.Contains(text.S, " and ") &&
		!strings.HasPrefix(text.S, "roll "): // which a chat is told
		m := computedCount().FindStringSubmatch(text.S)
		d.Repair = fmt.Sprintf("how many dice a formula says is {die: %s, count: %q}, a list with the total sum(%s)", m[2],
			r.fullName(m[1]), cmp.Or(dieOfSubject(r.subject), "roll"))
	case formulaLike().MatchString(text.S):
		formula := diceInFormula().ReplaceAllString(text.S, "$1'$2'")
		d.Repair = fmt.Sprintf("to roll what a formula says, write {roll: %q} or {die: %q}", formula, formula)
		if r.readsDice(text.S) {
			d.Repair = fmt.Sprintf("to roll the dice of a table, write {roll: %q}", formula)
		}
	case name != "" && !dice.IsNotation(name):
		d.Repair = fmt.Sprintf("dice know no names: add %s in an output, output: total: %q; "+
			"how many dice is {die: 6, count: %[1]q}, with how many faces {die: %[1]q}", name,
			addedTo(cmp.Or(dieOfSubject(r.subject), "roll"), text.S)+name)
	}
}

// columnRead is a formula that reads one column of a row: weapon(input.weapon).damage.
var columnRead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(\w+)\(.*\)\.(\w+)\s*$`) })

// readsDice reports whether a formula reads a column of dice.
func (r *reporter) readsDice(formula string) bool {
	m := columnRead().FindStringSubmatch(formula)
	return m != nil && slices.ContainsFunc(r.book.Tables,
		func(t *book.Table) bool { return t.ID == m[1] && isDiceColumn(t, m[2]) })
}

// diceOfSpan returns the dice that show every number from one to another, 2d4 for 2 to 8; "" where these are no span.
func diceOfSpan(from, to string) string {
	lo, err := strconv.Atoi(from)
	hi, wrong := strconv.Atoi(to)
	switch {
	case err != nil || wrong != nil || lo >= hi:
		return ""
	case lo > 0 && hi%lo == 0:
		return fmt.Sprintf("%dd%d", lo, hi/lo)
	case lo > 0:
		return fmt.Sprintf("1d%d + %d", hi-lo+1, lo-1)
	}
	return fmt.Sprintf("1d%d - %d", hi-lo+1, 1-lo)
}

// addedTo returns the beginning of a formula that adds to dice: several without a modifier are a list there.
func addedTo(die, notation string) string {
	if m := severalDice().FindStringSubmatch(notation); m != nil {
		return "sum(" + die + ") + "
	}
	return die + " + "
}

// severalDice are more dice than one, with nothing behind them but what is added.
var severalDice = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:[2-9]|[1-9][0-9]+)d(?:[0-9]+|%)\s*(?:[+-]|$)`)
})

// dieOfSubject returns the name of the die that a subject ends with; "" of any other subject.
func dieOfSubject(subject string) string {
	_, name, _ := strings.Cut(subject, ", dice ")
	name, _, _ = strings.Cut(name, " ")
	return strings.TrimSuffix(name, ",")
}

// fullName returns the name by which formulas read a field of the character, or a trait; any other name as it is.
func (r *reporter) fullName(name string) string {
	isTrait := slices.ContainsFunc(r.book.Traits, func(t *book.Trait) bool { return t.ID == name })
	if isTrait || r.book.Character != nil && ShapeAt(r.book.Character, name) != nil {
		return "character." + name
	}
	return name
}

// nameOfField is a name, or the path of one, perhaps in parentheses.
var nameOfField = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\(?([a-z_][a-z_0-9]{2,}(?:\.[a-z_]\w*)*)`)
})

// nameAt returns the name that stands in notation where a die or a number is expected; "" when none does.
func nameAt(text string, err error) string {
	wrong, ok := errors.AsType[*dice.SyntaxError](err)
	if !ok || !strings.Contains(wrong.Msg, "is expected") {
		return ""
	}
	rest := []rune(text)
	if m := nameOfField().FindStringSubmatch(string(rest[min(wrong.Offset, len(rest)):])); m != nil {
		return m[1]
	}
	return ""
}
