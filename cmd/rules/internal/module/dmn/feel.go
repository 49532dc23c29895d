package dmn

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A nodeKind is what an expression of FEEL does.
type nodeKind int

const (
	numberNode   nodeKind = iota
	stringNode            // text is what stands between the quotes
	truthNode             // text is true or false
	nullNode              //
	nameNode              // text is the name as the model has it
	memberNode            // args[0].text
	callNode              // text(args...); named has the names of the parameters, if they are given
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
	kind   nodeKind
	text   string
	args   []*node
	named  []string
	offset int
}

// A feelError is wrong at an offset of a text.
type feelError struct {
	offset  int
	message string
}

func (e *feelError) Error() string { return e.message }

func wrongAt(n *node, format string, args ...any) error {
	return &feelError{n.offset, fmt.Sprintf(format, args...)}
}

// A parser reads FEEL. Names may have blanks and signs in them, so it must know those that may stand here: of two that fit,
// the longer one is meant.
type parser struct {
	text  string
	at    int
	names []string // what is in scope, and the functions
	field []string // the members of every type
	depth int
}

// words are those that no name without quotes may be.
var words = []string{"true", "false", "null", "if", "then", "else", "and", "or", "not", "between", "in", "for", "some",
	"every", "function", "return", "satisfies", "instance"}

// parseExpression returns the expression that a text is.
func parseExpression(text string, names, fields []string) (*node, error) {
	p := newParser(text, names, fields)
	n, err := p.expression()
	if err == nil {
		err = p.end()
	}
	return n, err
}

// parseTests returns the tests of a cell, one of which must hold.
func parseTests(text string, names, fields []string) ([]*node, error) {
	p := newParser(text, names, fields)
	if strings.TrimSpace(text) == "-" || strings.TrimSpace(text) == "" {
		return []*node{{kind: anyNode}}, nil
	}
	list, err := p.tests()
	if err == nil {
		err = p.end()
	}
	return list, err
}

func newParser(text string, names, fields []string) *parser {
	longest := func(list []string) []string {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
		return list
	}
	return &parser{text: text, names: longest(names), field: longest(fields)}
}

