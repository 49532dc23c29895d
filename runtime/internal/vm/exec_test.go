package vm

import (
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Every operation of nodes is executed by some case.
func TestEveryOp(t *testing.T) {
	seen := map[plan.Op]bool{ // by tests of their own
		plan.OpAndFault: true, plan.OpOrFault: true, // TestSideFaults
		plan.OpToIntFault: true, // TestRounding
		plan.OpCover:      true, // TestCover
	}
	for _, group := range graphtest.OpCases {
		for _, c := range group.Cases {
			seen[c.Op] = true
		}
	}
	for _, cases := range [][]graphtest.GraphCase{graphtest.GraphCases, graphtest.TableCases()} {
		for _, c := range cases {
			b := graphtest.NewBuilder()
			c.Build(b)
			for _, n := range b.Graph.Nodes {
				seen[n.Op] = true
			}
		}
	}
	for op := plan.OpInvalid + 1; int(op) < plan.NumOps; op++ {
		if !seen[op] {
			t.Errorf("no case executes %v", op)
		}
	}
}

func TestGraphs(t *testing.T) {
	for _, c := range graphtest.GraphCases {
		b := graphtest.NewBuilder()
		c.Build(b)
		checkAnswers(b, t, c.Name, c.Want, c.Faces...)
	}
}

// The faults of && and || for every pair of sides: f false, t true, e failing.
func TestSideFaults(t *testing.T) {
	for _, c := range []struct{ sides, and, or string }{
		{"ff", "false", "false"}, {"ft", "false", "true"}, {"fe", "false", "right"},
		{"tf", "false", "true"}, {"tt", "true", "true"}, {"te", "right", "true"},
		{"ef", "false", "left"}, {"et", "left", "true"}, {"ee", "left", "left"},
	} {
		for _, op := range []plan.Op{plan.OpAnd, plan.OpOr} {
			for known := range 4 { // of which sides it is known before whether they hold and fail
				b := graphtest.NewBuilder()
				left, leftFault := b.FallibleBool(c.sides[0], "left", known&1 != 0)
				right, rightFault := b.FallibleBool(c.sides[1], "right", known&2 != 0)
				fault := b.Node(op+plan.OpAndFault-plan.OpAnd, plan.Fault, 0, left, leftFault, right, rightFault)
				b.Output("r", plan.BoolType, b.Node(op, plan.Bool, 0, left, right), fault)
				want := map[plan.Op]string{plan.OpAnd: c.and, plan.OpOr: c.or}[op]
				for variant, opt := range graphtest.Variants() {
					got := answerOf(b, t, opt)
					if got != `{"r":`+want+`}` && !strings.HasSuffix(got, ": "+want) {
						t.Errorf("%s of %s, known %d, %s: got %s, want %s", op, c.sides, known, variant, got, want)
					}
				}
			}
		}
	}
}

// An absorbed fault must not be recorded as the first: only what reaches an output counts.
func TestFaultsThatNobodyNeeds(t *testing.T) {
	b := graphtest.NewBuilder()
	absorbed := b.Fault(false, "absorbed")
	needed := b.Fault(false, "needed")
	b.Output("r", plan.IntType, b.IntConst(1), b.Node(plan.OpSelect, plan.Fault, 0, b.Leaf(plan.Bool, 0), absorbed, needed))
	checkAnswers(b, t, "select", "site 1: needed")
}

func TestRounding(t *testing.T) {
	for _, c := range []struct {
		op    plan.Op
		v     float64
		fails bool
	}{
		{plan.OpFloor, 9223372036854774784, false}, {plan.OpFloor, 9223372036854775808, true},
		{plan.OpFloor, -9223372036854774784, false}, {plan.OpTrunc, -9223372036854775808, true},
		{plan.OpCeil, graphtest.Nan, true}, {plan.OpRound, graphtest.Inf, true}, {plan.OpRound, -graphtest.Inf, true},
		{plan.OpTrunc, 0.5, false},
	} {
		for _, constant := range []bool{false, true} {
			b := graphtest.NewBuilder()
			v := b.Value(c.v, constant)
			b.Output("r", plan.IntType, b.IntConst(0), b.Node(plan.OpToIntFault, plan.Fault, int64(c.op), v))
			got := answerOf(b, t, schedule.Options{})
			if fails := strings.HasPrefix(got, "site 0: range error: "); fails != c.fails {
				t.Errorf("%s of %g: got %s", c.op, c.v, got)
			}
		}
	}
}

func TestCover(t *testing.T) {
	b := graphtest.NewBuilder()
	b.Graph.Branches = make([]plan.Branch, 2)
	b.Loop(b.Leaf(plan.Int, 5), nil, func(i plan.ID, _ []plan.ID) []plan.ID {
		b.Node(plan.OpCover, plan.Bool, 1, b.Node(plan.OpLtInt, plan.Bool, 0, i, b.IntConst(3)))
		return nil
	})
	f, code := newTestFrame(b, t, schedule.Options{})
	if err := Run(f, code, nil); err != nil {
		t.Fatal(err)
	}
	if f.covered[0] != 0 || f.covered[1] != 3 {
		t.Errorf("got %v, want [0 3]", f.covered)
	}
}

// What would run for very long, or fill the memory, ends with an error that does not depend on the machine.
func TestBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("whole budgets, of one goroutine: nothing for the detector of races, which they take long")
	}
	for name, endless := range map[string]func(b *graphtest.Builder){
		"a loop": func(b *graphtest.Builder) {
			b.Output("r", plan.IntType, b.Loop(b.Leaf(plan.Int, graphtest.MaxInt), []plan.ID{b.IntConst(0)},
				func(i plan.ID, c []plan.ID) []plan.ID {
					return []plan.ID{b.Node(plan.OpAddInt, plan.Int, 0, c[0], i)}
				})[0], plan.None)
		},
		"a list": func(b *graphtest.Builder) {
			b.Output("r", graphtest.IntList, b.Node(plan.OpNewSpan, plan.List, 4, b.Leaf(plan.Int, graphtest.MaxInt)), plan.None)
		},
		"lists that double": func(b *graphtest.Builder) {
			b.Output("r", graphtest.IntList, b.Loop(b.Leaf(plan.Int, 60), []plan.ID{b.Value(graphtest.List{1}, false)},
				func(i plan.ID, c []plan.ID) []plan.ID {
					return []plan.ID{b.Node(plan.OpConcat, plan.List, b.TypeIndex(graphtest.IntList), c[0], c[0])}
				})[0], plan.None)
		},
		"strings that double": func(b *graphtest.Builder) {
			b.Output("r", plan.StringType, b.Loop(b.Leaf(plan.Int, 60), []plan.ID{b.Value("x", false)},
				func(i plan.ID, c []plan.ID) []plan.ID {
					return []plan.ID{b.Node(plan.OpConcatString, plan.String, 0, c[0], c[0])}
				})[0], plan.None)
		},
		"dice": func(b *graphtest.Builder) {
			b.Roll(plan.Die{ID: "d", List: true}, b.IntConst(6), b.Leaf(plan.Int, graphtest.MaxInt))
		},
		"summing": func(b *graphtest.Builder) {
			xs := b.Node(plan.OpRange, plan.List, 0, b.Leaf(plan.Int, 0), b.IntConst(1000))
			b.Output("r", plan.IntType, b.Loop(b.Leaf(plan.Int, 100_000), []plan.ID{xs, b.IntConst(0)},
				func(i plan.ID, c []plan.ID) []plan.ID {
					return []plan.ID{c[0], b.Node(plan.OpSumInt, plan.Int, 0, c[0])}
				})[1], plan.None)
		},
		"sorting": func(b *graphtest.Builder) {
			xs := b.Node(plan.OpRange, plan.List, 0, b.Leaf(plan.Int, 0), b.IntConst(1000))
			b.Output("r", graphtest.IntList, b.Loop(b.Leaf(plan.Int, 1000), []plan.ID{xs}, func(i plan.ID, c []plan.ID) []plan.ID {
				return []plan.ID{b.Node(plan.OpSort, plan.List, b.TypeIndex(graphtest.IntList), c[0])}
			})[0], plan.None)
		},
	} {
		b := graphtest.NewBuilder()
		endless(b)
		checkAnswers(b, t, name, "the evaluation takes more than 4000000 steps")
	}
}

