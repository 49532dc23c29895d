package odds

import (
	"math/big"
	"strings"
)

// An Ending is why there is no answer for some of the ways in which the dice can fall.
type Ending struct {
	Kind    EndingKind
	Message string // of the requirement, or of the failure
	Cite    string // of the requirement: its place in the book
}

// EndingKind says how an evaluation ended.
type EndingKind uint8

// The kinds of endings.
const (
	Refused    EndingKind = iota // a requirement does not hold
	Failed                       // a formula has no value
	Unfollowed                   // dice explode further than was followed
	NotOffered                   // of an event: its guard does not hold
	Unended                      // of a procedure: it goes on after the events that were followed
)

// Ended is how likely an ending is.
type Ended struct {
	Ending
	P float64
	N *big.Int // the numerator of the exact probability; nil without fractions
}

// CompareEndings orders endings by their kinds and messages, as functions of package slices want it.
func CompareEndings(a, b Ended) int {
	if a.Kind != b.Kind {
		return int(a.Kind) - int(b.Kind)
	}
	return strings.Compare(a.Message, b.Message)
}
