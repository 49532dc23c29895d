package runtime

// Nearest is the word that was probably meant by one that is unknown: the first of those with the fewest edits, when these are
// at most a third of its length; else "".
func Nearest(word string, words []string) string {
	best, least := "", len([]rune(word))/3+1
	for _, w := range words {
		if n := edits(word, w); n < least {
			best, least = w, n
		}
	}
	return best
}

// edits is the Levenshtein distance.
func edits(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost++
			}
			diagonal, row[j+1] = row[j+1], min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
