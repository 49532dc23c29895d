package diag

// analysePages are the entries of what the analysis of a ruleset reports.
var analysePages = []Page{
	{
		Code: "allowance-unused", Severity: Note,
		Text: "An allowance keeps quiet about something that is not there any more. It would hide the next problem of its kind.",
		Bad: `allow: [{code: "table-unreached", at: "table weapon", why: "the book prints it"}]
tables: weapon: {
	cite:  "Weapons"
	gives: "damage"
	keyed: {dagger: damage: 4, sword: damage: 8}
}
rules: strike: {
	cite: "Strikes"
	#Input: with!: string @key(weapon)
	output: harm: "weapon(input.with) + character.strength"
}`,
		Good: `tables: weapon: {
	cite:  "Weapons"
	gives: "damage"
	keyed: {dagger: damage: 4, sword: damage: 8}
}
rules: strike: {
	cite: "Strikes"
	#Input: with!: string @key(weapon)
	output: harm: "weapon(input.with) + character.strength"
}`,
	},
	{
		Code: "table-dominated", Severity: Warn,
		Text: "The table says what its rows cost and in which columns more is better, and a row is not cheaper than another, nowhere better and somewhere worse: nobody would take it.",
		Bad: `tables: weapon: {
	cite: "Weapons"
	cost: "price"
	benefit: ["damage"]
	keyed: {dagger: {damage: 4, price: 2}, sword: {damage: 8, price: 10}, club: {damage: 3, price: 2}}
}
rules: strike: {
	cite: "Strikes"
	#Input: with!: string @key(weapon)
	output: harm: "weapon(input.with).damage + weapon(input.with).price * character.strength"
}`,
		Good: `tables: weapon: {
	cite: "Weapons"
	cost: "price"
	benefit: ["damage"]
	keyed: {dagger: {damage: 4, price: 2}, sword: {damage: 8, price: 10}, club: {damage: 3, price: 1}}
}
rules: strike: {
	cite: "Strikes"
	#Input: with!: string @key(weapon)
	output: harm: "weapon(input.with).damage + weapon(input.with).price * character.strength"
}`,
	},
	{
		Code: "table-hole", Severity: Warn,
		Text: "A formula can ask a table for keys that no row has: dice, bounds of inputs and arithmetic reach farther than the rows. The rule would end in an error there.",
		Bad: `tables: place: {
	cite:  "Places"
	gives: "name"
	bands: [{on: [2, 7], name: "leg"}, {on: [8, 12], name: "arm"}]
}
rules: strike: {
	cite: "Strikes"
	#Input: aimed!: int & >=-2 & <=3
	dice: roll: "2d6"
	output: at: "character.strength > 5 ? place(roll[0] + roll[1]) : 'nowhere'"
	output: aimed_at: "place(sum(roll) + input.aimed)"
}`,
		Good: `tables: place: {
	cite:  "Places"
	gives: "name"
	bands: [{on: [2, 7], name: "leg"}, {on: [8, 12], name: "arm"}]
}
rules: strike: {
	cite: "Strikes"
	#Input: aimed!: int & >=-2 & <=3
	dice: roll: "2d6"
	output: aimed_at: "place(min(max(sum(roll) + input.aimed, 2), 12))"
	output: strong: "character.strength > 5"
}`,
	},
	{
		Code: "table-order", Severity: Warn,
		Text: "A column that is declared as rising, or falling, does the contrary from one row to the next. It may be mistyped.",
		Bad: `tables: weight: {
	cite:  "Weights"
	gives: "kilograms"
	rising: ["kilograms"]
	steps: [{from: 0, kilograms: 10}, {from: 5, kilograms: 200}, {from: 10, kilograms: 40}]
}
rules: lift: {
	cite: "Lifting"
	output: kilograms: "weight(max(character.strength, 0))"
}`,
		Good: `tables: weight: {
	cite:  "Weights"
	gives: "kilograms"
	rising: ["kilograms"]
	steps: [{from: 0, kilograms: 10}, {from: 5, kilograms: 20}, {from: 10, kilograms: 40}]
}
rules: lift: {
	cite: "Lifting"
	output: kilograms: "weight(max(character.strength, 0))"
}`,
	},
	{
		Code: "table-twins", Severity: Note,
		Text: "Two tables are cut at the same keys but for a few rows. Often that is a slip in one of them; where it is meant, allow it.",
		Bad: `tables: near: {
	cite:  "Near"
	gives: "chance"
	steps: [{from: 0, chance: 9}, {from: 10, chance: 7}, {from: 20, chance: 5}, {from: 30, chance: 3}]
}
tables: far: {
	cite:  "Far"
	gives: "chance"
	steps: [{from: 0, chance: 6}, {from: 10, chance: 5}, {from: 25, chance: 4}, {from: 30, chance: 2}]
}
rules: shoot: {
	cite: "Shots"
	#Input: at!: int & >=0
	output: chance: "character.strength > 3 ? near(input.at) : far(input.at)"
}`,
		Good: `tables: near: {
	cite:  "Near"
	gives: "chance"
	steps: [{from: 0, chance: 9}, {from: 10, chance: 7}, {from: 20, chance: 5}, {from: 30, chance: 3}]
}
tables: far: {
	cite:  "Far"
	gives: "chance"
	steps: [{from: 0, chance: 6}, {from: 10, chance: 5}, {from: 20, chance: 4}, {from: 30, chance: 2}]
}
rules: shoot: {
	cite: "Shots"
	#Input: at!: int & >=0
	output: chance: "character.strength > 3 ? near(input.at) : far(input.at)"
}`,
	},
	{
		Code: "table-unreached", Severity: Warn,
		Text: "No dice, no input and no character reach the row: its result has the probability zero. It may be meant for other dice, or be mistyped.",
		Bad: `tables: place: {
	cite:  "Places"
	gives: "name"
	bands: [{on: [1, 3], name: "leg"}, {on: [4, 6], name: "arm"}, {on: [7, 8], name: "head"}]
}
rules: strike: {
	cite: "Strikes"
	dice: roll: "d6"
	output: at: "place(roll)"
	output: strong: "character.strength > 5"
}`,
		Good: `tables: place: {
	cite:  "Places"
	gives: "name"
	bands: [{on: [1, 3], name: "leg"}, {on: [4, 6], name: "arm"}, {on: [7, 8], name: "head"}]
}
rules: strike: {
	cite: "Strikes"
	dice: roll: "d8"
	output: at: "place(roll)"
	output: strong: "character.strength > 5"
}`,
	},
	{
		Code: "table-unread", Severity: Note,
		Text: "No answer depends on the column. Where it is there for people who read the table, allow it.",
		Bad: `tables: weapon: {
	cite: "Weapons"
	keyed: {dagger: {damage: 4, price: 2}, sword: {damage: 8, price: 10}}
}
rules: strike: {
	cite: "Strikes"
	#Input: with!: string @key(weapon)
	output: harm: "weapon(input.with).damage + character.strength"
}`,
		Good: `tables: weapon: {
	cite: "Weapons"
	keyed: {dagger: damage: 4, sword: damage: 8}
}
rules: strike: {
	cite: "Strikes"
	#Input: with!: string @key(weapon)
	output: harm: "weapon(input.with).damage + character.strength"
}`,
	},
}
