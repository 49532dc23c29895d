package diag

import "github.com/tabletop-rules/rules/runtime/spell"

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
