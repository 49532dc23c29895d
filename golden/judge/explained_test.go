package judge_test

import "strings"

// explanations are the faults of which no comparison can notice anything, each with why: by a part of its place.
var explanations = []struct{ place, why string }{}

// explain returns why nobody can notice a fault; "" of any other.
func explain(place string) string {
	for _, x := range explanations {
		if strings.Contains(place, x.place) {
			return x.why
		}
	}
	return ""
}
