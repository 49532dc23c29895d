package jsonio

import (
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

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
