package vm

import (
	"encoding/binary"
	"math/bits"
)

// A SymbolTable numbers strings that are known beforehand, and finds the number of one. It is a table of hashes with open
// addressing, at most half full.
type SymbolTable struct {
	entries []symbolEntry
	shift   int // of a hash, to the slot where the search begins
}

// A symbolEntry has one more than the number of its text; 0 when it is empty.
type symbolEntry struct {
	text   string
	number int64
}

// NewSymbolTable numbers texts as they stand, from 0 on. Of equal ones the first counts.
func NewSymbolTable(texts []string) *SymbolTable {
	log := bits.Len(uint(len(texts))) + 1
	t := &SymbolTable{entries: make([]symbolEntry, 1<<log), shift: 64 - log}
	for i, text := range texts {
		if at := t.entryOf([]byte(text)); at.number == 0 {
			*at = symbolEntry{text, int64(i) + 1}
		}
	}
	return t
}

// Find returns the number of a text, -1 of one that is not known.
func (t *SymbolTable) Find(text []byte) int64 { return t.entryOf(text).number - 1 }

// entryOf returns where a text stands, or would.
func (t *SymbolTable) entryOf(text []byte) *symbolEntry {
	for at := hashOf(text) >> t.shift; ; at++ {
		s := &t.entries[at&uint64(len(t.entries)-1)]
		if s.number == 0 || s.text == string(text) {
			return s
		}
	}
}

// hashOf mixes the length of a text, its first eight bytes and its last eight.
func hashOf(text []byte) uint64 {
	const odd = 0x9e3779b97f4a7c15
	first, last, n := uint64(0), uint64(0), len(text)
	switch {
	case n >= 8:
		first, last = binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[n-8:])
	case n >= 4:
		first, last = uint64(binary.LittleEndian.Uint32(text)), uint64(binary.LittleEndian.Uint32(text[n-4:]))
	case n > 0:
		first = uint64(text[0]) | uint64(text[n/2])<<8 | uint64(text[n-1])<<16
	}
	high, low := bits.Mul64(first^odd, last^uint64(n)*odd^odd>>1)
	return (high ^ low) * odd
}
