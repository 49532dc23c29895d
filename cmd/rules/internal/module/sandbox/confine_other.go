//go:build !linux || (!amd64 && !arm64)

package sandbox

// confineProcess takes nothing from the process: on this system the bounds of time and memory hold alone.
func confineProcess() error { return nil }
