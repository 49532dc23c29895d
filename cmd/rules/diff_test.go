package main

import (
	"errors"
	"testing"

	"github.com/tabletop-rules/rules/golden/revisions"
)

// TestStrangers refuses a character only when it fits none of the rulesets that are compared.
func TestStrangers(t *testing.T) {
	comparison := func(names ...string) *revisions.Comparison {
		c := &revisions.Comparison{Strangers: map[string]error{}}
		for _, n := range names {
			c.Strangers[n] = errors.New("character.rank: is missing")
		}
		return c
	}
	for _, c := range []struct {
		list []*revisions.Comparison
		want string
	}{
		{nil, ""},
		{[]*revisions.Comparison{comparison()}, ""},
		{[]*revisions.Comparison{comparison("ada")}, "ada fits neither revision: character.rank: is missing"},
		{[]*revisions.Comparison{comparison("ada"), comparison("zoe")}, ""},
		{[]*revisions.Comparison{comparison("ada", "zoe"), comparison("zoe")},
			"zoe fits none of the rulesets that are compared: name its own to be told why"},
	} {
		got := ""
		if err := strangerError(c.list); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
