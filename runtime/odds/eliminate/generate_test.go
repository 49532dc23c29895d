package eliminate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
)

// Sorts of generated formulas.
const (
	ofInts  = "int"
	ofBools = "bool"
	ofTexts = "string"
	ofLists = "list"
)

// atoms are the formulas without operands that every body may read. Two of them are as large as ints can be.
var atoms = map[string][]string{
	ofInts:  strings.Fields("0 1 2 3 -1 5 input.n input.n character.strength 4611686018427387904 9223372036854775807"),
	ofBools: strings.Fields("true false input.b input.b input.s=='a' character.strength>2"),
	ofTexts: strings.Fields("'a' 'b' 'c' input.s"),
	ofLists: strings.Fields("[1] [2,1] [input.n,3,1] range(input.n)"),
}

// forms are formulas with operands: $i, $b, $s and $l. A macro's body, $I or $B, may read its variable, which is #.
var forms = map[string][]string{
	ofInts: {
		"($i + $i)", "($i + $i)", "($i - $i)", "($i * $i)", "div_floor($i, $i)", "($i % $i)", "min($i, $i)", "max($i, $i)",
		"abs($i)",
		"($b ? $i : $i)", "($b ? $i : $i)", "step($i)", "band($i).worth", "size($l)", "sum($l)",
		"max($l)", "min($l)", "$l[$i]",
		"sort($l)[0]",
		"range(1).sum(#, $l[# + 1] - $l[#])", "range(2).count(#, $l[#] == $l[# + 1])", "range(2).count(#, $l[#] < $i)",
		"$l.sum(#, $I)", "$l.sum(#, $I)", "$l.count(#, $B)", "$l.count(#, $B)", "size($l.filter(#, $B))",
		"$l.fold(#, s#, $i, s# % 3 == 0 ? s# + $I : s# - 1)", "$l.fold(#, s#, $i, max(s#, $I))",
		"floor(double($i) / 2.0)", "int(double($i) + 1.5)", "pour($i, $l)[0]", "twice($i)",
	},
	ofBools: {
		"!($b)", "($b && $b)", "($b || $b)", "($i < $i)", "($i <= $i)", "($i == $i)", "($i > $i)", "($s == input.s)",
		"$l.exists(#, $B)", "$l.all(#, $B)", "$l.exists_one(#, $B)", "$l.fold(#, s#, $b, !s# && $B)",
		"($i in $l)", "($l == $l)",
		"(double($i) / 2.0 >= 1.5)",
	},
	ofTexts: {"band($i).name", "band($i).name", "($b ? $s : $s)", "($s + $s)", "string($i)"},
	ofLists: {
		"$l.map(#, $I)", "$l.map(#, $I)", "$l.filter(#, $B)", "sort($l)", "($l + $l)", "[$i, $i]", "$l.slice(0, 1)",
		"$l.sort_by(#, $I)", "($b ? $l : $l)", "range(min(max($i, 0), 3))",
		"counts($l, 1, 4)", "counts($l, 0, 2)",
	},
}

// A body generator writes a rule, source by source and let by let: each may read those before it.
type bodyGenerator struct {
	*rand.Rand
	known map[string][]string // names that may be read, by sort
	bound []string            // variables of the macros around
	lines []string
	ways  float64 // in which its dice can fall, at most
	names int
	lists bool // its dice are lists, most of them
}

// A madeRule is a generated rule, as those after it may use it.
type madeRule struct {
	id, text, extra string // extra is the sort of its third output
	ways            float64
}

// mostWays bounds the ways in which the dice of a generated rule fall.
const mostWays = 1500

func pick[T any](g *bodyGenerator, list []T) T { return list[g.IntN(len(list))] }

func (g *bodyGenerator) formula(sort string, depth int) string {
	if depth == 0 || g.IntN(5) == 0 {
		return g.atom(sort)
	}
	return g.fill(pick(g, forms[sort]), depth-1)
}

// atom prefers what the body has to what every body has.
func (g *bodyGenerator) atom(sort string) string {
	own := g.known[sort]
	if sort == ofInts && len(g.bound) > 0 && g.IntN(2) == 0 {
		return pick(g, g.bound)
	}
	if len(own) > 0 && g.IntN(4) > 0 {
		return pick(g, own)
	}
	return pick(g, atoms[sort])
}

