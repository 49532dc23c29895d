package why

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// kindRank returns the place of a kind of change in the order in which they are told.
func kindRank(k Kind) int { return slices.Index([]Kind{Face, Integer, Choice, Option}, k) }

// sortChanges puts the nearest change of each kind first, those of the same distance as they were tried.
func (s *search) sortChanges() {
	slices.SortStableFunc(s.found, func(a, b found) int {
		return cmp.Or(cmp.Compare(kindRank(a.Kind), kindRank(b.Kind)), cmp.Compare(a.Distance, b.Distance))
	})
}

// tryFaces moves each face alone. Of equal changes of the faces of one die the first is told.
func (s *search) tryFaces() {
	if s.base == nil {
		return
	}
	for _, r := range s.base.dice {
		best := found{}
		for i, face := range r.Faces {
			number := i + 1
			if len(r.Faces) == 1 {
				number = 0
			}
			c, ok := s.findNearest(face, 1, func(to int64) variation {
				faces := s.base.dice.ByID()
				faces[r.ID] = slices.Clone(r.Faces)
				faces[r.ID][i] = to
				return variation{dice: faces}
			})
			if ok && (best.Distance == 0 || c.Distance < best.Distance) {
				c.Kind, c.Name, c.Number = Face, r.ID, number
				best = c
			}
		}
		if best.Distance > 0 {
			s.found = append(s.found, best)
		}
	}
}

// findNearest returns the least change of a number that gives another answer.
//
// It goes outwards from the number, up and down, and so finds the least distance first, without assuming that the
// answer changes once: beyond a critical success may lie a fumble. A direction ends with the first number that the plan
// does not take.
func (s *search) findNearest(from, least int64, with func(to int64) variation) (c found, ok bool) {
	ended := map[int64]bool{}
	for distance := int64(1); distance <= maxDistance && !(ended[1] && ended[-1]); distance++ {
		for _, sign := range [...]int64{1, -1} {
			to := from + sign*distance
			if ended[sign] || to < least {
				ended[sign] = true
				continue
			}
			v := with(to)
			value, flips, err := s.tryVariation(v)
			if errors.Is(err, errStopped) {
				return c, false
			}
			ended[sign] = isOutOfRange(err)
			if flips {
				return found{Change{From: formatInt(from), To: formatInt(to), Distance: distance, Value: value}, v}, true
			}
		}
	}
	return c, false
}

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

// isOutOfRange reports whether a number was not taken, so that numbers beyond it will not be either.
func isOutOfRange(err error) bool {
	if _, ok := errors.AsType[*runtime.InputError](err); ok {
		return true
	}
	_, failed := errors.AsType[*runtime.Failure](err)
	return err != nil && refusalOf(err) == "" && !failed // a face that the die does not have
}

// tryInput changes each integer and each choice of the input alone.
//
// Only the input is changed, its defaults among it, never the character: "if you were stronger" is true of everything.
func (s *search) tryInput() { s.tryMembers(nil, s.shape, s.request.Input) }

func (s *search) tryMembers(path []string, shape *plan.Shape, object json.RawMessage) {
	if shape == nil || shape.Kind != plan.Record || shape.Character {
		return
	}
	given := map[string]json.RawMessage{}
	if len(object) > 0 && json.Unmarshal(object, &given) != nil {
		return
	}
	for i := range shape.Fields {
		m := &shape.Fields[i]
		value, ok := given[m.Name]
		if !ok {
			value = json.RawMessage(m.Default)
		}
		if len(value) > 0 || m.Shape.Kind == plan.Record && !m.Optional {
			s.tryMember(append(slices.Clone(path), m.Name), m.Shape, value)
		}
	}
}

// tryMember changes a value of the input at a path.
func (s *search) tryMember(path []string, shape *plan.Shape, value json.RawMessage) {
	with := func(to json.RawMessage) (v variation, ok bool) {
		object := json.RawMessage(s.request.Input)
		if len(object) == 0 {
			object = json.RawMessage("{}")
		}
		input, err := argdata.PutInto(object, path, to)
		return variation{input: input}, err == nil
	}
	root := "input"
	if s.event != "" {
		root = "event"
	}
	name := root + "." + plan.JoinPath(path...)
	switch {
	case shape.Kind == plan.Int:
		var n int64
		if json.Unmarshal(value, &n) != nil {
			return
		}
		least := n - maxDistance
		c, ok := s.findNearest(n, least, func(to int64) variation {
			v, _ := with(json.RawMessage(formatInt(to)))
			return v
		})
		if ok {
			c.Kind, c.Name = Integer, name
			s.found = append(s.found, c)
		}
	case shape.Kind == plan.Bool:
		words := []string{"false", "true"}
		s.tryChoices(Choice, name, words, string(value),
			func(to string) (variation, bool) { return with(json.RawMessage(to)) })
	case shape.Kind == plan.String && shape.Enum != nil:
		var word string
		if json.Unmarshal(value, &word) == nil {
			s.tryChoices(Choice, name, shape.Enum, word,
				func(to string) (variation, bool) { return with(jsontext.Quote(to)) })
		}
	default:
		s.tryMembers(path, shape, value)
	}
}

// tryChoices tries the other words from the nearest on, and notes the first that gives another answer.
//
// Distance among words is that in the author's list, which for difficulties and ranges is their
// order. The first that flips on either side is told.
func (s *search) tryChoices(kind Kind, name string, words []string, now string, with func(string) (variation, bool)) {
	at := slices.Index(words, now)
	if at < 0 {
		return
	}
	for distance := 1; distance < len(words); distance++ {
		for _, i := range [...]int{at - distance, at + distance} {
			if i < 0 || i >= len(words) {
				continue
			}
			v, ok := with(words[i])
			if !ok {
				continue
			}
			if value, flips, _ := s.tryVariation(v); flips {
				c := Change{Kind: kind, Name: name, From: now, To: words[i], Distance: int64(distance), Value: value}
				s.found = append(s.found, found{c, v})
				return
			}
		}
	}
}

// tryOptions plays each option otherwise.
func (s *search) tryOptions() {
	p := s.program.Plan()
	for i := range p.Options {
		o := &p.Options[i]
		now := o.Values[o.Default]
		if played, ok := s.asked.Options[o.ID]; ok {
			now = played
		}
		s.tryChoices(Option, o.ID, o.Values, now, func(to string) (variation, bool) {
			options := maps.Clone(s.asked.Options)
			if options == nil {
				options = map[string]string{}
			}
			options[o.ID] = to
			return variation{options: options}, true
		})
	}
}
