package judge_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// A generator writes small rulesets at random, and questions about them. The same seed gives the same ruleset.
//
// It writes only such formulas as the checker takes in most cases: look-ups are of keys that a table has, divisors are
// never 0, and lists are bounded. What it knows of a name is its type alone, so that it cannot share a mistake about values
// with the program or the judge.
type generator struct {
	*rand.Rand
	b strings.Builder

	rules  []generatedRule
	events []string
	scope  []name    // that formulas may read here
	hidden bool      // whether dice and uses may not be read here
	plain  bool      // without lists and loops: such rules are carried out column by column
	tables [3]string // keyed, bands, steps
	place  string    // the path of what is written: "rules: rule0"
	edits  []edit    // what a homebrew may change
}

// A generatedRule is known to later rules by its outputs and what it asks for.
type generatedRule struct {
	id      string
	asks    []asked
	outputs []name
}

type asked struct{ name, kind string }

type name struct {
	text   string
	kind   string // "int", "bool", "word", "list", "double", "size" (0 to 4)
	chance bool
}

var (
	grades = []string{"poor", "fair", "good", "best"}
	arms   = []string{"axe", "bow", "club", "dirk"}
)

func (g *generator) printf(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }

func oneOf[T any](g *generator, xs ...T) T { return xs[g.IntN(len(xs))] }

func (g *generator) maybe(n int) bool { return g.IntN(n) == 0 }

// ruleset writes a whole ruleset.
func (g *generator) ruleset() string {
	g.printf("package game\n\nimport (\n\t\"list\"\n\n\t\"github.com/tabletop-rules/rules/schema\"\n)\n\nschema.#Ruleset\n")
	g.printf("id: \"game\"\ntitle: \"A game\"\nsource: book: \"A book\"\n#Grade: %s", quoted(grades))
	g.printf(`#Character: {
	might!: int & >=%d & <=20
	grace: *%d | int & >=0 & <=9
	worn: *0 | int & >=0 & <=grace
	lucky: *false | bool
	rank: *"fair" | #Grade
	skills: [string]: int & >=0 & <=6
	mass: *1.5 | number & >=0
	title?: int & >=1 & <=5
}`, oneOf(g, -2, 0, 1), g.IntN(10))
	edge := fmt.Sprintf("%q", oneOf(g, "sharp", "dull"))
	g.b.WriteString("options: {\n\tedge: {cite: \"x\", default: ")
	g.editNext("options: edge", edge, fmt.Sprintf("%q", oneOf(g, "sharp", "dull")))
	g.printf(`%s, values: {sharp: "a", dull: "b"}}
	band: {cite: "x", default: "low", values: {low: "a", mid: "b", high: "c"}}
}`, edge)
	g.writeTables()
	g.character()
	g.printf("traits: {\n\tvigor: {cite: \"x\", expr: %s}", g.formula("int", 3))
	g.printf("\tkeen: {cite: \"x\", expr: %s}\n}", g.formula("bool", 2))
	g.scope = []name{{"a", "int", false}, {"b", "int", false}, {"w", "bool", false}}
	g.printf("functions: mixed: {cite: \"x\", params: {a: \"int\", b: \"int\", w: \"bool\"}, expr: %s}", g.formula("int", 3))
	for i := range 2 + g.IntN(3) {
		g.rule(fmt.Sprintf("rule%d", i))
	}
	if g.maybe(2) {
		g.procedure()
	}
	g.printf("_keep: list.MaxItems(1)")
	return g.b.String()
}

func quoted(xs []string) string {
	var out []string
	for _, x := range xs {
		out = append(out, fmt.Sprintf("%q", x))
	}
	return strings.Join(out, " | ")
}

