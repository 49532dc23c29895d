// Package js writes rules of a plan as ES modules: one module for each rule, one for what all rules of a ruleset share, and
// the kernel, each with its types beside it. They need no other package, in a browser as in Node.
//
// A rule's module holds its function, the columns of tables that it reads, its dice, and the schema of its input. Its sheet
// is byte for byte that of the interpreter, and so are its refusals, failures and errors; but traces and odds stay with the
// interpreter. An int that leaves 2^53 ends the evaluation by an error of its own kind, Beyond.
//
// module.go writes files, statement.go and expression.go functions, table.go look-ups, schema.go inputs, output.go outputs.
package js
