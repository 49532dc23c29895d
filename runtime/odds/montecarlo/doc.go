// Package montecarlo draws plays of a procedure under a policy, and counts how they end: the answer where a procedure has
// more states than package markov can meet, as a fight of four against four has.
//
// A play is carried out on frames, as a play of package runtime is, but its state goes from event to event as slots
// (jsonio.Packer) and not as JSON. Guards and inputs of a policy that are formulas read JSON, which is written only for
// them.
//
// Many plays of one event are drawn side by side, as columns (abreast.go); that changes how long it takes and nothing else.
//
// The faces of play n come from the streams of package dice with the seed of the run, the record n and the number of the
// event. So a play is the same whoever draws it and when: the counts of a run do not depend on how many goroutines share
// it, and any play of a run can be played again alone.
//
// Invariant: the plays that ended, and those that were still open after the most events that are followed, are all plays.
package montecarlo
