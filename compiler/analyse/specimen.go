package analyse

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A maker makes up records that fit their shapes: what a player might give.
//
// It takes the ends of a range more often than what lies between them, for that is where formulas go wrong, and where a
// range has no end a number near to the other one. What another field bounds from above has its least value. A record may
// still be refused, which says nothing of the ruleset.
type maker struct {
	rng       *rand.Rand
	character map[string]any // whose keys strings of the input may name
}

// record returns a record as JSON, without the fields at some paths.
func (m *maker) record(s *plan.Shape, but []string) []byte {
	return encode(m.fields(s, "", but))
}

func encode(record map[string]any) []byte {
	text, err := json.Marshal(record)
	if err != nil {
		panic("analyse: " + err.Error()) // a tree of strings, truths and finite numbers
	}
	return text
}

func (m *maker) value(s *plan.Shape) any {
	switch s.Kind {
	case plan.Int:
		return int64(m.number(s))
	case plan.Double:
		return m.number(s)
	case plan.Bool:
		return m.rng.IntN(2) == 0
	case plan.String:
		return m.word(s)
	case plan.List:
		list := []any{}
		for range s.MinItems + m.rng.IntN(1+min(3, s.MaxItems-s.MinItems)) {
			list = append(list, m.value(s.Elem))
		}
		return list
	}
	return m.fields(s, "", nil)
}

// fields returns a record or a map: the fields that must be there, of the others about half, and maps with most keys that
// they may have.
func (m *maker) fields(s *plan.Shape, path string, but []string) map[string]any {
	out := map[string]any{}
	for i := range s.Fields {
		f := &s.Fields[i]
		at := strings.TrimPrefix(path+"."+f.Name, ".")
		switch {
		case slices.Contains(but, at):
		case (f.Optional || f.Default != "") && f.Shape.Kind != plan.Map && m.rng.IntN(2) == 0:
		case f.Shape.Kind == plan.Record:
			out[f.Name] = m.fields(f.Shape, at, but)
		default:
			out[f.Name] = m.value(f.Shape)
		}
	}
	if s.Kind == plan.Map && s.Elem != nil {
		keys := s.Keys
		if keys == nil {
			keys = []string{anyWord}
		}
		for _, key := range keys {
			if s.Member(key) == s.Elem && m.rng.IntN(4) > 0 {
				out[key] = m.value(s.Elem)
			}
		}
	}
	return out
}

// anyWord is what a string is that may be any, and a key of a map that may have any: what is looked up is found.
const anyWord = "a"

// reachOfOpenEnd is how far from its only end a number is looked for.
const reachOfOpenEnd = 20

func (m *maker) number(s *plan.Shape) float64 {
	low, high := 0.0, float64(reachOfOpenEnd)
	switch {
	case s.Min != nil && s.Max != nil:
		low, high = s.Min.Value, s.Max.Value
	case s.Min != nil:
		low, high = s.Min.Value, s.Min.Value+reachOfOpenEnd
	case s.Max != nil:
		low, high = s.Max.Value-reachOfOpenEnd, s.Max.Value
	}
	if s.Min != nil && s.Min.Open {
		low++
	}
	if s.Max != nil && s.Max.Open {
		high--
	}
	switch k := m.rng.IntN(4); {
	case k == 0 || len(s.Limits) > 0 || high <= low:
		return low
	case k == 1:
		return high
	}
	return low + float64(m.rng.Int64N(int64(min(high-low, 1e6))+1))
}

// word returns one of the words that a string may be; of one that names a key of the character, such a key.
func (m *maker) word(s *plan.Shape) string {
	words := s.Enum
	if path, none, isKey := strings.Cut(s.KeyOf, ","); words == nil && strings.HasPrefix(path, "character.") {
		for name := range keysAt(m.character, strings.TrimPrefix(path, "character.")) {
			words = append(words, name)
		}
		slices.Sort(words)
		if isKey {
			words = append(words, strings.TrimSpace(none))
		}
	}
	if len(words) == 0 {
		return anyWord
	}
	return words[m.rng.IntN(len(words))]
}

// keysAt returns the map at a path of a record; nil where there is none.
func keysAt(record map[string]any, path string) map[string]any {
	for name := range strings.SplitSeq(path, ".") {
		record, _ = record[name].(map[string]any)
	}
	return record
}
