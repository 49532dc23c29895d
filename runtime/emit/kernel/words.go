package kernel

// # Words as numbers
//
// Finding the number of a word by comparing it with others costs branches that no processor foresees. Here its length and
// four of its bytes make one number, a multiplication spreads it, and the generator has chosen the factor so that each word
// of a field falls on a place of its own. Then one comparison decides whether the word is the one that has the place.

// HashWord returns a hash of a word, which a factor spreads.
func HashWord(word string, factor uint64) uint64 {
	n := len(word)
	if n == 0 {
		return 0
	}
	bits := uint64(n) | uint64(word[0])<<8 | uint64(word[n/2])<<16 | uint64(word[n-1])<<24 | uint64(word[n/3])<<32
	return bits * factor >> 48
}

// IndexWords returns a factor by which words have different hashes, modulo a power of two, and for each of these hashes the
// number of its word; nil if it finds none.
func IndexWords(words []string) (factor uint64, index []int64) {
	const tries = 2000
	for size := 2; size <= 8*len(words) && size <= 1<<12; size *= 2 {
		if size < len(words) {
			continue
		}
		for k := range uint64(tries) {
			factor = (2*k + 1) * 0x9e3779b97f4a7c15
			if index = indexBy(words, factor, size); index != nil {
				return factor, index
			}
		}
	}
	return 0, nil
}

// indexBy returns the number of the word of each hash; nil if two words have the same.
func indexBy(words []string, factor uint64, size int) []int64 {
	index, taken := make([]int64, size), make([]bool, size)
	for i, word := range words {
		at := HashWord(word, factor) % uint64(size)
		if taken[at] {
			return nil
		}
		index[at], taken[at] = int64(i), true
	}
	return index
}
