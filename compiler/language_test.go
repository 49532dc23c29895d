package compiler_test

import (
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// game is a module with one ruleset, whose definitions are the given ones.
func game(t *testing.T, definitions string) *plan.Plan {
	t.Helper()
	return gameWith(t, definitions, compiler.Options{})
}

func gameWith(t *testing.T, definitions string, o compiler.Options) *plan.Plan {
	t.Helper()
	schema, err := os.ReadFile("../schema/schema.cue")
	if err != nil {
		t.Fatal(err)
	}
	src := load.Source{FS: fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"github.com/tabletop-rules/rules@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"schema/schema.cue":  {Data: schema},
		"game/game.cue":      {Data: []byte(head + definitions)},
	}}
	p, diags := compiler.Directory(src, "game", o)
	for _, d := range diags {
		if d.Severity == diag.Error {
			t.Error(d.String())
		}
	}
	if p == nil {
		t.FailNow()
	}
	if err := plan.Verify(p); err != nil {
		t.Fatal(err)
	}
	return p
}

const head = `package game

import (
	"list"

	"github.com/tabletop-rules/rules/schema"
)

schema.#Ruleset
id:    "game"
title: "Game"
source: book: "Game"
#Character: {
	strength: *3 | (int & >=0 & <=20)
	skills: [string]: int & >=0
	wounds: [...int] & list.MaxItems(4)
}
`

// A play is one use of a rule of a small game.
type play struct {
	name        string
	definitions string // of rule r
	character   string
	input       string
	faces       []int64
	want        string // the outputs; or
	fails       string // part of the error
}

