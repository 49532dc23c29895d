//go:build !wasm

package sha256

import "crypto/sha256"

// Sum256 returns the digest of data.
func Sum256(data []byte) [Size]byte { return sha256.Sum256(data) }
