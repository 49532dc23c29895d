//go:build !linux || (!amd64 && !arm64)

package sandbox

// confine takes nothing from the process: on this system the bounds of time and memory hold alone.
func confine() error { return nil }
