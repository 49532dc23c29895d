// Package eliminate turns a rule and a character into the exact joint distribution of the rule's outputs, over every way in
// which the dice can fall, by variable elimination.
//
// # How
//
// Counting all ways one by one is hopeless as soon as there are a few dice: ten six-sided ones fall in sixty million ways,
// and mean 51 totals. What follows is variable elimination, as it is known from Bayesian networks (Zhang and Poole 1994;
// Dechter 1999), on the network that package rewrite makes of the rule's graph, where the only random variables are faces
// and everything else is a function of them.
//
//  1. Hoisting. What depends on no die is computed once, as the prefix, into an environment that all states share.
//  2. Factoring. Every node knows the set of dice that it depends on (dependence.go). Of these sets those that lie
//     within or beside each other are regions (sets.go): a side of a contest, say. A region is eliminated by itself,
//     once, and what the rest reads of it, a degree instead of a face of d100, is its distribution.
//  3. States. A region is a sequence of steps. A step multiplies every state by every class of one source of chance (a
//     die, a list of dice, a region within, a loop that rolls), computes at once all that follows from both, drops
//     what nothing reads later (link.go finds that by liveness, as a compiler allocates registers), and adds up the
//     weights of equal rows (run.go). Computing early never makes more states, for what is computed is a function of what a
//     state knows already; dropping makes fewer.
//  4. Streaming. Faces of a list that are only folded (summed, counted, walked by a loop) are multiplied in one by one,
//     and after each only what the folds carry is kept (stream.go, fold.go). When each face adds what it alone decides,
//     this is a convolution (package pmf). Several sums at once are numbered on a grid, where a step moves every number by
//     as much (grid.go). Faces whose order nothing can see are listed as multisets with their multinomial coefficients
//     (dice.go). A list that a rule reads only in its order, or only a part of that, is walked by its values: a state is
//     how many dice have fallen, and what the folds carry (ordered.go).
//  5. Counting. Draws of a pool show how many dice have each face, with binomial weights (count.go). Of a hand of which
//     only the order is read, the deck may be taken to have no cards but those (ranks.go); cards behind the first ones that
//     are only sorted are listed in one order (tails.go).
//  6. Memory. What a source shows depends on the few values it reads (faces, count, what its folds read); equal ones
//     share their classes.
//  7. Preparing. All of that is done once for a rule. A question computes the prefix, then the steps, in memory that
//     is kept from question to question, and answers with rows; they are read as values, and sorted, when these are
//     asked for (reading.go).
//
// # Words
//
// What the code calls by words of the table has names in the literature:
//
//	source      a random variable: a die, a list of dice, a draw, or a region that was solved by itself
//	class       a value of a source, with its probability; the classes of a source are its conditional distribution
//	state       an assignment of values to the columns that are alive; a table of states is a factor
//	step        multiply the factor by a source's distribution, compute what follows, sum out what nobody reads later
//	region      a bucket that is eliminated by itself (Dechter), and then a source of the ones around it
//	fragment    the deterministic nodes between two sources, cut out as a graph of their own
//	recall      a memo of a source's classes across the questions of a course
//	deferred    work behind the last source, done when its rows are known, so that what came before can be recalled
//	pool, draw  equal dice as counts of their faces: a multinomial, as a chain of conditional binomials
//	engine      one calculus of weights: floats, or integers over a common denominator
//
// A program (program.go) is data: builder.go, build.go and link.go make it, engine.go and run.go carry it out. Between
// chances the rule is executed by the runtime: fragments of the graph are cut out as graphs of their own (cut.go),
// which are scheduled like any other. There is no second implementation of what an operation means.
//
// # Order
//
// What ends an evaluation (a requirement, dice that cannot be rolled) has to end it in the order of the rule, or the
// message would be another one. Such nodes are therefore chained: each depends on all that the one before it depends
// on. Dice whose number no other die decides are taken out of the chain; should they be impossible, the rule is
// solved once more without regions and with every roll in the chain.
//
// # Less than a joint distribution
//
// How each of several outputs is distributed is answered of their joint distribution while that is small, else of each
// (apart.go). The mean of an output that only adds has a closed form (mean.go). What a whole question takes at most follows
// from the intervals of its values beforehand, before it is known which states merge (estimate.go).
//
// # Decisions
//
// A field that is decided when dice have fallen is a constant of the question, or follows a strategy. Then it is a source
// of chance that reads what is known when it is decided (decision.go), and shows the one choice of a formula or, of
// several, the best, which is found by backward induction (strategy.go; Bellman 1957).
//
// # Work
//
// A unit of work is a state multiplied by a class, or so many words of a long formula (work.go); memory is judged by its
// numbers. Both are judged before they are spent, on behalf of the dice that ask for them. That the steps to come take too
// much is seen early, by random ways through them (forecast.go).
package eliminate
