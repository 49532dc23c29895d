package generated

import (
	"fmt"
	"slices"
	"strings"
)

// writeFields writes the fields of an input and makes them readable.
func (g *Generator) writeFields(root string) (out []asked) {
	g.writef("\t#%s: {", strings.ToUpper(root[:1])+root[1:])
	add := func(text, field, kind string) {
		g.writef("\t\t%s", text)
		out = append(out, asked{name: field, kind: kind, text: text})
	}
	add(fmt.Sprintf("n%s int & >=%d & <=12", pickOne(g, "!:", "!:", "!:", ": *3 |"), pickOne(g, 0, 1, -5)), "n", "n")
	g.scope = append(g.scope, name{root + ".n", "int", false})
	if g.isOneIn(2) {
		add(fmt.Sprintf("bonus: *%d | int", g.IntN(3)), "bonus", "int")
		g.scope = append(g.scope, name{root + ".bonus", "int", false})
	}
	if g.isOneIn(2) {
		add("arm: *\"axe\" | string @key(arms)", "arm", "arm")
		g.scope = append(g.scope, name{root + ".arm", "key", false}, name{"arms(" + root + ".arm).heft", "int", false},
			name{"arms(" + root + ".arm).class", "word", false})
	}
	if g.isOneIn(2) {
		add("grade: *\"fair\" | #Grade", "grade", "grade")
		g.scope = append(g.scope, name{root + ".grade", "word", false})
	}
	if g.isOneIn(3) {
		add("label: *\"mace\" | string", "label", "label")
		g.scope = append(g.scope, name{root + ".label", "text", false})
	}
	if !g.plain && g.isOneIn(3) {
		add("purse: "+pickOne(g, "[string]: int & >=0 & <=50", "[string]: int & >=0 & <=50", "{[string]: int & >=0} & struct.MaxFields(1)"),
			"purse", "purse")
		g.scope = append(g.scope, name{root + ".purse.map(k, " + root + ".purse[k])", "list", false},
			name{"get(" + root + ".purse, 'gold', -1)", "int", false}, name{"'gold' in " + root + ".purse", "bool", false},
			name{root + ".purse.count(k, k < 'm')", "int", false},
			name{root + ".purse == {'silver': 30}", "bool", false})
	}
	if g.isOneIn(3) {
		add("extra?: int & >=0", "extra", "small")
		g.scope = append(g.scope, name{"(has(" + root + ".extra) ? " + root + ".extra : -1)", "int", false})
	}
	if !g.plain && g.isOneIn(3) {
		add("foes: [...{level: *1 | int & >=0 & <=9, wild: *false | bool, mark?: int & >=0}] & list.MaxItems(3)",
			"foes", "foes")
		g.scope = append(g.scope, name{root + ".foes.map(f, f.level)", "list", false},
			name{root + ".foes.exists(f, f.wild)", "bool", false},
			name{root + ".foes.sum(f, has(f.mark) ? f.mark : -1)", "int", false},
			name{strings.ReplaceAll("(size(ROOT.foes) > 1 ? (ROOT.foes[0].wild ? ROOT.foes[0] : ROOT.foes[1]).level : 0)",
				"ROOT", root), "int", false}, name{"size(" + root + ".foes)", "int", false},
			name{root + ".foes.sort_by(f, f.wild).map(f, f.level)", "list", false},
			name{root + ".foes.count(f, f == " + root + ".foes[0])", "int", false},
			name{"(" + root + ".foes + " + root + ".foes).map(f, f.wild ? 0 : f.level)", "list", false})
	}
	if g.isOneIn(4) {
		add("load: *2.5 | number & >0 & <100", "load", "load")
		g.scope = append(g.scope, name{root + ".load", "double", false})
	}
	if g.isOneIn(4) {
		add("ratio: *1.25 | number & >=0.5 & <=2.5", "ratio", "ratio")
		g.scope = append(g.scope, name{root + ".ratio", "double", false})
	}
	if g.isOneIn(25) { // more fields than a word has bits
		var fields []string
		for i := range 70 {
			fields = append(fields, fmt.Sprintf("f%d: *%d | int & >=0 & <=%d", i, i%6, 5+i%11))
		}
		add("wide: {"+strings.Join(fields, ", ")+"}", "wide", "wide")
		g.scope = append(g.scope, name{root + ".wide.f1", "int", false}, name{root + ".wide.f63", "int", false},
			name{root + ".wide.f64", "int", false}, name{root + ".wide.f69", "int", false})
	}
	if g.isOneIn(4) {
		add("odd: *1 | int & !=3"+pickOne(g, " & <9", "", " & >=0"), "odd", "odd")
		g.scope = append(g.scope, name{root + ".odd", "int", false})
	}
	if g.isOneIn(4) {
		add("size: *4 | 4 | 6 | 8", "size", "size")
		g.scope = append(g.scope, name{root + ".size", "int", false})
	}
	if !g.plain && root == "input" && g.isOneIn(5) {
		add("target?: #Character", "target", "target")
		g.scope = append(g.scope, name{"(has(input.target) ? input.target.grace : 3)", "int", false},
			name{"(has(input.target) && input.target.keen)", "bool", false})
	}
	if !g.plain && g.isOneIn(2) {
		add("xs: "+pickOne(g, "[...int & >=0 & <=6]", "(*[3, 1] | [...int & >=0 & <=6])", "[...int & !=7]")+" & list.MaxItems(4)", "xs", "xs")
		g.scope = append(g.scope, name{root + ".xs", "list", false})
	}
	if g.isOneIn(4) {
		add("strength_of_the_arm: *3 | int & >=0", "strength_of_the_arm", "small")
		g.scope = append(g.scope, name{root + ".strength_of_the_arm", "int", false})
	}
	if g.isOneIn(4) {
		add("strength_of_mind!: int", "strength_of_mind", "must")
		g.scope = append(g.scope, name{root + ".strength_of_mind", "int", false})
	}
	if g.isOneIn(6) { // names that begin alike, of one word of the machine, two, and more
		for _, n := range []string{"strength", "strength_of_a", "strength_of_body", "strength_of_body_and_mind",
			"strength_of_soul_and_mind"} {
			add(n+": *1 | int & >=0 & <=20", n, "small")
			g.scope = append(g.scope, name{root + "." + n, "int", false})
		}
	}
	if g.isOneIn(5) {
		add("heat: *0.5 | number & >-1.5 & <=1e6", "heat", "heat")
		g.scope = append(g.scope, name{root + ".heat", "double", false})
	}
	if !g.plain && g.isOneIn(5) {
		add("kit: [...{kind: *\"axe\" | string @key(arms), n: *1 | int & >=0 & <=4, spare?: int, "+
			"tags: [...string] & list.MaxItems(2)}] & list.MaxItems(2)", "kit", "kit")
		g.scope = append(g.scope, name{root + ".kit.map(k, k.n)", "list", false},
			name{root + ".kit.map(k, arms(k.kind).heft)", "list", false},
			name{root + ".kit.exists(k, 'b' in k.tags)", "bool", false},
			name{root + ".kit.sum(k, (has(k.spare) ? k.spare : 0) + size(k.tags))", "int", false},
			name{root + ".kit.sort_by(k, arms(k.kind).class).map(k, k.n)", "list", false})
	}
	if g.isOneIn(3) {
		add("part: {of: *1 | int & >=0, flag: *false | bool}", "part", "part")
		g.scope = append(g.scope, name{root + ".part.of", "int", false}, name{root + ".part.flag", "bool", false})
	}
	if g.isOneIn(4) { // a record that may be absent, a field of which must be given
		add("kin?: {of!: int & >=0 & <=9, mark: *2 | int & >=0, low?: int & <=4, tag: *\"\" | string}", "kin", "kin")
		g.scope = append(g.scope, name{strings.ReplaceAll("(has(ROOT.kin) ? ROOT.kin.tag : 'no')", "ROOT", root), "text", false},
			name{strings.ReplaceAll("(has(ROOT.kin) ? ROOT.kin.of * 10 + ROOT.kin.mark : -1)", "ROOT", root), "int", false},
			name{strings.ReplaceAll("(has(ROOT.kin) && has(ROOT.kin.low) ? ROOT.kin.low : 4)", "ROOT", root), "int", false})
	}
	if g.isOneIn(4) {
		add("grid: {top_up: *2 | int & >=-5 & <9, at: {Deep: *true | bool, low_?: int}}", "grid", "grid")
		g.scope = append(g.scope, name{root + ".grid.top_up", "int", false}, name{root + ".grid.at.Deep", "bool", false},
			name{"(has(" + root + ".grid.at.low_) ? 1 : 2)", "int", false})
	}
	if !g.plain && g.isOneIn(5) {
		words := pickOne(g, "string", `("axe" | "b")`, `("" | "axe" | "b" | "é")`)
		add("names: [..."+words+"] & list.MaxItems(3)", "names", "names")
		g.scope = append(g.scope, name{"size(" + root + ".names)", "int", false},
			name{root + ".names.map(t, size(t))", "list", false}, name{"'b' in " + root + ".names", "bool", false},
			name{"(size(" + root + ".names) > 0 ? sort(" + root + ".names)[0] : '')", "text", false},
			name{root + ".names.filter(t, t >= 'b').map(t, size(t))", "list", false},
			name{root + ".names", "texts", false}, name{root + ".names == ['axe', 'b']", "bool", false})
	}
	if !g.plain && g.isOneIn(5) {
		add("pairs: [...[...int] & list.MaxItems(2)] & list.MaxItems(2)", "pairs", "pairs")
		g.scope = append(g.scope, name{root + ".pairs.map(p, sum(p))", "list", false},
			name{root + ".pairs.exists(p, size(p) == 0)", "bool", false}, name{root + ".pairs", "lists", false},
			name{root + ".pairs.count(p, p == " + root + ".pairs[0])", "int", false})
	}
	if !g.plain && g.isOneIn(4) { // a map, one key of which has a default
		add("marks: {[string]: int & >=0 & <=9, head: *1 | int & >=0 & <=4}", "marks", "marks")
		g.scope = append(g.scope, name{"get(" + root + ".marks, 'head', 5)", "int", false},
			name{root + ".marks.map(k, " + root + ".marks[k])", "list", false},
			name{root + ".marks == {'head': 1}", "bool", false}, name{root + ".marks.count(k, k > 'c')", "int", false})
	}
	if !g.plain && g.isOneIn(5) { // a map of certain keys, and one more that has a default
		add(`notes: {[("arm" | "b")]: int & >=0 & <=9, head: *1 | int & >=0 & <=4}`, "notes", "notes")
		g.scope = append(g.scope, name{"get(" + root + ".notes, 'head', 5)", "int", false},
			name{root + ".notes.map(k, " + root + ".notes[k])", "list", false},
			name{"get(" + root + ".notes, 'arm', 0)", "int", false})
	}
	if !g.plain && g.isOneIn(5) { // keys that must and that may be given
		add("cups: {[string]: int & >=0 & <=9, brim!: int & >=1, rim?: int & <=3}", "cups", "cups")
		g.scope = append(g.scope, name{root + ".cups['brim']", "int", false}, name{"get(" + root + ".cups, 'rim', -1)", "int", false},
			name{root + ".cups.map(k, " + root + ".cups[k])", "list", false})
	}
	if !g.plain && g.isOneIn(6) { // a list that may not be short
		add("few: [...int & >=0 & <=9] & list.MinItems(1) & list.MaxItems(3)", "few", "few")
		g.scope = append(g.scope, name{root + ".few", "list", false}, name{root + ".few[0]", "int", false})
	}
	if !g.plain && g.isOneIn(6) { // a map of records
		add("hold: {[string]: {of: *1 | int & >=0 & <=9, by?: int & <=5}}", "hold", "hold")
		g.scope = append(g.scope, name{root + ".hold.sum(k, " + root + ".hold[k].of)", "int", false},
			name{root + ".hold.count(k, has(" + root + ".hold[k].by))", "int", false}, name{root + ".hold", "hold", false})
	}
	if i := g.IntN(max(1, len(g.Rules))); len(g.Rules) > 0 && !g.plain && g.isOneIn(3) { // what another rule asks for
		if of := g.Rules[i]; !slices.ContainsFunc(of.asks, func(a asked) bool {
			return slices.Contains([]string{"must", "cups", "few", "ours", "skill", "spend"}, a.kind)
		}) {
			ours := g.pickFields(of.asks)
			var fields []string
			for _, a := range ours {
				fields = append(fields, a.text)
			}
			add("ours!: {"+strings.Join(fields, ", ")+"}", "ours", "ours")
			out[len(out)-1].of = ours
			g.scope = append(g.scope, name{root + ".ours.n", "int", false}, name{root + ".ours", "input of " + of.ID, false})
		}
	}
	if !g.plain && !g.startless && g.isOneIn(4) {
		add("skill: *\"none\" | string @key(character.skills, none)", "skill", "skill")
		g.scope = append(g.scope, name{"get(character.skills, " + root + ".skill, 0)", "int", false})
	}
	g.writef("\t}")
	return out
}