func (g *generator) writeTables() {
	g.printf("tables: {")
	g.printf("\tarms: {cite: \"x\", dice: [\"harm\"], keyed: {")
	for i, key := range arms {
		// the words of a column go by the order of the rows: here it is that of #Grade, as formulas mix both
		fmt.Fprintf(&g.b, "\t\t%s: {heft: ", key)
		heft := fmt.Sprint(g.IntN(9) - 2)
		g.editNext("tables: arms: rows: "+key+": heft", heft, fmt.Sprint(g.IntN(20)))
		g.printf("%s, class: %q, fine: %v, price: %s, harm: %q}", heft, grades[i], g.maybe(2),
			oneOf(g, "1", "2.5", "0.75"), oneOf(g, "d4", "2d3 + 1", "1", "d6 - 1", "d4r1"))
	}
	pike := `pike: {heft: 7, class: "best", fine: true, price: 4.5, harm: "d6"}`
	g.edits = append(g.edits, edit{g.b.Len(), g.b.Len(), pike + "\n", "extend: tables: arms: keyed: " + pike})
	g.printf("\t}}")
	// bands over 0 to 12
	g.printf("\tzone: {cite: \"x\", %s bands: [", oneOf(g, "", "gives: \"cost\","))
	g.tables[1] = ".cost"
	if strings.Contains(g.b.String(), "gives: \"cost\"") {
		g.tables[1] = ""
	}
	for from := 0; from <= 12; {
		to := min(12, from+g.IntN(5))
		on := fmt.Sprintf("[%d, %d]", from, to)
		if from == to {
			on = fmt.Sprint(from)
		}
		fmt.Fprintf(&g.b, "\t\t{on: %s, cost: ", on)
		label := fmt.Sprintf("%d to %d", from, to)
		if from == to {
			label = fmt.Sprint(from)
		}
		cost := fmt.Sprint(g.IntN(7) - 1)
		g.editNext(fmt.Sprintf("tables: zone: rows: %q: cost", label), cost, fmt.Sprint(g.IntN(30)-9))
		g.printf("%s, mood: %q},", cost, oneOf(g, "calm", "wild"))
		from = to + 1
	}
	g.printf("\t]}")
	g.printf("\tladder: {cite: \"x\", %s steps: [", oneOf(g, "", "carry: true,"))
	rows := []string{fmt.Sprintf("{from: -100, gain: %d, odd: %v}", g.IntN(4), g.maybe(2))}
	at := -3
	for range 2 + g.IntN(3) {
		at += 1 + g.IntN(4)
		rows = append(rows, fmt.Sprintf("{%s: %d, gain: %d, odd: %v}", oneOf(g, "from", "above"), at, g.IntN(9)-3, g.maybe(2)))
	}
	g.printf("\t\t%s", strings.Join(rows, ", "))
	g.printf("\t]}")
	g.printf("\tchart: {cite: \"x\", columns: [%s], rows: {hard: [%d, %d, %d], soft: [%d, %d, %d]}}",
		oneOf(g, "[0, 3], [4, 6], [7, 12]", "{from: 0}, {from: 3}, {above: 3}", "{from: 0}, {above: 4}, {above: 9}"),
		g.IntN(9), g.IntN(9), g.IntN(9), g.IntN(9), g.IntN(9), g.IntN(9))
	g.printf("\tpips: {cite: \"x\", bands: [{on: [1, 2], good: 0}, {on: %s, good: 1}, {on: [5, 6], good: %d}]}",
		"[3, 4]", 1+g.IntN(3))
	g.printf("}")
}

// character makes what formulas may read of a character.
func (g *generator) character() {
	g.scope = []name{
		{"character.might", "int", false}, {"character.grace", "int", false}, {"character.worn", "int", false},
		{"character.lucky", "bool", false}, {"character.rank", "word", false}, {"character.mass", "double", false},
		{"get(character.skills, 'climb', 0)", "int", false}, {"size(character.skills)", "int", false},
		{"(has(character.title) ? character.title : 0)", "int", false},
		{"option.edge == 'sharp'", "bool", false},
	}
}

// of returns a name of a kind, or the fallback.
func (g *generator) of(kind, fallback string) string {
	var all []string
	for _, n := range g.scope {
		if n.kind == kind && !(n.chance && g.hidden) {
			all = append(all, n.text)
		}
	}
	if len(all) == 0 || g.maybe(8) {
		return fallback
	}
	return oneOf(g, all...)
}

// choosable returns the path of a word by which a formula can be chosen: "input: grade" or "x1"; "" where there is none.
func (g *generator) choosable() string {
	for _, n := range g.scope {
		if n.kind == "word" && !(n.chance && g.hidden) && strings.HasSuffix(n.text, ".grade") && g.maybe(2) {
			return strings.ReplaceAll(n.text, ".", ": ")
		}
	}
	return ""
}

// formula writes the value of a formula in CUE: an expression, a constant or a choice.
func (g *generator) formula(kind string, depth int) string {
	if len(g.scope) > 3 || kind == "int" {
		switch g.IntN(11) {
		case 2:
			if by := g.choosable(); by != "" {
				return fmt.Sprintf("%s: {poor: %q, fair: %q, good: %q, best: %q}", by, g.expr(kind, depth-1), g.expr(kind, depth-1),
					g.expr(kind, depth-1), g.expr(kind, depth-1))
			}
		case 0:
			return fmt.Sprintf("option: edge: {sharp: %q, dull: %q}", g.expr(kind, depth-1), g.expr(kind, depth-1))
		case 1:
			return fmt.Sprintf("option: band: {low: %q, mid: %q, high: %q}", g.expr(kind, depth-1), g.expr(kind, depth-1),
				g.expr(kind, depth-1))
		}
	}
	return fmt.Sprintf("%q", g.expr(kind, depth))
}

