//go:build !race

package sandbox

// detectorMemory is what a race detector holds, of which there is none in this program.
const detectorMemory = 0
