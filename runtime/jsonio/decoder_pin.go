package jsonio

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Pins returns those of the character that was read last, but for characters in inputs.
func (d *Decoder) Pins() Pins { return d.pins }

// readPins reads a member of a character that pins it to a ruleset, a revision or homebrews, and refuses other pins. It is
// not ok if the name is that of no such member.
func (d *Decoder) readPins(r *Schema, name string, start int) (ok bool, err *InputError) {
	read, twice := d.readRevision, &d.pins.Revision
	switch name {
	case PinName:
	case HomebrewsName:
		read, twice = d.readHomebrews, &d.pins.Homebrews
	default:
		return false, nil
	}
	if *twice {
		return true, d.valueError(start, "stands here twice").atStep(PathStep(name))
	}
	*twice = true
	if err = d.readColon(name); err == nil {
		d.skipBlanks()
		err = read(r.pins)
	}
	if err != nil {
		err = err.atStep(PathStep(name))
	}
	return true, err
}

func (d *Decoder) readRevision(by *pinning) *InputError {
	start := d.pos
	text, err := d.readQuoted(plan.String)
	if err == nil && string(text) != by.revision && !isNumberOf(string(text), by.revision) {
		err = d.valueError(start,
			"the character is pinned to %q, and this is %q: use the release that it is pinned to, or pin it anew", text,
			by.revision)
	}
	return err
}

// isNumberOf reports whether a text is the number of a revision, without the ruleset: "0.1.0" of "tempestas 0.1.0".
func isNumberOf(text, pin string) bool {
	_, number, ok := strings.Cut(pin, " ")
	return ok && text == number
}

// readHomebrews reads homebrews with their digests: they must be those that are played, in any order.
func (d *Decoder) readHomebrews(by *pinning) *InputError {
	start := d.pos
	if !d.takeByte('{') {
		return d.typeError(plan.Record)
	}
	var named []string
	for !d.takeByte('}') {
		name, err := d.readName(len(named))
		if err != nil {
			return err
		}
		id := string(name)
		if slices.Contains(named, id) {
			return d.valueError(d.name, "stands here twice").atStep(PathStep(id))
		}
		named = append(named, id)
		if err = d.readColon(id); err == nil {
			err = d.readDigest(by, id)
		}
		if err != nil {
			return err.atStep(PathStep(id))
		}
	}
	for _, id := range by.homebrews {
		if !slices.Contains(named, id) {
			return d.valueError(start,
				"the character is played without the homebrew %s, which is used here: leave it out, or pin the "+
					"character anew", id)
		}
	}
	return nil
}

// readDigest reads the digest of a homebrew.
func (d *Decoder) readDigest(by *pinning, id string) *InputError {
	d.skipBlanks()
	start := d.pos
	digest, err := d.readQuoted(plan.String)
	if err != nil {
		return err
	}
	i := slices.Index(by.homebrews, id)
	switch {
	case i < 0:
		return d.valueError(start,
			"the character is played with the homebrew %s, which is not used here: use it, or pin the character anew", id)
	case by.digests[i] == "":
		return d.valueError(start, "nobody knows the digest of the homebrew %s that is used here", id)
	case by.digests[i] != string(digest):
		return d.valueError(start,
			"the homebrew %s that is used here is another: its digest is %s, not %s: use the one that "+
				"the character names, or pin the character anew", id, by.digests[i], digest)
	}
	return nil
}
