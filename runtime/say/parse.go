package say

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Hole is a place of a sentence that is filled with a value, or by one.
type Hole struct {
	Name     string
	Offset   int // of the name, in code points
	Forms    int // how many forms it has; 0 for one that shows its value
	Optional bool
}

// A SyntaxError is what is wrong with the form of a sentence.
type SyntaxError struct {
	Offset int // in code points
	What   string
}

// Error returns the message with its character, counted from 1.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at character %d", e.What, e.Offset+1) }

// Parse reads a sentence:
//
//	Sentence = { Text | Hole | Optional }
//	Optional = "[" { Text | Hole } "]"                      with at least one hole
//	Hole     = "{" Name [ "|" Form "|" Form { "|" Form } ] "}"
//
// A Text has any characters; {{ }} [[ ]] stand for the signs themselves. A Form may be empty. The error is a *SyntaxError.
func Parse(text string) ([]plan.SayPart, []Hole, error) {
	p := &parser{runes: []rune(text)}
	parts := p.readParts(false)
	if p.err != nil {
		return nil, nil, p.err
	}
	return parts, p.holes, nil
}

// A parser reads a sentence from left to right; after an error it stands at the end.
type parser struct {
	runes []rune
	at    int
	holes []Hole
	err   error
}

// addError notes the first error, and ends the reading.
func (p *parser) addError(offset int, format string, args ...any) {
	if p.err == nil {
		p.err = &SyntaxError{offset, fmt.Sprintf(format, args...)}
	}
	p.at = len(p.runes)
}

// readParts returns the parts up to the end or, within brackets, up to the closing one.
func (p *parser) readParts(optional bool) []plan.SayPart {
	var out []plan.SayPart
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			out = append(out, plan.SayPart{Text: text.String()})
			text.Reset()
		}
	}
	for p.at < len(p.runes) {
		c := p.runes[p.at]
		switch {
		case strings.ContainsRune("{}[]", c) && p.at+1 < len(p.runes) && p.runes[p.at+1] == c:
			text.WriteRune(c)
			p.at += 2
		case c == '{':
			flush()
			out = append(out, p.readBraces(optional))
		case c == '[' && optional:
			p.addError(p.at, `"[" stands within brackets`)
		case c == '[':
			flush()
			out = append(out, p.readBrackets())
		case c == ']' && optional:
			flush()
			return out
		case c == ']' || c == '}':
			p.addError(p.at, "%q closes nothing (%s stands for the sign itself)", string(c), string([]rune{c, c}))
		default:
			text.WriteRune(c)
			p.at++
		}
	}
	flush()
	return out
}

// readBrackets returns the optional part in brackets.
func (p *parser) readBrackets() plan.SayPart {
	start, holes := p.at, len(p.holes)
	p.at++
	out := plan.SayPart{Optional: p.readParts(true)}
	switch {
	case p.at >= len(p.runes):
		p.addError(start, `"[" is not closed`)
	case len(p.holes) == holes:
		p.addError(start, "brackets without a value in braces are never left out")
	}
	p.at++
	return out
}

// readBraces returns the hole in braces.
func (p *parser) readBraces(optional bool) plan.SayPart {
	start := p.at
	p.at++
	end := p.at
	for end < len(p.runes) && !strings.ContainsRune("{}[]", p.runes[end]) {
		end++
	}
	if end == len(p.runes) || p.runes[end] != '}' {
		p.addError(start, `"{" is not closed`)
		return plan.SayPart{}
	}
	words := strings.Split(string(p.runes[p.at:end]), "|")
	out := plan.SayPart{Hole: words[0], Forms: words[1:]}
	if len(out.Forms) == 0 {
		out.Forms = nil
	}
	switch {
	case out.Hole == "":
		p.addError(start, "braces without a name")
		return out
	case len(out.Forms) == 1:
		p.addError(start, "{%s|%s} has one form, and needs two: one|more, or yes|no,", out.Hole, out.Forms[0])
		return out
	}
	p.holes = append(p.holes, Hole{Name: out.Hole, Offset: p.at, Forms: len(out.Forms), Optional: optional})
	p.at = end + 1
	return out
}
