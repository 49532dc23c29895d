package compiler_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
)

var (
	wildFormulas = flag.Int("wild", 900, "how many wild formulas are compiled")
	wildSeed     = flag.Uint64("wild-seed", 1, "the seed of the wild formulas and values")
)

// wildScopes are what formulas of a scope may read, by the letter of the type.
var wildScopes = map[string]map[byte]string{
	"character": {
		'i': "character.agility character.grit character.luck character.bulk get(character.skills,'climb',0) " +
			"size(character.scars)",
		'd': "character.weight", 'b': "character.ready character.brave has(character.pet) has(character.skills.climb)",
		's': "character.name", 'I': "character.wounds character.scars",
		'S': "character.items.map(i,i.name)", 'M': "character.skills",
	},
	"input": {
		'i': "input.n input.n input.k input.r.lo", 'd': "input.x", 'b': "input.b", 's': "input.s input.w",
		'I': "input.ns input.ks", 'w': "input.w", 'R': "input.r", 'n': "blade(input.w).harm",
	},
	"event": {
		'i': "event.n event.n event.k event.r.hi", 'd': "event.x", 'b': "event.b", 's': "event.s",
		'I': "event.ns event.ks state.log", 'w': "event.w", 'R': "event.r",
	},
	"rule inner":   {'i': "roll l"},
	"rule plain":   {'i': "l l c h", 'I': "m", 'd': "o", 'M': "p", 'b': "option.harsh=='yes'"},
	"rule rolls":   {'i': "f f m d l", 'I': "g h j k"},
	"rule uses":    {'i': "l one.o x", 'I': "each.map(u,u.o) one.p", 'b': "one.q"},
	"rule decides": {'i': "f input.spend"},
	"procedure":    {'i': "l f state.hp state.tally", 'R': "state"},
	"function": {
		'i': "a a row.reach who.agility who.bulk who.luck", 'b': "b row.heavy", 'I': "xs xs who.scars", 'M': "m who.skills",
		'R': "row who",
	},
}

// wildLiterals are expressions that read nothing.
var wildLiterals = map[byte]string{
	'i': "0 1 -1 3 9 100001 9223372036854775807 -9223372036854775808",
	'd': "0.0 -1.5 1e308 (0.0/0.0)",
	'b': "true false",
	's': "'' 'a' 'knife' 'climb'",
	'w': "'knife' 'sword' 'spoon'",
	'n': "'1d4' '2d6+1' '' '9999d9999'",
	'I': "[] [1] [3,-1,9] [[]]",
	'D': "[] [0.5]",
	'S': "[] ['a']",
	'M': "{'a':1} {}",
	'R': "{'lo':1} {}",
}

// wildForms are expressions with operands: $ and the letter of a type. #X( begins the body of a macro over what stands
// before it, whose variable is an X, and of which the type follows: $I.map(#ii).
var wildForms = map[byte][]string{
	'i': {
		"($i+$i)", "($i-$i)", "($i*$i)", "($i%$i)", "($i/$i)", "-$i", "abs($i)", "min($i,$i)", "max($i,$i,$i)", "div_floor($i,$i)",
		"div_ceil($i,$i)", "pow($i,$i)", "floor($d)", "round($d)", "int($s)", "size($I)", "size($M)", "size($s)", "$I[$i]", "$I[$i]",
		"$M[$s]", "sum($I)", "min($I)", "max($I)", "get($M,$s,$i)", "$I.sum(#ii)", "$I.count(#ib)", "$M.sum(#si)", "pour($i,$I)[$i]",
		"counts($I,$i,$i)[$i]", "range($i)[$i]", "range($i,$i)[$i]", "character.pet.size", "$R.lo", "blade($w).reach", "blade($s).reach", "chart($i)",
		"half($i,$b)", "pick($I,$i)", "reach(blade($w),character)", "listed($M,$I)[$i]", "listed($M,$I).sum(#ii)", "sum($I.map(#iI)[$i])",
		"$I.sort_by(#ii)[$i]", "$I.filter(#ib)[$i]", "character.items[$i].load", "character.items.sum(x,x.load*$i)",
	},
	'd': {"($d+$d)", "($d/$d)", "($i*$d)", "double($i)", "-$d", "pow($d,$d)", "sum($D)", "$D[$i]", "min($d,$d)"},
	'b': {
		"!$b", "($b&&$b)", "($b||$b)", "($i<$i)", "($i>=$i)", "($i==$i)", "($d<$d)", "($d==$d)", "($s==$s)", "($i in $I)", "($s in $M)",
		"$I.all(#ib)", "$I.exists(#ib)", "$I.exists_one(#ib)", "$M.exists(#sb)", "($I==$I)", "blade($w).heavy", "has($R.lo)",
		"$s.contains($s)", "($i<$d)",
	},
	's': {"($s+$s)", "string($i)", "$S[$i]", "blade($w).harm"},
	'w': {"($b?$w:$w)"},
	'n': {"blade($w).harm", "($b?$n:$n)"},
	'I': {
		"range($i)", "range($i)", "range($i,$i)", "range(min(99,$i))", "($I+$I)", "$I.map(#ii)", "$I.filter(#ib)", "$I.slice($i,$i)",
		"sort($I)", "$I.sort_by(#ii)", "pour($i,$I)", "counts($I,$i,$i)", "[$i,$i]", "$M.map(#si)", "listed($M,$I)",
		"$I.map(#iI)[$i]", "$I.map(#ib,#ii)", "[$I,$I][$i]",
	},
	'D': {"$I.map(#id)", "($D+$D)", "[$d,$d]", "sort($D)"},
	'S': {"[$s,$s]", "($S+$S)", "sort($S)", "$M.filter(#sb)", "$I.map(#is)"},
	'M': {"with($M,$s,$i)", "{'a':$i}"},
	'R': {"with($R,'lo',$i)", "{'lo':$i,'hi':$i}", "blade($w)"},
}

