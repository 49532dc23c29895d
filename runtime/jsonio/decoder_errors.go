package jsonio

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/spell"
)

// finishError returns an error with the parts that only the outermost call knows.
func (d *Decoder) finishError(r *Schema, err *InputError) error {
	err.Root = r.Root
	before := d.data[:min(err.offset, len(d.data))]
	err.Line = strings.Count(string(before), "\n") + 1
	err.Col = len(before) - strings.LastIndexByte(string(before), '\n')
	return err
}

// choiceError returns an error that lists the words of a choice, and the one that was probably meant.
func (d *Decoder) choiceError(start int, must, found string, words []string) *InputError {
	msg := fmt.Sprintf("%s %s, not %q", must, OneOf(words), found)
	if near := spell.Nearest(found, words); near != "" {
		msg += fmt.Sprintf("; did you mean %q", near)
	}
	return d.valueError(start, "%s", msg)
}

// unknownMsg begins the message about a field that there is not.
const unknownMsg = "there is no such field"

func (d *Decoder) unknownField(start int, name string, r *Schema) *InputError {
	words := make([]string, len(r.Members))
	for i, m := range r.Members {
		words[i] = m.Name
	}
	if len(words) == 0 {
		return d.valueError(start, unknownMsg+": nothing is asked for").atStep(PathStep(name))
	}
	msg := unknownMsg
	if near := spell.Nearest(name, words); near != "" {
		msg += fmt.Sprintf("; did you mean %q", near)
	} else {
		msg += "; it must be " + OneOf(words)
	}
	return d.valueError(start, "%s", msg).atStep(PathStep(name))
}

// keyError returns an error that says which keys are allowed.
func (d *Decoder) keyError(r *Schema, name []byte) *InputError {
	words := slices.Clone(r.Shape.Keys)
	for i := range r.Members {
		if !slices.Contains(words, r.Members[i].Name) {
			words = append(words, r.Members[i].Name)
		}
	}
	return d.choiceError(d.name, "a key must be", string(name), words)
}
