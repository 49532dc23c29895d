package argdata

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ReadRulings reads a file of rulings: an object with a member "options", as the pages save the rulings of a group and as a
// sheet has those that it was asked with.
func (f *Files) ReadRulings(flag, name string) (map[string]string, error) {
	text, err := f.Read(flag, name)
	if err != nil {
		return nil, err
	}
	var held struct{ Options map[string]string }
	if err := json.Unmarshal(text, &held); err != nil {
		return nil, fmt.Errorf("these are no rulings: %w", err)
	}
	if held.Options == nil {
		return nil, errors.New(`these are no rulings: it has no member options, as in {"options": {"NAME": "VALUE"}}`)
	}
	return held.Options, nil
}