// expr writes an expression of a kind.
func (g *generator) expr(kind string, depth int) string {
	e := func(kind string) string { return g.expr(kind, depth-1) }
	switch kind {
	case "int":
		if depth <= 0 {
			return g.of("int", fmt.Sprint(g.IntN(14)-3))
		}
		if g.maybe(9) {
			return g.riskyInt(depth)
		}
		if g.plain {
			return g.plainInt(depth)
		}
		if g.maybe(6) {
			return g.recordInt(depth)
		}
		switch g.IntN(24) {
		case 0, 1:
			return fmt.Sprintf("(%s + %s)", e("int"), e("int"))
		case 2, 3:
			return fmt.Sprintf("(%s - %s)", e("int"), e("int"))
		case 4:
			return fmt.Sprintf("%s * %d", g.of("int", "3"), g.IntN(9)-4)
		case 5:
			return fmt.Sprintf("%s(%s, %s)", oneOf(g, "div_floor", "div_ceil", "div_half_up", "div_trunc", "div_away"), e("int"),
				oneOf(g, "2", "3", "-3", "7", "-2"))
		case 6, 7:
			return fmt.Sprintf("%s(%s, %s)", oneOf(g, "min", "max"), e("int"), e("int"))
		case 8:
			return fmt.Sprintf("abs(%s)", e("int"))
		case 9, 10:
			return fmt.Sprintf("(%s ? %s : %s)", e("bool"), e("int"), e("int"))
		case 11:
			return fmt.Sprintf("zone(max(0, min(12, %s)))%s", e("int"), g.tables[1])
		case 12:
			return fmt.Sprintf("ladder(max(-100, %s)).gain", e("int"))
		case 13:
			return fmt.Sprintf("chart('%s', max(0, min(12, %s)))", oneOf(g, "hard", "soft"), e("int"))
		case 14:
			return fmt.Sprintf("arms('%s').heft", oneOf(g, arms...))
		case 15:
			return g.of("int", "2")
		case 16:
			return fmt.Sprintf("sum(%s)", e("list"))
		case 17:
			return fmt.Sprintf("%s.count(x, %s)", e("list"), g.element("bool", depth-1))
		case 18:
			return fmt.Sprintf("%s.sum(x, %s)", e("list"), g.element("int", depth-1))
		case 19:
			return fmt.Sprintf("%s.fold(x, most, %s, max(most, x))", e("list"), e("int"))
		case 20:
			return fmt.Sprintf("%s(%s)", oneOf(g, "floor", "ceil", "round"), e("double"))
		case 21:
			return fmt.Sprintf("(%s %% %d)", e("int"), 2+g.IntN(5))
		case 22:
			if len(g.rules) > 0 || len(g.scope) > 5 && g.tables[0] == "set" {
				return fmt.Sprintf("mixed(%s, %s, %s)", e("int"), e("int"), e("bool"))
			}
		case 23:
			if len(g.scope) > 3 {
				return oneOf(g, "size("+e("list")+")", "max([0] + "+e("list")+")")
			}
		}
		return g.of("int", fmt.Sprint(g.IntN(9)))
	case "bool":
		if depth <= 0 {
			return g.of("bool", oneOf(g, "true", "false"))
		}
		n := g.IntN(12)
		if g.plain && (n == 6 || n == 9) {
			n = 0
		}
		switch n {
		case 10:
			return fmt.Sprintf("%s %s %s", e("double"), oneOf(g, "<", "<=", ">", ">=", "==", "!="), oneOf(g, "2.5", "1.5", e("double")))
		case 11:
			return fmt.Sprintf("(%s ? %s : %s)", e("bool"), e("bool"), e("bool"))
		case 0, 1, 2:
			return fmt.Sprintf("%s %s %s", e("int"), oneOf(g, "<", "<=", ">", ">=", "==", "!="), e("int"))
		case 3:
			return fmt.Sprintf("(%s && %s)", e("bool"), e("bool"))
		case 4:
			return fmt.Sprintf("(%s || %s)", e("bool"), e("bool"))
		case 5:
			return fmt.Sprintf("!(%s)", e("bool"))
		case 6:
			return fmt.Sprintf("%s.%s(x, %s)", e("list"), oneOf(g, "exists", "all", "exists_one"),
				g.element("bool", depth-1))
		case 7:
			return fmt.Sprintf("ladder(max(-100, %s)).odd", e("int"))
		case 8:
			if word := g.of("word", ""); word != "" {
				return fmt.Sprintf("%s %s '%s'", word, oneOf(g, ">=", "<", "==", ">", "<="), oneOf(g, grades...))
			}
		}
		return fmt.Sprintf("%s in %s", e("int"), e("list"))
	case "list":
		if depth <= 0 {
			return g.of("list", oneOf(g, "[3, 1]", "[2]", "[1, 4, 4]"))
		}
		switch g.IntN(8) {
		case 0:
			return fmt.Sprintf("[%s, %s]", e("int"), e("int"))
		case 1:
			return fmt.Sprintf("%s.map(x, %s)", g.of("list", "[1, 2]"), g.element("int", depth-1))
		case 2:
			return fmt.Sprintf("%s.filter(x, %s)", g.of("list", "[1, 2]"), g.element("bool", depth-1))
		case 3:
			return fmt.Sprintf("sort(%s)", e("list"))
		case 4:
			return fmt.Sprintf("%s.sort_by(x, %s)", g.of("list", "[5, 2]"), g.element("int", 1))
		case 5:
			return oneOf(g, "range(4)", "range(1, 4)", "pour(abs("+e("int")+"), [3, 0, 9])", "counts("+g.of("list", "[1]")+", 1, 4)")
		}
		return g.of("list", "[4, 2]")
	case "double":
		if depth <= 0 {
			return g.of("double", oneOf(g, "0.5", "2.25", "1.0"))
		}
		return oneOf(g, fmt.Sprintf("(%s * %s)", e("int"), oneOf(g, "0.5", "1.5")),
			fmt.Sprintf("(%s + %s)", e("double"), e("int")),
			fmt.Sprintf("%s / %s", e("double"), oneOf(g, "2", "4.0")), fmt.Sprintf("arms('%s').price + %s", oneOf(g, arms...),
				e("double")), fmt.Sprintf("max(%s, %s)", e("double"), e("double")))
	case "word":
		return oneOf(g, g.of("word", "arms('axe').class"), fmt.Sprintf("arms('%s').class", oneOf(g, arms...)))
	}
	return "0"
}

