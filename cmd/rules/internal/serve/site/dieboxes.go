package site

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A dieBox takes the face that one die shows; left empty, the die is rolled.
type dieBox struct{ ID, Label, Value string }

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
	if !hasBoxes(n) || err != nil || len(throw.Dice.List) > len(n.Dice) {
		return nil
	}
	var out []dieBox
	for i, d := range n.Dice {
		box := dieBox{ID: diePrefix + d.ID, Label: d.ID}
		if d.Label != "" {
			box.Label = d.Label
		}
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