// pickFields returns most of the fields that a rule asks for: what has a default may be left out, or be optional.
func (g *Generator) pickFields(asks []asked) (out []asked) {
	for _, a := range asks {
		switch {
		case strings.Contains(a.text, ": *") && a.kind != "n" && g.isOneIn(4):
			continue
		case a.kind == "int" && g.isOneIn(2):
			a.text = a.name + "?: int"
		}
		out = append(out, a)
	}
	return out
}

// makeSmall writes an int between 0 and a bound, whatever its formula is.
func (g *Generator) makeSmall(most int) string {
	return fmt.Sprintf("max(0, min(%d, %s))", most, g.makeExpression("int", 1))
}

// writeDie writes one source of chance and returns what it is.
func (g *Generator) writeDie(id string) name {
	write := func(text, kind string) name {
		g.writef("\tdice: %s: %s", id, text)
		return name{id, kind, true}
	}
	n := g.IntN(30)
	if g.plain {
		n = pickOne(g, 0, 0, 2, 4, 4, 5, 6, 8, 19, 23, 24, 26)
	}
	if g.alike && g.isOneIn(4) {
		n = 27
	}
	switch n {
	case 27, 28: // the notation of a row that is known late
		return write(fmt.Sprintf("{roll: %q}", fmt.Sprintf("arms(%s ? '%s' : '%s').harm",
			g.makeExpression("bool", 1), pickOne(g, arms...), pickOne(g, arms...))), "int")
	case 29: // dice of a list that explode without an end
		return write(fmt.Sprintf("{die: %d, count: %q, explode: {on: %s}}", 4+g.IntN(4), g.makeSmall(3),
			pickOne(g, "1", `"max"`, `">3"`, `"<=2"`, `">=input.n"`, `"<input.n - 3"`,
				`"max", when: "input.n > 4"`)+pickOne(g, "", "", `, into: "dice"`, `, into: "dice", times: 2`)), "list")
	case 26: // two conditions
		return write(fmt.Sprintf("{die: %d, again: {on: 1, once: true, when: %q}, explode: {on: \"max\", times: 1, "+
			"when: %q}}", 3+g.IntN(3), g.makeExpression("bool", 1),
			pickOne(g, g.makeExpression("bool", 1), g.makeRiskyInt(1)+" > 0")), "int")
	case 24: // what a die shows counts as more, of some or of all
		return write(fmt.Sprintf("%q", fmt.Sprintf("%dd%d%smi%d%s", 2+g.IntN(3), 4+g.IntN(3), pickOne(g, "", "", "r1"),
			2+g.IntN(2), pickOne(g, "", "kh2", "kl1", "dl1", ">=3", "kh2=3"))), "int")
	case 25: // a list of notation, of which some dice are left out
		return write(fmt.Sprintf("%q", fmt.Sprintf("%dx %dd%d%s", 1+g.IntN(3), 2+g.IntN(2), 3+g.IntN(3),
			pickOne(g, "kl1", "dh1", "r1", "!", ">=3", "mi2"))), "list")
	case 21: // a number of dice that may be none
		return write(fmt.Sprintf("{die: %d, count: %q, most: %d}", 3+g.IntN(4), g.makeExpression("int", 2),
			pickOne(g, 1, 2, 3, 3)), "list")
	case 22:
		return write(fmt.Sprintf("{die: 3, count: %q, explode: {on: %s, into: \"dice\", times: 2}}", g.makeSmall(2),
			pickOne(g, "3", "2", `"<=2"`, `">=2"`, `"max", when: "option.edge == 'dull'"`)), "list")
	case 23: // faces that may be none
		return write(fmt.Sprintf("{die: %q}", "min(12, "+g.makeExpression("int", 1)+")"), "int")
	case 20:
		return write(fmt.Sprintf("{roll: %q}", fmt.Sprintf("%s ? arms('%s').%s : arms('%s').%s",
			g.makeExpression("bool", 1), pickOne(g, arms...), pickOne(g, "harm", "jab"), pickOne(g, arms...),
			pickOne(g, "harm", "jab"))), "int")
	case 17:
		return write(fmt.Sprintf("{die: 5, count: %q, again: {on: %s}}", g.makeSmall(3),
			pickOne(g, "1", `"<=2"`, `">3"`, `"max"`)), "list")
	case 18:
		return write(fmt.Sprintf("{die: 8, count: %q, distinct: true, most: 3}", g.makeSmall(4)), "list")
	case 19:
		return write(fmt.Sprintf("{die: 10, zero: 10%s}", pickOne(g, "", ", again: {on: 3, once: true}")), "int")
	case 0:
		return write(pickOne(g, `"d6"`, `"d10"`, `"d{1:3,2}"`, `"d{0..3}"`), "int")
	case 1:
		return write(pickOne(g, `"3d6"`, `"2d4"`, `"4dF"`, `"2d{1,1,3}"`), "list")
	case 2:
		return write(pickOne(g, `"2d6 + 1"`, `"4d6kh3"`, `"3d6dl1"`, `"3d4>=3"`, `"2d6ro1"`, `"d4 - d4"`,
			`"3d4mi2"`, `"2d6kl1 + 2"`, `"2d4mi2"`, `"3d4kh2"`, `"4d4mi2kh3"`, `"3d6r1mi3dl1"`, `"2d4!kl1"`, `"2d6!>=5"`,
			`"3d6ro>4kh2"`, `"5d4=2"`, `"4d4kh3>=3"`, `"4d4mi2dl1=2"`, `"d% - 50"`, `"2d{1,1,3}kh1 - d{0..3}"`,
			`"3d6dh2 - 1"`, `"3d{0,1,1,4}kh2"`, `"2d{-1,0,2}kl1 + 1"`, `"3d{1,2,2}dl1"`, `"2d4r<=1"`, `"d4!"`,
			`"2d2!"`, `"2d2! + 1"`, `"5d3kl2"`, `"4d6dl1"`, `"2d4 + 3d3kh1 - 2"`, `"6d2>1"`), "int")
	case 3:
		faces := pickOne(g, "2 + "+g.makeSmall(6), "2 + "+g.makeSmall(6), "min(8, "+g.makeExpression("int", 1)+")")
		return write(fmt.Sprintf("{die: %q, count: %q}", faces, g.makeSmall(3)), "list")
	case 4:
		return write(fmt.Sprintf("{die: %d}", 2+g.IntN(8)), "int")
	case 5:
		return write(fmt.Sprintf("{die: %d, explode: {on: %s%s}}", 3+g.IntN(4),
			pickOne(g, "3", `"max"`, `">=2"`, `">=input.n"`),
			pickOne(g, "", ", times: 1", ", times: 2", ", when: \"option.edge == 'sharp'\"")), "int")
	case 6:
		return write(fmt.Sprintf("{die: %d, again: {on: %s%s, when: %q}}", 4+g.IntN(4),
			pickOne(g, "1", `"<=2"`, `"max"`), pickOne(g, ", once: true", ""),
			pickOne(g, g.makeExpression("bool", 1), g.makeExpression("bool", 1), g.makeRiskyInt(1)+" > 0")), "int")
	case 7:
		return write(fmt.Sprintf("{faces: [%s], count: %d%s}",
			pickOne(g, "-1, 0, 1", "0, 2, 2, 5", "1, 1, 3"), 1+g.IntN(3),
			pickOne(g, "", "", `, again: {on: 1, once: true}`, `, explode: {on: "max", times: 1}`)), "list")
	case 8:
		return write("{die: 4, weights: [1, 2, 3, 1]"+pickOne(g, "", ", again: on: 2",
			", explode: {on: 3, times: 1}")+"}", "int")
	case 9:
		return write(fmt.Sprintf("{%s, count: %q, distinct: true}", pickOne(g, "die: 6", "die: 6", "faces: [-1, 0, 2, 5]"),
			g.makeSmall(4)), "list")
	case 10:
		// harm may leave dice out, and is rolled once
		return write(fmt.Sprintf("{roll: \"arms('%s').%s\", times: %q}", pickOne(g, arms...), pickOne(g, "jab", "jab", "nick"),
			pickOne(g, g.makeSmall(3), g.makeSmall(3), "min(3, "+g.makeExpression("int", 1)+")", "min(3, "+g.makeRiskyInt(1)+")")),
			"int")
	case 11:
		return write(fmt.Sprintf("{roll: \"1d4\", plus: {roll: \"d6 + 1\", times: %q}}", g.makeSmall(2)), "int")
	case 12:
		return write(pickOne(g, `"2x 2d4"`, `"3x 3d4kh2"`, `"2x d6!"`, `"2x 2d4 + 1"`), "list")
	case 13:
		return write(fmt.Sprintf("{roll: \"2d3\", repeat: %q}", pickOne(g, g.makeSmall(3), g.makeSmall(3),
			"min(3, "+g.makeExpression("int", 1)+")", "min(3, "+g.makeRiskyInt(1)+")")), "list")
	case 14:
		g.writef("\tdice: %s: {faces: \"pips\", count: %q}", id, g.makeSmall(3))
		return name{id + ".sum(p, p.good)", "int", true}
	case 15:
		return write(fmt.Sprintf("{pool: [%s]}", pickOne(g, "4, 6", "2, 3, 8", "6", "3, 3, 3")), "list")
	}
	return write(fmt.Sprintf("{die: 4, count: %q, explode: {on: %s, into: \"dice\", times: 1}}", g.makeSmall(2),
		pickOne(g, "4", "4", "2", `"<=2"`)), "list")
}