func (g *bodyGenerator) fill(form string, depth int) string {
	sorts := map[byte]string{'i': ofInts, 'b': ofBools, 's': ofTexts, 'l': ofLists, 'I': ofInts, 'B': ofBools}
	variable := fmt.Sprintf("v%d", len(g.bound))
	var out strings.Builder
	for k := 0; k < len(form); k++ {
		switch {
		case form[k] == '#':
			out.WriteString(variable)
		case form[k] != '$':
			out.WriteByte(form[k])
		default:
			k++
			within := form[k] == 'I' || form[k] == 'B'
			if within {
				g.bound = append(g.bound, variable)
			}
			out.WriteString(g.formula(sorts[form[k]], depth))
			if within {
				g.bound = g.bound[:len(g.bound)-1]
			}
		}
	}
	return out.String()
}

func (g *bodyGenerator) line(format string, args ...any) {
	g.lines = append(g.lines, fmt.Sprintf(format, args...))
}

// name makes a name that may be read from now on.
func (g *bodyGenerator) name(sort string) string {
	g.names++
	name := fmt.Sprintf("x%d", g.names)
	g.known[sort] = append(g.known[sort], name)
	return name
}

// within is a formula that stays between limits.
func (g *bodyGenerator) within(lo, hi int) string {
	return fmt.Sprintf("min(max(%s, %d), %d)", g.formula(ofInts, 1), lo, hi)
}

// affords reports whether so many more ways are few enough, and counts them.
func (g *bodyGenerator) affords(ways float64) bool {
	if g.ways*ways > mostWays {
		return false
	}
	g.ways *= ways
	return true
}

// dice writes one source of faces.
func (g *bodyGenerator) dice() {
	faces := 2 + g.IntN(5)
	f := float64(faces)
	if g.lists && g.IntN(4) > 0 {
		g.list()
		return
	}
	switch kind := g.IntN(14); {
	case kind == 0 && g.affords(f):
		g.line("dice: %s: die: %d", g.name(ofInts), faces)
	case kind == 1 && g.affords(4):
		text := g.within(1, 4)
		g.line("dice: %s: die: %q", g.name(ofInts), text)
	case kind == 2 && g.affords(f*f*f):
		name := g.name(ofLists)
		g.line("dice: %s: {die: %d, count: 3}", name, faces)
		g.known[ofInts] = append(g.known[ofInts], fmt.Sprintf("sum(sort(%s).slice(1, 3))", name),
			fmt.Sprintf("sort(%s).slice(0, 2).count(x, x > 1)", name))
	case kind == 3 && g.affords(f*f+f+1):
		text := g.within(0, 2)
		g.line("dice: %s: {die: %d, count: %q}", g.name(ofLists), faces, text)
	case kind == 4 && g.affords(f*(f-1)):
		g.line("dice: %s: {die: %d, count: 2, distinct: true}", g.name(ofLists), faces)
	case kind == 5 && g.affords(2*f-1):
		g.line("dice: %s: {die: %d, explode: {on: %d, times: 1}}", g.name(ofInts), faces, 1+g.IntN(faces))
	case kind == 6 && g.affords(9*9):
		g.line("dice: %s: {die: 3, count: 2, explode: {on: %d, times: 3}}", g.name(ofLists), 1+g.IntN(3))
	case kind == 7 && g.affords(60):
		g.line("dice: %s: {die: %d, explode: on: %d}", g.name(ofInts), faces, faces)
	case kind == 8 && g.affords(2*f-1):
		g.line("dice: %s: {die: %d, again: {on: \"<=%d\", once: true}}", g.name(ofInts), faces, 1+g.IntN(faces))
	case kind == 9 && g.affords(f*f*f):
		g.line("dice: %s: \"3d%dk%s%d + 1\"", g.name(ofInts), faces, [...]string{"h", "l"}[g.IntN(2)], 1+g.IntN(2))
	case kind == 10 && g.affords(81):
		g.line("dice: %s: \"4d3k%s2%s2\"", g.name(ofInts), [...]string{"h", "l"}[g.IntN(2)],
			[...]string{">=", "<", "="}[g.IntN(3)])
	case kind == 11 && g.affords((2*f-1)*3):
		g.line("dice: %s: \"d%dro1 - d3\"", g.name(ofInts), faces)
	case kind == 12 && g.affords(f*f*3):
		g.named(faces)
	case kind == 13 && g.affords(f*5*3):
		g.line("dice: %s: pool: [%d, 5, 3]", g.name(ofLists), faces)
	}
}

