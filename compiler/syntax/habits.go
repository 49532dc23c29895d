package syntax

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Authors of rules write other languages too. What follows knows their habits by the tokens at which CEL's parser gave up,
// and says how the same is written here; the parser's own words are about its grammar.

// conditional are the words of conditions in other languages.
var conditional = []string{"if", "then", "else", "elif", "elsif", "unless", "when", "otherwise", "case", "switch"}

// foreignOperators are operators of other languages, and what stands for them here.
var foreignOperators = map[string]string{"=": "== to compare", "&": "&&", "|": "||", "and": "&&", "or": "||",
	"^": "pow(a, b)", "mod": "%", "div": "div_floor(a, b)",
	// Signs of word processors.
	"‘": "'", "’": "'", "“": "'", "”": "'", "„": "'", "−": "-", "–": "-", "—": "-", "×": "*", "·": "*",
	"÷": "div_floor(a, b)", "≤": "<=", "≥": ">=", "≠": "!=", "²": "pow(a, 2)", "³": "pow(a, 3)"}

// habitsOfTwo are operators of two signs that CEL reads as two operators, and what stands for them here.
var habitsOfTwo = map[string]string{
	"**": "write pow(a, b)", "<>": "write !=", "??": "write has(x) ? x : 0, or get(m, key, 0) of a map",
	"?:": "write has(x) ? x : 0, or get(m, key, 0) of a map",
	"?.": "write has(x) ? x : 0, or get(m, key, 0) of a map", "++": noAssignment, "--": noAssignment, "+=": noAssignment,
	"-=": noAssignment, "*=": noAssignment, "/=": noAssignment, "->": macroForm, "=<": "write <=",
	"=>": "write >= to compare, and what is made or asked of each element as xs.map(x, x + 1), xs.filter(x, x > 2)",
	"/*": noteOutside, "*/": noteOutside,
	":=": oneExpression,
	"..": "write x >= 1 && x <= 5; range(1, 6) lists the numbers from 1 to 5",
}

// habitsOfThree are those of three signs.
var habitsOfThree = map[string]string{"!==": "write !=", "===": "write =="}

const (
	noAssignment = "a formula changes nothing, and gives the new value, x + 1"
	macroForm    = "write the name and what is asked of it as xs.filter(x, x > 2)"

	noteOutside   = "a note stands outside of the quotes, behind //"
	oneExpression = `a formula is one expression; a part with a name is a let of the rule, let: x: "..."`
)

// operandStart is a token with which an operand begins.
var operandStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w"'!(\[{-]`) })

