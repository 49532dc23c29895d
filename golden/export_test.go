package golden

import (
	"strings"
)

// Said joins problems.
func Said(problems []Problem) string {
	var out []string
	for _, p := range problems {
		out = append(out, p.String())
	}
	return strings.Join(out, "\n")
}

// Evaluate gives the sheet of a case under a choice.
var Evaluate = EvaluateCase
