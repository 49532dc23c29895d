package runtime

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A damage is a byte of what is to be changed in a graph: a node, what of it, and to what.
type damage struct{ node, field, to byte }

// alter damages a graph.
func (b *build) alter(d damage) {
	n := &b.g.Nodes[int(d.node)%len(b.g.Nodes)]
	switch {
	case d.field%4 == 0:
		n.Op = plan.Op(d.to)
	case d.field%4 == 1:
		n.Imm = int64(int8(d.to)) << (d.field / 4 % 40)
	case d.field%4 == 2 && len(n.Args) > 0:
		n.Args[int(d.field/4)%len(n.Args)] = plan.ID(d.to)
	case d.field%4 == 3:
		n.Kind = plan.Kind(d.to % 9)
	}
}

// ints is the shape of an input of ints.
func (b *build) ints() *plan.Shape {
	s := &plan.Shape{Kind: plan.Record}
	for i := range b.input {
		s.Fields = append(s.Fields, plan.Member{Name: fmt.Sprint("x", i), Shape: &plan.Shape{Kind: plan.Int}})
	}
	return s
}

// allCases are the graphs of all tests.
func allCases() []graphCase {
	out := slices.Concat(graphCases, tableCases())
	for _, group := range opCases {
		for _, c := range group.cases {
			out = append(out, graphCase{build: func(b *build) { *b = *c.build(group.gives, false) }})
		}
	}
	return out
}

// Whatever a graph says that plan.Verify admits, executing it comes to an end.
func FuzzAlteredGraph(f *testing.F) {
	cases := allCases()
	for i := range cases {
		f.Add(uint16(i), []byte{byte(i), 1, 2, 3, 0, byte(7 * i), 5, 2, 1})
	}
	f.Fuzz(func(t *testing.T, which uint16, damages []byte) {
		b := newBuild()
		cases[int(which)%len(cases)].build(b)
		for ; len(damages) >= 3; damages = damages[3:] {
			b.alter(damage{damages[0], damages[1], damages[2]})
		}
		b.p.Rules = []plan.Rule{{ID: "r", Input: b.ints(), Graph: b.g}}
		if plan.Verify(b.p) != nil {
			return
		}
		for _, opt := range variants() {
			code, err := schedule.Make(b.p, &b.g, b.options(opt))
			if err != nil {
				continue
			}
			b.endure(code)
		}
	})
}

// endure executes code that may be wrong.
func (b *build) endure(code *schedule.Code) {
	frame := newFrame(b.image(code), code)
	b.fill(frame)
	if frame.evaluate(code, &b.g, dice.FromSeed(1, 0, 0)) == nil {
		frame.outputs(code, &b.g)
	}
}

// Whatever words say that schedule.Restore admits, executing them comes to an end. Three bytes change a byte each: the
// first two say which, the third which of its bits.
func FuzzAlteredWords(f *testing.F) {
	cases := allCases()
	for i := range cases {
		f.Add(uint16(i), []byte{0, byte(i), 1, 0, byte(3 * i), 0x82, 0, byte(7 * i), 0x40})
	}
	f.Fuzz(func(t *testing.T, which uint16, damages []byte) {
		b := newBuild()
		cases[int(which)%len(cases)].build(b)
		b.p.Rules = []plan.Rule{{ID: "r", Input: b.ints(), Graph: b.g}}
		body := b.p.RuleBody(&b.p.Rules[0])
		words := schedule.Stored(b.p)(body)
		for ; len(damages) >= 3; damages = damages[3:] {
			at := (int(damages[0])<<8 | int(damages[1])) % len(words)
			words[at] ^= damages[2]
		}
		if code, err := schedule.Restore(b.p, body, words); err == nil {
			b.endure(code)
		}
	})
}