// named writes three dice with names of their own, of which a list is read, and now and then one of them.
func (g *bodyGenerator) named(faces int) {
	names := make([]string, 3)
	for i := range names {
		g.names++
		names[i] = fmt.Sprintf("x%d", g.names)
		g.line("dice: %s: die: %d", names[i], [...]int{faces, faces, 3}[i])
	}
	list := g.name(ofLists)
	g.line("let: %s: \"[%s]\"", list, strings.Join(names, ", "))
	g.known[ofInts] = append(g.known[ofInts], list+".count(x, x > "+list+"[0])", "sort("+list+")[1]")
	g.readList(list)
	if g.IntN(3) == 0 {
		g.known[ofInts] = append(g.known[ofInts], names[0], list+".count(x, x > "+names[0]+")")
	}
}

// readings are formulas over a list of faces, whatever it is of.
var readings = []string{
	"LIST.count(x, x == max(LIST))", "LIST.count(x, x > min(LIST))", "max(LIST.map(x, x % 3))",
	"counts(LIST, 1, 4)[max(LIST) % 4]", "(max(LIST) >= 3 ? 1 : sort(LIST)[1])", "(2 <= sort(LIST)[0] ? min(LIST) : 7)",
	"(max(counts(LIST, 1, 5)) < 3 ? 2 : LIST[0])", "LIST.sum(x, x + 1 > max(LIST) ? x : 0)", "(size(LIST) in LIST ? 1 : 0)",
	"sum(LIST.filter(x, x > 1))", "sum(LIST.filter(x, x % 2 == 0).map(x, x * x))",
	"(sum(LIST.slice(0, 1)) - sum(LIST.slice(1, 2)))",
	"range(2).count(i, LIST[i] == max(LIST.slice(0, i + 1)))", "range(2).sum(i, sum(LIST.slice(0, i)) * LIST[i])",
	"LIST.count(x, LIST.count(y, y == x) == 1)", "sum(LIST.filter(x, x < max(LIST)))",
}

// readList adds readings of a list to the formulas that may be read.
func (g *bodyGenerator) readList(list string) {
	for _, form := range readings {
		if g.IntN(7) == 0 {
			g.known[ofInts] = append(g.known[ofInts], strings.ReplaceAll(form, "LIST", list))
		}
	}
}

// list writes a list of equal dice, of unlike ones, or of cards.
func (g *bodyGenerator) list() {
	faces, count := 2+g.IntN(4), 2+g.IntN(4)
	ways := math.Pow(float64(faces), float64(count))
	write := func(format string, args ...any) {
		name := g.name(ofLists)
		g.line("dice: "+name+": "+format, args...)
		g.readList(name)
	}
	switch kind := g.IntN(8); {
	case kind < 3 && g.affords(ways):
		write("{die: %d, count: %d}", faces, count)
	case kind == 3 && g.affords(60):
		write("{die: 5, count: 3, distinct: true}")
	case kind == 4 && g.affords(ways):
		write("{die: %d, count: %q}", faces, g.within(0, count))
	case kind == 5 && g.affords(64):
		write("{die: %q, count: 3}", g.within(1, 4))
	case kind == 6 && g.affords(float64(faces*faces*3)):
		g.named(faces)
	case kind == 7 && g.affords(float64(5*3*3*faces)):
		write("pool: [3, 5, %d, 3]", faces)
	}
}