// writeRace writes dice of which only matters how they compare, and returns the outputs.
func (g *Generator) writeRace() (out []name) {
	runners := make([]string, 2+g.IntN(4))
	// a judge can list all ways to fall
	sides := pickOne(g, map[int][]int{2: {4, 6, 8}, 3: {4, 6, 8, 11}, 4: {4, 5, 6}, 5: {3, 4}}[len(runners)]...)
	for i := range runners {
		runners[i] = fmt.Sprintf("r%d", i)
		die := fmt.Sprintf("{die: %d}", sides)
		if g.isOneIn(4) {
			die = pickOne(g, fmt.Sprintf("{die: %d}", sides+2), "{die: 6, again: {on: 1, once: true}}",
				"{die: 4, explode: {on: 4, times: 1}}", "{faces: [0, 2, 2, 5]}", "{die: 4, weights: [1, 2, 3, 1]}",
				fmt.Sprintf("\"d%dmi2\"", sides), fmt.Sprintf("\"d%dr1\"", sides))
		}
		g.writef("\tdice: %s: %s", runners[i], die)
		if g.isOneIn(3) {
			runners[i] = fmt.Sprintf("(%s + %s)", runners[i], pickOne(g, "1", "2", "-3", g.pickName("int", "3")))
		}
	}
	switch {
	case g.isOneIn(5): // dice of one list beside another die
		runners = runners[:1]
		g.writef("\tdice: hand: {die: %d, count: 2}", pickOne(g, sides, sides, sides+1))
		runners = append(runners, "hand[0]", "hand[1]")
	case g.isOneIn(3): // cards, or dice, of one hand
		distinct := ""
		if sides >= len(runners) {
			distinct = ", distinct: true"
		}
		g.writef("\tdice: hand: {die: %d, count: %d%s}", sides, len(runners), pickOne(g, distinct, "", ""))
		for i := range runners {
			runners[i] = fmt.Sprintf("hand[%d]", i)
			if g.isOneIn(3) { // a card, or what is none
				runners[i] = fmt.Sprintf("(%s ? %s : %s)", pickOne(g, g.makeExpression("bool", 1), "option.edge == 'sharp'",
					"option.edge != 'sharp'"), runners[i], pickOne(g, "2", "hand[0]", "9", "3 * hand[0]"))
			}
		}
		if g.isOneIn(4) {
			g.writef("\tdice: late: {die: \"max(2, hand[0])\"}")
			runners = append(runners, "late")
		}
	}
	compare := func() string {
		return fmt.Sprintf("%s %s %s", pickOne(g, runners...), pickOne(g, "<", "<=", ">", ">=", "==", "!="),
			pickOne(g, runners...))
	}
	isOrder := len(runners) > 2 && g.isOneIn(2) // each is compared with each
	for i := range 1 + g.IntN(3) {
		n := name{fmt.Sprintf("out%d", i), pickOne(g, "int", "bool"), true}
		text := fmt.Sprintf("(%s ? 1 : 0) + (%s ? 2 : 0)", compare(), compare())
		if isOrder {
			n.kind, text = "int", "0"
			for j := range runners {
				if j != i {
					text += fmt.Sprintf(" + (%s %s %s ? 1 : 0)", runners[i], pickOne(g, "<", "<", "<="), runners[j])
				}
			}
		}
		if n.kind == "bool" {
			text = fmt.Sprintf("%s %s %s", compare(), pickOne(g, "&&", "||"), compare())
		}
		if !isOrder && g.isOneIn(6) {
			n.kind, text = "int", pickOne(g, runners...)
		}
		if !isOrder && g.isOneIn(5) { // which the one value of an option reads as a comparison, and the other as a number
			n.kind = "int"
			text = fmt.Sprintf("(option.edge == '%s' ? (%s ? 1 : 0) : %s)", pickOne(g, "sharp", "dull"), compare(),
				pickOne(g, pickOne(g, runners...), fmt.Sprintf("(%s > 3 ? 1 : 0)", pickOne(g, runners...)),
					fmt.Sprintf("(max(%s, %s) > 2 ? 1 : 0)", pickOne(g, runners...), pickOne(g, runners...))))
		}
		g.writef("\toutput: %s: %q", n.text, text)
		out = append(out, n)
	}
	return out
}

