package generated

import (
	"fmt"
	"slices"
	"strings"
)

// makeExpression writes an expression of a kind.
func (g *Generator) makeExpression(kind string, depth int) string {
	e := func(kind string) string { return g.makeExpression(kind, depth-1) }
	switch kind {
	case "int":
		if depth <= 0 {
			return g.pickName("int", fmt.Sprint(g.IntN(14)-3))
		}
		if g.isOneIn(30) {
			return g.makeRiskyInt(depth)
		}
		if g.plain {
			return g.makePlainInt(depth)
		}
		if g.isOneIn(6) {
			return g.makeRecordInt(depth)
		}
		if g.isOneIn(12) {
			return g.makeTabledInt(depth)
		}
		if g.isOneIn(14) {
			return g.makeChosenInt(depth)
		}
		if g.isOneIn(8) {
			return g.makeFoldedInt(depth)
		}
		if g.isOneIn(14) {
			return g.makeSortedInt(depth)
		}
		if g.isOneIn(18) {
			return g.makePower()
		}
		switch g.IntN(24) {
		case 0, 1:
			return fmt.Sprintf("(%s + %s)", e("int"), e("int"))
		case 2, 3:
			return fmt.Sprintf("(%s - %s)", e("int"), e("int"))
		case 4:
			return fmt.Sprintf("%s * %d", g.pickName("int", "3"), g.IntN(9)-4)
		case 5:
			return fmt.Sprintf("%s(%s, %s)", pickOne(g, divisions...), e("int"), g.makeDivisor())
		case 6, 7:
			return fmt.Sprintf("%s(%s, %s)", pickOne(g, "min", "max"), e("int"), e("int"))
		case 8:
			return fmt.Sprintf("abs(%s)", e("int"))
		case 9, 10:
			return fmt.Sprintf("(%s ? %s : %s)", e("bool"), e("int"), e("int"))
		case 11:
			return fmt.Sprintf("zone(max(0, min(12, %s)))%s", e("int"), g.tables[1])
		case 12:
			return fmt.Sprintf("ladder(max(-100, %s)).gain", e("int"))
		case 13:
			return fmt.Sprintf("chart('%s', max(0, min(12, %s)))", pickOne(g, "hard", "soft"), e("int"))
		case 14:
			return fmt.Sprintf("arms('%s').heft", pickOne(g, arms...))
		case 15:
			return g.pickName("int", "2")
		case 16:
			return fmt.Sprintf("sum(%s)", e("list"))
		case 17:
			return fmt.Sprintf("%s.count(x, %s)", e("list"), g.makeElement("bool", depth-1))
		case 18:
			return fmt.Sprintf("%s.sum(x, %s)", e("list"), g.makeElement("int", depth-1))
		case 19:
			if g.isOneIn(3) { // what is added depends on what was carried
				return fmt.Sprintf("%s.fold(x, s, %s, s + %s)", e("list"), e("int"),
					pickOne(g, "s", "x * (s - 2)", "min(x, s)"))
			}
			return fmt.Sprintf("%s.fold(x, most, %s, max(most, x))", e("list"), e("int"))
		case 20:
			return fmt.Sprintf("%s(%s)", pickOne(g, "floor", "ceil", "round"), e("double"))
		case 21:
			return fmt.Sprintf("(%s %% %d)", e("int"), 2+g.IntN(5))
		case 22:
			if len(g.Rules) > 0 || len(g.scope) > 5 && g.tables[0] == "set" {
				return fmt.Sprintf("mixed(%s, %s, %s)", e("int"), e("int"), e("bool"))
			}
		case 23:
			if len(g.scope) > 3 {
				return pickOne(g, "size("+e("list")+")", "max([0] + "+e("list")+")")
			}
		}
		return g.pickName("int", fmt.Sprint(g.IntN(9)))
	case "bool":
		if depth <= 0 {
			return g.pickName("bool", pickOne(g, "true", "false"))
		}
		n := g.IntN(22)
		if g.plain && (n == 6 || n == 9 || n == 18) {
			n = 0
		}
		switch n {
		case 21: // a number of one kind and one of the other
			sides := []string{e("int"), pickOne(g, e("double"), "2.5", "4.0")}
			g.Shuffle(2, func(i, j int) { sides[i], sides[j] = sides[j], sides[i] })
			return fmt.Sprintf("%s %s %s", sides[0], pickOne(g, "<", "<=", ">", ">="), sides[1])
		case 12:
			return fmt.Sprintf("%s %s %s", e("text"), pickOne(g, "<", "<=", ">", ">=", "==", "!="), e("text"))
		case 13:
			return fmt.Sprintf("%s.%s(%s)", e("text"), pickOne(g, "startsWith", "endsWith", "contains"), e("text"))
		case 14:
			return fmt.Sprintf("arms('%s').fine", pickOne(g, arms...))
		case 15: // two bounds of one number
			x := g.pickName("int", "2")
			return fmt.Sprintf("(%s %s %s %s %s %s %s)", x, pickOne(g, "<", "<="), e("int"), pickOne(g, "&&", "||"), x,
				pickOne(g, "<", "<=", ">"), e("int"))
		case 16: // two dice
			return fmt.Sprintf("%s%s %s %s", g.pickChance("int", "3"), pickOne(g, "", " + 1", " + "+g.pickName("int", "2")),
				pickOne(g, "<", "<=", ">", ">=", "=="), g.pickChance("int", "2"))
		case 20:
			return g.makeWordTruth(depth)
		case 19: // a side that may fail beside one that seldom does
			sides := []string{g.makeRiskyInt(depth-1) + " > 0", g.pickName("bool", "true")}
			g.Shuffle(2, func(i, j int) { sides[i], sides[j] = sides[j], sides[i] })
			return fmt.Sprintf("(%s %s %s)", sides[0], pickOne(g, "&&", "||"), sides[1])
		case 18:
			list := g.pickChance("list", "[3, 1, 2]")
			return fmt.Sprintf("(size(%s) > 1 && %s[0] %s %s[1])", list, list, pickOne(g, "<", ">=", "=="), list)
		case 17:
			return fmt.Sprintf("ladder(max(-100.0, %s)).odd", e("double"))
		case 10:
			return fmt.Sprintf("%s %s %s", e("double"), pickOne(g, "<", "<=", ">", ">=", "==", "!="),
				pickOne(g, "2.5", "1.5", "8.0", "-3.5", e("double")))
		case 11:
			return fmt.Sprintf("(%s ? %s : %s)", e("bool"), e("bool"), e("bool"))
		case 0, 1, 2:
			return fmt.Sprintf("%s %s %s", e("int"), pickOne(g, "<", "<=", ">", ">=", "==", "!="), e("int"))
		case 3:
			return fmt.Sprintf("(%s && %s)", e("bool"), e("bool"))
		case 4:
			return fmt.Sprintf("(%s || %s)", e("bool"), e("bool"))
		case 5:
			return fmt.Sprintf("!(%s)", e("bool"))
		case 6:
			return fmt.Sprintf("%s.%s(x, %s)", e("list"), pickOne(g, "exists", "all", "exists_one"),
				g.makeElement("bool", depth-1))
		case 7:
			return fmt.Sprintf("ladder(max(-100, %s)).odd", e("int"))
		case 8:
			if word := g.pickName("word", ""); word != "" {
				return fmt.Sprintf("%s %s '%s'", word, pickOne(g, ">=", "<", "==", ">", "<="), pickOne(g, grades...))
			}
		}
		return fmt.Sprintf("%s in %s", e("int"), e("list"))
	case "list":
		if depth <= 0 {
			return g.pickName("list", pickOne(g, "[3, 1]", "[2]", "[1, 4, 4]"))
		}
		switch g.IntN(9) {
		case 8:
			if g.readsCharacter() && g.isOneIn(2) { // of which the field of one may have no value
				return fmt.Sprintf("[%s, %s].map(c, c.might)", pickOne(g, "character", g.makeCharacter()),
					pickOne(g, "character", g.makeCharacter()))
			}
		case 7:
			return fmt.Sprintf("%s.map(l, sum(l))", e("lists"))
		case 0:
			return fmt.Sprintf("[%s, %s]", e("int"), e("int"))
		case 1:
			if g.isOneIn(3) { // of elements that are left out, some may have no value
				k := g.IntN(4) - 1
				return fmt.Sprintf("%s.map(x, x %s %d, %s(6, x - %d))", g.pickName("list", "[1, 2]"), pickOne(g, "!=", ">"), k,
					pickOne(g, "div_floor", "div_half_up"), k)
			}
			return fmt.Sprintf("%s.map(x, %s)", g.pickName("list", "[1, 2]"), g.makeElement("int", depth-1))
		case 2:
			return fmt.Sprintf("%s.filter(x, %s)", g.pickName("list", "[1, 2]"), g.makeElement("bool", depth-1))
		case 3:
			return fmt.Sprintf("sort(%s)", e("list"))
		case 4:
			return fmt.Sprintf("%s.sort_by(x, %s)", g.pickName("list", "[5, 2]"), g.makeElement("int", 1))
		case 5:
			return pickOne(g, "range(4)", "range(1, 4)", "pour(abs("+e("int")+"), [3, 0, 9])",
				"counts("+g.pickName("list", "[1]")+", "+pickOne(g, "1, 4", "-1, 2", "2, 2", "3, 2", "0, 30", "1, "+g.makeSmall(2),
					g.makeSmall(4)+", "+g.makeSmall(4))+")",
				fmt.Sprintf("%s.slice(%s, %s)", g.pickName("list", "[1, 2, 3]"), g.makeSmall(2), g.makeSmall(3)),
				fmt.Sprintf("(%s ? [] : %s)", g.makeExpression("bool", 1), g.pickName("list", "[1, 2]")),
				"range("+g.makeSmall(6)+")", g.pickName("list", "[1, 2, 3]")+".slice("+
					pickOne(g, "0, 1", "1, 2", "0, 0", "1, 3")+")")
		}
		return g.pickName("list", "[4, 2]")
	case "double":
		if depth <= 0 {
			return g.pickName("double", pickOne(g, "0.5", "2.25", "1.0", "0.375", "98.625"))
		}
		n := g.IntN(19)
		if g.plain && n > 11 && n < 17 {
			n = 2
		}
		switch n {
		case 17: // by what may be near 0
			return fmt.Sprintf("(%s / (double(%s) - %s))", e("double"), g.pickName("int", "3"),
				pickOne(g, "1.5", "2.0", "0.5"))
		case 18:
			if g.plain {
				return fmt.Sprintf("(%s - %s)", e("double"), e("double"))
			}
			return pickOne(g, "sum("+e("doubles")+")", fmt.Sprintf("%s.fold(v, s, 0.5, s * 0.5 - v)", e("doubles")))
		case 12:
			if g.isOneIn(4) { // of zeros with both signs, which 1 divided by them tells apart
				zero := fmt.Sprintf("%s * 0.0", e("double"))
				return fmt.Sprintf("(1.0 / %s([%s, -0.0, %s]) > 0.0 ? %s : -1.5)", pickOne(g, "max", "min"), zero, zero,
					e("double"))
			}
			return fmt.Sprintf("%s([double(%s), 0.5, %s, %s])", pickOne(g, "sum", "max", "min"), e("int"), e("double"),
				pickOne(g, "-2.25", "-0.5 - abs("+e("double")+")", "-(abs("+e("double")+") * 1.5)"))
		case 13:
			return fmt.Sprintf("%s.map(x, x * 0.5).sum(v, v + %s)", e("list"), e("double"))
		case 15: // infinite, and no number where two of these meet
			huge := fmt.Sprintf("(%s * 1e300 * %s)", e("double"), pickOne(g, "1e300", "-1e300"))
			return pickOne(g, huge, "("+huge+" - "+huge+")")
		case 16:
			return fmt.Sprintf("%s(%s.map(x, x * %s))", pickOne(g, "max", "min", "sum"),
				g.pickName("list", "[1, 4]"), e("double"))
		case 14:
			return fmt.Sprintf("sort([%s, double(%s), %s])[%d]", e("double"), e("int"), e("double"), g.IntN(3))
		case 0, 1:
			return fmt.Sprintf("(%s * %s)", e("int"), pickOne(g, "0.5", "1.5"))
		case 2, 3:
			return fmt.Sprintf("(%s %s %s)", e("double"), pickOne(g, "+", "-", "*"), e("int"))
		case 4:
			return fmt.Sprintf("(%s / %s)", e("double"), pickOne(g, "2", "4.0", "3", "10.0", "0.1", e("double")))
		case 5:
			return fmt.Sprintf("arms('%s').price + %s", pickOne(g, arms...), e("double"))
		case 6:
			return fmt.Sprintf("%s(%s, %s)", pickOne(g, "max", "min"), e("double"), e("double"))
		case 7:
			return fmt.Sprintf("abs(%s)", e("double"))
		case 8:
			return fmt.Sprintf("double(%s)", e("int"))
		case 9:
			return fmt.Sprintf("(%s ? %s : %s)", e("bool"), e("double"), e("double"))
		case 10:
			return fmt.Sprintf("pow(%s, %s)", e("double"), pickOne(g, "2.0", "0.5", "-1.0"))
		}
		return fmt.Sprintf("-(%s)", e("double"))
	case "text":
		if depth <= 0 {
			return g.pickName("text", pickOne(g, "'m'", "''", "'é'", "'axe'"))
		}
		switch g.IntN(5) {
		case 3:
			if !g.plain {
				return fmt.Sprintf("%s.fold(t, s, %s, s + t)", e("texts"), e("text"))
			}
		case 0:
			return fmt.Sprintf("(%s + %s)", e("text"), e("text"))
		case 1:
			return fmt.Sprintf("string(%s)", e("int"))
		case 2:
			return fmt.Sprintf("(%s ? %s : %s)", e("bool"), e("text"), e("text"))
		}
		return g.pickName("text", "'b'")
	case "doubles":
		switch g.IntN(5) {
		case 4: // of which one may be infinite
			return fmt.Sprintf("%s.map(x, 1.5 / double(x - %d))", e("list"), g.IntN(4))
		case 0:
			return g.pickName("doubles", "[0.5, -0.25]")
		case 1:
			return fmt.Sprintf("[%s, %s].filter(v, v != 0.5)", e("double"), e("double"))
		case 2:
			return fmt.Sprintf("sort([%s, %s, 0.0])", e("double"), e("double"))
		}
		return fmt.Sprintf("%s.map(x, x * %s)", g.pickName("list", "[1, 0]"), e("double"))
	case "texts":
		switch g.IntN(5) {
		case 3:
			return fmt.Sprintf("with(%s, '%s', %s).map(k, k)", pickOne(g, "{'c': 1, 'a': 2}", "{'b': 2}", "{'d': 1, 'b': 3, 'é': 2}"),
				pickOne(g, "a", "b", "c", "z"), e("int"))
		case 0:
			return g.pickName("texts", "['b', 'é']")
		case 1:
			return fmt.Sprintf("sort([%s, %s])", e("text"), e("text"))
		case 2:
			return fmt.Sprintf("[%s, %s].filter(t, t %s 'b')", e("text"), e("text"), pickOne(g, ">=", "!=", "<"))
		}
		return fmt.Sprintf("%s.map(x, string(x) + %s)", g.pickName("list", "[1, 2]"), e("text"))
	case "lists":
		switch g.IntN(4) {
		case 0:
			return g.pickName("lists", "[[3], [1, 2]]")
		case 1:
			return fmt.Sprintf("%s.map(x, [x, %s])", g.pickName("list", "[1, 2]"), e("int"))
		case 2:
			return fmt.Sprintf("[%s, %s].filter(l, size(l) > 1)", e("list"), e("list"))
		}
		return fmt.Sprintf("[%s, %s]", e("list"), g.pickName("list", "[4]"))
	case "word":
		if depth > 0 && g.isOneIn(3) {
			return g.makeChoice(e("word"), grades, depth)
		}
		return pickOne(g, g.pickName("word", "arms('axe').class"), fmt.Sprintf("arms('%s').class", pickOne(g, arms...)))
	}
	return "0"
}