// use writes the use of a rule before: as it is, when something holds, or once for each element.
func (g *bodyGenerator) use(r *madeRule) {
	n, b := g.within(0, 3), g.formula(ofBools, 1)
	kind := g.IntN(3)
	if g.lists && r.ways > 1 && g.IntN(2) == 0 {
		kind = 3
	}
	if ways := map[int]float64{0: r.ways, 1: r.ways + 1, 2: r.ways * r.ways, 3: r.ways * r.ways}[kind]; !g.affords(ways) {
		return
	}
	g.names++
	name := fmt.Sprintf("x%d", g.names)
	given := fmt.Sprintf("input: {n: %q, b: %q, s: \"'b'\"}", n, b)
	switch kind {
	case 0:
		g.line("use: %s: {rule: %q, %s}", name, r.id, given)
	case 1:
		otherwise := map[string]string{ofInts: "7", ofBools: "true", ofTexts: "'c'", ofLists: "[4]"}[r.extra]
		g.line("use: %s: {rule: %q, when: %q, %s, otherwise: {total: \"-2\", flag: \"false\", extra: %q}}", name, r.id,
			g.formula(ofBools, 2), given, otherwise)
	case 2, 3:
		each := fmt.Sprintf("input: {n: \"e\", b: %q, s: \"'a'\"}", b)
		if kind == 3 {
			each = given
		}
		g.line("use: %s: {rule: %q, each: e: \"range(%s)\", %s}", name, r.id, g.within(0, 2), each)
		g.known[ofInts] = append(g.known[ofInts], name+".sum(u, u.total)", name+".count(u, u.flag)", "size("+name+")")
		g.known[ofLists] = append(g.known[ofLists], name+".map(u, u.total)")
		g.readList(name + ".map(u, u.total)")
		return
	}
	g.known[ofInts] = append(g.known[ofInts], name+".total")
	g.known[ofBools] = append(g.known[ofBools], name+".flag")
	g.known[r.extra] = append(g.known[r.extra], name+".extra")
}

// rule writes a rule.
func (g *bodyGenerator) rule(id string, before []*madeRule) *madeRule {
	g.known, g.lines, g.ways, g.names = map[string][]string{}, nil, 1, 0
	sorts := []string{ofInts, ofInts, ofBools, ofTexts, ofLists}
	for range 3 + g.IntN(4) {
		switch k := g.IntN(6); {
		case k < 3:
			g.dice()
		case k == 3 && len(before) > 0:
			g.use(pick(g, before))
		default:
			sort := pick(g, sorts)
			text := g.formula(sort, 3)
			g.line("let: %s: %q", g.name(sort), text)
		}
	}
	if g.IntN(3) == 0 {
		g.line("require: \"must hold\": %q", g.formula(ofBools, 2))
	}
	out := &madeRule{id: id, extra: pick(g, sorts), ways: g.ways}
	extra := g.formula(out.extra, 3)
	if out.extra == ofTexts {
		extra = "(" + extra + " + '')" // is a text of any kind, so that "otherwise" may give another
	}
	g.line("output: {total: %q, flag: %q, extra: %q}", g.formula(ofInts, 3), g.formula(ofBools, 3), extra)
	head := "rules: " + id + ": {\n\tcite: \"generated\"\n" +
		"\t#Input: {n: *2 | (int & >=0 & <=3), b: *true | bool, s: *\"a\" | \"b\" | \"c\"}\n\t"
	out.text = head + strings.Join(g.lines, "\n\t") + "\n}\n"
	return out
}

// generatedGame is a ruleset of generated rules, each in a file of its own.
func generatedGame(t *testing.T, seed uint64, count int, lists bool) (*runtime.Program, []*madeRule) {
	t.Helper()
	g := &bodyGenerator{Rand: rand.New(rand.NewPCG(seed, 5)), lists: lists}
	files := map[string]string{}
	var made []*madeRule
	for k := range count {
		r := g.rule(fmt.Sprintf("r%d", k), made[max(0, len(made)-5):])
		made = append(made, r)
		files[r.id] = r.text
	}
	dropRefused(t, files)
	made = slices.DeleteFunc(made, func(r *madeRule) bool { return files[r.id] == "" })
	if len(made) < count*2/3 {
		t.Fatalf("the compiler refuses all but %d of %d generated rules", len(made), count)
	}
	return gametest.Small(t, files), made
}