// writeHeap writes many dice with few faces, of which odds keep what is carried from die to die or from face to face, and
// returns the outputs.
func (g *Generator) writeHeap() (out []name) {
	count := fmt.Sprintf("%q", "max(2, "+g.makeSmall(6)+")")
	heap := pickOne(g, "{die: 2, count: 8}", "{die: 3, count: 5}", "{die: 3, weights: [3, 1, 1], count: 5}",
		"{faces: [0, 1, 1, 2], count: 4}", "{faces: [-2, 0, 5], count: 5}", "{die: 5, count: 4, distinct: true}", "{die: 4, count: 4}",
		"{die: 3, count: 4, again: {on: 1, once: true}}", "{die: 4, count: 2, explode: {on: 4}}",
		"{die: 2, count: "+count+"}", "{die: 3, count: "+count+"}")
	if g.isOneIn(2) { // which falls in so many ways that odds count its faces
		heap = pickOne(g, "{die: 2, count: 9}", "{die: 3, count: 6}", "{die: 5, count: 4}", "{die: 7, count: 3}",
			"{die: 8, count: 3, distinct: true}", "{faces: [-1, 0, 2, 3, 5, 6, 9], count: 3, distinct: true}", "{faces: [-2, 0, 5], count: 6}",
			"{faces: [0, 1, 1, 2, 4], count: 4}", "{die: 3, weights: [3, 1, 1], count: 6}",
			fmt.Sprintf("{die: 8, count: %q}", pickOne(g, "3 - "+g.makeSmall(3), g.makeSmall(3))),
			fmt.Sprintf("{die: 8, count: %q, distinct: true}", pickOne(g, "3 - "+g.makeSmall(3), g.makeSmall(3))),
			"{die: 5, count: 4, again: {on: 1, once: true}}")
	}
	g.writef("\tdice: heap: %s", heap)
	list := func() string {
		return pickOne(g, "heap", "heap", "sort(heap)", "sort(heap).slice(1, size(heap))", "sort(heap).slice(0, 2)",
			"sort(heap).slice(0, size(heap) - 1)", "heap.filter(x, x > 1)")
	}
	if g.isOneIn(4) { // two sums of one roll
		g.writef("\toutput: out0: %q", pickOne(g, "sum(heap)", "heap.sum(x, x * x)", "heap.count(x, x > 1)"))
		g.writef("\toutput: out1: %q", pickOne(g, "heap.count(x, x == 1)", "heap.count(x, x >= 2)", "heap.sum(x, x == 2 ? 5 : 0)"))
		return []name{{"out0", "int", true}, {"out1", "int", true}}
	}
	if g.isOneIn(4) {
		g.writef("\trequire: \"a heap\": %q", pickOne(g, "sum(heap) > 4", "heap.count(x, x == 2) != 1", "heap[0] < 3"))
	}
	first := func() string {
		return pickOne(g, fmt.Sprint(g.IntN(3)), g.pickName("int", "0"), "sum(heap)", "size(heap)")
	}
	if g.isOneIn(4) {
		g.writef("\tdice: late: {die: %q}", pickOne(g, "max(2, min(4, sum(heap)))", "2 + heap.count(x, x > 1)"))
		first = func() string { return pickOne(g, "1", "late", "sum(heap)") }
	}
	for i := range 1 + g.IntN(2) {
		n := name{fmt.Sprintf("out%d", i), "int", true}
		some := list()
		g.writef("\toutput: %s: %q", n.text, pickOne(g, fmt.Sprintf("%s.fold(x, s, %s, %s)", list(), first(), g.makeNext()),
			fmt.Sprintf("sum(%s) * 10 + size(%s)", some, some), fmt.Sprintf("%s.fold(x, s, 0, s * 2 + x) - size(%s)", some, some),
			fmt.Sprintf("%s.fold(x, s, %s, %s)", list(), first(), g.makeNext()),
			fmt.Sprintf("%s.fold(x, s, %s, %s)", list(), first(), g.makeNext()), fmt.Sprintf("sum(%s)", list()),
			fmt.Sprintf("%s.count(x, x >= %s)", list(), pickOne(g, "2", "3", "heap[0]", g.pickName("int", "2"))),
			fmt.Sprintf("%s.sum(x, x * %s)", list(), pickOne(g, "x", "3", g.pickName("int", "2"))), fmt.Sprintf("max(%s)", list()),
			fmt.Sprintf("counts(heap, 0, 3).count(c, c %s %d)", pickOne(g, ">", "==", "<"), 1+g.IntN(3)),
			fmt.Sprintf("max(counts(%s, 0, 5))", list()), fmt.Sprintf("sum(%s) * 10 + max(heap)", list()),
			fmt.Sprintf("%s.sum(x, div_floor(6, x - %d))", list(), g.IntN(6)-1),
			fmt.Sprintf("%s.fold(x, s, %d, [2, 5].fold(y, t, %d, %s) + x)", list(), g.IntN(3), 4+g.IntN(3),
				pickOne(g, "s", "s", "s + y", "t")),
			foldNotches(list(), "few", "s.a + x", pickOne(g, "s.a", "x", "s.c"), pickOne(g, "s.a", "s.b", "s.c + x"))+
				pickOne(g, ".b", ".c")))
		out = append(out, n)
	}
	if g.isOneIn(4) {
		g.writef("\toutput: fell: %q", pickOne(g, "sort(heap)", "sort(heap.map(x, x * 2))", "sort("+list()+")"))
		out = append(out, name{"fell", "list", true})
	}
	return out
}

// writeHands writes cards of one or two decks of which each value reads some, and dice beside them, and returns the outputs.
func (g *Generator) writeHands() (out []name) {
	g.writef("\tdice: hand: {%s, count: 3, distinct: true}", pickOne(g, "die: 4", "die: 5", "faces: [0, 1, 3, 7]", "faces: [5, 0, 3, 1]",
		"faces: [2, 0, 2, 1]"))
	cards := []string{"hand[0]", "hand[1]", "hand[2]"}
	if g.isOneIn(2) {
		g.writef("\tdice: deck: {%s, count: 2, distinct: true}", pickOne(g, "die: 3", "die: 4", "faces: [-1, 2, 5]"))
		cards = append(cards, "deck[0]", "deck[1]")
	}
	g.writef("\tdice: foe: %s", pickOne(g, "\"d4\"", "{die: 3, explode: {on: 3, times: 1}}", "{die: \"max(2, hand[1])\"}"))
	cards = append(cards, "foe")
	card := func() string { return pickOne(g, cards...) }
	compare := func() string { return fmt.Sprintf("%s %s %s", card(), pickOne(g, "<", "<=", ">", "==", "!="), card()) }
	for i := range 1 + g.IntN(3) {
		id := fmt.Sprintf("x%d", i)
		// the card before is carried from card to card, and so is what is made of both
		walk := func(field, next string) string {
			return fmt.Sprintf("hand.fold(c, s, with(arms('axe'), 'heft', %s), with(with(s, 'heft', c), '%s', %s)).%[2]s", card(), field, next)
		}
		g.writef("\tlet: %s: %q", id, pickOne(g, fmt.Sprintf("%s + %s", card(), card()), fmt.Sprintf("max(%s, %s)", card(), card()),
			fmt.Sprintf("(%s ? %s : %s)", compare(), card(), card()), fmt.Sprintf("hand.count(c, c > %s)", card()),
			fmt.Sprintf("hand.fold(c, s, %s, (c %s %s ? s : %s))", card(), pickOne(g, "<", ">="), card(), pickOne(g, "2", card())),
			fmt.Sprintf("div_floor(6, %s - %s)", card(), pickOne(g, "1", "2", card())),
			fmt.Sprintf("hand.map(c, {'p': 1, 'q': %s}).sort_by(r, r.%s)[%d].q", pickOne(g, "c", "c", "foe"), pickOne(g, "p", "q"),
				g.IntN(3)),
			foldNotches("hand", "few", "x", pickOne(g, "s.a", "x", "foe"), pickOne(g, "s.a", "s.b", "(x > s.a ? 1 : 0)"))+
				pickOne(g, ".b", ".c"),
			fmt.Sprintf("(%s ? 1 : 0)", walk("fine", pickOne(g, "c > s.heft", "s.fine && c > s.heft", "s.heft > 2"))),
			fmt.Sprintf("floor(%s)", walk("price", pickOne(g, "s.price + double(s.heft)", "s.price + (c > s.heft ? 1.0 : 0.0)")))))
		cards = append(cards, id)
	}
	if g.isOneIn(3) {
		g.writef("\trequire: \"a hand\": %q", compare()+pickOne(g, "", " || "+compare()))
	}
	if g.isOneIn(5) { // of which only the fault reads a card
		g.writef("\toutput: row: %q", fmt.Sprintf("[ranks('axe'), ranks('bow')][0 * %s]", pickOne(g,
			fmt.Sprintf("div_floor(6, %s - %s)", card(), pickOne(g, "1", "2", card())),
			fmt.Sprintf("hand.filter(c, c > %s)[%d]", pickOne(g, "1", "2", card()), g.IntN(2)))))
		out = append(out, name{"row", "row", true})
	}
	if g.isOneIn(4) { // beside what compares cards, one of them
		g.writef("\toutput: first: %q", card())
		out = append(out, name{"first", "int", true})
	}
	for i := range 1 + g.IntN(3) {
		n := name{fmt.Sprintf("out%d", i), pickOne(g, "int", "int", "bool"), true}
		text := pickOne(g, card(), fmt.Sprintf("(%s ? %s : %s)", compare(), card(), g.pickName("int", "0")),
			fmt.Sprintf("(%s ? 1 : 0) + (%s ? 2 : 0)", compare(), compare()), fmt.Sprintf("%s - 2 * %s", card(), card()))
		if n.kind == "bool" {
			text = fmt.Sprintf("%s %s %s", compare(), pickOne(g, "&&", "||"), compare())
		}
		g.writef("\toutput: %s: %q", n.text, text)
		out = append(out, n)
	}
	return out
}

// writeTosses writes uses of one rule for each element of a list, so that the same dice fall in each, and returns the outputs.
func (g *Generator) writeTosses() (out []name) {
	list := pickOne(g, "[3, 1]", "[2, 2, 5]", "range(3)", "range("+g.makeSmall(3)+")", "range(1, 2 + "+g.makeSmall(2)+")", "range(5)")
	g.writef("\tuse: toss: {rule: %q, each: y: %q, input: n: %q}", pickOne(g, "coin", "coin", "coins"), list, pickOne(g, "y", "y", "min(12, y * 2 + 1)",
		"max(0, min(12, y + "+g.pickName("int", "1")+"))", "2", "(y + 14) % 13", "(y - 14) % 7 + 6", "max(0, min(12, "+g.pickName("int", "1")+"))"))
	if g.isOneIn(3) {
		g.writef("\trequire: \"a good toss\": %q", pickOne(g, "toss.exists(t, t.good)", "toss.sum(t, t.worth) != 4"))
	}
	for i := range 1 + g.IntN(2) {
		n := name{fmt.Sprintf("out%d", i), "int", true}
		text := pickOne(g, "toss.sum(t, t.worth)", "toss.count(t, t.good)", "toss.fold(t, s, 0, s * 2 + t.worth)",
			"toss.fold(t, s, 1, t.good ? s + t.worth : 0 - s)", "max([0] + toss.map(t, t.worth))", "size(toss.filter(t, t.worth > 3))")
		if g.isOneIn(3) {
			n.kind, text = "list", pickOne(g, "toss.map(t, t.worth)", "sort(toss.map(t, t.worth))", "toss.filter(t, t.good).map(t, t.worth)")
		}
		g.writef("\toutput: %s: %q", n.text, text)
		out = append(out, n)
	}
	return out
}

