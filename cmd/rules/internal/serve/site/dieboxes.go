package site

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A dieBox takes the face that one die shows; left empty, the die is rolled.
type dieBox struct {
	ID, Label, Value string
	IsWrong          bool // the error of the page is about it
}

// diePrefix begins the names of fields that take the face of one die.
const diePrefix = "die."

// mostBoxes is how many dice have a box each; the faces of more are one text.
const mostBoxes = 4

// hasBoxes reports whether each die of a rule falls once, so that it has a box of its own.
func hasBoxes(n *describe.Needs) bool {
	return len(n.Dice) > 0 && len(n.Dice) <= mostBoxes && !slices.ContainsFunc(n.Dice, func(d describe.DieNeeds) bool {
		return d.List || strings.ContainsAny(d.ID, "[*")
	})
}

// mergeDice puts the faces in the boxes of a form into its text for faces. It reports whether some boxes have a face and
// others have none.
func mergeDice(n *describe.Needs, form url.Values) (isPart bool) {
	var faces []string
	for _, d := range n.Dice {
		if text := strings.TrimSpace(form.Get(diePrefix + d.ID)); text != "" {
			faces = append(faces, d.ID+"="+text)
		}
		form.Del(diePrefix + d.ID)
	}
	if faces != nil {
		form.Set("dice", strings.Join(faces, " "))
	}
	return faces != nil && len(faces) < len(n.Dice)
}

// dieBoxes are the boxes of a form, with the faces that were typed; nil where the faces are one text.
func dieBoxes(n *describe.Needs, typed string) []dieBox {
	throw, err := dice.ParseThrow(typed)
	if !hasBoxes(n) || len(throw.Dice.List) > len(n.Dice) {
		return nil
	}
	var unread map[string]string // by the id of a die
	if err != nil {
		if unread = facesByDie(typed); unread == nil {
			return nil
		}
	}
	var out []dieBox
	for i, d := range n.Dice {
		box := dieBox{ID: diePrefix + d.ID, Label: cmp.Or(d.Label, say.Capitalise(spacedName(d.ID))), Value: unread[d.ID]}
		if i < len(throw.Dice.List) {
			box.Value = strconv.FormatInt(throw.Dice.List[i], 10)
		}
		for _, x := range throw.Dice.ByID {
			if x.ID == d.ID && len(x.Faces) == 1 {
				box.Value = strconv.FormatInt(x.Faces[0], 10)
			}
		}
		out = append(out, box)
	}
	return out
}

// facesByDie returns the texts that were typed into boxes, as mergeDice joins them; nil where they were typed otherwise.
func facesByDie(typed string) map[string]string {
	out := map[string]string{}
	for _, text := range strings.Fields(typed) {
		id, face, ok := strings.Cut(text, "=")
		if !ok {
			return nil
		}
		out[id] = face
	}
	return out
}

// markWrongDie marks the box that an error is about: that of the die that it names, or the first that holds no number.
func (v *tryPage) markWrongDie(err error) {
	wrong, isOfDie := errors.AsType[*dice.Error](err)
	_, isUnread := errors.AsType[*dice.ThrowError](err)
	_, isNotation := errors.AsType[*dice.SyntaxError](err)
	for i := range v.Boxes {
		box := &v.Boxes[i]
		_, notNumber := strconv.ParseInt(box.Value, 10, 64)
		switch {
		case isOfDie && (diePrefix+wrong.ID == box.ID || wrong.ID == "" && wrong.Position == i+1),
			(isUnread || isNotation) && box.Value != "" && notNumber != nil:
			box.IsWrong = true
			return
		}
	}
}
