package plan_test

import (
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Operations that ListTypes follows to where their list comes from. Every other one that gives a list says in its row what
// the list holds.
var followed = map[plan.Op]bool{
	plan.OpConst: true, plan.OpLeaf: true, plan.OpParam: true, plan.OpResult: true, plan.OpSelect: true,
	plan.OpNewSpan: true, plan.OpPush: true, plan.OpElem: true, plan.OpCell: true,
}

func TestEveryListOperationSaysWhatItsListHolds(t *testing.T) {
	scalars := map[plan.Op]bool{plan.OpLeast: true, plan.OpGreatest: true}
	for op := plan.OpConst; int(op) < plan.NumOps; op++ {
		row := op.Operation()
		givesList := row.Result == 'l' || row.Result == 'm' || row.Result == 'r' && !scalars[op]
		if says := row.Elements != plan.NoElements; givesList && says == followed[op] {
			t.Errorf("%s gives a list: its row says what it holds: %t, ListTypes follows it: %t", op, says, followed[op])
		}
		named := row.Immediate == plan.TypeImmediate || row.Immediate == plan.TypesImmediate
		if (row.Elements == plan.TypeElements || row.Elements == plan.KeyElements) && !named {
			t.Errorf("the row of %s says that the elements are those of a type, and names no type", op)
		}
	}
}

// bothTypes are the types of a node: of all that is known, and of what readers say.
func bothTypes(b *graphtest.Builder, id plan.ID) string {
	show := func(types []*plan.Type) string {
		if types[id] == nil {
			return "none"
		}
		return types[id].String()
	}
	roots := [plan.NumRoots]*plan.Shape{}
	return show(plan.ListTypes(b.Plan, &b.Graph, roots)) + ", read as " + show(plan.ReadListTypes(b.Plan, &b.Graph))
}

func TestTypesOfListsComeOfReadersSourcesAndPushes(t *testing.T) {
	b := graphtest.NewBuilder()
	always, zero := b.True(), b.IntConst(0)
	empty := func(stride int64) plan.ID { return b.Node(plan.OpNewSpan, plan.List, stride, b.IntConst(1)) }

	numbers := b.Node(plan.OpRange, plan.List, 0, zero, b.IntConst(3))
	lists := b.Node(plan.OpPush, plan.List, 0, empty(1), always, numbers)
	inner := b.Node(plan.OpElem, plan.List, 1<<32, lists, zero)
	fault := b.Node(plan.OpDivFault, plan.Fault, 0, zero, zero)
	pairs := b.Node(plan.OpPush, plan.List, 0, empty(2), always, fault, zero)
	carried := b.Loop(b.IntConst(2), []plan.ID{empty(1)}, func(i plan.ID, carried []plan.ID) []plan.ID {
		return []plan.ID{b.Node(plan.OpPush, plan.List, 0, carried[0], always, i)}
	})
	maps := b.Node(plan.OpPush, plan.List, 0, empty(2), always, zero, b.Const(plan.Map, 0))
	unknown := empty(1)
	given := b.Const(plan.List, 0)
	first := b.Node(plan.OpElem, plan.String, 1<<32, given, zero)
	b.Output("first", plan.StringType, first, plan.None)
	either := b.Node(plan.OpSelect, plan.List, 0, always, given, numbers) // an empty list stands for those of every type
	for _, c := range []struct {
		name string
		id   plan.ID
		want string
	}{
		{"a range", numbers, "list(int), read as none"},
		{"a pushed list", lists, "list(list(int)), read as none"},
		{"its element", inner, "list(int), read as none"},
		{"what a loop carries", carried[0], "list(int), read as none"},
		{"a constant that is read as strings", given, "list(string), read as list(string)"},
		{"a constant read as strings, or a range", either, "list(int), read as none"},
		{"a list with a map that nothing fills", maps, "list({: int, : map(string, {})}), read as none"},
		{"an empty list", unknown, "none, read as none"},
		{"a number", zero, "none, read as none"},
	} {
		if got := bothTypes(b, c.id); got != c.want {
			t.Errorf("%s is %s, not %s", c.name, got, c.want)
		}
	}
	if of := plan.ListTypes(b.Plan, &b.Graph, [plan.NumRoots]*plan.Shape{})[pairs]; of.Stride() != 2 ||
		!of.Elem.Fields[0].Fallible {
		t.Errorf("a list of faults and numbers is %v", of)
	}
}

func TestVerifyFindsElementsOfAnotherType(t *testing.T) {
	for name, c := range map[string]struct {
		kind plan.Kind
		imm  int64
		want string
	}{
		"stride": {plan.Int, 2 << 32, "takes elements of 2 slots from list(int)"},
		"kind":   {plan.Double, 1 << 32, "takes slot 0 of list(int) for kind 2"},
	} {
		b := graphtest.NewBuilder()
		numbers := b.Node(plan.OpRange, plan.List, 0, b.IntConst(0), b.IntConst(3))
		b.Node(plan.OpElem, c.kind, c.imm, numbers, b.IntConst(0))
		b.Plan.Rules = []plan.Rule{{ID: "r", Input: &plan.Shape{Kind: plan.Record}, Graph: b.Graph}}
		b.Plan.Rules[0].Graph.Outputs = plan.Value{Type: &plan.Type{Kind: plan.Record}, ID: plan.None, Fault: plan.None,
			Present: plan.None}
		if err := plan.Verify(b.Plan); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
