package overlay_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

var allPairs = flag.Bool("all-pairs", false, "apply all pairs of changes in both orders, and not a sample")

// changes are one of each operation on each part of the game, and some on the same part.
var changes = []string{
	`replace: options: luck: {expect: "on", with: "off"}`,
	`replace: options: luck: cite: {expect: "Luck", with: "House"}`,
	`replace: tables: weapon: rows: dagger: damage: {expect: 4, with: 5}`,
	`replace: tables: weapon: rows: sword: damage: {expect: 8, with: 7}`,
	`replace: tables: weapon: {expect: keyed: {dagger: damage: 4, sword: damage: 8}, with: keyed: {dagger: damage: 1, sword: damage: 2}}`,
	`extend: tables: weapon: keyed: club: damage: 3`,
	`extend: tables: weapon: keyed: spear: damage: 6`,
	`disable: tables: weapon: rows: dagger: "too small"`,
	`replace: tables: place: rows: "1 to 3": name: {expect: "leg", with: "foot"}`,
	`replace: rules: strike: output: harm: {expect: "weapon(input.with) + roll", with: "weapon(input.with) + 2 * roll"}`,
	`replace: rules: strike: dice: roll: {expect: "d6", with: "d4"}`,
	`replace: rules: strike: require: "only the strong strike": {expect: "character.strength > 0", with: "character.strength > 1"}`,
	`extend: rules: strike: output: twice: "2 * roll"`,
	`extend: rules: strike: {let: more: "roll + 1", output: most: "more"}`,
	`extend: rules: strike: require: "not by a 5": "roll != 5"`,
	`disable: rules: rest: "nobody rests"`,
	`replace: rules: rest: output: heals: {expect: "character.strength + 1", with: "character.strength + 2"}`,
	`replace: rules: ambush: use: strike: {expect: {rule: "strike", input: with: "input.with"}, with: {rule: "strike", input: with: "'sword'"}}`,
	`add: rules: dodge: {cite: "House", dice: roll: "d6", output: away: "roll > 3"}`,
	`add: tables: armour: {cite: "House", gives: "stops", keyed: {mail: stops: 2}}`,
	`replace: procedures: climb: ends: top: {expect: "state.height >= 10", with: "state.height >= 8"}`,
	`replace: procedures: climb: events: pull: next: height: {expect: "state.height + roll", with: "state.height + roll + 1"}`,
	`extend: procedures: climb: ends: ground: "state.height == 5"`,
	`extend: procedures: climb: events: pull: require: "not by a 3": "roll != 3"`,
	`disable: procedures: climb: "nobody climbs"`,
	`disable: procedures: climb: events: pull: "nobody pulls"`,
}

// TestPairsCommute proves on a small universe that two homebrews never give other answers in the other order: both orders
// give the same to every character, input and face, or both are refused. Only where one of them replaces the whole of what the
// other changes in part may one order be refused alone.
func TestPairsCommute(t *testing.T) {
	conflicts, n := 0, 0
	for i := range changes {
		if p, said := apply(brew("one", changes[i])); p == nil {
			t.Fatalf("%s: %v", changes[i], said)
		}
		for j := range i + 1 {
			if n++; n%23 > 0 && !*allPairs {
				continue
			}
			one, two := brew("one", changes[i]), brew("two", changes[j])
			p, _ := apply(one, two)
			q, _ := apply(two, one)
			switch {
			case (p == nil) != (q == nil) && (isWhole(changes[i]) || isWhole(changes[j])):
				conflicts++
			case (p == nil) != (q == nil):
				t.Errorf("only one order is refused:\n%s\n%s", changes[i], changes[j])
			case p == nil:
				conflicts++
			case answersOf(t, p) != answersOf(t, q):
				t.Errorf("the order matters:\n%s\n%s", changes[i], changes[j])
			}
		}
	}
	t.Logf("%d conflicts", conflicts)
	if conflicts == 0 {
		t.Error("no pair is refused")
	}
}

// isWhole reports whether a change replaces a whole table.
func isWhole(change string) bool { return strings.Contains(change, "expect: keyed:") }

// answersOf returns what every rule and procedure says of every character, input and face.
func answersOf(t *testing.T, p *plan.Plan) string {
	var b strings.Builder
	program := runtime.New(p)
	for _, id := range []string{"strike", "poke", "rest", "ambush", "dodge"} {
		rule, err := program.Rule(id, runtime.Choice{})
		if err != nil {
			fmt.Fprintf(&b, "no %s\n", id)
			continue
		}
		for _, with := range []string{`{}`, `{"with":"dagger"}`, `{"with":"sword"}`, `{"with":"club"}`, `{"with":"spear"}`} {
			for _, strength := range []int{0, 1, 2} {
				for face := range int64(7) {
					request := runtime.Request{Character: fmt.Appendf(nil, `{"strength":%d}`, strength), Input: []byte(with),
						Throw: dice.Fallen(face)}
					if face == 0 {
						request.Throw = dice.Throw{}
					}
					sheet, err := rule.Eval(request)
					if err == nil {
						fmt.Fprintln(&b, id, with, strength, face, sortedMembers(t, sheet.Output))
					} else if face > 0 && strings.HasPrefix(with, `{"`) {
						fmt.Fprintln(&b, id, with, strength, face, firstWords(err))
					}
				}
			}
		}
	}
	climbing, err := program.Procedure("climb", runtime.Choice{})
	if err != nil {
		return b.String() + "no climb\n"
	}
	for first := range int64(6) {
		for second := range int64(6) {
			play, err := climbing.Play(runtime.Request{}, pull(first+1), pull(second+1))
			if err == nil {
				fmt.Fprintln(&b, first, second, play.Status, sortedMembers(t, play.Output))
			} else {
				fmt.Fprintln(&b, first, second, firstWords(err))
			}
		}
	}
	return b.String()
}

// sortedMembers returns outputs in the order of their names: new ones stand in the order of the homebrews.
func sortedMembers(t *testing.T, v jsonio.Value) string {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(v.AppendJSON(nil), &members); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s", members)
}

// firstWords returns an error without the lists of names in it, which stand in the order of the homebrews.
func firstWords(err error) string {
	text, _, _ := strings.Cut(err.Error(), "one of")
	return text
}
