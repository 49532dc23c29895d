package judge_test

import (
	"slices"

	"github.com/tabletop-rules/rules/golden/judge"
)

// An example is a question about a small ruleset that a sentence of the reference answers. What is wanted follows from the
// sentence: the program and the judge must both say so.
type example struct {
	chapter, sentence string // its first words at least
	ruleset           string // behind the head, with the rule "a" or the procedure "p"
	character, input  string
	options           map[string]string
	faces             []int64
	events            []judge.Happening // each with these faces
	want              string            // the output, of a play with its status before; or why there is none
	of                question
	outputs           []string // that are asked for; nil for all
}

// A question says what is wanted of an example.
type question int

const (
	anAnswer question = iota
	drawn             // an answer, with faces drawn from the seed 7
	chances           // "1/2 OUTPUTS; 1/2 refused: MESSAGE"
	course            // the chances of the ends after two events, of which always the first that is offered happens
	sheet             // all that the program writes
	verdict           // the code of what the compiler says
)

// ruleOf is a rule of a few fields and outputs.
func ruleOf(parts string) string { return "rules: a: {cite: \"x\"\n" + parts + "\n}\n" }

// wordsOfArms are choices of which none is in the order of letters.
const wordsOfArms = `tables: arm: {cite: "x", keyed: {sling: rank: "best", axe: rank: "good", bow: rank: "poor"}}
options: tie: {cite: "x", values: {made: "a", lost: "b", even: "c"}}
`

// wordsOfGrades are a column and a chart of a choice, of which none is written in its order.
const wordsOfGrades = `#Grade: "poor" | "fair" | "good"
tables: grade: {cite: "x", gives: "g", keyed: [string]: g: #Grade, keyed: {a: g: "fair", b: g: "good", c: g: "poor"}}
tables: chart: {cite: "x", columns: ["x", "y"], rows: [string]: [...#Grade], rows: {b: ["good", "fair"], a: ["poor", "fair"]}}
`

// functionsOfWords are functions of any strings.
const functionsOfWords = `functions: {
	fair: {cite: "x", params: {g: "string"}, expr: "g >= 'fair'"}
	least: {cite: "x", params: {g: "string", h: "string"}, expr: "g < h"}
	same: {cite: "x", params: {g: "string"}, expr: "g"}
	best: {cite: "x", params: {gs: "list(string)"}, expr: "sort(gs)"}
}
`

