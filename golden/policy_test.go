package golden_test

import (
	"testing"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
)

// guessing is a ruleset with a procedure that comes to an end by chance, and that has no memory until then.
const guessing = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset & {
	id:    "game"
	title: "Game"
	source: book: "none"
	#Character: {}
	rules: toss: {
		cite: "Tosses"
		dice: roll: "d6"
		output: face: "roll"
	}
	procedures: guess: {
		cite: "Guesses"
		#State: face: int | *0
		events: {
			throw: {
				#Event: low!: int & >=1 & <=6
				dice: roll: "d6"
				next: face: "roll < event.low ? 0 : roll"
			}
			leave: {
				when: "state.face > 0"
				next: face: "-1"
			}
		}
		ends: {
			six:   "state.face == 6"
			other: "state.face > 3 && state.face < 6"
			left:  "state.face < 0"
		}
		output: face: "state.face"
	}
}
`

// TestPlayedOdds holds the odds of a procedure under a policy to numbers that are counted in the comments.
func TestPlayedOdds(t *testing.T) {
	program := runtime.New(compileText(t, guessing))
	for _, x := range []struct{ name, headers, want, problems string }{
		// 4, 5 and 6 end it, 1 to 3 are thrown again: a third each, after two throws on average.
		{"geometric", "odds: guess\npolicy: throw {\"low\": 4}",
			`{"ends": {"six": "1/3", "other": "2/3", "left": 0, "stuck": 0, "outgrown": 0}, "mean_events": 2, "open": 0,
				"odds": {"face": {"4": "1/3", "5": "1/3", "6": "1/3"}, "status": {"six": "1/3", "other": "2/3"}},
				"mean": {"face": 5}}`, ""},
		// A 3 is left at once: of 3 to 6 a quarter each. 6/4 throws, and an event more with 1/4.
		{"the first that is offered", "odds: guess\npolicy: leave\npolicy: throw {\"low\": 3}",
			`{"ends": {"six": 0.25, "other": 0.5, "left": 0.25}, "mean_events": "7/4"}`, ""},
		{"never offered", "odds: guess\npolicy: leave", `{"ends": {"stuck": 1, "six": 0}, "mean_events": 0}`, ""},
		{"otherwise", "odds: guess\npolicy: throw {\"low\": 4}",
			"{\"ends\": {\n\"six\": \"1/2\"}, \"mean_events\": 3}",
			"8: ends.six: want 1/2 = 0.5, got 0.3333333333333333\n8: mean_events: want 3, got 2"},
		{"unknown event", "odds: guess\npolicy: leave\npolicy: thro", `{"mean_events": 2}`,
			`3: there is no event "thro"; did you mean "throw"`},
		{"unknown end", "odds: guess\npolicy: leave", `{"ends": {"sixx": 1}}`,
			`7: there is no end "sixx"; did you mean "six"`},
		{"unknown output", "odds: guess\npolicy: leave", `{"mean": {"faces": 1}}`,
			`1: there is no output "faces"; did you mean "face"`},
		{"unknown member", "odds: guess\npolicy: leave", `{"events": 2}`,
			`7: events: want 2, but there is no such member`},
		{"no policy", "odds: guess", `{"mean_events": 2}`,
			"1: guess is a procedure: say in headers what is tried next, policy: EVENT"},
		{"policy of a rule", "odds: toss\npolicy: throw", `{"mean": {"face": 3.5}}`,
			"2: toss is a rule: only procedures are played under a policy"},
		{"unknown procedure", "odds: gues\npolicy: throw", `{"mean_events": 2}`,
			`1: there is no procedure "gues"; did you mean "guess"`},
		{"unknown option", "odds: guess\npolicy: leave\noption: a=b", `{"mean_events": 2}`, `1: there is no option "a"`},
		{"mean of a rule", "odds: toss", `{"odds": {"face": {"1": "1/6"}}, "mean": {"face": "7/2"}}`, ""},
		{"no fraction", "odds: toss", `{"mean": {"face": "7/0"}}`, `6: "7/0" is no fraction`},
	} {
		t.Run(x.name, func(t *testing.T) {
			result := golden.Run(program, parse(t, x.headers, "-- want.json --\n"+x.want+"\n"))
			if got := golden.Said(result.Problems); got != x.problems {
				t.Errorf("got %s\nwant %s", got, x.problems)
			}
		})
	}
}