// makeChoice writes a word of a choice, or in its place one in quotes.
func (g *Generator) makeChoice(word string, words []string, depth int) string {
	e := func(kind string) string { return g.makeExpression(kind, depth-1) }
	quoted := func() string { return "'" + pickOne(g, words...) + "'" }
	switch g.IntN(4) {
	case 0:
		return fmt.Sprintf("(%s ? %s : %s)", e("bool"), word, quoted())
	case 1:
		return fmt.Sprintf("(%s ? (%s ? %s : %s) : %s)", e("bool"), e("bool"), quoted(), quoted(), word)
	}
	return fmt.Sprintf("(%s ? %s : %s)", e("bool"), quoted(), word)
}

// makeKey writes a key of the table of arms.
func (g *Generator) makeKey(depth int) string {
	key := g.pickName("key", "'axe'")
	if depth > 0 && g.isOneIn(2) {
		return g.makeChoice(key, arms, depth)
	}
	return key
}

// makeWordTruth writes a truth about words: of choices in their orders, in quotes, in lists and maps.
func (g *Generator) makeWordTruth(depth int) string {
	e := func(kind string) string { return g.makeExpression(kind, depth-1) }
	order := pickOne(g, "<", "<=", ">", ">=", "==", "!=")
	grade := func() string { return "'" + pickOne(g, grades...) + "'" }
	n := g.IntN(12)
	if g.plain {
		n = g.IntN(6)
	}
	switch n {
	case 0:
		return fmt.Sprintf("%s %s '%s'", g.makeKey(depth), order, pickOne(g, arms...))
	case 1:
		return fmt.Sprintf("option.band %s '%s'", order, pickOne(g, "low", "mid", "high"))
	case 2:
		return fmt.Sprintf("%s %s (%s ? %s : %s)", g.makeChoice(e("word"), grades, depth), order,
			e("bool"), grade(), grade())
	case 3:
		return fmt.Sprintf("(%s ? %s : 'none') %s 'none'", e("bool"), e("word"), pickOne(g, "==", "!="))
	case 4: // which may be any string
		return fmt.Sprintf("(%s ? %s : %s + 'x') %s %s", e("bool"), e("word"), e("text"), order,
			pickOne(g, "'good'", e("text")))
	case 6:
		return fmt.Sprintf("sort([%s, %s, %s])[1] %s %s", e("word"), grade(), e("word"), order, grade())
	case 7:
		return fmt.Sprintf("get({'a': %s}, '%s', %s) %s %s", e("word"), pickOne(g, "a", "b"), grade(), order, grade())
	case 8:
		return fmt.Sprintf("[%s, %s][%d] %s %s", e("word"), grade(), g.IntN(2), order, grade())
	case 10: // of rows that begin with a word
		return fmt.Sprintf("(%s ? ranks('%s') : with(ranks('%s'), 'tier', %s)).tier %s %s", e("bool"), pickOne(g, arms...),
			pickOne(g, arms...), e("word"), order, grade())
	case 11:
		return fmt.Sprintf("[ranks('%s'), with(ranks('%s'), 'tier', %s), ranks('%s')].sort_by(r, r.tier)[1].base %s %s",
			pickOne(g, arms...), pickOne(g, arms...), grade(), pickOne(g, arms...), order, e("int"))
	case 9:
		first := grade()
		return fmt.Sprintf("[%s, %s].sort_by(x, %s ? x : %s)[0] == %s", first, grade(), e("bool"), e("word"), first)
	}
	return fmt.Sprintf("%s %s %s", e("word"), order, e("word"))
}

