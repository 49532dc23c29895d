// Package generated writes small rulesets at random, with questions about them and homebrews that change them, so that
// what carries rules out can be compared with something else that does: a second judge, or an implementation in another
// language.
//
// Invariant: the same seed gives the same ruleset and the same questions, in every revision of the module that does not say
// otherwise in vectors.CorpusFormat.
package generated

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Generator writes small rulesets at random, and questions about them. The same seed gives the same ruleset.
//
// It writes only such formulas as the checker takes in most cases: look-ups are of keys that a table has, divisors are
// never 0, and lists are bounded. What it knows of a name is its type alone, so that it cannot share a mistake about values
// with the program or the judge.
type Generator struct {
	*rand.Rand
	b strings.Builder

	Rules  []Rule
	Events []string // of the procedure play; none without one

	start     []asked            // of the procedure
	eventAsk  map[string][]asked // of its events
	scope     []name             // that formulas may read here
	hidden    bool               // whether dice and uses may not be read here
	plain     bool               // without lists and loops: such rules are carried out column by column
	tables    [3]string          // keyed, bands, steps
	startless bool               // whether the procedure has no start, in which a key of the character is judged
	gambles   bool               // whether nearly all rules are of a form of dice of its own (rule.go), for odds
	alike     bool               // whether what the table of arms has for harm is rolled alike but for one thing
	place     string             // the path of what is written: "rules: rule0"
	edits     []string           // declarations of homebrews
	repeated  string             // an int of the character that may have no value, and is read in many places; "" for none
}

// A Rule is a rule that was written, as later rules and questions know it.
type Rule struct {
	ID      string
	Outputs []Output
	asks    []asked
	plain   bool // without lists and loops
}

// HasDecision reports whether a field of the input is decided when a die has fallen.
func (r Rule) HasDecision() bool { return hasDecision(r.asks) }

// HasDecision reports whether what comes with an event of the procedure is decided when a die has fallen.
func (g *Generator) HasDecision() bool {
	return slices.ContainsFunc(g.Events, func(event string) bool { return hasDecision(g.eventAsk[event]) })
}

func hasDecision(asks []asked) bool {
	return slices.ContainsFunc(asks, func(a asked) bool { return a.kind == "spend" })
}

// An Output is an output of a rule with its kind: "int", "bool", "word", "double", "text", "list" (of ints), "doubles",
// "texts", "lists" (of such lists), "map" (of ints), "row" (of a table) or "results" (of a use).
type Output struct{ Name, Kind string }

// An asked field is one of an input, with its declaration; of is what another rule asks for, where it is such a record.
type asked struct {
	name, kind, text string
	of               []asked
}

// A name is an expression that stands for a value, mostly a name.
type name struct {
	text   string
	kind   string // of an Output, or "use of rule0"
	chance bool
}

var (
	grades = []string{"poor", "fair", "good", "best"}
	arms   = []string{"axe", "dirk", "bow", "club"} // not by letters, as the keys of a table go by its rows

	divisions = []string{"div_floor", "div_ceil", "div_half_up", "div_trunc", "div_away"}
)

// New returns the generator of a seed.
func New(seed uint64) *Generator {
	return &Generator{Rand: rand.New(rand.NewPCG(seed, 1)), eventAsk: map[string][]asked{}}
}

func (g *Generator) writef(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }

func pickOne[T any](g *Generator, xs ...T) T { return xs[g.IntN(len(xs))] }

func (g *Generator) isOneIn(n int) bool { return g.IntN(n) == 0 }

