package receipt

import (
	"bytes"
	"encoding/json"

	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
)

// SplitLog parts the receipts of a log, one in each line as "rules play" keeps them, and writes each as a receipt is
// written. What is no log is given as it is.
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