// explainHabit returns the advice for an author who writes formulas of other languages, by the tokens around the offset at
// which the parser gave up, and its place; nothing if there is no such habit.
//
// The parser takes "if a then b else c" for a name, or for two names side by side, and "5%" for half of a remainder; it
// complains about the token behind. So the one before is looked at too.
func explainHabit(text string, offset int) (at int, message string) {
	tokens := Tokens(text)
	i, _ := slices.BinarySearchFunc(tokens, offset, func(t Token, at int) int { return cmp.Compare(t.Offset, at) })
	word := func(k int) string {
		if k < 0 || k >= len(tokens) {
			return ""
		}
		return text[tokens[k].From:tokens[k].To]
	}
	here, before := strings.ToLower(word(i)), strings.ToLower(word(i-1))
	sideBySide := operandStart().MatchString(here) // two operands: the first may be no name but a word of another language
	if at, message := explainTwoSigns(text, tokens, i); message != "" {
		return at, message
	}
	if strings.TrimSpace(text) == "" {
		return 0, `the formula is empty: write what it comes to, as "0" or "true", or leave out what it stands for`
	}
	if string(restAt(text, offset)) == "'" && before == "f" {
		return tokens[i-1].Offset, `"f" cannot stand here: + joins texts, 'hits: ' + string(x)`
	}
	if here == "," && isInBareParentheses(text, tokens[:i]) &&
		(strings.Contains(text, "fold") || strings.Contains(text, "reduce")) {
		return offset, `"," cannot stand here: ` +
			"write xs.fold(x, state, 0, state + x), with the names first and what it begins as"
	}
	if list := parenthesizedList(text, tokens[:min(i, len(tokens))]); here == "," && list != "" {
		return offset, `"," cannot stand here: a list stands in brackets: write ` + list
	}
	if here == "," && isInBareParentheses(text, tokens[:i]) {
		return offset, `"," cannot stand here: a list stands in brackets, [1, 2]; ` + macroForm
	}
	if here == "or" && i+1 < len(tokens) && tokens[i+1].Class == NumberToken {
		return offset, `"or" cannot stand here: what stands for a missing value is has(input.x) ? input.x : 0, ` +
			`or get(m, key, 0) of a map; || joins conditions`
	}
	if here == "=" && strings.Contains(text, ";") {
		return offset, `"=" cannot stand here: ` + oneExpression
	}
	if meant := comprehensionMeant(text); here == "for" && meant != "" {
		return offset, `"for" cannot stand here: write ` + meant
	}
	if message := explainWord(here, before, sideBySide); message != "" && word(i-1) != "." {
		return offset, fmt.Sprintf("%q cannot stand here: %s", here, message)
	}
	isNamed := strings.HasPrefix(here, "=") || here == ":"
	switch {
	case strings.HasPrefix(here, "=") &&
		slices.Contains(choiceCalls, strings.ToLower(openCall(text, tokens[:min(i, len(tokens))]))):
		return offset, `"=" cannot stand here: == compares, and a choice is written condition ? a : b` + choiceMeant(text)
	case isNamed && lastOpen(text, tokens[:min(i, len(tokens))]) == "(" && (word(i-2) == "(" || word(i-2) == ",") &&
		(here == ":" || namesArguments(openCall(text, tokens[:i]))):
		return offset, fmt.Sprintf("%q cannot stand here: arguments have no names, their order says which is which; "+
			"== compares", here[:1])
	case here == "#" && operandEnd().MatchString(before):
		return offset, `"#" cannot stand here: ` + noteOutside
	case strings.HasPrefix(here, "|") && (i == 0 || !operandEnd().MatchString(before)):
		return offset, `"|" cannot stand here: write abs(x)`
	case (here == "!" || here == "=" || here == "<" || here == ">") && word(i+1) == "=":
		return offset, fmt.Sprintf("%q cannot stand here: write %[1]s= without a blank", here)
	case strings.HasPrefix(here, "=") && slices.Contains([]string{"!", "=", "<", ">"}, before):
		return tokens[i-1].Offset, fmt.Sprintf("%q cannot stand here: write %[1]s= without a blank", before)
	case here == "=" && comparedForm(text, tokens, i) != "":
		return offset, `"=" cannot stand here: to compare write ` + comparedForm(text, tokens, i)
	case here == "=":
		return offset, `"=" cannot stand here: write == to compare`
	case sideBySide && (here == "round" || here == "rounded"):
		return offset, fmt.Sprintf("%q cannot stand here: div_ceil(a, b) rounds a division up, div_floor(a, b) down", here)
	case foreignName().MatchString(text[min(len(text), byteOffset(text, offset)):]) && !operandEnd().MatchString(before):
		m := foreignName().FindStringSubmatch(text[byteOffset(text, offset):])
		if here == "$" { // a shell's, or that of a template: any name that can be read here
			return offset, fmt.Sprintf("%q cannot stand here: a name stands alone: in place of %s write %s, or "+
				"character.%[3]s or input.%[3]s of a field", here, m[0], strings.Trim(m[0], "${}"))
		}
		return offset, fmt.Sprintf("%q cannot stand here: a name stands alone: in place of %s write character.%s, or "+
			"input.%[3]s", here, m[0], m[1])
	case (here == "@" || here == "$" || here == "#") && !operandEnd().MatchString(before):
		return offset, fmt.Sprintf("%q cannot stand here: a name stands alone, character.agility, input.x or roll", here)
	case here == "+" && i == 0 && len(tokens) > 2:
		return offset, `"+" cannot stand here: leave it out`
	case here == "+" && i == 0:
		return offset, `"+" cannot stand here: a formula gives the whole value, state.tired + 1`
	case isOrderSign(here) && (before == "(" || before == ","):
		return offset, fmt.Sprintf("%q cannot stand here: a name stands before it, xs.count(x, x %[1]s 5)", here)
	case here == "(" && before == ")":
		return offset, `"(" cannot stand here: all arguments stand in one pair of parentheses, f(a, b)`
	case here == ")" && openChoices(text, tokens[:i]) > 0 && lastOpen(text, tokens[:i]) == "(":
		return offset, `")" cannot stand here: a choice is written condition ? a : b`
	case here == "}" && word(i-2) == "{":
		return offset, `"}" cannot stand here: a name stands alone, without braces; a map is {'a': 1}`
	case strings.HasPrefix(here, "`"):
		return offset, "\"`\" cannot stand here: a text stands in single quotes, and + joins texts: 'hits: ' + string(x)"
	case here == ";" && openChoices(text, tokens[:i]) > 0:
		return offset, `";" cannot stand here: a choice is written condition ? a : b`
	case here == ";":
		return offset, `";" cannot stand here: ` + oneExpression
	case strings.HasPrefix(here, ".") && len(here) > 1 && unicode.IsDigit(rune(here[1])):
		return offset, fmt.Sprintf("%q cannot stand here: an element of a list is xs[%s]", here, here[1:])
	case before == "let" || before == "const" || before == "var":
		return tokens[i-1].Offset, fmt.Sprintf("%q cannot stand here: a name for a part is a let of the rule, "+
			"let: x: \"...\"", before)
	case slices.Contains(conditional, here):
		return offset, fmt.Sprintf("%q cannot stand here: a choice is written condition ? a : b", here)
	case sideBySide && slices.Contains(conditional, before) && word(i-2) != ".":
		return tokens[i-1].Offset, fmt.Sprintf("%q cannot stand here: a choice is written condition ? a : b", before)
	case here == ":" && lastOpen(text, tokens[:i]) == "" && openChoices(text, tokens[:i]) <= 0:
		return offset, `":" cannot stand here: a choice has one, condition ? a : b; the b may be a choice again`
	case here == ":" && lastOpen(text, tokens[:i]) == "(" && openChoices(text, tokens[:i]) <= 0:
		return offset, `":" cannot stand here: a choice is written condition ? a : b, a value for each word {'a': 1, 'b': 2}[x]`
	case here == "?" && openChoices(text, tokens[:i]) > 0:
		return offset, `"?" cannot stand here: the choice between the ? and the : of another stands in parentheses`
	case offset == utf8.RuneCountInString(text) && openChoices(text, tokens) > 0:
		return offset, "the expression ends too early: a choice is written condition ? a : b"
	case sideBySide && before == "not":
		return tokens[i-1].Offset, `"not" cannot stand here: write !`
	case sideBySide && before == "lambda":
		return tokens[i-1].Offset, `"lambda" cannot stand here: ` + macroForm
	case here == "between":
		return offset, `"between" cannot stand here: write x >= 1 && x <= 5`
	case here == ":" && slicedForm(text) != "":
		return offset, `":" cannot stand here: a part of a list is xs.slice(from, to), and to is outside of it: write ` +
			slicedForm(text)
	case here == ":" && lastOpen(text, tokens[:i]) == "[":
		return offset, `":" cannot stand here: a part of a list is xs.slice(from, to), and to is outside of it`
	case before == "%":
		return tokens[i-1].Offset, "% is the remainder of a division and no percent sign" + withoutPercent(word(i-2))
	case offset == utf8.RuneCountInString(text) && lacksOperand(before) && len(tokens) > 1:
		return offset, fmt.Sprintf("the expression ends too early: write what follows %s, or leave it out", before)
	case (here == ")" || here == "]") && lacksOperand(before):
		return offset, fmt.Sprintf("%q cannot stand here: write what follows %s, or leave it out", here, before)
	case (here == ")" || here == "]") && lastOpen(text, tokens[:i]) == "":
		return offset, fmt.Sprintf("%q cannot stand here: it closes nothing: leave it out", here)
	}
	if sideBySide && i > 0 && tokens[i-1].Class == NumberToken && foreignOperators[here] != "" && isName(here) &&
		tokens[i-1].To == tokens[i].From && (i+1 == len(tokens) || !operandStart().MatchString(word(i+1))) { // 2mod
		return offset, fmt.Sprintf("%q cannot stand here: write %s * %[1]s", here, before)
	}
	if sideBySide && i > 0 && tokens[i-1].Class == NumberToken && foreignOperators[here] == "" &&
		unicode.IsLetter(rune(here[0])) && tokens[i-1].To == tokens[i].From &&
		!(here[0] == 'd' && strings.Trim(here[1:], "0123456789") == "") {
		return offset, fmt.Sprintf("%q cannot stand here: a number stands without a unit; * multiplies", here)
	}
	if sideBySide && i > 0 && tokens[i-1].Class == NumberToken && foreignOperators[here] == "" &&
		unicode.IsLetter(rune(here[0])) && !(here[0] == 'd' && strings.Trim(here[1:], "0123456789") == "") {
		return offset, fmt.Sprintf("%q cannot stand here: an operator is missing before it: * multiplies", here)
	}
	if digits := separatedDigits(text, tokens, i); digits != "" {
		return offset, fmt.Sprintf("%q cannot stand here: a number is written without separators, %s", here[:1], digits)
	}
	if here == "," && lastOpen(text, tokens[:i]) == "" {
		return offset, `"," cannot stand here: ` + oneExpression
	}
	return offset, explainNeighbours(text, word(i-1), word(i))
}

