package toolserver

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/jsonadvice"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/api"
)

// A characterVerdict says whether a character is one of a ruleset.
type characterVerdict struct {
	Ruleset  string       `json:"ruleset"`
	Revision string       `json:"revision"`
	Fits     bool         `json:"fits"`
	Problem  *api.Problem `json:"problem,omitempty"`
}

// checkCharacter says of which rulesets a character is one, or what does not fit.
func (s *server) checkCharacter(_ context.Context, c *call) (*answer, error) {
	var q struct {
		Ruleset   string          `json:"ruleset"`
		Character json.RawMessage `json:"character"`
	}
	if err := c.decodeArguments(&q); err != nil {
		return nil, err
	}
	if len(q.Character) == 0 {
		return nil, api.BadRequest("give a character, by its name or as an object")
	}
	text, err := s.Party.readCharacter(q.Character)
	if err != nil {
		return nil, err
	}
	editions, err := s.newestEditions(q.Ruleset)
	if err != nil {
		return nil, err
	}
	out := []characterVerdict{}
	var said []string
	for _, e := range editions {
		x := characterVerdict{Ruleset: e.Plan.Ruleset, Revision: e.Plan.Revision}
		err := jsonadvice.Fits(e.Program, text)
		if x.Fits = err == nil; err != nil {
			x.Problem = api.ProblemOf(err)
		}
		line := "a character of " + x.Ruleset + " " + x.Revision
		if err != nil {
			line = "no character of " + x.Ruleset + " " + x.Revision + ": " + x.Problem.Path + " " + x.Problem.Detail
		}
		out, said = append(out, x), append(said, line)
	}
	return &answer{sentence: strings.Join(said, "\n"), content: map[string]any{"checked": out}}, nil
}
