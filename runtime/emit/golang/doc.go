// Package golang writes rules and procedures of a plan as a Go package, which imports no more than the kernel, the builtins
// and the standard library; or, standing alone, this library only. Procedures are played on JSON.
//
// The package has a file of its own for each rule: its input and output as structs, its function on these, and a value that
// evaluates requests in JSON; a file for what all share, the character; and one each for tables, for sites of faults and
// dice, and for the rows of lists. A sheet is byte for byte that of the interpreter, and so are refusals, failures and
// errors.
//
// package.go writes files; record.go writes structs with their schemas and checks, and enum.go the words of their fields;
// statement.go and expression.go write functions, procedure.go those of procedures, element.go the elements of lists,
// table.go look-ups, output.go what a function returns, and literal.go static data.
//
// # Many records
//
// A program that has its characters as structs calls the function in a loop; Throw.NewSource(record, 0) has the faces that
// a batch of the runtime gives to the record of this number, as Request.Record has in JSON. The function checks each field
// every time: tempestas' test takes as long as Frame.Run on a record that was checked before, attack of haze and perception
// of hybrid 1.7 and 1.5 times as long, most of it for the entries of maps in the order of their keys.
//
// Batches and populations take no generated rule, because it would slow them. By columns 1,024 records take 0.23 of the
// time of Go by hand, and generated Go 0.30, one by one. Of rules that run one by one, as these three, a batch spends
// three tenths of its time on evaluation, and their maps alone take 2.7 times as long to become structs; requests in JSON
// one by one take 2.7 to 3.6 times as long as the batch.
//
// # Time to compile
//
// Hybrid, the largest, has 17,800 lines, standing alone 22,800, which take 1.2 and 2.0 seconds of processor time to
// compile, and 0.85 and 1.4 on the clock of two cores, when its imports are compiled: two thirds of the time of go/types,
// and a tenth more than it. No pass of the compiler dominates. With code for each record, and calls inlined whatever they
// cost, it took two and a half to three times as long. Of 380 KB of machine code the functions of rules are two thirds.
// What the kernel does for any type goes by reflection where JSON is read and written: an instance of it for each struct
// costs more than the rules themselves.
package golang