// isProse reports whether a text is a sentence, and no formula: words with blanks between them alone.
func isProse(text string) bool { return prose().MatchString(text) }

var prose = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*\pL+(?: \pL+){2,}[.!]?\s*$`) })

// choiceCalls are the names by which other languages call a choice.
var choiceCalls = []string{"if", "iif", "ifelse", "wenn"}

// choiceCall is a choice as spreadsheets write it, of three arguments without calls in them.
var choiceCall = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:if|iif|ifelse|wenn)\(\s*([^(),;=]+?)\s*={1,3}\s*([^(),;=]+?)\s*` +
		`[,;]\s*([^(),;]+?)\s*[,;]\s*([^(),;]+?)\s*\)`)
})

// choiceMeant returns the choice that a call of a spreadsheet means; "" where its arguments are not plain.
func choiceMeant(text string) string {
	m := choiceCall().FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return fmt.Sprintf(": (%s == %s ? %s : %s)", m[1], m[2], m[3], m[4])
}

// explainNeighbours returns the message about two operands between which no operator stands; nothing about other tokens.
func explainNeighbours(text, before, here string) string {
	if before == "" || here == "" {
		return ""
	}
	_, isForeign := foreignOperators[strings.ToLower(here)]
	switch {
	case isForeign || !operandBehind().MatchString(before) || isDieSize(before, here) ||
		!operandStart().MatchString(here) || here[0] == '-' ||
		here[0] == '!' || strings.HasPrefix(here, "(") || strings.HasPrefix(here, "["):
		return ""
	case here == "{":
		return `"{" cannot stand here: a formula for each value of a choice stands outside of the quotes, ` +
			`harm: input: kind: {sword: "roll + 2", spear: "roll"}`
	case isProse(text):
		return fmt.Sprintf("%q cannot stand here: a text stands in single quotes, '%s'", here, strings.TrimSpace(text))
	case isName(before) && (isName(here) || unicode.IsDigit(rune(here[0]))):
		return fmt.Sprintf("%q cannot stand here: an operator is missing before it, such as + or <; a function has "+
			"parentheses, %s(%[1]s)", here, before)
	}
	return fmt.Sprintf("%q cannot stand here: an operator is missing before it, such as + or &&", here)
}

