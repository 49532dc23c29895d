//go:build race

package sandbox

// detectorMemory is what the race detector holds beside the memory that it watches: several bytes for each byte of that.
const detectorMemory = 4 << 30

// detectorSlowdown is how many times as long a program with the detector may take.
const detectorSlowdown = 4