// makeTabledInt writes an int of a large table or of a chart by two numbers.
func (g *Generator) makeTabledInt(depth int) string {
	e := func(kind string) string { return g.makeExpression(kind, depth-1) }
	switch g.IntN(4) {
	case 3: // two columns of one row
		return g.makePips(e("int"))
	case 0:
		return fmt.Sprintf("board(max(0, min(12, %s)), max(0, min(12, %s)))", e("int"), e("int"))
	case 1:
		return fmt.Sprintf("deep(max(-1000.0, %s))", e("double"))
	}
	return fmt.Sprintf("deep(max(-1000, %s))", e("int"))
}

// makePips writes an int of two columns of a row that is found by a number from 1 on.
func (g *Generator) makePips(n string) string {
	return strings.ReplaceAll(pickOne(g, "(AT.good * 3 - AT.bad)", "(AT.bad > 3 ? AT.good : AT.bad)"), "AT", "pips(max(1, min(6, "+n+")))")
}

// makeChosenInt writes an int of a row, a list, a map or a record that is chosen among several.
func (g *Generator) makeChosenInt(depth int) string {
	e := func(kind string) string { return g.makeExpression(kind, depth-1) }
	rows := fmt.Sprintf("(%s ? arms('%s') : arms('%s'))", e("bool"), pickOne(g, arms...), pickOne(g, arms...))
	switch g.IntN(9) {
	case 7: // lists of which the elements of one may fail
		return fmt.Sprintf("(%s ? [{'p': {'q': %s}}] : [{'p': {'q': 1}}, {'p': {'q': %s}}]).sum(r, r.p.q)", e("bool"),
			e("int"), e("int"))
	case 0:
		return pickOne(g, rows, "arms("+g.makeKey(depth-1)+")") + ".heft"
	case 1:
		return fmt.Sprintf("[%s, arms('%s')].sum(arm, arm.heft)", rows, pickOne(g, arms...))
	case 2:
		return fmt.Sprintf("sum(%s ? %s : %s)", e("bool"), e("list"), e("list"))
	case 3:
		return fmt.Sprintf("(%s ? {'a': %s} : {'a': 2, 'b': %s})['a']", e("bool"), e("int"), e("int"))
	case 4:
		return fmt.Sprintf("size(%s ? {'a': 1} : {'a': 2, 'b': %s})", e("bool"), e("int"))
	case 5:
		return fmt.Sprintf("[%s, %s].map(y, [y, y + 1]).sum(l, sum(l))", e("int"), e("int"))
	case 6:
		return fmt.Sprintf("['axe', 'bow', 'dirk'].sum(arm, arms(arm).heft * %s)", g.pickName("int", "2"))
	}
	return fmt.Sprintf("(%s in ['b', %s] ? %s : 1)", e("text"), e("text"), e("int"))
}

