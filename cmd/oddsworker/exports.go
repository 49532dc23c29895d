//go:build wasip1

package main

import (
	"unsafe"

	"github.com/tabletop-rules/rules/runtime"
)

// The module is called by one host, one call after the other.
var (
	input  []byte // written by the host
	output []byte // read by the host
	loaded *solver
)

// reserveInput returns the address of so many bytes, which the host fills.
//
//go:wasmexport reserve
func reserveInput(size uint32) unsafe.Pointer {
	input = make([]byte, size)
	return unsafe.Pointer(unsafe.SliceData(input))
}

// loadPlan takes the input as a plan file. It returns the size of a problem in JSON; 0 for none.
//
//go:wasmexport load
func loadPlan() uint32 {
	program, err := runtime.Load(input)
	if output = nil; err != nil {
		output = problemOf(err)
	}
	loaded = newSolver(program)
	return uint32(len(output))
}

// answerInput takes the input as a question, and returns the size of its answer.
//
//go:wasmexport answer
func answerInput() uint32 {
	output = loaded.answer(input)
	return uint32(len(output))
}

// addressOfOutput returns the address of the answer.
//
//go:wasmexport result
func addressOfOutput() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(output)) }