var plays = []play{
	{
		name: "a series looks its notation up once, also with a macro",
		definitions: `tables: t: {cite: "x", dice: ["harm"], keyed: {one: harm: "d6", two: harm: "2d4 + 1"}}
			rules: r: {cite: "x", #Input: times: *1 | (int & >=1 & <=3)
				dice: d: {roll: "t(character.wounds.exists(w, w > 1) ? 'two' : 'one').harm", times: "input.times", repeat: 2},
				output: a: "d"}`,
		character: `{"wounds": [1, 2]}`,
		faces:     []int64{1, 4, 3, 3},
		want:      `{"a":[6,7]}`, // 1 + 4 + 1 and 3 + 3 + 1
	},
	{
		name: "a fold carries a state from element to element, and an error only as far as it is needed",
		definitions: `functions: models_lost: {cite: "x", params: {hits: "list(int)", wounds: "int"},
				expr: "div_floor(hits.fold(d, lost, 0, lost + min(d, wounds - lost % wounds)), wounds)"}
			rules: r: {cite: "x", dice: roll: "4d6",
				output: {a: "models_lost(roll, 3)", b: "roll.fold(v, run, 0, v == 6 ? 0 : run + 1)",
					c: "roll.fold(v, s, '', s + string(v))", d: "roll.fold(v, odd, false, odd != (v % 2 == 1))",
					e: "(roll + [1, 1]).fold(v, s, 1.5, s * 2.0 - double(v))",
					f: "roll.fold(v, s, 12, v == 6 ? 7 : div_floor(s, v - 1))",
					g: "{'a': 1, 'b': 2}.fold(k, s, '', s + k)",
					h: "[[1, 2], [3]].fold(xs, s, 0, xs.fold(x, t, s, t * 10 + x))"}}`,
		// The hits 2, 1, 6 and 4 take 2, 1, 3 and 3 wounds of models that have 3: nine. 12 / (2 - 1) / (1 - 1) fails, and
		// the six makes it 7, of which 4 - 1 leaves 2. 1.5 becomes 1, 1, -4, -12, -25, -51.
		faces: []int64{2, 1, 6, 4},
		want:  `{"a":3,"b":1,"c":"2164","d":true,"e":-51.0,"f":2,"g":"ab","h":123}`,
	},
	{
		name: "the start of a fold reads the element around it, also one of the same name",
		definitions: `rules: r: {cite: "x", dice: roll: "2d6", output: {
				a: "roll.map(v, [1, 10].fold(v, s, v, s + v))", b: "roll.sort_by(v, [0].fold(v, s, -v, s + v))"}}`,
		faces: []int64{2, 5},
		want:  `{"a":[13,16],"b":[5,2]}`, // 2 + 1 + 10 and 5 + 1 + 10; by -2 and -5
	},
	{
		name: "the state of a fold is a record, which fails as a whole",
		definitions: `tables: tally: {cite: "x", keyed: none: {hurt: 0, killed: 0, share: 1.0, last: "", over: false}}
			rules: r: {cite: "x", dice: roll: "4d6"
				let: {
					end: """
						roll.fold(d, unit, tally('none'), unit.over ? unit : unit.hurt + d >= 4 ?
							with(with(with(unit, 'hurt', 0), 'killed', unit.killed + 1), 'over', unit.killed == 1) :
							with(with(unit, 'hurt', unit.hurt + d), 'last', unit.last + string(d)))
						"""
					bad: "roll.fold(d, unit, tally('none'), with(unit, 'hurt', div_floor(6, d - 4)))"
				}
				output: {killed: "end.killed", hurt: "end.hurt", whole: "end", far: "range(end.killed)",
					kept: "roll.fold(d, unit, tally('none'), d == 6 ? tally('none') : with(unit, 'hurt', div_floor(6, d - 4))).hurt",
					fails: "roll[0] == 9 || bad.killed == 0 || true"}}`,
		// 2 + 1 are below 4 wounds, the 4 kills the first, and the 6 the second, which ends it. 6 / (4 - 4) fails: in kept
		// the state behind the 6 does not read it, and all of bad fails, also the field that was not set.
		faces: []int64{2, 1, 4, 6},
		want: `{"killed":2,"hurt":0,"whole":{"hurt":0,"killed":2,"share":1.0,"last":"21","over":true},"far":[0,1],"kept":0,` +
			`"fails":true}`,
	},
	{
		name:        "a fold of which the last state fails",
		definitions: `rules: r: {cite: "x", dice: roll: "2d6", output: a: "roll.fold(v, s, 12, div_floor(s, v - 1))"}`,
		faces:       []int64{1, 2},
		fails:       "rule r, output a: division by zero",
	},
	{
		name: "an output of a let's own name shows the let, which others read on",
		definitions: `rules: r: {cite: "x", dice: roll: "2d6", let: {hits: "roll.count(v, v > 3)", twice: "hits * 2"},
				output: {hits: "hits", more: "twice + hits"}}`,
		faces: []int64{4, 6},
		want:  `{"hits":2,"more":6}`,
	},
	{
		name: "an output of a die's own name shows the die",
		definitions: `rules: {
				s: {cite: "x", dice: roll: "2d6", output: {roll: "roll", most: "max(roll)"}}
				r: {cite: "x", use: u: rule: "s", output: {all: "u.roll", most: "u.most"}}}`,
		faces: []int64{4, 6},
		want:  `{"all":[4,6],"most":6}`,
	},
	{
		name: "two empty lists of different types",
		definitions: `rules: r: {cite: "x", #Input: n: *0 | int,
				output: a: "input.n > 9 ? floor(sort([])[[].filter(x, input.n > 3)[input.n]]) : 7"}`,
		want: `{"a":7}`,
	},
	{
		name: "two empty maps of different types",
		definitions: `tables: t: {cite: "x", keyed: {one: harm: "d6", two: harm: "2d4"}}
			rules: r: {cite: "x", #Input: n: *0 | int,
				output: a: "input.n > 9 ? with({'a': input.n}, t('one').harm, 3)[string({}['climb'])] : 7"}`,
		want: `{"a":7}`,
	},
	{
		name: "two empty lists of different types that an input begins with",
		definitions: `rules: {
				r: {cite: "x", #Input: n: *0 | int, use: u: rule: "s",
					output: a: "input.n > 9 ? size(u.x[0]) : size(u.x) + sum(u.y) + 7"}
				s: {cite: "x", #Input: {ns: *[] | ([...int] & list.MaxItems(3)), ss: *[] | ([...string] & list.MaxItems(3))},
					output: {x: "input.ss", y: "input.ns.map(i, i + 1)"}}
			}`,
		want: `{"a":7}`,
	},
	{
		name: "a formula for each value of one option",
		definitions: `options: tie: {cite: "x", default: "made", values: {made: "a", missed: "b"}}
			rules: r: {cite: "x", output: a: option: tie: {made: "character.strength", missed: 0}}`,
		want: `{"a":3}`,
	},
	{
		name: "outputs of a use are handed on, and the rule says what they are when it is not used",
		definitions: `rules: s: {cite: "x", output: {a: "character.strength", b: "a > 1", c: "'yes'"}, otherwise: {a: 7, b: false}}
			rules: r: {cite: "x", #Input: n: *1 | int,
				use: {s: rule: "s", t: {rule: "s", when: "input.n > 1", otherwise: b: true}},
				output: {s: ["c", "a"], x: "t.a", t: ["b"]}}`,
		want: `{"c":"yes","a":3,"x":7,"b":true}`,
	},
	{
		name: "functions of a character, a row, a list of rows, a map and a record",
		definitions: `tables: weapon: {cite: "x", keyed: [string]: hand: *false | bool,
				keyed: {sword: harm: 3, fist: {harm: 1, hand: true}}}
			traits: might: {cite: "x", expr: "character.strength * 2"}
			functions: f: {cite: "x", params: {w: "weapon", who: "character", m: "map(int)", r: "{least: int, most: int}"},
				expr: "max(r.least, min(r.most, w.harm + (w.hand ? who.might : 0) + m.more))"}
			functions: g: {cite: "x", params: ws: "list(weapon)", expr: "ws.sum(w, w.harm)"}
			rules: r: {cite: "x", #Input: {w!: string @key(weapon), r!: {least!: int, most!: int}},
				let: {row: "weapon(input.w)", m: "{'more': row.harm + 1, 'less': 0}"},
				output: {a: "f(row, character, m, input.r)", b: "g([row, weapon('sword')])", c: "row", d: "with(m, 'x', 5)"}}`,
		input: `{"w": "fist", "r": {"least": 0, "most": 20}}`,
		want:  `{"a":9,"b":4,"c":{"hand":true,"harm":1},"d":{"less":0,"more":2,"x":5}}`,
	},
	{
		name: "a row has what the row before has where it says nothing",
		definitions: `tables: t: {cite: "x", carry: true, steps: [{from: 0, a: 1, b: "x"}, {from: 1, a: 2}, {from: 2, b: "y"}]}
			rules: r: {cite: "x", output: {a: "t(1).b", b: "t(2).a"}}`,
		want: `{"a":"x","b":2}`,
	},
	{
		name: "dice whose faces are listed are rolled again and on by what they show, and add it",
		definitions: `tables: t: {cite: "x", keyed: {blank: n: 0, one: n: 1, two: n: 2}}
			rules: r: {cite: "x", #Input: {on: *2 | (int & >=1 & <=3), grow: *true | bool}
				dice: {a: {faces: [3, -2, 1, -2], count: 2, explode: on: "max"}, b: {faces: [0, -1, 2], explode: {on: "<0", times: 1}},
					c: {faces: [2, 0, 2, 1], again: on: "<=0"}, d: {faces: [1, 2], explode: {on: "input.on", when: "input.grow", times: 1}},
					e: {faces: [1, 2], explode: {on: "input.on", when: "!input.grow", times: 1}},
					f: {faces: "t", count: 2, again: {on: "blank", once: true}}, g: {faces: "t", again: on: 1}},
				output: {v: "a", w: "b", x: "c", y: "d", z: "e", n: "f.map(r, r.n)", o: "g.n"}}`,
		faces: []int64{3, 3, -2, 1, -1, -1, 0, 0, 2, 2, 1, 2, 1, 1, 3, 1, 2},
		want:  `{"v":[4,1],"w":-2,"x":2,"y":3,"z":2,"n":[0,2],"o":1}`,
	},
	{
		name: "words of a choice are compared and sorted by the order in which the author lists them",
		definitions: `tables: ladder: {cite: "x", gives: "word",
				steps: [{from: 0, word: "terrible"}, {from: 1, word: "poor"}, {from: 2, word: "fair"}, {from: 3, word: "great"}]}
			tables: rank: {cite: "x", keyed: {page: pay: 1, knight: pay: 5, baron: pay: 9}}
			rules: r: {cite: "x", #Input: {want: *"poor" | "great", is: *"page" | string @key(rank)},
				let: {word: "ladder(character.strength)", some: "[3, 0, 2].map(n, ladder(n))"},
				output: {a: "word >= 'great'", b: "word < input.want", c: "'great' > input.want", d: "sort(some)",
					e: "[0, 3, 1].sort_by(n, ladder(n))", f: "input.is > 'page'", g: "word < 'terrible'",
					h: "some.exists(w, w <= 'poor')", i: "(character.strength > 2 ? 'fair' : 'terrible') <= word", j: "'b' < 'a'"}}`,
		input: `{"is": "knight"}`,
		want: `{"a":true,"b":false,"c":true,"d":["terrible","fair","great"],"e":[0,1,3],"f":true,"g":false,"h":true,"i":true,` +
			`"j":false}`,
	},
	{
		name: "dice that show other numbers, rows, a pool and a series",
		definitions: `tables: t: {cite: "x", keyed: {no: {n: 0, s: "no"}, yes: {n: 2, s: "yes"}}}
			rules: r: {cite: "x", #Input: p: *[4, 8] | [...int & >=2 & <=12] & list.MaxItems(4),
				dice: {f: "3dF", g: {faces: [5, -5]}, w: {faces: "t", count: 2}, p: {pool: "input.p", explode: on: "max"},
					s: "2x 2d6kh1 + 1", z: {die: 10, zero: 10}, d: {roll: "d6", repeat: "size(input.p)"}},
				output: {o: "sum(f)", q: "g", n: "w.sum(x, x.n)", t: "w[1].s", l: "sort(p)", m: "s", k: "z", e: "sum(d)"}}`,
		faces: []int64{-1, 0, -1, 5, 1, 2, 4, 3, 7, 2, 6, 5, 1, 0, 3, 4},
		want:  `{"o":-2,"q":5,"n":2,"t":"yes","l":[7,7],"m":[7,6],"k":10,"e":7}`,
	},
	{
		name: "a let that nobody needs keeps its error to itself",
		definitions: `rules: r: {cite: "x", let: bad: "div_floor(1, character.strength - 3)",
			output: {a: "character.strength == 3 ? 7 : bad", b: "false && bad > 0", c: "bad > 0 || true"}}`,
		want: `{"a":7,"b":false,"c":true}`,
	},
	{
		name:        "a let that is needed fails at its own place",
		definitions: `rules: r: {cite: "chapter 2", let: bad: "div_floor(1, character.strength - 3)", output: a: "bad + 1"}`,
		fails:       "rule r, let bad: division by zero (chapter 2)",
	},
	{
		name:        "the first fault in the order of evaluation is the one that shows",
		definitions: `rules: r: {cite: "x", output: a: "div_floor(1, character.strength - 3) + character.skills['climb']"}`,
		fails:       "division by zero",
	},
	{
		name:        "a missing key names itself",
		definitions: `rules: r: {cite: "x", output: a: "character.skills['climb']"}`,
		fails:       "no such key: climb",
	},
	{
		name:        "overflow",
		definitions: `rules: r: {cite: "x", #Input: n!: int, output: a: "input.n * character.strength"}`,
		input:       `{"n": 9223372036854775807}`,
		fails:       "integer overflow",
	},
	{
		name:        "an early requirement refuses before a die is rolled",
		definitions: `rules: r: {cite: "x", dice: d: die: 6, require: {"too weak": "character.strength > 5"}, output: a: "d"}`,
		fails:       "too weak",
	},
	{
		name: "early requirements are judged before late ones, whatever their order",
		definitions: `rules: r: {cite: "x", dice: d: die: 6, require: {"late": "d > 6", "early": "character.strength > 5"},
			output: a: "d"}`,
		faces: []int64{1},
		fails: "early",
	},
	{
		name: "dice fall as they are written, uses between them, and a use that is not made rolls nothing",
		definitions: `rules: {
			r: {
				cite: "x"
				dice: first: die: 6
				use: {
					made: {rule: "two", when: "first > 3", otherwise: sum: "-1"}
					not: {rule: "two", when: "first <= 3", otherwise: sum: "-2"}
				}
				dice: last: {die: 6, count: 2}
				output: {a: "first", b: "made.sum", c: "not.sum", d: "last"}
			}
			two: {cite: "x", dice: faces: "2d6", output: sum: "sum(faces)"}
		}`,
		faces: []int64{4, 1, 2, 5, 6},
		want:  `{"a":4,"b":3,"c":-2,"d":[5,6]}`,
	},
	{
		name: "a requirement of a used rule refuses its user, but only when it is used",
		definitions: `rules: {
			r: {cite: "x", #Input: n!: int, use: u: {rule: "strict", when: "input.n > 0", input: n: "input.n",
				otherwise: n: "0"}, output: a: "u.n"}
			strict: {cite: "x", #Input: n!: int, require: "at most nine": "input.n <= 9", output: n: "input.n + 1"}
		}`,
		input: `{"n": 10}`,
		fails: "at most nine",
	},
	{
		name: "the input of a used rule is held to its bounds",
		definitions: `rules: {
			r: {cite: "x", use: u: {rule: "bounded", input: n: "character.strength + 10"}, output: a: "u.n"}
			bounded: {cite: "x", #Input: n!: int & <=12, output: n: "input.n + 1"}
		}`,
		fails: "the input must be at most 12",
	},
	{
		name: "what a used rule is not given takes its default",
		definitions: `rules: {
			r: {cite: "x", use: u: {rule: "open", input: {"part.a": "1"}}, output: a: "u.n"}
			open: {cite: "x", #Input: {part: {a: *5 | int, b: *7 | int}, c: *11 | int, d: [...int] & list.MaxItems(2), e?: int}
				output: n: "100 * input.part.a + 10 * input.part.b + input.c + size(input.d) + (has(input.e) ? 1000 : 0)"}
		}`,
		want: `{"a":181}`,
	},
	{
		name: "one failing element of an each fails alone",
		definitions: `rules: {
			r: {cite: "x", use: us: {rule: "half", each: w: "character.wounds", input: n: "w"}
				output: {a: "us.filter(u, u.ok).map(u, u.share)", b: "us.count(u, u.ok)", c: "us[0].share"}}
			half: {cite: "x", #Input: n!: int, output: {ok: "input.n != 0", share: "div_floor(12, input.n)"}}
		}`,
		character: `{"wounds": [2, 0, 3]}`,
		want:      `{"a":[6,4],"b":2,"c":6}`,
	},
	{
		name: "but fails the whole list when it is shown",
		definitions: `rules: {
			r: {cite: "x", use: us: {rule: "half", each: w: "character.wounds", input: n: "w"}, output: {a: "us",
				b: "us.count(u, u.ok)"}}
			half: {cite: "x", #Input: n!: int, output: {ok: "input.n != 0", share: "div_floor(12, input.n)"}}
		}`,
		character: `{"wounds": [2, 0, 3]}`,
		fails:     "division by zero",
	},
	{
		name: "lists of one type in two layouts are joined",
		definitions: `rules: {
			r: {cite: "x", use: {
					us: {rule: "half", each: w: "character.wounds", input: n: "w"}
					vs: {rule: "plain", each: w: "character.wounds", input: n: "w"}
				}
				output: a: "(us + vs).filter(u, u.n > 0).sort_by(u, -u.n).map(u, u.share)"}
			half: {cite: "x", #Input: n!: int, output: {n: "input.n", share: "div_floor(12, input.n)"}}
			plain: {cite: "x", #Input: n!: int, output: {n: "input.n", share: "input.n + 100"}}
		}`,
		character: `{"wounds": [2, 0, 3]}`,
		want:      `{"a":[4,103,6,102]}`,
	},
	{
		name: "an each over nothing, within an each, with dice",
		definitions: `rules: {
			r: {cite: "x", use: us: {rule: "many", each: w: "character.wounds", input: n: "w"}, output: a: "us.map(u, u.total)"}
			many: {cite: "x", #Input: n!: int, use: ds: {rule: "one", each: k: "range(min(3, input.n))", input: k: "k"},
				output: total: "ds.sum(d, d.face)"}
			one: {cite: "x", #Input: k!: int, dice: f: die: 6, output: face: "f * (input.k + 1)"}
		}`,
		character: `{"wounds": [2, 0, 1]}`,
		faces:     []int64{3, 4, 5},
		want:      `{"a":[11,0,5]}`,
	},
	{
		name: "lists within macros within macros",
		definitions: `rules: r: {cite: "x", output: {a: "character.wounds.map(w, range(min(w, 9)).map(i, i * w))",
			b: "character.wounds.all(w, character.wounds.exists(v, v >= w))"}}`,
		character: `{"wounds": [2, 0, 3]}`,
		want:      `{"a":[[0,2],[],[0,3,6]],"b":true}`,
	},
	{
		name: "macros absorb errors as && and || do",
		definitions: `rules: r: {cite: "x", output: {a: "character.wounds.exists(w, div_floor(6, w) == 2)",
			b: "character.wounds.all(w, div_floor(6, w) == 2)"}}`,
		character: `{"wounds": [0, 3, 1]}`,
		want:      `{"a":true,"b":false}`,
	},
	{
		name: "maps are walked in the order of their keys",
		definitions: `rules: r: {cite: "x", output: {a: "character.skills.map(k, k)", b: "with(character.skills, 'm', 5)",
			c: "character.skills.sum(k, character.skills[k])", d: "'a' in character.skills"}}`,
		character: `{"skills": {"z": 1, "a": 2}}`,
		want:      `{"a":["a","z"],"b":{"a":2,"m":5,"z":1},"c":3,"d":true}`,
	},
	{
		name:        "an enum that no formula mentions admits its values",
		definitions: `rules: r: {cite: "x", #Input: kind: *"one" | "two", output: a: "input.kind"}`,
		input:       `{"kind": "two"}`,
		want:        `{"a":"two"}`,
	},
	{
		name: "steps and bands hold their limits",
		definitions: `tables: {
				band: {cite: "x", gives: "v", bands: [{on: [1, 3], v: 1}, {on: 4, v: 2}, {on: [5, 6], v: 3}]}
				step: {cite: "x", gives: "v", steps: [{from: 3, v: 2}, {from: 0, v: 1}, {above: 3, v: 3}]}
			}
			rules: r: {cite: "x", output: {a: "[1, 3, 4, 5, 6].map(k, band(k))", b: "[0.0, 2.9, 3.0, 3.1, 99.0].map(k, step(k))"}}`,
		want: `{"a":[1,1,2,3,3],"b":[1,1,2,3,3]}`,
	},
	{
		name: "two keys find the cell where they meet",
		definitions: `tables: {
				words: {cite: "x", columns: ["low", "high"], rows: {a: [1, 2], b: [3, 4]}}
				bands: {cite: "x", columns: [1, [2, 4]], rows: [{on: [1, 3], cells: [1.5, 2]}, {on: 4, cells: [3, 4.25]}]}
				steps: {cite: "x", columns: [{from: -1}, {above: 0}], rows: [{above: 2, cells: ["d", "e"]}, {from: 0, cells: ["f", "g"]}]}
				lists: {cite: "x", columns: ["low", "high"], rows: [{on: 1, cells: [[], [1, 2]]}, {on: 2, cells: [[3], []]}]}
			}
			rules: r: {cite: "x", output: {
				a: "['a', 'b'].map(k, words(k, 'low') * 10 + words(k, 'high'))"
				b: "[1, 3, 4].map(k, bands(k, 1) + bands(k + 0.0, k))"
				c: "[0.0, 0.5, 2.0, 3.0].map(k, steps(k, k) + steps(k, 0))"
				d: "lists(1, 'high') + lists(2, 'low') + lists(2, 'high')"
			}}`,
		want: `{"a":[12,34],"b":[3.0,3.5,7.25],"c":["ff","gf","gf","ed"],"d":[1,2,3]}`,
	},
	{
		name: "a second key that no column covers",
		definitions: `tables: chart: {cite: "x", columns: [1, [2, 4]], rows: {a: [1, 2]}}
			rules: r: {cite: "x", output: a: "chart('a', character.strength + 2)"}`,
		fails: "5",
	},
	{
		name: "a first key that no row covers",
		definitions: `tables: chart: {cite: "x", columns: ["a", "b"], rows: [{from: 4, cells: [1, 2]}, {from: 9, cells: [3, 4]}]}
			rules: r: {cite: "x", output: a: "chart(character.strength, 'b')"}`,
		fails: "no such key: 3",
	},
	{
		name: "a key that no row covers",
		definitions: `tables: band: {cite: "x", gives: "v", bands: [{on: [1, 3], v: 1}]}
			rules: r: {cite: "x", output: a: "band(character.strength + 1)"}`,
		fails: "4",
	},
	{
		name: "options choose formulas",
		definitions: `options: how: {cite: "x", default: "up", values: {up: "u", down: "d"}}
			rules: r: {cite: "x", output: {a: option: how: {up: "div_ceil(7, 2)", down: "div_floor(7, 2)"},
				b: "option.how == 'down'"}}`,
		want: `{"a":4,"b":false}`,
	},
	{
		name: "numbers are promoted, and round only by name",
		definitions: `rules: r: {cite: "x", output: {a: "character.strength * 0.5", b: "round(-2.5)",
			c: "div_half_up(-5, 2)", d: "div_trunc(-5, 2)", e: "character.strength < 3.5", f: "1 / 8.0"}}`,
		want: `{"a":1.5,"b":-3,"c":-2,"d":-2,"e":true,"f":0.125}`,
	},
	{
		name: "exploding dice and distinct dice",
		definitions: `rules: r: {cite: "x", dice: {e: {die: 6, count: 2, explode: on: 6}, d: {die: 4, count: 2,
			distinct: true}}, output: {a: "e", b: "d"}}`,
		faces: []int64{6, 6, 2, 1, 4, 3},
		want:  `{"a":[14,1],"b":[4,3]}`,
	},
	{
		name: "dice that are summed, kept and counted are ints",
		definitions: `rules: r: {cite: "x", dice: {a: "4d6kh3 + 2", b: "2d6 - d4", c: "5d10>=8", d: "-d6"},
			output: {a1: "a", b1: "b * 10", c1: "c > 1", d1: "d"}}`,
		faces: []int64{1, 6, 2, 5, 3, 3, 4, 8, 7, 10, 1, 9, 6}, // 6+5+2 and 2; 3+3 less 4; 8, 10 and 9
		want:  `{"a1":15,"b1":20,"c1":true,"d1":-6}`,
	},
	{
		name: "faces that are rolled again are given before those that count",
		definitions: `rules: r: {cite: "x", dice: {a: "2d6r<=2", b: "2d6ro1!", c: "d8r1!>=7kh1"}, output: {a1: "a", b1: "b",
			c1: "c"}}`,
		faces: []int64{1, 2, 3, 1, 6, 1, 1, 6, 1, 4, 1, 8, 1, 7, 2}, // 3+6; 1, and 6 with a 4 after a 1; 8+7+2
		want:  `{"a1":9,"b1":11,"c1":17}`,
	},
	{
		name: "dice that are structs are rolled again and on by comparisons",
		definitions: `rules: r: {cite: "x", dice: {
			a: {die: 6, count: 3, again: on: "<=2"}
			b: {die: "character.strength * 2", again: {on: 1, once: true}, explode: {on: ">=5", times: 1}}
		}, output: {a1: "a", b1: "b"}}`,
		faces: []int64{1, 2, 3, 4, 1, 5, 1, 6, 5}, // 3, 4 and 5; 6 and 5, which explodes no more
		want:  `{"a1":[3,4,5],"b1":11}`,
	},
	{
		name: "dice explode into dice of their own throw by throw, by faces, by what they show, and by the keys of rows",
		definitions: `tables: t: {cite: "x", keyed: {no: hit: 0, hit: hit: 1, more: hit: 2}}
			rules: r: {cite: "x", #Input: {at: *5 | int & >=4 & <=7, grow: *true | bool}, dice: {
					a: {die: 6, count: 3, explode: {on: 6, into: "dice"}},
					b: {die: 6, explode: {on: ">=input.at", into: "dice", times: 1, when: "input.grow"}},
					c: {die: 6, count: 1, explode: {on: "<6", into: "dice", when: "!input.grow"}},
					d: {faces: [1, 1, -1], count: 2, again: {on: 1, once: true}, explode: {on: "<0", into: "dice"}},
					e: {faces: "t", count: 2, explode: {on: "more", into: "dice"}},
					f: {die: "character.strength", explode: {on: "max", into: "dice"}},
					g: {die: 6, explode: {on: 6, into: "die"}},
					h: {faces: [0, 3], count: 2, explode: {on: ">input.at - 3", into: "dice", times: 2}}},
				let: twice: "a.map(x, 2 * x)",
				output: {la: "a", lb: "b", lc: "c", ld: "d", le: "e.map(x, x.hit)", lf: "f", lg: "g", lh: "h",
					sum: "sum(a)", hits: "a.count(x, x > 4)", size: "size(a) + size(a.filter(x, x == 6))",
					some: "a.exists(x, x == 4)", one: "a.exists_one(x, x == 5)", no: "a.all(x, x > 1)",
					even: "sum(twice) + a.sum(x, x % 2)", most: "max(a)", sorted: "sort(a)", who: "e.sum(x, x.hit)"}}`,
		faces: []int64{6, 2, 6, 6, 1, 5, // a: 6, 2, 6; 6, 1; 5
			5, 5, // b: 5; 5, and no more
			1,                     // c
			1, -1, 1, 1, -1, 1, 1, // d: -1 and 1, each after a 1; -1; 1 after a 1
			3, 1, 2, // e: more, no; hit
			3, 3, 2, // f
			6, 1, // g
			3, 0, 3, 3}, // h: 3, 0; 3; 3
		want: `{"la":[6,2,6,6,1,5],"lb":[5,5],"lc":[1],"ld":[-1,1,-1,1],"le":[2,0,1],"lf":[3,3,2],"lg":7,"lh":[3,0,3,3],` +
			`"sum":26,"hits":4,"size":9,"some":false,"one":true,"no":false,"even":54,"most":6,"sorted":[1,2,5,6,6,6],"who":3}`,
	},
	{
		name: "a comparison with a number below 0 holds for the faces that it holds for, be the number written or computed",
		definitions: `rules: r: {cite: "x", #Input: n: *-2 | int & >=-2 & <=6, dice: {
				a: {die: 6, again: {on: ">=input.n", once: true}}, b: {die: 6, again: {on: "<=input.n", once: true}},
				c: {die: 6, again: {on: ">=-2", once: true}}, d: {die: 6, explode: {on: ">input.n + 1", times: 1}}},
				output: x: "[a, b, c, d]"}`,
		faces: []int64{1, 2, 3, 4, 5, 6, 1}, // a: 1, then 2; b: 3; c: 4, then 5; d: 6 and 1
		want:  `{"x":[2,3,5,7]}`,
	},
	{
		name: "dice of their own that are thrown on too often have no value",
		definitions: `rules: r: {cite: "x", dice: a: {die: 6, count: 2, explode: {on: 6, into: "dice"}},
			output: b: "sum(a)"}`,
		faces: slices.Repeat([]int64{6}, 62),
		fails: "dice a: dice are thrown on more than 30 times",
	},
	{
		name: "a sum in a use that is not made rolls nothing, and one that is walked rolls each time",
		definitions: `rules: {
			r: {
				cite: "x"
				use: {
					not: {rule: "hit", when: "character.strength > 5", otherwise: harm: "0"}
					hits: {rule: "hit", each: k: "range(2)"}
				}
				output: {a: "not.harm", b: "hits.map(h, h.harm)"}
			}
			hit: {cite: "x", dice: roll: "2d4kh1 + d6 + 1", output: harm: "roll"}
		}`,
		faces: []int64{1, 4, 6, 2, 2, 1}, // 4+6+1; 2+1+1
		want:  `{"a":0,"b":[11,4]}`,
	},
	{
		name: "what dice come to bounds how many others there are",
		definitions: `rules: r: {cite: "x", dice: {hits: "3d6>=5", more: {die: 6, count: "hits"}}, output: {a: "hits",
			b: "more"}}`,
		faces: []int64{5, 1, 6, 2, 3},
		want:  `{"a":2,"b":[2,3]}`,
	},
	{
		name:        "a die that is rolled again for ever is an error",
		definitions: `rules: r: {cite: "x", dice: a: {die: "character.strength", again: on: "<=3"}, output: b: "a"}`,
		faces:       slices.Repeat([]int64{1}, 1001),
		fails:       "die a: a die was rolled again or on more than 1000 times",
	},
	{
		name:        "a number that JSON does not have is an error of its output",
		definitions: `rules: r: {cite: "x", output: a: "1.0 / (character.strength - 3)"}`,
		fails:       "+Inf, not a number",
	},
}