// makePlainInt writes an int without lists.
func (g *Generator) makePlainInt(depth int) string {
	e := func(kind string) string { return g.makeExpression(kind, depth-1) }
	switch g.IntN(15) {
	case 13:
		return fmt.Sprintf("-(%s)", e("int"))
	case 14:
		return fmt.Sprintf("floor(%s / double(%s))", e("double"), g.pickName("int", "4"))
	case 12:
		return g.makeTabledInt(depth)
	case 11:
		return fmt.Sprintf("ladder(max(-100.0, %s)).gain", e("double"))
	case 0:
		return fmt.Sprintf("(%s %s %s)", e("int"), pickOne(g, "+", "-"), e("int"))
	case 1:
		return fmt.Sprintf("%s * %d", g.pickName("int", "3"), g.IntN(9)-4)
	case 2:
		return fmt.Sprintf("%s(%s, %s)", pickOne(g, divisions...), e("int"), g.makeDivisor())
	case 3:
		return fmt.Sprintf("%s(%s, %s, %s)", pickOne(g, "min", "max"), e("int"), e("int"), e("int"))
	case 4:
		return fmt.Sprintf("(%s ? %s : %s)", e("bool"), e("int"), e("int"))
	case 5:
		return fmt.Sprintf("zone(max(0, min(12, %s)))%s", e("int"), g.tables[1])
	case 6:
		return fmt.Sprintf("ladder(max(-100, %s)).gain", e("int"))
	case 7:
		return fmt.Sprintf("chart('%s', max(0, min(12, %s)))", pickOne(g, "hard", "soft"), e("int"))
	case 8:
		return fmt.Sprintf("%s(%s)", pickOne(g, "floor", "ceil", "round", "int"), e("double"))
	case 9:
		return fmt.Sprintf("(%s %% %d)", e("int"), 2+g.IntN(5))
	}
	return fmt.Sprintf("abs(%s)", g.pickName("int", "-3"))
}

