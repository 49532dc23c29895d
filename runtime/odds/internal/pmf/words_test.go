package pmf

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAddProduct compares with large integers, also where words are as large as they can be and where the sum does not
// fit.
func TestAddProduct(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := func(n int) []big.Word {
		out := make([]big.Word, n)
		for i := range out {
			if out[i] = big.Word(random.Uint64()); random.IntN(3) == 0 {
				out[i] = ^big.Word(0)
			}
		}
		return out
	}
	number := func(words []big.Word) *big.Int {
		out := new(big.Int)
		for _, w := range slices.Backward(words) {
			out.Lsh(out, bits.UintSize).Or(out, new(big.Int).SetUint64(uint64(w)))
		}
		return out
	}
	for range 20_000 {
		r := 1 + random.IntN(12)
		to, n := words(r), append(words(random.IntN(r+1)), make([]big.Word, r)...)[:r]
		factor := number(words(random.IntN(r + 2)))
		want := new(big.Int).Mul(number(n), factor)
		want.Add(want, number(to))
		want.Mod(want, new(big.Int).Lsh(big.NewInt(1), uint(bits.UintSize*r)))
		words := addProduct(to, n, factor.Bits())
		if top := len(number(to).Bits()); words > top || words == 0 && len(factor.Bits()) > 0 && number(n).Sign() > 0 && top > 0 {
			t.Fatalf("%d words: %v has %d words, not %d", r, number(to), top, words)
		}
		if number(to).Cmp(want) != 0 {
			t.Fatalf("%d words: %v times %v gives %v, not %v", r, n, factor, number(to), want)
		}
	}
}
