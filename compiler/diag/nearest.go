package diag

import (
	"strings"

	"github.com/tabletop-rules/rules/runtime/spell"
)

// Nearest returns the candidate that a misspelt name may mean; empty when none is near.
func Nearest(name string, candidates []string) string { return spell.Nearest(name, candidates) }

// MaxListed is how many names a repair lists: more are no help.
const MaxListed = 12

// DidYouMean returns the repair for a misspelt name, or nothing.
func DidYouMean(name string, candidates []string) string {
	if near := Nearest(name, candidates); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// DidYouMeanOneOf returns the repair for a name that there is not: the nearest, or else all that there are, if they are
// few.
func DidYouMeanOneOf(name string, candidates []string) string {
	near := DidYouMean(name, candidates)
	if near == "" && len(candidates) == 1 {
		return "there is only " + candidates[0]
	}
	if near == "" && len(candidates) > 0 && len(candidates) <= MaxListed {
		return "there are " + strings.Join(candidates, ", ")
	}
	return near
}