// examples are in the order of the chapters.
var examples = []example{
	{chapter: "values", sentence: "The words of a choice, \"poor\" | \"fair\" | \"good\"",
		ruleset: ruleOf(`#Input: w!: "poor" | "fair" | "good"
output: {least: "input.w >= 'fair'", all: "sort(['good', input.w])"}`), input: `{"w": "poor"}`,
		want: `{"least": false, "all": ["poor", "good"]}`},
	{chapter: "values", sentence: "a column or the keys of a table, or the values of an option, go by the order in which they are",
		ruleset: wordsOfArms + ruleOf(`#Input: w!: string @key(arm)
output: {key: "input.w < 'axe'", column: "sort(['good', 'best', arm(input.w).rank])", tie: "option.tie < 'lost'"}`),
		input: `{"w": "sling"}`, want: `{"key": true, "column": ["best", "best", "good"], "tie": true}`},
	{chapter: "values", sentence: "The cells of a chart, and the lists in a column, are written row by row",
		ruleset: `tables: kit: {cite: "x", gives: "has", keyed: {a: has: ["rope", "axe"], b: has: [], c: has: ["bow", "rope"]}}
` + ruleOf(`output: {all: "sort(kit('c') + kit('a'))", less: "kit('a')[1] < kit('c')[0]"}
output: some: "kit('c').filter(x, x < 'bow')"`), want: `{"all": ["rope", "rope", "axe", "bow"], "less": true, "some": ["rope"]}`},
	{chapter: "values", sentence: "The cells of a chart, and the lists in a column, are written row by row",
		ruleset: `tables: chart: {cite: "x", columns: ["x", "y"], rows: {a: ["poor", "fair"], b: ["good", "fair"]}}
` + ruleOf(`output: {all: "sort([chart('b', 'x'), chart('b', 'y'), chart('a', 'x')])"}
output: less: "chart('a', 'x') < chart('a', 'y')"`), want: `{"all": ["poor", "fair", "good"], "less": true}`},
	{chapter: "values", sentence: "Where it is said of which choice the cells of a column or a chart are",
		ruleset: wordsOfGrades + ruleOf(`#Input: g!: #Grade
output: column: "sort([grade('b'), grade('a'), grade('c')])"
output: chart: "sort([chart('b', 'y'), chart('b', 'x'), chart('a', 'x')])"
output: other: "grade('b') > input.g"`), input: `{"g": "fair"}`,
		want: `{"column": ["poor", "fair", "good"], "chart": ["poor", "fair", "good"], "other": true}`},
	{chapter: "values", sentence: "or of which table they are keys, they go by that",
		ruleset: wordsOfArms + `tables: held: {cite: "x", gives: "arm", keyed: [string]: arm: string @key(arm)
	keyed: {left: arm: "bow", right: arm: "sling"}}
tables: chart: {cite: "x", columns: ["x", "y"], rows: [string]: [...string] @key(arm), rows: a: ["bow", "sling"]}
` + ruleOf(`output: {column: "held('left') > held('right')", chart: "sort([chart('a', 'x'), chart('a', 'y')])"}`),
		want: `{"column": true, "chart": ["sling", "bow"]}`},
	{chapter: "values", sentence: "What is passed to a function, or is the state of a fold, is still a word of its choice",
		ruleset: wordsOfGrades + functionsOfWords + ruleOf(`#Input: {g!: #Grade, gs: [...#Grade] & list.MaxItems(3)}
output: {fair: "fair(input.g)", best: "best(input.gs + [input.g])", same: "same(input.g) >= 'fair'"}
output: {fold: "[1].fold(i, s, input.g, s) >= 'fair'", most: "input.gs.fold(x, s, 'poor', x > s ? x : s)"}
output: none: "input.gs.filter(x, x > 'good').fold(x, s, 'poor', x) >= 'fair'"`),
		input: `{"g": "poor", "gs": ["fair", "good", "fair"]}`,
		want: `{"fair": false, "best": ["poor", "fair", "fair", "good"], "same": false, "fold": false, "most": "good",
			"none": false}`},
	{chapter: "values", sentence: "with params: {g: \"string\"} and expr: \"g >= 'fair'\" the function compares as the",
		ruleset: wordsOfGrades + functionsOfWords + ruleOf(`#Input: {g!: #Grade, n!: string}
output: {word: "fair(input.g)", any: "fair(input.n)"}`), input: `{"g": "poor", "n": "poor"}`,
		want: `{"word": false, "any": true}`},
	{chapter: "values", sentence: "Words that have no common order are refused",
		ruleset: wordsOfGrades + functionsOfWords + ruleOf(`#Input: {g!: #Grade, h!: "good" | "poor"}
output: less: "least(input.g, input.h)"`), of: verdict, want: "type"},
	{chapter: "values", sentence: "A word in quotes beside a choice, in the other branch of a condition, a list, a map or get",
		ruleset: wordsOfArms + ruleOf(`#Input: {w!: string @key(arm), c!: bool}
let: held: "input.c ? 'axe' : input.w"
output: {rank: "arm(held).rank", less: "held < (input.c ? 'sling' : 'bow')"}
output: {list: "[input.w, 'axe'][1] < 'sling'", map: "{'a': input.w, 'b': 'axe'}['b'] < 'sling'"}
output: get: "get({'a': input.w}, 'b', 'axe') < 'sling'"`),
		input: `{"w": "sling", "c": true}`, want: `{"rank": "good", "less": false, "list": false, "map": false, "get": false}`},
	{chapter: "values", sentence: "One that the choice nearly has is refused in a condition, as misspelt",
		ruleset: wordsOfArms + ruleOf(`#Input: {w!: string @key(arm), c!: bool}
output: held: "input.c ? 'ax' : input.w"`), want: "enum-value", of: verdict},
	{chapter: "values", sentence: "with any other word, 'none', the value can be compared with == alone",
		ruleset: wordsOfArms + ruleOf(`#Input: {w!: string @key(arm), c!: bool}
output: none: "(input.c ? 'none' : input.w) == 'none'"`), input: `{"w": "sling", "c": true}`, want: `{"none": true}`},
	{chapter: "values", sentence: "with any other word, 'none', the value can be compared with == alone",
		ruleset: wordsOfArms + ruleOf(`#Input: {w!: string @key(arm), c!: bool}
output: less: "(input.c ? 'none' : input.w) < 'axe'"`), want: "type", of: verdict},
	{chapter: "values", sentence: "xs.sort_by(x, x.word), and odds; other strings go by letters",
		ruleset: ruleOf(`#Input: w: *"m" | string
output: all: "sort(['z', input.w])"`), want: `{"all": ["m", "z"]}`},
	{chapter: "values", sentence: "Where nothing is said of a field it has its default",
		ruleset: ruleOf(`#Input: {n: *3 | int, m?: int}
output: {n: "input.n", m: "has(input.m)"}`), want: `{"n": 3, "m": false}`},
	{chapter: "values", sentence: "Where another field sets a bound, the default must be within it too: it is refused as a",
		ruleset: `#Character: {grace: *5 | int & >=0 & <=9, worn: *2 | int & >=0 & <=grace}
` + ruleOf(`output: n: "character.worn"`), character: `{"grace": 1}`, want: "misfit character.worn"},
	{chapter: "values", sentence: "Where another field sets a bound, the default must be within it too: it is refused as a",
		ruleset: `#Character: {grace: *5 | int & >=0 & <=9, worn: *2 | int & >=0 & <=grace}
` + ruleOf(`output: n: "character.worn"`), character: `{"grace": 1, "worn": 2}`, want: "misfit character.worn"},
	{chapter: "values", sentence: "A rule of which nothing that is asked for reads the character is carried out for one without",
		ruleset: `#Character: might!: int
` + ruleOf(`#Input: n!: int
output: n: "input.n"`), character: `{}`, input: `{"n": 1}`, want: `{"n": 1}`},
	{chapter: "values", sentence: "A whole number is no double in JSON, but may stand where a double is wanted",
		ruleset: ruleOf(`#Input: d!: number
output: half: "input.d / 2"`), input: `{"d": 3}`, want: `{"half": 1.5}`},
	{chapter: "values", sentence: "All fields that are given are judged, also those that nothing reads",
		ruleset: `#Character: might: *1 | int & <=9
` + ruleOf(`#Input: n!: int
output: n: "input.n"`), character: `{"might": 10}`, input: `{"n": 1}`, want: "misfit character.might"},
	{chapter: "values", sentence: "In their strings half of a surrogate pair, \"\\ud83c\", is refused",
		ruleset: ruleOf(`#Input: t!: string
output: t: "input.t"`), input: `{"t": "\ud83c\udfb2"}`, want: `{"t": "🎲"}`},
	{chapter: "values", sentence: "In their strings half of a surrogate pair, \"\\ud83c\", is refused",
		ruleset: ruleOf(`#Input: m: [string]: int
output: n: "size(input.m)"`), input: `{"m": {}, "\udfb2\ud83c": 1}`, want: "misfit input"},
	{chapter: "values", sentence: "a number that may have a fraction is the double that is nearest to it",
		ruleset: ruleOf(`#Input: d!: number & >0
output: d: "input.d"`), input: `{"d": 1e-400}`, want: "misfit input.d"},
	{chapter: "values", sentence: "a number that may have a fraction is the double that is nearest to it", // also below 0
		ruleset: ruleOf(`#Input: d!: number
output: d: "-input.d"`), input: `{"d": -0e+22}`, want: `{"d": 0.0}`},

	{chapter: "formulas", sentence: "+ - * and comparisons mix int and double",
		ruleset: ruleOf(`#Input: n!: int
output: {sum: "input.n + 0.5", less: "input.n < 2.5"}`), input: `{"n": 2}`, want: `{"sum": 2.5, "less": true}`},
	{chapter: "formulas", sentence: "/ of two ints must say how it rounds: div_floor, div_ceil, div_half_up, div_trunc",
		ruleset: ruleOf(`#Input: n!: int
output: {floor: "div_floor(input.n, 2)", ceil: "div_ceil(input.n, 2)"}
output: {half: "div_half_up(input.n, 2)", trunc: "div_trunc(input.n, 2)"}`),
		input: `{"n": -3}`, want: `{"floor": -2, "ceil": -1, "half": -1, "trunc": -1}`},
	{chapter: "formulas", sentence: "Instead of one formula there may be one for each value of an option",
		ruleset: `options: tie: {cite: "x", default: "made", values: {made: "a", missed: "b"}}
` + ruleOf(`output: n: option: tie: {made: "1", missed: "2"}`),
		options: map[string]string{"tie": "missed"}, want: `{"n": 2}`},
	{chapter: "formulas", sentence: "or of a let, kind: {sword:",
		ruleset: ruleOf(`#Input: k!: "sword" | "spear"
let: kind: "input.k"
output: n: kind: {sword: "1", spear: "2"}`), input: `{"k": "spear"}`, want: `{"n": 2}`},
	{chapter: "formulas", sentence: "A number or a truth value that never changes may stand without quotes",
		ruleset: ruleOf(`#Input: n: *1 | int
output: {mass: 20, heavy: true, n: "input.n"}`), want: `{"mass": 20, "heavy": true, "n": 1}`},
	{chapter: "formulas", sentence: "hits: \"hits\" shows the let or the die of that name",
		ruleset: ruleOf(`#Input: n!: int
let: hits: "input.n + 1"
output: hits: "hits"`), input: `{"n": 2}`, want: `{"hits": 3}`},
	{chapter: "formulas", sentence: "A list under the name of a use hands its outputs on",
		ruleset: `rules: b: {cite: "x", output: {harm: 3, made: true}}
` + ruleOf(`use: strike: rule: "b"
output: strike: ["harm", "made"]`), want: `{"harm": 3, "made": true}`},
	{chapter: "formulas", sentence: "in the input of a use and under next so does one under input, event, state or character",
		ruleset: `rules: b: {cite: "x", #Input: {skill!: int, damage!: int}, output: sum: "input.skill + input.damage"}
` + ruleOf(`#Input: {skill!: int, weapon!: {damage!: int}}
use: strike: {rule: "b", input: {input: ["skill"], "input.weapon": ["damage"]}}
output: strike: ["sum"]`), input: `{"skill": 2, "weapon": {"damage": 5}}`, want: `{"sum": 7}`},
	{chapter: "formulas", sentence: "{'harm': 1, 'luck': input.luck} makes a map",
		ruleset: ruleOf(`#Input: luck!: int
output: n: "{'harm': 1, 'luck': input.luck}['luck']"`), input: `{"luck": 4}`, want: `{"n": 4}`},
	{chapter: "formulas", sentence: "a key that is written out stands there once",
		ruleset: ruleOf(`output: n: "{'a': 1, 'a': 2}['a']"`), of: verdict, want: "duplicate-key"},
	{chapter: "formulas", sentence: "What goes over a map goes over its keys, by letters; keys are",
		ruleset: ruleOf(`#Input: marks: {[string]: int, head: *1 | int}
output: {given: "input.marks.map(k, input.marks[k])", made: "{'b': 1, 'a': 2}.map(k, k)"}`),
		input: `{"marks": {"leg": 4, "arm": 3}}`, want: `{"given": [3, 1, 4], "made": ["a", "b"]}`},
	{chapter: "formulas", sentence: "keys are compared and sorted by letters too, also where they are words of a choice",
		ruleset: ruleOf(`#Input: {of: {[#Grade]: int}, g!: #Grade}
output: {over: "input.of.map(k, k)", sorted: "sort(input.of.map(k, k))", from: "input.of.filter(k, k >= 'good').map(k, k)"}
output: {by: "input.of.map(k, k).sort_by(k, k)", word: "input.g >= 'good'"}`) + `#Grade: "poor" | "fair" | "good"`,
		input: `{"of": {"poor": 1, "good": 2, "fair": 3}, "g": "poor"}`,
		want: `{"over": ["fair", "good", "poor"], "sorted": ["fair", "good", "poor"], "from": ["good", "poor"],
			"by": ["fair", "good", "poor"], "word": false}`},
	{chapter: "formulas", sentence: "keys are compared and sorted by letters too, also where they are words of a choice",
		ruleset: ruleOf(`#Input: {of: {[#Grade]: int}, g!: #Grade}
output: from: "input.of.exists(k, k >= input.g)"`) + `#Grade: "poor" | "fair" | "good"`, of: verdict, want: "type"},
	{chapter: "formulas", sentence: "A let is a name for a formula: what is wrong in it counts only where its value is",
		ruleset: ruleOf(`#Input: n!: int
let: bad: "div_floor(1, input.n)"
output: n: "input.n == 0 ? 7 : bad"`), input: `{"n": 0}`, want: `{"n": 7}`},
	{chapter: "formulas", sentence: "needed, and so it is with the state of a fold",
		ruleset: ruleOf(`#Input: {n!: int, xs: [...int] & list.MaxItems(2)}
output: {first: "input.xs.fold(x, s, div_floor(1, input.n), 1)"}
output: {last: "input.xs.fold(x, s, 0, x == 1 ? div_floor(1, input.n) : x)"}`),
		input: `{"n": 0, "xs": [1, 2]}`, want: `{"first": 1, "last": 2}`},
	{chapter: "formulas", sentence: "needed, and so it is with the state of a fold",
		ruleset: ruleOf(`#Input: {n!: int, xs: [...int] & list.MaxItems(2)}
output: n: "input.xs.fold(x, s, div_floor(1, input.n), s + 1)"`), input: `{"n": 0, "xs": [2]}`, want: "failure a division"},
	{chapter: "formulas", sentence: "needed, and so it is with the state of a fold", // which of no elements is the start
		ruleset: ruleOf(`#Input: {n!: int, xs: [...int] & list.MaxItems(2)}
output: n: "input.xs.fold(x, s, div_floor(1, input.n), 1)"`), input: `{"n": 0, "xs": []}`, want: "failure a division"},
	{chapter: "formulas", sentence: "Of && and || a side that decides makes the other one count for nothing",
		ruleset: ruleOf(`#Input: n!: int
output: {no: "div_floor(1, input.n) > 0 && input.n > 0", yes: "input.n == 0 || div_floor(1, input.n) > 0"}`),
		input: `{"n": 0}`, want: `{"no": false, "yes": true}`},
	{chapter: "formulas", sentence: "also where that has no value", // the other side does not decide here
		ruleset: ruleOf(`#Input: {n!: int, m!: int}
output: no: "div_floor(1, input.n) > 0 && input.m > 0"`), input: `{"n": 0, "m": 1}`, want: "failure a division"},

	{chapter: "tables", sentence: "A table is a function of a key: keyed by strings, bands by the interval",
		ruleset: `tables: {
	arm: {cite: "x", gives: "harm", keyed: {axe: harm: 3, bow: harm: 2}}
	zone: {cite: "x", gives: "cost", bands: [{on: [1, 3], cost: 5}, {on: 4, cost: 6}]}
}
` + ruleOf(`#Input: {k!: string @key(arm), n!: int & >=1 & <=4}
output: {arm: "arm(input.k)", zone: "zone(input.n)"}`), input: `{"k": "bow", "n": 3}`, want: `{"arm": 2, "zone": 5}`},
	{chapter: "tables", sentence: "A key without a row has no value",
		ruleset: `tables: zone: {cite: "x", gives: "cost", bands: [{on: [1, 3], cost: 5}]}
` + ruleOf(`#Input: n!: int
output: n: "zone(input.n)"`), input: `{"n": 4}`, want: "failure a key"},
	{chapter: "tables", sentence: "nor has one beyond the ends of over", // though the last step is reached, and the first
		ruleset: `tables: step: {cite: "x", gives: "n", over: [0, 9], steps: [{from: 0, n: 1}, {from: 5, n: 2}]}
` + ruleOf(`#Input: n!: number
output: n: "step(input.n)"`), input: `{"n": 9}`, want: `{"n": 2}`},
	{chapter: "tables", sentence: "nor has one beyond the ends of over",
		ruleset: `tables: step: {cite: "x", gives: "n", over: [0, 9], steps: [{from: 0, n: 1}, {from: 5, n: 2}]}
` + ruleOf(`#Input: n!: number
output: n: "step(input.n)"`), input: `{"n": 9.5}`, want: "failure a key"},
	{chapter: "tables", sentence: "nor has one beyond the ends of over", // of bands, and of the rows of a chart
		ruleset: `tables: zone: {cite: "x", gives: "n", over: [0, 9], bands: [{on: [0, 5], n: 1}, {on: [6, 12], n: 2}]}
` + ruleOf(`#Input: n!: int
output: n: "zone(input.n)"`), input: `{"n": 11}`, want: "failure a key"},
	{chapter: "tables", sentence: "nor has one beyond the ends of over",
		ruleset: `tables: hurt: {cite: "x", over: [0, 9], columns: ["a"], rows: [{from: 0, cells: [1]}, {from: 5, cells: [2]}]}
` + ruleOf(`#Input: n!: int
output: n: "hurt(input.n, 'a')"`), input: `{"n": 11}`, want: "failure a key"},
	{chapter: "tables", sentence: "over: \"2d6\"",
		ruleset: `tables: step: {cite: "x", gives: "n", over: "2d6", steps: [{from: 0, n: 1}, {from: 5, n: 2}]}
` + ruleOf(`#Input: n!: int
output: n: "step(input.n)"`), input: `{"n": 1}`, want: "failure a key"},
	{chapter: "tables", sentence: "at 2 and at 12",
		ruleset: `tables: step: {cite: "x", gives: "n", over: "2d6", steps: [{from: 0, n: 1}, {from: 5, n: 2}]}
` + ruleOf(`#Input: n!: int
output: {low: "step(2)", high: "step(input.n)"}`), input: `{"n": 12}`, want: `{"low": 1, "high": 2}`},
	{chapter: "tables", sentence: "A column has one type; one fractional number makes it double",
		ruleset: `tables: arm: {cite: "x", gives: "mass", keyed: {axe: mass: 3, bow: mass: 0.5}}
` + ruleOf(`#Input: k!: string @key(arm)
output: mass: "arm(input.k) / 2"`), input: `{"k": "axe"}`, want: `{"mass": 1.5}`},
	{chapter: "tables", sentence: "Of steps it is the row with the greatest number that the key has reached (from)",
		ruleset: `tables: step: {cite: "x", gives: "n", steps: [{from: 0, n: 0}, {above: 3, n: 2}, {from: 3, n: 1}]}
` + ruleOf(`#Input: n!: int & >=0
output: {three: "step(input.n)", four: "step(input.n + 1)"}`), input: `{"n": 3}`, want: `{"three": 1, "four": 2}`},
	{chapter: "tables", sentence: "with carry: true a row says only what is other than in the row before",
		ruleset: `tables: step: {cite: "x", carry: true, steps: [{from: 0, a: 1, b: 5}, {from: 3, a: 2}]}
` + ruleOf(`#Input: n!: int & >=0
output: {a: "step(input.n).a", b: "step(input.n).b"}`), input: `{"n": 3}`, want: `{"a": 2, "b": 5}`},
	{chapter: "tables", sentence: "A chart of the book has a key for the row and one for the column",
		ruleset: `tables: harm: {cite: "x", columns: ["cut", "thrust"], rows: {mail: [1, 3], plate: [0, 2]}}
` + ruleOf(`#Input: {armor!: string @key(harm), attack!: string @key(harm.columns)}
output: hurt: "harm(input.armor, input.attack)"`), input: `{"armor": "mail", "attack": "thrust"}`, want: `{"hurt": 3}`},

	{chapter: "dice", sentence: "A die is an int, or a list of ints if it has a count",
		ruleset: ruleOf(`dice: {one: "d10", three: "3d6"}
output: {one: "one", three: "three"}`), faces: []int64{9, 4, 1, 6}, want: `{"one": 9, "three": [4, 1, 6]}`},
	{chapter: "dice", sentence: "Anything more is an int again, what the dice come to",
		ruleset: ruleOf(`dice: a: "4d6kh3 + 2"
output: a: "a"`), faces: []int64{4, 1, 6, 3}, want: `{"a": 15}`},
	{chapter: "dice", sentence: "What falls when a die explodes is added to it, or with into",
		ruleset: ruleOf(`dice: {sum: {die: 6, explode: on: "max"}, all: {die: 6, count: 2, explode: {on: 6, into: "dice"}}}
output: {sum: "sum", all: "all"}`), faces: []int64{6, 2, 3, 6, 5}, want: `{"sum": 8, "all": [3, 6, 5]}`},
	{chapter: "dice", sentence: "Such dice are given throw by throw: 10, 3, 8, 1, 10 explode into 10, 4, and that ten",
		ruleset: ruleOf(`dice: tens: {die: 10, count: 5, explode: {on: 10, into: "dice"}}
output: hits: "tens.count(f, f >= 8)"`), faces: []int64{10, 3, 8, 1, 10, 10, 4, 9}, want: `{"hits": 5}`},
	{chapter: "dice", sentence: "a roll that is thrown on more than 30 times has no value", // 30 times is not more
		ruleset: ruleOf(`dice: a: {die: 2, count: 1, explode: {on: 2, into: "dice"}}
output: sum: "sum(a)"`), faces: append(slices.Repeat([]int64{2}, 30), 1), want: `{"sum": 61}`},
	{chapter: "dice", sentence: "a roll that is thrown on more than 30 times has no value",
		ruleset: ruleOf(`dice: a: {die: 2, count: 1, explode: {on: 2, into: "dice"}}
output: sum: "sum(a)"`), faces: slices.Repeat([]int64{2}, 31), want: "failure an endless chain"},
	{chapter: "dice", sentence: "a roll that is thrown on more than 30 times has no value, unless times says where it",
		ruleset: ruleOf(`dice: a: {die: 2, explode: {on: 2, times: 1}}
output: a: "a"`), faces: []int64{2, 2}, want: `{"a": 4}`},
	{chapter: "dice", sentence: "Any other die that is rolled again or on has no value when it needs more than 1,000",
		ruleset: ruleOf(`dice: a: {die: 2, explode: on: 2}
output: a: "a"`), faces: append(slices.Repeat([]int64{2}, 999), 1), want: `{"a": 1999}`},
	{chapter: "dice", sentence: "Any other die that is rolled again or on has no value when it needs more than 1,000",
		ruleset: ruleOf(`dice: a: {die: 4, again: on: 1, explode: on: 4}
output: a: "a"`), faces: append(slices.Repeat([]int64{1, 4}, 500), 3), want: "failure an endless chain"},
	{chapter: "dice", sentence: "Dice of a series come to a list",
		ruleset: ruleOf(`dice: a: "2x 2d4kh1"
output: a: "a"`), faces: []int64{1, 3, 2, 2}, want: `{"a": [3, 2]}`},
	{chapter: "dice", sentence: "With more dice than \"most\" a die has no value",
		ruleset: ruleOf(`#Input: n!: int & >=0
dice: a: {die: 6, count: "input.n", most: 2}
output: all: "sum(a)"`), input: `{"n": 3}`, want: "failure too many dice"},
	{chapter: "dice", sentence: "it stands beside a count or times, for it bounds neither faces nor a pool",
		ruleset: ruleOf(`#Input: n!: int & >=2
dice: a: {die: "input.n", most: 4}
output: a: "a"`), of: verdict, want: "die-count"},
	{chapter: "dice", sentence: "it stands beside a count or times, for it bounds neither faces nor a pool",
		ruleset: ruleOf(`dice: a: {pool: [6, 6, 6], most: 2}
output: a: "sum(a)"`), of: verdict, want: "die-count"},
	{chapter: "dice", sentence: "A number that is written out for either is not greater",
		ruleset: ruleOf(`dice: a: {die: 6, count: 3, most: 2}
output: a: "sum(a)"`), of: verdict, want: "die-count"},
	{chapter: "dice", sentence: "A number that is written out for either is not greater",
		ruleset: ruleOf(`dice: a: {roll: "1d6", times: 3, most: 2}
output: a: "a"`), of: verdict, want: "die-count"},
	{chapter: "dice", sentence: "distinct is for several dice",
		ruleset: ruleOf(`dice: a: {die: 6, count: 1, distinct: true}
output: a: "sum(a)"`), of: verdict, want: "die-faces"},
	{chapter: "dice", sentence: "Neither has one with a negative count, times or repeat",
		ruleset: ruleOf(`#Input: {n!: int & <=2, of!: "count" | "times" | "repeat"}
dice: a: {die: 6, count: "input.of == 'count' ? input.n : 0", most: 2}
dice: b: {roll: "1d6", times: "input.of == 'times' ? input.n : 0", most: 2}
dice: c: {roll: "1d6", repeat: "input.of == 'repeat' ? input.n : 0"}
output: all: "sum(a) + b + sum(c)"`), input: `{"n": -1, "of": "repeat"}`, want: "failure a number of times"},
	{chapter: "dice", sentence: "Neither has one with a negative count, times or repeat", // nor has a number in the place of dice
		ruleset: `tables: arm: {cite: "x", gives: "harm", dice: ["harm"], keyed: {fist: harm: "2", foot: harm: "3"}}
` + ruleOf(`#Input: n!: int & <=2
dice: a: {roll: "arm('fist')", times: "input.n"}
output: a: "a"`), input: `{"n": -1}`, want: "failure a number of times"},
	{chapter: "dice", sentence: "Dice fall in the order in which the rule is written, top to bottom",
		ruleset: ruleOf(`dice: late: "d6"
dice: early: "d8"
output: {early: "early", late: "late"}`), faces: []int64{6, 8}, want: `{"early": 8, "late": 6}`},
	{chapter: "dice", sentence: "Those that nothing reads fall too: where one has no value nothing that is asked for has one",
		ruleset: ruleOf(`#Input: n!: int & >=0
dice: a: {die: 6, count: "input.n", most: 2}
output: b: "1"`), input: `{"n": 3}`, want: "failure too many dice"},
	{chapter: "dice", sentence: "where one has no value nothing that is asked for has one", // be it that it is thrown on without end
		ruleset: ruleOf(`dice: a: {die: 2, count: 1, explode: {on: 2, into: "dice"}}
output: b: "1"`), faces: slices.Repeat([]int64{2}, 31), want: "failure an endless chain"},
	{chapter: "dice", sentence: "also where a number stands in the place of dice",
		ruleset: `tables: few: {cite: "x", dice: ["harm"], keyed: {pin: harm: "1", pen: harm: "2"}}
` + ruleOf(`#Input: n!: int & <=3
dice: a: {roll: "few('pin').harm", times: "input.n"}
output: b: "1"`), input: `{"n": -1}`, want: "failure a number of times"},

	{chapter: "rules", sentence: "Each requirement that reads neither die nor use, in any form of its lets, is judged",
		ruleset: ruleOf(`#Input: n!: int
dice: a: "d6"
require: {"not by dice": "a > 9", "not by input": "input.n > 0"}
output: a: "a"`), input: `{"n": 0}`, want: "refused: not by input"},
	{chapter: "rules", sentence: "the first that does not hold refuses",
		ruleset: ruleOf(`#Input: n!: int
require: {"second": "input.n > 1", "first": "input.n > 2"}
output: n: "input.n"`), input: `{"n": 0}`, want: "refused: second"},
	{chapter: "rules", sentence: "What outputs of a use are when its condition is false stands in its otherwise",
		ruleset: `rules: b: {cite: "x", output: harm: 3}
` + ruleOf(`#Input: w!: bool
use: strike: {rule: "b", when: "input.w", otherwise: harm: 0}
output: harm: "strike.harm"`), input: `{"w": false}`, want: `{"harm": 0}`},
	{chapter: "rules", sentence: "A record that is the whole input of a use may have more than its rule asks for",
		ruleset: `rules: b: {cite: "x", #Input: n!: int & <=5, output: n: "input.n"}
` + ruleOf(`#Input: r!: {n!: int, m: *1 | int}
use: b: {rule: "b", input: "input.r"}
output: {n: "b.n", m: "input.r.m"}`), input: `{"r": {"n": 6}}`, want: "failure an input"},
	{chapter: "rules", sentence: "The first value of an option is its default, unless default",
		ruleset: `options: tie: {cite: "x", values: {made: "a", missed: "b"}}
` + ruleOf(`output: n: option: tie: {made: "1", missed: "2"}`), want: `{"n": 1}`},

	{chapter: "procedures", sentence: "A procedure begins with its start, which gives the state its values: what next",
		ruleset: `procedures: p: {cite: "x", #State: {a: *1 | int, b: *2 | int}, start: next: a: "5", ends: over: "state.a > 99"
	output: {a: "state.a", b: "state.b"}
	events: e: {doc: "x", next: b: "state.b"}}
`, want: `open {"a": 5, "b": 2}`},
	{chapter: "procedures", sentence: "and all of them read the state before the step",
		ruleset: `procedures: p: {cite: "x", #State: {a: *1 | int, b: *2 | int}, ends: over: "state.a > 99"
	output: {a: "state.a", b: "state.b"}
	events: e: {doc: "x", next: {a: "state.b", b: "state.a"}}}
`, events: []judge.Happening{{Event: "e"}}, want: `open {"a": 2, "b": 1}`},
	{chapter: "procedures", sentence: "What next does not name stays",
		ruleset: `procedures: p: {cite: "x", #State: {a: *1 | int, b: *2 | int}, ends: over: "state.a > 99"
	output: {a: "state.a", b: "state.b"}
	events: e: {doc: "x", next: a: "state.a + 1"}}
`, events: []judge.Happening{{Event: "e"}}, want: `open {"a": 2, "b": 2}`},
	{chapter: "procedures", sentence: "and the first that holds is the status",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, ends: {won: "state.a > 1", lost: "state.a > 0"}
	output: a: "state.a"
	events: e: {doc: "x", next: a: "state.a + 1"}}
`, want: `lost {"a": 1}`},
	{chapter: "procedures", sentence: "After an end no event is offered",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, ends: over: "state.a > 0", output: a: "state.a"
	events: e: {doc: "x", next: a: "state.a + 1"}}
`, events: []judge.Happening{{Event: "e"}}, want: "not offered: e"},
	{chapter: "procedures", sentence: "then its \"when\", then what comes with it",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, ends: over: "state.a > 9", output: a: "state.a"
	events: e: {doc: "x", when: "state.a > 1", #Event: n!: int, next: a: "event.n"}}
`, events: []judge.Happening{{Event: "e", Input: []byte(`{"n":"x"}`)}}, want: "not offered: e"},
	{chapter: "procedures", sentence: "a next value out of the bounds of its field, or that is no number or infinite, is an",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int & <=3, output: a: "state.a", ends: over: "state.a > 99"
	events: e: {doc: "x", next: a: "state.a + 5"}}
`, events: []judge.Happening{{Event: "e"}}, want: "misfit state.a"},
	{chapter: "procedures", sentence: "A next value that fails is told of before the outputs of the event",
		ruleset: `procedures: p: {cite: "x", #State: a: *0 | int, output: a: "state.a", ends: over: "state.a > 99"
	events: e: {doc: "x", next: a: "div_floor(1, state.a)", output: n: "size([1].slice(state.a, state.a - 1))"}}
`, events: []judge.Happening{{Event: "e"}}, want: "failure a division"},

	{chapter: "decisions", sentence: "a value outside of its bounds, or one that differs from the default",
		ruleset: ruleOf(`#Input: spend: *0 | int & >=0 & <=9
dice: roll: "d6"
decide: spend: {after: ["roll"], when: "roll > 1", least: 0, most: "roll"}
output: n: "roll + input.spend"`), input: `{"spend": 3}`, faces: []int64{4}, want: `{"n": 7}`},
	{chapter: "decisions", sentence: "a value outside of its bounds, or one that differs from the default",
		ruleset: ruleOf(`#Input: spend: *0 | int & >=0 & <=9
dice: roll: "d6"
decide: spend: {after: ["roll"], when: "roll > 1", least: 0, most: "roll"}
output: n: "roll + input.spend"`), input: `{"spend": 5}`, faces: []int64{4}, want: "refused: spend must be at most roll"},
	{chapter: "decisions", sentence: "a value outside of its bounds, or one that differs from the default",
		ruleset: ruleOf(`#Input: spend: *0 | int & >=0 & <=9
dice: roll: "d6"
decide: spend: {after: ["roll"], when: "roll > 1", least: 0, most: "roll"}
output: n: "roll + input.spend"`), input: `{"spend": 1}`, faces: []int64{1},
		want: "refused: spend is decided only when roll > 1"},

	{chapter: "sheets", sentence: "An int is written without a fraction, a double with a fraction or an exponent and no zero at",
		ruleset: ruleOf(`#Input: n!: int
output: {n: "input.n", d: "double(input.n)"}`), input: `{"n": 1}`, want: `{"n": 1, "d": 1.0}`},
	{chapter: "sheets", sentence: "A number that is none, or infinite, cannot stand there: the output fails",
		ruleset: ruleOf(`#Input: d!: number
output: d: "input.d * 1e300"`), input: `{"d": 1e300}`, want: "failure"},
	{chapter: "sheets", sentence: "A sheet with a failed output is an error",
		ruleset: ruleOf(`#Input: n!: int
output: {n: "input.n", bad: "div_floor(1, input.n)"}`), input: `{"n": 0}`, want: "failure a division"},

	{chapter: "refusals", sentence: "The first of these is told: a character or an input that is not JSON or does not",
		ruleset: ruleOf(`#Input: {n!: int, m!: int & <=3}
require: never: "input.n > 5"
output: n: "input.m"`), input: `{"n": 1, "m": 4}`, want: "misfit input.m"},
	{chapter: "refusals", sentence: "Of requirements the first that does not hold refuses, with its message",
		ruleset: ruleOf(`#Input: n!: int
require: {one: "input.n > 5", two: "input.n > 6"}
output: n: "input.n"`), input: `{"n": 6}`, want: "refused: two"},
	{chapter: "refusals", sentence: "those of what is embedded stand where it is",
		ruleset: "_kept: require: kept: \"input.n > 5\"\n" + ruleOf(`#Input: n!: int
_kept
require: own: "input.n > 6"
output: n: "input.n"`), input: `{"n": 5}`, want: "refused: kept"},
	{chapter: "refusals", sentence: "Of several formulas without a value the first in the order of the rule is told of",
		ruleset: ruleOf(`#Input: n!: int
output: {a: "size([1].slice(input.n, input.n - 1))", b: "div_floor(1, input.n)"}`),
		input: `{"n": 0}`, want: "failure an index"},
	{chapter: "refusals", sentence: "Of several formulas without a value the first in the order of the rule is told of, and outputs " +
		"in theirs, be it that one has no value or that its number is none or infinite; of one output, a part without a value",
		ruleset: `rules: b: {cite: "x", #Input: {n!: int, d!: number}, output: {d: "input.d * 1e300", n: "div_floor(1, input.n)"}}
` + ruleOf(`#Input: {n!: int, d!: number}
use: b: {rule: "b", each: i: "[1]", input: {n: "input.n", d: "input.d"}}
output: all: "b"`), input: `{"n": 0, "d": 1e300}`, want: "failure a division"},
	{chapter: "refusals", sentence: "A die that cannot fall, as one of no faces, is told of behind its formulas",
		ruleset: ruleOf(`#Input: n!: int & <=9
dice: pool: {die: "input.n", count: "max(0, min(3, div_floor(1, input.n)))"}
output: n: "sum(pool)"`), input: `{"n": 0}`, want: "failure a division"},

	{chapter: "decisions", sentence: "A field of #Input or #Event may be decided when dice have fallen",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, output: a: "state.a", ends: over: "state.a > 99"
	events: e: {doc: "x", #Event: spend: *0 | int & >=0 & <=9, dice: roll: "d6", next: a: "roll + event.spend"
		decide: spend: {after: ["roll"], least: 0, most: "roll"}}}
`, events: []judge.Happening{{Event: "e", Input: []byte(`{"spend": 3}`)}}, faces: []int64{4}, want: `open {"a": 7}`},
	{chapter: "decisions", sentence: "Its bounds read the dice, and no die that falls before may depend on it",
		ruleset: ruleOf(`#Input: spend: *0 | int & >=0 & <=9
dice: early: {die: "6 + input.spend"}, dice: roll: "d6"
decide: spend: {after: ["roll"], least: 0, most: "roll"}
output: n: "roll + input.spend + early"`), of: verdict, want: "decision-order"},
	{chapter: "decisions", sentence: "A decision is judged after the dice and uses that it follows and all above them",
		ruleset: ruleOf(`#Input: spend: *0 | int & >=0 & <=9
dice: roll: "d6"
decide: spend: {after: ["roll"], least: 0, most: "roll"}
dice: late: {die: 6, count: "input.spend", most: 2}
output: n: "roll + sum(late)"`), input: `{"spend": 5}`, faces: []int64{4}, want: "refused: spend must be at most roll"},
	{chapter: "dice", sentence: "Dice may be data: a column of notation, listed under dice of its table",
		ruleset: `tables: arm: {cite: "x", dice: ["harm"], keyed: {axe: harm: "2d6 + 3", bow: harm: "1"}}
` + ruleOf(`dice: a: {roll: "arm('axe').harm", times: 2, plus: {roll: "1d6", times: 1}}
output: a: "a"`), faces: []int64{1, 2, 3, 4, 5}, want: `{"a": 18}`},
	{chapter: "dice", sentence: "A die that is written as a struct may be rolled again or on: on certain faces",
		ruleset: ruleOf(`#Input: lucky!: bool
dice: a: {die: 20, again: {on: 1, once: true, when: "input.lucky"}}
output: a: "a"`), input: `{"lucky": true}`, faces: []int64{1, 1}, want: `{"a": 1}`},
	{chapter: "dice", sentence: "Other dice have faces that are listed, or the rows of a table, or are a pool",
		ruleset: `tables: pip: {cite: "x", bands: [{on: [1, 2], good: 0}, {on: 3, good: 5}]}
` + ruleOf(`dice: {few: {faces: [0, 0, 2], count: 2}, row: {faces: "pip", count: 2}, mixed: {pool: [6, 8]}}
output: {listed: "sum(few)", rows: "row.sum(r, r.good)", mixed: "mixed"}`), faces: []int64{0, 2, 2, 3, 6, 8},
		want: `{"listed": 2, "rows": 5, "mixed": [6, 8]}`},
	{chapter: "dice", sentence: "zero is what a printed 0 or 00 means",
		ruleset: ruleOf(`dice: a: {die: 10, zero: 10}
output: a: "a"`), faces: []int64{0}, want: `{"a": 10}`},
	{chapter: "dice", sentence: "Where faces are listed, again and explode go by what they show, and an exploding die",
		ruleset: ruleOf(`dice: a: {faces: [0, 0, 1, 2], explode: on: "max"}
output: a: "a"`), faces: []int64{2, 2, 1}, want: `{"a": 5}`},
	{chapter: "dice", sentence: "Faces are drawn from a stream of ChaCha8", // computed by a third program from the text alone
		ruleset: ruleOf(`dice: a: "3d1000"
output: a: "a"`), of: drawn, want: `{"a": [988, 748, 729]}`},
	{chapter: "dice", sentence: "Of each word x of the stream a face below n is the upper half of the 128-bit product",
		ruleset: ruleOf(`dice: a: "2d6"
output: a: "a"`), of: drawn, want: `{"a": [6, 5]}`},
	{chapter: "dice", sentence: "Each face counts as many times as its weight says",
		ruleset: ruleOf(`dice: a: {die: 2, weights: [1, 3]}
output: a: "a"`), of: chances, want: `1/4 {"a":1}; 3/4 {"a":2}`},
	{chapter: "dice", sentence: "a card that has fallen is dropped when it is drawn again",
		ruleset: ruleOf(`dice: a: {die: 2, count: 2, distinct: true}
output: all: "sum(a)"`), of: drawn, want: `{"all": 3}`},
	{chapter: "dice", sentence: "of those that are alike the first that is left falls", // the words choose the cards 4, 3, 3, 2
		ruleset: ruleOf(`dice: a: {faces: [5, 1, 5, 9], count: 3, distinct: true}
output: a: "a"`), of: drawn, want: `{"a": [9, 5, 5]}`},
	{chapter: "dice", sentence: "Distinct dice are the cards of a deck, as many of a face as faces or weights say", // 2 of 4 * 3 ways
		ruleset: ruleOf(`dice: a: {faces: [2, 0, 2, 1], count: 2, distinct: true}
output: same: "a[0] == a[1]"`), of: chances, want: `5/6 {"same":false}; 1/6 {"same":true}`},
	{chapter: "dice", sentence: "Distinct dice are the cards of a deck, as many of a face as faces or weights say",
		ruleset: ruleOf(`dice: a: {die: 2, weights: [1, 2], count: 3, distinct: true}
output: last: "a[2]"`), of: chances, want: `1/3 {"last":1}; 2/3 {"last":2}`},

	{chapter: "formulas", sentence: "Nothing depends on itself, and a procedure does one bounded step for each event",
		ruleset: ruleOf(`let: {one: "two + 1", two: "one + 1"}
output: n: "one"`), of: verdict, want: "cycle"},
	{chapter: "functions", sentence: "The first number to the power of the second",
		ruleset: ruleOf(`#Input: {x!: int, n!: int}
output: {of: "pow(input.x, input.n)", next: "pow(input.x, input.n + 1)"}`), input: `{"x": -1, "n": 123457}`,
		want: `{"of": -1, "next": 1}`},
	{chapter: "functions", sentence: "All numbers of a list together, added one after the other to 0",
		ruleset: ruleOf(`#Input: x!: number
output: {sum: "sum([input.x])", each: "[1, 2].sum(n, n * input.x)"}`), input: `{"x": -0.0}`,
		want: `{"sum": 0.0, "each": 0.0}`},

	{chapter: "odds", sentence: "Odds are exact: an answer is as likely as the ways in which the dice can fall to it",
		ruleset: ruleOf(`dice: a: "2d3"
output: high: "sum(a) > 4"`), of: chances, want: `2/3 {"high":false}; 1/3 {"high":true}`},
	{chapter: "odds", sentence: "What is refused and what fails is told apart from the outputs, and all of them come",
		ruleset: ruleOf(`dice: a: "d4"
require: "not 4": "a < 4"
output: n: "div_floor(2, a - 1)"`), of: chances, want: `1/4 failure a division; 1/4 refused: not 4; 1/4 {"n":1}; 1/4 {"n":2}`},
	{chapter: "odds", sentence: "Equal answers are one: -0.0 counts as 0.0",
		ruleset: ruleOf(`dice: a: "d3"
output: n: "double(a - 2) * 0.0"`), of: chances, want: `1/1 {"n":0.0}`},
	{chapter: "odds", sentence: "Exact odds are those of the choice that is given, or of the default, whatever falls",
		ruleset: ruleOf(`#Input: spend: *0 | int & >=0 & <=9
dice: roll: "d2"
decide: spend: {after: ["roll"], least: 0, most: "roll"}
output: n: "roll + input.spend"`), input: `{"spend": 1}`, of: chances, want: `1/2 {"n":2}; 1/2 {"n":3}`},
	{chapter: "odds", sentence: "Of a procedure a policy says which event happens: the first of its moves that is",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, output: a: "state.a", ends: over: "state.a > 3"
	events: never: {doc: "x", when: "state.a > 90", next: a: "9"}
	events: e: {doc: "x", dice: roll: "d2", next: a: "state.a + roll"}}
`, events: []judge.Happening{{Event: "never"}, {Event: "e"}}, of: course, want: "1/4 open; 3/4 over"},
	{chapter: "odds", sentence: "A state in which no event of the policy can happen is stuck, also behind the last event",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, output: a: "state.a", ends: over: "state.a > 9"
	events: e: {doc: "x", when: "state.a < 3", dice: roll: "d2", next: a: "state.a + roll"
		require: "no 2": "state.a + roll < 4"}}
