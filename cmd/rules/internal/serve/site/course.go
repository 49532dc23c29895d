package site

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/plot"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A courseView is how a procedure ends when it is played by a policy, from its start or from where it stands.
type courseView struct {
	Error    string
	How      string // it was found: exactly, or by how many plays
	Outcomes []outcomeView
	Ends     []endView
	Left     [][]string // a line for each number at the end: its mean, its deviation and three quantiles
	Label    string     // what differs from Kept; "" where nothing is kept
	Kept     *courseView
	Length   string        // how many events there are until then
	SVG      template.HTML // with which event it ends; made by package plot, which escapes what it is given
	By       [][]string    // the same as a table: the event, and the chance now and as it was kept
	chart    plot.Bars
}

// An endView is a way in which a procedure ends.
type endView struct {
	Status, Chance string
	Bounds         string // of a chance that was counted; "" of an exact one
	Why            string // what hindered the course there; "" of an end of the procedure
	Gauge          template.HTML
}

// courseTones are colours that tell ends apart. They judge none: which end is good, the ruleset does not say.
var courseTones = [...]string{plan.OtherTone.String(), plan.FailTone.String(), plan.RareTone.String(),
	plan.WinTone.String()}

// maxCharted is for how many events a chart says how likely it ends with them.
const maxCharted = 200

// followCourse asks for the course of a procedure.
func followCourse(ctx context.Context, e *library.Edition, words *say.Teller, q query.Question) *courseView {
	a, err := oddsquery.NewPlayAsker(e.Program, q)
	if err != nil {
		return &courseView{Error: wordError(err)}
	}
	if q.Sampling == nil {
		course, err := a.Course(ctx)
		if err != nil {
			return &courseView{Error: wordError(err)}
		}
		return newCourseView(course)
	}
	answer, err := a.Fight(ctx)
	if err != nil {
		return &courseView{Error: wordError(err)}
	}
	v := newCourseView(answer.Course)
	if answer.Course.Sample != nil {
		if ends := followExactly(ctx, e, q); ends != nil {
			drawn := v.How
			v = newCourseView(ends)
			v.How = "The ends are exact: over every way in which the dice can fall. What is left: " + drawn
		}
	}
	for _, m := range answer.Outputs {
		if m.Numeric() {
			v.Left = append(v.Left, append([]string{words.Heading(m.Name)}, oddspage.SpreadOf(m)...))
		}
	}
	return v
}

// followExactly returns the ends alone of a fight, of which more is only counted: they often take much less than what is
// left there. It is nil where they take too much, too.
func followExactly(ctx context.Context, e *library.Edition, q query.Question) *runtime.Course {
	q.Sampling = nil
	a, err := oddsquery.NewPlayAsker(e.Program, q)
	if err != nil {
		return nil
	}
	course, err := a.Course(ctx)
	if err != nil || !course.Solved {
		return nil
	}
	return course
}

// MeanLeft returns the mean of the i-th number at the end.
func (v *courseView) MeanLeft(i int) string {
	if i >= len(v.Left) {
		return ""
	}
	return v.Left[i][1]
}

// keep sets the course of another setting beside this one.
func (v *courseView) keep(other *courseView, label, now string) {
	if v.Error != "" {
		return
	}
	other.Label, v.Label, v.Kept = label, now, other
	chart := plot.Grouped{Series: []plot.Series{{Name: label}, {Name: now}}}
	v.By = nil
	for n := range max(len(v.chart.P), len(other.chart.P)) {
		chart.Labels = append(chart.Labels, fmt.Sprint(n))
		row := []string{fmt.Sprint(n)}
		for i, of := range []plot.Bars{other.chart, v.chart} {
			p := 0.0
			if n < len(of.P) {
				p = of.P[n]
			}
			chart.Series[i].Y = append(chart.Series[i].Y, p)
			row = append(row, layout.FormatPercent(p))
		}
		v.By = append(v.By, row)
	}
	if len(chart.Labels) > 1 {
		v.SVG = template.HTML(plot.Embed("events until an end:", chart))
	}
}