// dropRefused takes out the rules that the compiler can see to fail, by an index or a count of dice that no input makes
// possible, and the rules that use these. Any other error is one of the generator, and left for gametest.Small to report.
func dropRefused(t testing.TB, rules map[string]string) {
	t.Helper()
	for {
		_, diags := gametest.Compile(t, rules)
		dropped := false
		for _, d := range diags {
			switch d.Code {
			case "index-outside", "die-count", "unknown-rule":
				delete(rules, strings.TrimSuffix(path.Base(d.Place.File), ".cue"))
				dropped = true
			}
		}
		if !dropped {
			return
		}
	}
}

// Rules that nobody wrote have the distribution that all ways in which their dice can fall give.
func TestGeneratedRulesAgainstEveryWay(t *testing.T) {
	t.Parallel()
	p, rules := generatedGame(t, 1, portion.Of(50, 150), false)
	compared := 0
	for _, r := range rules {
		for _, input := range []string{`{}`, `{"n":3,"b":false,"s":"c"}`, `{"n":0,"s":"b"}`} {
			c := &golden.Case{Name: r.text + input, Subject: r.id, Character: []byte(`{"strength":2}`),
				Input: []byte(input)}
			if againstEveryWay(t, p, c, 40_000) {
				compared++
			}
		}
	}
	if all := 3 * len(rules); compared < all*9/10 {
		t.Errorf("only %d of %d questions have few enough ways to be compared", compared, all)
	}
}

// Rules that read lists of dice in every way, of which only counts are met, have the distribution that all ways give. Of rules
// without such a list one in four is taken, and with -whole each.
func TestGeneratedPoolsAgainstEveryWay(t *testing.T) {
	t.Parallel()
	seed, count := uint64(3), 150
	if text := os.Getenv("ODDS_SEED"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		seed = uint64(n)
	}
	p, rules := generatedGame(t, seed, count, true)
	pools := 0
	for i, r := range rules {
		made, err := eliminate.NewExpandedRule(vm.NewImage(p.Plan()), r.id, runtime.Choice{})
		if err != nil {
			t.Fatalf("%s: %v", r.text, err)
		}
		pools += made.Pools()
		if made.Pools() == 0 && !portion.Takes(i, 4) {
			continue
		}
		byPool, err := eliminate.NewRuleByPool(vm.NewImage(p.Plan()), r.id, runtime.Choice{})
		if err != nil {
			t.Fatalf("%s: %v", r.text, err)
		}
		for _, input := range []string{`{}`, `{"n":3,"b":false,"s":"c"}`} {
			c := &golden.Case{Name: r.text + input, Subject: r.id, Character: []byte(`{"strength":2}`),
				Input: []byte(input)}
			if want, short, ok := everyWay(t, p, c, 20_000); ok {
				compareRule(t, made, c, want, short)
				compareRule(t, byPool, c, want, short)
			}
		}
	}
	t.Logf("%d pools in %d rules", pools, len(rules))
	if pools < count/4 {
		t.Errorf("only %d lists of %d rules were met by counts", pools, len(rules))
	}
}

// againstEveryWay compares both kinds of odds with all ways, unless these are too many.
func againstEveryWay(t *testing.T, p *runtime.Program, c *golden.Case, limit int) bool {
	t.Helper()
	want, short, ok := everyWay(t, p, c, limit)
	if !ok {
		return false
	}
	rule, err := eliminate.NewRule(vm.NewImage(p.Plan()), c.Subject, runtime.Choice{Options: c.Options})
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	compareRule(t, rule, c, want, short)
	return true
}

// compareRule compares both kinds of odds of a rule with those of all ways.
func compareRule(t *testing.T, rule *eliminate.Rule, c *golden.Case, want map[string]float64, short float64) {
	t.Helper()
	q := question(c)
	for _, q.Exact = range []bool{false, true} {
		j, err := rule.Odds(q)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		compareWays(t, c.Name, j, want, short)
	}
}

