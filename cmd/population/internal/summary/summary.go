package summary

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Output is what is known of one output in one group: a spread of numbers, or a tally of strings and truths.
type Output struct {
	Spread *Spread `json:"spread,omitempty"`
	Tally  *Tally  `json:"tally,omitempty"`
}

func newOutput(kind plan.Kind) *Output {
	if kind == plan.Int || kind == plan.Double {
		return &Output{Spread: NewSpread()}
	}
	return &Output{Tally: &Tally{}}
}

// AddValue adds a value with a weight.
func (o *Output) AddValue(v runtime.Value, weight float64) {
	switch v.Kind() {
	case plan.Int:
		o.Spread.Add(float64(v.Int()), weight)
	case plan.Double:
		o.Spread.Add(v.Double(), weight)
	case plan.Bool:
		o.Tally.Add(truthText(v.Bool()), weight)
	default:
		o.Tally.Add(v.Text(), weight)
	}
}

func truthText(v bool) string {
	if v {
		return "true"
	}
	return "false"
}

func (o *Output) merge(x *Output) {
	if o.Spread != nil {
		o.Spread.Merge(x.Spread)
		return
	}
	o.Tally.Merge(x.Tally)
}

// A Group is what is known of the records of one group.
type Group struct {
	Records uint64    `json:"records"`
	Outputs []*Output `json:"outputs"` // in the order of Summary.Outputs
}

// A Summary is what is known of a population.
type Summary struct {
	By      []string          `json:"by,omitempty"` // what groups have in common
	Outputs []plan.Field      `json:"-"`            // numbers, truths and strings that are always there
	Groups  map[string]*Group `json:"groups"`       // by the values of By, as a JSON list
	Dead    uint64            `json:"dead"`         // records that have no answer
}

// New is a summary of no records. Only outputs that are scalars are summed up.
func New(outputs []plan.Field, by []string) *Summary {
	s := &Summary{By: by, Groups: map[string]*Group{}}
	for _, f := range outputs {
		if !f.Optional && f.Type.Scalar() {
			s.Outputs = append(s.Outputs, f)
		}
	}
	return s
}

// Group is the group of a key.
func (s *Summary) Group(key string) *Group {
	g := s.Groups[key]
	if g == nil {
		g = &Group{}
		for _, f := range s.Outputs {
			g.Outputs = append(g.Outputs, newOutput(f.Type.Kind))
		}
		s.Groups[key] = g
	}
	return g
}

// Merge adds the records of another summary of the same outputs.
//
// Keys are merged in order only to be the same on every run; the numbers do not depend on it, but
// for texts beyond the first 1,024.
func (s *Summary) Merge(o *Summary) {
	s.Dead += o.Dead
	for _, key := range slices.Sorted(maps.Keys(o.Groups)) {
		g, x := s.Group(key), o.Groups[key]
		g.Records += x.Records
		for i, out := range x.Outputs {
			if out.Spread == nil || !out.Spread.isEmpty() {
				g.Outputs[i].merge(out)
			}
		}
	}
}

// KeyOf is the key of a group.
//
// A list in JSON, because values may hold any separator.
func KeyOf(values []string) string {
	if len(values) == 0 {
		return "[]"
	}
	text, err := json.Marshal(values)
	if err != nil {
		panic("summary: strings have no JSON: " + err.Error())
	}
	return string(text)
}