// TestLanguage plays small rules, with the passes of the schedule and without.
func TestLanguage(t *testing.T) {
	for _, c := range plays {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			program := runtime.New(game(t, c.definitions))
			for _, without := range [][]string{nil, schedule.PassNames()} {
				c.play(t, program, without)
			}
		})
	}
}

// TestDiceOfEachCountItsIterations holds that the dice of a use that walks lists are told apart, in lists within lists too.
func TestDiceOfEachCountItsIterations(t *testing.T) {
	program := runtime.New(game(t, `rules: {
		r: {cite: "x", use: us: {rule: "many", each: w: "character.wounds", input: n: "w"}, output: a: "us.map(u, u.total)"}
		many: {cite: "x", #Input: n!: int, use: ds: {rule: "one", each: k: "range(min(3, input.n))", input: k: "k"},
			output: total: "ds.sum(d, d.face)"}
		one: {cite: "x", #Input: k!: int, dice: f: die: 6, output: face: "f * (input.k + 1)"}
	}`))
	for _, without := range [][]string{nil, schedule.PassNames()} {
		rule, err := program.Rule("r", runtime.Choice{Without: without})
		if err != nil {
			t.Fatal(err)
		}
		sheet, err := rule.Eval(runtime.Request{Character: []byte(`{"wounds": [2, 0, 1]}`),
			Throw: dice.Fallen(3, 4, 5)})
		if err != nil {
			t.Fatal(err)
		}
		want := dice.Rolls{{ID: "us[0].ds[0].f", Faces: []int64{3}}, {ID: "us[0].ds[1].f", Faces: []int64{4}},
			{ID: "us[2].ds[0].f", Faces: []int64{5}}}
		if !reflect.DeepEqual(sheet.Dice, want) {
			t.Errorf("the dice are %v, want %v", sheet.Dice, want)
		}
	}
}