`, events: []judge.Happening{{Event: "e"}}, of: course, want: "1/4 refused; 3/4 stuck"},
	{chapter: "odds", sentence: "is stuck, also behind the last event that is followed, of which nothing is judged but whether",
		ruleset: `procedures: p: {cite: "x", #State: a: *0 | int, output: a: "state.a", ends: over: "state.a > 9"
	events: e: {doc: "x", when: "state.a < 9", dice: roll: "d2"
		next: a: "div_floor(roll, 2 - state.a) > 0 ? state.a + 1 : 9"}}
`, events: []judge.Happening{{Event: "e"}}, of: course, want: "1/2 open; 1/2 stuck"},
	{chapter: "odds", sentence: "is stuck, also behind the last event that is followed, of which nothing is judged but whether",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, output: a: "state.a", ends: over: "state.a > 9"
	events: e: {doc: "x", when: "div_floor(6, 3 - state.a) > 0", next: a: "state.a + 1"}}
`, events: []judge.Happening{{Event: "e"}}, of: course, want: "failure a division"},
	{chapter: "odds", sentence: "and a next state or character beyond its bounds as outgrown, be it that a number is none",
		ruleset: `procedures: p: {cite: "x", #State: d: *1.0 | number, output: d: "state.d", ends: over: "state.d > 9.0"
	events: e: {doc: "x", dice: roll: "d4"
		next: d: "roll > 3 ? 1e300 * 1e300 : roll > 2 ? 1e300 * 1e300 - 1e300 * 1e300 : 2.0"}}
`, events: []judge.Happening{{Event: "e"}}, of: course, want: "1/4 open; 3/4 outgrown"},
	{chapter: "odds", sentence: "A state beyond its bounds with which the procedure starts is an error",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int & <=1, output: a: "state.a", ends: over: "state.a > 9"
	start: {dice: roll: "d2", next: a: "roll"}
	events: e: {doc: "x", next: a: "1"}}