// plainInt writes an int without lists.
func (g *generator) plainInt(depth int) string {
	e := func(kind string) string { return g.expr(kind, depth-1) }
	switch g.IntN(11) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", e("int"), oneOf(g, "+", "-"), e("int"))
	case 1:
		return fmt.Sprintf("%s * %d", g.of("int", "3"), g.IntN(9)-4)
	case 2:
		return fmt.Sprintf("%s(%s, %s)", oneOf(g, "div_floor", "div_ceil", "div_half_up", "div_trunc", "div_away"), e("int"),
			oneOf(g, "2", "3", "-3", "7", "-2"))
	case 3:
		return fmt.Sprintf("%s(%s, %s, %s)", oneOf(g, "min", "max"), e("int"), e("int"), e("int"))
	case 4:
		return fmt.Sprintf("(%s ? %s : %s)", e("bool"), e("int"), e("int"))
	case 5:
		return fmt.Sprintf("zone(max(0, min(12, %s)))%s", e("int"), g.tables[1])
	case 6:
		return fmt.Sprintf("ladder(max(-100, %s)).gain", e("int"))
	case 7:
		return fmt.Sprintf("chart('%s', max(0, min(12, %s)))", oneOf(g, "hard", "soft"), e("int"))
	case 8:
		return fmt.Sprintf("%s(%s)", oneOf(g, "floor", "ceil", "round", "int"), e("double"))
	case 9:
		return fmt.Sprintf("(%s %% %d)", e("int"), 2+g.IntN(5))
	}
	return fmt.Sprintf("abs(%s)", g.of("int", "-3"))
}

// riskyInt writes an int that may have no value: what is out of a table, a divisor of 0, a number that is too large.
func (g *generator) riskyInt(depth int) string {
	e := func(kind string) string { return g.expr(kind, depth-1) }
	n := g.IntN(10)
	if g.plain {
		n = g.IntN(6)
	}
	switch n {
	case 0:
		return fmt.Sprintf("%s(%s, %s)", oneOf(g, "div_floor", "div_ceil", "div_half_up", "div_trunc", "div_away"), e("int"), e("int"))
	case 1:
		return fmt.Sprintf("zone(%s)%s", e("int"), g.tables[1])
	case 2:
		return fmt.Sprintf("chart('%s', %s)", oneOf(g, "hard", "soft"), e("int"))
	case 3:
		return fmt.Sprintf("(%s * %s)", e("int"), oneOf(g, "4611686018427387904", "2000000000", e("int")))
	case 4:
		return fmt.Sprintf("(%s %% %s)", e("int"), e("int"))
	case 5:
		return fmt.Sprintf("%s(%s * %s)", oneOf(g, "floor", "round", "ceil", "int"), e("double"), oneOf(g, "1e18", "1e19", "3.0"))
	case 6:
		return fmt.Sprintf("%s[%s]", e("list"), e("int"))
	case 7:
		if g.readsCharacter() {
			return fmt.Sprintf("character.skills['%s']", oneOf(g, "climb", "ride"))
		}
	case 8:
		return fmt.Sprintf("%s(%s)", oneOf(g, "max", "min"), e("list"))
	}
	return fmt.Sprintf("pow(%s, %s)", e("int"), e("int"))
}

func (g *generator) readsCharacter() bool {
	return slices.ContainsFunc(g.scope, func(n name) bool { return strings.HasPrefix(n.text, "character.") })
}

// recordInt writes an int of records, maps or strings.
func (g *generator) recordInt(depth int) string {
	e := func(kind string) string { return g.expr(kind, depth-1) }
	switch g.IntN(9) {
	case 0:
		return fmt.Sprintf("get({'a': %s, 'b': %s}, '%s', %s)", e("int"), e("int"), oneOf(g, "a", "b", "c"), e("int"))
	case 1:
		return fmt.Sprintf("{'a': %s, 'b': %s}.%s", e("int"), e("int"), oneOf(g, "a", "b"))
	case 2:
		return fmt.Sprintf("size(string(%s))", e("int"))
	case 3:
		return fmt.Sprintf("((%s + 'x').contains('%s') ? %s : %s)", g.of("word", "'a'"), oneOf(g, "x", "oo", "best"), e("int"), e("int"))
	case 4:
		return fmt.Sprintf("int(string(%s))", e("int"))
	case 5:
		if g.readsCharacter() {
			return "character.skills.map(k, character.skills[k]).sum(v, " + e("int") + " + v)"
		}
	case 6:
		if g.readsCharacter() {
			return fmt.Sprintf("character.skills.count(k, character.skills[k] %s %s)", oneOf(g, ">", "<="), e("int"))
		}
	case 7:
		return fmt.Sprintf("%s.fold(x, s, %s, s %s x)", e("list"), e("int"), oneOf(g, "+", "-"))
	}
	return fmt.Sprintf("size(%s.filter(x, %s))", e("list"), g.element("bool", depth-1))
}

