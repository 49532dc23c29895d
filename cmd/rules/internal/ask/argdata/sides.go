package argdata

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// maxAlike bounds how many fighters one --side adds.
const maxAlike = 64

// PutSides puts fighters into the lists of an input: FIELD=FILE for one with the character in a file, FIELD=4*FILE for four
// alike, and FIELD=FILE,NAME=VALUE,... where a fighter is a record that has more than the character. They come behind the
// fighters that a list of the input has already. It returns the character of the first of them, too.
func PutSides(input json.RawMessage, sides []string, shape *plan.Shape, files *Files) (
	filled, first json.RawMessage, err error) {
	lists := map[string][]json.RawMessage{}
	var names []string
	for _, text := range sides {
		name, fighter, found := strings.Cut(text, "=")
		of := shape.Member(name)
		switch {
		case !found:
			return nil, nil, fmt.Errorf("--side %s: it is FIELD=FILE, FIELD=4*FILE or FIELD=FILE,NAME=VALUE,", text)
		case of != nil && of.Character:
			return nil, nil, fmt.Errorf("--side %s: %s is one character: give it with a further --character FILE", text,
				name)
		case of == nil || of.Kind != plan.List || len(characterPaths(of.Elem, nil)) == 0:
			return nil, nil, fmt.Errorf("--side %s: the input has no list %s of characters: %s", text, name,
				strings.Join(sideNames(shape), ", "))
		}
		count := 1
		if n, file, isMany := strings.Cut(fighter, "*"); isMany {
			if k, err := strconv.Atoi(n); err == nil {
				count, fighter = k, file
			}
		}
		if count < 1 || count > maxAlike {
			return nil, nil, fmt.Errorf("--side %s: 1 to %d alike", text, maxAlike)
		}
		parts := strings.Split(fighter, ",")
		character, err := files.Read("side", parts[0])
		if err != nil {
			return nil, nil, err
		}
		if first == nil {
			first = character
		}
		element := json.RawMessage(character)
		if !of.Elem.Character {
			element, _, err = FillCharacter(nil, of.Elem, character)
			if err == nil && len(parts) > 1 {
				element, err = Assign(element, nil, parts[1:], of.Elem, files)
			}
			if err != nil {
				return nil, nil, fmt.Errorf("--side %s: %w", text, err)
			}
		} else if len(parts) > 1 {
			return nil, nil, fmt.Errorf("--side %s: a fighter is a character, and nothing besides", text)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
			if lists[name], err = fightersOf(input, name); err != nil {
				return nil, nil, fmt.Errorf("--side %s: %w", text, err)
			}
		}
		lists[name] = append(lists[name], slices.Repeat([]json.RawMessage{element}, count)...)
	}
	filled = input
	for _, name := range names {
		list, err := json.Marshal(lists[name])
		if err != nil {
			return nil, nil, fmt.Errorf("--side %s: %w", name, err)
		}
		if filled, err = PutInto(jsontext.OrObject(filled), []string{name}, list); err != nil {
			return nil, nil, err
		}
	}
	return filled, first, nil
}

// fightersOf returns the elements of a list of an input; none where the input lacks the list.
func fightersOf(input json.RawMessage, name string) (out []json.RawMessage, err error) {
	members, err := jsontext.Members(jsontext.OrObject(input))
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(members, func(m jsontext.Member) bool { return m.Name == name })
	if at < 0 {
		return nil, nil
	}
	if err := json.Unmarshal(members[at].Value, &out); err != nil {
		return nil, fmt.Errorf("the input has %s, which is no list: %w", name, err)
	}
	return out, nil
}

// sideNames returns the fields of an input that are lists with characters.
func sideNames(shape *plan.Shape) (out []string) {
	for i := range shape.Fields {
		if f := &shape.Fields[i]; f.Shape.Kind == plan.List && len(characterPaths(f.Shape.Elem, nil)) > 0 {
			out = append(out, f.Name)
		}
	}
	if out == nil {
		return []string{"it has none"}
	}
	return out
}