`, events: []judge.Happening{{Event: "e"}}, of: course, want: "misfit state.a"},
	{chapter: "odds", sentence: "A course goes from state to state: it asks for no outputs of events, so none of them fails",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, output: a: "state.a", ends: over: "state.a > 3"
	events: e: {doc: "x", dice: roll: "d2", output: part: "div_floor(6, roll - 1)", next: a: "state.a + roll"}}
`, events: []judge.Happening{{Event: "e"}}, of: course, want: "1/4 open; 3/4 over"},
	{chapter: "odds", sentence: "what an event is refused with ends the course as refused, and a next state or character beyond",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int & <=3, output: a: "state.a", ends: over: "state.a > 9"
	events: e: {doc: "x", dice: roll: "d2", next: a: "state.a + roll"}}
`, events: []judge.Happening{{Event: "e"}}, of: course, want: "1/4 open; 3/4 outgrown"},
	{chapter: "odds", sentence: "what an event is refused with ends the course as refused, and a next state or character beyond",
		ruleset: `#Character: {grace: *5 | int & >=0 & <=9, worn: *0 | int & >=0 & <=grace}
procedures: p: {cite: "x", #State: a: *0 | int, output: a: "state.a", ends: over: "state.a > 1"
	events: e: {doc: "x", dice: roll: "d4", next: {a: 2, "character.grace": "roll"}}}
