package pmf

import (
	"math/big"
	"math/bits"
	"slices"
)

// A wordLine is a line of whole weights in words of fixed length: cell i is the r words from i·r on, lowest first.
// Sums are taken modulo the r-th power of a word's range, in place. What remains in the end is at most the common
// denominator, so r words that hold that are enough whatever happens on the way. Adding a product costs no allocation,
// unlike with integers of package big. Words are those of package big, of 32 or 64 bits as the machine has them.
type wordLine []big.Word

// wordsFor is how many words hold the weights over a denominator.
func wordsFor(den *big.Int) int { return den.BitLen()/bits.UintSize + 1 }

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
func addProduct(to, n, factor []big.Word) (words int) {
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
			words = max(words, addWordProduct(to[k:], n[:top], by)+k)
		}
	}
	for words > 0 && to[words-1] == 0 {
		words--
	}
	return words
}

// addWordProduct adds the product of a number and one word, as far as there is room, and gives behind how many words it has
// changed nothing.
func addWordProduct(to, n []big.Word, by big.Word) (changed int) {
	n = n[:min(len(n), len(to))]
	row := to[:len(n)]
	var carry, c uint
	for i, word := range n {
		hi, lo := bits.Mul(uint(word), uint(by))
		lo, c = bits.Add(lo, carry, 0)
		hi += c
		lo, c = bits.Add(uint(row[i]), lo, 0)
		row[i] = big.Word(lo)
		carry = hi + c
	}
	changed = len(n)
	for ; changed < len(to) && carry != 0; changed++ {
		lo, c := bits.Add(uint(to[changed]), carry, 0)
		to[changed], carry = big.Word(lo), c
	}
	return changed
}

// addNumber adds a number to another one of the same length.
func addNumber(to, n []big.Word) {
	var sum, c uint
	for i := range to {
		sum, c = bits.Add(uint(to[i]), uint(n[i]), c)
		to[i] = big.Word(sum)
	}
}

// subtractNumber subtracts a number from another one of the same length.
func subtractNumber(to, n []big.Word) {
	var rest, b uint
	for i := range to {
		rest, b = bits.Sub(uint(to[i]), uint(n[i]), b)
		to[i] = big.Word(rest)
	}
}

// intWeights are the cells as weights.
func (l wordLine) intWeights(r int) []Numerator {
	out := make([]Numerator, len(l)/r)
	for i := range out {
		if n := new(big.Int).SetBits(slices.Clone(l[i*r : (i+1)*r])); n.Sign() != 0 {
			out[i] = NumeratorOf(n)
		}
	}
	return out
}