// element writes an expression of a kind in which an element of a list is called x.
func (g *generator) element(kind string, depth int) string {
	before := g.scope
	g.scope = append(append([]name{}, before...), name{"x", "int", false}, name{"x", "int", false})
	out := g.expr(kind, depth)
	g.scope = before
	return out
}

// inputs writes the fields of an input and makes them readable.
func (g *generator) inputs(root string) (out []asked) {
	g.printf("\t#%s: {", strings.ToUpper(root[:1])+root[1:])
	add := func(text, field, kind string) {
		g.printf("\t\t%s", text)
		out = append(out, asked{field, kind})
	}
	add(fmt.Sprintf("n!: int & >=%d & <=12", oneOf(g, 0, 1, -5)), "n", "n")
	g.scope = append(g.scope, name{root + ".n", "int", false})
	if g.maybe(2) {
		add(fmt.Sprintf("bonus: *%d | int", g.IntN(3)), "bonus", "int")
		g.scope = append(g.scope, name{root + ".bonus", "int", false})
	}
	if g.maybe(2) {
		add("arm: *\"axe\" | string @key(arms)", "arm", "arm")
		g.scope = append(g.scope, name{"arms(" + root + ".arm).heft", "int", false},
			name{"arms(" + root + ".arm).class", "word", false})
	}
	if g.maybe(2) {
		add("grade: *\"fair\" | #Grade", "grade", "grade")
		g.scope = append(g.scope, name{root + ".grade", "word", false})
	}
	if g.maybe(3) {
		add("extra?: int & >=0", "extra", "small")
		g.scope = append(g.scope, name{"(has(" + root + ".extra) ? " + root + ".extra : -1)", "int", false})
	}
	if !g.plain && g.maybe(3) {
		add("foes: [...{level: *1 | int & >=0 & <=9, wild: *false | bool}] & list.MaxItems(3)", "foes", "foes")
		g.scope = append(g.scope, name{root + ".foes.map(f, f.level)", "list", false},
			name{root + ".foes.exists(f, f.wild)", "bool", false}, name{"size(" + root + ".foes)", "int", false},
			name{root + ".foes.sort_by(f, f.wild).map(f, f.level)", "list", false})
	}
	if g.maybe(4) {
		add("load: *2.5 | number & >0 & <100", "load", "load")
		g.scope = append(g.scope, name{root + ".load", "double", false})
	}
	if g.maybe(4) {
		add("size: *4 | 4 | 6 | 8", "size", "size")
		g.scope = append(g.scope, name{root + ".size", "int", false})
	}
	if !g.plain && root == "input" && g.maybe(5) {
		add("target?: #Character", "target", "target")
		g.scope = append(g.scope, name{"(has(input.target) ? input.target.grace : 3)", "int", false},
			name{"(has(input.target) && input.target.keen)", "bool", false})
	}
	if !g.plain && g.maybe(2) {
		add("xs: [...int & >=0 & <=6] & list.MaxItems(4)", "xs", "xs")
		g.scope = append(g.scope, name{root + ".xs", "list", false})
	}
	if g.maybe(3) {
		add("part: {of: *1 | int & >=0, flag: *false | bool}", "part", "part")
		g.scope = append(g.scope, name{root + ".part.of", "int", false}, name{root + ".part.flag", "bool", false})
	}
	if !g.plain && g.maybe(4) {
		add("skill: *\"none\" | string @key(character.skills, none)", "skill", "skill")
		g.scope = append(g.scope, name{"get(character.skills, " + root + ".skill, 0)", "int", false})
	}
	g.printf("\t}")
	return out
}

// small writes an int between 0 and a bound, whatever its formula is.
func (g *generator) small(most int) string {
	return fmt.Sprintf("max(0, min(%d, %s))", most, g.expr("int", 1))
}

