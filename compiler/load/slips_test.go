package load

import (
	"strings"
	"testing"
)

// TestSlips reads lines that look like a habit of other languages, and says which they are taken for.
func TestSlips(t *testing.T) {
	const missingComma = "a comma is missing between two fields of one line [cue-syntax]\n    write a comma before "
	for _, c := range []struct{ line, want string }{
		{`{cite: "a" dice: roll: "d20"}`, ":22: " + missingComma + "dice"},
		{`{cite: "a", doc: "b" covers: ["c"]}`, ":32: " + missingComma + "covers"},
		{`{v: 1, w: "x" u: "y"}`, ":25: " + missingComma + "u"},
		{`{cite: "it says "and" here"}`, ":27: the string ends at this quote, before and"},
		{`{cite: "p. " + 12, output: x: "1"}`,
			":18: rule a, cite: a text is joined with texts alone [cue-conflict]\n    write \"p. \\(12)\""},
		{`{cite: "a", output: x: "2d6" + 1}`, ":34: rule a, output, x: the quotes end before the formula does"},
		{`{cite: "p. 3..4", #Input: a: 0..8, output: x: "1"}`, ":40: a range is written as two bounds"},
		{`{cite: ">=1 <=2", #Input: a: >=0 <=8, output: x: "1"}`,
			":40: rule a, #Input, a: two bounds stand side by side"},
		{`{cite: "a\;b", output: x: "1"}`, ":21: unknown escape sequence"},
		{`{cite: "a", #Input: {n: int}} # note`, ":41: # begins no comment"},
		{`{cite: "a", #Input: n: int or([])}`, ""},
		{`{cite: "a", dice: roll: 2d6, output: x: "1"}`, ":35: dice stand in quotes [cue-syntax]\n    write \"2d6\""},
		{`{cite: "a", #Input: n: map[string]int}`, ":31: a map says what its values are behind a colon [cue-syntax]\n" +
			"    write n: [string]: int"},
		{`{cite: "a", #Input: n: [string] int}`, ":31: a map says what its values are behind a colon"},
		{`{cite: "a", #Input: n: int & <=9 = 3}`, ":44: a default stands before the type, with a star [cue-syntax]\n" +
			"    write *3 | int & <=9"},
		{`{cite: "a", #Input: n: int >= 0}`, ":34: rule a, #Input, n: a type and its bound are joined by & [cue-conflict]\n    write int & >=0"},
		{`{cite: "a", output: {gap: "1", x: gap > 0}}`, ":45: rule a, output, x: a formula stands in quotes [cue-conflict]\n" +
			"    write \"gap > 0\""},
		{`{cite: "a", weight: 6 kg}`, ":31: a number stands without its unit [cue-syntax]\n    write 6, and kg in the doc"},
		{`{cite: "a", v: 1 w: 2}`, ":28: missing ',' in struct literal"},
		{`{cite: "a", #Input: n: ("a", "b")}`, ":34: words in parentheses are neither a choice nor a list [cue-syntax]\n" +
			"    a choice is written \"poor\" | \"good\", and a list [\"a\", \"b\"]"},
		{`{cite: "a", #Input: n: @key(gap)}`, ":34: an attribute stands behind a type [cue-syntax]\n    write string @key(gap)"},
		{`{cite: "a", #Input: n: int & between 0 and 9}`, ":40: a range is written as two bounds [cue-syntax]\n    write >=0 & <=9"},
		{`{cite: "a", #Input: n: int default 5}`, ":34: a default stands before the type, with a star [cue-syntax]\n    write *5 | int"},
		{`{cite: "a", #Input: n: int*}`, ":37: a default stands before the type, with a star [cue-syntax]\n    write *0 | int"},
		{`{cite: "a", #Input: n: [...string @key(gap)]}`, ":45: an attribute stands behind the list [cue-syntax]\n" +
			"    write [...string] & list.MaxItems(8) @key(gap)"},
		{`{cite: "a", #Input: n: int | *10 & >=1}`, ":40: rule a, #Input, n: bounds are of the type, and not of its default [cue-conflict]\n" +
			"    write *10 | int & >=1"},
		{"{cite: \"a\"\n\tcharacter.level: \"1\"}", ""},
		{`{cite: "a", #Input: n: int & >=0 | default 5}`, ":46: a default stands before the type, with a star [cue-syntax]\n" +
			"    write *5 | before the type"},
		{`{cite: "a", dice: roll = "d6"}`, ":34: rule a: a field has a colon [cue-conflict]\n    write roll: \"d6\""},
		{`{cite: "a", #Input: n: "x" || "y" || "z"}`, ":34: rule a, #Input: || is for formulas: between values that a field may have " +
			"stands | [cannot-lower]\n    write \"x\" | \"y\" | \"z\""},
		{`{cite: "a", #Input: n: int or string}`, ":38: or joins nothing here"},
	} {
		var got []string
		for _, d := range read(t, "rules: a: "+c.line) {
			got = append(got, d.String())
		}
		if all := strings.Join(got, "\n"); c.want != "" && !strings.Contains(all, "game/body.cue:2"+c.want) {
			t.Errorf("%s\ngot  %s\nwant %s", c.line, all, c.want)
		} else if c.want == "" && strings.Contains(all, "joins nothing") {
			t.Errorf("%s\ngot  %s", c.line, all)
		}
	}
}
