package toolserver

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/api"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
)

// An oddsContent is the answer of odds: the rules that are asked, and the odds as package oddspage writes them.
type oddsContent struct {
	Source *source         `json:"source,omitempty"` // none of dice without a ruleset
	Odds   json.RawMessage `json:"odds"`
}

// answerOdds answers over every way in which the dice can fall.
func (s *server) answerOdds(ctx context.Context, c *call) (*answer, error) {
	var q struct {
		subjectArgs
		api.Chance
		Notation string  `json:"notation"`
		Plays    *int    `json:"plays"`
		Seed     *uint64 `json:"seed"`
	}
	if err := c.decodeArguments(&q); err != nil {
		return nil, err
	}
	if q.Notation != "" {
		if q.Rule != "" {
			return nil, api.BadRequest("notation has no meaning for a rule: it has its own dice")
		}
		if q.Plays != nil || q.Seed != nil {
			return nil, api.BadRequest("the odds of dice are exact: plays and seed are of a fight")
		}
		page, err := api.DiceOdds(q.Notation, q.Exact)
		if err != nil {
			return nil, err
		}
		return tellOdds(nil, page)
	}
	e, err := s.findSubject(&q.subjectArgs, q.Character, &q.State, "rule", "procedure")
	if err != nil {
		return nil, err
	}
	if err := s.prepareChance(c, e, q.Rule, &q.Chance); err != nil {
		return nil, err
	}
	from := sourceOf(e, q.Rule)
	if q.Plays == nil {
		if q.Seed != nil {
			return nil, api.BadRequest("seed draws plays: say how many, plays 0 for those that exact odds take too " +
				"much for")
		}
		page, err := q.Ask(ctx, e, q.Rule, s.Budget)
		if err != nil {
			return nil, err
		}
		return tellOdds(&from, page)
	}
	fight, err := asFight(&q.Chance, *q.Plays, q.Seed)
	if err != nil {
		return nil, err
	}
	page, err := fight.Ask(ctx, e, q.Rule, s.Budget)
	if err != nil {
		return nil, err
	}
	out, err := tellOdds(&from, page)
	if err == nil {
		out.sentence = "how it ends, exactly or by plays that were drawn," + from.sentence()
	}
	return out, err
}

// asFight returns a question as one for how a fight ends, of which plays are drawn.
func asFight(q *api.Chance, plays int, seed *uint64) (*api.Fight, error) {
	if q.Outputs != nil || q.Given != "" || q.Best != "" || q.Exact || q.Joint || q.After != nil {
		return nil, api.BadRequest("plays go with character, input, options, state, formulas, vary, decide, policy, " +
			"most and seed")
	}
	return &api.Fight{Character: q.Character, Input: q.Input, Options: q.Options, State: q.State, Formulas: q.Formulas,
		Vary: q.Vary, Decide: q.Decide, Policy: q.Policy, Most: q.Most, Plays: plays, Seed: seed}, nil
}

// prepareChance replaces the names of characters, and completes the input. An input that is left open is not missing.
func (s *server) prepareChance(c *call, e *library.Edition, id string, q *api.Chance) (err error) {
	if q.State != nil {
		return nil
	}
	if len(q.Vary) == 0 {
		return s.readRecords(c, e, id, &q.Character, &q.Input)
	}
	if q.Character, err = s.Party.readCharacter(q.Character); err != nil {
		return err
	}
	return nil
}

// tellOdds returns the answer of a page of odds, in lines without bars.
func tellOdds(from *source, page oddspage.Answer) (*answer, error) {
	content, err := oddspage.Write(page, oddspage.JSON, nil)
	if err != nil {
		return nil, err
	}
	text, err := oddspage.Write(page, oddspage.Text, &layout.Page{})
	if err != nil {
		return nil, err
	}
	out := &answer{sentence: "odds over every way in which the dice can fall", content: oddsContent{from, content}}
	for line := range strings.Lines(strings.TrimSpace(string(text))) {
		out.data = append(out.data, strings.TrimRight(strings.Map(dropBlocks, line), " \n"))
	}
	if from != nil {
		out.sentence += from.sentence()
	} else { // no ruleset has a part in it
		out.sentence, out.data = strings.Join(out.data, "\n"), nil
	}
	return out, nil
}

// dropBlocks drops the signs of bars.
func dropBlocks(c rune) rune {
	if c >= '▀' && c <= '▟' {
		return -1
	}
	return c
}
