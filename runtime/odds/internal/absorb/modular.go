package absorb

import "math/bits"

// Arithmetic modulo the Mersenne prime 2^61 - 1: the bits from 61 on are added to those below.
const (
	primeBits = 61
	prime     = 1<<primeBits - 1
)

// reduceWide returns hi·2^64 + lo modulo the prime; hi is less than 2^58. 2^64 is 8 modulo the prime.
func reduceWide(hi, lo uint64) uint64 { return reduce(reduce(lo) + hi<<3) }

// reduce returns x modulo the prime.
func reduce(x uint64) uint64 {
	x = x&prime + x>>primeBits
	if x >= prime {
		x -= prime
	}
	return x
}

// reduceSigned returns x modulo the prime, not less than 0.
func reduceSigned(x int64) uint64 {
	if x < 0 {
		return subtract(0, reduce(-uint64(x)))
	}
	return reduce(uint64(x))
}

// add returns x+y of numbers less than the prime.
func add(x, y uint64) uint64 {
	if x += y; x >= prime {
		x -= prime
	}
	return x
}

// subtract returns x-y of numbers less than the prime.
func subtract(x, y uint64) uint64 {
	if x < y {
		x += prime
	}
	return x - y
}

// multiply returns x·y of numbers less than the prime.
func multiply(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	x = lo&prime + (hi<<3 | lo>>primeBits)
	if x >= prime {
		x -= prime
	}
	return x
}

// invert returns 1/x by Fermat's little theorem; x is not 0.
func invert(x uint64) uint64 {
	out := uint64(1)
	for e := uint64(prime - 2); e > 0; e >>= 1 {
		if e&1 > 0 {
			out = multiply(out, x)
		}
		x = multiply(x, x)
	}
	return out
}

// inverseOfPrime is 1/prime modulo 2^64. A multiple of the prime times it is the quotient: (2^61-1)·(-1-2^61) is
// 1 - 2^122.
const inverseOfPrime = uint64(1<<64 - 1 - 1<<61)
