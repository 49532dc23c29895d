package judge

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
)

// A Drawn draws faces "from a stream of ChaCha8 (chacha8rand of C2SP), the key of which is four little-endian words of 64
// bits: the run's seed, the record's number, the event's number, and the bytes "rules/1" followed by a zero".
type Drawn struct {
	seed   json.Number
	stream *rand.ChaCha8
}

// DrawFrom returns the thrower of one evaluation.
func DrawFrom(seed, record, event uint64) *Drawn {
	key, err := binary.Append(nil, binary.LittleEndian, []uint64{seed, record, event})
	mustSucceed(err)
	return &Drawn{seed: json.Number(strconv.FormatUint(seed, 10)), stream: rand.NewChaCha8([32]byte(append(key, "rules/1\x00"...)))}
}

// Throw draws a face, each as many times as its weight says. "A card that has fallen is dropped when it is drawn again; of
// those that are alike the first that is left falls", so that as many of the last of them are left as there are.
func (t *Drawn) Throw(_ string, s sides) (int64, error) {
	deck := cmp.Or(s.deck, &s).cards()
	for {
		at := t.drawBelow(uint64(len(deck)))
		differs := func(face int64) bool { return face != deck[at] }
		if len(slices.DeleteFunc(slices.Clone(deck[at:]), differs)) <= len(slices.DeleteFunc(s.cards(), differs)) {
			return deck[at], nil
		}
	}
}

// drawBelow returns "the upper half of the 128-bit product x*n, unless the lower half is less than 2^64 mod n; then x is
// dropped and the next one taken".
func (t *Drawn) drawBelow(n uint64) uint64 {
	for {
		upper, lower := bits.Mul64(t.stream.Uint64(), n)
		if lower >= -n%n { // 2^64 - n and 2^64 leave the same
			return upper
		}
	}
}
