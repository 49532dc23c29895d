// Command strip makes a WebAssembly module that Go has linked smaller, above all as a server compresses it, and changes
// nothing that the module computes:
//
//	go run ./cmd/oddsworker/strip <odds.wasm >smaller.wasm
//
// It does two things that Go's linker does not (of 1.52 MB of the solvers by brotli both save 0.25):
//
//   - The linker leaves out every run of eight zeros, and so cuts the memory of a program into 100,000 segments, each with
//     an address that no compression foresees. Here a segment ends where that pays.
//   - For each function the linker keeps its name, and the file and line of each instruction, which only traces of panics
//     show. They become zeros. A panic keeps its message; its trace comes from a program on another system that answers
//     the same question, for a question has the same answer everywhere.
//
// Sizes of stack frames and the maps of pointers in them stay: the collector and growing stacks read them.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	module, err := io.ReadAll(os.Stdin)
	if err == nil {
		module, err = strip(module)
	}
	if err == nil {
		_, err = os.Stdout.Write(module)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "strip:", err)
		os.Exit(1)
	}
}
