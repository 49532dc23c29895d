package runtime

import (
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A graphCase is a graph made by hand and its answer to faces.
type graphCase struct {
	name  string
	faces []int64
	want  string
	build func(b *build)
}

// graphCases show the operations that need more than operands: choice and faults, lists that are built, loops, tables, effects.
var graphCases = []graphCase{
	{"select", nil, `{"yes":1,"no":2}`, func(b *build) {
		yes, no := b.leaf(plan.Bool, 1), b.leaf(plan.Bool, 0)
		b.out("yes", plan.IntType, b.node(plan.OpSelect, plan.Int, 0, yes, b.int(1), b.int(2)), plan.None)
		b.out("no", plan.IntType, b.node(plan.OpSelect, plan.Int, 0, no, b.int(1), b.int(2)), plan.None)
	}},
	{"the first fault", nil, "site 1: second", func(b *build) {
		first := b.fault(true, "first")
		second := b.fault(false, "second")
		b.out("r", plan.IntType, b.int(1), b.node(plan.OpFirstFault, plan.Fault, 0, first, second))
	}},
	{"no fault", nil, `{"r":true,"s":false}`, func(b *build) {
		b.out("r", plan.BoolType, b.node(plan.OpNoFault, plan.Bool, 0, b.fault(true, "x")), plan.None)
		b.out("s", plan.BoolType, b.node(plan.OpNoFault, plan.Bool, 0, b.fault(false, "x")), plan.None)
	}},
	{"elements", nil, `{"before":0,"inside":20,"behind":0}`, func(b *build) {
		xs := b.value(list{10, 20}, false)
		for i, name := range []string{"before", "inside", "behind"} {
			at := b.leaf(plan.Int, []int64{-1, 1, 2}[i])
			b.out(name, plan.IntType, b.node(plan.OpElem, plan.Int, 1<<32, xs, at), plan.None)
		}
	}},
	{"sort by keys, stably", nil, `{"r":["b","d","a","c"]}`, func(b *build) {
		xs, keys := b.value(list{"a", "b", "c", "d"}, false), b.value(list{2.0, 1.0, 2.0, 1.0}, false)
		types := b.typ(stringList)<<32 | b.typ(doubleList)
		b.out("r", stringList, b.node(plan.OpSortBy, plan.List, types, xs, keys), plan.None)
	}},
	{"a loop that sums", nil, `{"r":10}`, func(b *build) {
		sum := b.loop(b.leaf(plan.Int, 5), []plan.ID{b.int(0)}, func(i plan.ID, carried []plan.ID) []plan.ID {
			return []plan.ID{b.node(plan.OpAddInt, plan.Int, 0, carried[0], i)}
		})
		b.out("r", plan.IntType, sum[0], plan.None)
	}},
	{"a loop that never runs", nil, `{"r":7}`, func(b *build) {
		r := b.loop(b.leaf(plan.Int, -3), []plan.ID{b.leaf(plan.Int, 7)}, func(i plan.ID, carried []plan.ID) []plan.ID {
			return []plan.ID{i}
		})
		b.out("r", plan.IntType, r[0], plan.None)
	}},
	{"carried values that change places", nil, `{"a":2,"b":3,"c":1}`, func(b *build) {
		init := []plan.ID{b.leaf(plan.Int, 1), b.leaf(plan.Int, 2), b.leaf(plan.Int, 3)}
		r := b.loop(b.leaf(plan.Int, 4), init, func(i plan.ID, c []plan.ID) []plan.ID {
			return []plan.ID{c[1], c[2], c[0]}
		})
		for i, name := range []string{"a", "b", "c"} {
			b.out(name, plan.IntType, r[i], plan.None)
		}
	}},
	{"a carried value that is read after its next one is known", nil, `{"r":6,"s":10}`, func(b *build) {
		init := []plan.ID{b.leaf(plan.Int, 0), b.leaf(plan.Int, 0)}
		r := b.loop(b.leaf(plan.Int, 4), init, func(i plan.ID, c []plan.ID) []plan.ID {
			next := b.node(plan.OpAddInt, plan.Int, 0, c[0], i)
			return []plan.ID{next, b.node(plan.OpAddInt, plan.Int, 0, b.node(plan.OpAddInt, plan.Int, 0, c[1], next), b.node(plan.OpSubInt, plan.Int, 0, next, next))}
		})
		b.out("r", plan.IntType, r[0], plan.None)
		b.out("s", plan.IntType, r[1], plan.None)
	}},
	{"the last value before the next", nil, `{"r":5}`, func(b *build) {
		init := []plan.ID{b.leaf(plan.Int, 0), b.leaf(plan.Int, 0)}
		r := b.loop(b.leaf(plan.Int, 3), init, func(i plan.ID, c []plan.ID) []plan.ID {
			next := b.node(plan.OpAddInt, plan.Int, 0, c[0], b.int(1))
			return []plan.ID{next, b.node(plan.OpAddInt, plan.Int, 0, c[0], next)}
		})
		b.out("r", plan.IntType, r[1], plan.None) // 2 + 3
	}},
	{"loops in loops that push", nil, `{"r":[0,10,11,20,21,22]}`, func(b *build) {
		n := b.leaf(plan.Int, 3)
		out := b.node(plan.OpNewSpan, plan.List, 1, b.int(6))
		r := b.loop(n, []plan.ID{out}, func(i plan.ID, outer []plan.ID) []plan.ID {
			more := b.node(plan.OpAddInt, plan.Int, 0, i, b.int(1))
			return b.loop(more, outer, func(j plan.ID, inner []plan.ID) []plan.ID {
				ten := b.node(plan.OpMulInt, plan.Int, 0, i, b.int(10))
				return []plan.ID{b.node(plan.OpPush, plan.List, 0, inner[0], b.yes(), b.node(plan.OpAddInt, plan.Int, 0, ten, j))}
			})
		})
		b.out("r", intList, r[0], plan.None)
	}},
	{"lists of records that a filter builds", nil, `{"r":[{"x":1,"y":10},{"x":3}]}`, func(b *build) {
		out := b.node(plan.OpNewSpan, plan.List, 3, b.leaf(plan.Int, 4))
		r := b.loop(b.int(4), []plan.ID{out}, func(i plan.ID, c []plan.ID) []plan.ID {
			odd := b.node(plan.OpEqInt, plan.Bool, 0, b.node(plan.OpModInt, plan.Int, 0, i, b.int(2)), b.int(1))
			small := b.node(plan.OpLtInt, plan.Bool, 0, i, b.int(2))
			ten := b.node(plan.OpMulInt, plan.Int, 0, i, b.int(10))
			return []plan.ID{b.node(plan.OpPush, plan.List, 0, c[0], odd, i, small, ten)}
		})
		b.out("r", plan.ListOf(pair), r[0], plan.None)
	}},
	{"two lists that grow side by side", nil, `{"r":[0,1],"s":[5,5]}`, func(b *build) {
		n := b.leaf(plan.Int, 2)
		init := []plan.ID{b.node(plan.OpNewSpan, plan.List, 1, n), b.node(plan.OpNewSpan, plan.List, 1, n)}
		r := b.loop(n, init, func(i plan.ID, c []plan.ID) []plan.ID {
			return []plan.ID{b.node(plan.OpPush, plan.List, 0, c[0], b.yes(), i), b.node(plan.OpPush, plan.List, 0, c[1], b.yes(), b.int(5))}
		})
		b.out("r", intList, r[0], plan.None)
		b.out("s", intList, r[1], plan.None)
	}},
	{"the same fault at two places", nil, "site 1: integer overflow", func(b *build) {
		x := b.leaf(plan.Int, maxInt)
		absorbed, needed := b.node(plan.OpAddIntFault, plan.Fault, 0, x, x), b.node(plan.OpAddIntFault, plan.Fault, 0, x, x)
		b.out("r", plan.BoolType, b.node(plan.OpNoFault, plan.Bool, 0, absorbed), plan.None)
		b.out("s", plan.IntType, x, needed)
	}},
	{"an empty list where there is room for none", nil, `{"r":[]}`, func(b *build) {
		b.out("r", intList, b.node(plan.OpNewSpan, plan.List, 1, b.leaf(plan.Int, -5)), plan.None)
	}},
	{"a list within a slice", nil, `{"r":[3,9],"s":[2,3]}`, func(b *build) {
		list3 := b.typ(intList)
		part := b.node(plan.OpSlice, plan.List, list3, b.value(list{1, 2, 3}, false), b.leaf(plan.Int, 1), b.int(3))
		tail := b.node(plan.OpSlice, plan.List, list3, part, b.leaf(plan.Int, 1), b.int(2))
		b.out("r", intList, b.node(plan.OpConcat, plan.List, list3, tail, b.value(list{9}, false)), plan.None)
		b.out("s", intList, part, plan.None)
	}},
	{"an option", nil, `{"r":"down"}`, func(b *build) {
		b.p.Options = []plan.Option{{ID: "band", Values: []string{"up", "down"}, Symbols: []int64{b.symbol("up"), b.symbol("down")}, Default: 1}}
		b.out("r", plan.StringType, b.node(plan.OpOption, plan.String, 0), plan.None)
	}},
	{"a face", []int64{4}, `{"r":4}`, func(b *build) {
		b.out("r", plan.IntType, b.roll(plan.Die{ID: "roll"}, b.leaf(plan.Int, 6), b.int(-1)), plan.None)
	}},
	{"a list of faces that nobody reads", []int64{4, 2}, `{"r":1}`, func(b *build) {
		b.roll(plan.Die{ID: "roll", List: true}, b.leaf(plan.Int, 6), b.leaf(plan.Int, 2))
		b.out("r", plan.IntType, b.leaf(plan.Int, 1), plan.None)
	}},
	{"a requirement that holds", nil, `{"r":1}`, func(b *build) {
		b.require(b.yes(), b.leaf(plan.Bool, 1), b.ok(), "no")
		b.require(b.leaf(plan.Bool, 0), b.leaf(plan.Bool, 0), b.ok(), "not asked")
		b.out("r", plan.IntType, b.int(1), plan.None)
	}},
	{"a requirement that does not hold", nil, "second", func(b *build) {
		b.require(b.yes(), b.leaf(plan.Bool, 1), b.ok(), "first")
		b.require(b.yes(), b.leaf(plan.Bool, 0), b.ok(), "second")
		b.require(b.yes(), b.leaf(plan.Bool, 0), b.ok(), "third")
		b.out("r", plan.IntType, b.int(1), plan.None)
	}},
	{"a requirement that fails", nil, "site 0: broken", func(b *build) {
		b.require(b.yes(), b.leaf(plan.Bool, 0), b.fault(false, "broken"), "no")
	}},
	{"a requirement that fails where it is not asked", nil, "{}", func(b *build) {
		b.require(b.leaf(plan.Bool, 0), b.leaf(plan.Bool, 0), b.fault(false, "broken"), "no")
	}},
	{"a die that fails", nil, "site 0: broken", func(b *build) {
		b.g.Dice = []plan.Die{{ID: "roll"}}
		b.node(plan.OpRoll, plan.Int, 0, b.yes(), b.int(6), b.int(-1), b.fault(false, "broken"))
	}},
	{"a die that fails where it is not rolled", nil, `{"r":0}`, func(b *build) {
		b.g.Dice = []plan.Die{{ID: "roll"}}
		b.out("r", plan.IntType, b.node(plan.OpRoll, plan.Int, 0, b.leaf(plan.Bool, 0), b.int(0), b.int(-1), b.fault(false, "broken")), plan.None)
	}},
	{"a symbol that the plan has not", nil, `{"r":true,"s":"xyxy"}`, func(b *build) {
		xy := b.node(plan.OpConcatString, plan.String, 0, b.value("x", false), b.value("y", false))
		twice := b.node(plan.OpConcatString, plan.String, 0, xy, b.node(plan.OpConcatString, plan.String, 0, b.value("x", false), b.value("y", false)))
		b.out("r", plan.BoolType, b.node(plan.OpEqInt, plan.Bool, 0, xy, b.node(plan.OpLower, plan.String, 0, b.node(plan.OpUpper, plan.String, 0, xy))), plan.None)
		b.out("s", plan.StringType, twice, plan.None)
	}},
}

// Every operation of nodes is executed by some case.
func TestEveryOp(t *testing.T) {
	seen := map[plan.Op]bool{ // by tests of their own
		plan.OpAndFault: true, plan.OpOrFault: true, // TestSideFaults
		plan.OpToIntFault: true, // TestRounding
		plan.OpCover:      true, // TestCover
	}
	for _, group := range opCases {
		for _, c := range group.cases {
			seen[c.op] = true
		}
	}
	for _, cases := range [][]graphCase{graphCases, tableCases()} {
		for _, c := range cases {
			b := newBuild()
			c.build(b)
			for _, n := range b.g.Nodes {
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

// fault is a fault that happens unless it holds.
func (b *build) fault(holds bool, message string) plan.ID {
	bits, _ := b.bits(holds)
	return b.node(plan.OpFail, plan.Fault, b.symbol(message), b.leaf(plan.Bool, bits))
}

func (b *build) require(guard, holds, fault plan.ID, message string) {
	b.g.Requires = append(b.g.Requires, plan.Require{Message: message})
	b.node(plan.OpRequire, plan.Bool, int64(len(b.g.Requires)-1), guard, holds, fault)
}

func TestGraphs(t *testing.T) {
	for _, c := range graphCases {
		b := newBuild()
		c.build(b)
		b.check(t, c.name, c.want, c.faces...)
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
				b := newBuild()
				left, leftFault := b.side(c.sides[0], "left", known&1 != 0)
				right, rightFault := b.side(c.sides[1], "right", known&2 != 0)
				fault := b.node(op+plan.OpAndFault-plan.OpAnd, plan.Fault, 0, left, leftFault, right, rightFault)
				b.out("r", plan.BoolType, b.node(op, plan.Bool, 0, left, right), fault)
				want := map[plan.Op]string{plan.OpAnd: c.and, plan.OpOr: c.or}[op]
				for variant, opt := range variants() {
					got := b.answer(t, opt)
					if got != `{"r":`+want+`}` && !strings.HasSuffix(got, ": "+want) {
						t.Errorf("%s of %s, known %d, %s: got %s, want %s", op, c.sides, known, variant, got, want)
					}
				}
			}
		}
	}
}

// side is a truth and its fault. The value of one that fails must not matter: it is the one that would decide.
func (b *build) side(what byte, message string, known bool) (value, fault plan.ID) {
	holds, _ := b.bits(what == 't')
	value = b.leaf(plan.Bool, holds)
	if known {
		value = b.constant(plan.Bool, holds)
	}
	switch {
	case what == 'e':
		return value, b.fault(false, message)
	case known:
		return value, b.ok()
	}
	return value, b.fault(true, message)
}

// An absorbed fault must not be recorded as the first: only what reaches an output counts.
func TestFaultsThatNobodyNeeds(t *testing.T) {
	b := newBuild()
	absorbed := b.fault(false, "absorbed")
	needed := b.fault(false, "needed")
	b.out("r", plan.IntType, b.int(1), b.node(plan.OpSelect, plan.Fault, 0, b.leaf(plan.Bool, 0), absorbed, needed))
	b.check(t, "select", "site 1: needed")
}

func TestRounding(t *testing.T) {
	for _, c := range []struct {
		op    plan.Op
		v     float64
		fails bool
	}{
		{plan.OpFloor, 9223372036854774784, false}, {plan.OpFloor, 9223372036854775808, true},
		{plan.OpFloor, -9223372036854774784, false}, {plan.OpTrunc, -9223372036854775808, true},
		{plan.OpCeil, nan, true}, {plan.OpRound, inf, true}, {plan.OpRound, -inf, true}, {plan.OpTrunc, 0.5, false},
	} {
		for _, constant := range []bool{false, true} {
			b := newBuild()
			v := b.value(c.v, constant)
			b.out("r", plan.IntType, b.int(0), b.node(plan.OpToIntFault, plan.Fault, int64(c.op), v))
			got := b.answer(t, schedule.Options{})
			if fails := strings.HasPrefix(got, "site 0: range error: "); fails != c.fails {
				t.Errorf("%s of %g: got %s", c.op, c.v, got)
			}
		}
	}
}

func TestCover(t *testing.T) {
	b := newBuild()
	b.g.Branches = make([]plan.Branch, 2)
	b.loop(b.leaf(plan.Int, 5), nil, func(i plan.ID, _ []plan.ID) []plan.ID {
		b.node(plan.OpCover, plan.Bool, 1, b.node(plan.OpLtInt, plan.Bool, 0, i, b.int(3)))
		return nil
	})
	f, code := b.frame(t, schedule.Options{})
	if err := f.run(code, nil); err != nil {
		t.Fatal(err)
	}
	if f.covered[0] != 0 || f.covered[1] != 3 {
		t.Errorf("got %v, want [0 3]", f.covered)
	}
}

// What would run for very long, or fill the memory, ends with an error that does not depend on the machine.
func TestBudget(t *testing.T) {
	for name, endless := range map[string]func(b *build){
		"a loop": func(b *build) {
			b.out("r", plan.IntType, b.loop(b.leaf(plan.Int, maxInt), []plan.ID{b.int(0)}, func(i plan.ID, c []plan.ID) []plan.ID {
				return []plan.ID{b.node(plan.OpAddInt, plan.Int, 0, c[0], i)}
			})[0], plan.None)
		},
		"a list": func(b *build) {
			b.out("r", intList, b.node(plan.OpNewSpan, plan.List, 4, b.leaf(plan.Int, maxInt)), plan.None)
		},
		"lists that double": func(b *build) {
			b.out("r", intList, b.loop(b.leaf(plan.Int, 60), []plan.ID{b.value(list{1}, false)}, func(i plan.ID, c []plan.ID) []plan.ID {
				return []plan.ID{b.node(plan.OpConcat, plan.List, b.typ(intList), c[0], c[0])}
			})[0], plan.None)
		},
		"strings that double": func(b *build) {
			b.out("r", plan.StringType, b.loop(b.leaf(plan.Int, 60), []plan.ID{b.value("x", false)}, func(i plan.ID, c []plan.ID) []plan.ID {
				return []plan.ID{b.node(plan.OpConcatString, plan.String, 0, c[0], c[0])}
			})[0], plan.None)
		},
		"dice": func(b *build) {
			b.roll(plan.Die{ID: "d", List: true}, b.int(6), b.leaf(plan.Int, maxInt))
		},
		"summing": func(b *build) {
			xs := b.node(plan.OpRange, plan.List, 0, b.leaf(plan.Int, 0), b.int(1000))
			b.out("r", plan.IntType, b.loop(b.leaf(plan.Int, 100_000), []plan.ID{xs, b.int(0)}, func(i plan.ID, c []plan.ID) []plan.ID {
				return []plan.ID{c[0], b.node(plan.OpSumInt, plan.Int, 0, c[0])}
			})[1], plan.None)
		},
		"sorting": func(b *build) {
			xs := b.node(plan.OpRange, plan.List, 0, b.leaf(plan.Int, 0), b.int(1000))
			b.out("r", intList, b.loop(b.leaf(plan.Int, 1000), []plan.ID{xs}, func(i plan.ID, c []plan.ID) []plan.ID {
				return []plan.ID{b.node(plan.OpSort, plan.List, b.typ(intList), c[0])}
			})[0], plan.None)
		},
	} {
		b := newBuild()
		endless(b)
		b.check(t, name, "the evaluation takes more than 4000000 steps")
	}
}

// Equal keys of a long list, which is sorted otherwise than a short one, leave the order as it is.
func TestLongSortIsStable(t *testing.T) {
	b := newBuild()
	var xs, keys list
	for i := range 100 {
		xs, keys = append(xs, i), append(keys, i%2)
	}
	types := b.typ(intList)<<32 | b.typ(intList)
	sorted := b.node(plan.OpSortBy, plan.List, types, b.value(xs, false), b.value(keys, false))
	b.out("r", intList, sorted, plan.None)
	f, code := b.frame(t, schedule.Options{})
	if err := f.run(code, nil); err != nil {
		t.Fatal(err)
	}
	slot, _ := code.Slot(sorted)
	for i, v := range f.elems(f.slots[slot], 1) {
		if want := int64(i%50*2 + i/50); v != want {
			t.Fatalf("element %d: got %d, want %d", i, v, want)
		}
	}
}

// An evaluation begins with nothing that an earlier one in the same frame left.
func TestFrameIsUsedAgain(t *testing.T) {
	b := newBuild()
	b.out("r", plan.IntType, b.roll(plan.Die{ID: "d"}, b.int(6), b.int(-1)), b.fault(false, "broken"))
	f, code := b.frame(t, schedule.Options{})
	for face := range int64(3) {
		b.fill(f)
		if err := f.run(code, dice.FromList([]int64{face + 1})); err != nil {
			t.Fatal(err)
		}
		if got := f.rolled(&b.g); len(got) != 1 || len(got[0].Faces) != 1 || got[0].Faces[0] != face+1 || len(f.faults) != 1 {
			t.Errorf("evaluation %d: got %v and %d faults", face, got, len(f.faults))
		}
	}
}

// Strings are kept for later evaluations, but not without end.
func TestFrameForgetsStrings(t *testing.T) {
	b := newBuild()
	f, _ := b.frame(t, schedule.Options{})
	first := f.intern([]byte("first"))
	f.reset(f.code)
	if again := f.intern([]byte("first")); again != first || f.text(again) != "first" {
		t.Errorf("got %d, %q, want %d", again, f.text(again), first)
	}
	f.intern(make([]byte, maxKept))
	f.reset(f.code)
	if len(f.texts) != 0 || len(f.symbols) != 0 || f.kept != 0 {
		t.Errorf("%d strings of %d bytes are kept", len(f.texts), f.kept)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	b := newBuild()
	kinds := b.typ(stringList)<<32 | b.typ(intList)
	n := b.leaf(plan.Int, 20)
	faces := b.roll(plan.Die{ID: "d", List: true, Explode: plan.Band{Lo: 6, Hi: 6}}, b.int(6), n)
	b.roll(plan.Die{ID: "deck", List: true, Distinct: true}, b.int(52), b.int(5))
	b.out("sum", plan.IntType, b.node(plan.OpSumInt, plan.Int, 0, faces), b.node(plan.OpSumIntFault, plan.Fault, 0, faces))
	b.out("sorted", intList, b.node(plan.OpSort, plan.List, b.typ(intList), faces), plan.None)
	names := b.loop(n, []plan.ID{b.node(plan.OpNewSpan, plan.List, 1, n)}, func(i plan.ID, c []plan.ID) []plan.ID {
		text := b.node(plan.OpConcatString, plan.String, 0, b.value("n", false), b.node(plan.OpIntToString, plan.String, 0, i))
		return []plan.ID{b.node(plan.OpPush, plan.List, 0, c[0], b.yes(), text)}
	})
	b.out("names", stringList, b.node(plan.OpSortBy, plan.List, kinds, names[0], faces), plan.None)
	b.out("texts", stringList, b.node(plan.OpSort, plan.List, b.typ(stringList), names[0]), b.ok())
	f, code := b.frame(t, schedule.Options{})
	source := dice.FromSeed(1, 0, 0)
	allocations := testing.AllocsPerRun(100, func() {
		source.Reset(1, 0, 0)
		b.fill(f)
		if err := f.run(code, source); err != nil {
			t.Fatal(err)
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}