// writeDeal writes a hand of which the first cards are read one by one and the rest in no order, and returns the outputs.
func (g *Generator) writeDeal() []name {
	g.writef("\tlet: mine: %q", pickOne(g, "1", "2", "max(0, min(2, "+g.pickName("int", "1")+"))", "min(2, "+g.makeSmall(3)+")"))
	g.writef("\tdice: hand: {%s, count: %q, distinct: true}", pickOne(g, "die: 4", "die: 5", "faces: [0, 1, 3, 7]", "faces: [5, 0, 3, 1]"),
		pickOne(g, "mine + 2", "mine + 2", "mine + 2", "3 - mine", "max(0, 3 - 2 * mine)"))
	rest := pickOne(g, "hand.slice(mine, mine + 2)", "hand.slice(mine, size(hand))")
	if g.isOneIn(5) { // from a place that falls itself, before or behind the hand
		g.writef("\tdice: foe: \"d3\"")
		rest = fmt.Sprintf("hand.slice(min(%s, size(hand)), size(hand))", pickOne(g, "foe - 1", "foe - 1", "hand[0]", "1"))
	}
	cards := pickOne(g, rest, rest, rest+".map(c, -c)", rest+".map(c, c * mine + 1)", rest+".map(c, (c > 2 ? c : 0 - c))",
		rest+".filter(c, c != 1)", rest+".map(c, div_floor(6, c - 3))", fmt.Sprintf("range(size(%s)).map(i, %[1]s[i] * 2 + i)", rest))
	mine := name{"out0", "list", true}
	g.writef("\toutput: out0: %q", pickOne(g, "range(mine).map(i, hand[i])", "range(mine).map(i, hand[i] * 2 + i)",
		"range(mine).map(i, (hand[i] > 2 ? i : -hand[i]))", "sort(range(mine).map(i, hand[i]))", "[hand[0], mine]",
		"hand.slice(0, mine)", "hand.slice(0, mine).map(c, c * 2)",
		"range(mine).map(i, hand[i + 1])", "range(mine + 1).map(i, hand[i])"))
	other := name{"out1", "list", true}
	text := "sort(" + cards + ")"
	if g.isOneIn(2) {
		other.kind = "int"
		text = pickOne(g, "sum("+cards+")", "max("+rest+") * 10 + min("+rest+")", cards+".count(c, c > 2)", rest+"[0]",
			rest+".fold(c, s, 0, s * 2 + c)", "counts("+rest+", 0, 7).fold(n, s, 0, s * 2 + n)")
	}
	g.writef("\toutput: out1: %q", text)
	return []name{mine, other}
}

// writeSums writes outputs that add up dice, some of which explode without end, and returns them: their means have a closed
// form.
func (g *Generator) writeSums() (out []name) {
	die := func() string {
		return pickOne(g, `{die: 3, explode: {on: "max"}}`, `{die: 4, explode: {on: 1}}`, `"2d2!"`, `"d6"`, `"d3!"`, `{die: 5}`,
			`{die: 4, explode: {on: ">=4"}, again: {on: 1, once: true}}`, `{faces: [-1, 0, 2], explode: {on: 2}}`,
			`{die: 3, weights: [3, 1, 1], explode: {on: 3}}`)
	}
	isPlain := g.isOneIn(2) // so that the mean is that of the dice
	if isPlain {
		g.hidden = true
		die = func() string {
			return pickOne(g, `{die: 3, explode: {on: "max"}}`, `{die: 4, explode: {on: 1}}`, `{die: 5}`,
				`{die: 4, explode: {on: 4, times: 1}}`)
		}
	}
	g.writef("\tdice: a: %s\n\tdice: b: %s", die(), pickOne(g, `"d2"`, `{die: "max(1, `+g.makeSmall(3)+`)"}`, die(), die(),
		`{die: 3, explode: {on: ">=2", times: 1}}`, `{die: 4, explode: {on: 4, times: 2}}`))
	some := ""
	if g.isOneIn(2) { // the sum of a list
		g.writef("\tdice: some: %s", pickOne(g, "{die: 4, count: 2}", "{die: 3, count: 2, explode: {on: 3, times: 1}}",
			"{faces: [-1, 0, 5], count: 3}", fmt.Sprintf("{die: 3, count: %q}", g.makeSmall(2))))
		some = pickOne(g, " + sum(some)", " - sum(some)")
	}
	times := func() string { return pickOne(g, "", "", "2 * ", "-3 * ", g.makeSmall(3)+" * ") }
	for i := range 1 + g.IntN(2) {
		n := name{fmt.Sprintf("out%d", i), "int", true}
		rest := pickOne(g, " * b", " + max(a, 2)")
		if isPlain {
			n.text = fmt.Sprintf("sum%d", i)
			rest = pickOne(g, "", " + "+g.pickName("int", "1"), " - "+times()+"b", " + "+times()+"b", " + a")
		}
		g.writef("\toutput: %s: %q", n.text, times()+"a"+rest+some)
		out = append(out, n)
	}
	g.hidden = false
	return out
}

// writePool writes a few dice that are counted, sorted, compared and folded, and returns the outputs.
func (g *Generator) writePool() (out []name) {
	sides, count := 3+g.IntN(4), pickOne(g, "2", "3", fmt.Sprintf("%q", g.makeSmall(3)))
	g.writef("\tdice: pool: %s", pickOne(g, fmt.Sprintf("{die: %d, count: %s}", sides, count),
		fmt.Sprintf("{die: %d, count: %s, again: {on: 1, once: true}}", sides, count),
		fmt.Sprintf("{die: %d, count: %s, explode: {on: %d, into: \"dice\", times: 1}}", sides, count, sides),
		fmt.Sprintf("{die: %d, count: %s, explode: {on: %d}}", sides, count, sides), // without an end
		fmt.Sprintf("{die: %d, count: 3, distinct: true}", sides),
		fmt.Sprintf("{faces: [0, 1, 1, 2], count: %s}", count), "{pool: [2, 3, 4]}",
		"{die: 3, weights: [3, 1, 1], count: 3}"))
	g.writef("\tdice: other: %s", pickOne(g, `"d4"`, "{die: 3, explode: {on: 3, times: 1}}",
		"{die: 4, weights: [1, 2, 3, 1]}"))
	list := "pool"
	if g.isOneIn(3) {
		g.writef("\tlet: few: %q", pickOne(g, "pool.filter(x, x > 1)", "sort(pool)", "pool.map(x, max(x, 2))",
			"pool.filter(x, x != other)", "sort(pool).slice(0, min(2, size(pool)))", "pool + [other]"))
		list = "few"
	}
	least := func() string { return pickOne(g, "1", "2", "other", g.pickName("int", "3")) }
	order := func() string { return pickOne(g, "<", "<=", ">", ">=", "==", "!=") }
	if g.isOneIn(3) { // what ends the evaluation when some of the dice are known
		g.writef("\trequire: \"a pool\": %q", fmt.Sprintf("%s.count(x, x %s %s) %s %d", list, order(), least(),
			pickOne(g, "<", "<=", "!="), 1+g.IntN(2)))
	}
	if g.isOneIn(4) { // or when none of them is
		g.writef("\trequire: \"another die\": %q", fmt.Sprintf("other %s %d", order(), 1+g.IntN(3)))
	}
	if g.isOneIn(4) { // a die that some of them decide
		g.writef("\tdice: late: {die: %q}", fmt.Sprintf("%s + %s.count(x, x == %s)",
			pickOne(g, "1", "2", "0"), list, least()))
		g.writef("\toutput: after: \"late\"")
		out = append(out, name{"after", "int", true})
	}
	isCounted := g.isOneIn(3) // and no die of the pool is told from another
	for i := range 2 + g.IntN(2) {
		n := name{fmt.Sprintf("out%d", i), "int", true}
		var text string
		kind := g.IntN(15)
		if isCounted {
			kind = pickOne(g, 0, 0, 3, 6, 12)
		}
		switch kind {
		case 0:
			text = fmt.Sprintf("%s.count(x, x %s %s)", list, order(), least())
		case 1:
			text = fmt.Sprintf("sum(sort(%s).slice(%s))", list,
				pickOne(g, "0, min(2, size("+list+"))", "min(1, size("+list+")), size("+list+")"))
		case 2:
			text = fmt.Sprintf("(size(%s) > 0 ? max(%s) - min(%s) : -1)", list, list, list)
		case 3:
			text = fmt.Sprintf("%s.filter(x, x %s %s).sum(x, x)", list, order(), least())
		case 4:
			text = fmt.Sprintf("%s.fold(x, s, other, x %s s ? x : s + 1)", list, order())
		case 5:
			text = fmt.Sprintf("counts(%s, 0, 6).count(c, c >= 2)", list)
		case 6:
			text = fmt.Sprintf("max(counts(%s, 1, %d))", list, sides)
		case 7:
			text = fmt.Sprintf("%s.sum(x, x %s other ? x : -1)", list, order())
		case 8:
			text = fmt.Sprintf("%s.sum(x, %s.count(y, y > x))", list, list)
		case 9:
			text = fmt.Sprintf("(size(%s) > 1 ? %s[0] * 10 + %s[1] : other)", list, list, list)
		case 10:
			text = fmt.Sprintf("(size(%s) > 1 ? sort(%s)[size(%s) - 2] : 0) + other", list, list, list)
		case 11:
			text = fmt.Sprintf("%s.fold(x, s, 0, %s)", pickOne(g, list, "sort("+list+")"), pickOne(g, "s * 2 + x", "x - s", "s * other + x",
				g.makeNext()))
		case 12:
			n.kind = "list"
			text = pickOne(g, "sort("+list+")", "sort("+list+".filter(x, x > 1))", "sort("+list+").slice(0, min(2, size("+list+")))",
				"sort("+list+".map(x, 0 - x))")
		default:
			n.kind = "bool"
			text = pickOne(g, fmt.Sprintf("%s.exists(x, x %s other)", list, order()),
				fmt.Sprintf("%s.all(x, x %s %s)", list, order(), least()),
				fmt.Sprintf("%s.exists_one(x, x %s %s)", list, order(), least()), fmt.Sprintf("other in %s", list),
				fmt.Sprintf("sum(%s) %s other + %s", list, order(), least()), fmt.Sprintf("sort(%s) == %s", list, list))
		}
		g.writef("\toutput: %s: %q", n.text, text)
		out = append(out, n)
	}
	return out
}

