// Package odds turns a rule and a character into the exact joint distribution of the rule's outputs, over every way in
// which the dice can fall; a dice expression into the distribution of its total; and a procedure with a policy into the
// chances of its ends. It imports the plan, the dice and the runtime, whose words it executes, and nothing else of ours.
//
// Invariant: all weight is accounted for. What a distribution holds, what is refused, what has no value, and what was not
// followed of dice that explode without end, add up to 1; as fractions, exactly.
//
// # How
//
// Counting all ways one by one is hopeless as soon as there are a few dice: ten six-sided ones fall in sixty million ways,
// and mean 51 totals. What follows is variable elimination, as it is known from Bayesian networks (Zhang and Poole 1994;
// Dechter 1999), on the graph of a rule, where the only random variables are faces and everything else is a function
// of them.
//
//  1. Slicing. Only what the asked outputs and the requirements need is looked at (graph.go), and of the elements of lists
//     only what is read (elements.go). Unlike in a play, a die that nothing reads is not rolled.
//  2. Hoisting. What depends on no die is computed once, as the prefix, into an environment that all states share.
//  3. Factoring. Every node knows the set of dice that it depends on. Of these sets those that lie within or beside each
//     other are regions (sets.go): a side of a contest, say. A region is eliminated by itself, once, and
//     what the rest reads of it, a degree instead of a face of d100, is its distribution.
//  4. States. A region is a sequence of steps. A step multiplies every state by every class of one source of chance (a
//     die, a list of dice, a region within, a loop that rolls), computes at once all that follows from both, drops
//     what nothing reads later (link.go finds that by liveness, as a compiler allocates registers), and adds up the
//     weights of equal rows. Computing early never makes more states, for what is computed is a function of what a
//     state knows already; dropping makes fewer.
//  5. Streaming. Faces of a list that are only folded (summed, counted, walked by a loop) are multiplied in one by one,
//     and after each only what the folds carry is kept (stream.go). When each face adds what it alone decides, this is a
//     convolution, done by a recurrence (power.go) or by repeated squaring; whole weights are then multiplied as
//     one large integer each (Kronecker 1882; Harvey 2009). Several sums at once are numbered on a grid, where a step
//     moves every number by as much (grid.go). Faces whose order nothing can see are listed as
//     multisets with their multinomial coefficients.
//  6. Counting. A list that is read otherwise (matching sets, straights, a hand of cards, the third best) is replaced
//     by how many of its dice show each face before anything else is done: a chain of conditional binomials, one small
//     source for each face, and readers that are formulas over these counts (expand.go, pool.go). Then 2 to 4 do the rest.
//     Elements of two such lists are compared face by face (bag_pairs.go). Of a hand of which only the order is read, the
//     deck may be taken to have no cards but those (ranks.go); cards behind the first ones that are only sorted are listed
//     in one order (tails.go). A list that is asked for whole is told by the counts of its elements, and made when its
//     value is read (counted.go).
//  7. Memory. What a source shows depends on the few values it reads (faces, count, what its folds read); equal ones
//     share their classes.
//  8. Preparing. All of that is done once for a rule. A question computes the prefix, then the steps, in memory that
//     is kept from question to question, and answers with rows; they are read as values, and sorted, when these are
//     asked for (joint.go).
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
//	piece       the deterministic nodes between two sources, cut out as a graph of their own
//	recall      a memo of a source's classes across the questions of a course
//	deferred    work behind the last source, done when its rows are known, so that what came before can be recalled
//	pool, draw  equal dice as counts of their faces: a multinomial, as a chain of conditional binomials
//	engine      one calculus of weights: floats, or integers over a common denominator
//
// Between chances the rule is executed by the runtime: pieces of the graph are cut out as graphs of their own
// (cut.go), which are scheduled like any other. There is no second implementation of what an operation means.
//
// What ends an evaluation (a requirement, dice that cannot be rolled) has to end it in the order of the rule, or the
// message would be another one. Such nodes are therefore chained: each depends on all that the one before it depends
// on. Dice whose number no other die decides are taken out of the chain; should they be impossible, the rule is
// solved once more without regions and with every roll in the chain.
//
// Keeping the highest of many dice walks the values from the highest down and decides how many dice show each: the
// multinomial coefficient is the product of the binomials on the way (keep.go). A list that a rule reads only in its
// order, or only a part of that, goes the same way: a state is how many dice have fallen, and what the folds carry
// (ordered.go).
//
// A die that is rolled again until other faces fall has the conditional distribution, one that is rolled again once a
// mixture (chain.go). Explosions without end are followed until less than 2^-64 of a die is left, and what is left is
// told: with numerators and in rules face by face, in floats value by value, for a chain comes to v by a last face f
// from a chain that goes on at v - f. Of an expression that only adds, mean and variance have a closed form
// (moments.go), and so has the mean of an output that only adds (mean.go): a die that goes on
// with probability p is its first face and, with p, itself again.
//
// How each of several outputs is distributed is answered of their joint distribution while that is small, else of each
// (apart.go).
//
// Work is counted, never timed: a unit is a state multiplied by a class, or so many words of a long formula, and memory
// by its numbers (budget.go). It is judged before it is done, on behalf of the dice that ask for it. What a whole
// question takes at most follows from the intervals of its values beforehand, before it is known which states merge
// (estimate.go).
//
// A field that is decided when dice have fallen is a constant of the question, or follows a strategy. Then it is a source
// of chance that reads what is known when it is decided (decision.go), and shows the one choice of a formula or, of
// several, the best, which is found by backward induction (strategy.go; Bellman 1957).
//
// A procedure (process.go) under a policy is a Markov chain (course_chain.go). Its states, rows of the numbers of the
// values that the fields of the state and of the character have (course_states.go), are met breadth first from the start
// or from a state that is given (course_follow.go, course_step.go, course_read.go). What a source of chance has shown for
// the values that it reads is recalled from state to state (recall.go), and what differs in every state is computed
// behind it (deferred.go). Absorption is followed event by event, with numerators over one denominator that grows with
// every event (generation.go), and, where the states are few, solved by elimination over the fractions (solve.go; Kemeny
// and Snell 1960, chapter 3). A state that no longer fits its own declaration ends there. Outputs are read of the states
// in which the procedure ends, or is after so many events, each with the chance that was absorbed there
// (course_outputs.go). Where moves are chosen for what is best, the chain is a Markov decision process, which is settled
// before it is followed (course_best.go, course_branches.go; Puterman 1994, chapter 7).
//
// The weights are probabilities or, when they are to be exact, integers over one common denominator for a whole table,
// which no step has to reduce.
package odds
