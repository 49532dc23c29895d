package judge_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A fault that no ruleset notices either does no harm or was not tried. Kinds tell these apart by experiment: they ask how
// often the fault infected, which is to make another value than the program without it, and what came of that.
//
// What all kinds want: of every ruleset that was compared, which are those that reach the fault most often, everything that
// the program says is what it says without the fault, to the letter, and its odds within small budgets are right too.
//
//   - takesLonger: besides, some answers took more work, and none less. What does without a shorter way is not wrong.
//   - anotherWay: besides, many answers took another amount of work, more or less, in many rulesets. So the other values were
//     read, and something else was carried out, and came to the same each time.
//   - unread: besides, a number was wrong by other amounts too, and nobody minded any of them. A number that something is
//     compared with is never of this kind: b == 1 is b == 0 for nearly every b.
//   - eitherWay: besides, the fault was switched on and off at random, at each call, and all was as before. What depends on
//     the value can depend on neither of the two.
//
// A fault of what makes code of rules is of the first kind alone: its values are made when a rule is compiled, so that thousands
// of them say nothing of what the code then reads. A check left out shows only where it would have failed.
//
// The limits: this is a proof of nothing. It speaks of the calls that the rulesets made, and where one of a thousand calls
// matters and none of these was that one, a kind claims what is wrong. How often it does so is measured by -faults-doubt: it
// takes faults that few rulesets notice, leaves these out, and asks the kinds about the others. Statements that are swapped or
// called twice have no value to compare, and their calls are counted: so more of them are wanted.
const (
	anotherWay  = "it goes another way to the same answers"
	takesLonger = "it only takes longer"
	unread      = "nobody reads the value behind it"
	eitherWay   = "either way is right"
)

// What a kind wants at least.
const (
	leastRulesets  = 10    // infected
	leastReworked  = 60    // answers that took another amount of work
	leastWorking   = 6     // rulesets with such an answer
	leastInfected  = 1_000 // values
	leastCalls     = 5_000 // where no value tells whether a statement did anything
	mostExperiment = 16    // rulesets in each further experiment
)

// evidence is what a program with a fault has shown.
type evidence struct {
	same     []uint64         // the rulesets of which it said the same, to the letter, as without the fault
	infected map[uint64]int64 // by ruleset: how often it made another value
	toTrue   int64            // all of these, but for
	toFalse  int64            // what was true
	seen     int64            // how often a statement was carried out that is left out at other times
	changes  int64            // and changed something
	more     int              // how many answers took more work
	less     int
	reworked map[uint64]bool // in which rulesets
	isOther  bool            // there were other answers
}

// evidenceOf reads what a program with a fault has said.
func (m *faultyMachine) evidenceOf(out string) *evidence {
	e := &evidence{infected: map[uint64]int64{}, reworked: map[uint64]bool{}}
	for seed, digest := range digestsOf(out) {
		if m.Heard[seed] == digest {
			e.same = append(e.same, seed)
		}
	}
	for line := range strings.Lines(out) {
		text, found := strings.CutPrefix(line, "infected: ")
		var seed uint64
		var toTrue, toFalse, seen, changes int64
		if _, err := fmt.Sscan(text, &seed, &toTrue, &toFalse, &seen, &changes); !found || err != nil || toTrue+toFalse == 0 {
			continue
		}
		e.infected[seed] += toTrue + toFalse
		e.toTrue, e.toFalse, e.seen, e.changes = e.toTrue+toTrue, e.toFalse+toFalse, e.seen+seen, e.changes+changes
	}
	for seed, list := range workOf(out) {
		if len(list) != len(m.Worked[seed]) {
			e.isOther = true
			continue
		}
		for i, n := range list {
			switch was := m.Worked[seed][i]; {
			case n > was:
				e.more++
			case n < was:
				e.less++
			default:
				continue
			}
			e.reworked[seed] = true
		}
	}
	return e
}

func (e *evidence) String() string {
	text := fmt.Sprintf("infected %d times in %d rulesets", e.toTrue+e.toFalse, len(e.infected))
	if e.toFalse > 0 && e.toTrue > 0 {
		text += fmt.Sprintf(" (%d that were true)", e.toFalse)
	}
	if e.more+e.less > 0 {
		text += fmt.Sprintf(", more work for %d answers and less for %d in %d rulesets", e.more, e.less, len(e.reworked))
	}
	return text
}

