// Command oddsworker answers for the odds of rules in a page: the solvers of package runtime as a WebAssembly module, which
// a Worker loads when odds are first asked for. It has no system beneath it but a clock and chance, and needs neither the
// compiler nor a network:
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -o odds.wasm ./cmd/oddsworker
//
// What is published is smaller (.ci/odds, command strip).
//
// The host writes a plan file into memory that it asks for with reserve, calls load, and then, for each question, writes
// its JSON, calls answer, and reads as many bytes as that returns at the address that result returns. Built for another
// system the program does nothing.
package main

func main() {}
