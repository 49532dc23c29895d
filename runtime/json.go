package runtime

import (
	"bytes"
	"encoding/json"
)

// compactJSON is JSON without blanks; what is no JSON stays as it is, for the decoder to say what is wrong with it.
func compactJSON(text []byte) []byte {
	var out bytes.Buffer
	if err := json.Compact(&out, orEmpty(text)); err != nil {
		return text
	}
	return out.Bytes()
}
