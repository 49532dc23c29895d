package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/runtime"
)

// WithPin is a character in JSON that names another revision, or one for the first time; nothing else of its text
// changes.
func WithPin(character []byte, pin string) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(character))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("this is no character: it is no JSON object")
	}
	begin := int(d.InputOffset()) // behind the brace
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		if name == runtime.PinName {
			end := int(d.InputOffset())
			return slices.Concat(character[:end-len(value)], []byte(strconv.Quote(pin)), character[end:]), nil
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	rest := character[begin:]
	blank := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))] // before the first member, and so before this one
	member := strconv.Quote(runtime.PinName) + ": " + strconv.Quote(pin)
	if !bytes.HasPrefix(rest[len(blank):], []byte("}")) {
		member += ","
		if len(blank) == 0 {
			member += " "
		}
	}
	return slices.Concat(character[:begin], blank, []byte(member), rest), nil
}
