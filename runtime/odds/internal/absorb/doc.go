// Package absorb solves absorbing Markov chains: how often each state is visited before the chain ends, and so how likely
// each end is and how many steps it takes, in floats or in fractions.
//
// # The equations
//
// Let p(i→j) be the chance that a step leads from the state i to j, b(j) the chance that the chain begins in j, and v(j)
// how often j is visited (Kemeny and Snell 1960, chapter 3). Every visit is the first of all or comes from another one:
//
//	v(j) = b(j) + Σ v(i)·p(i→j)
//
// A state without steps is an end: its visits are its chance. The visits of all other states add up to the mean number of
// steps. Following the chain step by step only comes near to that: after 1,000 tosses three of four gamblers that began
// with 50 of 100 are still playing, though they play 2,500 tosses on the average.
//
// # Order
//
// The states fall into strongly connected components, in which each leads to each (components.go). A component is solved
// when all are that lead to it. One of a single state is a division. One that has no way out is never left: a chain that
// comes there does not end, and its states count as ends of their own.
//
// In a larger component states are eliminated one by one. Where k is taken out, each state that leads to k leads to the
// successors of k instead, so new steps come up, the fill. Their number depends on the order: along a row of states from
// one end to the other it is none, and from the middle outwards all pairs. The order is that of the least degree
// (order.go). It is found without numbers, so the cost is known before anything is computed.
//
// # Floats
//
// Elimination subtracts, and the chance to leave a state, 1 - p(k→k), loses all its digits where it is small. Grassmann,
// Taksar and Heyman (1985) take the sum of the chances of all steps that leave k in its place: then nothing is ever
// subtracted, and every visit is right to some units of its last digits, however long the chain goes on (visits.go).
//
// # Fractions
//
// Fractions that are eliminated grow: with 10,000 states each has up to 40,000 bits, of which there are millions. Only few
// are asked for, the chances of the ends and the mean. So the equations are solved modulo the prime p = 2^61 - 1, where
// every number is a word, then modulo p², p³ and so on, a digit at a time (Dixon 1982). Each digit costs one pass through
// the factors and one through the steps. When the modulus has twice as many bits as the fraction may have, Euclid's
// algorithm finds the fraction (Wang 1981), and there is only one. How many bits these are is bounded beforehand: for
// such matrices a determinant is at most the product of the diagonal.
package absorb