// makeDivisor writes an int that is not 0.
func (g *Generator) makeDivisor() string {
	if g.isOneIn(4) { // and has no bound on the other side of 0
		return fmt.Sprintf(pickOne(g, "max(1, %s)", "min(-1, %s)"), g.pickName("int", "4"))
	}
	return pickOne(g, "1", "2", "3", "-3", "7", "-2", "-1")
}

// makeRiskyInt writes an int that may have no value: what is out of a table, a divisor of 0, a number that is too large.
func (g *Generator) makeRiskyInt(depth int) string {
	e := func(kind string) string { return g.makeExpression(kind, depth-1) }
	n := g.IntN(18)
	if g.plain {
		n = pickOne(g, 0, 1, 2, 3, 4, 5, 10, 11, 12, 14, 16, 17)
	}
	switch n {
	case 16:
		return fmt.Sprintf("rift(%s)", pickOne(g, e("int"), e("double")))
	case 17:
		if g.isOneIn(3) { // at the ends of the ints
			return fmt.Sprintf("%s(%s %s %s)", pickOne(g, "floor", "int", "ceil", "round"), pickOne(g, "9223372036854775808.0",
				"-9223372036854775808.0", "9223372036854774784.0"), pickOne(g, "+", "-"), pickOne(g, "0.0", "1024.0", "2048.0", e("double")))
		}
		return fmt.Sprintf("%s(%s / (double(%s) - 2.0))", pickOne(g, "floor", "int"), e("double"), g.pickName("int", "2"))
	case 13:
		return fmt.Sprintf("sum(%s.slice(%s, %s))", e("list"), e("int"), e("int"))
	case 14:
		return fmt.Sprintf("board(%s, %s)", e("int"), e("int"))
	case 15:
		return fmt.Sprintf("size(range(%s, min(20, %s)))", pickOne(g, "0", "-3", "5"), e("int"))
	case 10:
		return fmt.Sprintf("(%s %s %s)", e("int"), pickOne(g, "+", "-"),
			pickOne(g, "9223372036854775800", "-9223372036854775800", "4611686018427387904 * "+g.pickName("int", "2")))
	case 11:
		return fmt.Sprintf("(%s - %s)", pickOne(g, "9223372036854775800", "-9223372036854775806"), e("int"))
	case 12:
		return fmt.Sprintf("%s(%s - 9223372036854775807)", pickOne(g, "abs", "-"), e("int"))
	case 0:
		return fmt.Sprintf("%s(%s, %s)", pickOne(g, divisions...), e("int"),
			e("int"))
	case 1:
		return fmt.Sprintf("zone(%s)%s", e("int"), g.tables[1])
	case 2:
		return fmt.Sprintf("chart('%s', %s)", pickOne(g, "hard", "soft"), e("int"))
	case 3:
		return fmt.Sprintf("(%s * %s)", e("int"), pickOne(g, "4611686018427387904", "2000000000", e("int")))
	case 4:
		return fmt.Sprintf("(%s %% %s)", e("int"), e("int"))
	case 5:
		whole := pickOne(g, "floor", "round", "ceil", "int")
		if g.isOneIn(3) { // the least int, or what is less than it or greater than the greatest
			return fmt.Sprintf("%s(double(%s) * -9223372036854775808.0)", whole, g.pickName("int", "1"))
		}
		return fmt.Sprintf("%s(%s * %s)", whole, e("double"), pickOne(g, "1e18", "1e19", "3.0"))
	case 6:
		return fmt.Sprintf("%s[%s]", e("list"), e("int"))
	case 7:
		if g.readsCharacter() {
			return fmt.Sprintf("character.skills['%s']", pickOne(g, "climb", "ride"))
		}
	case 8:
		return fmt.Sprintf("%s(%s)", pickOne(g, "max", "min"), e("list"))
	}
	return pickOne(g, fmt.Sprintf("pow(%s, %s)", e("int"), e("int")), fmt.Sprintf("pow(%s, 20 + %s)", e("int"), e("int")), g.makePower())
}

