package jsonio

import (
	"bytes"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// PinName is the member of a character that names the revision by which it is to be played: "tempestas 0.1.0", or
// "0.1.0". It is no part of the rules, so it stands beside the fields that they know, at the top of a character alone. A
// character that becomes another one in a procedure keeps it.
const PinName = "$revision"

// PinOf is how a character names the revision of a plan.
func PinOf(p *plan.Plan) string {
	if p.Revision == "" {
		return p.Ruleset
	}
	return p.Ruleset + " " + p.Revision
}

// AddPin puts the pin into the JSON of a character that lost it.
func AddPin(character []byte, pin string) []byte {
	out := appendString(appendName([]byte{'{'}, PinName), pin)
	rest := bytes.TrimPrefix(character, []byte{'{'})
	if !bytes.HasPrefix(rest, []byte{'}'}) {
		out = append(out, ',')
	}
	return append(out, rest...)
}
