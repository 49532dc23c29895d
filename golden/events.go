package golden

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// ParseEvents reads the events of a procedure: [{"event": "roll", "input": {...}, "dice": [43, 61]}]. An error is an
// *Error, which names the file.
func ParseEvents(file string, data []byte) ([]runtime.Step, error) {
	t, err := jsontree.ReadTree(data)
	var out []runtime.Step
	if err == nil {
		out, err = parseEventList(t, data)
	}
	if err != nil {
		return nil, &Error{file, Before(err, data), err.Error()}
	}
	return out, nil
}

func parseEventList(t *jsontree.Tree, data []byte) ([]runtime.Step, error) {
	if t.Kind != jsontree.Array {
		return nil, &jsontree.Error{Offset: t.From, Msg: "the events are a list, also one: [{...}]"}
	}
	var out []runtime.Step
	for _, x := range t.Items {
		e, err := parseEvent(x, data)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func parseEvent(t *jsontree.Tree, data []byte) (e runtime.Step, err error) {
	if name := t.Get("event"); t.Kind != jsontree.Object || name == nil || name.Kind != jsontree.Text {
		if t.Get("name") != nil {
			return e, &jsontree.Error{Offset: t.From,
				Msg: `the member "event" says which event happens, and "name" is none`}
		}
		msg := `an event is {"event": NAME, "input": {...}, "dice": [...]}`
		if len(t.Names) == 1 && !slices.Contains([]string{"input", "dice"}, t.Names[0]) {
			part := ""
			name := t.Names[0]
			switch only := t.Items[0]; {
			case only.Kind == jsontree.Text:
				name = only.Text
			case len(only.Items) == 0:
			case only.Kind == jsontree.Array:
				part = `, "dice": ` + string(data[only.From:only.To])
			case only.Kind == jsontree.Object:
				part = `, "input": ` + string(data[only.From:only.To])
			}
			msg = fmt.Sprintf(`%s: write {"event": %q%s}`, msg, name, part)
		}
		return e, &jsontree.Error{Offset: t.From, Msg: msg}
	}
	for i, name := range t.Names {
		x := t.Items[i]
		switch name {
		case "event":
			e.Event = x.Text
		case "input":
			e.Input = data[x.From:x.To]
		case "dice":
			e.Dice, err = treeFaces(x)
		default:
			msg := fmt.Sprintf(`an event has no member %q: what it brings stands in "input": {%[1]q: ...}`, name)
			if slices.Contains([]string{"roll", "rolls", "face", "faces", "die"}, name) {
				msg = fmt.Sprintf(`an event has no member %q: the faces that fell are "dice": [...]`, name)
			}
			err = &jsontree.Error{Offset: x.From, Msg: msg}
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
func treeFaces(t *jsontree.Tree) (dice.Faces, error) {
	switch t.Kind {
	case jsontree.Array:
		list, err := parseFaceList(t)
		return dice.Faces{List: list}, err
	case jsontree.Object:
		out := dice.Rolls{}
		for i, id := range t.Names {
			list, err := parseFaceList(t.Items[i])
			if err != nil {
				return dice.Faces{}, err
			}
			out = append(out, dice.Roll{ID: id, Faces: list})
		}
		return dice.Faces{ByID: out}, nil
	}
	return dice.Faces{}, &jsontree.Error{Offset: t.From,
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
