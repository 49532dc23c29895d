package diag

import "slices"

// Nearest gives the candidate that is written most like a name, and whether one is near enough to be meant.
func Nearest(name string, candidates []string) (string, bool) {
	best, at := "", 1+len(name)/3
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if d := distance(name, c); d <= at && d < len(name) {
			best, at = c, d-1
		}
	}
	return best, best != ""
}

// DidYouMean is the repair for a misspelt name, or nothing.
func DidYouMean(name string, candidates []string) string {
	if near, ok := Nearest(name, candidates); ok {
		return "did you mean " + near + "?"
	}
	return ""
}

// distance is Levenshtein's: how many code points must be put in, taken out or replaced.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		diagonal := row[0]
		row[0] = i + 1
		for j := range t {
			cost := diagonal
			if s[i] != t[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(t)]
}