// Equal keys of a long list, which is sorted otherwise than a short one, leave the order as it is.
func TestLongSortIsStable(t *testing.T) {
	b := graphtest.NewBuilder()
	var xs, keys graphtest.List
	for i := range 100 {
		xs, keys = append(xs, i), append(keys, i%2)
	}
	types := b.TypeIndex(graphtest.IntList)<<32 | b.TypeIndex(graphtest.IntList)
	sorted := b.Node(plan.OpSortBy, plan.List, types, b.Value(xs, false), b.Value(keys, false))
	b.Output("r", graphtest.IntList, sorted, plan.None)
	f, code := newTestFrame(b, t, schedule.Options{})
	if err := Run(f, code, nil); err != nil {
		t.Fatal(err)
	}
	slot, _ := code.Slot(sorted)
	for i, v := range f.Elements(f.slots[slot], 1) {
		if want := int64(i%50*2 + i/50); v != want {
			t.Fatalf("element %d: got %d, want %d", i, v, want)
		}
	}
}

// An evaluation begins with nothing that an earlier one in the same frame left.
func TestFrameIsUsedAgain(t *testing.T) {
	b := graphtest.NewBuilder()
	b.Output("r", plan.IntType, b.Roll(plan.Die{ID: "d"}, b.IntConst(6), b.IntConst(-1)), b.Fault(false, "broken"))
	f, code := newTestFrame(b, t, schedule.Options{})
	for face := range int64(3) {
		fillInput(b, f)
		if err := Run(f, code, dice.FromList([]int64{face + 1})); err != nil {
			t.Fatal(err)
		}
		if got := ListFaces(f, &b.Graph); len(got) != 1 || len(got[0].Faces) != 1 || got[0].Faces[0] != face+1 ||
			len(f.faults) != 1 {
			t.Errorf("evaluation %d: got %v and %d faults", face, got, len(f.faults))
		}
	}
}

