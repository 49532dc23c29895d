package diag

// loadPages are the entries of what load reports. An example that begins with rulesets is of rules.cue.
var loadPages = []Page{
	{
		Code: "bad-name",
		Text: "Formulas refer to definitions by their names, so a name is one that a formula can say: small letters, digits and _, beginning with a letter, and none of the words that the language has taken. The keys of input and next may be paths: names with dots between them.",
		Bad: `
rules: input: {
	cite: "Chapter 1"
	output: double: "2 * character.strength"
}
`,
		Good: `
rules: lift: {
	cite: "Chapter 1"
	output: double: "2 * character.strength"
}
`,
	},
	{
		Code: "bad-revision",
		Text: "A release has a revision of three numbers, so that two of them can be compared.",
		Bad:  `rulesets: "game": {rules: game, revision: "1.4"}`,
		Good: `rulesets: "game": {rules: game, revision: "1.4.0"}`,
	},
	{
		Code: "bad-type",
		Text: "The parameter of a function is an int, a double, a bool, a string, or a list of one of them.",
		Bad: `
functions: twice: {
	cite: "Chapter 1"
	params: n: "number"
	expr: "n + n"
}
rules: lift: {
	cite: "Chapter 1"
	output: mass: "twice(double(character.strength))"
}
`,
		Good: `
functions: twice: {
	cite: "Chapter 1"
	params: n: "double"
	expr: "n + n"
}
rules: lift: {
	cite: "Chapter 1"
	output: mass: "twice(double(character.strength))"
}
`,
	},
	{
		Code: "bound-too-large",
		Text: "Bounds and the keys of tables are compared as doubles, which hold every whole number up to 2^53 and not all beyond. A greater one would silently become another number.",
		Bad: `
rules: spend: {
	cite: "Chapter 1"
	#Input: gold!: int & <=9007199254740993
	output: left: "character.strength - input.gold"
}
`,
		Good: `
rules: spend: {
	cite: "Chapter 1"
	#Input: gold!: int & <=9007199254740992
	output: left: "character.strength - input.gold"
}
`,
	},
	{
		Code: "cannot-lower",
		Text: "Characters and inputs are held against their types without CUE, so a type says no more than can be checked there: int, number, bool and string, bounds that are numbers, strings that are written out, lists with an end, structs, and maps. What says more is never left out in silence.",
		Bad: `
rules: greet: {
	cite: "Chapter 1"
	#Input: name!: string & =~"^[A-Z]"
	output: loud: "input.name + '!'"
}
`,
		Good: `
rules: greet: {
	cite: "Chapter 1"
	#Input: name!: string
	output: loud: "input.name + '!'"
}
`,
	},
	{
		Code: "cue-conflict",
		Text: "Two things are said about one value, and no value satisfies both. This is CUE's own error.",
		Bad: `
rules: lift: {
	cite: "Chapter 1"
	output: mass: "2 * character.strength"
	output: mass: "3 * character.strength"
}
`,
		Good: `
rules: lift: {
	cite: "Chapter 1"
	output: mass: "3 * character.strength"
}
`,
	},
	{
		Code: "cue-syntax",
		Text: "The file is not CUE. Nothing else in its package can be looked at before this is put right.",
		Bad: `
rules: lift: {
	cite: "Chapter 1"
	output: mass: "2 * character.strength"
`,
		Good: `
rules: lift: {
	cite: "Chapter 1"
	output: mass: "2 * character.strength"
}
`,
	},
	{
		Code: "duplicate-id",
		Text: "Two definitions have one name. CUE would make one of both; each with a citation of its own, they are two.",
		Bad: `
rules: lift: {
	cite: "Chapter 1"
	output: mass: "2 * character.strength"
}
rules: lift: {
	cite: "Chapter 1"
	output: height: "3 * character.strength"
}
`,
		Good: `
rules: lift: {
	cite: "Chapter 1"
	output: mass: "2 * character.strength"
}
rules: throw: {
	cite: "Chapter 1"
	output: height: "3 * character.strength"
}
`,
	},
	{
		Code: "embedded-file",
		Text: "Files are not embedded: what a ruleset says stands in CUE, where it has a place.",
		Bad: `
@extern(embed)

package game

rules: lift: {
	cite: "Chapter 1"
	output: mass: "2 * character.strength"
}
`,
		Good: `
rules: lift: {
	cite: "Chapter 1"
	output: mass: "2 * character.strength"
}
`,
	},
	{
		Code: "missing-cite",
		Text: "Every definition says where the book has it: a chapter, a heading, a table. A trace shows it to the players.",
		Bad:  `rules: lift: output: mass: "2 * character.strength"`,
		Good: `
rules: lift: {
	cite: "Chapter 1"
	output: mass: "2 * character.strength"
}
`,
	},
	{
		Code: "missing-field",
		Text: "A part that every definition of the kind must have is not there.",
		Bad: `
rules: lift: cite: "Chapter 1"
`,
		Good: `
rules: lift: {
	cite: "Chapter 1"
	output: mass: "2 * character.strength"
}
`,
	},
	{
		Code: "no-package",
		Text: "A package cannot be found, or the files of a directory are not one package. Nothing is fetched: what is imported stands in the module, or under cue.mod/pkg.",
		Bad: `
import "example.com/weapons"

rules: lift: {
	cite: "Chapter 1"
	output: mass: weapons.mass
}
`,
		Good: `
rules: lift: {
	cite: "Chapter 1"
	output: mass: "2 * character.strength"
}
`,
	},
	{
		Code: "not-concrete",
		Text: "A ruleset is data: what is no type is written out, or computed by CUE from what is. Here CUE could not arrive at one value.",
		Bad: `
tables: weapon: {
	cite: "Chapter 1"
	gives: "damage"
	keyed: {
		sword: damage: 6
		club: damage:  int
	}
}
rules: strike: {
	cite: "Chapter 1"
	#Input: with!: string @key(weapon)
	output: damage: "weapon(input.with) + character.strength"
}
`,
		Good: `
tables: weapon: {
	cite: "Chapter 1"
	gives: "damage"
	keyed: {
		sword: damage: 6
		club: damage:  4
	}
}
rules: strike: {
	cite: "Chapter 1"
	#Input: with!: string @key(weapon)
	output: damage: "weapon(input.with) + character.strength"
}
`,
	},
	{
		Code: "not-text",
		Text: "Formulas and descriptions are strings, even where the formula is only a number.",
		Bad: `
rules: lift: {
	cite: "Chapter 1"
	output: mass: 20
}
`,
		Good: `
rules: lift: {
	cite: "Chapter 1"
	output: mass: "20"
}
`,
	},
	{
		Code: "out-of-range",
		Text: "A number of dice, a bound or a limit is a whole number above zero.",
		Bad: `
rules: strike: {
	cite: "Chapter 1"
	dice: d: {die: 6, count: "character.strength", most: 0}
	output: damage: "sum(d)"
}
`,
		Good: `
rules: strike: {
	cite: "Chapter 1"
	dice: d: {die: 6, count: "character.strength", most: 20}
	output: damage: "sum(d)"
}
`,
	},
	{
		Code: "release-name",
		Text: "A release ships a ruleset under the ruleset's own id: commands, plans and sheets name it by that.",
		Bad:  `rulesets: "chess": {rules: game, revision: "1.0.0"}`,
		Good: `rulesets: "game": {rules: game, revision: "1.0.0"}`,
	},
	{
		Code: "table-column",
		Text: "All rows of a table have the same columns, so that a look-up always finds what a formula reads.",
		Bad: `
tables: weapon: {
	cite: "Chapter 1"
	keyed: {
		sword: {damage: 6, hands: 1}
		club: damage: 4
	}
}
rules: strike: {
	cite: "Chapter 1"
	#Input: with!: string @key(weapon)
	output: damage: "weapon(input.with).damage"
}
`,
		Good: `
tables: weapon: {
	cite: "Chapter 1"
	keyed: {
		sword: {damage: 6, hands: 1}
		club: {damage: 4, hands: 1}
	}
}
rules: strike: {
	cite: "Chapter 1"
	#Input: with!: string @key(weapon)
	output: damage: "weapon(input.with).damage * weapon(input.with).hands"
}
`,
	},
	{
		Code: "table-kind",
		Text: "A table is keyed by strings, or has bands of numbers, or steps. It is one of them, because a look-up goes by one key.",
		Bad: `
tables: weapon: {
	cite: "Chapter 1"
	keyed: sword: damage: 6
	bands: [{on: 1, damage: 6}]
}
rules: strike: {
	cite: "Chapter 1"
	#Input: with!: string @key(weapon)
	output: damage: "weapon(input.with).damage"
}
`,
		Good: `
tables: weapon: {
	cite: "Chapter 1"
	gives: "damage"
	keyed: sword: damage: 6
}
rules: strike: {
	cite: "Chapter 1"
	#Input: with!: string @key(weapon)
	output: damage: "weapon(input.with)"
}
`,
	},
	{
		Code: "table-step",
		Text: "A step begins with the number that it is reached from, or above which it begins: one of them.",
		Bad: `
tables: bonus: {
	cite: "Chapter 1"
	steps: [{from: 1, points: 0}, {points: 1}]
}
rules: lift: {
	cite: "Chapter 1"
	output: points: "bonus(character.strength).points"
}
`,
		Good: `
tables: bonus: {
	cite: "Chapter 1"
	gives: "points"
	steps: [{from: 1, points: 0}, {above: 10, points: 1}]
}
rules: lift: {
	cite: "Chapter 1"
	output: points: "bonus(character.strength)"
}
`,
	},
	{
		Code: "table-type",
		Text: "A column has one type in all rows. Numbers mix: one fraction makes the column double.",
		Bad: `
tables: weapon: {
	cite: "Chapter 1"
	keyed: {
		sword: damage: 6
		club: damage:  "four"
	}
}
rules: strike: {
	cite: "Chapter 1"
	#Input: with!: string @key(weapon)
	output: damage: "weapon(input.with).damage"
}
`,
		Good: `
tables: weapon: {
	cite: "Chapter 1"
	gives: "damage"
	keyed: {
		sword: damage: 6
		club: damage:  4.5
	}
}
rules: strike: {
	cite: "Chapter 1"
	#Input: with!: string @key(weapon)
	output: damage: "weapon(input.with)"
}
`,
	},
	{
		Code: "unbounded-list",
		Text: "Every list of a character or an input has an end, so that every formula has one too.",
		Bad: `
rules: total: {
	cite: "Chapter 1"
	#Input: points!: [...int]
	output: total: "sum(input.points) + character.strength"
}
`,
		Good: `
import "list"

rules: total: {
	cite: "Chapter 1"
	#Input: points!: [...int] & list.MaxItems(8)
	output: total: "sum(input.points) + character.strength"
}
`,
	},
	{
		Code: "unknown-field",
		Text: "The definition has no part of that name; it may be misspelt. Parts of your own that others embed begin with _ or #.",
		Bad: `
rules: lift: {
	cite: "Chapter 1"
	ouptut: mass: "2 * character.strength"
	output: height: "character.strength + 1"
}
`,
		Good: `
rules: lift: {
	cite: "Chapter 1"
	output: mass:   "2 * character.strength"
	output: height: "character.strength + 1"
}
`,
	},
	{
		Code: "unknown-reference",
		Text: "CUE refers to something that the package does not have.",
		Bad: `
rules: lift: {
	cite: "Chapter 1"
	#Input: opponent!: #Charakter
	output: mass: "input.opponent.strength - character.strength"
}
`,
		Good: `
rules: lift: {
	cite: "Chapter 1"
	#Input: opponent!: #Character
	output: mass: "input.opponent.strength - character.strength"
}
`,
	},
	{
		Code: "wrong-type",
		Text: "Here stands a number, a string, a list or a struct where another of them is needed.",
		Bad:  `rules: 20`,
		Good: `
rules: lift: {
	cite: "Chapter 1"
	output: mass: "2 * character.strength"
}
`,
	},
}