// makePower writes a power with a fraction. Its last digits are anybody's, so it is bounded and rounded.
func (g *Generator) makePower() string {
	e := func(kind string) string { return g.makeExpression(kind, 1) }
	if g.isOneIn(3) { // of ints, which may leave the ints or have no value
		return fmt.Sprintf("(pow(%s, %s) %% 1009)", pickOne(g, e("int"), e("int")+" % 4", "2", "-3", "1", "-1", "0"),
			pickOne(g, e("int"), "abs("+e("int")+")", "62", "63", "40", fmt.Sprint(g.IntN(9))))
	}
	base := pickOne(g, e("double"), "abs("+e("double")+")", "(abs("+e("int")+") % 50 + 0.37)")
	exponent := pickOne(g, "1.5", "-0.75", "0.3", "2.6", "-1.2", "7.25", "4567.25", "-98765.3", "1000000.25",
		e("double"))
	return fmt.Sprintf("round(min(pow(%s, %s), 1000.0) * 1234.7)", base, exponent)
}

func (g *Generator) readsCharacter() bool {
	return slices.ContainsFunc(g.scope, func(n name) bool { return strings.HasPrefix(n.text, "character.") })
}

// makeCharacter writes the character with another value.
func (g *Generator) makeCharacter() string {
	e := func(kind string) string { return g.makeExpression(kind, 1) }
	return pickOne(g, fmt.Sprintf("with(character, 'might', %s)", e("int")),
		fmt.Sprintf("with(character, 'lucky', %s)", e("bool")), fmt.Sprintf("with(character, 'belt.full', %s)", e("int")),
		fmt.Sprintf("with(character, 'title', max(1, min(5, %s)))", e("int")),
		fmt.Sprintf("(%s ? with(character, 'might', %s) : character)", e("bool"), e("int")))
}

// makeSortedInt writes an int of lists that are sorted by other values than ints, compared, or joined of what may fail.
func (g *Generator) makeSortedInt(depth int) string {
	e := func(kind string) string { return g.makeExpression(kind, depth-1) }
	list := g.pickName("list", "[5, 2, 2]")
	switch g.IntN(12) {
	case 10:
		first := e("int")
		return fmt.Sprintf("({'a': %s, '%s': 2} == {'b': %s, 'a': %s} ? %s : 1)", first, pickOne(g, "b", "b", "c"),
			pickOne(g, "2", e("int")), pickOne(g, first, e("int")), e("int"))
	case 11:
		return fmt.Sprintf("[%s, [%s], %s].count(l, l %s %s)", list, e("int"), e("list"), pickOne(g, "==", "!="), list)
	case 9:
		return fmt.Sprintf("['dirk', 'axe', 'club', 'bow'].sort_by(arm, arms(arm).class).fold(arm, s, %s, s * 3 - "+
			"arms(arm).heft)", e("int"))
	case 0:
		return fmt.Sprintf("%s.sort_by(x, double(x) * %s).fold(x, s, 1, s * 2 - x)", list, e("double"))
	case 1:
		return fmt.Sprintf("%s.sort_by(x, string(x) + %s).fold(x, s, 1, s * 2 - x)", list, e("text"))
	case 2:
		return fmt.Sprintf("%s.sort_by(x, x > %s).fold(x, s, 1, s * 2 - x)", list, e("int"))
	case 3:
		return fmt.Sprintf("(%s == %s ? %s : 0)", e("list"), e("list"), e("int"))
	case 4:
		return fmt.Sprintf("(([%s] + %s).%s(x, div_floor(4, x) > %d) ? 1 : %s)", e("int"), list,
			pickOne(g, "all", "exists", "exists_one"), g.IntN(3), e("int"))
	case 5:
		next := fmt.Sprintf("with(s, 'heft', s.heft %s x)", pickOne(g, "+", "-"))
		if g.isOneIn(2) { // two fields, each computed of the other
			next = fmt.Sprintf("with(%s, 'price', s.price * 0.5 + double(s.heft))", next)
		}
		return fmt.Sprintf("floor(%s.fold(x, s, arms('%s'), %s).%s)", list, pickOne(g, arms...), next,
			pickOne(g, "price", "heft * 1.0"))
	case 6:
		return fmt.Sprintf("size(sort([%s, %s, 'm'])[%d])", e("text"), e("text"), g.IntN(3))
	case 7:
		return fmt.Sprintf("([%s, [2], %s].exists(l, l == [2]) ? %s : 3)", e("list"), list, e("int"))
	}
	return fmt.Sprintf("[{'p': %s, 'q': %s}, {'p': 1, 'q': 2}].count(r, r == {'p': %s, '%s': %s})", e("int"), e("int"),
		pickOne(g, "1", e("int")), pickOne(g, "q", "q", "r"), pickOne(g, "2", e("int")))
}