`, character: `{"worn": 2}`, events: []judge.Happening{{Event: "e"}}, of: course, want: "1/4 outgrown; 3/4 over"},

	{chapter: "procedures", sentence: "Then events happen",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, output: a: "state.a", ends: over: "state.a > 99"
	events: e: {doc: "x", next: a: "state.a * 3"}}
`, events: []judge.Happening{{Event: "e"}, {Event: "e"}}, want: `open {"a": 9}`},
	{chapter: "procedures", sentence: "An event is a body like that of a rule",
		ruleset: `rules: b: {cite: "x", output: harm: 3}
procedures: p: {cite: "x", #State: a: *1 | int, output: a: "state.a", ends: over: "state.a > 99"
	events: e: {doc: "x", dice: roll: "d6", use: strike: rule: "b", let: all: "roll + strike.harm", next: a: "all"
		require: "x": "roll < 6"}}
`, events: []judge.Happening{{Event: "e"}}, faces: []int64{6}, want: "refused: x"},
	{chapter: "procedures", sentence: "A procedure does one bounded step for each event",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, output: a: "state.a", ends: over: "state.a > 99"
	events: e: {doc: "x", next: a: "state.a + 1"}}
`, events: []judge.Happening{{Event: "e"}}, want: `open {"a": 2}`},
	{chapter: "procedures", sentence: "The ends and the outputs of the procedure are judged after the start",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, output: a: "div_floor(4, state.a - 2)"
	ends: over: "state.a > 99"
	events: e: {doc: "x", next: a: "state.a + 1"}}
`, events: []judge.Happening{{Event: "e"}}, want: "failure a division"},

	{chapter: "refusals", sentence: "Of an event the end comes first, then its guard, then what comes with it, then",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int & <5, output: a: "state.a", ends: over: "state.a > 99"
	events: e: {doc: "x", #Event: n!: int, require: "x": "event.n < 0", next: a: "9"}}
`, events: []judge.Happening{{Event: "e", Input: []byte(`{"n": 1}`)}}, want: "refused: x"},
	{chapter: "refusals", sentence: "That a string is a key of a map of the character is a requirement too",
		ruleset: `#Character: skills: [string]: int
` + ruleOf(`#Input: skill!: string @key(character.skills)
require: never: "size(input.skill) > 9"
output: n: "character.skills[input.skill]"`), character: `{"skills": {"climb": 3}}`, input: `{"skill": "swim"}`,
		want: "refused: input.skill must be a key of character.skills"},

	{chapter: "rules", sentence: "Outputs come last",
		ruleset: ruleOf(`output: n: "div_floor(1, a - 1)"
dice: a: "d6"
require: "not 1": "a > 1"`), faces: []int64{1}, want: "refused: not 1"},
	{chapter: "rules", sentence: "The input of a use is judged field by field, in the order in which its rule declares",
		ruleset: `rules: b: {cite: "x", #Input: {n!: int & <=5, m!: int}, output: n: "input.n + input.m"}
` + ruleOf(`#Input: n!: int
use: b: {rule: "b", input: {m: "div_floor(1, input.n - 6)", n: "input.n"}}
output: n: "b.n"`), input: `{"n": 6}`, want: "failure an input"},
	{chapter: "rules", sentence: "What falls in the second use of such a list is strike[1].roll",
		ruleset: `rules: b: {cite: "x", dice: roll: "d6", output: n: "roll"}
` + ruleOf(`use: strike: {rule: "b", each: x: "[1, 2]"}
output: n: "strike.map(s, s.n)"`), faces: []int64{5, 6}, of: sheet,
		want: `{"ruleset": "game", "revision": "", "rule": "a", "options": {},
			"dice": {"strike[0].roll": [5], "strike[1].roll": [6]}, "output": {"n": [5, 6]}}`},
	{chapter: "rules", sentence: "Definitions that repeat themselves are made by CUE, which the program sees through",
		ruleset: ruleOf(`#Input: {body!: int, mind!: int}
output: {for name in ["body", "mind"] {"\(name)_total": "1 + input.\(name)"}}`), input: `{"body": 2, "mind": 3}`,
		want: `{"body_total": 3, "mind_total": 4}`},
	{chapter: "rules", sentence: "@cite(\"Combat\"), among the declarations of a file or a struct, is the cite",
		ruleset: "@cite(\"Combat\")\nrules: a: output: n: 1\n", want: `{"n": 1}`},
	{chapter: "rules", sentence: "At the head of one definition, or of",
		ruleset: "rules: a: {@cite(\"Combat, Striking a blow\")\n\toutput: n: 1\n}\n", want: `{"n": 1}`},

	{chapter: "ruleset", sentence: "A ruleset is a package of CUE that embeds schema.#Ruleset",
		ruleset: ruleOf(`output: n: 1, outputs: n: 2`), of: verdict, want: "unknown-field"},
	{chapter: "ruleset", sentence: "Formulas are CEL in strings of CUE",
		ruleset: ruleOf(`output: n: "1 + 2 * 3"`), want: `{"n": 7}`},

	{chapter: "sheets", sentence: "A sheet has the ruleset, its revision, the rule, the options that differ",
		ruleset: `options: tie: {cite: "x", values: {made: "a", missed: "b"}}
` + ruleOf(`dice: {one: "d6", two: "2d6"}
output: n: "one + sum(two)"
output: m: option: tie: {made: "1", missed: "2"}`),
		options: map[string]string{"tie": "missed"}, faces: []int64{1, 2, 3}, of: sheet,
		want: `{"ruleset": "game", "revision": "", "rule": "a", "options": {"tie": "missed"}, "dice": {"one": [1], "two": [2, 3]},
			"output": {"n": 6, "m": 2}}`},
	{chapter: "sheets", sentence: "Where only some outputs are asked for, only those count; which dice fall stays the",
		ruleset: ruleOf(`dice: {one: "d6", two: "d6"}
output: {n: "one", bad: "div_floor(1, two - 2)"}`), outputs: []string{"n"}, faces: []int64{1, 2}, of: sheet,
		want: `{"ruleset": "game", "revision": "", "rule": "a", "options": {},
			"dice": {"one": [1], "two": [2]}, "output": {"n": 1}}`},
	{chapter: "sheets", sentence: "The sheet of a procedure has the character as it is now, the input, the events that",
		ruleset: `#Character: might: *1 | int
procedures: p: {cite: "x", #Input: k!: int, #State: a: *1 | int, output: a: "state.a", ends: over: "state.a > 99"
	events: e: {doc: "x", #Event: n!: int, dice: roll: "d6", output: r: "roll"
		next: {a: "roll + event.n", "character.might": 8}}}
`, input: `{"k": 5}`, events: []judge.Happening{{Event: "e", Input: []byte(`{"n": 3}`)}}, faces: []int64{4}, of: sheet,
		want: `{"ruleset": "game", "revision": "", "procedure": "p", "options": {},
			"character": {"might": 8}, "input": {"k": 5}, "dice": {},
			"events": [{"event": "e", "input": {"n": 3}, "dice": {"roll": [4]}, "output": {"r": 4}}],
			"state": {"a": 7}, "status": "open", "output": {"a": 7}}`},
	{chapter: "sheets", sentence: "An output may say how people read it, in JSON it stays as it is",
		ruleset: ruleOf(`#Input: steps!: int
output: speed: "input.steps * 0.7" @decimals(1)`), input: `{"steps": 3}`, want: `{"speed": 2.0999999999999996}`},
	{chapter: "sheets", sentence: "Beside the values stand sentences of the author, on which no answer hangs",
		ruleset: `words: n: {label: "number", unit: "hit|hits"}
` + ruleOf(`#Input: n!: int
headline: "{n} {n|hit|hits}"
say:      "As it was given."
output: n: "input.n"`), input: `{"n": 2}`, want: `{"n": 2}`},

	{chapter: "tables", sentence: "A column may be a key of another table, keyed: [string]: skill: string @key(skill),",
		ruleset: `tables: {
	skill: {cite: "x", gives: "cost", keyed: {aim: cost: 4, cut: cost: 7}}
	arm: {cite: "x", keyed: [string]: skill: string @key(skill), keyed: {axe: skill: "cut", bow: skill: "aim"}}
}
` + ruleOf(`#Input: arm!: string @key(arm)
output: n: "skill(arm(input.arm).skill)"`), input: `{"arm": "axe"}`, want: `{"n": 7}`},
	{chapter: "tables", sentence: "Of a chart all cells are: rows: [string]: [...string] @key(skill)",
		ruleset: `tables: {
	skill: {cite: "x", gives: "cost", keyed: {aim: cost: 4, cut: cost: 7}}
	way: {cite: "x", columns: ["day", "night"], rows: [string]: [...string] @key(skill), rows: {wall: ["cut", "aim"]}}
}
` + ruleOf(`#Input: time!: string @key(way.columns)
output: n: "skill(way('wall', input.time))"`), input: `{"time": "night"}`, want: `{"n": 4}`},
	{chapter: "tables", sentence: "The row of a chart is looked up before the key of the column is computed",
		ruleset: `tables: harm: {cite: "x", columns: [1, 2], rows: [{on: 1, cells: [1, 3]}, {on: 4, cells: [0, 2]}]}
` + ruleOf(`#Input: r!: int
output: n: "harm(input.r, div_floor(2, input.r - 3))"`), input: `{"r": 3}`, want: "failure a key"},
	{chapter: "tables", sentence: "Keys are strings, or numbers and bands, or steps",
		ruleset: `tables: harm: {cite: "x", columns: [{from: 0}, {above: 5}],
	rows: [{on: [1, 3], cells: [1, 3]}, {on: 4, cells: [0, 2]}]}
` + ruleOf(`#Input: {r!: int & >=1 & <=4, c!: int & >=0}
output: n: "harm(input.r, input.c)"`), input: `{"r": 2, "c": 6}`, want: `{"n": 3}`},

	{chapter: "values", sentence: "Types are int, double, bool, string, list, map and record; an int or a string may",
		ruleset: ruleOf(`#Input: size!: 4 | 6 | 8
output: n: "input.size"`), input: `{"size": 5}`, want: "misfit input.size"},
	{chapter: "values", sentence: "Parameters of functions have any type",
		ruleset: `#Character: might!: int
tables: arm: {cite: "x", keyed: {axe: harm: 3, bow: harm: 2}}
functions: f: {cite: "x", params: {w: "arm", who: "character", n: "list(int)", m: "map(int)", r: "{a: int}"}
	expr: "w.harm + who.might + sum(n) + m['k'] + r.a"}
` + ruleOf(`#Input: r!: {a!: int}
output: n: "f(arm('axe'), character, [10, 20], {'k': 100}, input.r)"`),
		character: `{"might": 1000}`, input: `{"r": {"a": 10000}}`,
		want: `{"n": 11133}`},
	{chapter: "values", sentence: "Every list has a bound: list.MaxItems(8), or the most of a die",
		ruleset: ruleOf(`#Input: xs!: [...int] & list.MaxItems(2)
output: n: "sum(input.xs)"`), input: `{"xs": [1, 2, 3]}`, want: "misfit input.xs"},
	{chapter: "values", sentence: "In *\"good\" | #Grade | \"best\" a word of #Grade stands where #Grade has it, any",
		ruleset: `#Grade: "poor" | "good" | "fine"
` + ruleOf(`#Input: w: *"good" | #Grade | "best"
output: {poor: "input.w > 'poor'", best: "'best' > input.w", fine: "input.w < 'fine'"}`),
		want: `{"poor": true, "best": true, "fine": true}`},
	{chapter: "values", sentence: "A hidden field that reads other fields and that nothing reads",
		ruleset: ruleOf(`#Input: {low: *1 | int, high: *2 | int, _ok: true & (low <= high)}
output: n: "input.low + input.high"`), of: verdict, want: "cannot-lower"},
	{chapter: "values", sentence: "What #Input, #State, #Event and #Character may hold, in CUE",
		ruleset: `#Character: {body_max: *9 | int, body!: int & >=0 & <=body_max}
` + ruleOf(`#Input: {bonus: *0 | int & >=-5 & <=5, harms: [("fire" | "cold")]: int}
output: n: "character.body + input.bonus + size(input.harms)"`),
		character: `{"body": 10}`, input: `{"harms": {"fire": 3}}`,
		want: "misfit character.body"},
	{chapter: "values", sentence: "Attributes of fields say how people are asked for them, and change no answer",
		ruleset: ruleOf(`#Input: n: *0 | int & >=0 @steps(5, 0, 20) @primary(1) @group(surroundings)
output: n: "input.n"`), input: `{"n": 3}`, want: `{"n": 3}`},
}

// heldElsewhere are sentences about commands, which no ruleset shows: a file, and words of it that hold the sentence.
var heldElsewhere = []struct{ chapter, sentence, file, words string }{
	{"decisions", "\"rules play\" asks for the field at that point", "golden/ask_test.go", "func TestDecisions("},
	{"formulas", "What a formula may read", "golden/judge/generated_test.go", "func TestGenerated("},
	{"odds", "\"rules help odds\" has the rest", "cmd/rules/odds.go", "dice that explode without end"},
	{"sheets", "It is also what the procedure goes on from", "golden/judge/generated_test.go", "func playInParts("},
}
