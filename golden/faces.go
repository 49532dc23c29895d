package golden

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/golden/jsontree"
)

// ParseFaces reads "43,7", faces in the order in which they fall, or "roll=43 damage=6,2", faces by the id of their die.
// Nothing is no faces.
// Faces by id are robust against a die that a later revision adds in front; faces in order are what
// a player reads off.
func ParseFaces(s string) (Faces, error) {
	if !strings.Contains(s, "=") {
		list, err := faceList(strings.TrimSpace(s))
		return Faces{List: list}, err
	}
	out := map[string][]int64{}
	for _, pile := range strings.Fields(s) {
		id, list, ok := strings.Cut(pile, "=")
		if !ok || id == "" {
			return Faces{}, fmt.Errorf("%q is not id=faces", pile)
		}
		if _, twice := out[id]; twice {
			return Faces{}, fmt.Errorf("the faces of %s stand twice", id)
		}
		faces, err := faceList(list)
		if err != nil {
			return Faces{}, err
		}
		out[id] = faces
	}
	return Faces{ByID: out}, nil
}

func faceList(s string) ([]int64, error) {
	out := []int64{}
	if s == "" {
		return out, nil
	}
	for field := range strings.SplitSeq(s, ",") {
		face, err := strconv.ParseInt(strings.TrimSpace(field), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no face", strings.TrimSpace(field))
		}
		out = append(out, face)
	}
	return out, nil
}

// ParseEvents reads the events of a procedure: [{"event": "roll", "input": {...}, "dice": [43, 61]}]. An error is an
// *Error, which names the file.
func ParseEvents(file string, data []byte) ([]Event, error) {
	t, err := jsontree.ReadTree(data)
	var out []Event
	if err == nil {
		out, err = parseEventList(t, data)
	}
	if err != nil {
		return nil, &Error{file, Before(err, data), err.Error()}
	}
	return out, nil
}

func parseEventList(t *jsontree.Tree, data []byte) ([]Event, error) {
	if t.Kind != jsontree.Array {
		return nil, &jsontree.Error{Offset: t.From, Msg: "the events are a list"}
	}
	var out []Event
	for _, x := range t.Items {
		e, err := parseEvent(x, data)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func parseEvent(t *jsontree.Tree, data []byte) (e Event, err error) {
	if name := t.Get("event"); t.Kind != jsontree.Object || name == nil || name.Kind != jsontree.Text {
		return e, &jsontree.Error{Offset: t.From, Msg: `an event is an object with the member "event", its name`}
	}
	for i, name := range t.Names {
		x := t.Items[i]
		switch name {
		case "event":
			e.Name = x.Text
		case "input":
			e.Input = data[x.From:x.To]
		case "dice":
			e.Dice, err = treeFaces(x)
		default:
			err = &jsontree.Error{Offset: x.From,
				Msg: fmt.Sprintf("an event has no member %q: it has event, input, dice", name)}
		}
		if err != nil {
			return e, err
		}
	}
	return e, nil
}

// treeFaces reads the dice of an event: [43, 61], or {"ours.roll": [43]}.
//
// The two forms mean different things when a rule changes: by id the faces stay with their dice, in
// a list they move on to whatever falls first. Cases of procedures with several dice use ids.
func treeFaces(t *jsontree.Tree) (Faces, error) {
	switch t.Kind {
	case jsontree.Array:
		list, err := parseFaceList(t)
		return Faces{List: list}, err
	case jsontree.Object:
		out := map[string][]int64{}
		for i, id := range t.Names {
			list, err := parseFaceList(t.Items[i])
			if err != nil {
				return Faces{}, err
			}
			out[id] = list
		}
		return Faces{ByID: out}, nil
	}
	return Faces{}, &jsontree.Error{Offset: t.From,
		Msg: "dice are a list of faces, or an object of lists by the id of the die"}
}

func parseFaceList(t *jsontree.Tree) ([]int64, error) {
	if t.Kind != jsontree.Array {
		return nil, &jsontree.Error{Offset: t.From, Msg: "faces are a list"}
	}
	out := []int64{}
	for _, x := range t.Items {
		face, err := strconv.ParseInt(x.Text, 10, 64)
		if x.Kind != jsontree.Number || err != nil {
			return nil, &jsontree.Error{Offset: x.From, Msg: x.String() + " is no face"}
		}
		out = append(out, face)
	}
	return out, nil
}
