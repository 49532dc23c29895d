package vm

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Whatever a graph says that plan.Verify admits, executing it comes to an end.
func FuzzAlteredGraph(f *testing.F) {
	cases := graphtest.AllCases()
	for i := range cases {
		f.Add(uint16(i), []byte{byte(i), 1, 2, 3, 0, byte(7 * i), 5, 2, 1})
	}
	f.Fuzz(func(t *testing.T, which uint16, damages []byte) {
		b := graphtest.NewBuilder()
		cases[int(which)%len(cases)].Build(b)
		for ; len(damages) >= 3; damages = damages[3:] {
			b.Alter(graphtest.Damage{Node: damages[0], Field: damages[1], To: damages[2]})
		}
		b.Plan.Rules = []plan.Rule{{ID: "r", Input: b.IntShape(), Graph: b.Graph}}
		if plan.Verify(b.Plan) != nil {
			return
		}
		for _, opt := range graphtest.Variants() {
			code, err := schedule.Make(b.Plan, &b.Graph, b.Options(opt))
			if err != nil {
				continue
			}
			endureCode(b, code)
		}
	})
}

// Whatever instructions say that schedule.Restore admits, executing them comes to an end. Three bytes change a byte
// each: the first two say which, the third which of its bits.
func FuzzAlteredInstructions(f *testing.F) {
	cases := graphtest.AllCases()
	for i := range cases {
		f.Add(uint16(i), []byte{0, byte(i), 1, 0, byte(3 * i), 0x82, 0, byte(7 * i), 0x40})
	}
	f.Fuzz(func(t *testing.T, which uint16, damages []byte) {
		b := graphtest.NewBuilder()
		cases[int(which)%len(cases)].Build(b)
		b.Plan.Rules = []plan.Rule{{ID: "r", Input: b.IntShape(), Graph: b.Graph}}
		body := b.Plan.RuleBody(&b.Plan.Rules[0])
		stored := schedule.Stored(b.Plan)(body)
		for ; len(damages) >= 3; damages = damages[3:] {
			at := (int(damages[0])<<8 | int(damages[1])) % len(stored)
			stored[at] ^= damages[2]
		}
		if code, err := schedule.Restore(b.Plan, body, stored); err == nil {
			endureCode(b, code)
		}
	})
}
