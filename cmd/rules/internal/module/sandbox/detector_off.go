//go:build !race

package sandbox

// detectorMemory is what a race detector holds, of which there is none in this program.
const detectorMemory = 0

// detectorSlowdown is how many times as long a program with a detector may take, which this one has not.
const detectorSlowdown = 1