// Rules in which something ends the evaluation before something else, or is only read by what comes after it.
func TestTrickyRulesAgainstEveryWay(t *testing.T) {
	const head = "cite: \"x\", #Input: n: *1 | (int & >=0 & <=3)\n"
	p := gametest.Small(t, map[string]string{
		"fixed": `rules: fixed: {` + head + `output: {total: "3", flag: "div_floor(6, input.n) > 2"}}`,
		"sum": `rules: sum: {` + head + `
			dice: d: {die: 2, count: 3}
			output: total: "d.sum(v, v == input.n ? 4611686018427387904 : v)"
		}`,
		"late": `rules: late: {` + head + `
			dice: d: {die: 3, count: "min(max(div_floor(2, input.n), 0), 2)"}
			use: u: rule: "fixed"
			require: "too few": "u.total > 5"
			output: total: "size(d)"
		}`,
		"kept": `rules: kept: {` + head + `
			use: u: {rule: "fixed", each: e: "range(2)", input: n: "e"}
			dice: d: {die: 2, count: 2}
			output: {total: "d.count(v, u.exists(x, x.total == v + 1))", any: "input.n == 2 && d[0] == 1 && u.exists(x, x.flag)"}
		}`,
		"later": `rules: later: {` + head + `
			dice: {d: {die: 2, count: 2}, e: die: 2, f: {die: 2, count: "min(max(div_floor(1, input.n), 0), 1)"}}
			output: total: "d.count(v, v == e)"
		}`,
		"decided": `rules: decided: {` + head + `
			dice: {a: die: 3, d: {die: "min(max(div_floor(4, a - input.n), 1), 2)", count: 2},
				e: die: "min(max(div_floor(5, a - input.n), 1), 3)"}
			output: total: "d.count(v, v == e)"
		}`,
	})
	for _, rule := range []string{"sum", "late", "kept", "later", "decided"} {
		for n := range 4 {
			c := &golden.Case{Name: fmt.Sprintf("%s %d", rule, n), Subject: rule, Character: []byte("{}"),
				Input: fmt.Appendf(nil, `{"n":%d}`, n)}
			if !againstEveryWay(t, p, c, 40_000) {
				t.Errorf("%s: too many ways", c.Name)
			}
		}
	}
}

// Equal uses of a rule are dice whose faces are what it answers.
func TestResultsAgainstEveryWay(t *testing.T) {
	p := gametest.Small(t, map[string]string{
		"one": `rules: one: {cite: "x", #Input: n: *1 | (int & >=0 & <=3)
			dice: {d: {die: 3, count: 2}, e: {die: 2, count: "min(input.n, 1)"}}
			output: {total: "max(d) + sum(e)", flag: "d.exists(v, v == input.n)"}
		}`,
		"sorted": `rules: sorted: {cite: "x", #Input: n: *1 | (int & >=0 & <=3)
			use: u: {rule: "one", each: e: "range(input.n)", input: n: "input.n"}
			output: {all: "sort(u.map(x, x.total))", second: "size(u) > 1 ? sort(u.map(x, x.total))[1] : -1"}
		}`,
		"counted": `rules: counted: {cite: "x", #Input: n: *1 | (int & >=0 & <=3)
			use: u: {rule: "one", each: e: "range(3)", input: n: "input.n"}
			require: "none": "u.exists(x, x.flag)"
			output: flags: "u.count(x, x.flag)"
		}`,
		"beside": `rules: beside: {cite: "x", #Input: n: *1 | (int & >=0 & <=3)
			dice: d: {die: 3, count: 2}
			use: u: {rule: "one", each: e: "range(2)", input: n: "max(d) - 1"}
			output: {best: "max(u.map(x, x.total))", same: "u.count(x, x.total in d)"}
		}`,
		"both": `rules: both: {cite: "x", #Input: n: *1 | (int & >=0 & <=3)
			use: u: {rule: "one", each: e: "range(2)", input: n: "input.n"}
			output: {best: "max(u.map(x, x.total))", flags: "u.count(x, x.flag)"}
		}`,
	})
	pools := map[string]int{"sorted": 1, "counted": 1, "beside": 1, "both": 0} // two values of each result are read
	for rule, want := range pools {
		made, err := eliminate.NewRule(vm.NewImage(p.Plan()), rule, runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		if made.Pools() != want {
			t.Errorf("%s: %d lists were met by counts, want %d", rule, made.Pools(), want)
		}
		for n := range 4 {
			c := &golden.Case{Name: fmt.Sprintf("%s %d", rule, n), Subject: rule, Character: []byte("{}"),
				Input: fmt.Appendf(nil, `{"n":%d}`, n)}
			if !againstEveryWay(t, p, c, 200_000) {
				t.Errorf("%s: too many ways", c.Name)
			}
		}
	}
}