func (p *parser) end() error {
	p.blanks()
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

func (p *parser) blanks() {
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

// sign reads one of some signs; of two that begin alike the longer stands first.
func (p *parser) sign(signs ...string) string {
	p.blanks()
	for _, s := range signs {
		if strings.HasPrefix(p.text[p.at:], s) {
			p.at += len(s)
			return s
		}
	}
	return ""
}

// word reads a word of the language.
func (p *parser) word(w string) bool {
	p.blanks()
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

// known reads the longest of some names; any run of blanks stands for a blank in it.
func (p *parser) known(names []string) string {
	p.blanks()
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

// deeper bounds how far expressions stand in one another.
func (p *parser) deeper() error {
	if p.depth++; p.depth > mostDepth {
		return &feelError{p.at, fmt.Sprintf("expressions stand in one another more than %d deep", mostDepth)}
	}
	return nil
}

func (p *parser) expression() (*node, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	p.blanks()
	start := p.at
	if p.word("if") {
		out := &node{kind: choiceNode, offset: start}
		for _, w := range []string{"then", "else", ""} {
			arg, err := p.expression()
			if err != nil {
				return nil, err
			}
			out.args = append(out.args, arg)
			if w != "" && !p.word(w) {
				return nil, &feelError{p.at, fmt.Sprintf("%q is missing before %q", w, firstWord(p.text[p.at:]))}
			}
		}
		return out, nil
	}
	for _, w := range []string{"for", "some", "every", "function"} {
		if p.word(w) {
			return nil, &feelError{start, fmt.Sprintf("%q has no counterpart here: loops and functions within expressions", w)}
		}
	}
	return p.binary(0)
}

// levels are the operators of two operands, those that bind least first.
var levels = [][]string{{"or"}, {"and"}, {"!=", "<=", ">=", "=", "<", ">"}, {"+", "-"}, {"*", "/"}, {"**"}}

func (p *parser) binary(level int) (*node, error) {
	if level == len(levels) {
		return p.unary()
	}
	left, err := p.binary(level + 1)
	for err == nil {
		op := p.operator(level)
		if op == "" {
			return left, nil
		}
		at := left.offset
		switch op {
		case "between":
			left, err = p.between(left)
		case "in":
			var tests []*node
			if tests, err = p.inTests(); err == nil {
				left = &node{kind: binaryNode, text: "in", args: append([]*node{left}, tests...), offset: at}
			}
		default:
			var right *node
			if right, err = p.binary(level + 1); err == nil {
				left = &node{kind: binaryNode, text: op, args: []*node{left, right}, offset: at}
			}
		}
	}
	return nil, err
}

// operator reads an operator of a level.
func (p *parser) operator(level int) string {
	switch level {
	case 0, 1:
		if p.word(levels[level][0]) {
			return levels[level][0]
		}
		return ""
	case 2:
		for _, w := range []string{"between", "in"} {
			if p.word(w) {
				return w
			}
		}
	case 4:
		p.blanks()
		if strings.HasPrefix(p.text[p.at:], "**") {
			return ""
		}
	}
	return p.sign(levels[level]...)
}

func (p *parser) between(x *node) (*node, error) {
	low, err := p.binary(3)
	if err != nil {
		return nil, err
	}
	if !p.word("and") {
		return nil, &feelError{p.at, "\"between\" needs \"and\""}
	}
	high, err := p.binary(3)
	if err != nil {
		return nil, err
	}
	span := &node{kind: intervalNode, text: "[]", args: []*node{low, high}, offset: low.offset}
	return &node{kind: binaryNode, text: "in", args: []*node{x, span}, offset: x.offset}, nil
}

// inTests reads what stands behind "in": tests in parentheses or one without, which may be an interval of open ends.
func (p *parser) inTests() ([]*node, error) {
	p.blanks()
	start := p.at
	if p.sign("(") != "" {
		if list, err := p.tests(); err == nil && p.sign(")") != "" {
			return list, nil
		}
		p.at = start
	}
	t, err := p.test()
	return []*node{t}, err
}

func (p *parser) unary() (*node, error) {
	p.blanks()
	start := p.at
	if p.sign("-") != "" {
		if err := p.deeper(); err != nil {
			return nil, err
		}
		defer func() { p.depth-- }()
		x, err := p.unary()
		return &node{kind: negateNode, args: []*node{x}, offset: start}, err
	}
	x, err := p.primary()
	for err == nil && p.isMember() {
		p.sign(".")
		p.blanks()
		at := p.at
		name := p.known(p.field)
		if name == "" {
			if name = p.identifier(); name == "" {
				return nil, &feelError{at, fmt.Sprintf("%q is no member", firstWord(p.text[at:]))}
			}
		}
		x = &node{kind: memberNode, text: name, args: []*node{x}, offset: start}
	}
	if err == nil && p.sign("[") != "" {
		err = &feelError{p.at - 1, "filters and elements of lists have no counterpart here"}
	}
	return x, err
}

// isMember reports whether a point stands here that begins no two points.
func (p *parser) isMember() bool {
	p.blanks()
	return strings.HasPrefix(p.text[p.at:], ".") && !strings.HasPrefix(p.text[p.at:], "..")
}

func (p *parser) identifier() string {
	end := strings.IndexFunc(p.text[p.at:], func(r rune) bool { return !isNamePart(r) })
	if end < 0 {
		end = len(p.text) - p.at
	}
	name := p.text[p.at : p.at+end]
	p.at += end
	return name
}

func (p *parser) primary() (*node, error) {
	p.blanks()
	start := p.at
	rest := p.text[start:]
	switch {
	case rest == "":
		return nil, &feelError{start, "an expression is missing"}
	case rest[0] == '"':
		text, err := p.quoted()
		return &node{kind: stringNode, text: text, offset: start}, err
	case rest[0] == '@':
		p.at++
		text, err := p.quoted()
		return &node{kind: atNode, text: text, offset: start}, err
	case isNumber(rest):
		return &node{kind: numberNode, text: p.number(), offset: start}, nil
	case rest[0] == '(':
		p.at++
		return p.parenthesised(start)
	case rest[0] == '[' || rest[0] == ']':
		return p.bracketed(start)
	case rest[0] == '{':
		return nil, &feelError{start, "contexts within expressions have no counterpart here"}
	}
	for _, w := range []string{"true", "false"} {
		if p.word(w) {
			return &node{kind: truthNode, text: w, offset: start}, nil
		}
	}
	if p.word("null") {
		return &node{kind: nullNode, offset: start}, nil
	}
	name := p.known(p.names)
	if name == "" {
		name = p.identifier()
		if name == "" || slices.Contains(words, name) {
			return nil, &feelError{start, fmt.Sprintf("%q is not understood here", firstWord(rest))}
		}
	}
	if p.sign("(") == "" {
		return &node{kind: nameNode, text: name, offset: start}, nil
	}
	return p.call(name, start)
}

// parenthesised reads what stands behind "(": an expression, or an interval without its first end.
func (p *parser) parenthesised(start int) (*node, error) {
	x, err := p.expression()
	if err != nil {
		return nil, err
	}
	if p.sign("..") != "" {
		return p.interval(start, "(", x)
	}
	if p.sign(")") == "" {
		return nil, &feelError{p.at, "\")\" is missing"}
	}
	return x, nil
}

// bracketed reads a list or an interval.
func (p *parser) bracketed(start int) (*node, error) {
	open := p.sign("[", "]")
	out := &node{kind: listNode, offset: start}
	if open == "[" && p.sign("]") != "" {
		return out, nil
	}
	for {
		x, err := p.expression()
		if err != nil {
			return nil, err
		}
		if len(out.args) == 0 && p.sign("..") != "" {
			if open == "]" {
				open = "("
			}
			return p.interval(start, open, x)
		}
		out.args = append(out.args, x)
		switch p.sign(",", "]") {
		case "]":
			return out, nil
		case "":
			return nil, &feelError{p.at, "\"]\" is missing"}
		}
	}
}

func (p *parser) interval(start int, open string, low *node) (*node, error) {
	high, err := p.expression()
	if err != nil {
		return nil, err
	}
	end := p.sign("]", ")", "[")
	switch end {
	case "":
		return nil, &feelError{p.at, "an interval ends with ], ) or ["}
	case "[":
		end = ")"
	}
	return &node{kind: intervalNode, text: open + end, args: []*node{low, high}, offset: start}, nil
}

func (p *parser) call(name string, start int) (*node, error) {
	out := &node{kind: callNode, text: name, offset: start}
	if p.sign(")") != "" {
		return out, nil
	}
	for {
		p.namedArgument(out)
		x, err := p.expression()
		if err != nil {
			return nil, err
		}
		out.args = append(out.args, x)
		switch p.sign(",", ")") {
		case ")":
			if len(out.named) > 0 && len(out.named) != len(out.args) {
				return nil, wrongAt(out, "of the arguments of %s some have names", name)
			}
			return out, nil
		case "":
			return nil, &feelError{p.at, "\")\" is missing"}
		}
	}
}

// namedArgument reads a name before a colon, if there is one.
func (p *parser) namedArgument(call *node) {
	colon := strings.IndexAny(p.text[p.at:], ":,()\"[]@")
	if colon < 0 || p.text[p.at+colon] != ':' {
		return
	}
	call.named = append(call.named, strings.Join(strings.Fields(p.text[p.at:p.at+colon]), " "))
	p.at += colon + 1
}

func isNumber(text string) bool {
	if text[0] == '.' {
		return len(text) > 1 && text[1] >= '0' && text[1] <= '9'
	}
	return text[0] >= '0' && text[0] <= '9'
}

// number reads digits with a point among them; two points are those of an interval.
func (p *parser) number() string {
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

// quoted reads a string with its escapes.
func (p *parser) quoted() (string, error) {
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

// tests reads the tests of a cell, separated by commas.
func (p *parser) tests() ([]*node, error) {
	p.blanks()
	start := p.at
	if p.word("not") && p.sign("(") != "" {
		list, err := p.tests()
		if err == nil && p.sign(")") == "" {
			err = &feelError{p.at, "\")\" is missing"}
		}
		return []*node{{kind: notNode, args: list, offset: start}}, err
	}
	p.at = start
	var out []*node
	for {
		t, err := p.test()
		if err != nil {
			return nil, err
		}
		if out = append(out, t); p.sign(",") == "" {
			return out, nil
		}
	}
}

func (p *parser) test() (*node, error) {
	p.blanks()
	start := p.at
	if op := p.sign("<=", ">=", "!=", "=", "<", ">"); op != "" {
		x, err := p.binary(3)
		return &node{kind: testNode, text: op, args: []*node{x}, offset: start}, err
	}
	return p.expression()
}
