// Package check turns what an author wrote into a typed tree: it finds what every name stands for and which type every
// formula has. Formulas are typed by CEL's checker; what comes out is ours, and no later phase sees CEL.
//
// # Names and types in one pass
//
// Authors write definitions, lets, dice and outputs in any order, so a name may be read above the place that declares it.
// As in go/types there are two steps and no third. First all names of a scope are entered: each becomes an [Object], one
// of a few kinds, with the text that it stands for and no type. Then objects are completed one by one. To complete an
// object its texts are parsed and their names looked up; whatever they read is completed before; then CEL types the
// texts, and the object has a type (complete.go which, formula.go what it reads, build.go the type and the tree). This is
// a depth-first walk over what depends on what. An object that is met while it is underway depends on itself: the objects
// between are the cycle, which is reported once, and none of them gets a type.
//
// There is one kind of scope. For each text CEL is given an environment that holds the functions of the ruleset and just
// the names that the text reads, with the types that they have by then, so that nothing needs to be kept in step.
//
// # What CEL cannot know
//
// CEL's records are nominal, ours have the same type when they have the same fields; every record is therefore known to
// CEL under a name of its own (records.go). A trait reads like a field of a character. Strings that are keys of a table or
// values of an option have an enum, which CEL does not know: the tree is built from the operands up, and what a comparison,
// a look-up or an arm can never be is told then (fit.go). CEL takes [] for a list of anything; its type comes from where it
// stands.
//
// Integers and doubles mix in + - * and / only. The mixed operators are declared for CEL without an implementation; once a
// formula has its types, each use is rewritten to an explicit double(x), and the formula is typed again in CEL proper
// (promote.go). What is lowered, and what the reference implementation runs in package oracle, is standard CEL.
//
// A formula that is written as one expression for each value of an option is typed text by text and becomes one expression,
// OpChoose. No later phase asks how it was written.
//
// # Bounds
//
// Every list has a bound before anything is rolled. When nothing else is wrong, extents (bounds.go) follow each
// expression from what the input admits to how many dice it may ask for; a count without a bound is an error. What a
// builtin does to extents stands in its row in package builtin; the operators of CEL have theirs here.
//
// Invariant: in a ruleset that was checked without an error every expression has a type without an open part, every
// reference leads to something checked, and an operation gets operands of the types it takes.
package check
