package runtime

import (
	"encoding/binary"
	"math/bits"
)

// words find the numbers of texts that are known beforehand: a table of hashes with open addressing, at most half full.
type words struct {
	slots []word
	shift int // of a hash, to the slot where the search begins
}

// A word of words. The number is one more than that of the text; 0 where there is none.
type word struct {
	text   string
	number int64
}

// newWords numbers texts as they stand. Of equal ones the first counts.
func newWords(texts []string) *words {
	log := bits.Len(uint(len(texts))) + 1
	w := &words{slots: make([]word, 1<<log), shift: 64 - log}
	for i, text := range texts {
		if at := w.slot([]byte(text)); at.number == 0 {
			*at = word{text, int64(i) + 1}
		}
	}
	return w
}

// find is the number of a text, -1 of one that is not known.
func (w *words) find(text []byte) int64 { return w.slot(text).number - 1 }

// slot is where a text stands, or would.
func (w *words) slot(text []byte) *word {
	for at := hash(text) >> w.shift; ; at++ {
		s := &w.slots[at&uint64(len(w.slots)-1)]
		if s.number == 0 || s.text == string(text) {
			return s
		}
	}
}

// hash mixes the length of a text, its first eight bytes and its last eight.
func hash(text []byte) uint64 {
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
