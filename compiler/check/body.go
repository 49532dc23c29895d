package check

import "github.com/tabletop-rules/rules/compiler/book"

// A Body is what a rule or a step computes.
type Body struct {
	Sources   []Source    // in rolling order; each depends only on those before it
	Lets      []*Let      // in the author's order; dependencies among them are free of cycles
	Decisions []*Decision // in the author's order
	FirstKeys []*Require  // that strings are keys of maps of the character: judged before Requires
	LastKeys  []*Require  // likewise, judged after them
	Requires  []*Require  // in the author's order
	Outputs   []*Let      // in the author's order
}

// A Source is a die or a use: exactly one is set.
type Source struct {
	Die *Die
	Use *Use
}

// Object returns the name that formulas read the source by.
func (s Source) Object() Object {
	if s.Die != nil {
		return s.Die
	}
	return s.Use
}

// A Require is a requirement. Early says that it reads no die, no use and no field that is decided late, through lets
// either, so that it is judged before anything is rolled.
type Require struct {
	Book  *book.Require
	Expr  *Expr
	Early bool
}

// A Decision is a field of what is given that is decided when dice have fallen.
type Decision struct {
	Book *book.Decision
	Of   *Given
	// Last is the index among the body's sources of the last one that must have fallen.
	Last              int
	When, Least, Most *Expr // nil: not written
	Requires          []*Require
}
