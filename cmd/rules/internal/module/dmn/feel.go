package dmn

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A nodeKind is the form of an expression of FEEL.
type nodeKind int

const (
	numberNode   nodeKind = iota
	stringNode            // text is the string without its quotes
	truthNode             // text is true or false
	nullNode              //
	nameNode              // text is the name as the model has it
	memberNode            // args[0].text
	callNode              // text(args...); argNames has the names of the parameters, if they are given
	listNode              //
	negateNode            // -args[0]
	binaryNode            // args[0] text args[1]
	choiceNode            // if args[0] then args[1] else args[2]
	intervalNode          // args[0]..args[1]; text is the brackets
	testNode              // a comparison with the value of a cell: text args[0]
	anyNode               // the cell that everything passes
	notNode               // none of the tests in args
	atNode                // @"text", a date, a time or a duration
)

// A node is an expression of FEEL, with its offset in the text.
type node struct {
	kind     nodeKind
	text     string
	args     []*node
	argNames []string
	offset   int
}

// A feelError is wrong at an offset of a text.
type feelError struct {
	offset  int
	message string
}

func (e *feelError) Error() string { return e.message }

func errorAt(n *node, format string, args ...any) error {
	return &feelError{n.offset, fmt.Sprintf(format, args...)}
}

// A parser reads FEEL. Names may have blanks and signs in them, so it must know those that may stand here: of two that fit,
// the longer one is meant.
type parser struct {
	text    string
	at      int
	names   []string // what is in scope, and the functions
	members []string // the members of every type
	depth   int
}

// words are those that no name without quotes may be.
var words = []string{"true", "false", "null", "if", "then", "else", "and", "or", "not", "between", "in", "for", "some",
	"every", "function", "return", "satisfies", "instance"}

// parseExpression returns the expression of a whole text.
func parseExpression(text string, names, fields []string) (*node, error) {
	if err := checkLength(text); err != nil {
		return nil, err
	}
	p := newParser(text, names, fields)
	n, err := p.parseExpression()
	if err == nil {
		err = p.expectEnd()
	}
	return n, err
}

// parseTests returns the tests of a cell, one of which must hold.
func parseTests(text string, names, fields []string) ([]*node, error) {
	if err := checkLength(text); err != nil {
		return nil, err
	}
	p := newParser(text, names, fields)
	if strings.TrimSpace(text) == "-" || strings.TrimSpace(text) == "" {
		return []*node{{kind: anyNode}}, nil
	}
	list, err := p.parseTests()
	if err == nil {
		err = p.expectEnd()
	}
	return list, err
}

// checkLength refuses a text that is too long to be read.
func checkLength(text string) error {
	if len(text) > mostText {
		return &feelError{0, fmt.Sprintf("the text has %d bytes, and at most %d are read", len(text), mostText)}
	}
	return nil
}

func newParser(text string, names, fields []string) *parser {
	longest := func(list []string) []string {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
		return list
	}
	return &parser{text: text, names: longest(names), members: longest(fields)}
}

func (p *parser) expectEnd() error {
	p.skipBlanks()
	if p.at < len(p.text) {
		return &feelError{p.at, fmt.Sprintf("%q is not understood here", firstWord(p.text[p.at:]))}
	}
	return nil
}

// firstWord returns the beginning of a text for a message.
func firstWord(text string) string {
	if text == "" {
		return "the end"
	}
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end <= 0 || end > 30 {
		end = min(30, len(text))
		for !utf8.RuneStart((text + " ")[end]) {
			end--
		}
	}
	return text[:end]
}

func (p *parser) skipBlanks() {
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		switch {
		case unicode.IsSpace(r) || r == '\u00a0':
			p.at += size
		case strings.HasPrefix(p.text[p.at:], "//"):
			end := strings.IndexByte(p.text[p.at:], '\n')
			if end < 0 {
				end = len(p.text) - p.at
			}
			p.at += end
		default:
			return
		}
	}
}

// readSign reads and returns one of some signs, "" if none stands here. Of two that begin alike the longer is given first.
func (p *parser) readSign(signs ...string) string {
	p.skipBlanks()
	for _, s := range signs {
		if strings.HasPrefix(p.text[p.at:], s) {
			p.at += len(s)
			return s
		}
	}
	return ""
}

// readWord reads a word of the language, and reports whether it stands here.
func (p *parser) readWord(w string) bool {
	p.skipBlanks()
	rest := p.text[p.at:]
	if !strings.HasPrefix(rest, w) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest[len(w):])
	if isNamePart(r) && len(rest) > len(w) {
		return false
	}
	p.at += len(w)
	return true
}