// writeZeros writes outputs that always have a value, among them zeros of both signs, and returns them. No sum of ints
// is among them, which may overflow.
func (g *Generator) writeZeros() (out []name) {
	g.writef("\tdice: low: %s", pickOne(g, "{die: 3}", "{die: 4, weights: [1, 2, 3, 1]}", "{faces: [-1, 0, 2]}",
		"{die: 6, again: {on: 1, once: true}}"))
	g.writef("\tdice: high: \"d%d\"", 2+g.IntN(3))
	double := func() string {
		return pickOne(g, "low * -0.0", "-(low * 0.5)", "(low > high ? -0.0 : 0.0)", "low * 0.0 - high * 0.0",
			"min(0.0, low * -0.0)", "abs(low * -0.0)", "high * 0.25 - low * 0.25")
	}
	for i := range 1 + g.IntN(3) {
		n := name{fmt.Sprintf("out%d", i), pickOne(g, "double", "double", "doubles", "text", "word", "int"), true}
		text := "low"
		switch n.kind {
		case "double":
			text = double()
		case "doubles":
			text = fmt.Sprintf("[%s, %s]", double(), double())
		case "text":
			text = pickOne(g, "(low > high ? 'a' + 'b' : 'a') + (low > high ? '' : 'b')", "string(low)",
				"(low > 1 ? 'é' : 'z')")
		case "word":
			text = fmt.Sprintf("(low > high ? arms('%s') : low == high ? arms('%s') : arms('%s')).class",
				pickOne(g, arms...), pickOne(g, arms...), pickOne(g, arms...))
		}
		g.writef("\toutput: %s: %q", n.text, text)
		out = append(out, n)
	}
	return out
}

// writeBody writes dice, uses, lets and requirements, in an order at random, and returns the outputs.
func (g *Generator) writeBody(prefix string) []name {
	form := g.IntN(15)
	if g.plain && !g.isOneIn(4) {
		form = 6
	}
	if g.gambles && form > 5 && form < 9 {
		form = pickOne(g, 0, 9, 10, 11, 12, 13)
	}
	switch form {
	case 9:
		return g.writeTosses()
	case 10:
		return g.writeDeal()
	case 11:
		return g.writeSums()
	case 12:
		return g.writeHands()
	case 13, 14:
		return g.writeHeap()
	case 0, 1:
		return g.writeRace()
	case 2, 3, 4:
		return g.writePool()
	case 5:
		return g.writeZeros()
	}
	lets := 0
	for i := range 1 + g.IntN(4) {
		id := fmt.Sprintf("x%d", i)
		switch g.IntN(4) {
		case 0, 1:
			g.scope = append(g.scope, g.writeDie(id))
		case 2:
			if len(g.Rules) > 0 {
				g.writeUse(id)
				break
			}
			fallthrough
		default:
			lets++
			kind := g.pickKind()
			if kind == "int" && g.isOneIn(5) { // what fails here fails wherever it is read
				g.writef("\tlet: %s: %q", id, g.makeRiskyInt(2))
				g.scope = append(g.scope, name{id, kind, true}, name{id, kind, true})
				break
			}
			fmt.Fprintf(&g.b, "\tlet: %s: ", id)
			g.printFormula(g.place+": let: "+id, kind, 3)
			g.scope = append(g.scope, name{id, kind, true})
		}
	}
	if g.repeated != "" && g.readsCharacter() && g.isOneIn(3) {
		g.writef("\trequire: \"%s repeats\": \"%s + %s > -9\"", prefix, g.repeated, g.pickName("int", "1"))
	}
	for i := range g.IntN(3) {
		g.hidden = g.isOneIn(2)
		fmt.Fprintf(&g.b, "\trequire: ")
		message := fmt.Sprintf("%q", fmt.Sprintf("%s requirement %d", prefix, i))
		old := fmt.Sprintf("%q", g.makeExpression("bool", 1)+" || "+g.makeExpression("bool", 2)+
			pickOne(g, "", " || "+g.makeExpression("bool", 1)))
		if g.isOneIn(2) {
			new := fmt.Sprintf("%q", g.makeExpression("bool", 2))
			says := fmt.Sprintf("%q", fmt.Sprintf("another %s requirement %d", prefix, i))
			g.edits = append(g.edits, fmt.Sprintf("replace: %s: require: %s: {expect: %s, with: %s, says: %s}",
				g.place, message, old, new, says))
		}
		g.writef("%s: %s", message, old)
		g.hidden = false
	}
	var out []name
	if results := g.pickName("results", ""); results != "" && g.isOneIn(2) {
		g.writef("\toutput: all: %q", results)
		out = append(out, name{"all", "results", true})
	}
	for i := range 1 + g.IntN(3) {
		n := name{fmt.Sprintf("out%d", i), g.pickKind(), true}
		fmt.Fprintf(&g.b, "\toutput: %s: ", n.text)
		g.printFormula(g.place+": output: "+n.text, n.kind, 3)
		out = append(out, n)
	}
	if g.isOneIn(4) { // what a requirement has settled decides what may fail
		holds, some := g.makeExpression("bool", 1), name{"settled", "int", true}
		g.writef("\trequire: \"%s settled\": %q", prefix, pickOne(g, holds, "!("+holds+")"))
		g.writef("\toutput: %s: %q", some.text, fmt.Sprintf("(%s ? %s : %s)", holds, g.makeRiskyInt(1), g.makeRiskyInt(1)))
		out = append(out, some)
	}
	if !g.plain && g.isOneIn(5) {
		row := func() string {
			return pickOne(g, "ranks("+g.makeKey(1)+")", fmt.Sprintf("with(ranks('%s'), '%s", pickOne(g, arms...),
				pickOne(g, "base', "+g.makeExpression("int", 1), "tier', "+g.makeExpression("word", 1)))+")")
		}
		g.writef("\toutput: row: %q", pickOne(g, row(), fmt.Sprintf("(%s ? %s : %s)", g.makeExpression("bool", 1), row(), row())))
		out = append(out, name{"row", "row", true})
	}
	if !g.plain {
		for i := range g.IntN(3) { // of a kind that is seldom met among all expressions
			n := name{fmt.Sprintf("rare%d", i), "int", true}
			text := pickOne(g, g.makeIndexedInt(g.pickChance("list", "[3, 1, 2]"), 1), g.makeIndexedInt(g.pickName("list", "[3, 1, 2]"), 1),
				g.makeFoldedInt(1), g.makeFoldedInt(1), g.makeSortedInt(1), g.makeChosenInt(1), g.makeTabledInt(1), g.makePower(), g.makeRecordInt(1))
			g.writef("\toutput: %s: %q", n.text, text)
			out = append(out, n)
		}
	}
	if g.repeated != "" && g.readsCharacter() && g.isOneIn(2) {
		g.writef("\toutput: again: %q", g.repeated)
		out = append(out, name{"again", "int", true})
	}
	if !g.plain && g.isOneIn(6) {
		i := func() string { return g.makeExpression("int", 1) }
		tally := pickOne(g, fmt.Sprintf("{'b': %s, 'a': %s}", i(), i()),
			fmt.Sprintf("with({'c': %s, 'a': 1}, '%s', %s)", i(), pickOne(g, "a", "b", "é"), i()))
		g.writef("\toutput: tally: %q", tally)
		if g.isOneIn(2) { // the order of its keys
			g.writef("\toutput: tallied: %q", tally+".map(k, k)")
			out = append(out, name{"tallied", "texts", true})
		}
		out = append(out, name{"tally", "map", true})
	}
	if g.plain || g.isOneIn(4) {
		many := 1 + g.IntN(3)
		if g.plain {
			many += 9
		}
		for i := range many {
			kind := pickOne(g, "int", "int", "bool", "double")
			n := name{fmt.Sprintf("fused%d", i), kind, true}
			g.writef("\toutput: %s: %q", n.text, g.makeFused(kind))
			out = append(out, n)
		}
	}
	if g.isOneIn(4) { // two limits of one number, of which the later one is read first
		of := g.pickName("int", "3")
		bound := func() string {
			if g.isOneIn(3) {
				return fmt.Sprintf("%s < %d", of, g.IntN(9))
			}
			return fmt.Sprintf("%s <= %s %s %d", of, g.pickName("int", "2"), pickOne(g, "+", "-", "*"), 2+g.IntN(4))
		}
		g.writef("\tlet: limit: %q", bound())
		g.writef("\toutput: within: %q", fmt.Sprintf("%s %s limit", bound(), pickOne(g, "&&", "||")))
		out = append(out, name{"within", "bool", true})
	}
	if !g.plain && g.isOneIn(3) { // which who uses the rule may leave alone
		g.writef("\toutput: risk: %q", pickOne(g, g.makeRiskyInt(2),
			fmt.Sprintf("div_floor(6, input.n - %d)", 1+g.IntN(3))))
		out = append(out, name{"risk", "int", true})
	}
	isRiskList := func(n name) bool { return strings.HasSuffix(n.text, ".map(z, z.risk)") }
	if risks := slices.IndexFunc(g.scope, isRiskList); risks >= 0 && g.isOneIn(2) {
		g.writef("\toutput: risks: %q", g.scope[risks].text)
		out = append(out, name{"risks", "list", true})
	}
	if g.isOneIn(5) { // a double that may be none for JSON, by itself or in a list
		n := name{"beyond", "double", true}
		text := fmt.Sprintf("%s / (double(%s) - %s)", g.makeExpression("double", 1), g.pickName("int", "1"),
			pickOne(g, "2.0", "1.0", "3.0"))
		if !g.plain && g.isOneIn(2) {
			n.kind, text = "doubles", "[0.5, "+text+"]"
		}
		g.writef("\toutput: %s: %q", n.text, text)
		out = append(out, n)
	}
	if g.isOneIn(3) {
		g.edits = append(g.edits, fmt.Sprintf("extend: %s: output: more: %s", g.place, g.makeFormula("int", 2)))
	}
	return out
}

