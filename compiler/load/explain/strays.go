package explain

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"
)

// reportStray reports a number or a string that stands behind a comma and belongs to no field, as in "skill: int, 0-8", and
// returns whether there is one: CUE takes it for the value of the whole struct, and prints that.
func (r *Reporter) reportStray(e errors.Error) bool {
	if !strings.Contains(messageOf(e), "mismatched types") &&
		!strings.HasPrefix(messageOf(e), "cannot combine regular field") {
		return false
	}
	stray := r.findStray(append([]token.Pos{e.Position()}, e.InputPositions()...))
	if stray == nil {
		return false
	}
	text := r.FileNamed(stray.Pos().Filename()).Text[stray.Pos().Offset():stray.End().Offset()]
	d := r.addf("cue-conflict", r.PlaceOf(stray.Pos()), subjectOf(e.Path()),
		"%s stands behind a comma, and is said of no field", text)
	d.Repair = "a type and what bounds it are joined by &: int & >=0"
	if lit, ok := stray.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		d.Repair = "one of several words is written \"poor\" | \"fair\" | \"good\""
	}
	source := r.FileNamed(stray.Pos().Filename()).Text
	if m := openFraction().FindStringSubmatch(source[:stray.Pos().Offset()]); m != nil &&
		strings.Trim(text, "0123456789") == "" {
		d.Repair = fmt.Sprintf("a fraction has a point, and no comma: %s.%s", m[1], text)
		if len(text) == 3 && !strings.HasPrefix(strings.TrimPrefix(m[1], "-"), "0") {
			d.Repair = fmt.Sprintf("a number is written without separators: %s%s", m[1], text)
		}
	}
	if m := openBand().FindStringSubmatch(source[:stray.Pos().Offset()]); m != nil {
		d.Repair, d.Breaks = fmt.Sprintf("a range is written as its two ends: %s: [%s, %s]", m[1], m[2], text), e.Path()
	}
	if m := dashedRange().FindStringSubmatch(text); m != nil {
		d.Repair = fmt.Sprintf("write int & >=%s & <=%s", m[1], m[2])
	}
	return true
}

// openFraction is what stands before the comma of a fraction as books print it.
var openFraction = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`:\s*(-?[0-9]+),$`) })

// openBand is the first end of a range whose second stands behind a comma.
var openBand = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(on|over):\s*(-?[0-9.]+)\s*,\s*$`) })

// findStray finds a declaration that is only a value and stands at one of some places; nil when there is none.
func (r *Reporter) findStray(places []token.Pos) ast.Expr {
	for _, p := range places {
		for _, x := range r.markedSyntax().strays {
			if stretchesOver(x, p) {
				return x
			}
		}
	}
	return nil
}

// isInComprehension reports whether a place is inside of a comprehension.
func (r *Reporter) isInComprehension(p token.Pos) bool {
	return slices.ContainsFunc(r.markedSyntax().comprehensions, func(x *ast.Comprehension) bool {
		return stretchesOver(x, p)
	})
}

// stretchesOver reports whether a place is inside of a part of a file.
func stretchesOver(x ast.Node, p token.Pos) bool {
	return p.IsValid() && p.Filename() == x.Pos().Filename() && x.Pos().Offset() <= p.Offset() &&
		p.Offset() < x.End().Offset()
}

// dashedRange is a range as books print it.
var dashedRange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(-?[0-9]+)\s*-\s*([0-9]+)$`) })