// Strings are kept for later evaluations, but not without end.
func TestFrameForgetsStrings(t *testing.T) {
	b := graphtest.NewBuilder()
	f, _ := newTestFrame(b, t, schedule.Options{})
	first := f.Intern([]byte("first"))
	f.Reset(f.code)
	if again := f.Intern([]byte("first")); again != first || f.Text(again) != "first" {
		t.Errorf("got %d, %q, want %d", again, f.Text(again), first)
	}
	f.Intern(make([]byte, maxKept))
	f.Reset(f.code)
	if len(f.texts) != 0 || len(f.symbols) != 0 || f.textBytes != 0 {
		t.Errorf("%d strings of %d bytes are kept", len(f.texts), f.textBytes)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	b := graphtest.NewBuilder()
	kinds := b.TypeIndex(graphtest.StringList)<<32 | b.TypeIndex(graphtest.IntList)
	n := b.Leaf(plan.Int, 20)
	faces := b.Roll(plan.Die{ID: "d", List: true, Explode: plan.Band{Lo: 6, Hi: 6}}, b.IntConst(6), n)
	b.Roll(plan.Die{ID: "deck", List: true, Distinct: true}, b.IntConst(52), b.IntConst(5))
	b.Output("sum", plan.IntType, b.Node(plan.OpSumInt, plan.Int, 0, faces), b.Node(plan.OpSumIntFault, plan.Fault, 0, faces))
	b.Output("sorted", graphtest.IntList, b.Node(plan.OpSort, plan.List, b.TypeIndex(graphtest.IntList), faces), plan.None)
	names := b.Loop(n, []plan.ID{b.Node(plan.OpNewSpan, plan.List, 1, n)}, func(i plan.ID, c []plan.ID) []plan.ID {
		text := b.Node(plan.OpConcatString, plan.String, 0, b.Value("n", false), b.Node(plan.OpIntToString, plan.String, 0, i))
		return []plan.ID{b.Node(plan.OpPush, plan.List, 0, c[0], b.True(), text)}
	})
	b.Output("names", graphtest.StringList, b.Node(plan.OpSortBy, plan.List, kinds, names[0], faces), plan.None)
	b.Output("texts", graphtest.StringList, b.Node(plan.OpSort, plan.List, b.TypeIndex(graphtest.StringList), names[0]),
		b.NoFault())
	f, code := newTestFrame(b, t, schedule.Options{})
	source := dice.FromSeed(1, 0, 0)
	allocations := testing.AllocsPerRun(100, func() {
		source.Reset(1, 0, 0)
		fillInput(b, f)
		if err := Run(f, code, source); err != nil {
			t.Fatal(err)
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}