// A wildWriter writes expressions out of bytes. Some of them have a wrong type, and some read what their place does not
// have; nothing bounds how far their ranges and indexes go.
type wildWriter struct {
	bytes  []byte
	scopes []string
	tame   bool            // no part has a wrong type
	bound  map[byte]string // the variables of the macros around
	deep   int
}

func (w *wildWriter) next() int {
	if len(w.bytes) == 0 {
		return 0
	}
	b := w.bytes[0]
	w.bytes = w.bytes[1:]
	return int(b)
}

// kinds are the letters of the types.
const kinds = "idbswnIDSMR"

func (w *wildWriter) expr(kind byte, depth int) string {
	c := w.next()
	if !w.tame && c%16 == 15 {
		kind = kinds[w.next()%len(kinds)]
	}
	switch {
	case depth == 0 || c%4 == 0:
		return w.leaf(kind)
	case c%16 == 1:
		return "(" + w.expr('b', depth-1) + "?" + w.expr(kind, depth-1) + ":" + w.expr(kind, depth-1) + ")"
	}
	forms := wildForms[kind]
	return w.fillIn(forms[w.next()%len(forms)], depth-1)
}

// leaf is a name of a type or, if there is none, a literal.
func (w *wildWriter) leaf(kind byte) string {
	names := w.bound[kind]
	for _, s := range w.scopes {
		names += " " + wildScopes[s][kind]
	}
	if strings.TrimSpace(names) == "" || w.next()%4 == 0 {
		names = wildLiterals[kind]
	}
	all := strings.Fields(names)
	return all[w.next()%len(all)]
}

// fillIn writes the operands of a form.
func (w *wildWriter) fillIn(form string, depth int) string {
	var out strings.Builder
	for ; form != ""; form = form[1:] {
		switch form[0] {
		case '$':
			out.WriteString(w.expr(form[1], depth))
			form = form[1:]
		case '#':
			name, before := fmt.Sprintf("v%d", w.deep), w.bound[form[1]]
			w.bound[form[1]] = before + " " + name
			w.deep++
			if out.String()[out.Len()-1] != ',' { // the second body of a macro has the variable of the first
				out.WriteString(name + ",")
			}
			out.WriteString(w.expr(form[2], depth))
			w.deep--
			w.bound[form[1]] = before
			form = form[2:]
		default:
			out.WriteByte(form[0])
		}
	}
	return out.String()
}

// A wildBook is a ruleset of which formulas can be changed.
type wildBook struct {
	release *book.Release
	parts   []book.Part
	kinds   []byte
	tame    []string // the formulas with which it is in order
}

