// Package js writes rules and procedures of a plan as ES modules: one module for each, one for what all of a ruleset
// share, and the kernel, with their types beside them. They need no other package, in a browser as in Node.
//
// A rule's module holds its function, the columns of tables that it reads, its dice, and the schema of its input. Its
// sheet is byte for byte that of the interpreter, and so are its refusals, failures and errors; but traces and odds stay
// with the interpreter. An int that leaves 2^53 is a fault, which ends the evaluation that needs it by an error of its
// own kind, Beyond: the graph is carried out with ints of 2^53 throughout, so that what && and || absorb, and an arm
// that is not taken, ends nothing.
//
// module.go and procedure.go write modules and declaration.go their types; statement.go and expression.go write
// functions, table.go look-ups, output.go what a function returns, and schema.go how records are read. The kernel itself
// is JavaScript, in kernel.js and kernel: text, numbers, lists and dice compute; fit reads what certainly fits, and json
// whatever does not, for it knows errors.
//
// # Size
//
// The kernel has 1,094 lines without comments, 11.3 KB in a bundle by brotli: reading and judging JSON with the
// interpreter's messages 365, dice, whether given by place or by id, drawn, or both, 210, sheets and plays 171, lists,
// maps and tables 119, numbers to the bit 109, text 66, faults and errors 54. 900 lines were aimed at; reading alone is
// a third of all, and without its messages an error would not be the interpreter's. 75 of the lines, fit, answer nothing
// that json does not: a rule would be smaller without them, and take three times as long from objects. A rule that rolls
// no dice has no generator in its bundle, and a message is there with the function that makes the fault.
//
// A rule with its kernel has 7.6 to 9.0 KB in the median of a ruleset, 9.8 in hybrid; a ruleset 16 (tempestas), 23, 28, 38
// and 39.5 (hybrid). Two fifths of the largest are names of values: text in which each had the same would have 24 KB. So
// what saves most is what needs no name: a check that an earlier one has answered (package schedule), a field, which
// stands where it is read, and a list that stands with its elements. The body of a rule that others use is written in each
// of them, under other names, which compression does not see: some 7 KB of hybrid. A plan has such bodies in place, so
// that constants and checks go through them, and nothing says any more where they begin.
package js
