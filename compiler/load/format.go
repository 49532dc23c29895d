package load

import "cuelang.org/go/cue/format"

// Format returns a file as cue fmt writes it. What stands in strings is not touched.
func Format(text []byte) ([]byte, error) { return format.Source(text) }
