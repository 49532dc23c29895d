package wording

import (
	"regexp"
	"strings"
	"sync"
)

// A node is a part of a formula.
type node struct {
	kind nodeKind
	text string // a literal, a name, a field, an operator or the name of a function
	args []*node
}

type nodeKind uint8

const (
	numberNode nodeKind = iota
	textNode
	nameNode
	selectNode  // args[0].text
	indexNode   // args[0][args[1]]
	listNode    // [args...]
	recordNode  // {args...}, each an entry of its own
	unaryNode   // text is ! or -
	binaryNode  // text is the operator
	ternaryNode // args[0] ? args[1] : args[2]
	callNode    // text(args...)
	memberNode  // args[0].text(args[1:]...)
)

// path is a name with fields behind it, as it is written; not that of a call or an element.
func (n *node) path() (path string, isPath bool) {
	switch n.kind {
	case nameNode:
		return n.text, true
	case selectNode:
		before, is := n.args[0].path()
		return before + "." + n.text, is
	}
	return "", false
}

// token matches the next token of a formula behind blanks and comments.
var token = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\s|//[^\n]*(?:\n|$))*(` +
		`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[0-9]+(?:\.[0-9]+)?|[A-Za-z_]\w*|&&|\|\||[=!<>]=|[-+*/%<>!?:.,()\[\]{}])`)
})

// A parser reads a formula from left to right. bad is set by the first text that is no formula, and what is read after it
// is of no use.
//
// It is a recursive descent with one token of look-ahead. Errors have no message, because nobody
// would see it: the text is then shown instead.
type parser struct {
	rest string
	now  string // the token that is looked at; "" at the end
	bad  bool
}

// parseFormula reads a whole formula.
func parseFormula(text string) (*node, bool) {
	p := &parser{rest: text}
	p.advance()
	n := p.readChoice()
	return n, !p.bad && p.now == ""
}

// advance goes to the next token. At text that is no token everything that is left is dropped, so
// that every loop of the parser ends.
func (p *parser) advance() {
	at := token().FindStringSubmatchIndex(p.rest)
	if at == nil {
		p.bad = p.bad || strings.TrimSpace(p.rest) != ""
		p.now, p.rest = "", ""
		return
	}
	p.now, p.rest = p.rest[at[2]:at[3]], p.rest[at[1]:]
}

// accept passes over a token, when it is the one that is looked at.
func (p *parser) accept(token string) bool {
	if p.now != token {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(token string) {
	if !p.accept(token) {
		p.bad = true
	}
}

// readChoice reads a whole formula, or one between brackets: x ? y : z groups from the right, as in
// CEL.
func (p *parser) readChoice() *node {
	condition := p.readOperators(0)
	if !p.accept("?") {
		return condition
	}
	yes := p.readChoice()
	p.expect(":")
	return &node{kind: ternaryNode, args: []*node{condition, yes, p.readChoice()}}
}

// levels are the operators of two sides, those that bind least first; all of them group from the
// left. The order is CEL's: another one would tell another formula.
var levels = [][]string{{"||"}, {"&&"}, {"==", "!=", "<", "<=", ">", ">=", "in"}, {"+", "-"}, {"*", "/", "%"}}

// readOperators reads the operators of a level and all that bind tighter: precedence climbing, one
// call for each level.
func (p *parser) readOperators(level int) *node {
	if level == len(levels) {
		return p.readUnary()
	}
	left := p.readOperators(level + 1)
	for !p.bad {
		op := ""
		for _, x := range levels[level] {
			if p.now == x {
				op = x
			}
		}
		if op == "" {
			break
		}
		p.advance()
		left = &node{kind: binaryNode, text: op, args: []*node{left, p.readOperators(level + 1)}}
	}
	return left
}

func (p *parser) readUnary() *node {
	for _, op := range []string{"!", "-"} {
		if p.accept(op) {
			return &node{kind: unaryNode, text: op, args: []*node{p.readUnary()}}
		}
	}
	return p.readMember()
}

// readMember reads a value with the fields, elements and calls behind it.
func (p *parser) readMember() *node {
	n := p.readPrimary()
	for !p.bad {
		switch {
		case p.accept("."):
			name := p.now
			p.advance()
			if p.accept("(") {
				n = &node{kind: memberNode, text: name, args: append([]*node{n}, p.readList(")")...)}
			} else {
				n = &node{kind: selectNode, text: name, args: []*node{n}}
			}
		case p.accept("["):
			at := p.readChoice()
			p.expect("]")
			n = &node{kind: indexNode, args: []*node{n, at}}
		default:
			return n
		}
	}
	return n
}

// readPrimary returns a formula without an operator: a literal, a name, a call, or something in brackets.
func (p *parser) readPrimary() *node {
	text := p.now
	switch {
	case p.accept("("):
		n := p.readChoice()
		p.expect(")")
		return n
	case p.accept("["):
		return &node{kind: listNode, args: p.readList("]")}
	case p.accept("{"):
		return &node{kind: recordNode, args: p.readEntries()}
	case text == "":
		p.bad = true
		return &node{}
	}
	p.advance()
	switch first := text[0]; {
	case first == '\'' || first == '"':
		return &node{kind: textNode, text: text[1 : len(text)-1]}
	case first >= '0' && first <= '9':
		return &node{kind: numberNode, text: text}
	case first == '_' || first >= 'A' && first <= 'Z' || first >= 'a' && first <= 'z':
		if p.accept("(") {
			return &node{kind: callNode, text: text, args: p.readList(")")}
		}
		return &node{kind: nameNode, text: text}
	}
	p.bad = true
	return &node{}
}

// readList returns the formulas between commas, up to the closing bracket.
func (p *parser) readList(end string) []*node {
	var out []*node
	for !p.bad && !p.accept(end) {
		out = append(out, p.readChoice())
		if p.now != end {
			p.expect(",")
		}
	}
	return out
}

// readEntries reads the members of a record. A member is told as a comparison of its key with its value.
func (p *parser) readEntries() []*node {
	var out []*node
	for !p.bad && !p.accept("}") {
		key := p.readOperators(0)
		p.expect(":")
		out = append(out, &node{kind: binaryNode, text: "==", args: []*node{key, p.readChoice()}})
		if p.now != "}" {
			p.expect(",")
		}
	}
	return out
}
