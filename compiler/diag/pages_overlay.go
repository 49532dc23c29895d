package diag

// overlayPages are the entries of what applying a homebrew reports. Their examples change a ruleset that has the table
// weapon (dagger: damage 4, sword: damage 8), the table place (over d6: 1 to 3 leg, 4 to 6 arm), the option luck (on or
// off, by default on), and the rule strike, whose output harm is "weapon(input.with) + roll" with a die roll: "d6".
var overlayPages = []Page{
	{
		Code: "overlay-conflict", Homebrew: true,
		Text: "The same thing is changed twice: by two homebrews that do not go together, or twice by one. Both places are named; leave one of them out.",
		Bad: `replace: tables: weapon: rows: dagger: damage: {expect: 4, with: 5}
disable: tables: weapon: rows: dagger: "daggers are for kitchens"
`,
		Good: `replace: tables: weapon: rows: dagger: damage: {expect: 4, with: 5}
`,
	},
	{
		Code: "overlay-disabled", Homebrew: true,
		Text: "A homebrew disables something that is still needed: a table, a function or a trait that a formula reads, a rule that another uses, a row that a formula or a default names. Both places are named. What needs it must be replaced, or disabled as well.",
		Bad: `disable: tables: weapon: rows: dagger: "daggers are for kitchens"
add: rules: peel: {
	cite: "House rules"
	output: harm: "weapon('dagger') + character.strength"
}
`,
		Good: `disable: tables: weapon: rows: dagger: "daggers are for kitchens"
`,
	},
	{
		Code: "overlay-moved", Homebrew: true,
		Text: "What a homebrew replaces is not what it expects to find, so that nothing is replaced: the ruleset has changed since, or the expectation was wrong. The three values are shown: expected, found now, and wanted.",
		Bad: `replace: rules: strike: output: harm: {expect: "weapon(input.with)", with: "weapon(input.with) + 1"}
`,
		Good: `replace: rules: strike: output: harm: {expect: "weapon(input.with) + roll", with: "weapon(input.with) + roll + 1"}
`,
	},
	{
		Code: "overlay-rows", Homebrew: true,
		Text: "A row or a cell does not fit into the table: it lacks a column that the table has, has one that the table has not, or holds a value of another type.",
		Bad: `extend: tables: weapon: keyed: club: {harm: 3}
`,
		Good: `extend: tables: weapon: keyed: club: {damage: 3}
`,
	},
	{
		Code: "overlay-ruleset", Homebrew: true,
		Text: "A homebrew is written for one ruleset and is used with another.",
		Bad: `ruleset: "tennis"
`,
		Good: `replace: options: luck: {expect: "on", with: "off"}
`,
	},
	{
		Code: "overlay-silent", Homebrew: true,
		Text: "A homebrew adds what the ruleset, or a homebrew before it, has already. That would replace it without saying so. What is replaced stands under replace, with what it is expected to be.",
		Bad: `extend: tables: weapon: keyed: dagger: {damage: 5}
`,
		Good: `replace: tables: weapon: rows: dagger: damage: {expect: 4, with: 5}
`,
	},
	{
		Code: "overlay-unknown", Homebrew: true,
		Text: "A homebrew extends, replaces or disables something that the ruleset does not have. It may be misspelt, or have another name since.",
		Bad: `replace: tables: weapon: rows: daggr: damage: {expect: 4, with: 5}
`,
		Good: `replace: tables: weapon: rows: dagger: damage: {expect: 4, with: 5}
`,
	},
}