// newCourseView shows how a procedure ends, and when.
//
// Each way to end has its own numbers of events; the chart adds them up, for its question is when,
// not how.
func newCourseView(c *runtime.Course) *courseView {
	v := &courseView{Length: describeLength(c)}
	chart := plot.Bars{}
	at := 0.0
	if c.Sample == nil {
		v.How = "Exact: over every way in which the dice can fall."
	} else {
		v.How = say.Capitalise(oddspage.DescribeSample(c.Sample)) + "."
	}
	add := func(status, why string, p float64, count int) {
		bounds := ""
		if c.Sample != nil {
			bounds = oddspage.FormatInterval(c, count)
		}
		label, tone := say.Capitalise(spacedName(status)), courseTones[len(v.Outcomes)%len(courseTones)]
		v.Outcomes = append(v.Outcomes, outcomeView{Label: label, Tone: tone, Chance: chanceText(p), X: hundredths(at),
			Width: hundredths(p)})
		at += p
		v.Ends = append(v.Ends, endView{label, chanceText(p), bounds, why, template.HTML(plot.Gauge(p))})
	}
	for _, end := range c.Ends {
		add(end.Status, end.Why(), end.P, end.Count)
		for n, p := range end.By[:min(len(end.By), maxCharted+1)] {
			for len(chart.P) <= n {
				chart.Add(fmt.Sprint(len(chart.P)), 0)
			}
			chart.P[n] += p
		}
	}
	if c.Open > 0 {
		add(fmt.Sprintf("%s after %s", runtime.StatusOpen, plural.Of(c.Events, "event")), "", c.Open, openPlays(c))
	}
	for i, p := range chart.P {
		v.By = append(v.By, []string{chart.Labels[i], layout.FormatPercent(p)})
	}
	v.chart = chart
	if len(chart.P) > 1 {
		v.SVG = template.HTML(plot.Embed("events until an end:", chart))
	}
	return v
}

// openPlays returns how many plays of a course have not ended.
func openPlays(c *runtime.Course) int {
	if c.Sample == nil {
		return 0
	}
	open := c.Sample.Plays
	for i := range c.Ends {
		open -= c.Ends[i].Count
	}
	return open
}

// describeLength describes the number of events until an end; if the procedure may still be open, its lower bound.
func describeLength(c *runtime.Course) string {
	switch {
	case c.Sample != nil && c.Open == 0:
		return "Events until an end: " + strconv.FormatFloat(c.Mean, 'f', 1, 64) + " on average."
	case c.Sample != nil:
		return fmt.Sprintf("Events until an end: %s on average where it ended; the others are open after %s.",
			strconv.FormatFloat(c.Mean, 'f', 1, 64), plural.Of(c.Events, "event"))
	case !c.Solved:
		return fmt.Sprintf("Events until an end: at least %s on average, and nothing bounds it from above, because it "+
			"may still be open after %s; the chances of the ends are the least that they may be.",
			strconv.FormatFloat(c.Mean, 'f', 1, 64), plural.Of(c.Events, "event"))
	case math.IsInf(c.Mean, 1):
		return "Where it is " + runtime.StatusEndless + ", events follow one another without ever coming to an end."
	}
	return "Events until an end: " + strconv.FormatFloat(c.Mean, 'f', 1, 64) + " on average."
}

// policyLines are the events of a policy, one a line.
func policyLines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// policyFor returns a policy to begin with: every event that may happen does, those that roll before those that do not,
// with the inputs of the shipped example. An event that needs an input of which there is no example is left out.
//
// Events that roll come first because they move a procedure on; one that only asks a question could go on for ever in
// front of them. It is a beginning: the reader edits it.
func (s *server) policyFor(e *library.Edition, n *describe.Needs) string {
	shipped := s.exampleFor(e, n)
	var rolling, others []string
	for i := range n.Events {
		x := &n.Events[i]
		line := x.ID
		for _, event := range shipped.Events {
			if event.Event == x.ID && len(event.Input) > 0 {
				line = x.ID + " " + jsontext.Compact(event.Input)
				break
			}
		}
		needsInput := slices.ContainsFunc(x.Input, func(f describe.Field) bool { return f.Required })
		if needsInput && line == x.ID {
			continue
		}
		if len(x.Dice) > 0 {
			rolling = append(rolling, line+": true")
		} else {
			others = append(others, line+": true")
		}
	}
	return strings.Join(append(rolling, others...), "\n")
}