// operandBehind is a token with which an operand ends, a text among them.
var operandBehind = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\w)\]'"]$`) })

// isDieSize reports whether two tokens are dice, 2d6: the check says how they are rolled.
func isDieSize(before, here string) bool {
	return unicode.IsDigit(rune(before[0])) && here[0] == 'd' && strings.Trim(here[1:], "0123456789") == ""
}

// isName reports whether a token is a name.
func isName(token string) bool {
	first, _ := utf8.DecodeRuneInString(token)
	return first == '_' || unicode.IsLetter(first)
}

// isOrderSign reports whether a token compares what stands on both of its sides.
func isOrderSign(sign string) bool {
	return slices.Contains([]string{"<", "<=", ">", ">=", "==", "!="}, sign)
}

// restAt returns the code point at an offset of a text; nothing behind its end.
func restAt(text string, offset int) []rune {
	runes := []rune(text)
	if offset >= len(runes) {
		return nil
	}
	return runes[offset : offset+1]
}

// explainWord returns the advice for a word of another language that stands between two operands; "" for none.
func explainWord(here, before string, sideBySide bool) string {
	switch {
	case here == "for":
		return "write xs.map(x, f) for each element, xs.filter(x, p) for those that are wanted, xs.sum(x, f) to add"
	case sideBySide && operandEnd().MatchString(before):
		return wordOperators[here]
	}
	return ""
}