func isNamePart(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// readName reads and returns the longest of some names, "" if none stands here. Any run of blanks is a blank of a name.
func (p *parser) readName(names []string) string {
	p.skipBlanks()
	for _, name := range names {
		if n := prefixLength(p.text[p.at:], name); n > 0 {
			p.at += n
			return name
		}
	}
	return ""
}

// prefixLength returns how many bytes of a text are a name; 0 when it begins with another.
func prefixLength(text, name string) int {
	at := 0
	for _, r := range name {
		if at >= len(text) {
			return 0
		}
		got, size := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(r) {
			if !unicode.IsSpace(got) {
				return 0
			}
			for at < len(text) && unicode.IsSpace(got) {
				at += size
				got, size = utf8.DecodeRuneInString(text[at:])
			}
			continue
		}
		if got != r {
			return 0
		}
		at += size
	}
	last, _ := utf8.DecodeLastRuneInString(name)
	if next, _ := utf8.DecodeRuneInString(text[at:]); at < len(text) && isNamePart(last) && isNamePart(next) {
		return 0
	}
	return at
}

// enterNesting counts one more level of expressions within expressions, and refuses too many.
func (p *parser) enterNesting() error {
	if p.depth == mostDepth {
		return &feelError{p.at, fmt.Sprintf("expressions stand in one another more than %d deep", mostDepth)}
	}
	p.depth++
	return nil
}

func (p *parser) parseExpression() (*node, error) {
	if err := p.enterNesting(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	p.skipBlanks()
	start := p.at
	if p.readWord("if") {
		out := &node{kind: choiceNode, offset: start}
		for _, w := range []string{"then", "else", ""} {
			arg, err := p.parseExpression()
			if err != nil {
				return nil, err
			}
			out.args = append(out.args, arg)
			if w != "" && !p.readWord(w) {
				return nil, &feelError{p.at, fmt.Sprintf("%q is missing before %q", w, firstWord(p.text[p.at:]))}
			}
		}
		return out, nil
	}
	for _, w := range []string{"for", "some", "every", "function"} {
		if p.readWord(w) {
			message := fmt.Sprintf("%q has no counterpart here: loops and functions within expressions", w)
			return nil, &feelError{start, message}
		}
	}
	return p.parseBinary(0)
}

// levels are the operators of two operands, those that bind least first.
var levels = [][]string{{"or"}, {"and"}, {"!=", "<=", ">=", "=", "<", ">"}, {"+", "-"}, {"*", "/"}, {"**"}}

func (p *parser) parseBinary(level int) (*node, error) {
	if level == len(levels) {
		return p.parseUnary()
	}
	left, err := p.parseBinary(level + 1)
	for err == nil {
		op := p.readOperator(level)
		if op == "" {
			return left, nil
		}
		at := left.offset
		switch op {
		case "between":
			left, err = p.parseBetween(left)
		case "in":
			var tests []*node
			if tests, err = p.parseInTests(); err == nil {
				left = &node{kind: binaryNode, text: "in", args: append([]*node{left}, tests...), offset: at}
			}
		default:
			var right *node
			if right, err = p.parseBinary(level + 1); err == nil {
				left = &node{kind: binaryNode, text: op, args: []*node{left, right}, offset: at}
			}
		}
	}
	return nil, err
}

// readOperator reads and returns an operator of a level, "" if none stands here.
func (p *parser) readOperator(level int) string {
	switch level {
	case 0, 1:
		if p.readWord(levels[level][0]) {
			return levels[level][0]
		}
		return ""
	case 2:
		for _, w := range []string{"between", "in"} {
			if p.readWord(w) {
				return w
			}
		}
	case 4:
		p.skipBlanks()
		if strings.HasPrefix(p.text[p.at:], "**") {
			return ""
		}
	}
	return p.readSign(levels[level]...)
}

func (p *parser) parseBetween(x *node) (*node, error) {
	low, err := p.parseBinary(3)
	if err != nil {
		return nil, err
	}
	if !p.readWord("and") {
		return nil, &feelError{p.at, "\"between\" needs \"and\""}
	}
	high, err := p.parseBinary(3)
	if err != nil {
		return nil, err
	}
	span := &node{kind: intervalNode, text: "[]", args: []*node{low, high}, offset: low.offset}
	return &node{kind: binaryNode, text: "in", args: []*node{x, span}, offset: x.offset}, nil
}

// parseInTests reads the tests behind "in": several in parentheses or one without, which may be an interval of open ends.
func (p *parser) parseInTests() ([]*node, error) {
	p.skipBlanks()
	start := p.at
	if p.readSign("(") == "" {
		t, err := p.parseComparison()
		if err == nil && t == nil {
			t, err = p.parseBinary(3) // "and" behind it is none of its own
		}
		return []*node{t}, err
	}
	list, err := p.parseTests()
	switch {
	case err != nil:
		return nil, err
	case len(list) == 1 && list[0].kind != testNode && list[0].kind != notNode && p.readSign("..") != "":
		span, err := p.parseIntervalEnd(start, "(", list[0])
		return []*node{span}, err
	case p.readSign(")") == "":
		return nil, &feelError{p.at, "\")\" is missing"}
	}
	return list, nil
}

func (p *parser) parseUnary() (*node, error) {
	p.skipBlanks()
	start := p.at
	if p.readSign("-") != "" {
		if err := p.enterNesting(); err != nil {
			return nil, err
		}
		defer func() { p.depth-- }()
		x, err := p.parseUnary()
		return &node{kind: negateNode, args: []*node{x}, offset: start}, err
	}
	x, err := p.parsePrimary()
	for err == nil && p.isAtMember() {
		p.readSign(".")
		p.skipBlanks()
		at := p.at
		name := p.readName(p.members)
		if name == "" {
			if name = p.readIdentifier(); name == "" {
				return nil, &feelError{at, fmt.Sprintf("%q is no member", firstWord(p.text[at:]))}
			}
		}
		x = &node{kind: memberNode, text: name, args: []*node{x}, offset: start}
	}
	if err == nil && p.readSign("[") != "" {
		err = &feelError{p.at - 1, "filters and elements of lists have no counterpart here"}
	}
	return x, err
}

// isAtMember reports whether a single point stands here; two are those of an interval.
func (p *parser) isAtMember() bool {
	p.skipBlanks()
	return strings.HasPrefix(p.text[p.at:], ".") && !strings.HasPrefix(p.text[p.at:], "..")
}

func (p *parser) readIdentifier() string {
	end := strings.IndexFunc(p.text[p.at:], func(r rune) bool { return !isNamePart(r) })
	if end < 0 {
		end = len(p.text) - p.at
	}
	name := p.text[p.at : p.at+end]
	p.at += end
	return name
}

func (p *parser) parsePrimary() (*node, error) {
	p.skipBlanks()
	start := p.at
	rest := p.text[start:]
	switch {
	case rest == "":
		return nil, &feelError{start, "an expression is missing"}
	case rest[0] == '"':
		text, err := p.readString()
		return &node{kind: stringNode, text: text, offset: start}, err
	case rest[0] == '@':
		p.at++
		text, err := p.readString()
		return &node{kind: atNode, text: text, offset: start}, err
	case hasNumberPrefix(rest):
		return &node{kind: numberNode, text: p.readNumber(), offset: start}, nil
	case rest[0] == '(':
		p.at++
		return p.parseParenthesised(start)
	case rest[0] == '[' || rest[0] == ']':
		return p.parseBracketed(start)
	case rest[0] == '{':
		return nil, &feelError{start, "contexts within expressions have no counterpart here"}
	}
	for _, w := range []string{"true", "false"} {
		if p.readWord(w) {
			return &node{kind: truthNode, text: w, offset: start}, nil
		}
	}
	if p.readWord("null") {
		return &node{kind: nullNode, offset: start}, nil
	}
	name := p.readName(p.names)
	if name == "" {
		name = p.readIdentifier()
		if name == "" || slices.Contains(words, name) {
			return nil, &feelError{start, fmt.Sprintf("%q is not understood here", firstWord(rest))}
		}
	}
	if p.readSign("(") == "" {
		return &node{kind: nameNode, text: name, offset: start}, nil
	}
	return p.parseArguments(name, start)
}

// parseParenthesised reads the rest behind "(": an expression, or an interval that excludes its first end.
func (p *parser) parseParenthesised(start int) (*node, error) {
	x, err := p.parseExpression()
	if err != nil {
		return nil, err
	}
	if p.readSign("..") != "" {
		return p.parseIntervalEnd(start, "(", x)
	}
	if p.readSign(")") == "" {
		return nil, &feelError{p.at, "\")\" is missing"}
	}
	return x, nil
}

// parseBracketed reads a list or an interval.
func (p *parser) parseBracketed(start int) (*node, error) {
	open := p.readSign("[", "]")
	out := &node{kind: listNode, offset: start}
	if open == "[" && p.readSign("]") != "" {
		return out, nil
	}
	for {
		x, err := p.parseExpression()
		if err != nil {
			return nil, err
		}
		if len(out.args) == 0 && p.readSign("..") != "" {
			if open == "]" {
				open = "("
			}
			return p.parseIntervalEnd(start, open, x)
		}
		out.args = append(out.args, x)
		switch p.readSign(",", "]") {
		case "]":
			return out, nil
		case "":
			return nil, &feelError{p.at, "\"]\" is missing"}
		}
	}
}

func (p *parser) parseIntervalEnd(start int, open string, low *node) (*node, error) {
	high, err := p.parseExpression()
	if err != nil {
		return nil, err
	}
	end := p.readSign("]", ")", "[")
	switch end {
	case "":
		return nil, &feelError{p.at, "an interval ends with ], ) or ["}
	case "[":
		end = ")"
	}
	return &node{kind: intervalNode, text: open + end, args: []*node{low, high}, offset: start}, nil
}

func (p *parser) parseArguments(name string, start int) (*node, error) {
	out := &node{kind: callNode, text: name, offset: start}
	if p.readSign(")") != "" {
		return out, nil
	}
	for {
		p.readArgumentName(out)
		x, err := p.parseExpression()
		if err != nil {
			return nil, err
		}
		out.args = append(out.args, x)
		switch p.readSign(",", ")") {
		case ")":
			if len(out.argNames) > 0 && len(out.argNames) != len(out.args) {
				return nil, errorAt(out, "of the arguments of %s some have names", name)
			}
			return out, nil
		case "":
			return nil, &feelError{p.at, "\")\" is missing"}
		}
	}
}

// readArgumentName reads a name before a colon, if there is one.
func (p *parser) readArgumentName(call *node) {
	colon := strings.IndexAny(p.text[p.at:], ":,()\"[]@")
	if colon < 0 || p.text[p.at+colon] != ':' {
		return
	}
	call.argNames = append(call.argNames, strings.Join(strings.Fields(p.text[p.at:p.at+colon]), " "))
	p.at += colon + 1
}

func hasNumberPrefix(text string) bool {
	if text[0] == '.' {
		return len(text) > 1 && text[1] >= '0' && text[1] <= '9'
	}
	return text[0] >= '0' && text[0] <= '9'
}

// readNumber reads digits with a point among them; two points are those of an interval.
func (p *parser) readNumber() string {
	start := p.at
	point := false
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c >= '0' && c <= '9':
		case c == '.' && !point && !strings.HasPrefix(p.text[p.at:], ".."):
			point = true
		default:
			return p.text[start:p.at]
		}
		p.at++
	}
	return p.text[start:p.at]
}

