// Package js writes rules and procedures of a plan as ES modules: one module for each, one for what all of a ruleset share,
// and the kernel, with their types beside them. They need no other package, in a browser as in Node.
//
// A rule's module holds its function, the columns of tables that it reads, its dice, and the schema of its input. Its sheet
// is byte for byte that of the interpreter, and so are its refusals, failures and errors; but traces and odds stay with the
// interpreter. An int that leaves 2^53 ends the evaluation by an error of its own kind, Beyond.
//
// module.go and procedure.go write modules and declaration.go their types; statement.go and expression.go write functions,
// table.go look-ups, output.go what a function returns, and schema.go how records are read. The kernel itself is
// JavaScript, in kernel.js and kernel: text, numbers, lists and dice compute; fit reads what certainly fits, and json
// whatever does not, for it knows errors.
package js
