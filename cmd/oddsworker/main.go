// Command oddsworker answers for the odds of rules in a page: the solvers of package runtime as a WebAssembly module, which
// a Worker loads when odds are first asked for. It has no system beneath it but a clock and chance, and needs neither the
// compiler nor a network:
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -o odds.wasm ./cmd/oddsworker
//
// The host writes a plan file into memory that it asks for with reserve, calls load, and then, for each question, writes
// its JSON, calls answer, and reads as many bytes as that returns at the address that result returns. Built for another
// system the program does nothing.
package main

import (
	"unsafe"

	"github.com/tabletop-rules/rules/runtime"
)

// The module is called by one host, one call after the other.
var (
	received []byte // what the host writes
	answered []byte // what it reads
	asked    *solver
)

// reserve returns the address of so many bytes, which the host fills.
//
//go:wasmexport reserve
func reserve(size uint32) unsafe.Pointer {
	received = make([]byte, size)
	return unsafe.Pointer(unsafe.SliceData(received))
}

// load takes the received bytes as a plan file. It returns the size of a problem in JSON; 0 for none.
//
//go:wasmexport load
func load() uint32 {
	program, err := runtime.Load(received)
	if answered = nil; err != nil {
		answered = problemOf(err)
	}
	asked = newSolver(program)
	return uint32(len(answered))
}

// answer takes the received bytes as a question, and returns the size of its answer.
//
//go:wasmexport answer
func answer() uint32 {
	answered = asked.answer(received)
	return uint32(len(answered))
}

// result returns the address of the answer.
//
//go:wasmexport result
func result() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(answered)) }

func main() {}