// makeFused writes an expression of two operations that one instruction may do.
func (g *Generator) makeFused(kind string) string {
	i, b, d := func() string { return g.makeExpression("int", 1) }, func() string { return g.makeExpression("bool", 1) },
		func() string { return g.makeExpression("double", 1) }
	if kind != "bool" && g.isOneIn(2) {
		return g.makeBounded(kind)
	}
	if kind == "int" && g.isOneIn(5) { // near the ends of the ints
		huge := pickOne(g, "9223372036854775800", "-9223372036854775800", "9223372036854775801", "4611686018427387900")
		return pickOne(g, fmt.Sprintf("%s + %s", i(), huge), fmt.Sprintf("%s - %s", huge, i()), fmt.Sprintf("%s * 2 + %s", i(), huge),
			fmt.Sprintf("%s * %s", i(), huge), fmt.Sprintf("-(%s - %s)", i(), huge), fmt.Sprintf("(%s - %s) + (%s + 20)", huge, i(), i()),
			fmt.Sprintf("(%s + %s) - (%s - 20)", huge, i(), i()))
	}
	switch kind {
	case "bool":
		x, y := i(), i()
		if g.isOneIn(3) {
			x, y = d(), d()
		}
		if g.isOneIn(6) { // what may be no number
			x, y = fmt.Sprintf("abs(%s / (%s - %s))", d(), y, pickOne(g, x, y)), "1.5"
		}
		return fmt.Sprintf("(%s %s %s %s %s)", x, pickOne(g, "<", "<=", ">", ">="), y, pickOne(g, "&&", "||"), b())
	case "double":
		return pickOne(g, fmt.Sprintf("(%s ? %s : %s) * %s", b(), d(), d(), d()), fmt.Sprintf("arms(%s).price * %s", g.makeKey(1), d()),
			fmt.Sprintf("double(%s) * %s", i(), d()), fmt.Sprintf("%s * %s * %s", i(), d(), d()))
	}
	return pickOne(g, g.makePips(i()), fmt.Sprintf("%s(%s * %s)", pickOne(g, "floor", "ceil"), d(), d()),
		fmt.Sprintf("%s(%s * %s)", pickOne(g, "floor", "ceil"), i(), d()),
		fmt.Sprintf("floor(%s / (abs(%s) + 0.5))", d(), d()), fmt.Sprintf("ceil(%s * %s * %s)", d(), i(), d()),
		fmt.Sprintf("max(%d, %s %s %s)", g.IntN(3), i(), pickOne(g, "+", "-"), i()),
		fmt.Sprintf("min(%d, max(%d, %s))", 5+g.IntN(5), g.IntN(3), i()), fmt.Sprintf("arms(%s).heft %s %s", g.makeKey(1), pickOne(g, "+", "*"), i()))
}

// makeBounded writes an expression of several operations that never leaves the ints, which many at once may do without asking
// whether they do.
func (g *Generator) makeBounded(kind string) string {
	var bounded []string
	for _, n := range g.scope {
		switch n.text {
		case "input.n", "event.n", "character.might", "character.grace", "character.worn":
			bounded = append(bounded, n.text)
		}
	}
	n := func() string { return pickOne(g, append(bounded, fmt.Sprint(2+g.IntN(4)))...) }
	heft := fmt.Sprintf("arms(%s).heft", g.makeKey(1))
	if kind == "double" {
		return pickOne(g, fmt.Sprintf("double(%s) / double(%s + 7)", n(), n()), fmt.Sprintf("double(%s) / 2.0", n()),
			fmt.Sprintf("double(%s) / double(%s - %d)", n(), n(), 1+g.IntN(4)))
	}
	return pickOne(g, fmt.Sprintf("%s * %s + %s", n(), n(), n()), fmt.Sprintf("%s * %s + %s * %s", n(), n(), n(), n()),
		fmt.Sprintf("%s + (%s + %s)", n(), n(), n()), fmt.Sprintf("%s + (%s - %s)", n(), n(), n()),
		fmt.Sprintf("%s + %s - %s", n(), n(), n()), fmt.Sprintf("max(%s, %s - %s)", n(), n(), n()),
		fmt.Sprintf("max(%s, %s - %s)", n(), n(), heft), fmt.Sprintf("%s + %s + %s", heft, n(), n()),
		fmt.Sprintf("%s(double(%s) * 0.75)", pickOne(g, "floor", "ceil"), n()),
		fmt.Sprintf("%s(double(%s) * 0.75 * double(%s))", pickOne(g, "floor", "ceil"), n(), n()),
		fmt.Sprintf("%s(%s / 3.0)", pickOne(g, "floor", "ceil"), n()))
}

// pickKind returns a kind of value.
func (g *Generator) pickKind() string {
	if g.plain {
		return pickOne(g, "int", "int", "int", "bool", "bool", "word", "double", "text")
	}
	return pickOne(g, "int", "int", "int", "int", "bool", "bool", "list", "list", "word", "word", "double",
		"double", "text", "text", "doubles", "texts", "lists")
}

// writeUse writes a use of an earlier rule and makes its outputs readable.
func (g *Generator) writeUse(id string) {
	r := pickOne(g, g.Rules...)
	each := g.isOneIn(5)
	if plain := slices.DeleteFunc(slices.Clone(g.Rules), func(r Rule) bool { return !r.plain }); g.plain && len(plain) > 0 {
		r, each = pickOne(g, plain...), false
	}
	for _, other := range g.Rules { // the input of which is at hand
		if g.pickName("input of "+other.ID, "") != "" && (!g.plain || other.plain) {
			r = other
		}
	}
	if slices.Contains(r.Outputs, Output{"risk", "int"}) { // of which some results may have no value
		each = g.isOneIn(2)
	}
	g.writef("\tuse: %s: {\n\t\trule: %q", id, r.ID)
	before := g.scope
	sibling := g.pickName("use of "+r.ID, "")
	if each {
		list := g.pickName("list", "[1, 2]") + fmt.Sprintf(".filter(z, z > %d)", g.IntN(4))
		g.writef("\t\teach: y: %q", list)
		g.scope = append(append([]name{}, before...), name{"y", "int", true})
		if g.isOneIn(3) {
			g.writef("\t\teach: w: %q", pickOne(g, list+".map(z, z + 1)", g.pickName("list", "[1, 2]")))
			g.scope = append(g.scope, name{"w", "int", true})
		}
	}
	if each && g.repeated != "" && g.readsCharacter() && g.isOneIn(2) { // which is judged in what may be used for no element
		again := name{g.repeated, "int", false}
		before = append(slices.Clip(before), again, again, again)
	}
	if !g.hidden && g.readsCharacter() && g.isOneIn(5) {
		g.writef("\t\tcharacter: %q", g.makeCharacter())
	}
	conditional := g.isOneIn(3) || g.plain && g.isOneIn(2)
	if conditional {
		g.writef("\t\twhen: %q", pickOne(g, g.makeExpression("bool", 2), g.makeExpression("bool", 2),
			"option.edge == 'sharp'"))
	}
	whole := g.pickName("input of "+r.ID, "")
	if whole != "" && !g.isOneIn(3) {
		g.writef("\t\tinput: %q", pickOne(g, whole, whole, fmt.Sprintf("with(%s, 'n', %s)", whole, g.makeExpression("int", 1))))
	} else {
		g.writeGiven(r, before, each)
	}
	if conditional {
		g.writef("\t\totherwise: {")
		for _, o := range r.Outputs {
			g.writef("\t\t\t%s: %s", o.Name, map[string]string{
				"int": "-1", "bool": "false", "list": `"[7]"`, "word": `"'poor'"`,
				"double": "0.5", "text": `"'none'"`, "results": `"[]"`, "doubles": `"[0.5]"`, "texts": `"['none']"`, "map": `"{'a': 7}"`,
				"row":   `"ranks('axe')"`,
				"lists": `"[[7]]"`}[o.Kind])
		}
		g.writef("\t\t}")
	}
	g.writef("\t}")
	g.scope = before
	if !each {
		g.scope = append(g.scope, name{id, "use of " + r.ID, true})
	}
	for _, o := range r.Outputs {
		switch {
		case o.Kind == "row":
			if each {
				g.scope = append(g.scope, name{id + ".map(z, z.row.base)", "list", true},
					name{id + ".count(z, z.row.tier > 'poor')", "int", true})
			} else {
				g.scope = append(g.scope, name{id + ".row.base", "int", true}, name{id + ".row.tier", "word", true})
			}
		case !each:
			g.scope = append(g.scope, name{id + "." + o.Name, o.Kind, true})
			if sibling != "" && o.Kind == "int" {
				g.scope = append(g.scope, name{fmt.Sprintf("[%s, %s].map(z, z.%s)", sibling, id, o.Name), "list", true})
			}
		case o.Kind == "int":
			g.scope = append(g.scope, name{id + ".map(z, z." + o.Name + ")", "list", true}, name{id, "results", true})
		}
	}
}

