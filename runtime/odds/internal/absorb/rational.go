package absorb

import "math/big"

// findFraction returns the fraction n/d with n = x·d modulo m, of which n is at most maxN; nil if the d that belongs to
// it is more than maxD. There is no second such fraction if m > 2·maxN·maxD (Wang 1981).
//
// Every line of Euclid's algorithm for m and x has a remainder and a cofactor with remainder = x·cofactor modulo m.
// Remainders shrink and cofactors grow, so the first remainder that is small enough has the smallest cofactor.
func findFraction(x, m, maxN, maxD *big.Int) *big.Rat {
	before, now := new(big.Int).Set(m), new(big.Int).Set(x)
	cofactorBefore, cofactor := new(big.Int), big.NewInt(1)
	quotient, product, rest := new(big.Int), new(big.Int), new(big.Int)
	for now.Cmp(maxN) > 0 {
		quotient.QuoRem(before, now, rest)
		before, now, rest = now, rest, before
		cofactorBefore.Sub(cofactorBefore, product.Mul(quotient, cofactor))
		cofactorBefore, cofactor = cofactor, cofactorBefore
	}
	if cofactor.Sign() == 0 || cofactor.CmpAbs(maxD) > 0 {
		return nil
	}
	return new(big.Rat).SetFrac(now, cofactor)
}