// die writes one source of chance and returns what it is.
func (g *generator) die(id string) name {
	write := func(text, kind string) name {
		g.printf("\tdice: %s: %s", id, text)
		return name{id, kind, true}
	}
	n := g.IntN(20)
	if g.plain {
		n = oneOf(g, 0, 0, 2, 4, 4, 5, 6, 8, 19)
	}
	switch n {
	case 17:
		return write(fmt.Sprintf("{die: 5, count: %q, again: {on: %s}}", g.small(3), oneOf(g, "1", `"<=2"`, `">3"`, `"max"`)), "list")
	case 18:
		return write(fmt.Sprintf("{die: 8, count: %q, distinct: true, most: 3}", g.small(4)), "list")
	case 19:
		return write(fmt.Sprintf("{die: 10, zero: 10%s}", oneOf(g, "", ", again: {on: 3, once: true}")), "int")
	case 0:
		return write(oneOf(g, `"d6"`, `"d10"`, `"d{1:3,2}"`, `"d{0..3}"`), "int")
	case 1:
		return write(oneOf(g, `"3d6"`, `"2d4"`, `"4dF"`, `"2d{1,1,3}"`), "list")
	case 2:
		return write(oneOf(g, `"2d6 + 1"`, `"4d6kh3"`, `"3d6dl1"`, `"3d4>=3"`, `"2d6ro1"`, `"d4 - d4"`,
			`"3d4mi2"`, `"2d6kl1 + 2"`,
			`"3d6dh2 - 1"`, `"2d4r<=1"`, `"d4!"`, `"5d3kl2"`, `"4d6dl1"`, `"2d4 + 3d3kh1 - 2"`, `"6d2>1"`), "int")
	case 3:
		return write(fmt.Sprintf("{die: %q, count: %q}", "2 + "+g.small(6), g.small(3)), "list")
	case 4:
		return write(fmt.Sprintf("{die: %d}", 2+g.IntN(8)), "int")
	case 5:
		return write(fmt.Sprintf("{die: %d, explode: {on: %s, times: %d}}", 3+g.IntN(4), oneOf(g, "3", `"max"`, `">=2"`),
			1+g.IntN(2)), "int")
	case 6:
		return write(fmt.Sprintf("{die: %d, again: {on: %s, once: true, when: %q}}", 4+g.IntN(4), oneOf(g, "1", `"<=2"`, `"max"`),
			g.expr("bool", 1)), "int")
	case 7:
		return write(fmt.Sprintf("{faces: [%s], count: %d}", oneOf(g, "-1, 0, 1", "0, 2, 2, 5", "1, 1, 3"), 1+g.IntN(3)), "list")
	case 8:
		return write("{die: 4, weights: [1, 2, 3, 1]}", "int")
	case 9:
		return write(fmt.Sprintf("{die: 6, count: %q, distinct: true}", g.small(4)), "list")
	case 10:
		return write(fmt.Sprintf("{roll: \"arms('%s').harm\", times: %q}", oneOf(g, arms...), g.small(2)), "int")
	case 11:
		return write(fmt.Sprintf("{roll: \"1d4\", plus: {roll: \"d6 + 1\", times: %q}}", g.small(2)), "int")
	case 12:
		return write(oneOf(g, `"2x 2d4"`, `"3x 3d4kh2"`), "list")
	case 13:
		return write(fmt.Sprintf("{roll: \"2d3\", repeat: %q}", g.small(3)), "list")
	case 14:
		g.printf("\tdice: %s: {faces: \"pips\", count: %q}", id, g.small(3))
		return name{id + ".sum(p, p.good)", "int", true}
	case 15:
		return write(fmt.Sprintf("{pool: [%s]}", oneOf(g, "4, 6", "2, 3, 8", "6")), "list")
	}
	return write(fmt.Sprintf("{die: 4, count: %q, explode: {on: 4, into: \"dice\", times: 1}}", g.small(2)), "list")
}

// body writes dice, uses, lets and requirements, in an order at random, and returns the outputs.
func (g *generator) body(prefix string) []name {
	lets := 0
	for i := range 1 + g.IntN(4) {
		id := fmt.Sprintf("x%d", i)
		switch g.IntN(4) {
		case 0, 1:
			g.scope = append(g.scope, g.die(id))
		case 2:
			if len(g.rules) > 0 {
				g.use(id)
				break
			}
			fallthrough
		default:
			lets++
			kind := oneOf(g, "int", "int", "bool", "list", "word")
			if g.plain && kind == "list" {
				kind = "int"
			}
			fmt.Fprintf(&g.b, "\tlet: %s: ", id)
			g.printFormula(g.place+": let: "+id, kind, 3)
			g.scope = append(g.scope, name{id, kind, true})
		}
	}
	for i := range g.IntN(3) {
		g.hidden = g.maybe(2)
		fmt.Fprintf(&g.b, "\trequire: ")
		message := fmt.Sprintf("%q", fmt.Sprintf("%s requirement %d", prefix, i))
		old := fmt.Sprintf("%q", g.expr("bool", 1)+" || "+g.expr("bool", 2))
		if g.maybe(2) {
			new, says := fmt.Sprintf("%q", g.expr("bool", 2)), `"another requirement"`
			g.edits = append(g.edits, edit{g.b.Len(), g.b.Len() + len(message+": "+old), says + ": " + new,
				fmt.Sprintf("replace: %s: require: %s: {expect: %s, with: %s, says: %s}", g.place, message, old, new, says)})
		}
		g.printf("%s: %s", message, old)
		g.hidden = false
	}
	var out []name
	for i := range 1 + g.IntN(3) {
		n := name{fmt.Sprintf("out%d", i), oneOf(g, "int", "int", "bool", "list", "word", "double"), true}
		if g.plain && n.kind == "list" {
			n.kind = "bool"
		}
		fmt.Fprintf(&g.b, "\toutput: %s: ", n.text)
		g.printFormula(g.place+": output: "+n.text, n.kind, 3)
		out = append(out, n)
	}
	if g.maybe(3) {
		g.addHere(g.place, "output: more: "+g.formula("int", 2))
	}
	return out
}

