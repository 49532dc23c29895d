package main

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var errNotAModule = errors.New("this is no WebAssembly module of Go")

// The bytes of a module that are read here (https://webassembly.github.io/spec/core/binary/modules.html).
const (
	header      = "\x00asm\x01\x00\x00\x00"
	dataSection = 11
	i32Const    = 0x41
	end         = 0x0b
)

// longestZeros is the longest run of zeros within a segment. To begin another costs less than a longer one.
const longestZeros = 64

// strip returns the module with few segments of data, and without what only traces of panics show.
func strip(module []byte) ([]byte, error) {
	if len(module) < len(header) || string(module[:len(header)]) != header {
		return nil, errNotAModule
	}
	out := append([]byte{}, header...)
	hasData := false
	for r := (reader{rest: module[len(header):]}); len(r.rest) > 0; {
		section := r.byte()
		content := r.bytes(r.unsigned())
		if section == dataSection && r.err == nil {
			memory, err := readData(content)
			if err == nil {
				err = blankTraces(memory)
			}
			if err != nil {
				return nil, err
			}
			hasData, content = true, appendData(nil, memory)
		}
		if r.err != nil {
			return nil, r.err
		}
		out = append(out, section)
		out = append(binary.AppendUvarint(out, uint64(len(content))), content...)
	}
	if !hasData {
		return nil, errNotAModule
	}
	return out, nil
}

// readData returns the memory that a section of data fills.
func readData(section []byte) ([]byte, error) {
	var memory []byte
	r := reader{rest: section}
	for range r.unsigned() {
		if kind, op := r.unsigned(), r.byte(); kind != 0 || op != i32Const {
			return nil, fmt.Errorf("a segment of data of kind %d at an address by operation %#x", kind, op)
		}
		at := r.address()
		if r.byte() != end {
			return nil, errNotAModule
		}
		content := r.bytes(r.unsigned())
		if r.err != nil {
			return nil, r.err
		}
		if more := int(at) + len(content) - len(memory); more > 0 {
			memory = append(memory, make([]byte, more)...)
		}
		copy(memory[at:], content)
	}
	return memory, r.err
}

// appendData appends a section of data that fills memory, from which nothing but zeros is left out.
func appendData(out, memory []byte) []byte {
	var segments []byte
	count := 0
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		size := 0 // up to the last byte that is not zero
		for i, b := range memory[at:] {
			if b != 0 {
				size = i + 1
			} else if i-size >= longestZeros {
				break
			}
		}
		count++
		segments = appendAddress(append(segments, 0, i32Const), int64(at))
		segments = binary.AppendUvarint(append(segments, end), uint64(size))
		segments = append(segments, memory[at:at+size]...)
		at += size
	}
	return append(binary.AppendUvarint(out, uint64(count)), segments...)
}

// appendAddress appends an address as the signed number that a constant is.
func appendAddress(out []byte, at int64) []byte {
	for at > 0x3f {
		out = append(out, byte(at)|0x80)
		at >>= 7
	}
	return append(out, byte(at))
}

// A reader reads from the front. Behind the end it reads zeros, and has an error.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) byte() byte {
	if b := r.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.rest, r.err = nil, errNotAModule
		return nil
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

// unsigned reads a number of seven bits a byte, the lowest first.
func (r *reader) unsigned() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.rest, r.err = nil, errNotAModule
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// address reads a signed number, which for an address of Go's is none below 0.
func (r *reader) address() uint32 {
	v := r.unsigned()
	if v > 1<<31-1 {
		r.err = errNotAModule
		return 0
	}
	return uint32(v)
}
