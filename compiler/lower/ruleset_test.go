package lower_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/compiler/lower"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// lowerGame lowers a ruleset whose definitions are the given ones; characters have a strength and wounds.
func lowerGame(t *testing.T, definitions string) *plan.Plan {
	t.Helper()
	schema, err := os.ReadFile("../../schema/schema.cue")
	if err != nil {
		t.Fatal(err)
	}
	game := `package game

import (
	"list"

	"github.com/tabletop-rules/rules/schema"
)

schema.#Ruleset
id:    "game"
title: "Game"
source: book: "Game"
#Character: {
	strength: int & >=0 & <=20
	wounds: [...int & >=0 & <=9] & list.MaxItems(4)
}
`
	src := load.Source{FS: fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"github.com/tabletop-rules/rules@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"schema/schema.cue":  {Data: schema},
		"game/game.cue":      {Data: []byte(game + definitions)},
	}}
	var diags diag.List
	b := load.Directory(src, "game", &diags)
	if b == nil || diags.Failed() {
		t.Fatal(diags.Err())
	}
	typed := check.Check(b, &diags)
	if diags.Failed() {
		t.Fatal(diags.Err())
	}
	p := lower.Ruleset(typed, lower.Options{})
	if err := plan.Verify(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// drawGraph writes a graph as lines: what has an effect in its order, then the values. Roots are named by their shapes.
func drawGraph(p *plan.Plan, g *plan.Graph, roots map[plan.Root]*plan.Shape) string {
	d := &drawing{plan: p, graph: g, names: map[plan.Leaf]string{}}
	for root, s := range roots {
		inner := &drawing{}
		inner.addFields("", s)
		for i, name := range inner.leaves {
			d.names[plan.Leaf{Root: root, Offset: int32(i)}] =
				[...]string{"character.", "input.", "state.", "event."}[root] + name
		}
	}
	var out []string
	line := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, id := range g.Blocks[0].Nodes {
		switch n := &g.Nodes[id]; n.Op {
		case plan.OpRequire:
			line("require %q: %s", g.Requires[n.Imm].Message, d.args(n))
		case plan.OpRoll:
			line("%s: %s", d.expr(id), d.args(n))
		}
	}
	value := func(name string, v plan.Value) {
		text := name + ": " + d.expr(v.ID)
		if v.Fault != plan.None {
			text += " ! " + d.expr(v.Fault)
		}
		line("%s", text)
	}
	if g.When.ID != plan.None && len(g.Next) > 0 {
		value("when", g.When)
	}
	for i, f := range g.Outputs.Fields {
		value(g.Outputs.Type.Fields[i].Name, f)
	}
	for i, next := range g.Next {
		for k, f := range next.Fields {
			if f.Fields == nil {
				value([...]string{"next state.", "next character."}[i]+next.Type.Fields[k].Name, f)
			}
		}
	}
	for _, e := range g.Ends {
		value("end", e)
	}
	return strings.Join(out, "\n")
}

// TestRules draws what rules are lowered to. In a drawing "a ! b" is a value a whose fault is b, and a roll lists its
// guard, its faces, its count, and the fault of these.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name, definitions string // of rule r, and what it needs
		want              []string
	}{
		{
			name: "a function is written out where it is called",
			definitions: `functions: half: {cite: "x", params: n: "int", expr: "div_floor(n, 2)"}
rules: r: {cite: "x", #Input: n!: int & >=0 & <=9, output: a: "half(input.n) - half(3)"}`,
			want: []string{
				"a: sub.int(div.floor(input.n, 2), div.floor(3, 2)) ! first.fault(" +
					"first.fault(div.fault(input.n, 2), div.fault(3, 2)), sub.int.fault(div.floor(input.n, 2), div.floor(3, 2)))",
			},
		},
		{
			name: "a trait reads the character of the rule",
			definitions: `traits: might: {cite: "x", expr: "character.strength * 2"}
rules: r: {cite: "x", output: a: "character.might"}`,
			want: []string{
				"a: mul.int(character.strength, 2) ! mul.int.fault(character.strength, 2)",
			},
		},
		{
			name: "an option is an operand, and a choice by it a selection",
			definitions: `options: how: {cite: "x", default: "up", values: {up: "Up.", down: "Down."}}
rules: r: {cite: "x", output: a: option: how: {up: "div_ceil(7, 2)", down: "div_floor(7, 2)"}}`,
			want: []string{
				`a: select(eq.int(option.how, "up"), div.ceil(7, 2), div.floor(7, 2)) ! ` +
					`select(eq.int(option.how, "up"), div.fault(7, 2), div.fault(7, 2))`,
			},
		},
		{
			name: "a look-up finds a row, and a cell of it",
			definitions: `tables: price: {cite: "x", keyed: {sword: gold: 5, bow: gold: 7}, gives: "gold"}
rules: r: {cite: "x", #Input: what!: string, output: a: "price(input.what)"}`,
			want: []string{
				"a: cell(row(input.what)) ! row.fault(row(input.what), input.what)",
			},
		},
		{
			name:        "a die of one face is a number, dice with a count are a list",
			definitions: `rules: r: {cite: "x", dice: {d: die: 6, ds: {die: 4, count: 2}}, output: {a: "d", b: "sum(ds)"}}`,
			want: []string{
				"roll d: true, 6, -1, ok",
				"roll ds: true, 4, 2, ok",
				"a: roll d",
				"b: sum.int(roll ds) ! sum.int.fault(roll ds)",
			},
		},
		{
			name: "a use rolls under its guard, and its outputs are chosen by it",
			definitions: `rules: {
	one: {cite: "x", dice: d: die: 6, output: face: "d"}
	r: {cite: "x", use: u: {rule: "one", when: "character.strength > 3", otherwise: face: "0"}, output: a: "u.face"}
}`,
			want: []string{
				"roll u.d: lt.int(3, character.strength), 6, -1, ok",
				"a: select(lt.int(3, character.strength), roll u.d, 0)",
			},
		},
		{
			name: "a requirement that reads no die stands before the dice",
			definitions: `rules: r: {cite: "x", dice: d: die: 6,
	require: {"late": "d > 1", "early": "character.strength > 1"}, output: a: "d"}`,
			want: []string{
				`require "early": true, lt.int(1, character.strength), ok`,
				"roll d: true, 6, -1, ok",
				`require "late": true, lt.int(1, roll d), ok`,
				"a: roll d",
			},
		},
		{
			name:        "a list and its length",
			definitions: `rules: r: {cite: "x", require: "hurt": "size(character.wounds) > 0", output: {a: "size(character.wounds)", b: "character.wounds[0]"}}`,
			want: []string{
				`require "hurt": true, lt.int(0, size(character.wounds)), ok`,
				"a: size(character.wounds)",
				"b: elem(character.wounds, 0) ! elem.fault(character.wounds, 0)",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := lowerGame(t, c.definitions)
			i := slices.IndexFunc(p.Rules, func(r plan.Rule) bool { return r.ID == "r" })
			r := &p.Rules[i]
			got := drawGraph(p, &r.Graph, map[plan.Root]*plan.Shape{
				plan.CharacterRoot: p.Character, plan.InputRoot: r.Input,
			})
			if want := strings.Join(c.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// A step gives the next state and the next character; what it does not name stays. Its guard is a value, for who asks
// what is offered, and its first requirement, for who plays it.
func TestSteps(t *testing.T) {
	p := lowerGame(t, `procedures: climb: {
	cite: "x"
	#Input: goal!: int & >=1 & <=9
	#State: height: *0 | int
	events: pull: {
		#Event: by!: int & >=1 & <=3
		when: "state.height < input.goal"
		next: height: "state.height + event.by"
	}
	ends: top: "state.height >= input.goal"
	output: height: "state.height"
}`)
	x := &p.Procedures[0]
	roots := map[plan.Root]*plan.Shape{
		plan.CharacterRoot: p.Character, plan.InputRoot: x.Input, plan.StateRoot: x.State, plan.EventRoot: x.Events[0].Input,
	}
	for _, c := range []struct {
		graph *plan.Graph
		want  []string
	}{
		{&x.Events[0].Graph, []string{
			`require "": true, lt.int(state.height, input.goal), ok`,
			`require "": true, true, add.int.fault(state.height, event.by)`, // a step that fails changes nothing
			"when: lt.int(state.height, input.goal)",
			"next state.height: add.int(state.height, event.by) ! add.int.fault(state.height, event.by)",
			"next character.strength: character.strength",
			"next character.wounds: character.wounds",
		}},
		{&x.Close, []string{"height: state.height", "end: le.int(input.goal, state.height)"}},
	} {
		if got, want := drawGraph(p, c.graph, roots), strings.Join(c.want, "\n"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// TestNestedPartsMultiplyOnce lowers loops in each other over dice of several throws: the outermost alone is one loop for
// each throw, so that a loop more adds a sum and does not multiply.
func TestNestedPartsMultiplyOnce(t *testing.T) {
	loops := func(formula string) int {
		p := lowerGame(t, `
rules: r: {
	cite: "R"
	dice: harm: {die: 6, count: 3, explode: {on: 6, into: "dice", times: 2}}
	output: y: "`+formula+`"
}`)
		return len(p.Rules[0].Graph.Blocks) - 1
	}
	own := loops("true") // of the dice themselves
	if got := loops("harm.exists(a, a > 3)") - own; got != 3 {
		t.Errorf("one loop became %d, want one for each of three throws", got)
	}
	if got := loops("harm.exists(a, harm.exists(b, harm.exists(c, a + b + c > 9)))") - own; got != 9 {
		t.Errorf("three loops in each other became %d, want 9: 3 of each depth", got)
	}
}
