package jsonio

import (
	"bytes"
	"encoding/json"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// PinName is the member of a character that names the revision by which it is to be played: "tempestas 0.1.0", or
// "0.1.0". It is no part of the rules, so it stands beside the fields that they know, at the top of a character alone: of
// the one that is played, or of another in the input. A character that becomes another one in a procedure keeps it.
const PinName = "$revision"

// HomebrewsName is the member of a character that names the homebrews with which it is to be played, and no others: an
// object of their ids, each with the digest of its files, "sha256:...". It stands where PinName does.
const HomebrewsName = "$homebrews"

// PinNames returns the members of a character that are pins.
func PinNames() []string { return []string{PinName, HomebrewsName} }

// PinnedRevision returns the revision that a character in JSON names; "" where it names none, or is no character: what reads
// all of it says so.
func PinnedRevision(character []byte) (revision string) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(character, &members)
	_ = json.Unmarshal(members[PinName], &revision)
	return revision
}

// A pinning is what characters may name to be played by a plan.
type pinning struct {
	revision  string
	homebrews []string // their ids
	digests   []string // of homebrews, "" where it is unknown
}

func newPinning(p *plan.Plan) *pinning {
	out := &pinning{revision: PinOf(p), homebrews: p.Overlays, digests: p.OverlayDigests}
	if out.digests == nil {
		out.digests = make([]string, len(p.Overlays))
	}
	return out
}

// PinOf returns how a character names the revision of a plan.
func PinOf(p *plan.Plan) string {
	if p.Revision == "" {
		return p.Ruleset
	}
	return p.Ruleset + " " + p.Revision
}

// Pins say which of its pins a character has.
type Pins struct{ Revision, Homebrews bool }

// AddTo puts the pins by a plan into the JSON of a character that lost them.
func (has Pins) AddTo(character []byte, p *plan.Plan) []byte {
	if has == (Pins{}) {
		return character
	}
	pins, out := newPinning(p), []byte{'{'}
	if has.Revision {
		out = append(appendString(appendName(out, PinName), pins.revision), ',')
	}
	if has.Homebrews {
		out = append(appendName(out, HomebrewsName), '{')
		for i, id := range pins.homebrews {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendString(appendName(out, id), pins.digests[i])
		}
		out = append(out, '}', ',')
	}
	rest := bytes.TrimPrefix(character, []byte{'{'})
	if bytes.HasPrefix(rest, []byte{'}'}) {
		out = out[:len(out)-1] // the comma
	}
	return append(out, rest...)
}
