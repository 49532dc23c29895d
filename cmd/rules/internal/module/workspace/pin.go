package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Pin is what a character names to be played by.
//
// Saying nothing of homebrews and naming none are two things: a character that says nothing is
// played with those of --with, one that names none is not.
type Pin struct {
	Revision  string            // "tempestas 0.1.0", or the number alone; "" when it names none
	Homebrews *[]PinnedHomebrew // in their order; nil when the character says nothing of homebrews
}

// A PinnedHomebrew is a homebrew that a character names.
type PinnedHomebrew struct {
	ID     string
	Digest string // of its files, "sha256:..."
}

// PinOf returns the pin of a character in JSON. Errors in the JSON, or in its names, are for the evaluation to report.
func PinOf(character []byte) Pin {
	var members map[string]json.RawMessage
	if json.Unmarshal(character, &members) != nil {
		return Pin{}
	}
	var pin Pin
	if json.Unmarshal(members[jsonio.PinName], &pin.Revision) != nil {
		pin.Revision = ""
	}
	list, err := jsontext.Members(members[jsonio.HomebrewsName])
	if err != nil {
		return pin
	}
	homebrews := []PinnedHomebrew{}
	for _, m := range list {
		h := PinnedHomebrew{ID: m.Name}
		if json.Unmarshal(m.Value, &h.Digest) != nil {
			return pin
		}
		homebrews = append(homebrews, h)
	}
	pin.Homebrews = &homebrews
	return pin
}

// PinBy returns how a character names a plan: its revision, and the homebrews over it.
func PinBy(p *plan.Plan) Pin {
	homebrews := []PinnedHomebrew{}
	for i, id := range p.Overlays {
		homebrews = append(homebrews, PinnedHomebrew{id, p.OverlayDigests[i]})
	}
	return Pin{RevisionName(p), &homebrews}
}

// IsSame reports whether two pins name the same.
func (x Pin) IsSame(y Pin) bool {
	return x.Revision == y.Revision && (x.Homebrews == nil) == (y.Homebrews == nil) &&
		(x.Homebrews == nil || slices.Equal(*x.Homebrews, *y.Homebrews))
}

// AddTo returns a character in JSON with a pin, and nothing else of its text changes: its own names stay where the pin says
// nothing.
func (x Pin) AddTo(character []byte) ([]byte, error) {
	if x.Homebrews != nil {
		var list []jsontext.Member
		for _, h := range *x.Homebrews {
			list = append(list, jsontext.Member{Name: h.ID, Value: jsontext.Quote(h.Digest)})
		}
		var err error
		if character, err = setMember(character, jsonio.HomebrewsName, jsontext.Join(list)); err != nil {
			return nil, err
		}
	}
	return setMember(character, jsonio.PinName, []byte(strconv.Quote(x.Revision)))
}

// setMember returns an object in JSON with another value of a member, which comes first when the object does not have it.
//
// The text is changed and not written anew: a player's file keeps its order, its blanks and its
// last line. The decoder's offsets say where a value ends; a value begins as many bytes before as
// its raw text has.
func setMember(object []byte, name string, value []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("this is no character: it is no JSON object")
	}
	begin := int(d.InputOffset()) // behind the brace
	for d.More() {
		next, err := d.Token()
		if err != nil {
			return nil, err
		}
		var old json.RawMessage
		if err := d.Decode(&old); err != nil {
			return nil, err
		}
		if next == name {
			end := int(d.InputOffset())
			return slices.Concat(object[:end-len(old)], value, object[end:]), nil
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	rest := object[begin:]
	blank := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))] // before the first member, and so before this one
	member := strconv.Quote(name) + ": " + string(value)
	if !bytes.HasPrefix(rest[len(blank):], []byte("}")) {
		member += ","
		if len(blank) == 0 {
			member += " "
		}
	}
	return slices.Concat(object[:begin], blank, []byte(member), rest), nil
}

// RevisionName names the revision of a plan as a character does.
func RevisionName(p *plan.Plan) string { return p.Ruleset + " " + p.Revision }
