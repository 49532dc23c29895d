package revisions_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/revisions"
)

// TestOnlyEditsThatAreReadAreCauses makes two edits that a rule reaches both. Whose answer reads one of them is not told of
// the other.
func TestOnlyEditsThatAreReadAreCauses(t *testing.T) {
	axe, club := blow(t, "axe", "5", "axe", "10"), blow(t, "club", "5", "club", "10")
	for name, c := range map[string]struct {
		edit      []string
		axe, club []string // nil where nothing moves
	}{
		"another row of a table that the changed formula reads": {
			[]string{"club: damage: 2", "club: damage: 3", `base: "weapons(input.weapon)"`, `base: "weapons(input.weapon) + 1"`},
			[]string{"rule strike"}, []string{"table weapons", "rule strike"},
		},
		"a function whose value stays the same": {
			[]string{`"2 * n"`, `"3 * n"`, "axe: damage:  5", "axe: damage: 6"}, []string{"table weapons"}, nil,
		},
		"an arm that is not taken": {
			[]string{": 0\"", ": 1\"", "axe: damage:  5", "axe: damage: 6", "club: damage: 2", "club: damage: 3"},
			[]string{"table weapons", "rule strike"}, []string{"table weapons", "rule strike"},
		},
		"a default and a row": {
			[]string{"luck:      *0", "luck: *1", "club: damage: 2", "club: damage: 3"},
			[]string{"character"}, []string{"character", "table weapons"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := revisions.Compare(small(t), small(t, c.edit...), []*golden.Case{axe, club}, nil)
			got := map[string][]string{}
			for _, s := range d.Cases {
				got[s.Name] = s.Because
			}
			if !slices.Equal(got["axe"], c.axe) || !slices.Equal(got["club"], c.club) {
				t.Errorf("the edits are %q, want axe by %q, club by %q", got, c.axe, c.club)
			}
		})
	}
}

// climbs has two events, a table of two rows, and an output that reads the state.
const climbs = `package small

id:    "small"
title: "Small"
source: book: "Small"
#Character: {}
tables: holds: {
	cite:  "Holds"
	gives: "height"
	keyed: {ledge: height: 2, crack: height: 1}
}
procedures: climb: {
	cite: "Climbing"
	#State: height: *0 | int & >=0 & <=99
	events: {
		grip: {
			#Event: hold!: "ledge" | "crack"
			next: height: "state.height + holds(event.hold)"
		}
		slip: next: height: "max(state.height - 1, 0)"
	}
	ends: top: "state.height >= 9"
	output: height: "state.height"
}
`

// TestCausesOfAProcedure makes three edits: of a row, of an event and of the outputs.
func TestCausesOfAProcedure(t *testing.T) {
	edited := climbs
	for _, pair := range [][2]string{
		{"crack: height: 1", "crack: height: 4"}, {"state.height - 1", "state.height - 2"},
	} {
		if !strings.Contains(edited, pair[0]) {
			t.Fatalf("there is no %q to edit", pair[0])
		}
		edited = strings.Replace(edited, pair[0], pair[1], 1)
	}
	climb := func(name, events string) *golden.Case {
		c, err := golden.Parse(name+".txtar", []byte("procedure: climb\ncite: Climbing\n\nUp.\n-- events.json --\n"+events+
			"\n-- want.json --\n{\"output\": {\"height\": 0}}\n"))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	const ledge, crack, slip = `{"event": "grip", "input": {"hold": "ledge"}}`,
		`{"event": "grip", "input": {"hold": "crack"}}`, `{"event": "slip"}`
	cases := []*golden.Case{
		climb("ledges", "["+ledge+","+ledge+"]"), climb("slips", "["+ledge+","+ledge+","+slip+"]"),
		climb("cracks", "["+crack+","+ledge+"]"), climb("both", "["+crack+","+ledge+","+slip+"]"),
	}
	d := revisions.Compare(compiledText(t, climbs), compiledText(t, edited), cases, nil)
	got := map[string]string{}
	for _, s := range d.Cases {
		got[s.Name] = strings.Join(s.Because, ", ")
	}
	want := map[string]string{"slips": "event climb.slip", "cracks": "table holds", "both": "table holds, event climb.slip"}
	for _, name := range []string{"ledges", "slips", "cracks", "both"} {
		if got[name] != want[name] {
			t.Errorf("%s: the edits are %q, want %q", name, got[name], want[name])
		}
	}
}
