package generated

import (
	"fmt"
	"slices"
)

// writeProcedure writes rules with memory.
func (g *Generator) writeProcedure() {
	g.readCharacter()
	g.writef("procedures: play: {\n\tcite: \"x\"")
	g.startless = g.isOneIn(4)
	hasPiles := !g.startless && g.isOneIn(3)
	g.start = g.writeFields("input")
	const piles = "[...{p: *1 | int & <=9, q?: int & >0 & <5, s: *1 | int & >=-9}] & list.MaxItems(2)"
	if hasPiles {
		g.writef("\t#Input: piles: %s", piles)
		g.start = append(g.start, asked{name: "piles", kind: "piles"})
	}
	g.writef("\t#State: {\n\t\tpool: *%d | int & >=-200 & <=200", g.IntN(4))
	set := "!: int"
	if g.startless {
		set = ": *2 | int"
	}
	g.writef("\t\tset%s\n\t\tdone: *false | bool\n\t\tseen: [...int] & list.MaxItems(3)", set)
	g.writef("\t\tweight: *0.5 | number%s", pickOne(g, "", "", " & >=-20.5 & <1e6", " & >-3 & <=9.5", " & !=1.5"))
	if hasPiles {
		g.writef("\t\tpiles: %s", piles)
	}
	g.writef("\t\tmood: *\"fair\" | #Grade\n\t\tlast: *\"\" | string")
	hasLedger := g.isOneIn(2)
	if hasLedger {
		g.writef("\t\tledger: [string]: int & >=-50 & <=50")
	}
	g.writef("\t\tbag: {gold: *3 | int & >=0, open: *true | bool}\n\t}")
	before := g.scope
	if !g.startless && g.isOneIn(3) {
		g.writef("\tstart: {")
		g.scope = append(slices.Clip(g.scope), g.writeDie("first"))
		if g.isOneIn(3) {
			g.writef("\trequire: \"the start\": %q", g.makeExpression("bool", 1)+" || "+g.makeExpression("bool", 1))
		}
		g.writef("\t}")
	}
	if !g.startless {
		g.writef("\tstart: next: set: %q", g.makeExpression("int", 2))
	}
	if hasPiles {
		g.writef("\tstart: next: piles: \"input.piles\"")
	}
	g.scope = before
	g.scope = append(g.scope, name{"state.pool", "int", false}, name{"state.set", "int", false},
		name{"state.done", "bool", false}, name{"state.seen", "list", false}, name{"state.weight", "double", false},
		name{"state.mood", "word", false}, name{"state.last", "text", false}, name{"state.bag.gold", "int", false},
		name{"state.bag.open", "bool", false})
	if hasLedger {
		g.scope = append(g.scope, name{"get(state.ledger, 'b', 0)", "int", false},
			name{"state.ledger.map(k, k)", "texts", false}, name{"state.ledger.map(k, state.ledger[k])", "list", false})
	}
	if hasPiles {
		g.scope = append(g.scope, name{"state.piles.map(x, x.p)", "list", false}, name{"state.piles.sum(x, x.s)", "int", false},
			name{"state.piles.count(x, has(x.q) && x.q > 1)", "int", false})
	}
	g.writef("\tlet: far: %q", g.makeExpression("int", 2))
	g.scope = append(g.scope, name{"far", "int", false})
	procedure := g.scope
	for _, event := range []string{"push", "wait"} {
		g.scope = append([]name{}, procedure...)
		g.place = "procedures: play: events: " + event
		g.writef("\tevents: %s: {\n\tdoc: \"x\"", event)
		if g.isOneIn(2) {
			g.writef("\twhen: %q", g.makeExpression("bool", 1)+pickOne(g, " || state.pool < 20",
				" || state.set != div_floor(3, state.pool)", ""))
		}
		g.eventAsk[event] = g.writeFields("event")
		if g.isOneIn(3) {
			g.eventAsk[event] = append(g.eventAsk[event], g.writeDecision("event"))
		}
		g.writeBody(event)
		g.writef("\tnext: pool: %q", g.makeExpression("int", 2))
		if g.isOneIn(2) {
			g.writef("\tnext: \"character.grace\": %q", "max(0, min(9, "+g.makeExpression("int", 2)+"))")
		}
		if g.isOneIn(2) {
			g.writef("\tnext: seen: %q", pickOne(g, "("+g.makeExpression("list", 1)+
				" + [1]).filter(x, x > 1).map(x, x - 1).slice(0, 0)",
				fmt.Sprintf("(size(state.seen) > 1 ? state.seen.slice(0, 0) : state.seen + [%s, 1])", g.makeExpression("int", 1)),
				fmt.Sprintf("[%s, %s].filter(x, x != 2)", g.makeExpression("int", 1), g.makeExpression("int", 1)),
				fmt.Sprintf("size(state.seen) < 3 ? state.seen + [%s] : [%s]", g.makeExpression("int", 1),
					g.makeExpression("int", 1))))
		}
		if hasLedger && g.isOneIn(3) {
			g.writef("\tnext: ledger: %q", fmt.Sprintf("with(%s, '%s', max(-50, min(50, %s)))", pickOne(g, "state.ledger", "state.ledger",
				"{'c': 1, 'a': 2}"), pickOne(g, "a", "b", "é"), g.makeExpression("int", 1)))
		}
		if hasPiles && g.isOneIn(2) {
			g.writef("\tnext: piles: %q", pickOne(g, fmt.Sprintf("state.piles.map(x, with(x, 'p', x.s + %s))", g.makeExpression("int", 1)),
				fmt.Sprintf("state.piles.map(x, with(with(x, 's', x.p), 'q', %s))", g.makeExpression("int", 1)), "state.piles + state.piles",
				fmt.Sprintf("state.piles.filter(x, x.p > %s)", g.makeExpression("int", 1)), "state.piles.slice(0, min(1, size(state.piles)))"))
		}
		for _, n := range []name{{"done", "bool", false}, {"weight", "double", false}, {"mood", "word", false},
			{"last", "text", false}, {"\"bag.open\"", "bool", false}, {"\"bag.gold\"", "int", false}} {
			if g.isOneIn(4) {
				g.writef("\tnext: %s: %s", n.text, g.makeFormula(n.kind, 2))
			}
		}
		g.writef("\t}")
	}
	g.scope = procedure
	over := "state.done"
	if g.isOneIn(2) {
		over += " && " + g.makeExpression("bool", 1)
	}
	g.writef("\tends: {over: %q, gone: \"state.pool > %d%s\", lost: %q}", over, 3+g.IntN(38),
		pickOne(g, "", "", " || size(state.seen) > 1"), "state.bag.gold < "+fmt.Sprint(g.IntN(4))+" && "+g.makeExpression("bool", 1))
	g.writef("\toutput: total: %q", g.makeExpression("int", 2))
	if g.isOneIn(2) { // what the events have left
		g.writef("\toutput: left: \"state.seen\"")
	}
	g.writef("\toutput: heavy: %q", g.makeExpression(pickOne(g, "double", "text", "word", "list",
		"doubles", "texts", "lists"), 2))
	g.writef("}")
	g.startless = false
	g.Events = []string{"push", "wait"}
}
