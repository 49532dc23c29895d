package opendata

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// dicePattern matches dice as data print them: 2d6 + 5, 18d10+36, 1d8 − 1.
const dicePattern = `([0-9]+)d([0-9]+)(?:\s*([+\-−])\s*([0-9]+))?`

var (
	diceAlone       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^` + dicePattern + `$`) })
	averageWithDice = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`([0-9]+) \((` + dicePattern + `)\)(?: (?:plus [A-Za-z]+ )?([A-Za-z]+) damage)?`)
	})
)

// damageTypes are the kinds of damage of the fifth edition.
var damageTypes = []string{"acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison",
	"psychic", "radiant", "slashing", "thunder"}

// averageOf returns the mean of dice, rounded down as the fifth edition prints it.
func averageOf(dice string) (mean int, ok bool) {
	m := diceAlone().FindStringSubmatch(strings.ToLower(strings.TrimSpace(dice)))
	if m == nil {
		return 0, false
	}
	count, err1 := strconv.Atoi(m[1])
	faces, err2 := strconv.Atoi(m[2])
	if err1 != nil || err2 != nil {
		return 0, false
	}
	mean = count * (faces + 1) / 2
	if m[4] == "" {
		return mean, true
	}
	more, err := strconv.Atoi(m[4])
	if m[3] != "+" {
		more = -more
	}
	return mean + more, err == nil
}

// normalDice returns dice in one form: 2d6+5.
func normalDice(text string) string {
	return strings.NewReplacer(" ", "", "−", "-").Replace(strings.ToLower(text))
}

// A kind is a way in which data disagree: the head of its part of the page, and the message at each place.
type kind struct {
	code          diag.Code
	title, format string
}

var (
	wrongAverage = kind{"data-average", "A printed average is not that of its dice, rounded down",
		"%d is printed for %s, whose average is %d"}
	misplacedType = kind{"data-type", "The type of the damage stands in the field of the extra damage",
		"%s stands here, and is the type of %s"}
	typeAlone   = kind{"data-type", "A type of damage stands beside no dice", "a type of damage without dice: %s"}
	unknownDice = kind{"data-dice", "The text has no damage of such dice", "the text has no damage of %s"}
	otherDice   = kind{"data-dice", "The dice are others than in the text", "%s here, and %s in the text"}
	missingType = kind{"data-type", "A type of damage is missing that the text has",
		"no type of damage, and the text has %s %s"}
	otherType  = kind{"data-type", "The type of damage is another than in the text", "%s is %s here, and %s in the text"}
	twoSources = kind{"data-publishers", "Two publishers say different things", "%s has %s %s here, and %s in %s"}
	brokenFile = kind{"data-file", "A file cannot be read", "the file is left out: %s"}
)

// addFinding notes a disagreement about the thing with the name of.
func (s *Source) addFinding(k kind, of, place, other, related string, args ...any) {
	d := diag.Diagnostic{
		Code: k.code, Severity: diag.Warn, Place: plan.Place{File: place}, Message: fmt.Sprintf(k.format, args...),
	}
	if other != "" {
		d.Related = []diag.Related{{Place: plan.Place{File: other}, Message: related}}
	}
	s.Findings = append(s.Findings, d)
	s.subjects = append(s.subjects, subject{k, of})
}

// compareAverage compares a number with the dice that it is the average of.
func (s *Source) compareAverage(of string, printed int, place, dice, dicePlace string) {
	mean, ok := averageOf(dice)
	if !ok {
		return
	}
	s.Averages++
	if mean != printed {
		s.addFinding(wrongAverage, of, place, dicePlace, "the dice", printed, dice, mean)
	}
}

// compareMember compares a number that is a member of an object, if it is there, with the dice in another one.
func (s *Source) compareMember(of string, o object, number, dice string) {
	if printed, ok := o.wholeNumber(number); ok {
		s.compareAverage(of, printed, o.place+"/"+number, o.text(dice), o.place+"/"+dice)
	}
}

// compareAverages compares the averages that the text of an action prints beside their dice.
func (s *Source) compareAverages(of action) {
	for _, m := range averageWithDice().FindAllStringSubmatch(of.text, -1) {
		if printed, err := strconv.Atoi(m[1]); err == nil {
			s.compareAverage(of.name, printed, of.place, m[2], "")
		}
	}
}

// compareAttack compares the dice and the types of damage in fields with those in the text of the action.
func (s *Source) compareAttack(a *attack, of action) {
	s.Attacks++
	said := map[string][]string{} // the types by their dice
	for _, m := range averageWithDice().FindAllStringSubmatch(of.text, -1) {
		if kind := strings.ToLower(m[len(m)-1]); slices.Contains(damageTypes, kind) {
			said[normalDice(m[2])] = append(said[normalDice(m[2])], kind)
		}
	}
	if len(said) == 0 {
		return
	}
	if len(a.damage) == 2 {
		first, extra := &a.damage[0], &a.damage[1]
		if first.dice != "" && first.kind == "" && extra.dice == "" && extra.kind != "" {
			s.addFinding(misplacedType, of.name, extra.kindPlace, first.kindPlace, "where it belongs",
				extra.kind, first.dice)
			first.kind, extra.kind = extra.kind, ""
		}
	}
	for i := range a.damage {
		s.compareDamage(&a.damage[i], of, said)
	}
}

// compareDamage compares one of the kinds of damage of an attack with the text: said has the types by their dice.
func (s *Source) compareDamage(d *damage, of action, said map[string][]string) {
	if !strings.Contains(d.dice, "d") {
		if d.dice == "" && d.kind != "" {
			s.addFinding(typeAlone, of.name, d.kindPlace, of.place, "the text", d.kind)
		}
		return
	}
	kinds, ok := said[normalDice(d.dice)]
	if !ok {
		rolls := slices.Sorted(maps.Keys(said))
		// A roll of the same type is the one that is meant: 2d8 lightning beside 2d8 + 9 slashing and 2d10 lightning.
		near := slices.IndexFunc(rolls, func(x string) bool { return slices.Contains(said[x], strings.ToLower(d.kind)) })
		if near < 0 {
			near = slices.IndexFunc(rolls, func(x string) bool { return withoutBonus(x) == withoutBonus(d.dice) })
		}
		if near < 0 {
			s.addFinding(unknownDice, of.name, d.dicePlace, of.place, "the text", d.dice)
			return
		}
		printed := rolls[near]
		s.addFinding(otherDice, of.name, d.dicePlace, of.place, "the text", d.dice, printed)
		kinds = said[printed]
	}
	switch {
	case d.kind == "":
		s.addFinding(missingType, of.name, d.kindPlace, of.place, "the text", d.dice, kinds[0])
	case !slices.Contains(kinds, strings.ToLower(d.kind)):
		s.addFinding(otherType, of.name, d.kindPlace, of.place, "the text", d.dice,
			strings.ToLower(d.kind), strings.Join(slices.Compact(slices.Clone(kinds)), " and "))
	}
}

// withoutBonus returns the dice of a roll alone.
func withoutBonus(dice string) string {
	dice, _, _ = strings.Cut(normalDice(dice), "+")
	dice, _, _ = strings.Cut(dice, "-")
	return dice
}

// Compare compares the attacks with their texts, and publishers with each other, once all files have been added: some data
// keep attacks and texts in two.
func (s *Source) Compare() {
	for i := range s.attacks {
		if of, ok := s.actions[s.attacks[i].key]; ok {
			s.compareAttack(&s.attacks[i], of)
		}
	}
	for i, t := range s.Tables {
		for _, other := range s.Tables[:i] {
			if other.Name == t.Name && other.from != t.from {
				s.compareTables(t, other)
			}
		}
	}
}

// ambiguousColumns are the columns that publishers understand differently: some give the reach of a weapon that is not
// thrown as its range.
var ambiguousColumns = []string{"range", "long_range"}

// compareTables compares the cells that two publishers have of one thing, in columns of one name.
func (s *Source) compareTables(t, other *Table) {
	rows := map[string]int{}
	for i, row := range other.Rows[1:] {
		rows[row[0]] = i + 1
	}
	for i, row := range t.Rows[1:] {
		k, ok := rows[row[0]]
		if !ok {
			continue
		}
		for c := 1; c < len(row); c++ {
			name := t.Rows[0][c]
			d := slices.Index(other.Rows[0], name)
			if d < 1 || slices.Contains(ambiguousColumns, name) {
				continue
			}
			s.Shared++
			if here, there := row[c], other.Rows[k][d]; normalDice(here) != normalDice(there) {
				s.addFinding(twoSources, row[0], t.Places[i+1][c], other.Places[k][d], string(other.from),
					row[0], name, here, there, other.from)
			}
		}
	}
}
