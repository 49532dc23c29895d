package diag

// checkPages are the entries of what resolve and check report.
var checkPages = []Page{
	{
		Code: "choice-incomplete", Severity: Error,
		Text: "A formula by an option or an enum needs an expression for every value, so that no ruling is left without a meaning.",
	},
	{
		Code: "choice-open", Severity: Error,
		Text: "A formula chooses by an option, or by a string whose values are written out in its type. Nothing else has a complete list of values.",
	},
	{
		Code: "choice-value", Severity: Error,
		Text: "A formula by an option or an enum has an expression for a value that there is not.",
	},
	{
		Code: "cycle", Severity: Error,
		Text: "A definition depends on itself, directly or through others. Rules, functions, traits, and the names of a body must come to an end.",
	},
	{
		Code: "dice-notation", Severity: Error,
		Text: "Dice are written as 2d6, d100 or d%; the keys of a table as a sum of dice and numbers, such as 2d6+3.",
	},
	{
		Code: "die-count", Severity: Error,
		Text: "That many dice cannot be rolled, or not all with different faces.",
	},
	{
		Code: "die-faces", Severity: Error,
		Text: "A die has at least two faces, and explodes on one of them.",
	},
	{
		Code: "echo", Severity: Warn,
		Text: "A rule whose outputs only repeat its input computes nothing.",
	},
	{
		Code: "enum-value", Severity: Error,
		Text: "A string is compared with, or given as, a value that it can never have.",
	},
	{
		Code: "inexact-rounding", Severity: Error,
		Text: "A fraction such as 0.29 has no exact double, so the rounded product can be one less than the book says: floor(100 * 0.29) is 28. Integers are exact.",
	},
	{
		Code: "integer-division", Severity: Error,
		Text: "The quotient of two integers is a ruling on the remainder, and the formula has to say which.",
	},
	{
		Code: "missing-input", Severity: Error,
		Text: "A used rule asks for more than it is given. Fields with a default or a question mark may be left out.",
	},
	{
		Code: "name-hidden", Severity: Error,
		Text: "The variable of a macro hides a name that can be read there.",
	},
	{
		Code: "name-taken", Severity: Error,
		Text: "One name stands for two things that are read or called alike.",
	},
	{
		Code: "needless-has", Severity: Error,
		Text: "A field that is always there needs no has(); only fields with a question mark and keys of maps may be missing.",
	},
	{
		Code: "next-overlap", Severity: Error,
		Text: "A step sets a value as a whole and a part of it at the same time.",
	},
	{
		Code: "no-promotion", Severity: Error,
		Text: "An int and a double meet where the language does not convert: only + - * / and the comparisons < <= > >= do.",
	},
	{
		Code: "open-type", Severity: Error,
		Text: "An empty list says nothing about its elements; what stands around it has to.",
	},
	{
		Code: "option-value", Severity: Error,
		Text: "An option is set to a value that it does not have.",
	},
	{
		Code: "otherwise-missing", Severity: Error,
		Text: "A use with a condition may not happen, and then what is read of it has to come from otherwise.",
	},
	{
		Code: "otherwise-unused", Severity: Error,
		Text: "A use without a condition always happens, so that there is nothing otherwise.",
	},
	{
		Code: "source-order", Severity: Error,
		Text: "Dice and uses are rolled as they are written, from top to bottom. One can depend only on those above it.",
	},
	{
		Code: "state-unset", Severity: Error,
		Text: "Every field of the state has a value when the first event comes: its default, or what start sets.",
	},
	{
		Code: "syntax", Severity: Error,
		Text: "The text is no expression of CEL.",
	},
	{
		Code: "table-band", Severity: Error,
		Text: "A band of a table begins after it ends.",
	},
	{
		Code: "table-duplicate", Severity: Error,
		Text: "A key or a limit stands in two rows of a table.",
	},
	{
		Code: "table-empty", Severity: Error,
		Text: "A table has no rows.",
	},
	{
		Code: "table-gap", Severity: Error,
		Text: "A key that the table declares in over has no row.",
	},
	{
		Code: "table-over", Severity: Error,
		Text: "The range of keys of a table begins after it ends.",
	},
	{
		Code: "table-overlap", Severity: Error,
		Text: "A key lies in two rows of a table.",
	},
	{
		Code: "type", Severity: Error,
		Text: "A value has a type that cannot stand there.",
	},
	{
		Code: "unguarded", Severity: Error,
		Text: "A field with a question mark may be missing, and may be read only where has() is known to hold.",
	},
	{
		Code: "unknown-column", Severity: Error,
		Text: "A table gives a column that its rows do not have.",
	},
	{
		Code: "unknown-field", Severity: Error,
		Text: "A value has no field of that name.",
	},
	{
		Code: "unknown-function", Severity: Error,
		Text: "No table, function or builtin has that name.",
	},
	{
		Code: "unknown-name", Severity: Error,
		Text: "No name of the body, and nothing else that can be read there, is called so.",
	},
	{
		Code: "unknown-option", Severity: Error,
		Text: "The ruleset has no option of that name.",
	},
	{
		Code: "unknown-output", Severity: Error,
		Text: "A rule has no output of that name.",
	},
	{
		Code: "unknown-rule", Severity: Error,
		Text: "A use names a rule that there is not.",
	},
	{
		Code: "unknown-table", Severity: Error,
		Text: "A key is to be one of a table that there is not, or that is not keyed.",
	},
	{
		Code: "unsupported", Severity: Error,
		Text: "CEL can write it, and formulas cannot: records, maps, bytes, null, unsigned numbers.",
	},
	{
		Code: "unused", Severity: Warn,
		Text: "Something is defined that nobody reads.",
	},
	{
		Code: "unused-input", Severity: Warn,
		Text: "A rule or an event asks for something that no formula reads.",
	},
	{
		Code: "unused-option", Severity: Warn,
		Text: "A ruling can be switched and nothing depends on it.",
	},
}
