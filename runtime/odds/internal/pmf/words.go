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

// addScaled adds to each cell the cell of another line times a factor.
func (to wordLine) addScaled(from wordLine, r int, factor []big.Word) {
	for at := 0; at+r <= len(from); at += r {
		addProduct(to[at:at+r], from[at:at+r], factor)
	}
}

// addProduct adds a product to a number.
func addProduct(to, n []uint64, factor []big.Word) {
	top := len(n)
	for top > 0 && n[top-1] == 0 {
		top--
	}
	if top == 0 {
		return
	}
	for k, by := range factor[:min(len(factor), len(to))] {
		var carry, c uint64
		for i := 0; i < top && i+k < len(to); i++ {
			hi, lo := bits.Mul64(n[i], uint64(by))
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			to[i+k], c = bits.Add64(to[i+k], lo, 0)
			carry = hi + c
		}
		for i := top + k; i < len(to) && carry != 0; i++ {
			to[i], c = bits.Add64(to[i], carry, 0)
			carry = c
		}
	}
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
