package sha256

import (
	"crypto/sha256"
	"testing"
)

// TestPlainSums compares digests of every length up to three blocks with those of the standard library.
func TestPlainSums(t *testing.T) {
	data := make([]byte, 3*blockSize+1)
	for i := range data {
		data[i] = byte(i * i >> 3)
	}
	for n := range data {
		if got, want := sumPlain(data[:n]), sha256.Sum256(data[:n]); got != want {
			t.Errorf("%d bytes: %x, want %x", n, got, want)
		}
	}
}
