package jsonio

import (
	"bytes"
	"strings"

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

// Pinned reports whether the character that was read last is pinned to a revision.
func (d *Decoder) Pinned() bool { return d.pin }

// readPin reads the revision that a character is pinned to, and refuses every other.
func (d *Decoder) readPin(r *Schema, start int) *InputError {
	if d.pin {
		return d.valueError(start, "stands here twice").atStep(PathStep(PinName))
	}
	d.pin = true
	if err := d.readColon(PinName); err != nil {
		return err.atStep(PathStep(PinName))
	}
	d.skipBlanks()
	start = d.pos
	text, err := d.readQuoted(plan.String)
	switch {
	case err != nil:
		return err.atStep(PathStep(PinName))
	case string(text) != r.pin && !isNumberOf(string(text), r.pin):
		return d.valueError(start,
			"the character is pinned to %q, and this is %q: use the release that it is pinned to, or pin it anew", text, r.pin).
			atStep(PathStep(PinName))
	}
	return nil
}

// isNumberOf reports whether a text is the number of a revision, without the ruleset: "0.1.0" of "tempestas 0.1.0".
func isNumberOf(text, pin string) bool {
	_, number, ok := strings.Cut(pin, " ")
	return ok && text == number
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