// comprehension is a list that Python makes of another one, perhaps as the argument of a function.
var comprehension = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:(\w+)\s*\(\s*)?\[?\s*([^\[\]]+?)\s+for\s+([a-z_]\w*)\s+in\s+([a-zA-Z_][\w.]*)` +
		`(?:\s+if\s+([^\[\]]+?))?\s*\]?\s*(\)?)\s*$`)
})

// comprehensionMeant returns the macro that a formula means which is a comprehension of Python's and no more; "" of others.
func comprehensionMeant(text string) string {
	m := comprehension().FindStringSubmatch(text)
	if m == nil || (m[1] == "") != (m[6] == "") {
		return ""
	}
	called, made, element, list, condition := strings.ToLower(m[1]), m[2], m[3], m[4], m[5]
	macro := func(name, body string) string { return fmt.Sprintf("%s.%s(%s, %s)", list, name, element, body) }
	elements := list
	if condition != "" {
		elements = macro("filter", condition)
	}
	if made != element {
		elements = fmt.Sprintf("%s.map(%s, %s)", elements, element, made)
	}
	isCount := called == "len" || called == "size" || called == "count" || called == "sum" && made == "1"
	switch {
	case isCount && condition != "":
		return macro("count", condition)
	case isCount:
		return "size(" + list + ")"
	case called == "any" && condition == "":
		return macro("exists", made)
	case called == "all" && condition == "":
		return macro("all", made)
	case called == "":
		return elements
	case slices.Contains([]string{"sum", "min", "max", "sort", "sorted"}, called):
		return strings.TrimSuffix(called, "ed") + "(" + elements + ")"
	}
	return ""
}

// arrowCall is a call of a method with an arrow function of JavaScript's, up to the arrow.
var arrowCall = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.(\w+)\(\s*\(?(\w+)\)?\s*$`) })

// arrowMacros are the macros that methods of JavaScript's lists mean.
var arrowMacros = map[string]string{
	"count": "count", "filter": "filter", "map": "map", "sum": "sum", "some": "exists", "any": "exists", "exists": "exists",
	"every": "all", "all": "all", "sort": "sort_by",
}

// arrowMeant returns the macro that a method with an arrow function means, by what stands before and behind the arrow:
// count(f, f >= 5); "" of all else.
func arrowMeant(before, behind string) string {
	m := arrowCall().FindStringSubmatch(before)
	if m == nil || arrowMacros[strings.ToLower(m[1])] == "" {
		return ""
	}
	body := strings.TrimSpace(behind)
	if end := closingParenthesis(body); end >= 0 {
		body = body[:end]
	}
	return fmt.Sprintf("%s(%s, %s)", arrowMacros[strings.ToLower(m[1])], m[2], body)
}

// closingParenthesis returns the offset of the first parenthesis that closes and that nothing in a text opens; -1 where
// there is none.
func closingParenthesis(text string) int {
	depth := 0
	for _, t := range Tokens(text) {
		switch text[t.From:t.To] {
		case "(":
			depth++
		case ")":
			if depth--; depth < 0 {
				return t.From
			}
		}
	}
	return -1
}

// parenthesizedList returns the list that is meant by values in parentheses behind in, x in ('a', 'b'), where a comma among
// them ends some tokens; "" of all else.
func parenthesizedList(text string, tokens []Token) string {
	for i := len(tokens) - 1; i > 0; i-- {
		if text[tokens[i].From:tokens[i].To] != "(" {
			continue
		}
		behind := text[tokens[i].To:]
		if end := closingParenthesis(behind); text[tokens[i-1].From:tokens[i-1].To] == "in" && end >= 0 {
			return "[" + behind[:end] + "]"
		}
		return ""
	}
	return ""
}

