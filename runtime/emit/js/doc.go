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
// whatever does not, for it knows errors, with pins for the release and the homebrews of a character.
//
// # Size
//
// The kernel has 1,129 lines without comments, 11.8 KB in a bundle by brotli: reading and judging JSON with the
// interpreter's messages 379, dice, whether given by place or by id, drawn, or both, 204, requests, sheets and plays 200,
// lists, maps and tables 119, numbers to the bit 109, text 64, faults and errors 54. 900 lines were aimed at; reading alone
// is a third of all, and without its messages an error would not be the interpreter's. 79 of the lines, fit, answer nothing
// that json does not: a rule would be smaller without them, and take three times as long from objects. One walk for both,
// over values with the place of each, has 36 lines more and is 350 bytes larger; a table of the kinds of schemas in place
// of the two walks' cases has 45 lines more for 50 bytes less. Judging requests, as programs make them whose types nobody
// checks, is 350 bytes of each rule.
//
// No rule carries all of it. What only some need is a function that a module names in a schema, a die or a definition, and
// imports: takeFaces, or takeNone without dice, leaveOutIdle and standIn for dice that nothing reads, blankCharacter,
// flatten, limitField, notAmong, and how pins are read. A message is there with the function that makes the fault.
//
// A rule with its kernel has 7.2 to 8.7 KB in the median of a ruleset, 9.4 in hybrid, and 17.7 at most; a ruleset 16
// (tempestas), 24, 28, 38 and 40 (hybrid). Two fifths of the largest are names of values: text in which each had the same
// would have 24 KB. So what saves most is what needs no name: a check that an earlier one has answered (package schedule), a
// field, which stands where it is read, and a list that stands with its elements. The body of a rule that others use is
// written in each of them, under other names, which compression does not see: some 7 KB of hybrid. A plan has such bodies in
// place, so that constants and checks go through them, and nothing says any more where they begin.
package js
