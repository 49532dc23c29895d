package runtime

import (
	"bytes"
	"encoding/json"
)

// compactJSON returns JSON without blanks; a text that is no JSON stays as it is, for the decoder to refuse.
func compactJSON(text []byte) []byte {
	var out bytes.Buffer
	if err := json.Compact(&out, orEmpty(text)); err != nil {
		return text
	}
	return out.Bytes()
}
