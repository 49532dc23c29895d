package diag

import "github.com/tabletop-rules/rules/runtime/spell"

// DidYouMean is the repair for a misspelt name, or nothing.
func DidYouMean(name string, candidates []string) string {
	if near := spell.Nearest(name, candidates); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}
