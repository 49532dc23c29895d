// Package pmf computes distributions of dice: probability mass functions over successive integers, their sums, and what is
// kept of the highest. It knows no plan.
//
// A distribution is a Line: a weight for each value. Weights are of two calculi. A Float is a probability. A Numerator is a
// whole number over a denominator that whoever computes keeps beside it, mostly one for everything he has; so nothing is
// ever reduced, and sums and products are those of integers.
//
// # Sums
//
// The distribution of a sum is the convolution of those of its parts, or, of generating polynomials, their product.
// Floats are multiplied pair by pair. Whole weights are multiplied as one large integer each (Kronecker's substitution,
// 1882; Harvey 2009), for which package math/big has a fast algorithm. A sum of n equal dice is a power: of whole weights
// by a recurrence whose terms follow from each other (power.go), of floats, where these terms would cancel, by repeated
// squaring.
//
// # Keeping
//
// Keeping the highest of many dice walks the values from the highest down and decides how many dice show each: the
// multinomial coefficient is the product of the binomials on the way (keep.go). Whole weights are added in words of fixed
// length, without allocation (words.go).
//
// # Chains
//
// A die that is rolled again until other faces fall has the conditional distribution, one that is rolled again once a
// mixture. Explosions without end are followed until less than 2^-64 of a die is left, and what is left is told
// (chain.go): face by face in whole numbers; value by value in floats, where a chain comes to v by a last face f from a
// chain that goes on at v - f. Mean and variance of such a die have a closed form: with probability p it is its first
// face and itself again.
package pmf