func (c *play) play(t *testing.T, program *runtime.Program, without []string) {
	t.Helper()
	rule, err := program.Rule("r", runtime.Choice{Without: without})
	if err != nil {
		t.Fatal(err)
	}
	character := c.character
	if character == "" {
		character = "{}"
	}
	sheet, err := rule.Eval(runtime.Request{Character: []byte(character), Input: []byte(c.input),
		Throw: dice.Fallen(c.faces...)})
	switch {
	case c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)):
		t.Errorf("got %v, %v, want an error with %q", sheet, err, c.fails)
	case c.fails == "" && err != nil:
		t.Error(err)
	case c.fails == "" && sheet.Output.String() != c.want:
		t.Errorf("got %s, want %s", sheet.Output, c.want)
	}
}

// A let that walks a list and is first read within a macro is computed once, before the macro.
func TestProcedureReadsALetFirstWithinAMacro(t *testing.T) {
	p := game(t, `
#Actor: {name!: string, count!: int}
procedures: p: {
	cite: "x"
	#Input: actors!: [...#Actor] & list.MinItems(1) & list.MaxItems(12)
	#State: {
		actors!: [...#Actor] & list.MaxItems(12)
		over: *false | bool
	}
	let: now: "state.actors.sort_by(a, a.count)[0]"
	start: next: actors: "input.actors"
	events: {
		act: next: actors: "state.actors.map(a, a.name == now.name ? with(a, 'count', now.count + 10) : a)"
		end: {require: "not yet": "now.count > 5", next: over: "true"}
	}
	ends: over: "state.over"
	output: first: "now.name"
}`)
	d, err := runtime.New(p).Procedure("p", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	play, err := d.Start(runtime.Request{Character: []byte("{}"),
		Input: []byte(`{"actors": [{"name": "b", "count": 2}, {"name": "a", "count": 1}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`{"first":"b"}`, `{"first":"a"}`} {
		if err := play.Do(runtime.Step{Event: "act"}, false); err != nil {
			t.Fatal(err)
		}
		if got := play.Output.String(); got != want {
			t.Errorf("after event %d the output is %s, want %s", i+1, got, want)
		}
	}
	saved, err := runtime.ReadPlay(play.AppendJSON(nil))
	if err != nil {
		t.Fatal(err)
	}
	again, err := d.Resume(saved)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := string(play.AppendJSON(nil)), string(again.AppendJSON(nil)); a != b {
		t.Errorf("resumed as\n%s\nwant\n%s", b, a)
	}
	before := string(again.AppendJSON(nil))
	if err := again.Do(runtime.Step{Event: "end"}, false); err != nil {
		t.Fatal(err)
	}
	if again.Status != "over" {
		t.Errorf("the status is %s", again.Status)
	}
	var not *runtime.NotOffered
	if err := again.Do(runtime.Step{Event: "act"}, false); !errors.As(err, &not) || not.Status != "over" {
		t.Errorf("after the end: %v", err)
	}
	if before != string(play.AppendJSON(nil)) {
		t.Error("playing on changed the play that was saved")
	}
}

// A sum of dice in an event of a procedure is given by the id of its source, whose groups share it. The
// output shows the let of its own name, which the end reads.
func TestSumsInEvents(t *testing.T) {
	p := game(t, `
procedures: fight: {
	cite: "x"
	#State: wounds: *0 | int
	events: hit: {
		dice: harm: "2d6kh1 + d4!"
		next: wounds: "state.wounds + harm"
	}
	let: wounds: "state.wounds"
	ends: down: "wounds >= 20"
	output: wounds: "wounds"
}`)
	d, err := runtime.New(p).Procedure("fight", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	play, err := d.Start(runtime.Request{Character: []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	for _, faces := range [][]int64{{6, 2, 4, 1}, {3, 5, 4, 4, 2}} { // 6 and 5, 5 and 10
		if err := play.Do(runtime.Step{Event: "hit", Throw: dice.FallenByID(dice.Rolls{{ID: "harm", Faces: faces}})}, false); err != nil {
			t.Fatal(err)
		}
		if got := play.Events[len(play.Events)-1].Dice; !reflect.DeepEqual(got, dice.Rolls{{ID: "harm", Faces: faces}}) {
			t.Errorf("the event has the dice %v, want harm %v", got, faces)
		}
	}
	if got := play.Output.String(); got != `{"wounds":26}` || play.Status != "down" {
		t.Errorf("got %s, %s", got, play.Status)
	}
}
