package golden_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime"
)

// enoughPlays is how many plays are drawn so that they are drawn abreast, where they can be.
const enoughPlays = 520

// checkDrawnAlike draws the plays of a procedure abreast, and one by one under a policy that the drawer cannot see
// through, and compares how they end, or how the first one fails. It returns what both say.
func checkDrawnAlike(t *testing.T, c *runtime.Courses, q runtime.Request, event, input string,
	o runtime.CourseOptions) string {
	t.Helper()
	write := func(policy runtime.Policy) string {
		sampling := runtime.Sampling{Seed: 11, Plays: enoughPlays, Policy: func() (runtime.Policy, error) { return policy, nil }}
		course, err := c.Sample(t.Context(), q, sampling, &o)
		if err != nil {
			return err.Error()
		}
		text := fmt.Sprintf("%v %v %v %v", course.Ends, course.Mean, course.Open, course.Events)
		if course.Outputs != nil {
			text += fmt.Sprint(course.Outputs.Outcomes())
		}
		return text
	}
	always := func(_, _, _ []byte) (bool, error) { return true, nil }
	abreast := write(runtime.Policy{{Event: event, Input: []byte(input)}})
	alone := write(runtime.Policy{{Event: event, Input: []byte(input), Guard: always}})
	if abreast != alone {
		t.Errorf("%s: drawn abreast they end\n%s\nand one by one\n%s", q.Input, abreast, alone)
	}
	return alone
}

// Fights of the SRD of all sizes, with weapons of one die and of two, and with conditions.
func TestFightsDrawnAbreastEndAsOneByOne(t *testing.T) {
	c, err := duels().PrepareOdds(nil, false)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ours := 1; ours <= 3; ours++ {
		for theirs := 1; theirs <= 4; theirs++ {
			q := fightOf(ours, theirs, func() string {
				n++
				weapon := []string{"club", "maul", "rapier", "greatsword", "blowgun"}[n%5]
				conditions := []string{"", `"poisoned"`, `"prone", "frightened"`, `"invisible"`}[n%4]
				who := strings.TrimSuffix(nobody(8+n%9, 4+n%11), "}") + `, "conditions": [` + conditions + `]}`
				return fmt.Sprintf(`{"who": %s, "weapon": "%s", "armor_class": %d}`, who, weapon, 9+n%8)
			})
			for _, o := range []runtime.CourseOptions{
				{}, {Outputs: []string{"left", "rounds", "status"}}, {Outputs: []string{"state"}, Most: 9},
			} {
				checkDrawnAlike(t, c, q, "turn", "", o)
			}
		}
	}
}

// A pile of stones, from which one takes what dice say: what may happen in the middle of a play.
const piles = `package game

import (
	"list"

	"github.com/tabletop-rules/rules/schema"
)

#Part: {part: "low" | "high", weight: number & >=0 & <=100}

schema.#Ruleset & {
	id:    "game"
	title: "Game"
	source: book: "none"
	#Character: {}
	tables: part: {cite: "Parts", doc: "What a part is worth.", gives: "worth", keyed: {
		low: worth: 1
		high: worth: 4
	}}
	procedures: pile: {
		cite: "Piles"
		#Input: {
			stones: [...int & >=0 & <=40] & list.MaxItems(8)
			parts: [...#Part] & list.MaxItems(8)
			names: {[string]: int & >=0 & <=9}
			rest: *0 | int & >=0 & <=9
		}
		#State: {
			stones: [...(int & >=0 & <=40)] & list.MaxItems(8)
			taken:  [...(int & >=0)] & list.MaxItems(8)
			parts:  [...#Part] & list.MaxItems(8)
			turn:   *0 | int & >=0
			weight: *0.5 | number & <=900
			last:   *"none" | "low" | "high" | "none"
			even:   *true | bool
		}
		start: next: {
			stones: "input.stones"
			parts:  "input.parts"
		}
		events: {
			take: {
				dice: {first: "d6", more: {die: 4, count: "size(state.stones) > 1 ? 2 : 1"}}
				let: {
					at:    "state.turn % size(state.stones)"
					left:  "range(size(state.stones)).map(i, i == at ? max(0, state.stones[i] - first) : state.stones[i])"
					heavy: "state.parts.fold(p, w, 0.0, p.part == 'high' ? w + p.weight : w)"
				}
				next: {
					stones: "left"
					turn:   "state.turn + 1"
					weight: "state.weight + heavy + 0.1 * double(sum(more))"
					last:   "first > 3 ? 'high' : 'low'"
					even:   "!state.even"
				}
			}
			grow: {
				dice: first: "d6"
				next: {
					taken:  "state.taken + [first]"
					stones: "state.stones.map(s, max(0, s - first))"
					turn:   "state.turn + 1"
				}
			}
			tire: {
				when: "state.turn < 3"
				next: turn: "state.turn + 1"
			}
			slip: {
				dice: first: "d6"
				require: "nobody slips": "first > 1 || state.turn < 2"
				next: {
					stones: "state.stones.map(s, max(0, s - first))"
					turn:   "state.turn + 1"
				}
			}
			burst: {
				dice: first: "d6"
				next: {
					turn:   "state.turn + 1"
					stones: "[state.stones[first - 1], first]"
				}
			}
			drown: {
				dice: first: "d6"
				next: {
					turn:   "state.turn + 1"
					weight: "state.weight * 6.0 / double(first)"
				}
			}
			worth: {
				#Event: which: *"ada" | string
				dice: first: "d6"
				let: {
					part: "first > 3 ? 'high' : 'low'"
					own:  "event.which in input.names ? input.names[event.which] : input.rest"
				}
				next: {
					turn:   "state.turn + part(part) + own"
					stones: "state.stones.map(s, max(0, s - own))"
				}
			}
		}
		ends: {
			gone:  "state.stones.all(s, s == 0)"
			late:  "state.turn >= 30"
			heavy: "state.weight > 800.0"
		}
		output: {
			stones: "state.stones"
			turn:   "state.turn"
			weight: "state.weight"
			least:  "min(state.stones)"
			share:  "div_floor(100, state.turn + 1)"
			halves: "state.stones.map(s, input.rest == 9 ? floor(100.0 / double(s)) : s)"
			first:  "input.rest == 8 && state.turn == 2 ? state.stones[state.turn * 4] : 0"
		}
	}
}
`