// use writes a use of an earlier rule and makes its outputs readable.
func (g *generator) use(id string) {
	r := oneOf(g, g.rules...)
	each := g.maybe(5)
	g.printf("\tuse: %s: {\n\t\trule: %q", id, r.id)
	before := g.scope
	if each {
		g.printf("\t\teach: y: %q", g.of("list", "[1, 2]")+".filter(z, z > 0)")
		g.scope = append(append([]name{}, before...), name{"y", "int", true})
	}
	conditional := g.maybe(3)
	if conditional {
		g.printf("\t\twhen: %q", g.expr("bool", 2))
	}
	g.printf("\t\tinput: {")
	for _, a := range r.asks {
		switch a.kind {
		case "n":
			g.printf("\t\t\tn: %q", "max(1, min(12, "+g.expr("int", 1)+"))")
		case "int":
			if g.maybe(2) {
				g.printf("\t\t\t%s: %q", a.name, g.expr("int", 2))
			}
		case "small":
			if g.maybe(2) {
				g.printf("\t\t\t%s: %q", a.name, g.expr("int", 1)) // may be out of its bounds
			}
		case "grade":
			if g.maybe(2) {
				g.printf("\t\t\tgrade: \"'%s'\"", oneOf(g, grades...))
			}
		}
	}
	g.printf("\t\t}")
	if conditional {
		g.printf("\t\totherwise: {")
		for _, o := range r.outputs {
			g.printf("\t\t\t%s: %s", o.text, map[string]string{"int": "-1", "bool": "false", "list": `"[7]"`, "word": `"'poor'"`,
				"double": "0.5"}[o.kind])
		}
		g.printf("\t\t}")
	}
	g.printf("\t}")
	g.scope = before
	for _, o := range r.outputs {
		switch {
		case !each:
			g.scope = append(g.scope, name{id + "." + o.text, o.kind, true})
		case o.kind == "int":
			g.scope = append(g.scope, name{id + ".map(z, z." + o.text + ")", "list", true})
		}
	}
}

func (g *generator) rule(id string) {
	g.character()
	g.scope = append(g.scope, name{"character.vigor", "int", false}, name{"character.keen", "bool", false})
	g.tables[0] = "set"
	g.place = "rules: " + id
	g.printf("rules: %s: {\n\tcite: \"x\"", id)
	g.plain = g.maybe(3)
	asks := g.inputs("input")
	if g.maybe(4) {
		asks = append(asks, g.decision("input"))
	}
	outputs := g.body(id)
	g.printf("}")
	g.plain = false
	g.rules = append(g.rules, generatedRule{id, asks, outputs})
}

// decision writes a field that is decided when a die has fallen, and the die.
func (g *generator) decision(root string) asked {
	g.printf("\t#%s: spend: *0 | int & >=0 & <=5", strings.ToUpper(root[:1])+root[1:])
	g.scope = append(g.scope, g.die("before"))
	when := ""
	if g.maybe(2) {
		when = fmt.Sprintf("when: %q, ", g.expr("bool", 2))
	}
	g.printf("\tdecide: spend: {after: [\"before\"], %sleast: %s, most: %q}", when, oneOf(g, "0", "1", `"min(1, `+g.expr("int", 1)+`)"`),
		g.expr("int", 2))
	g.scope = append(g.scope, name{root + ".spend", "int", true})
	return asked{"spend", "spend"}
}

// procedure writes rules with memory.
func (g *generator) procedure() {
	g.character()
	g.printf("procedures: play: {\n\tcite: \"x\"")
	g.inputs("input")
	g.printf("\t#State: {\n\t\tpool: *%d | int & >=-200 & <=200", g.IntN(4))
	g.printf("\t\tset!: int\n\t\tdone: *false | bool\n\t\tseen: [...int] & list.MaxItems(3)\n\t}")
	g.printf("\tstart: next: set: %q", g.expr("int", 2))
	g.scope = append(g.scope, name{"state.pool", "int", false}, name{"state.set", "int", false},
		name{"state.done", "bool", false}, name{"state.seen", "list", false})
	g.printf("\tlet: far: %q", g.expr("int", 2))
	g.scope = append(g.scope, name{"far", "int", false})
	procedure := g.scope
	for _, event := range []string{"push", "wait"} {
		g.scope = append([]name{}, procedure...)
		g.place = "procedures: play: events: " + event
		g.printf("\tevents: %s: {\n\tdoc: \"x\"", event)
		if g.maybe(2) {
			g.printf("\twhen: %q", g.expr("bool", 1)+" || state.pool < 20")
		}
		g.inputs("event")
		g.body(event)
		g.printf("\tnext: pool: %q", g.expr("int", 2))
		if g.maybe(2) {
			g.printf("\tnext: \"character.grace\": %q", "max(0, min(9, "+g.expr("int", 2)+"))")
		}
		if g.maybe(2) {
			g.printf("\tnext: seen: %q", "("+g.expr("list", 1)+" + [1]).filter(x, x > 1).map(x, x - 1).slice(0, 0)")
		}
		if g.maybe(3) {
			g.printf("\tnext: done: %q", g.expr("bool", 1))
		}
		g.printf("\t}")
	}
	g.scope = procedure
	g.printf("\tends: {over: %q, gone: \"state.pool > 40\"}", "state.done && "+g.expr("bool", 1))
	g.printf("\toutput: total: %q", g.expr("int", 2))
	g.printf("}")
	g.events = []string{"push", "wait"}
}

