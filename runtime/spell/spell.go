// Package spell finds the word that was probably meant by one that is unknown. It imports nothing of ours.
package spell

// Nearest returns the word with the fewest slips from an unknown one, the first in alphabetical order of several; "" when
// none is near: there may be one slip for every three letters, of five letters two, and not as many as there are letters.
func Nearest(unknown string, words []string) string {
	letters := len([]rune(unknown))
	best, least := "", min((letters+1)/3+1, letters)
	for _, w := range words {
		if n := slips(unknown, w); n < least || n == least && best != "" && w < best {
			best, least = w, n
		}
	}
	return best
}

// slips returns how many letters must be put in, taken out, replaced, or swapped with the next one (the distance of Damerau
// and Levenshtein, in the form of optimal string alignment).
func slips(a, b string) int {
	x, y := []rune(a), []rune(b)
	var rows [3][]int // the last two rows and this one
	for k := range rows {
		rows[k] = make([]int, len(y)+1)
	}
	for j := range rows[2] {
		rows[2][j] = j
	}
	for i := range x {
		rows[0], rows[1], rows[2] = rows[1], rows[2], rows[0]
		rows[2][0] = i + 1
		for j := range y {
			replaced := rows[1][j]
			if x[i] != y[j] {
				replaced++
			}
			n := min(replaced, rows[1][j+1]+1, rows[2][j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				n = min(n, rows[0][j-1]+1)
			}
			rows[2][j+1] = n
		}
	}
	return rows[2][len(y)]
}