// readString reads a string with its escapes.
func (p *parser) readString() (string, error) {
	start := p.at
	if p.at >= len(p.text) || p.text[p.at] != '"' {
		return "", &feelError{start, "a string in quotes is missing"}
	}
	var out strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case '"':
			p.at++
			return out.String(), nil
		case '\\':
			if p.at++; p.at >= len(p.text) {
				continue
			}
			plain, ok := map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '"': '"', '\\': '\\', '\'': '\''}[p.text[p.at]]
			if !ok {
				return "", &feelError{p.at - 1, fmt.Sprintf("\\%c is no escape that is read", p.text[p.at])}
			}
			out.WriteByte(plain)
		default:
			out.WriteByte(c)
		}
	}
	return "", &feelError{start, "the string does not end"}
}

// parseTests reads the tests of a cell, separated by commas.
func (p *parser) parseTests() ([]*node, error) {
	p.skipBlanks()
	start := p.at
	if p.readWord("not") && p.readSign("(") != "" {
		if err := p.enterNesting(); err != nil {
			return nil, err
		}
		defer func() { p.depth-- }()
		list, err := p.parseTests()
		if err == nil && p.readSign(")") == "" {
			err = &feelError{p.at, "\")\" is missing"}
		}
		return []*node{{kind: notNode, args: list, offset: start}}, err
	}
	p.at = start
	var out []*node
	for {
		t, err := p.parseTest()
		if err != nil {
			return nil, err
		}
		if out = append(out, t); p.readSign(",") == "" {
			return out, nil
		}
	}
}

func (p *parser) parseTest() (*node, error) {
	if t, err := p.parseComparison(); err != nil || t != nil {
		return t, err
	}
	return p.parseExpression()
}

// parseComparison reads a comparison with the tested value; nil when no operator stands here.
func (p *parser) parseComparison() (*node, error) {
	p.skipBlanks()
	start := p.at
	op := p.readSign("<=", ">=", "!=", "=", "<", ">")
	if op == "" {
		return nil, nil
	}
	x, err := p.parseBinary(3)
	return &node{kind: testNode, text: op, args: []*node{x}, offset: start}, err
}
