package toolserver

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/api"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
)

// A variant is one side of a comparison: what it has otherwise than the question.
type variant struct {
	Label     string            `json:"label"`
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"`
	Options   map[string]string `json:"options"`
}

// A comparedRow has the measures of a variant, nil for one without a value.
type comparedRow struct {
	Label    string              `json:"label"`
	Values   map[string]*float64 `json:"values"`
	measured []oddsquery.Measured
}

// A comparison is the answer of compare.
type comparison struct {
	Source source        `json:"source"`
	Rows   []comparedRow `json:"rows"`
	Best   string        `json:"best,omitempty"` // the label with the greatest first measure, none when two share it
}

// maxVariants bounds the sides of one comparison.
const maxVariants = 16

// compareVariants measures the odds of several variants of a question.
func (s *server) compareVariants(ctx context.Context, c *call) (*answer, error) {
	var q struct {
		subjectArgs
		Character json.RawMessage   `json:"character"`
		Input     json.RawMessage   `json:"input"`
		Options   map[string]string `json:"options"`
		Policy    []string          `json:"policy"`
		Of        []string          `json:"of"`
		Variants  []variant         `json:"variants"`
		Vary      []string          `json:"vary"`
		Rules     []string          `json:"rules"`
	}
	if err := c.decodeArguments(&q); err != nil {
		return nil, err
	}
	e, err := s.findSubject(&q.subjectArgs, q.Character, nil, "rule", "procedure")
	if err != nil {
		return nil, err
	}
	if q.Variants == nil {
		contest := api.Contest{Character: q.Character, Input: q.Input, Options: q.Options, Rules: q.Rules, Of: q.Of,
			Vary: q.Vary, Policy: q.Policy}
		if contest.Character, err = s.Party.readCharacter(contest.Character); err != nil {
			return nil, err
		}
		page, err := contest.Ask(ctx, e, q.Rule, s.Budget)
		if err != nil {
			return nil, err
		}
		from := sourceOf(e, q.Rule)
		return tellOdds(&from, page)
	}
	if q.Vary != nil || q.Rules != nil {
		return nil, api.BadRequest("variants are compared by measures of one rule: leave rules and vary out")
	}
	if len(q.Of) == 0 || len(q.Variants) < 2 || len(q.Variants) > maxVariants {
		return nil, api.BadRequest(fmt.Sprintf("compare takes of, such as [\"P(success)\"], and 2 to %d variants",
			maxVariants))
	}
	var measures []oddsquery.Measure
	for _, text := range q.Of {
		m, err := oddsquery.ParseMeasure(text)
		if err != nil {
			return nil, api.BadRequest(err.Error())
		}
		measures = append(measures, m)
	}
	out := comparison{Source: sourceOf(e, q.Rule)}
	for i, v := range q.Variants {
		asked := api.Chance{Character: q.Character, Policy: q.Policy, Options: maps.Clone(q.Options),
			Formulas: oddsquery.Formulas(measures)}
		if asked.Input, err = withMembers(q.Input, v.Input); err != nil {
			return nil, api.BadRequest(fmt.Sprintf("variant %d: %v", i+1, err))
		}
		if len(v.Character) > 0 {
			asked.Character = v.Character
		}
		if asked.Options == nil {
			asked.Options = map[string]string{}
		}
		maps.Copy(asked.Options, v.Options)
		if err := s.readRecords(c, e, q.Rule, &asked.Character, &asked.Input); err != nil {
			return nil, fmt.Errorf("variant %d: %w", i+1, err)
		}
		row, err := s.measureVariant(ctx, e, q.Rule, &asked, measures)
		if err != nil {
			return nil, fmt.Errorf("variant %d: %w", i+1, err)
		}
		if row.Label = v.Label; row.Label == "" {
			row.Label = fmt.Sprint(i + 1)
		}
		out.Rows = append(out.Rows, row)
	}
	out.Best = findBest(out.Rows, measures[0].String())
	a := &answer{content: out, sentence: q.Rule + out.Source.sentence()}
	for _, row := range out.Rows {
		a.sentence += "\n" + quote(row.Label)
		for i, m := range row.measured {
			a.sentence += " " + measures[i].String() + " = " + valueText(m)
		}
	}
	return a, nil
}

// withMembers returns an object with the members of another one in place of its own.
func withMembers(object, others json.RawMessage) (json.RawMessage, error) {
	list, err := jsontext.Members(jsontext.OrObject(others))
	if err != nil {
		return nil, err
	}
	object = jsontext.OrObject(object)
	for _, m := range list {
		if object, err = argdata.PutInto(object, []string{m.Name}, m.Value); err != nil {
			return nil, err
		}
	}
	return object, nil
}

// measureVariant returns the measures of one variant.
func (s *server) measureVariant(ctx context.Context, e *library.Edition, id string, q *api.Chance,
	measures []oddsquery.Measure) (row comparedRow, err error) {
	opening, err := q.Opening(e, id, s.Budget)
	if err != nil {
		return row, err
	}
	row.Values = map[string]*float64{}
	row.measured, err = oddsquery.MeasureEach(ctx, opening, measures, oddsquery.Setting{})
	for i, m := range row.measured {
		row.Values[measures[i].String()] = nil
		if m.None == nil {
			row.Values[measures[i].String()] = &m.Value
		}
	}
	return row, err
}

// findBest returns the label of the row with the greatest value, "" if there is no single one.
func findBest(rows []comparedRow, measure string) string {
	best := -1
	for i := range rows {
		v := rows[i].Values[measure]
		switch {
		case v == nil:
		case best < 0 || *v > *rows[best].Values[measure]:
			best = i
		}
	}
	for i := range rows {
		if v := rows[i].Values[measure]; best >= 0 && i != best && v != nil && *v == *rows[best].Values[measure] {
			return ""
		}
	}
	if best < 0 {
		return ""
	}
	return rows[best].Label
}

// valueText writes a measure for people.
func valueText(m oddsquery.Measured) string {
	if m.None != nil {
		return "none: " + m.None.Why
	}
	return strings.TrimSpace(layout.FormatShort(m.Value))
}
