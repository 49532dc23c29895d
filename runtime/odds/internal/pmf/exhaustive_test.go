package pmf

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
	"testing"
)

// edgeWords are words at which carries begin and end.
var edgeWords = []big.Word{0, 1, 2, 1 << (bits.UintSize - 1), math.MaxUint - 1, math.MaxUint}

// numbersOf returns all numbers of so many words, each of which is one of edgeWords.
func numbersOf(words int) [][]big.Word {
	all := [][]big.Word{nil}
	for range words {
		var longer [][]big.Word
		for _, n := range all {
			for _, w := range edgeWords {
				longer = append(longer, append(slices.Clone(n), w))
			}
		}
		all = longer
	}
	return all
}

func intOf(words []big.Word) *big.Int { return new(big.Int).SetBits(slices.Clone(words)) }

// TestEveryProductOfEdgeWords adds every product of numbers of one and two words to every number of three, and compares the
// words with integers of package big, modulo what three words hold.
func TestEveryProductOfEdgeWords(t *testing.T) {
	const room = 3
	modulus := new(big.Int).Lsh(big.NewInt(1), room*bits.UintSize)
	factors := append(numbersOf(1), numbersOf(2)...)
	count := 0
	for i, to := range numbersOf(room) {
		for j, n := range factors {
			for k, factor := range factors {
				if (i+j+k)%3 > 0 { // a third takes a tenth of a second, and has every pair of operands
					continue
				}
				count++
				want := new(big.Int).Mul(intOf(n), intOf(factor))
				want.Add(want, intOf(to)).Mod(want, modulus)
				got := slices.Clone(to)
				words := addProduct(got, n, factor)
				if intOf(got).Cmp(want) != 0 {
					t.Fatalf("%x + %x * %x is %x, and %x with words", to, n, factor, want, intOf(got))
				}
				if words > room || words > 0 && got[words-1] == 0 {
					t.Fatalf("%x + %x * %x has %d words, but %x", to, n, factor, words, got)
				}
			}
		}
	}
	if count < 100_000 {
		t.Errorf("%d products show little", count)
	}
}

// TestEverySumOfEdgeWords adds and subtracts all pairs of numbers of three words.
func TestEverySumOfEdgeWords(t *testing.T) {
	const room = 3
	modulus := new(big.Int).Lsh(big.NewInt(1), room*bits.UintSize)
	all := numbersOf(room)
	for _, a := range all {
		for _, b := range all {
			sum, rest := slices.Clone(a), slices.Clone(a)
			addNumber(sum, b)
			subtractNumber(rest, b)
			x, y := intOf(a), intOf(b)
			wantSum := new(big.Int).Add(x, y)
			wantRest := new(big.Int).Sub(x, y)
			if intOf(sum).Cmp(wantSum.Mod(wantSum, modulus)) != 0 || intOf(rest).Cmp(wantRest.Mod(wantRest, modulus)) != 0 {
				t.Fatalf("%x and %x: the sum is %x, the rest %x", a, b, sum, rest)
			}
		}
	}
}

// TestEveryNumeratorOfEdgeWords compares sums, products and quotients of weights with package big. A quotient is the
// nearest float.
func TestEveryNumeratorOfEdgeWords(t *testing.T) {
	numbers := append(numbersOf(1), numbersOf(2)...)
	for _, a := range numbers {
		for _, b := range numbers {
			x, y := NumeratorOf(intOf(a)), NumeratorOf(intOf(b))
			if x.Plus(y).Int().Cmp(new(big.Int).Add(intOf(a), intOf(b))) != 0 {
				t.Fatalf("%x + %x is %v", a, b, x.Plus(y).Int())
			}
			if x.Times(y).Int().Cmp(new(big.Int).Mul(intOf(a), intOf(b))) != 0 {
				t.Fatalf("%x * %x is %v", a, b, x.Times(y).Int())
			}
			if x.Times(y).IsZero() != (x.IsZero() || y.IsZero()) {
				t.Fatalf("%x * %x is zero, or not", a, b)
			}
			if den := intOf(b); den.Sign() > 0 {
				want, _ := new(big.Rat).SetFrac(intOf(a), den).Float64()
				if got := x.Over(den); got != want {
					t.Fatalf("%x / %x is %v, the nearest %v", a, b, got, want)
				}
			}
		}
	}
	// Halves of the last digit: the odd integer that is just between two floats, and one part in 2^128 beside it.
	const half = 1<<54 + 1
	for _, apart := range []int64{-1, 0, 1} {
		den := new(big.Int).Lsh(big.NewInt(1), 128)
		n := new(big.Int).Lsh(big.NewInt(half<<1), 127)
		n.Add(n, big.NewInt(apart))
		want, _ := new(big.Rat).SetFrac(n, den).Float64()
		if got := NumeratorOf(n).Over(den); got != want {
			t.Fatalf("%x / %x is %v, the nearest %v", n, den, got, want)
		}
	}
	for den := int64(1); den <= 400; den++ {
		for n := int64(0); n <= den; n++ {
			want, _ := big.NewRat(n, den).Float64()
			if got := NewNumerator(n).Over(big.NewInt(den)); got != want {
				t.Fatalf("%d / %d is %v, the nearest %v", n, den, got, want)
			}
		}
	}
}
