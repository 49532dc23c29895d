package summary

import (
	"math"
	"math/big"
)

// An ExactSum adds doubles without rounding. A double is a whole number of 53 bits at one of two thousand positions, so
// the sum is kept as one fixed-point number as wide as all of them, in digits of 32 bits (Kulisch). Each digit has 31 bits
// to spare, and carries are made only before these could fill up. The order of additions cannot be seen in the result.
type ExactSum struct {
	Digits []int64 // of weight 2^(32i - 1074); JSON keeps them for other machines
	added  int     // since the carries were made
}

const (
	lowestBit   = 1074 // the last bit of the smallest double is 2^-1074
	digitBits   = 32
	sumDigits   = (lowestBit+1024)/digitBits + 3
	mantissa    = 52
	carryBefore = 1 << 29
)

// Add adds a double that is a number.
func (s *ExactSum) Add(v float64) {
	if s.Digits == nil {
		s.Digits = make([]int64, sumDigits)
	}
	bits := math.Float64bits(v)
	// The law of IEEE 754: 52 bits of fraction, 11 of exponent, one of sign. A normal number has a
	// leading one that is not stored; a subnormal one, of exponent 0, has none and the same
	// position as exponent 1.
	m, position := bits&(1<<mantissa-1), int(bits>>mantissa&0x7ff)
	if position > 0 {
		m |= 1 << mantissa
		position--
	}
	at, shift := position/digitBits, position%digitBits
	low, high := m<<shift, uint64(0)
	if shift > 0 {
		high = m >> (64 - shift)
	}
	// 53 bits shifted by up to 31 reach over at most three digits of 32.
	parts := [3]int64{int64(low & (1<<digitBits - 1)), int64(low >> digitBits), int64(high)}
	for i, part := range parts {
		if bits>>63 != 0 {
			part = -part
		}
		s.Digits[at+i] += part
	}
	if s.added++; s.added == carryBefore {
		s.carry()
	}
}

// carry brings every digit back to 32 bits; the highest takes what is left, with the sign.
//
// It changes the digits and never the value.
func (s *ExactSum) carry() {
	s.added = 0
	for i := range s.Digits[:max(len(s.Digits), 1)-1] {
		s.Digits[i+1] += s.Digits[i] >> digitBits
		s.Digits[i] &= 1<<digitBits - 1
	}
}

// Merge adds another sum.
func (s *ExactSum) Merge(o *ExactSum) {
	if o.Digits == nil {
		return
	}
	if s.Digits == nil {
		s.Digits = make([]int64, sumDigits)
	}
	s.carry()
	o.carry()
	for i, d := range o.Digits {
		s.Digits[i] += d
	}
}

// precision holds any sum, and any product of two.
const precision = 5000

// Value is the sum, exactly.
//
// 5,000 bits are more than the 2,098 positions and the carries above them, so no addition here
// rounds.
func (s *ExactSum) Value() *big.Float {
	out := new(big.Float).SetPrec(precision)
	for i, d := range s.Digits {
		digit := new(big.Float).SetPrec(precision).SetInt64(d)
		out.Add(out, digit.SetMantExp(digit, digitBits*i-lowestBit))
	}
	return out
}