// pythonSlice is a part of a list as Python has it: pool[0:2], pool[1:], pool[:3].
var pythonSlice = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b([a-zA-Z_][\w.]*)\[\s*(\d*)\s*:\s*(\d*)\s*\]`)
})

// slicedForm returns the part of a list that a formula of Python's means; "" where it has none, or counts from the end.
func slicedForm(text string) string {
	m := pythonSlice().FindStringSubmatch(text)
	if m == nil || m[2] == "" && m[3] == "" {
		return ""
	}
	return fmt.Sprintf("%s.slice(%s, %s)", m[1], cmp.Or(m[2], "0"), cmp.Or(m[3], "size("+m[1]+")"))
}

// foreignName is a name as Roll20, Foundry and shells mark it: @{strength}, @abilities.strength, $strength.
var foreignName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[@$#](?:\{|\b)(?:[a-zA-Z_]\w*[.|])*([a-zA-Z_]\w*)\}?`)
})

// byteOffset returns the offset in bytes of an offset in code points.
func byteOffset(text string, offset int) int {
	runes := []rune(text)
	return len(string(runes[:min(offset, len(runes))]))
}

// namesArguments reports whether a call may have been meant with named arguments: no macro, whose arguments are conditions.
func namesArguments(called string) bool {
	return called != "" && !slices.Contains([]string{"count", "filter", "exists", "exists_one", "all", "map", "has"},
		called)
}

// openCall returns the name before the innermost bracket that is open at the end of some tokens; "" where none stands.
func openCall(text string, tokens []Token) string {
	depth := 0
	for i := len(tokens) - 1; i > 0; i-- {
		switch text[tokens[i].From:tokens[i].To] {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			if depth--; depth < 0 {
				if name := text[tokens[i-1].From:tokens[i-1].To]; isName(name) && name != "in" {
					return name
				}
				return ""
			}
		}
	}
	return ""
}

// comparedForm returns the comparison that a single = between two operands means, each a path or a literal; "" of others.
func comparedForm(text string, tokens []Token, i int) string {
	isPart := func(k int) bool {
		word := text[tokens[k].From:tokens[k].To]
		return word == "." || isName(word) || tokens[k].Class == NumberToken || strings.HasPrefix(word, "'")
	}
	from, to := i, i+1
	for from > 0 && isPart(from-1) {
		from--
	}
	for to < len(tokens) && isPart(to) {
		to++
	}
	if from == i || to == i+1 {
		return ""
	}
	return text[tokens[from].From:tokens[i-1].To] + " == " + text[tokens[i+1].From:tokens[to-1].To]
}

// wordOperators are words between two operands, and what stands for them here.
var wordOperators = map[string]string{
	"is": "write ==", "isnt": "write !=", "equals": "write ==", "eq": "write ==", "ne": "write !=", "x": "write *",
	"times": "write *", "plus": "write +", "minus": "write -", "by": "write *, or div_floor(a, b)",
	"gt": "write >", "lt": "write <", "ge": "write >=", "gte": "write >=", "le": "write <=", "lte": "write <=",
	"where":    "write xs.filter(x, condition), of which sum(...) adds",
	"contains": "write x in xs, or xs.exists(x, condition)", "has": "write x in xs, or has(input.x) of a field",
	"xor": "write a != b", "nor": "write !(a || b)", "as": "write int(x), double(x) or string(x)",
}

// explainTwoSigns returns the place of an operator of two signs, and the text to write, at the token where the parser gave
// up: its first sign, its second, or the token behind.
func explainTwoSigns(text string, tokens []Token, i int) (at int, message string) {
	for k := max(0, i-3); k < min(i+1, len(tokens)); k++ {
		t := tokens[k]
		if t.Class != OperatorToken || len(text) < t.From+2 {
			continue
		}
		signs := text[t.From : t.From+2]
		if signs == "--" && k < i-2 {
			continue // an operand follows: the number without its sign, twice
		}
		if meant := habitsOfThree[text[t.From:min(t.From+3, len(text))]]; meant != "" {
			return t.Offset, fmt.Sprintf("%q cannot stand here: %s", text[t.From:t.From+3], meant)
		}
		if meant := arrowMeant(text[:t.From], text[t.From+2:]); signs == "=>" && meant != "" {
			return t.Offset, `"=>" cannot stand here: write ` + meant
		}
		if meant := habitsOfTwo[signs]; meant != "" {
			return t.Offset, fmt.Sprintf("%q cannot stand here: %s", signs, meant)
		}
	}
	return 0, ""
}

