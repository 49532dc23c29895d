package dice

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
)

// A Roll is what one die, or the dice of one source, showed, in the order in which they fell.
type Roll struct {
	ID    string
	Faces []int64
}

// Rolls are the faces that fell, by the id of their die, in the order in which the dice fell. In JSON they are an object.
type Rolls []Roll

// NewRolls returns the faces in a map, in the alphabetical order of the ids; nil for none.
func NewRolls(byID map[string][]int64) (out Rolls) {
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		out = append(out, Roll{ID: id, Faces: byID[id]})
	}
	return out
}

// ByID returns the faces in a map.
func (f Rolls) ByID() map[string][]int64 {
	out := make(map[string][]int64, len(f))
	for _, r := range f {
		out[r.ID] = r.Faces
	}
	return out
}

// MarshalJSON implements json.Marshaler: the members stand in the order of the dice.
func (f Rolls) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, r := range f {
		if i > 0 {
			out = append(out, ',')
		}
		id, err := json.Marshal(r.ID)
		if err != nil {
			return nil, err
		}
		out = append(append(out, id...), ':', '[')
		for k, face := range r.Faces {
			if k > 0 {
				out = append(out, ',')
			}
			out = strconv.AppendInt(out, face, 10)
		}
		out = append(out, ']')
	}
	return append(out, '}'), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Rolls) UnmarshalJSON(data []byte) error {
	*f = Rolls{}
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("dice must be an object")
	}
	for d.More() {
		id, err := d.Token()
		if err != nil {
			return err
		}
		r := Roll{ID: id.(string)}
		if err := d.Decode(&r.Faces); err != nil {
			return err
		}
		*f = append(*f, r)
	}
	return nil
}

// With returns the rolls with one more face of a die. f and slices that share its memory stay as they are.
func (f Rolls) With(die string, face int64) Rolls {
	out := slices.Clone(f)
	at := slices.IndexFunc(out, func(r Roll) bool { return r.ID == die })
	if at < 0 {
		at = len(out)
		out = append(out, Roll{ID: die})
	}
	out[at].Faces = append(slices.Clip(out[at].Faces), face)
	return out
}
