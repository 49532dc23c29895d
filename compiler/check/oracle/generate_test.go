package oracle

import (
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// sort is a type of generated expressions.
type sort byte

const (
	integer sort = 'i'
	real    sort = 'd'
	boolean sort = 'b'
	text    sort = 's'
	ints    sort = 'I'
	reals   sort = 'D'
	texts   sort = 'S'
	mapping sort = 'M' // from strings to ints
	nested  sort = 'N' // lists of ints in a list
	record  sort = 'R'
	records sort = 'Q'
)

// generatedVars are the names that generated expressions read.
func generatedVars() []*check.Param {
	person := &plan.Type{Kind: plan.Record, Fields: []plan.Field{
		{Name: "name", Type: plan.StringType}, {Name: "rank", Type: plan.IntType},
		{Name: "skill", Type: plan.IntType, Optional: true}, {Name: "weights", Type: plan.ListOf(plan.DoubleType)},
	}}
	types := map[string]*plan.Type{
		"i": plan.IntType, "j": plan.IntType, "x": plan.DoubleType, "y": plan.DoubleType,
		"s": plan.StringType, "t": plan.StringType, "p": plan.BoolType, "q": plan.BoolType,
		"is": plan.ListOf(plan.IntType), "ds": plan.ListOf(plan.DoubleType), "ss": plan.ListOf(plan.StringType),
		"m": plan.MapOf(plan.IntType), "r": person, "rs": plan.ListOf(person),
	}
	var out []*check.Param
	for _, name := range strings.Fields("i j x y s t p q is ds ss m r rs") {
		out = append(out, check.NewParam(name, types[name]))
	}
	return out
}

// leaves are the expressions without operands; a macro's variables come on top.
var leaves = map[sort][]string{
	integer: strings.Fields("0 1 -1 2 3 7 10 9223372036854775807 -9223372036854775808 4611686018427387904 i j i j r.rank " +
		"size(is) m.a"),
	real: strings.Fields("0.0 1.0 -1.0 0.1 1e308 -0.0 5e-324 x y x y 3.5 2.5 (0.0/0.0) (1.0/0.0) (-1.0/0.0) " +
		"9223372036854775807.0"),
	boolean: strings.Fields("true false p q p q has(m.a) has(r.skill)"),
	text:    strings.Fields("'' 'a' 'é' 'b' '12' '1.5' 'true' s t r.name"),
	ints:    strings.Fields("is is [1] [3,1,2,1] [i,j] range(4) is.slice(0,0)"),
	reals:   strings.Fields("ds ds [0.5] [x,-0.0,y] [0.0/0.0,1.0] r.weights"),
	texts:   strings.Fields("ss ss ['a'] [s,'é','']"),
	mapping: strings.Fields("m m {'a':1} {'b':i,'a':j}"),
	nested:  strings.Fields("[is] [[1],[2,3]] [[],is]"),
	record:  strings.Fields("r"),
	records: strings.Fields("rs rs [r] rs.slice(0,0)"),
}

// A form is an expression with operands: $ and a sort's letter. A macro's body, in $( and ), may read its variable,
// whose sort stands before: $(i ... ). That of a fold stands in $< and >, behind the sorts of its variable and of its
// state, ~.
var forms = map[sort][]string{
	integer: {
		"($i + $i)", "($i - $i)", "($i * $i)", "($i / $i)", "($i % $i)", "-($i)", "abs($i)", "min($i, $i)", "max($i, $i, $i)",
		"div_floor($i, $i)", "div_ceil($i, $i)", "div_half_up($i, $i)", "div_trunc($i, $i)", "div_away($i, $i)", "pow($i, $i)",
		"floor($d)", "ceil($d)", "round($d)", "int($d)", "int($s)", "int($i)", "size($s)", "size($I)", "size($M)", "$I[$i]",
		"$M[$s]",
		"sum($I)", "min($I)", "max($I)", "get($M, $s, $i)", "$I.sum(#, $(i$i))", "$S.count(#, $(s$b))", "$M.sum(#, $(s$i))",
		"(has(r.skill) ? r.skill : $i)", "$R.rank", "$Q[$i].rank", "$Q.sum(#, $(R$i))", "size($N)", "$N[$i][$i]",
		"pour($i, $I)[0]", "$I.fold(#, ~, $i, $<ii$i>)", "$S.fold(#, ~, $i, $<si$i>)", "m.fold(#, ~, $i, $<si$i>)",
	},
	real: {
		"($d + $d)", "($d - $d)", "($d * $d)", "($d / $d)", "($i + $d)", "($d - $i)", "($i * $d)", "($d / $i)", "($i / $d)",
		"-($d)",
		"abs($d)", "min($d, $d)", "max($d, $d)", "pow($d, $d)", "double($i)", "double($s)", "sum($D)", "min($D)", "max($D)",
		"$D[$i]",
		"$D.sum(#, $(d$d))", "$I.sum(#, $(i$d))", "$D.fold(#, ~, $d, $<dd$d>)", "$I.fold(#, ~, $d, $<id$d>)",
	},
	boolean: {
		"!($b)", "($b && $b)", "($b || $b)", "($b && $b)", "($b || $b)", "($b == $b)", "($b != $b)", "($b < $b)",
		"($i < $i)", "($i <= $i)", "($i > $i)", "($i >= $i)", "($i == $i)", "($i != $i)",
		"($d < $d)", "($d <= $d)", "($d > $d)", "($d >= $d)", "($d == $d)", "($d != $d)",
		"($i < $d)", "($i <= $d)", "($d > $i)", "($d >= $i)", "($s < $s)", "($s >= $s)", "($s == t)", "(s != $s)",
		"($I == $I)", "($D == $D)", "($S != $S)", "($M == $M)", "($N == $N)", "($R == $R)", "($Q != $Q)",
		"($i in $I)", "($d in $D)", "(s in $S)", "($s in $M)", "($I in $N)", "(r in $Q)",
		"$s.contains($s)", "$s.startsWith($s)", "$s.endsWith($s)", "bool($s)",
		"$I.all(#, $(i$b))", "$I.exists(#, $(i$b))", "$I.exists_one(#, $(i$b))", "$D.all(#, $(d$b))", "$S.exists(#, $(s$b))",
		"m.all(#, $(s$b))", "m.exists(#, $(s$b))", "$Q.exists(#, $(R$b))", "$I.fold(#, ~, $b, $<ib$b>)", "$Q.fold(#, ~, $b, $<Rb$b>)",
	},
	text: {"($s + $s)", "string($i)", "string($d)", "string($b)", "$S[$i]", "$R.name", "$I.fold(#, ~, $s, $<is$s>)"},
	ints: {
		"($I + $I)", "sort($I)", "range($i)", "range($i, $i)", "$I.slice($i, $i)", "$I.map(#, $(i$i))", "$I.filter(#, $(i$b))",
		"$I.map(#, $(i$b), $(i$i))", "$I.sort_by(#, $(i$i))", "$I.sort_by(#, $(i$d))", "pour($i, $I)", "counts($I, $i, $i)",
		"m.map(#, $(s$i))", "$N[$i]",
		"$Q.map(#, $(R$i))", "$D.map(#, $(d$i))", "$N.map(#, $(I$i))",
	},
	reals: {"($D + $D)", "sort($D)", "$D.slice($i, $i)", "$D.map(#, $(d$d))", "$I.map(#, $(i$d))", "$D.filter(#, $(d$b))",
		"$D.sort_by(#, $(d$d))", "$R.weights"},
	texts: {"($S + $S)", "sort($S)", "$S.map(#, $(s$s))", "$S.filter(#, $(s$b))", "$S.sort_by(#, $(s$s))",
		"m.filter(#, $(s$b))", "$I.map(#, $(i$s))"},
	mapping: {"with($M, $s, $i)", "with(with(m, $s, $i), $s, $i)"},
	nested:  {"$I.map(#, $(i$I))", "[$I, $I]", "($N + $N)", "$N.filter(#, $(I$b))"},
	record:  {"with(r, 'rank', $i)", "with(r, 'name', $s)", "with(r, 'skill', $i)", "$Q[$i]"},
	records: {"($Q + $Q)", "$Q.filter(#, $(R$b))", "$Q.sort_by(#, $(R$i))", "$Q.sort_by(#, $(R$s))", "$Q.map(#, $(R$R))",
		"[$R, $R]"},
}

// A generator builds a well-typed expression out of bytes: every input is one, so that no effort is lost in the parser.
type generator struct {
	bytes []byte
	nodes int
	bound map[sort][]string // the variables of the macros around
	deep  int               // how many macros are around
}

func (g *generator) next() int {
	if len(g.bytes) == 0 {
		return 0
	}
	b := g.bytes[0]
	g.bytes = g.bytes[1:]
	return int(b)
}

// most bounds the nodes of an expression.
const most = 40

func (g *generator) expr(s sort, depth int) string {
	g.nodes++
	c := g.next()
	switch {
	case depth <= 0 || g.nodes > most || c%5 == 0:
		all := append(g.bound[s], leaves[s]...)
		return all[g.next()%len(all)]
	case c%8 == 1:
		return "(" + g.expr(boolean, depth-1) + " ? " + g.expr(s, depth-1) + " : " + g.expr(s, depth-1) + ")"
	}
	return g.form(forms[s][g.next()%len(forms[s])], depth-1)
}

// form fills in the operands of a form.
func (g *generator) form(f string, depth int) string {
	name, state := "v"+strconv.Itoa(g.deep), "w"+strconv.Itoa(g.deep)
	var out strings.Builder
	for len(f) > 0 {
		switch {
		case strings.HasPrefix(f, "$("):
			out.WriteString(g.body(sort(f[2]), sort(f[4]), name, depth))
			f = f[6:]
		case strings.HasPrefix(f, "$<"):
			out.WriteString(g.step(sort(f[2]), sort(f[3]), name, state, depth))
			f = f[7:]
		case f[0] == '$':
			out.WriteString(g.expr(sort(f[1]), depth))
			f = f[2:]
		case f[0] == '#':
			out.WriteString(name)
			f = f[1:]
		case f[0] == '~':
			out.WriteString(state)
			f = f[1:]
		default:
			out.WriteByte(f[0])
			f = f[1:]
		}
	}
	return out.String()
}

// step is the body of a fold, which may read a variable and a state and gives the next state.
func (g *generator) step(of, s sort, name, state string, depth int) string {
	old := g.bound[s]
	g.bound[s] = append([]string{state, state}, old...)
	out := g.body(of, s, name, depth)
	g.bound[s] = old
	return out
}

// body is the body of a macro, which may read a variable of a sort.
func (g *generator) body(of, s sort, name string, depth int) string {
	old := g.bound[of]
	g.bound[of] = append([]string{name, name}, old...)
	g.deep++
	out := g.expr(s, depth)
	g.deep--
	g.bound[of] = old
	return out
}