// object makes JSON of members at random: most of them fit.
func (g *generator) object(members ...func() (string, any)) []byte {
	m := map[string]any{}
	for _, member := range members {
		if k, v := member(); k != "" {
			m[k] = v
		}
	}
	if g.maybe(40) {
		m["unknown"] = 1
	}
	text, _ := json.Marshal(m)
	if g.maybe(12) {
		return g.rewriteJSON(text)
	}
	return text
}

// numeral finds a number in JSON, name a member's name.
var (
	numeral = regexp.MustCompile(`[0-9]+`)
	named   = regexp.MustCompile(`"([a-z]+)":`)
)

// rewriteJSON writes JSON in another way, of which some are not JSON, or mean something else.
func (g *generator) rewriteJSON(text []byte) []byte {
	s := string(text)
	at := g.IntN(len(s))
	replaceOne := func(pattern *regexp.Regexp, by func(found string) string) string {
		all := pattern.FindAllStringIndex(s, -1)
		if all == nil {
			return s
		}
		x := all[g.IntN(len(all))]
		return s[:x[0]] + by(s[x[0]:x[1]]) + s[x[1]:]
	}
	switch g.IntN(7) {
	case 0:
		s = strings.NewReplacer(",", " ,\t", ":", "\n: ", "}", " }").Replace(s)
	case 1:
		s = replaceOne(named, func(name string) string { return fmt.Sprintf(`"\u%04x%s`, name[1], name[2:]) })
	case 2:
		s = replaceOne(named, func(name string) string { return name + "3," + name })
	case 3:
		s = replaceOne(numeral, func(n string) string {
			return oneOf(g, n+".0", n+"e0", "-"+n, "0"+n, n+".", "1e400", n+"0e-1", "9223372036854775807", "9223372036854775808",
				"-9223372036854775808", "-9223372036854775809", "+"+n, "0x1", "2.5e1", "1E+1", "-0")
		})
	case 4:
		s = s[:at] + oneOf(g, "{", "}", "[", "]", ",", ":", `"`, `\`, "0", "e", "\x01", "é", "\xff", "null", "//") + s[at:]
	case 5:
		s = s[:at] + s[at+1:]
	case 6:
		s = s[:at+1]
	}
	return []byte(s)
}

// hostile returns a value, or once in a while another one.
func (g *generator) hostile(v any) any {
	if !g.maybe(40) {
		return v
	}
	return oneOf[any](g, -1, 1.5, "x", true, nil, []any{}, map[string]any{}, int64(1)<<62, 13, []any{1.5})
}

func (g *generator) field(name string, n int, v func() any) func() (string, any) {
	return func() (string, any) {
		if g.maybe(n) {
			return "", nil
		}
		return name, g.hostile(v())
	}
}

func (g *generator) characterJSON() []byte {
	return g.object(
		g.field("might", 60, func() any { return g.IntN(20) + 1 }),
		g.field("grace", 3, func() any { return g.IntN(10) }),
		g.field("worn", 2, func() any { return g.IntN(4) }),
		g.field("lucky", 2, func() any { return g.maybe(2) }),
		g.field("rank", 2, func() any { return oneOf(g, grades...) }),
		g.field("skills", 2, func() any {
			return map[string]any{oneOf(g, "climb", "swim"): g.hostile(g.IntN(7)), "ride": g.IntN(7)}
		}),
		g.field("mass", 2, func() any { return oneOf[any](g, 2, 0.25, 71.5) }),
		g.field("title", 2, func() any { return 1 + g.IntN(5) }))
}

func (g *generator) inputJSON(asks []asked) []byte {
	var members []func() (string, any)
	for _, a := range asks {
		members = append(members, g.field(a.name, map[string]int{"n": 60}[a.kind]+2, func() any {
			switch a.kind {
			case "n":
				return g.IntN(13)
			case "arm":
				return oneOf(g, "axe", "bow", "club", "club", "pike")
			case "grade":
				return oneOf(g, grades...)
			case "xs":
				return []int{g.IntN(7), g.IntN(7), g.IntN(7), g.IntN(7)}[:g.IntN(5)]
			case "part":
				return map[string]any{"of": g.hostile(g.IntN(5))}
			case "skill":
				return oneOf(g, "climb", "ride", "none", "swim")
			case "foes":
				list := []any{}
				for range g.IntN(4) {
					list = append(list, map[string]any{"level": g.hostile(g.IntN(10)), "wild": g.maybe(2)})
				}
				return list
			case "load":
				return oneOf[any](g, 1, 0.5, 99.5, 1e-3)
			case "size":
				return oneOf(g, 4, 6, 8)
			case "spend":
				return g.IntN(4)
			case "target":
				if text := g.characterJSON(); json.Valid(text) {
					return json.RawMessage(text)
				}
				return map[string]any{"might": 3}
			}
			return g.IntN(9)
		}))
	}
	return g.object(members...)
}
