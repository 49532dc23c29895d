package oddsjson

import (
	"encoding/json"
	"math"

	"github.com/tabletop-rules/rules/runtime/odds/markov"
	"github.com/tabletop-rules/rules/runtime/odds/montecarlo"
)

// A Course has a mean unless something is open, or it may go on without end. What is open makes the chances of the
// ends and the least mean bounds.
type Course struct {
	Subject
	Ends      []End       `json:"ends"`
	Open      float64     `json:"open"`
	ExactOpen string      `json:"exact_open,omitempty"`
	Bounds    bool        `json:"bounds,omitempty"`
	Mean      *float64    `json:"mean_events,omitempty"`
	LeastMean *float64    `json:"least_mean_events,omitempty"`
	ExactMean string      `json:"exact_mean_events,omitempty"`
	Events    int         `json:"events_followed"`
	States    int         `json:"states"`
	Fractions bool        `json:"fractions"`
	Closed    bool        `json:"closed_form"`
	Taken     []Taken     `json:"taken,omitempty"`
	Sample    *Sample     `json:"sample,omitempty"`
	After     []Situation `json:"after,omitempty"`
}

// A Sample says that the chances are shares of plays that were drawn, and lie between Least and Most of each end in 95 of
// 100 runs.
type Sample struct {
	Plays   int    `json:"plays"`
	Seed    uint64 `json:"seed"`
	Because string `json:"because,omitempty"` // why the odds are not exact
}

// NewSample returns the sample of a course; nil of one that was followed.
func NewSample(c *markov.Course) *Sample {
	if c.Sample == nil {
		return nil
	}
	s := Sample(*c.Sample)
	return &s
}

// An End is a way in which a procedure ends.
type End struct {
	Status  string      `json:"status"`
	Because []Hindrance `json:"because,omitempty"`
	P       float64     `json:"p"`
	Count   int         `json:"count,omitempty"` // of a sample: the plays that ended so
	Least   *float64    `json:"least,omitempty"` // of a sample
	Most    *float64    `json:"most,omitempty"`  // where p is the least that it may be, and of a sample
	Exact   string      `json:"exact,omitempty"`
	By      []float64   `json:"by_event"`
}

// A Hindrance is a condition that keeps an event from happening: one of guard, when and requirement.
type Hindrance struct {
	Event       string `json:"event"`
	Guard       string `json:"guard,omitempty"` // of the policy
	When        string `json:"when,omitempty"`
	Requirement string `json:"requirement,omitempty"`
	Cite        string `json:"cite,omitempty"`
}

// A Taken is what is best in a state.
type Taken struct {
	State     json.RawMessage `json:"state"`
	Character json.RawMessage `json:"character,omitempty"`
	Event     string          `json:"event"`
	Input     json.RawMessage `json:"input,omitempty"`
}

// A Situation is a state that may have been reached.
type Situation struct {
	Status    string          `json:"status"`
	Because   []Hindrance     `json:"because,omitempty"`
	State     json.RawMessage `json:"state,omitempty"`
	Character json.RawMessage `json:"character,omitempty"`
	P         float64         `json:"p"`
	Exact     string          `json:"exact,omitempty"`
}

// NewEnds returns the ends of a course.
func NewEnds(c *markov.Course) []End {
	out := []End{}
	for _, e := range c.Ends {
		x := End{Status: e.Status, Because: newHindrances(e.Because), P: e.P, By: e.By}
		if c.Sample != nil {
			low, high := montecarlo.Interval(e.Count, c.Sample.Plays)
			x.Count, x.Least, x.Most = e.Count, &low, &high
		} else if !c.Solved {
			most := min(1, e.P+c.Open)
			x.Most = &most
		}
		if e.N != nil {
			x.Exact = e.N.RatString()
		}
		out = append(out, x)
	}
	return out
}

func newHindrances(list []markov.Hindrance) (out []Hindrance) {
	for _, h := range list {
		x := Hindrance{Event: h.EventName(), Cite: h.Cite}
		switch h.Kind {
		case markov.Guard:
			x.Guard = h.Condition
		case markov.When:
			x.When = h.Condition
		case markov.Requirement:
			x.Requirement = h.Condition
		}
		out = append(out, x)
	}
	return out
}

// NewCourse returns a course with its fractions wherever they are known, asked for or not: a program can leave them
// alone, and cannot ask again in the same moment.
func NewCourse(s Subject, c *markov.Course) *Course {
	out := &Course{
		Subject: s, Ends: NewEnds(c), Open: c.Open, Events: c.Events, States: c.States, Fractions: c.Exact,
		Closed: c.Solved, Bounds: !c.Solved && c.Sample == nil, Sample: NewSample(c),
	}
	switch {
	case c.Sample != nil:
		if c.Open == 0 { // else it is that of the plays that ended, the short ones
			out.Mean = &c.Mean
		}
	case !c.Solved:
		out.LeastMean = &c.Mean
	case !math.IsInf(c.Mean, 1): // JSON has no number for that
		out.Mean = &c.Mean
	}
	if c.OpenN != nil && c.Open > 0 {
		out.ExactOpen = c.OpenN.RatString()
	}
	if c.MeanN != nil {
		out.ExactMean = c.MeanN.RatString()
	}
	for _, t := range c.Taken {
		out.Taken = append(out.Taken, Taken{State: json.RawMessage(t.State), Character: json.RawMessage(t.Character),
			Event: t.Event, Input: json.RawMessage(t.Input)})
	}
	for _, s := range c.After {
		x := Situation{Status: s.Status, Because: newHindrances(s.Because), State: json.RawMessage(s.State),
			Character: json.RawMessage(s.Character), P: s.P}
		if s.N != nil {
			x.Exact = s.N.RatString()
		}
		out.After = append(out.After, x)
	}
	return out
}
