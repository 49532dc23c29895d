// Package notation answers for what a person types, as in "2d6 + 4d6kh3!": the exact distribution of its total, or of its
// labelled groups together.
//
// An expression, which is all that rulesets may write (dice.Expression), is a sum of groups. Each group is a Line of
// package pmf, a power or the highest of one die, and the total is their convolution (expression.go). Its fractions are
// computed wherever they cost no more than floats.
//
// A notation (dice.Notation) is a tree of groups and operations on them: products, comparisons, minima, sets of which
// some results are kept. Its parts are independent of each other, because each die stands at one place. So the tree is
// evaluated from its leaves, as one would with numbers, but every part is a distribution (notation.go), sparse because
// products and quotients lie far apart, over a common scale because they may be fractions (sparse.go). Dice of one group
// that are chosen by their order, of several kinds or from the middle, are met value by value (choose.go), a group whose
// size grows with its faces by the number of dice that are still to fall (growing.go).
//
// Labels that are asked for together tie parts of the tree: for every way in which these groups can come out, the rest is
// evaluated around them (notation_joint.go).
//
// Work is counted in multiplications of words and judged before it is done; the limits stand in expression.go.
package notation