// Whatever an event does in the middle of a play, the play ends as it does by itself: an event that is refused or not
// offered, fails, or leaves the bounds of the state, a list that grows, an output that fails, doubles, words, records in
// lists.
func TestPlaysDrawnAbreastEndAsOneByOne(t *testing.T) {
	d, err := runtime.New(compileText(t, piles)).Procedure("pile", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.PrepareOdds(nil, false)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, input := range []string{
		`{"stones": [7, 3, 12], "parts": [{"part": "low", "weight": 2}, {"part": "high", "weight": 0.1}, {"part": "high", "weight": 3}]}`,
		`{"stones": [5]}`, `{"stones": [40, 40, 40, 40, 40, 40], "names": {"ada": 2}}`,
		`{"stones": [1, 0], "names": {"brook": 3, "cedar": 4}, "rest": 1}`, `{"stones": []}`,
		`{"stones": [9, 8], "rest": 8}`, `{"stones": [9, 8], "rest": 9}`,
	} {
		for _, event := range []string{"take", "grow", "tire", "slip", "burst", "drown", "worth"} {
			given := ""
			if event == "worth" {
				given = `{"which": "brook"}`
			}
			for _, o := range []runtime.CourseOptions{
				{}, {Outputs: []string{"stones", "weight"}}, {Outputs: []string{"state", "share"}, Most: 4}, {Most: 1},
			} {
				got := checkDrawnAlike(t, c, runtime.Request{Input: []byte(input)}, event, given, o)
				for _, word := range []string{"gone", "late", "heavy", "stuck", "refused", "outgrown", "play 0 of", "play 1 of"} {
					said[word] = said[word] || strings.Contains(got, word)
				}
			}
		}
	}
	for _, word := range []string{"gone", "late", "heavy", "stuck", "refused", "outgrown", "play 0 of"} {
		if !said[word] {
			t.Errorf("no play is told as %q", word)
		}
	}
}

// BenchmarkDrawnFights compares an event of a fight of four against four that is drawn abreast with one that is drawn by itself.
func BenchmarkDrawnFights(b *testing.B) {
	c, err := duels().PrepareOdds(nil, false)
	if err != nil {
		b.Fatal(err)
	}
	q := fightOf(4, 4, func() string {
		return fmt.Sprintf(`{"who": %s, "weapon": "longsword", "armor_class": 14}`, nobody(14, 20))
	})
	turn := runtime.Move{Event: "turn"}
	for name, policy := range map[string]runtime.Policy{"abreast": {turn}, "one_by_one": {turn, turn}} { // the second is not tried
		b.Run(name, func(b *testing.B) {
			events := 0.0
			for b.Loop() {
				course, err := c.Sample(b.Context(), q, runtime.Sampling{Plays: 2_000,
					Policy: func() (runtime.Policy, error) { return policy, nil }}, &runtime.CourseOptions{})
				if err != nil {
					b.Fatal(err)
				}
				events += course.Mean * 2_000
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/events, "ns/event")
		})
	}
}
