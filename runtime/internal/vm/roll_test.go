package vm

import (
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

func TestRolls(t *testing.T) {
	for _, c := range []struct {
		name         string
		die          plan.Die
		sides, count int64
		faces        []int64
		want         string
	}{
		{"one", plan.Die{}, 6, -1, []int64{3}, `{"r":3}`},
		{"one of one", plan.Die{}, 1, -1, []int64{1}, `{"r":1}`},
		{"a list", plan.Die{List: true}, 6, 3, []int64{3, 1, 3}, `{"r":[3,1,3]}`},
		{"an empty list", plan.Die{List: true}, 6, 0, nil, `{"r":[]}`},
		{"exploding", plan.Die{Explode: plan.Band{Lo: 6, Hi: 6}}, 6, -1, []int64{6, 6, 2}, `{"r":14}`},
		{"not exploding", plan.Die{Explode: plan.Band{Lo: 6, Hi: 6}}, 6, -1, []int64{5}, `{"r":5}`},
		{"exploding once", plan.Die{Explode: plan.Band{Lo: 6, Hi: 6}, Times: 1}, 6, -1, []int64{6, 6}, `{"r":12}`},
		{"exploding twice", plan.Die{Explode: plan.Band{Lo: 1, Hi: 1}, Times: 2}, 6, -1, []int64{1, 1, 1}, `{"r":3}`},
		{"an exploding list", plan.Die{List: true, Explode: plan.Band{Lo: 6, Hi: 6}}, 6, 3, []int64{1, 6, 6, 2, 6, 3},
			`{"r":[1,14,9]}`},
		{"again until another face", plan.Die{Again: plan.Band{Lo: 1, Hi: 2}}, 6, -1, []int64{1, 2, 1, 5}, `{"r":5}`},
		{"again once", plan.Die{Again: plan.Band{Lo: 1, Hi: 2}, Once: true}, 6, -1, []int64{1, 2}, `{"r":2}`},
		{"again and on", plan.Die{Again: plan.Band{Lo: 1, Hi: 1}, Explode: plan.Band{Lo: 5, Hi: 6}}, 6, -1,
			[]int64{1, 6, 1, 1, 5, 2}, `{"r":13}`},
		{"again once, for each face of a chain",
			plan.Die{Again: plan.Band{Lo: 1, Hi: 1}, Once: true, Explode: plan.Band{Lo: 6, Hi: 6}}, 6, -1, []int64{1, 6, 1, 1},
			`{"r":7}`},
		{"again in a list", plan.Die{List: true, Again: plan.Band{Lo: 1, Hi: 1}}, 6, 3, []int64{1, 2, 3, 1, 1, 6},
			`{"r":[2,3,6]}`},
		{"again without end", plan.Die{Again: plan.Band{Lo: 1, Hi: 9}}, 6, -1, slices.Repeat([]int64{1}, 1001),
			"die d: a die was rolled again or on more than 1000 times"},
		{"cards", plan.Die{List: true, Distinct: true}, 3, 3, []int64{3, 1, 2}, `{"r":[3,1,2]}`},
		{"the same card", plan.Die{List: true, Distinct: true}, 3, 3, []int64{3, 1, 3},
			"d: face 3 given is 3 again, but no face falls twice"},
		{"too many cards", plan.Die{List: true, Distinct: true}, 3, 4, nil,
			"die d: 4 distinct faces are more than the 3 that the die has"},
		{"too many", plan.Die{List: true, Most: 2}, 3, 3, nil, "die d: 3 dice are more than the 2 that are declared"},
		{"the most", plan.Die{List: true, Most: 2}, 3, 2, []int64{1, 2}, `{"r":[1,2]}`},
		{"fewer than none", plan.Die{List: true}, 3, -1, nil, "die d: -1 dice cannot be rolled"},
		{"no faces", plan.Die{}, 0, -1, nil, "die d: a die has no 0 faces"},
		{"negative faces", plan.Die{List: true}, -6, 0, nil, "die d: a die has no -6 faces"},
		{"endless", plan.Die{Explode: plan.Band{Lo: 1, Hi: 1}}, 1, -1, slices.Repeat([]int64{1}, 1001),
			"die d: a die was rolled again or on more than 1000 times"},
		{"nearly endless", plan.Die{Explode: plan.Band{Lo: 1, Hi: 1}}, 2, -1, append(slices.Repeat([]int64{1}, 999), 2),
			`{"r":1001}`},
		{"a great total", plan.Die{Explode: plan.Band{Lo: graphtest.MaxInt, Hi: graphtest.MaxInt}}, graphtest.MaxInt, -1,
			[]int64{graphtest.MaxInt, 1}, "die d: integer overflow"},
		{"too few", plan.Die{List: true}, 6, 2, []int64{1}, "d: too few faces: 1 given, and another is needed"},
		{"more than needed", plan.Die{}, 6, -1, []int64{1, 2}, "too many faces: 2 given, but 1 fell"},
	} {
		b := graphtest.NewBuilder()
		c.die.ID = "d"
		id := b.Roll(c.die, b.Leaf(plan.Int, c.sides), b.Leaf(plan.Int, c.count))
		typ := plan.IntType
		if c.die.List {
			typ = graphtest.IntList
		}
		b.Output("r", typ, id, plan.None)
		checkAnswers(b, t, c.name, c.want, c.faces...)
	}
}

// Dice in loops are noted with the iterations around them, whether they are rolled or not.
func TestRolledInLoops(t *testing.T) {
	b := graphtest.NewBuilder()
	b.Roll(plan.Die{ID: "first"}, b.IntConst(6), b.IntConst(-1))
	b.Graph.Dice = append(b.Graph.Dice, plan.Die{ID: "a[*].b[*].c", List: true})
	n := b.Leaf(plan.Int, 2)
	b.Loop(n, nil, func(i plan.ID, _ []plan.ID) []plan.ID {
		b.Loop(b.IntConst(3), nil, func(j plan.ID, _ []plan.ID) []plan.ID {
			guard := b.Node(plan.OpLeInt, plan.Bool, 0, j, i)
			b.Node(plan.OpRoll, plan.List, 1, guard, b.IntConst(6), b.Node(plan.OpAddInt, plan.Int, 0, i, b.IntConst(1)),
				b.NoFault())
			return nil
		})
		return nil
	})
	for id, n := range b.Graph.Nodes {
		if n.Op == plan.OpLoop {
			b.Graph.Dice[1].Loops = append([]plan.ID{plan.ID(id)}, b.Graph.Dice[1].Loops...)
		}
	}
	want := dice.Rolls{
		{ID: "first", Faces: []int64{1}}, {ID: "a[0].b[0].c", Faces: []int64{2}},
		{ID: "a[1].b[0].c", Faces: []int64{3, 4}}, {ID: "a[1].b[1].c", Faces: []int64{5, 6}},
	}
	for variant, opt := range graphtest.Variants() {
		f, code := newTestFrame(b, t, opt)
		if err := Run(f, code, dice.FromList([]int64{1, 2, 3, 4, 5, 6})); err != nil {
			t.Fatal(err)
		}
		got := ListFaces(f, &b.Graph)
		if !slices.EqualFunc(got, want, func(a, b dice.Roll) bool { return a.ID == b.ID && slices.Equal(a.Faces, b.Faces) }) {
			t.Errorf("%s: got %v, want %v", variant, got, want)
		}
	}
}

// What is asked for never changes which dice fall.
func TestDiceFallUnasked(t *testing.T) {
	b := graphtest.NewBuilder()
	b.Output("a", plan.IntType, b.Roll(plan.Die{ID: "a"}, b.IntConst(6), b.IntConst(-1)), plan.None)
	b.Output("b", plan.IntType, b.Roll(plan.Die{ID: "b"}, b.IntConst(6), b.IntConst(-1)), plan.None)
	if got, want := answerOf(b, t, schedule.Options{Outputs: []string{"b"}}, 2, 5), `{"b":5}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