// writeGiven writes what a use gives to its rule field by field.
func (g *Generator) writeGiven(r Rule, before []name, each bool) {
	g.writef("\t\tinput: {")
	for _, a := range r.asks {
		switch a.kind {
		case "ours":
			g.writef("\t\t\t\"ours.n\": %q", g.makeExpression("int", 1)) // the others have defaults
		case "n":
			n := g.makeExpression("int", 1)
			if each && g.isOneIn(2) {
				n = "y"
			}
			g.writef("\t\t\tn: %q", "max(1, min(12, "+n+"))")
		case "int":
			if g.isOneIn(2) {
				g.writef("\t\t\t%s: %q", a.name, g.makeExpression("int", 2))
			}
		case "small":
			if g.isOneIn(2) {
				g.writef("\t\t\t%s: %q", a.name, g.makeExpression("int", 1)) // may be out of its bounds
			}
		case "odd", "size":
			if g.isOneIn(2) {
				g.writef("\t\t\t%s: %q", a.name, pickOne(g, "4", "8", g.makeExpression("int", 1))) // may be none of them
			}
		case "load", "ratio":
			if g.isOneIn(2) {
				g.writef("\t\t\t%s: %q", a.name, g.makeExpression("double", 1))
			}
		case "wide":
			if g.isOneIn(2) {
				g.writef("\t\t\t\"wide.f66\": %q", g.makeExpression("int", 1))
			}
		case "label":
			if g.isOneIn(2) {
				g.writef("\t\t\tlabel: %q", g.makeExpression("text", 1))
			}
		case "must":
			g.writef("\t\t\t%s: %q", a.name, g.makeExpression("int", 2))
		case "part":
			if g.isOneIn(2) {
				g.writef("\t\t\t\"part.of\": %q", g.makeExpression("int", 1))
			}
		case "kin":
			if g.isOneIn(2) {
				for _, of := range pickOne(g, []string{"of"}, []string{"of", "low"}, []string{"mark", "of"}) {
					g.writef("\t\t\t\"kin.%s\": %q", of, g.makeExpression("int", 1))
				}
			}
		case "foes":
			for _, n := range before {
				if own, isOwn := strings.CutSuffix(n.text, ".foes.map(f, f.level)"); isOwn {
					g.writef("\t\t\tfoes: %q", pickOne(g, "", own+".foes + ")+own+".foes")
					break
				}
			}
		case "pairs":
			if g.isOneIn(3) {
				g.writef("\t\t\tpairs: %q", g.makeExpression("lists", 1))
			}
		case "names":
			if g.isOneIn(3) {
				g.writef("\t\t\tnames: %q", g.makeExpression("texts", 1))
			}
		case "cups":
			g.writef("\t\t\t%s", pickOne(g, fmt.Sprintf("cups: %q", fmt.Sprintf("{'brim': %s, 'b': 3}", g.makeExpression("int", 1))),
				fmt.Sprintf("cups: %q", fmt.Sprintf("with({'brim': 4, 'rim': 1}, '%s', %s)", pickOne(g, "rim", "a"), g.makeExpression("int", 1)))))
		case "few":
			g.writef("\t\t\tfew: %q", pickOne(g, g.makeExpression("list", 1)+".slice(0, 4)", "[3, "+g.makeExpression("int", 1)+"]"))
		case "hold":
			if hold := g.pickName("hold", ""); hold != "" {
				g.writef("\t\t\thold: %q", hold)
			} else if g.isOneIn(3) {
				g.writef("\t\t\t\"hold.b.of\": %q", g.makeExpression("int", 1))
			}
		case "grid":
			if g.isOneIn(2) {
				g.writef("\t\t\t\"grid.top_up\": %q", g.makeExpression("int", 1))
			}
		case "heat":
			if g.isOneIn(2) {
				g.writef("\t\t\theat: %q", g.makeExpression("double", 1))
			}
		case "marks":
			if g.isOneIn(3) {
				g.writef("\t\t\t\"marks.%s\": %q", pickOne(g, "head", "b"), g.makeExpression("int", 1))
			} else if g.isOneIn(2) {
				g.writef("\t\t\tmarks: %q", "{'head': "+g.makeExpression("int", 1)+", 'b': "+g.makeExpression("int", 1)+"}")
			}
		case "xs":
			if g.isOneIn(2) {
				g.writef("\t\t\txs: %q", pickOne(g, g.makeExpression("list", 1)+".slice(0, 4)",
					"[3, "+g.makeExpression("int", 1)+"]"))
			}
		case "purse":
			if g.isOneIn(2) {
				g.writef("\t\t\tpurse: %q", "{'gold': "+g.makeExpression("int", 1)+", 'b': 3}")
			}
		case "arm":
			if g.isOneIn(3) {
				g.writef("\t\t\tarm: %q", g.makeKey(1))
			}
		case "grade":
			if g.isOneIn(2) {
				g.writef("\t\t\tgrade: %q", pickOne(g, "'"+pickOne(g, grades...)+"'", g.makeExpression("word", 1),
					fmt.Sprintf("(%s ? 'good' : %s)", g.makeExpression("bool", 1), g.makeExpression("text", 1)))) // may be none of them
			}
		}
	}
	g.writef("\t\t}")
}

func (g *Generator) writeRule(id string) {
	g.readCharacter()
	g.scope = append(g.scope, name{"character.vigor", "int", false}, name{"character.keen", "bool", false})
	g.tables[0] = "set"
	g.place = "rules: " + id
	g.writef("rules: %s: {\n\tcite: \"x\"", id)
	g.plain = !g.gambles && g.isOneIn(3)
	asks := g.writeFields("input")
	var outputs []name
	if g.isOneIn(4) {
		asks = append(asks, g.writeDecision("input"))
		if before := g.scope[len(g.scope)-2]; g.isOneIn(2) && (before.kind == "int" || before.kind == "list") {
			outputs = append(outputs, g.writeStake(before))
		}
	}
	outputs = append(outputs, g.writeBody(id)...)
	g.writef("}")
	x := Rule{ID: id, asks: asks, plain: g.plain}
	g.plain = false
	for _, o := range outputs {
		x.Outputs = append(x.Outputs, Output{o.text, o.kind})
	}
	g.Rules = append(g.Rules, x)
}

// writeStake writes an output for which another amount is the best to spend after each face that may have fallen before.
func (g *Generator) writeStake(before name) name {
	fell := before.text
	if before.kind == "list" {
		fell = "sum(" + fell + ")"
	}
	g.writef("\tdice: fate: {die: %d}", 3+g.IntN(4))
	g.writef("\toutput: stake: \"(fate + %s > %d ? input.spend : %[1]s - input.spend)\"", fell, 3+g.IntN(5))
	return name{"stake", "int", true}
}

// writeDecision writes a field that is decided when a die has fallen, and the die.
func (g *Generator) writeDecision(root string) asked {
	g.writef("\t#%s: spend: *0 | int & >=0 & <=5", strings.ToUpper(root[:1])+root[1:])
	g.scope = append(g.scope, g.writeDie("before"))
	when := ""
	if g.isOneIn(2) {
		when = fmt.Sprintf("when: %q, ", g.makeExpression("bool", 2))
	}
	g.writef("\tdecide: spend: {after: [\"before\"], %sleast: %s, most: %q}", when,
		pickOne(g, "0", "0", "0", "1", `"min(1, `+g.makeExpression("int", 1)+`)"`),
		g.makeExpression("int", 2))
	g.scope = append(g.scope, name{root + ".spend", "int", true})
	return asked{name: "spend", kind: "spend"}
}
