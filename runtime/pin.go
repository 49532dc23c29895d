package runtime

import (
	"bytes"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// PinName is the member of a character that names the revision by which it is to be played: "tempestas 0.1.0", or "0.1.0". It is no
// part of the rules, so it stands beside the fields that they know, at the top of a character alone. A character that
// becomes another one in a procedure keeps it.
const PinName = "$revision"

// pinOf is how a character names the revision of a plan.
func pinOf(p *plan.Plan) string {
	if p.Revision == "" {
		return p.Ruleset
	}
	return p.Ruleset + " " + p.Revision
}

// pinned reads the revision that a character is pinned to, and refuses every other.
func (d *decoder) pinned(r *reader, start int) *InputError {
	if d.pin {
		return d.misfit(start, "stands here twice").under(key(PinName))
	}
	d.pin = true
	if err := d.colon(PinName); err != nil {
		return err.under(key(PinName))
	}
	d.blanks()
	start = d.pos
	text, err := d.quoted(plan.String)
	switch {
	case err != nil:
		return err.under(key(PinName))
	case string(text) != r.pin && !isNumberOf(string(text), r.pin):
		return d.misfit(start, "the character is pinned to %q, and this is %q: use the release that it is pinned to, or pin it anew", text, r.pin).
			under(key(PinName))
	}
	return nil
}

// isNumberOf reports whether a text is the number of a revision, without the ruleset: "0.1.0" of "tempestas 0.1.0".
func isNumberOf(text, pin string) bool {
	_, number, ok := strings.Cut(pin, " ")
	return ok && text == number
}

// repin puts the pin into the JSON of a character that lost it.
func repin(character []byte, pin string) []byte {
	o := object{buf: []byte{'{'}}
	o.text(PinName, pin)
	rest := bytes.TrimPrefix(character, []byte{'{'})
	if !bytes.HasPrefix(rest, []byte{'}'}) {
		o.buf = append(o.buf, ',')
	}
	return append(o.buf, rest...)
}

// Fits reports what of a character does not fit the plan: an *InputError.
func (p *Program) Fits(character []byte) error {
	_, err := newDecoder(newStore(p.image)).decodeSlots(p.character, character)
	return err
}
