// Package sha256 computes the digests of plan files: by the standard library, but in WebAssembly by fifty lines of its own.
// There crypto/sha256 brings modules of FIPS 140 with it that the linker does not leave out, ciphers and sources of entropy
// among them, which are 34 KB by brotli of what a page loads for odds.
package sha256

import (
	"encoding/binary"
	"math/bits"
)

// Size is the size of a digest in bytes.
const Size = 32

const blockSize = 64

// The first 32 bits of the fractions of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
var roundConstants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

// sumPlain computes a digest without the standard library (FIPS 180-4, 6.2).
func sumPlain(data []byte) (out [Size]byte) {
	// The first 32 bits of the fractions of the square roots of the first 8 primes.
	state := [8]uint32{
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	}
	whole := len(data) / blockSize * blockSize
	for at := 0; at < whole; at += blockSize {
		mixBlock(&state, data[at:at+blockSize])
	}
	last := append(append(make([]byte, 0, 2*blockSize), data[whole:]...), 0x80)
	for len(last)%blockSize != blockSize-8 {
		last = append(last, 0)
	}
	last = binary.BigEndian.AppendUint64(last, uint64(len(data))*8)
	for ; len(last) > 0; last = last[blockSize:] {
		mixBlock(&state, last[:blockSize])
	}
	for i, word := range state {
		binary.BigEndian.PutUint32(out[4*i:], word)
	}
	return out
}

// mixBlock mixes a block into the state.
func mixBlock(state *[8]uint32, block []byte) {
	var schedule [64]uint32
	for i := range 16 {
		schedule[i] = binary.BigEndian.Uint32(block[4*i:])
	}
	for i := 16; i < 64; i++ {
		x, y := schedule[i-15], schedule[i-2]
		schedule[i] = schedule[i-16] + (bits.RotateLeft32(x, -7) ^ bits.RotateLeft32(x, -18) ^ x>>3) +
			schedule[i-7] + (bits.RotateLeft32(y, -17) ^ bits.RotateLeft32(y, -19) ^ y>>10)
	}
	a, b, c, d, e, f, g, h := state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
	for i := range 64 {
		t := h + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (e&f ^ ^e&g) +
			roundConstants[i] + schedule[i]
		u := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b ^ a&c ^ b&c)
		h, g, f, e, d, c, b, a = g, f, e, d+t, c, b, a, t+u
	}
	for i, word := range [8]uint32{a, b, c, d, e, f, g, h} {
		state[i] += word
	}
}