// newWildBook reads the ruleset with a formula in every place.
func newWildBook(t testing.TB) *wildBook {
	t.Helper()
	schema, err := os.ReadFile("../schema/schema.cue")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/wild/game.cue")
	if err != nil {
		t.Fatal(err)
	}
	var diags diag.List
	rules := load.Directory(load.Source{FS: fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"github.com/tabletop-rules/rules@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"schema/schema.cue":  {Data: schema},
		"game/game.cue":      {Data: text},
	}}, "game", &diags)
	if rules == nil || diags.Failed() {
		t.Fatal(diags.Sorted())
	}
	w := &wildBook{release: &book.Release{Name: "wild", Rules: rules}}
	for _, p := range rules.Parts() {
		if len(p.Text.S) > 1 && p.Text.S[1] == ':' && strings.IndexByte(kinds, p.Text.S[0]) >= 0 {
			w.parts, w.kinds, w.tame = append(w.parts, p), append(w.kinds, p.Text.S[0]), append(w.tame, p.Text.S[2:])
			p.Text.S = p.Text.S[2:]
		}
	}
	return w
}

// scopesOf are the scopes that a formula of a part reads.
func scopesOf(p *book.Part) []string {
	switch {
	case strings.HasPrefix(p.Definition, "function"):
		return []string{"function"}
	case strings.HasPrefix(p.Definition, "trait"):
		return []string{"character"}
	case strings.HasPrefix(p.Definition, "procedure"):
		if strings.Contains(p.Scope, "event") {
			return []string{"character", "event", "procedure", "input"}
		}
		return []string{"character", "procedure", "input"}
	}
	return []string{"character", "input", p.Definition}
}

// compileWildly puts some formulas made of bytes in the places of others, and compiles the ruleset. A panic is an error
// that shows them. Only what has no error in its names and types comes to the later phases, so every other ruleset has
// none.
func (w *wildBook) compileWildly(t testing.TB, data []byte) (formulas int, found []diag.Diagnostic, compiled *plan.Plan) {
	t.Helper()
	for i := range w.parts {
		w.parts[i].Text.S = w.tame[i]
	}
	g := &wildWriter{bytes: data, bound: map[byte]string{}}
	g.tame = g.next()%2 == 0
	var changed []string
	for range 1 + g.next()%10 {
		i := (g.next()<<8 + g.next()) % len(w.parts)
		p := &w.parts[i]
		g.scopes = scopesOf(p)
		p.Text.S = g.expr(w.kinds[i], 3)
		changed = append(changed, fmt.Sprintf("%s, %s: %s", p.Scope, p.Name, p.Text.S))
	}
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s: %v\n%s", strings.Join(changed, "\n"), r, debug.Stack())
		}
	}()
	compiled, found = compiler.Book(w.release, compiler.Options{Analyse: true, Cover: true})
	if compiled != nil {
		if err := plan.Verify(compiled); err != nil {
			t.Errorf("%s: %v", strings.Join(changed, "\n"), err)
		}
	}
	return len(changed), found, compiled
}

// TestWildFormulas compiles formulas of wrong types, without bounds, and with names that their place does not have: each
// makes a diagnostic or a plan, and none a panic. .ci/long compiles a million.
func TestWildFormulas(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine after the other: nothing for the detector of races")
	}
	w := newWildBook(t)
	if p, list := compiler.Book(w.release, compiler.Options{}); p == nil {
		t.Fatal(list)
	}
	random := rand.New(rand.NewPCG(*wildSeed, 0))
	codes, plans, data := map[diag.Code]int{}, 0, make([]byte, 600)
	for n := 0; n < *wildFormulas; {
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		formulas, found, compiled := w.compileWildly(t, data)
		n += formulas
		for i := range found {
			codes[found[i].Code]++
		}
		if compiled != nil {
			plans++
		}
		if t.Failed() {
			return
		}
	}
	t.Log(plans, codes)
	// Whatever the seed, a dozen of these are among a thousand formulas; of a single code there may be none.
	wild := codes["unbounded-range"] + codes["unbounded-dice"] + codes["index-outside"] + codes["unguarded"]
	if wild == 0 || plans == 0 {
		t.Error("nothing is wild")
	}
}

// FuzzWildFormulas is TestWildFormulas of bytes that the fuzzer chooses.
func FuzzWildFormulas(f *testing.F) {
	w := newWildBook(f)
	f.Add([]byte("\x00\x02\x01\x05 a tree of formulas"))
	f.Fuzz(func(t *testing.T, data []byte) { w.compileWildly(t, data) })
}
