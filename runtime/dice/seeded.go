package dice

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A Seeded draws faces from a stream of ChaCha8 (math/rand/v2, C2SP chacha8rand). The key of the stream is four
// little-endian words of 64 bits: the run's seed, the record's number, the event's number, and the bytes "rules/1"
// followed by a zero. Each evaluation has a stream of its own, so order, batching and sharding never change a result.
//
// A face of a die with n faces comes from the next 64 bits x of the stream: 1 + the upper half of the 128-bit product
// x*n, unless the lower half is less than 2^64 mod n; then x is dropped and the next one taken (Lemire's method without
// bias). A distinct die drops every face that it has shown already and draws again. Of its faces that show the same number
// it is then the first that has not fallen: as when that number is given, so that nothing depends on who lets it fall.
//
//	seed  record  event  d6, eight times
//	1     0       0      2 2 4 3 4 3 1 1
type Seeded struct{ stream *rand.ChaCha8 }

// FromSeed returns the Source of one evaluation. A rule without memory is event 0, a record outside a batch record 0.
func FromSeed(seed, record, event uint64) *Seeded {
	return &Seeded{rand.NewChaCha8(streamKey(seed, record, event))}
}

// Reset makes it the Source of another evaluation, from its beginning.
func (s *Seeded) Reset(seed, record, event uint64) { s.stream.Seed(streamKey(seed, record, event)) }

func streamKey(seed, record, event uint64) (k [32]byte) {
	binary.LittleEndian.PutUint64(k[0:], seed)
	binary.LittleEndian.PutUint64(k[8:], record)
	binary.LittleEndian.PutUint64(k[16:], event)
	copy(k[24:], "rules/1")
	return k
}

// Face implements Source.
func (s *Seeded) Face(d *Draw) (int64, error) {
	face := s.drawBelow(uint64(d.Faces)) + 1
	for d.Die.Distinct && slices.Contains(d.Seen, face) {
		face = s.drawBelow(uint64(d.Faces)) + 1
	}
	if d.Die.Distinct && d.Die.Shows != nil {
		return d.faceShowing(d.Die.Shown(face), 1)
	}
	return face, nil
}

// Rest implements Source: a stream has no end.
func (s *Seeded) Rest() error { return nil }

// drawBelow draws a number in 0..n-1.
// -n % n is 2^64 mod n, as unsigned numbers wrap. It is computed only when lo < n, for a division
// is slow; for small n that is almost never.
func (s *Seeded) drawBelow(n uint64) int64 {
	hi, lo := bits.Mul64(s.stream.Uint64(), n)
	if lo < n {
		for reject := -n % n; lo < reject; {
			hi, lo = bits.Mul64(s.stream.Uint64(), n)
		}
	}
	return int64(hi)
}
