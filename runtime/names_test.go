package runtime

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// namedGraph has named values that an output needs and such that none needs, under an option that chooses among them.
func namedGraph(option int) *build {
	b := newBuild()
	b.p.Options = []plan.Option{{ID: "band", Values: []string{"up", "down"}, Symbols: []int64{b.symbol("up"), b.symbol("down")}, Default: option}}
	x := b.leaf(plan.Int, 10)
	sum := func(name string, a plan.ID, v int64) plan.ID {
		id := b.node(plan.OpAddInt, plan.Int, 0, a, b.int(v))
		b.name(name, plan.IntType, id)
		return id
	}
	constant := sum("constant", b.int(2), 3)
	base := sum("base", x, 1)
	up, down := sum("up", base, 100), sum("down", base, 200)
	sum("unread", base, 300)
	is := b.node(plan.OpEqInt, plan.Bool, 0, b.node(plan.OpOption, plan.String, 0), b.value("up", true))
	chosen := b.node(plan.OpSelect, plan.Int, 0, is, up, down)
	b.name("chosen", plan.IntType, chosen)
	b.out("r", plan.IntType, b.node(plan.OpMulInt, plan.Int, 0, chosen, constant), plan.None)
	b.out("other", plan.IntType, sum("for other", x, 5), plan.None)
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
		{"everything", 0, schedule.Options{Full: true}, []string{"constant", "base", "up", "down", "unread", "chosen", "for other"}},
	} {
		b := namedGraph(c.option)
		all["chosen"] = []int64{111, 211}[c.option]
		f, code := b.frame(t, c.opt)
		if err := f.run(code, nil); err != nil {
			t.Fatal(err)
		}
		kept := map[string]bool{}
		for i := range b.g.Names {
			n := &b.g.Names[i]
			if kept[n.Name] = code.Kept(&n.Value); kept[n.Name] && f.slotOf(code)(n.Value.ID) != all[n.Name] {
				t.Errorf("%s: %s is %d, want %d", c.name, n.Name, f.slotOf(code)(n.Value.ID), all[n.Name])
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
