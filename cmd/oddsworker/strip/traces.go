package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// The table of functions that Go's runtime reads, as runtime/symtab.go (pcHeader) and runtime2.go (_func) describe it since
// Go 1.20, whose mark it begins with: little-endian, with instructions of one byte and addresses of eight.
var tableMark = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// Where the words of eight bytes stand behind the mark.
const (
	functionCount   = 0
	namesOffset     = 3
	valuesOffset    = 6 // behind names of functions and files: values that hold from one instruction to another
	functionsOffset = 7
)

// Where the words of four bytes stand in the description of a function.
const (
	entryWord     = 0
	nameWord      = 1
	frameWord     = 4 // the size of the stack frame
	fileWord      = 5
	lineWord      = 6
	countWord     = 7 // of further values, such as the map of pointers that holds
	packageWord   = 8
	firstLineWord = 9
	furtherWords  = 11 // the offsets of further values
)

var errNoTable = errors.New("the module has no table of functions as Go 1.20 to 1.26 write it")

// blankTraces sets to zero whatever of the table of functions only traces of panics show.
func blankTraces(memory []byte) (err error) {
	at := bytes.Index(memory, tableMark)
	if at < 0 {
		return errNoTable
	}
	defer func() { // an offset that leads out of the memory: another layout
		if recover() != nil {
			err = errNoTable
		}
	}()
	table := memory[at:]
	word := func(i int) int { return int(binary.LittleEndian.Uint64(table[len(tableMark)+8*i:])) }
	clear(table[word(namesOffset):word(valuesOffset)])
	values, functions := table[word(valuesOffset):word(functionsOffset)], table[word(functionsOffset):]
	needed := make([]bool, len(values))
	for i := range word(functionCount) {
		entry := functions[8*i:] // where its code begins, and where its description stands
		f := functions[binary.LittleEndian.Uint32(entry[4:]):]
		field := func(i int) []byte { return f[4*i:][:4] }
		if !bytes.Equal(field(entryWord), entry[:4]) {
			return errNoTable
		}
		for _, w := range []int{nameWord, fileWord, lineWord, packageWord, firstLineWord} {
			clear(field(w))
		}
		markValues(needed, values, binary.LittleEndian.Uint32(field(frameWord)))
		for k := range int(binary.LittleEndian.Uint32(field(countWord))) {
			markValues(needed, values, binary.LittleEndian.Uint32(field(furtherWords+k)))
		}
	}
	for i, isNeeded := range needed {
		if !isNeeded {
			values[i] = 0
		}
	}
	return nil
}

// markValues marks the values that stand at an offset: pairs of differences, of a value and of an instruction, up to a zero
// in place of a value behind the first. There are none at 0.
func markValues(needed []bool, values []byte, offset uint32) {
	if offset == 0 {
		return
	}
	r := reader{rest: values[offset:]}
	for isFirst := true; r.err == nil; isFirst = false {
		if difference := r.unsigned(); difference == 0 && !isFirst {
			break
		}
		r.unsigned()
	}
	for i := int(offset); i < len(values)-len(r.rest); i++ {
		needed[i] = true
	}
}
