package main

import (
	"context"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
)

// A settingCounter shows on a line how many settings of its questions have been asked.
type settingCounter struct {
	line  *layout.LiveLine
	asked int
}

// newSettingCounter returns a counter that shows on the terminal.
func (q *oddsQuestion) newSettingCounter() *settingCounter {
	return &settingCounter{line: layout.NewLiveLine(q.c.ErrOrStderr())}
}

// count returns a question whose settings are counted.
func (c *settingCounter) count(o oddsquery.Opening) oddsquery.Opening { return &countedOpening{o, c} }

// clear removes the line.
func (c *settingCounter) clear() { c.line.Clear() }

// A countedOpening is a question whose settings are counted.
type countedOpening struct {
	oddsquery.Opening
	by *settingCounter
}

// OddsAt answers for a setting.
func (c *countedOpening) OddsAt(ctx context.Context, s oddsquery.Setting) (*oddsquery.Answer, error) {
	if c.by.asked++; c.by.asked > 1 { // one alone is over before anybody has read that it was begun
		c.by.line.Show("rules: asking setting %d", c.by.asked)
	}
	return c.Opening.OddsAt(ctx, s)
}
