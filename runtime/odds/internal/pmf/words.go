package pmf

import (
	"math/big"
	"math/bits"
)

// A wordLine is a line of whole weights in words of fixed length: cell i is the r words from i·r on, lowest first.
// Sums are taken modulo 2^(64r), in place. What remains in the end is at most the common denominator, so r words that
// hold that are enough whatever happens on the way. Adding a product costs no allocation, unlike with integers of
// package big.
type wordLine []uint64

// wordsFor is how many words hold the weights over a denominator.
func wordsFor(den *big.Int) int { return den.BitLen()/64 + 1 }

// addScaled adds to each cell the cell of another line, of which no cell has more words than used, times a factor. It gives
// how many words the longest cell has that it has changed. Lines of few dice among many have short cells in long places,
// and most of them are 0: looking through the words above used took as long as the products.
func (to wordLine) addScaled(from wordLine, r, used int, factor []big.Word) (longest int) {
	for at := 0; at+r <= len(from); at += r {
		longest = max(longest, addProduct(to[at:at+r], from[at:at+used], factor))
	}
	return longest
}

// addProduct adds a product to a number, and gives how many words that then has, 0 when nothing was added. The longer one
// of the two factors goes through the inner loop: most cells of a line are of one or two words, and many a factor has ten.
func addProduct(to, n []uint64, factor []big.Word) (words int) {
	top := len(n)
	for top > 0 && n[top-1] == 0 {
		top--
	}
	switch {
	case top == 0 || len(factor) == 0:
		return 0
	case top < len(factor):
		for i, by := range n[:top] {
			words = max(words, addWordProduct(to[i:], factor, by)+i)
		}
	default:
		for k, by := range factor[:min(len(factor), len(to))] {
			words = max(words, addWordProduct(to[k:], n[:top], uint64(by))+k)
		}
	}
	for words > 0 && to[words-1] == 0 {
		words--
	}
	return words
}

// addWordProduct adds the product of a number and one word, as far as there is room, and gives behind how many words it has
// changed nothing.
func addWordProduct[T uint64 | big.Word](to []uint64, n []T, by uint64) (changed int) {
	n = n[:min(len(n), len(to))]
	row := to[:len(n)]
	var carry, c uint64
	for i, word := range n {
		hi, lo := bits.Mul64(uint64(word), by)
		lo, c = bits.Add64(lo, carry, 0)
		hi += c
		row[i], c = bits.Add64(row[i], lo, 0)
		carry = hi + c
	}
	changed = len(n)
	for ; changed < len(to) && carry != 0; changed++ {
		to[changed], carry = bits.Add64(to[changed], carry, 0)
	}
	return changed
}

// addNumber adds a number to another one of the same length.
func addNumber(to, n []uint64) {
	var c uint64
	for i := range to {
		to[i], c = bits.Add64(to[i], n[i], c)
	}
}

// subtractNumber subtracts a number from another one of the same length.
func subtractNumber(to, n []uint64) {
	var b uint64
	for i := range to {
		to[i], b = bits.Sub64(to[i], n[i], b)
	}
}

// intWeights are the cells as weights.
func (l wordLine) intWeights(r int) []Numerator {
	out := make([]Numerator, len(l)/r)
	for i := range out {
		words := make([]big.Word, r)
		for k := range words {
			words[k] = big.Word(l[i*r+k])
		}
		if n := new(big.Int).SetBits(words); n.Sign() != 0 {
			out[i] = NumeratorOf(n)
		}
	}
	return out
}
