//go:build wasip1

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