// openChoices returns how many "?" of a text have no ":"; of a text with objects it may be too few.
func openChoices(text string, tokens []Token) int {
	open := 0
	for _, t := range tokens {
		switch text[t.From:t.To] {
		case "?":
			open++
		case ":":
			open--
		}
	}
	return open
}

// operandEnd is a token with which an operand ends, so that a bracket behind it is an index.
var operandEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\w)\]]$`) })

// lacksOperand reports whether a token is an operator behind which an operand stands.
func lacksOperand(token string) bool {
	return token != "" && strings.Trim(token, "+-*/%<>=!&|?:") == ""
}

// lastOpen returns the bracket that is still open at the end of some tokens of a text, "list" for one that begins a list;
// "" when none is.
func lastOpen(text string, tokens []Token) string {
	var open []string
	for i, t := range tokens {
		switch word := text[t.From:t.To]; word {
		case "[":
			if i == 0 || !operandEnd().MatchString(text[tokens[i-1].From:tokens[i-1].To]) {
				word = "list"
			}
			open = append(open, word)
		case "(", "{":
			open = append(open, word)
		case ")", "]", "}":
			open = open[:max(0, len(open)-1)]
		}
	}
	if len(open) == 0 {
		return ""
	}
	return open[len(open)-1]
}

// isInBareParentheses reports whether the innermost bracket that is open at the end of some tokens is a parenthesis that
// calls nothing: before it stands no name, or the operator in.
func isInBareParentheses(text string, tokens []Token) bool {
	depth := 0
	for i := len(tokens) - 1; i >= 0; i-- {
		switch text[tokens[i].From:tokens[i].To] {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			if depth--; depth < 0 {
				before := ""
				if i > 0 {
					before = text[tokens[i-1].From:tokens[i-1].To]
				}
				return text[tokens[i].From:tokens[i].To] == "(" && (before == "in" || !operandEnd().MatchString(before))
			}
		}
	}
	return false
}

// thousands is what follows the first digits of a number that is written in groups of three.
var thousands = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([,_]\d{3})+(\.\d+)?\b`) })

// separatedDigits returns a number without its separators when the token where the parser gave up separates its groups,
// as in 1,000; "" of all others.
func separatedDigits(text string, tokens []Token, i int) string {
	if i == 0 || i >= len(tokens) || tokens[i-1].Class != NumberToken || tokens[i-1].To != tokens[i].From {
		return ""
	}
	groups := thousands().FindString(text[tokens[i].From:])
	if groups == "" {
		return ""
	}
	return text[tokens[i-1].From:tokens[i-1].To] + strings.NewReplacer(",", "", "_", "").Replace(groups)
}

// withoutPercent returns the text to write for a percentage; nothing if no number stands before the sign.
func withoutPercent(number string) string {
	percent, err := strconv.ParseFloat(number, 64)
	if err != nil || !unicode.IsDigit(rune(number[0])) && number[0] != '.' { // inf and nan are names here
		return ""
	}
	return ": write " + strconv.FormatFloat(percent/100, 'f', -1, 64)
}

// divisor is a comment that begins as an operand does.
var divisor = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^//\s*[\w(]`)
})

// dividingComment returns the offset in code points of a comment that was meant as a division, 7 // 2, as in languages
// where that rounds down; -1 when there is none. Of a formula of several lines a comment is taken for one.
func dividingComment(text string) int {
	if strings.Contains(text, "\n") {
		return -1
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"' || text[i] == '\'':
			i += stringLength(text[i:]) - 1
		case divisor().MatchString(text[i:]):
			return utf8.RuneCountInString(text[:i])
		case strings.HasPrefix(text[i:], "//"):
			return -1
		}
	}
	return -1
}