// makeRecordInt writes an int of records, maps or strings.
func (g *Generator) makeRecordInt(depth int) string {
	e := func(kind string) string { return g.makeExpression(kind, depth-1) }
	switch g.IntN(9) {
	case 0:
		return fmt.Sprintf("get({'a': %s, 'b': %s}, '%s', %s)", e("int"), e("int"), pickOne(g, "a", "b", "c"), e("int"))
	case 1:
		return fmt.Sprintf("{'a': %s, 'b': %s}.%s", e("int"), e("int"), pickOne(g, "a", "b"))
	case 2:
		return fmt.Sprintf("size(%s)", e("text"))
	case 3:
		return fmt.Sprintf("((%s + 'x').contains('%s') ? %s : %s)", g.pickName("word", "'a'"),
			pickOne(g, "x", "oo", "best"),
			e("int"), e("int"))
	case 4:
		return fmt.Sprintf("int(string(%s))", e("int"))
	case 5:
		if g.readsCharacter() && g.isOneIn(2) && len(g.Rules) > 0 {
			return fmt.Sprintf("reach(%s, %s)", pickOne(g, "character", g.makeCharacter()), e("list"))
		}
		if g.readsCharacter() {
			return "character.skills.map(k, character.skills[k]).sum(v, " + e("int") + " + v)"
		}
	case 6:
		if g.readsCharacter() {
			return fmt.Sprintf("character.skills.count(k, character.skills[k] %s %s)", pickOne(g, ">", "<="), e("int"))
		}
	case 7:
		return fmt.Sprintf("%s.fold(x, s, %s, %s)", e("list"), e("int"), pickOne(g, "s + x", "s - x", "0", "1", "s"))
	}
	return fmt.Sprintf("size(%s.filter(x, %s))", e("list"), g.makeElement("bool", depth-1))
}

// makeFoldedInt writes an int of a list, for which odds fold dice one by one, in their order or all at once.
func (g *Generator) makeFoldedInt(depth int) string {
	list := g.pickChance("list", "[3, 1, 2]")
	other := g.pickName("list", "[2, 5]")
	switch g.IntN(23) {
	case 21, 22: // several numbers that are carried, each of which may be what another one was, or the element itself
		next := func() string {
			return pickOne(g, "s.a + x", "s.a", "s.b", "s.c", "x", "s.a * 2 - s.b", "s.c + s.a", "max(s.b, x)", "7")
		}
		carried := foldNotches(pickOne(g, list, list, "range("+g.makeSmall(4)+")"), pickOne(g, "few", "many"), next(), next(), next())
		return pickOne(g, carried+".c", carried+".b", carried+".a", fmt.Sprintf("(%s.a * 10 + %[1]s.c)", carried))
	case 19: // rows of which a column is the index
		row := fmt.Sprintf("range(%s).fold(i, s, ranks('%s'), with(with(s, 'tier', (i > 1 ? s : ranks('%s')).tier), 'base', %s))",
			g.makeSmall(3), pickOne(g, arms...), pickOne(g, arms...), pickOne(g, "i", "i", "s.base + i"))
		return fmt.Sprintf("(%s.tier > 'fair' ? %[1]s.base : -1 - %[1]s.base)", row)
	case 18: // what a loop carries within another one that carries something, too
		return fmt.Sprintf("%s.fold(x, s, %d, %s.fold(y, t, %d, %s) + x)", list, g.IntN(4), other, 4+g.IntN(4),
			pickOne(g, "s", "s", "s + y", "t + s", "x", "max(s, y)"))
	case 16: // beside a sum a member that is the same behind each die, and may be another one before the first
		row := fmt.Sprintf("%s.fold(x, s, arms('%s'), with(with(s, 'fine', %s), 'heft', s.heft + x))", list,
			pickOne(g, arms...), pickOne(g, "false", "false", "true"))
		return fmt.Sprintf("(%s.fine ? %s : %[1]s.heft)", row, g.makeExpression("int", depth-1))
	case 17: // rows, each of which is forgotten for the next
		row := fmt.Sprintf("['dirk', 'axe', 'club', 'bow'].filter(arm, arms(arm).heft > %s).fold(arm, s, arms('%s'), %s)",
			g.makeExpression("int", depth-1), pickOne(g, arms...), pickOne(g, "arms(arm)", "with(arms(arm), 'heft', s.heft + 1)"))
		return fmt.Sprintf("(%s.class > 'fair' ? %[1]s.heft : %[1]s.fine ? -1 : -2)", row)
	case 14: // maps, a value of which may not be there
		of := fmt.Sprintf("{'p': %s(6, x - %d), 'q': x}", pickOne(g, "div_floor", "div_away"), g.IntN(4)-1)
		if g.isOneIn(3) {
			return fmt.Sprintf("%s.map(x, {'o': %s}).%s", list, of,
				pickOne(g, "sum(r, r.o.q)", "filter(r, r.o.q != 1).sum(r, r.o.p)"))
		}
		return fmt.Sprintf("%s.map(x, %s).%s", list, of, pickOne(g, "sum(r, r.q)", "filter(r, r.q != 1).sum(r, r.p)",
			"sort_by(r, r.q).fold(r, s, 1, s * 2 - r.p)", "count(r, r.q > 1 && r.p > 1)"))
	case 15: // rows, a column of which may have been computed in vain
		return fmt.Sprintf("%s.map(x, with(arms('%s'), 'heft', div_floor(6, x - %d))).%s", list,
			pickOne(g, arms...), g.IntN(4)-1, pickOne(g, "count(r, r.fine)", "sum(r, r.heft)",
				"filter(r, r.class > 'poor').sum(r, r.heft)", "sort_by(r, r.class)[0].heft"))
	case 10, 11:
		return g.makeIndexedInt(list, depth)
	case 12:
		return fmt.Sprintf("[%s, sort(%s), [%s]].filter(l, size(l) > %d).sum(l, l[0] - 2 * size(l))", list, list,
			g.makeExpression("int", depth-1), g.IntN(2))
	case 13:
		return fmt.Sprintf("-(%s)", g.makeExpression("int", depth-1))
	case 0:
		return fmt.Sprintf("sum(sort(%s).slice(%s))", list, pickOne(g, "0, 1", "1, 2", "1, size("+list+")", "0, 2", "1, 1"))
	case 1:
		return fmt.Sprintf("%s.sum(x, x * size(%s))", list, list)
	case 2:
		return fmt.Sprintf("%s.sum(x, div_floor(6, x - %d))", list, g.IntN(3)-1)
	case 3:
		return fmt.Sprintf("%s.sum(x, %s.count(q, q > x))", list, other)
	case 4:
		return fmt.Sprintf("%s.fold(x, s, %d, %s)", list, g.IntN(4), g.makeNext())
	case 5:
		return fmt.Sprintf("%s.sum(x, size(%s) > 0 ? %s[0] - x : 7)", list, other, other)
	case 6:
		return fmt.Sprintf("([1] + %s.map(x, div_floor(2, x - 1)) + %s).%s", list, other,
			pickOne(g, "sum(x, x)", "count(x, x > 1)", "filter(x, x > 0).map(x, x + 1).sum(x, x)"))
	case 7:
		return fmt.Sprintf("div_floor(%s, option.edge == 'sharp' ? 0 : 2)", g.makeExpression("int", depth-1))
	case 8:
		return fmt.Sprintf("%s.count(x, x > %s[0])", list, list)
	case 9:
		return fmt.Sprintf("(size(%s) > 1 && %s[0] < %s[1] ? %s[0] : %s)", list, list, list, list,
			g.makeExpression("int", depth-1))
	}
	return fmt.Sprintf("sort(%s)[%s]", list, pickOne(g, "0", "1", "size("+list+") - 1"))
}

