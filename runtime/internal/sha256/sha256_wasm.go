package sha256

// Sum256 returns the digest of data.
func Sum256(data []byte) [Size]byte { return sumPlain(data) }