// kindOf returns the kind of a fault that none of some rulesets notices, or "", and what was found out.
func (m *faultyMachine) kindOf(ctx context.Context, fault int, out string, seeds []uint64) (kind, why string) {
	e := m.evidenceOf(out)
	why = e.String()
	switch {
	case len(e.same) < len(seeds) || e.isOther:
		return "", "the program says something else; " + why
	case e.more > 0 && e.less == 0:
		return takesLonger, why
	case isOfCompiler(m.Places[fault-1]):
		return "", "a compiler's; " + why
	case e.more+e.less >= leastReworked && len(e.reworked) >= leastWorking:
		return anotherWay, why
	case len(e.infected) < leastRulesets:
		return "", why
	}
	seeds = seeds[:min(len(seeds), mostExperiment)]
	isHarmless := func(how string) (*evidence, bool) {
		out, err := m.run(ctx, fault, seeds, nil, how)
		x := m.evidenceOf(out)
		if why += "; " + how; err != nil || len(x.same) < len(seeds) {
			why += " is noticed: " + shorten(firstDifference(out))
			return x, false
		}
		return x, true
	}
	place := m.Places[fault-1]
	if isOfNumber(place) {
		if slices.Contains(m.Compared, fault) {
			return "", "it is compared, which seldom comes to something else; " + why
		}
		return m.kindOfNumber(e, isHarmless, &why), why
	}
	x, is := isHarmless("FAULT_SOMETIMES=1")
	if !is {
		return "", why
	}
	if _, is := isHarmless("FAULT_SOMETIMES=2"); !is {
		return "", why
	}
	n, least := e.toTrue+e.toFalse, int64(leastInfected)
	switch {
	case x.seen > 0:
		n = x.changes
		why += fmt.Sprintf("; %d of %d changed something", x.changes, x.seen)
	case hasNoValue(place):
		least = leastCalls
	}
	if n < least {
		return "", why
	}
	return eitherWay, why
}

func (m *faultyMachine) kindOfNumber(e *evidence, isHarmless func(how string) (*evidence, bool), why *string) string {
	for _, how := range []string{"FAULT_ADDS=-1", "FAULT_ADDS=7", "FAULT_SOMETIMES=1"} {
		if _, is := isHarmless(how); !is {
			return ""
		}
	}
	if e.toTrue+e.toFalse < leastInfected {
		return ""
	}
	return unread
}

// amount finds the statements left out of which it is known whether they add something.
var amount = regexp.MustCompile(` (\+=|-=|\|=|\^=) |(\+\+|--): this statement`)

// hasNoValue reports whether no value tells whether a fault does anything where it is reached.
func hasNoValue(place string) bool {
	_, change, _ := strings.Cut(place, ": ")
	return strings.Contains(change, ": this ") && !strings.HasSuffix(change, "this end never comes") &&
		!amount.MatchString(change)
}

// isOfCompiler reports whether a fault is in what makes code of rules: there a value is made once, whatever the code then reads.
func isOfCompiler(place string) bool {
	return strings.HasPrefix(place, "compiler/") || strings.HasPrefix(place, "runtime/schedule/")
}

// isOfNumber reports whether a fault makes another number.
func isOfNumber(place string) bool {
	_, change, _ := strings.Cut(place, ": ")
	return strings.Contains(change, " + 1 for ") || strings.HasSuffix(change, "- for +") ||
		strings.HasSuffix(change, "+ for -") || strings.HasSuffix(change, "+ for *")
}

// doubtKinds asks the kinds about a fault that few rulesets notice, without these, and logs what they would claim.
func (m *faultyMachine) doubtKinds(t *testing.T, fault int, out string) {
	if len(digestsOf(out)) < 1 { // the first ruleset notices it
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), *patience)
	defer cancel()
	seeds := m.seedsOf(fault)
	out, _ = m.run(ctx, fault, seeds, []string{"-go-on"})
	same := m.evidenceOf(out).same
	silent := slices.DeleteFunc(slices.Clone(seeds), func(s uint64) bool { return !slices.Contains(same, s) })
	if 4*len(silent) < 3*len(seeds) { // it is noticed often
		return
	}
	out, _ = m.run(ctx, fault, silent, []string{"-go-on"})
	kind, why := m.kindOf(t.Context(), fault, out, silent)
	t.Logf("doubted, %d of %d rulesets do not notice: %q: %d %s: %s", len(silent), len(seeds), kind, fault,
		m.Places[fault-1], why)
}
