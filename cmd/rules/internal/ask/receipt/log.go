package receipt

import (
	"bytes"
	"encoding/json"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
)

// SplitLog returns the receipts of a log, each in the form of a receipt file. A log has one receipt in each line, as
// "rules play" keeps them. Any other text is returned as a single element.
//
// Digests are over the indented form, so each line of a log is indented again before it is read. A single receipt,
// which has line breaks, is no log: its first line is no JSON.
func SplitLog(text []byte) [][]byte {
	lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	var out [][]byte
	for _, line := range lines {
		var b bytes.Buffer
		if !json.Valid(line) || !bytes.HasPrefix(line, []byte("{")) || jsontext.PrintIndented(&b, line) != nil {
			return [][]byte{text}
		}
		out = append(out, b.Bytes())
	}
	return out
}
