package main

import (
	"context"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
)

// A countedOpening shows on a line how many settings of a question have been asked.
type countedOpening struct {
	oddsquery.Opening
	line  *layout.LiveLine
	asked int
}

// OddsAt answers for a setting.
func (c *countedOpening) OddsAt(ctx context.Context, s oddsquery.Setting) (*oddsquery.Answer, error) {
	if c.asked++; c.asked > 1 { // one alone is over before anybody has read that it was begun
		c.line.Show("rules: asking setting %d", c.asked)
	}
	return c.Opening.OddsAt(ctx, s)
}

// countSettings returns a question that tells on the terminal how far it has come, and what removes the line in the end.
func (q *oddsQuestion) countSettings(o oddsquery.Opening) (oddsquery.Opening, func()) {
	line := layout.NewLiveLine(q.c.ErrOrStderr())
	return &countedOpening{Opening: o, line: line}, line.Clear
}
