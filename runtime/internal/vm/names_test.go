package vm

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// namedGraph has named values that an output needs and such that none needs, under an option that chooses among them.
func namedGraph(option int) *graphtest.Builder {
	b := graphtest.NewBuilder()
	b.Plan.Options = []plan.Option{{ID: "band", Values: []string{"up", "down"},
		Symbols: []int64{b.Symbol("up"), b.Symbol("down")}, Default: option}}
	x := b.Leaf(plan.Int, 10)
	sum := func(name string, a plan.ID, v int64) plan.ID {
		id := b.Node(plan.OpAddInt, plan.Int, 0, a, b.IntConst(v))
		b.NamedValue(name, plan.IntType, id)
		return id
	}
	constant := sum("constant", b.IntConst(2), 3)
	base := sum("base", x, 1)
	up, down := sum("up", base, 100), sum("down", base, 200)
	sum("unread", base, 300)
	is := b.Node(plan.OpEqInt, plan.Bool, 0, b.Node(plan.OpOption, plan.String, 0), b.Value("up", true))
	chosen := b.Node(plan.OpSelect, plan.Int, 0, is, up, down)
	b.NamedValue("chosen", plan.IntType, chosen)
	b.Output("r", plan.IntType, b.Node(plan.OpMulInt, plan.Int, 0, chosen, constant), plan.None)
	b.Output("other", plan.IntType, sum("for other", x, 5), plan.None)
	return b
}

// A frame holds the named values that what was asked for needs: no others, and not those that an option cuts off.
func TestNamesThatAreKept(t *testing.T) {
	all := map[string]int64{"constant": 5, "base": 11, "up": 111, "down": 211, "unread": 311, "chosen": 111, "for other": 15}
	for _, c := range []struct {
		name   string
		option int
		opt    schedule.Options
		want   []string
	}{
		{"all outputs", 0, schedule.Options{}, []string{"constant", "base", "up", "chosen", "for other"}},
		{"one output", 0, schedule.Options{Outputs: []string{"r"}}, []string{"constant", "base", "up", "chosen"}},
		{"the other output", 0, schedule.Options{Outputs: []string{"other"}}, []string{"for other"}},
		{"the other option", 1, schedule.Options{Outputs: []string{"r"}}, []string{"constant", "base", "down", "chosen"}},
		{"everything", 0, schedule.Options{Full: true},
			[]string{"constant", "base", "up", "down", "unread", "chosen", "for other"}},
	} {
		b := namedGraph(c.option)
		all["chosen"] = []int64{111, 211}[c.option]
		f, code := newTestFrame(b, t, c.opt)
		if err := Run(f, code, nil); err != nil {
			t.Fatal(err)
		}
		kept := map[string]bool{}
		for i := range b.Graph.Names {
			n := &b.Graph.Names[i]
			if kept[n.Name] = code.Kept(&n.Value); kept[n.Name] && f.slots[slotOf(t, code, n.Value.ID)] != all[n.Name] {
				t.Errorf("%s: %s is %d, want %d", c.name, n.Name, f.slots[slotOf(t, code, n.Value.ID)], all[n.Name])
			}
		}
		for _, name := range c.want {
			if !kept[name] {
				t.Errorf("%s: %s is not kept", c.name, name)
			}
			delete(kept, name)
		}
		for name, is := range kept {
			if is {
				t.Errorf("%s: %s is kept", c.name, name)
			}
		}
	}
}

func slotOf(t *testing.T, code *schedule.Code, id plan.ID) int32 {
	slot, ok := code.Slot(id)
	if !ok {
		t.Fatalf("node %d has no slot", id)
	}
	return slot
}