// foldNotches writes a fold over a list of x, from a row of notches on, by the next values of its three columns.
func foldNotches(list, row, a, b, c string) string {
	return fmt.Sprintf("%s.fold(x, s, notches('%s'), with(with(with(s, 'a', %s), 'b', %s), 'c', %s))", list, row, a, b, c)
}

// makeNext writes the next value of a fold over the ints x, which are met once, added up, compared or forgotten.
func (g *Generator) makeNext() string {
	return pickOne(g, "s * 2 + x", "x + s * 2", "x + s", "x + 1", "x + min(s, 4)", "max(s, x)", "min(x, s) + 1", "x - s",
		"(x > s ? s + 1 : x)", "(x == 1 ? s : s + x)", "s + x * x", "s + abs(s - x)", "x * (s - 2)",
		"s + x + 0 * div_floor(6, s - 3)")
}

// makeIndexedInt writes an int of a loop over the indices of a list, or over other numbers in a row.
func (g *Generator) makeIndexedInt(list string, depth int) string {
	first := pickOne(g, "0", "0", "1", "2", "-1")
	switch g.IntN(10) {
	case 9: // by the indices of what is as long as its sum, its greatest element or its size
		return fmt.Sprintf("sum(range(%s, %s).%s.map(i, %s[i]))", first, pickOne(g, fmt.Sprintf("sum(%s)", list),
			fmt.Sprintf("max([0] + %s)", list), fmt.Sprintf("size(%s)", list)),
			pickOne(g, "filter(i, i != 1)", "filter(i, i > 0)", "sort_by(i, -i)"), list)
	case 6: // by its index in another list, which may be shorter
		return fmt.Sprintf("range(size(%s)).sum(i, %s[i])", list,
			pickOne(g, "range("+first+", size("+list+"))", "sort("+list+")", list+".map(x, x * 2)",
				list+".filter(x, x > 0)", "("+list+" + "+list+")"))
	case 7: // by indices that are chosen, sorted or computed
		return fmt.Sprintf("range(size(%s)).%s.fold(i, s, 1, s * 2 + %s[i])", list, pickOne(g, "filter(k, "+list+"[k] > 1)",
			"sort_by(k, "+list+"[k])", "map(k, k + 1)", "map(k, size("+list+") - 1 - k)",
			"slice(0, min(1, size("+list+")))"), list)
	case 8: // a list of another length than its loop has
		return fmt.Sprintf("%s.map(x, [x] + %s).sum(l, l[size(%s) - 1])", list, list, list)
	case 0:
		return fmt.Sprintf("range(size(%s)).sum(i, %s[i] * (i + 1))", list, list)
	case 1:
		return fmt.Sprintf("range(1, size(%s)).sum(i, %s[i] %s %s[i - 1] ? i : -1)", list, list,
			pickOne(g, "<", ">=", "=="), list)
	case 2: // which may be no index
		return fmt.Sprintf("range(size(%s)).sum(i, %s[i + %s])", list, pickOne(g, list, g.pickName("list", "[2, 5]")),
			pickOne(g, "0", "0", "1", "-1"))
	case 3:
		return fmt.Sprintf("range(%s, %s).fold(i, s, %s, s * 2 - i)", first, g.makeSmall(5),
			g.makeExpression("int", depth-1))
	case 4:
		return fmt.Sprintf("range(%s, %s).filter(i, i %% 2 == 1).sum(i, i)", first, g.makeSmall(7))
	}
	return fmt.Sprintf("range(%s, %s).sum(i, i * %s)", first, g.makeSmall(5), g.pickName("int", "3"))
}

// pickChance returns a name of a kind that dice decide, or the fallback.
func (g *Generator) pickChance(kind, fallback string) string {
	var all []string
	for _, n := range g.scope {
		if n.kind == kind && n.chance && !g.hidden {
			all = append(all, n.text)
		}
	}
	if len(all) == 0 {
		return g.pickName(kind, fallback)
	}
	return pickOne(g, all...)
}

// makeElement writes an expression of a kind in which an element of a list is called x.
func (g *Generator) makeElement(kind string, depth int) string {
	before := g.scope
	g.scope = append(append([]name{}, before...), name{"x", "int", false}, name{"x", "int", false})
	out := g.makeExpression(kind, depth)
	g.scope = before
	return out
}
