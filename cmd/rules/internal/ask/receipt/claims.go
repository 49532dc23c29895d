package receipt

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Limits returns the claims that a matching receipt does not prove. Replaying proves that these rules, this character,
// this input and these faces give this answer. Where the faces come from, and whose character it is, lies outside of
// the file. A valid signature names its maker.
//
// The limits are printed after every success. A tool that only says "everything matches" teaches people to believe more
// than was checked.
func (r *Receipt) Limits(signed bool) []string {
	var out []string
	if len(r.From) > 0 {
		out = append(out, "the play went on with a sheet, which counts as it was: "+
			"what happened before it has a receipt of its own")
	}
	given := r.givenEvents()
	switch {
	case r.Seed == nil:
		out = append(out, "every face was given: whether it was rolled or chosen, the receipt cannot tell")
	case r.Procedure == "":
		given = givenFaces(r.Given)
	}
	if r.Seed != nil && len(given) > 0 {
		out = append(out, "the faces of "+strings.Join(given, ", ")+
			" were given: whether they were rolled or chosen, the receipt cannot tell")
	}
	if r.Seed != nil {
		out = append(out, fmt.Sprintf(
			"faces were drawn from the seed %d: whether other seeds were tried first, the receipt "+
				"cannot tell", *r.Seed))
	}
	if signed {
		return append(out, "whose character this is: a signature says who vouches for the receipt, and no more")
	}
	return append(out, "whose character this is, and who made the receipt, only a signature can tell")
}

// givenEvents names the events of a play whose faces were given and not drawn, among those that had any.
// Events of an earlier receipt (From) are left out: that receipt has limits of its own.
func (r *Receipt) givenEvents() []string {
	if r.Procedure == "" {
		return nil
	}
	t, err := r.sheetOfPlay()
	if err != nil {
		return nil
	}
	var earlier toldPlay // what an earlier receipt vouches for
	if len(r.From) > 0 && json.Unmarshal(r.From, &earlier) != nil {
		return nil
	}
	var out []string
	if len(r.From) == 0 && len(t.Dice) > 0 && !slices.Contains(r.Drawn, 0) {
		out = append(out, "the start")
	}
	for i := len(earlier.Events); i < len(t.Events); i++ {
		switch e := &t.Events[i]; {
		case len(e.Given) > 0:
			out = append(out, fmt.Sprintf("event %d, %s (in part)", i+1, e.Event))
		case len(e.Dice) > 0 && !slices.Contains(r.Drawn, uint64(i+1)):
			out = append(out, fmt.Sprintf("event %d, %s", i+1, e.Event))
		}
	}
	return out
}

// givenFaces names the faces that were given, among others that were drawn: "roll (43)".
func givenFaces(given map[string][]int64) []string {
	var out []string
	for _, id := range slices.Sorted(maps.Keys(given)) {
		var faces []string
		for _, face := range given[id] {
			if face != 0 {
				faces = append(faces, fmt.Sprint(face))
			}
		}
		if len(faces) > 0 {
			out = append(out, fmt.Sprintf("%s (%s)", id, strings.Join(faces, ", ")))
		}
	}
	return out
}
