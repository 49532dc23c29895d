package diag

import "github.com/tabletop-rules/rules/runtime/dice"

// checkPages are the entries of what resolve and check report.
var checkPages = []Page{
	{
		Code: "choice-incomplete", Severity: Error,
		Text: "A formula by an option or an enum needs an expression for every value, so that no ruling is left without a meaning.",
		Bad: `options: stance: {
	cite:    "Stances"
	default: "open"
	values: {open: "without a guard", closed: "behind a guard"}
}
rules: strike: {
	cite: "Strikes"
	output: chance: {by: "option.stance", is: {open: "character.strength + 5"}}
}`,
		Good: `options: stance: {
	cite:    "Stances"
	default: "open"
	values: {open: "without a guard", closed: "behind a guard"}
}
rules: strike: {
	cite: "Strikes"
	output: chance: {by: "option.stance", is: {open: "character.strength + 5", closed: "character.strength"}}
}`,
	},
	{
		Code: "choice-open", Severity: Error,
		Text: "A formula chooses by an option, or by a string whose values are written out in its type. Nothing else has a complete list of values.",
		Bad: `rules: strike: {
	cite: "Strikes"
	output: chance: {by: "character.strength", is: {"1": "5", "2": "10"}}
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	output: chance: "character.strength == 1 ? 5 : 10"
}`,
	},
	{
		Code: "choice-value", Severity: Error,
		Text: "A formula by an option or an enum has an expression for a value that there is not.",
		Bad: `options: stance: {
	cite:    "Stances"
	default: "open"
	values: {open: "without a guard", closed: "behind a guard"}
}
rules: strike: {
	cite: "Strikes"
	output: chance: {by: "option.stance", is: {open: "character.strength + 5", closed: "character.strength", shut: "0"}}
}`,
		Good: `options: stance: {
	cite:    "Stances"
	default: "open"
	values: {open: "without a guard", closed: "behind a guard"}
}
rules: strike: {
	cite: "Strikes"
	output: chance: {by: "option.stance", is: {open: "character.strength + 5", closed: "character.strength"}}
}`,
	},
	{
		Code: "cycle", Severity: Error,
		Text: "A definition depends on itself, directly or through others. Rules, functions, traits, and the names of a body must come to an end.",
		Bad: `rules: strike: {
	cite: "Strikes"
	output: {
		chance: "bonus + 5"
		bonus:  "chance - character.strength"
	}
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	output: {
		chance: "bonus + 5"
		bonus:  "10 - character.strength"
	}
}`,
	},
	{
		Code: "dice-notation", Severity: Error,
		Text: `What is written is no dice notation, from the character on where the problem is. d10 is a face, 3d6 the list of the faces, and
anything more an int, what the dice come to:

` + dice.Help + `
The modifiers of a group stand in this order: again, explode, keep, count. The faces on which a die that is written as a
struct is rolled again or explodes are a number or a comparison: 6, "<=2", ">=9".`,
		Bad: `rules: strike: {
	cite: "Strikes"
	dice: best: "4d6kh"
	output: total: "best + character.strength"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	dice: best: "4d6kh3"
	output: total: "best + character.strength"
}`,
	},
	{
		Code: "die-count", Severity: Error,
		Text: "That many dice cannot be rolled, or not all with different faces.",
		Bad: `rules: strike: {
	cite: "Strikes"
	dice: drawn: {die: 4, count: 5, distinct: true}
	output: cards: "sort(drawn)"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	dice: drawn: {die: 4, count: 3, distinct: true}
	output: cards: "sort(drawn)"
}`,
	},
	{
		Code: "die-faces", Severity: Error,
		Text: "A die has at least two faces. It is rolled again and explodes on faces that it has, and not on all of them, for then it would never stop. Faces that all differ are not rolled again.",
		Bad: `rules: strike: {
	cite: "Strikes"
	dice: roll: {die: 6, count: 2, explode: on: 10}
	output: total: "sum(roll)"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	dice: roll: {die: 10, count: 2, explode: on: 10}
	output: total: "sum(roll)"
}`,
	},
	{
		Code: "echo", Severity: Warn,
		Text: "A rule whose outputs only repeat its input computes nothing. (One that each walks may: so lists of records are made.)",
		Bad: `rules: strike: {
	cite: "Strikes"
	#Input: damage!: int
	output: damage: "input.damage"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	#Input: damage!: int
	output: damage: "max(0, input.damage - character.strength)"
}`,
	},
	{
		Code: "enum-value", Severity: Error,
		Text: "A string is compared with, or given as, a value that it can never have.",
		Bad: `options: stance: {
	cite:    "Stances"
	default: "open"
	values: {open: "without a guard", closed: "behind a guard"}
}
rules: strike: {
	cite: "Strikes"
	output: chance: "option.stance == 'opne' ? 5 : character.strength"
}`,
		Good: `options: stance: {
	cite:    "Stances"
	default: "open"
	values: {open: "without a guard", closed: "behind a guard"}
}
rules: strike: {
	cite: "Strikes"
	output: chance: "option.stance == 'open' ? 5 : character.strength"
}`,
	},
	{
		Code: "inexact-rounding", Severity: Error,
		Text: "A fraction such as 0.29 has no exact double, so the rounded product can be one less than the book says: floor(100 * 0.29) is 28. Integers are exact.",
		Bad: `rules: strike: {
	cite: "Strikes"
	output: chance: "floor(character.strength * 0.29)"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	output: chance: "div_floor(29 * character.strength, 100)"
}`,
	},
	{
		Code: "integer-division", Severity: Error,
		Text: "The quotient of two integers is a ruling on the remainder, and the formula has to say which.",
		Bad: `rules: strike: {
	cite: "Strikes"
	output: half: "character.strength / 2"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	output: half: "div_floor(character.strength, 2)"
}`,
	},
	{
		Code: "missing-input", Severity: Error,
		Text: "A used rule asks for more than it is given. Fields with a default or a question mark may be left out.",
		Bad: `rules: test: {
	cite: "Tests"
	#Input: bonus!: int
	dice: roll: "d20"
	output: success: "roll <= character.strength + input.bonus"
}
rules: strike: {
	cite: "Strikes"
	use: test: rule: "test"
	output: hits: "test.success"
}`,
		Good: `rules: test: {
	cite: "Tests"
	#Input: bonus!: int
	dice: roll: "d20"
	output: success: "roll <= character.strength + input.bonus"
}
rules: strike: {
	cite: "Strikes"
	use: test: {rule: "test", input: bonus: "2"}
	output: hits: "test.success"
}`,
	},
	{
		Code: "name-hidden", Severity: Error,
		Text: "The variable of a macro hides a name that can be read there.",
		Bad: `rules: strike: {
	cite: "Strikes"
	dice: roll: "3d6"
	output: sixes: "roll.count(roll, roll == 6)"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	dice: roll: "3d6"
	output: sixes: "roll.count(face, face == 6)"
}`,
	},
	{
		Code: "name-taken", Severity: Error,
		Text: "One name stands for two things that are read or called alike.",
		Bad: `rules: strike: {
	cite: "Strikes"
	dice: roll: "d6"
	output: roll: "7 - roll"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	dice: roll: "d6"
	output: result: "7 - roll"
}`,
	},
	{
		Code: "needless-has", Severity: Error,
		Text: "A field that is always there needs no has(); only fields with a question mark and keys of maps may be missing.",
		Bad: `rules: strike: {
	cite: "Strikes"
	output: chance: "has(character.strength) ? character.strength : 0"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	output: chance: "character.strength + 1"
}`,
	},
	{
		Code: "next-overlap", Severity: Error,
		Text: "A step sets a value as a whole and a part of it at the same time.",
		Bad: `procedures: siege: {
	cite: "Sieges"
	#State: wall: {height: *10 | int, width: *2 | int}
	events: ram: next: {
		wall:          "state.wall"
		"wall.height": "state.wall.height - character.strength"
	}
	ends: fallen: "state.wall.height <= 0 || state.wall.width <= 0"
}`,
		Good: `procedures: siege: {
	cite: "Sieges"
	#State: wall: {height: *10 | int, width: *2 | int}
	events: ram: next: {
		"wall.height": "state.wall.height - character.strength"
	}
	ends: fallen: "state.wall.height <= 0 || state.wall.width <= 0"
}`,
	},
	{
		Code: "no-promotion", Severity: Error,
		Text: "An int and a double meet where the language does not convert: only + - * / and the comparisons < <= > >= do.",
		Bad: `rules: strike: {
	cite: "Strikes"
	output: chance: "character.strength > 5 ? 1.5 : 1"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	output: chance: "character.strength > 5 ? 1.5 : 1.0"
}`,
	},
	{
		Code: "open-type", Severity: Error,
		Text: "An empty list says nothing about its elements; what stands around it has to.",
		Bad: `rules: strike: {
	cite: "Strikes"
	output: spoils: "[]"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	output: spoils: "character.strength > 5 ? [1, 2] : []"
}`,
	},
	{
		Code: "option-value", Severity: Error,
		Text: "An option is set to a value that it does not have.",
		Bad: `options: stance: {
	cite:    "Stances"
	default: "opened"
	values: {open: "without a guard", closed: "behind a guard"}
}
rules: strike: {
	cite: "Strikes"
	output: chance: {by: "option.stance", is: {open: "character.strength + 5", closed: "character.strength"}}
}`,
		Good: `options: stance: {
	cite:    "Stances"
	default: "open"
	values: {open: "without a guard", closed: "behind a guard"}
}
rules: strike: {
	cite: "Strikes"
	output: chance: {by: "option.stance", is: {open: "character.strength + 5", closed: "character.strength"}}
}`,
	},
	{
		Code: "otherwise-missing", Severity: Error,
		Text: "A use with a condition may not happen, and then what is read of it has to come from otherwise.",
		Bad: `rules: test: {
	cite: "Tests"
	#Input: bonus!: int
	dice: roll: "d20"
	output: success: "roll <= character.strength + input.bonus"
}
rules: strike: {
	cite: "Strikes"
	use: test: {
		rule:  "test"
		input: bonus: "2"
		when: "character.strength > 3"
	}
	output: hits: "test.success"
}`,
		Good: `rules: test: {
	cite: "Tests"
	#Input: bonus!: int
	dice: roll: "d20"
	output: success: "roll <= character.strength + input.bonus"
}
rules: strike: {
	cite: "Strikes"
	use: test: {
		rule:  "test"
		input: bonus: "2"
		when: "character.strength > 3"
		otherwise: success: "false"
	}
	output: hits: "test.success"
}`,
	},
	{
		Code: "otherwise-unused", Severity: Error,
		Text: "A use without a condition always happens, so that there is nothing otherwise.",
		Bad: `rules: test: {
	cite: "Tests"
	#Input: bonus!: int
	dice: roll: "d20"
	output: success: "roll <= character.strength + input.bonus"
}
rules: strike: {
	cite: "Strikes"
	use: test: {
		rule:  "test"
		input: bonus: "2"
		otherwise: success: "false"
	}
	output: hits: "test.success"
}`,
		Good: `rules: test: {
	cite: "Tests"
	#Input: bonus!: int
	dice: roll: "d20"
	output: success: "roll <= character.strength + input.bonus"
}
rules: strike: {
	cite: "Strikes"
	use: test: {
		rule:  "test"
		input: bonus: "2"
	}
	output: hits: "test.success"
}`,
	},
	{
		Code: "source-order", Severity: Error,
		Text: "Dice and uses are rolled as they are written, from top to bottom. One can depend only on those above it.",
		Bad: `rules: strike: {
	cite: "Strikes"
	dice: {
		more: {die: 6, count: "first == 6 ? 2 : 1", most: 2}
		first: "d6"
	}
	output: total: "sum(more) + first"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	dice: {
		first: "d6"
		more: {die: 6, count: "first == 6 ? 2 : 1", most: 2}
	}
	output: total: "sum(more) + first"
}`,
	},
	{
		Code: "state-unset", Severity: Error,
		Text: "Every field of the state has a value when the first event comes: its default, or what start sets.",
		Bad: `procedures: siege: {
	cite: "Sieges"
	#State: height!: int
	events: ram: next: height: "state.height - character.strength"
	ends: fallen: "state.height <= 0"
}`,
		Good: `procedures: siege: {
	cite: "Sieges"
	#State: height: *10 | int
	events: ram: next: height: "state.height - character.strength"
	ends: fallen: "state.height <= 0"
}`,
	},
	{
		Code: "syntax", Severity: Error,
		Text: "The text is no expression of CEL.",
		Bad: `rules: strike: {
	cite: "Strikes"
	output: chance: "character.strength +"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	output: chance: "character.strength + 1"
}`,
	},
	{
		Code: "table-band", Severity: Error,
		Text: "A band of a table begins after it ends.",
		Bad: `tables: place: {
	cite:  "Places"
	gives: "name"
	bands: [{on: [2, 1], name: "head"}, {on: [3, 6], name: "body"}]
}
rules: strike: {
	cite: "Strikes"
	dice: roll: "d6"
	output: place: "place(roll)"
}`,
		Good: `tables: place: {
	cite:  "Places"
	gives: "name"
	bands: [{on: [1, 2], name: "head"}, {on: [3, 6], name: "body"}]
}
rules: strike: {
	cite: "Strikes"
	dice: roll: "d6"
	output: place: "place(roll)"
}`,
	},
	{
		Code: "table-duplicate", Severity: Error,
		Text: "A key or a limit stands in two rows of a table.",
		Bad: `tables: rank: {
	cite:  "Ranks"
	gives: "name"
	steps: [{from: 0, name: "squire"}, {from: 0, name: "knight"}]
}
rules: title: {
	cite: "Ranks"
	output: title: "rank(character.strength)"
}`,
		Good: `tables: rank: {
	cite:  "Ranks"
	gives: "name"
	steps: [{from: 0, name: "squire"}, {from: 10, name: "knight"}]
}
rules: title: {
	cite: "Ranks"
	output: title: "rank(character.strength)"
}`,
	},
	{
		Code: "table-empty", Severity: Error,
		Text: "A table has no rows.",
		Bad: `tables: place: {
	cite:  "Places"
	bands: []
}
rules: strike: {
	cite: "Strikes"
	dice: roll: "d6"
	output: place: "place(roll) == place(1)"
}`,
		Good: `tables: place: {
	cite:  "Places"
	gives: "name"
	bands: [{on: [1, 6], name: "body"}]
}
rules: strike: {
	cite: "Strikes"
	dice: roll: "d6"
	output: place: "place(roll)"
}`,
	},
	{
		Code: "table-gap", Severity: Error,
		Text: "A key that the table declares in over has no row.",
		Bad: `tables: place: {
	cite:  "Places"
	over:  "d6"
	gives: "name"
	bands: [{on: [1, 2], name: "head"}, {on: [4, 6], name: "body"}]
}
rules: strike: {
	cite: "Strikes"
	dice: roll: "d6"
	output: place: "place(roll)"
}`,
		Good: `tables: place: {
	cite:  "Places"
	over:  "d6"
	gives: "name"
	bands: [{on: [1, 3], name: "head"}, {on: [4, 6], name: "body"}]
}
rules: strike: {
	cite: "Strikes"
	dice: roll: "d6"
	output: place: "place(roll)"
}`,
	},
	{
		Code: "table-over", Severity: Error,
		Text: "The range of keys of a table begins after it ends, or has no end: dice that explode without end can show any number.",
		Bad: `tables: place: {
	cite:  "Places"
	over: [6, 1]
	gives: "name"
	bands: [{on: [1, 6], name: "body"}]
}
rules: strike: {
	cite: "Strikes"
	dice: roll: "d6"
	output: place: "place(roll)"
}`,
		Good: `tables: place: {
	cite:  "Places"
	over: [1, 6]
	gives: "name"
	bands: [{on: [1, 6], name: "body"}]
}
rules: strike: {
	cite: "Strikes"
	dice: roll: "d6"
	output: place: "place(roll)"
}`,
	},
	{
		Code: "table-overlap", Severity: Error,
		Text: "A key lies in two rows of a table.",
		Bad: `tables: place: {
	cite:  "Places"
	gives: "name"
	bands: [{on: [1, 3], name: "head"}, {on: [3, 6], name: "body"}]
}
rules: strike: {
	cite: "Strikes"
	dice: roll: "d6"
	output: place: "place(roll)"
}`,
		Good: `tables: place: {
	cite:  "Places"
	gives: "name"
	bands: [{on: [1, 2], name: "head"}, {on: [3, 6], name: "body"}]
}
rules: strike: {
	cite: "Strikes"
	dice: roll: "d6"
	output: place: "place(roll)"
}`,
	},
	{
		Code: "too-large",
		Text: "A definition comes to more parts than can be computed when all that it calls, reads and uses is written out in it, which is how rules are lowered. Each definition that calls another several times multiplies the parts.",
		Bad: `functions: {
	a: {cite: "x", params: n: "int", expr: "n * n + n * n + n * n + n * n + n * n + n * n + n * n + n * n"}
	b: {cite: "x", params: n: "int", expr: "a(n) + a(n) + a(n) + a(n) + a(n) + a(n) + a(n) + a(n) + a(n) + a(n)"}
	c: {cite: "x", params: n: "int", expr: "b(n) + b(n) + b(n) + b(n) + b(n) + b(n) + b(n) + b(n) + b(n) + b(n)"}
	d: {cite: "x", params: n: "int", expr: "c(n) + c(n) + c(n) + c(n) + c(n) + c(n) + c(n) + c(n) + c(n) + c(n)"}
	e: {cite: "x", params: n: "int", expr: "d(n) + d(n) + d(n) + d(n) + d(n) + d(n) + d(n) + d(n) + d(n) + d(n)"}
}
rules: strike: {
	cite: "Strikes"
	output: harm: "e(character.strength)"
}
`,
		Good: `functions: {
	a: {cite: "x", params: n: "int", expr: "8 * n * n"}
	b: {cite: "x", params: n: "int", expr: "10 * a(n)"}
}
rules: strike: {
	cite: "Strikes"
	output: harm: "b(character.strength)"
}
`,
	},
	{
		Code: "type", Severity: Error,
		Text: "A value has a type that cannot stand there.",
		Bad: `rules: strike: {
	cite: "Strikes"
	output: chance: "character.strength + 'five'"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	output: chance: "character.strength + 5"
}`,
	},
	{
		Code: "unbounded-dice", Severity: Error,
		Text: "How many dice may be rolled at most has to be known before. It follows from the bounds of what is counted, or the die says it: most.",
		Bad: `rules: strike: {
	cite: "Strikes"
	dice: roll: {die: 6, count: "character.strength"}
	output: total: "sum(roll)"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	dice: roll: {die: 6, count: "character.strength", most: 20}
	output: total: "sum(roll)"
}`,
	},
	{
		Code: "unbounded-range", Severity: Error,
		Text: "How far a range goes at most has to be known before. It follows from the bounds of its limits.",
		Bad: `rules: strike: {
	cite: "Strikes"
	output: total: "range(character.strength).sum(i, i * i)"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	output: total: "range(min(character.strength, 20)).sum(i, i * i)"
}`,
	},
	{
		Code: "unguarded", Severity: Error,
		Text: "A field with a question mark may be missing, and may be read only where has() is known to hold.",
		Bad: `rules: strike: {
	cite: "Strikes"
	#Input: armour?: int
	output: damage: "character.strength - input.armour"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	#Input: armour?: int
	output: damage: "character.strength - (has(input.armour) ? input.armour : 0)"
}`,
	},
	{
		Code: "unknown-column", Severity: Error,
		Text: "A table gives a column that its rows do not have.",
		Bad: `tables: rank: {
	cite:  "Ranks"
	gives: "nmae"
	steps: [{from: 0, name: "squire"}, {from: 10, name: "knight"}]
}
rules: title: {
	cite: "Ranks"
	output: title: "rank(character.strength)"
}`,
		Good: `tables: rank: {
	cite:  "Ranks"
	gives: "name"
	steps: [{from: 0, name: "squire"}, {from: 10, name: "knight"}]
}
rules: title: {
	cite: "Ranks"
	output: title: "rank(character.strength)"
}`,
	},
	{
		Code: "unknown-function", Severity: Error,
		Text: "No table, function or builtin has that name.",
		Bad: `rules: strike: {
	cite: "Strikes"
	output: chance: "maximum(1, character.strength)"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	output: chance: "max(1, character.strength)"
}`,
	},
	{
		Code: "unknown-member", Severity: Error,
		Text: "A value has no field of that name.",
		Bad: `rules: strike: {
	cite: "Strikes"
	output: chance: "character.strenght + 5"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	output: chance: "character.strength + 5"
}`,
	},
	{
		Code: "unknown-name", Severity: Error,
		Text: "No name of the body, and nothing else that can be read there, is called so.",
		Bad: `rules: strike: {
	cite: "Strikes"
	dice: roll: "d20"
	output: success: "rol <= character.strength"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	dice: roll: "d20"
	output: success: "roll <= character.strength"
}`,
	},
	{
		Code: "unknown-option", Severity: Error,
		Text: "The ruleset has no option of that name.",
		Bad: `options: stance: {
	cite:    "Stances"
	default: "open"
	values: {open: "without a guard", closed: "behind a guard"}
}
rules: strike: {
	cite: "Strikes"
	output: chance: {by: "option.stance", is: {open: "character.strength", closed: "option.guard == 'high' ? 1 : 2"}}
}`,
		Good: `options: stance: {
	cite:    "Stances"
	default: "open"
	values: {open: "without a guard", closed: "behind a guard"}
}
rules: strike: {
	cite: "Strikes"
	output: chance: {by: "option.stance", is: {open: "character.strength", closed: "2"}}
}`,
	},
	{
		Code: "unknown-output", Severity: Error,
		Text: "A rule has no output of that name.",
		Bad: `rules: test: {
	cite: "Tests"
	#Input: bonus!: int
	dice: roll: "d20"
	output: success: "roll <= character.strength + input.bonus"
}
rules: strike: {
	cite: "Strikes"
	use: test: {
		rule:  "test"
		input: bonus: "2"
		when: "character.strength > 3"
		otherwise: {success: "false", sucess: "false"}
	}
	output: hits: "test.success"
}`,
		Good: `rules: test: {
	cite: "Tests"
	#Input: bonus!: int
	dice: roll: "d20"
	output: success: "roll <= character.strength + input.bonus"
}
rules: strike: {
	cite: "Strikes"
	use: test: {
		rule:  "test"
		input: bonus: "2"
		when: "character.strength > 3"
		otherwise: success: "false"
	}
	output: hits: "test.success"
}`,
	},
	{
		Code: "unknown-rule", Severity: Error,
		Text: "A use names a rule that there is not.",
		Bad: `rules: test: {
	cite: "Tests"
	#Input: bonus!: int
	dice: roll: "d20"
	output: success: "roll <= character.strength + input.bonus"
}
rules: strike: {
	cite: "Strikes"
	use: test: {
		rule:  "tets"
		input: bonus: "2"
	}
	output: hits: "test.success"
}`,
		Good: `rules: test: {
	cite: "Tests"
	#Input: bonus!: int
	dice: roll: "d20"
	output: success: "roll <= character.strength + input.bonus"
}
rules: strike: {
	cite: "Strikes"
	use: test: {
		rule:  "test"
		input: bonus: "2"
	}
	output: hits: "test.success"
}`,
	},
	{
		Code: "unknown-table", Severity: Error,
		Text: "A key is to be one of a table that there is not, or that is not keyed.",
		Bad: `tables: weapon: {
	cite:  "Weapons"
	gives: "damage"
	keyed: {
		club: damage:  3
		sword: damage: 6
	}
}
rules: strike: {
	cite: "Strikes"
	#Input: weapon!: string @key(weapons)
	output: damage: "weapon(input.weapon)"
}`,
		Good: `tables: weapon: {
	cite:  "Weapons"
	gives: "damage"
	keyed: {
		club: damage:  3
		sword: damage: 6
	}
}
rules: strike: {
	cite: "Strikes"
	#Input: weapon!: string @key(weapon)
	output: damage: "weapon(input.weapon)"
}`,
	},
	{
		Code: "unsupported", Severity: Error,
		Text: "CEL can write it, and formulas cannot: records, maps, bytes, null, unsigned numbers.",
		Bad: `rules: strike: {
	cite: "Strikes"
	output: chance: "{1: 5}[character.strength]"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	output: chance: "character.strength == 1 ? 5 : 0"
}`,
	},
	{
		Code: "unused", Severity: Warn,
		Text: "Something is defined that nobody reads.",
		Bad: `rules: strike: {
	cite: "Strikes"
	let: half: "div_floor(character.strength, 2)"
	output: chance: "character.strength + 5"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	let: half: "div_floor(character.strength, 2)"
	output: chance: "half + 5"
}`,
	},
	{
		Code: "unused-input", Severity: Warn,
		Text: "A rule or an event asks for something that no formula reads.",
		Bad: `rules: strike: {
	cite: "Strikes"
	#Input: bonus!: int
	output: chance: "character.strength + 5"
}`,
		Good: `rules: strike: {
	cite: "Strikes"
	#Input: bonus!: int
	output: chance: "character.strength + input.bonus"
}`,
	},
	{
		Code: "unused-option", Severity: Warn,
		Text: "A ruling can be switched and nothing depends on it.",
		Bad: `options: stance: {
	cite:    "Stances"
	default: "open"
	values: {open: "without a guard", closed: "behind a guard"}
}
rules: strike: {
	cite: "Strikes"
	output: chance: "character.strength + 5"
}`,
		Good: `options: stance: {
	cite:    "Stances"
	default: "open"
	values: {open: "without a guard", closed: "behind a guard"}
}
rules: strike: {
	cite: "Strikes"
	output: chance: {by: "option.stance", is: {open: "character.strength + 5", closed: "character.strength"}}
}`,
	},
}
