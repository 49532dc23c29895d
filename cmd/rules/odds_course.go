package main

import (
	"encoding/json"

	"github.com/tabletop-rules/rules/runtime/odds"
)

type jsonEnd struct {
	Status string    `json:"status"`
	P      float64   `json:"p"`
	Exact  string    `json:"exact,omitempty"`
	By     []float64 `json:"by_event"`
}

type jsonSituation struct {
	Status    string          `json:"status"`
	State     json.RawMessage `json:"state,omitempty"`
	Character json.RawMessage `json:"character,omitempty"`
	P         float64         `json:"p"`
	Exact     string          `json:"exact,omitempty"`
}

type jsonCourse struct {
	about
	Ends      []jsonEnd       `json:"ends"`
	Open      float64         `json:"open"`
	Mean      float64         `json:"mean_events"`
	ExactMean string          `json:"exact_mean_events,omitempty"`
	Events    int             `json:"events_followed"`
	States    int             `json:"states"`
	Fractions bool            `json:"fractions"`
	Closed    bool            `json:"closed_form"`
	After     []jsonSituation `json:"after,omitempty"`
}

func jsonOfCourse(subject about, c *odds.Course) jsonCourse {
	out := jsonCourse{
		about: subject, Ends: []jsonEnd{}, Open: c.Open, Mean: c.Mean, Events: c.Events, States: c.States, Fractions: c.Exact,
		Closed: c.Solved,
	}
	if c.MeanN != nil {
		out.ExactMean = c.MeanN.RatString()
	}
	for _, e := range c.Ends {
		x := jsonEnd{Status: e.Status, P: e.P, By: e.By}
		if e.N != nil {
			x.Exact = e.N.RatString()
		}
		out.Ends = append(out.Ends, x)
	}
	for _, s := range c.After {
		x := jsonSituation{Status: s.Status, State: json.RawMessage(s.State), Character: json.RawMessage(s.Character), P: s.P}
		if s.N != nil {
			x.Exact = s.N.RatString()
		}
		out.After = append(out.After, x)
	}
	return out
}