// Ruleset writes a whole ruleset.
func (g *Generator) Ruleset() string {
	g.writef("package game\n\nimport (\n\t\"list\"\n\t\"struct\"\n\n\t\"github.com/tabletop-rules/rules/schema\"\n)\n\nschema.#Ruleset\n")
	g.writef("id: \"game\"\ntitle: \"A game\"\nsource: book: \"A book\"\n#Grade: %s", quoteWords(grades))
	g.writef(`#Character: {
	might!: int & >=%d & <=20
	grace: *%d | int & >=0 & <=9
	worn: *%d | int & >=0 & <=%s
	lucky: *false | bool
	rank: *"fair" | #Grade
	name: *"" | string
	skills: [string]: int & >=0 & <=6
	mass: *1.5 | number & >=0
	title?: int & >=1 & <=5
	belt: {pockets: *3 | int & >=0 & <=9, full: *0 | int & >=0 & <=pockets}
	flask: {[string]: int & >=0 & <=9, brim: *5 | int & >=1 & <=9}
	sip: *%s
	span?: {low!: int & >=0 & <=5, high!: int & >low}
}`, pickOne(g, -2, 0, 1), 2+g.IntN(8), pickOne(g, 0, 0, 2), pickOne(g, "grace", "grace", "grace", "7"),
		pickOne(g, "1 | int & <=flask.brim", "0 | int & <flask.brim", "9.5 | number & >=flask.brim"))
	edge := fmt.Sprintf("%q", pickOne(g, "sharp", "dull"))
	g.b.WriteString("options: {\n\tedge: {cite: \"x\", default: ")
	g.editNext("options: edge", edge, fmt.Sprintf("%q", pickOne(g, "sharp", "dull")))
	g.writef(`%s, values: {sharp: "a", dull: "b"}}
	band: {cite: "x", default: "low", values: {low: "a", mid: "b", high: "c"}}
}`, edge)
	g.writeTables()
	if g.isOneIn(3) {
		g.repeated = pickOne(g, "div_floor(12, character.worn - 2)", "div_ceil(7, character.grace - 6)",
			"(9 % (character.worn - 1))", "div_floor(6, character.belt.full - 1)")
	}
	g.readCharacter()
	g.plain = g.isOneIn(2) // otherwise no rule that reads them is carried out column by column
	g.writef("traits: {\n\tvigor: {cite: \"x\", expr: %s}", g.makeFormula("int", 3))
	g.writef("\tkeen: {cite: \"x\", expr: %s}\n}", g.makeFormula("bool", 2))
	g.scope = []name{{"a", "int", false}, {"b", "int", false}, {"w", "bool", false}}
	g.writef("functions: reach: {cite: \"x\", params: {who: \"character\", xs: \"list(int)\"}, expr: %q}",
		"xs.sum(x, x + who.might) + (who.keen ? "+fmt.Sprint(g.IntN(5))+" : who.vigor)")
	g.writef("functions: mixed: {cite: \"x\", params: {a: \"int\", b: \"int\", w: \"bool\"}, expr: %s}",
		g.makeFormula("int", 3))
	g.plain = false
	d, good := pickOne(g, "d: {die: 2}", "d: {die: 3}", "d: {die: 2, weights: [2, 1]}", "d: {die: \"1 + input.n % 3\"}"),
		pickOne(g, "d > input.n", "d == 1 || input.n == 2")
	if g.isOneIn(4) { // two cards, or how they compare
		d = fmt.Sprintf("c: {die: 3, count: 2, distinct: true}, let: d: %q", pickOne(g, "c[0]", "(c[0] > c[1] ? 1 : 2)"))
		good = pickOne(g, good, "c[0] > c[1]", "(input.n > 1 ? c[0] : 2) > c[1]", "max(c[0], 2) > c[1]",
			"min(c[0], input.n) > c[1]")
	}
	g.writef("rules: coin: {cite: \"x\", #Input: n!: int & >=0 & <=12, dice: %s, output: {worth: %q, good: %q}}", d,
		pickOne(g, "d + input.n", "d * input.n", "div_floor(6, d + input.n - 3)"), good)
	g.writef("rules: coins: {cite: \"x\", #Input: n!: int & >=0 & <=12, use: toss: {rule: \"coin\", each: y: %q, input: n: \"y\"}, "+
		"output: {worth: \"toss.sum(t, t.worth)\", good: %q}}", pickOne(g, "[input.n, 1]", "range(min(2, input.n))", "[0, 2]"),
		pickOne(g, "toss.all(t, t.good)", "toss.exists_one(t, t.good)"))
	many := 2 + g.IntN(3)
	if g.gambles = g.isOneIn(4); g.gambles {
		many += 4
	}
	for i := range many {
		g.writeRule(fmt.Sprintf("rule%d", i))
	}
	if g.isOneIn(2) {
		g.writeProcedure()
	}
	g.writef("_keep: list.MaxItems(1)\n_few: struct.MaxFields(1)")
	return g.b.String()
}

func quoteWords(xs []string) string {
	var out []string
	for _, x := range xs {
		out = append(out, fmt.Sprintf("%q", x))
	}
	return strings.Join(out, " | ")
}

// readCharacter makes what formulas may read of a character.
func (g *Generator) readCharacter() {
	g.scope = []name{
		{"character.might", "int", false}, {"character.grace", "int", false}, {"character.worn", "int", false},
		{"character.lucky", "bool", false}, {"character.rank", "word", false}, {"character.mass", "double", false},
		{"get(character.skills, 'climb', 0)", "int", false}, {"size(character.skills)", "int", false},
		{"(has(character.title) ? character.title : 0)", "int", false},
		{"(has(character.span) ? character.span.high - character.span.low : 0)", "int", false},
		{"character.belt.full", "int", false}, {"get(character.flask, 'brim', 0)", "int", false}, {"character.sip > 3", "bool", false},
		{"character.name", "text", false}, {"option.edge == 'sharp'", "bool", false},
	}
	if g.repeated != "" {
		g.scope = append(g.scope, name{g.repeated, "int", false})
	}
}

// pickName returns a name of a kind, or the fallback.
func (g *Generator) pickName(kind, fallback string) string {
	var all []string
	for _, n := range g.scope {
		if n.kind == kind && !(n.chance && g.hidden) {
			all = append(all, n.text)
		}
	}
	if len(all) == 0 || g.isOneIn(8) {
		return fallback
	}
	return pickOne(g, all...)
}

// findChoosable returns the path of a word by which a formula can be chosen, "input: grade"; "" where there is none.
func (g *Generator) findChoosable() string {
	for _, n := range g.scope {
		if n.kind == "word" && !(n.chance && g.hidden) && strings.HasSuffix(n.text, ".grade") && g.isOneIn(2) {
			return strings.ReplaceAll(n.text, ".", ": ")
		}
	}
	return ""
}

// makeFormula writes the value of a formula in CUE: an expression, a constant or a choice.
func (g *Generator) makeFormula(kind string, depth int) string {
	e := func() string { return g.makeExpression(kind, depth-1) }
	if len(g.scope) > 3 || kind == "int" {
		switch g.IntN(11) {
		case 2:
			if by := g.findChoosable(); by != "" {
				return fmt.Sprintf("%s: {poor: %q, fair: %q, good: %q, best: %q}", by, e(), e(), e(), e())
			}
		case 0:
			return fmt.Sprintf("option: edge: {sharp: %q, dull: %q}", e(), e())
		case 1:
			return fmt.Sprintf("option: band: {low: %q, mid: %q, high: %q}", e(), e(), e())
		}
	}
	return fmt.Sprintf("%q", g.makeExpression(kind, depth))
}
