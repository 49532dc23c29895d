package oddspage

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/plot"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// A Course is how a procedure goes on under a policy: the chance of each end, and with which event it comes.
type Course struct {
	Subject
	Of    *runtime.Course
	After int  // of which event the situations are; 0 when none are asked for
	Exact bool // write the chances of the ends as fractions too
}

// printText prints the ends, the number of events until then, the best move in each state, and the situation of
// --after: from the answer that most ask for to the one that few do.
func (c *Course) printText(p *layout.Page) {
	printTitle(p, c.Subject)
	p.AddBlank()
	printEnds(p, c.Of, c.Exact, false)
	p.AddBlank()
	p.AddLine(0, "%s", c.describeLength())
	for n := range c.countEvents() {
		c.printEvent(p, n)
	}
	c.printTaken(p)
	c.printSituations(p)
}

// printSituations shows where the procedure stands after the events of --after, the likeliest first: each state that is
// open, and those together that have ended in one way or are stuck for one reason.
func (c *Course) printSituations(p *layout.Page) {
	if len(c.Of.After) == 0 {
		return
	}
	p.AddBlank()
	p.AddLine(0, "%s", p.Style(layout.Bold, "after "+plural.Of(c.After, "event")))
	list := joinEnded(c.Of.After)
	var rows [][]string
	for _, s := range list[:min(len(list), maxListed)] {
		state := s.State
		if s.states > 1 {
			state = "in " + plural.Of(s.states, "state")
		}
		rows = append(rows, []string{layout.FormatPercent(s.P), s.Status, state, s.Character, s.Why()})
	}
	p.AddRows(2, rows)
	if len(list) > maxListed {
		rest := 0.0
		for _, s := range list[maxListed:] {
			rest += s.P
		}
		p.AddLine(2, "%s in %d more states (--format json has all)", layout.FormatPercent(rest), len(list)-maxListed)
	}
}

// A joinedSituation is one or several situations that are one end.
type joinedSituation struct {
	runtime.Situation
	states int
}

// joinEnded returns the situations by falling probability, those that are one end joined.
func joinEnded(list []runtime.Situation) (out []joinedSituation) {
	at := map[[2]string]int{} // of each end
	for _, s := range list {
		end := [2]string{s.Status, s.Why()}
		k, isKnown := at[end]
		if s.Status == runtime.StatusOpen || !isKnown {
			at[end] = len(out)
			out = append(out, joinedSituation{s, 1})
			continue
		}
		x := &out[k]
		x.P += s.P
		x.states++
		x.Character = ""
	}
	slices.SortStableFunc(out, func(a, b joinedSituation) int { return cmp.Compare(b.P, a.P) })
	return out
}

// IsAnswered reports whether anything comes of the procedure: not when it is refused whatever falls.
func (c *Course) IsAnswered() bool {
	return c.Of.Open > 0 || slices.ContainsFunc(c.Of.Ends,
		func(e runtime.CourseEnd) bool { return e.Status != runtime.StatusRefused })
}

// maxListed is how many states are told one by one: the JSON has all.
const maxListed = 24

// printTaken prints the best move in each state.
func (c *Course) printTaken(p *layout.Page) {
	if len(c.Of.Taken) == 0 {
		return
	}
	p.AddBlank()
	p.AddLine(0, "%s", p.Style(layout.Bold, "what is best"))
	var states, characters []string
	for _, t := range c.Of.Taken {
		states, characters = append(states, t.State), append(characters, t.Character)
	}
	states, characters = keepDifferences(states), keepDifferences(characters)
	var rows [][]string
	for i, t := range c.Of.Taken[:min(len(c.Of.Taken), maxListed)] {
		rows = append(rows, []string{t.Event, t.Input, states[i], characters[i]})
	}
	p.AddRows(2, rows, layout.Column{Style: layout.Bold})
	if more := len(c.Of.Taken) - maxListed; more > 0 {
		p.AddLine(2, "and in %d more states (--format json has all)", more)
	}
}

// keepDifferences returns objects in JSON without the members that are the same in all, so that
// states of a procedure with many fields can be told apart on a line. Texts that are no objects
// stay as they are.
func keepDifferences(objects []string) []string {
	members := make([][]jsontext.Member, len(objects))
	count := map[string]int{} // of each member with its value, how many objects have it
	for i, text := range objects {
		list, err := jsontext.Members(json.RawMessage(text))
		if err != nil {
			return objects
		}
		members[i] = list
		for _, m := range list {
			count[m.Name+":"+string(m.Value)]++
		}
	}
	out := make([]string, len(objects))
	for i, list := range members {
		list = slices.DeleteFunc(list, func(m jsontext.Member) bool {
			return len(objects) > 1 && count[m.Name+":"+string(m.Value)] == len(objects)
		})
		if len(list) > 0 {
			out[i] = string(jsontext.Join(list))
		}
	}
	return out
}

// printEnds prints each end with its chance and the hindrances of the course there, and the chance of courses that are
// still open after the followed events. Every other chance then has a lower and an upper bound, unless it is that after just
// so many events, of which all is known. The floats are shown rounded, and the fraction only when it was asked for: it may be
// long.
func printEnds(p *layout.Page, c *runtime.Course, exact, isAfter bool) {
	var rows [][]string
	for _, e := range c.Ends {
		chance := layout.FormatPercent(e.P)
		if c.Sample != nil {
			chance += " (" + FormatInterval(c, e.Count) + ")"
		} else if most := layout.FormatPercent(min(1, e.P+c.Open)); !c.Solved && !isAfter && most != chance {
			chance += " to " + most
		}
		rows = append(rows, []string{e.Status, chance, plot.TextBar(e.P), formatFraction(e.N, exact), e.Why()})
	}
	if c.Open > 0 {
		rows = append(rows, []string{runtime.StatusOpen, layout.FormatPercent(c.Open), plot.TextBar(c.Open),
			formatFraction(c.OpenN, exact)})
	}
	p.AddRows(2, rows, layout.Column{Style: layout.Bold})
}

// FormatInterval writes the bounds of a chance of which so many of the plays of a course came.
func FormatInterval(c *runtime.Course, count int) string {
	low, high := runtime.Interval(count, c.Sample.Plays)
	return fmt.Sprintf("%.2f to %.2f%%", 100*low, 100*high)
}

// formatFraction writes a fraction where fractions are asked for; "" where it is not known.
func formatFraction(n *big.Rat, isAsked bool) string {
	if n == nil || !isAsked {
		return ""
	}
	return n.RatString()
}

// maxFraction is how long a mean may be as a fraction, in characters, before it says less than the number.
// A mean solved in closed form may be a quotient of numbers with hundreds of digits.
const maxFraction = 60

// describeLength describes the number of events, and how it was found: solved as a system of equations, followed as
// fractions, or followed as floats.
//
// The reader must know which it is: a solution is the whole, and a followed course is a bound.
func (c *Course) describeLength() string {
	if c.Of.Sample != nil {
		return c.describeSampledMean() + "; " + DescribeSample(c.Of.Sample)
	}
	out := c.describeMean()
	switch {
	case c.Of.Solved && c.Of.Exact:
		out += ", in closed form"
	case c.Of.Solved:
		out += ", in closed form, " + whyFloats(c.Of, c.Exact)
	case c.Of.Exact:
		out += ", as fractions, " + plural.Of(c.Of.Events, "event") + " followed"
	default:
		out += ", " + whyFloats(c.Of, c.Exact) + ", " + plural.Of(c.Of.Events, "event") + " followed"
	}
	if !c.Of.Solved && c.Of.Open > 0 {
		out += ", still open with probability " + layout.FormatScientific(c.Of.Open)
	}
	return out
}

// describeSampledMean describes the mean number of events of the plays that ended, and how many did not.
func (c *Course) describeSampledMean() string {
	switch {
	case c.Of.Open == 1:
		return "no play ended within " + plural.Of(c.Of.Events, "event")
	case c.Of.Open > 0:
		return fmt.Sprintf("events until an end: mean %s of the plays that ended, still open after %s: %s",
			layout.FormatShort(c.Of.Mean), plural.Of(c.Of.Events, "event"), layout.FormatScientific(c.Of.Open))
	}
	return "events until an end: mean " + layout.FormatShort(c.Of.Mean)
}

// DescribeSample says how many plays were drawn, and why.
func DescribeSample(s *runtime.Sample) string {
	out := fmt.Sprintf("%s drawn with seed %d, the bounds hold in 95 of 100 runs", plural.Of(s.Plays, "play"), s.Seed)
	if s.Because != "" {
		out += "; " + s.Because
	}
	return out
}

// describeMean describes the mean number of events until an end. If some courses are still open, nobody knows how long
// they go on: the mean has a lower bound then, and no upper one.
func (c *Course) describeMean() string {
	mean := layout.FormatShort(c.Of.Mean)
	switch {
	case !c.Of.Solved:
		mean = "mean at least " + mean + ", and nothing bounds it from above"
	case math.IsInf(c.Of.Mean, 1) && c.Of.MeanN == nil:
		mean = "without end, where it is " + runtime.StatusEndless
	default:
		if c.Of.MeanN != nil {
			fraction := c.Of.MeanN.RatString()
			if !c.Of.MeanN.IsInt() {
				fraction += " = " + mean
			}
			if len(fraction) <= maxFraction || c.Exact {
				mean = fraction
			}
		}
		mean = "mean " + mean
	}
	return fmt.Sprintf("events until an end: %s; %s", mean, plural.Of(c.Of.States, "state"))
}

// whyFloats returns the reason why the chances of a course are no fractions, which were asked for or not, and the flag
// that gives these.
func whyFloats(c *runtime.Course, isAsked bool) string {
	switch {
	case isAsked:
		return "as floats because the fractions take more than the budget (--budget raises it)"
	case c.States > runtime.MaxExactStates:
		return fmt.Sprintf("as floats because the states are more than %d (--exact gives fractions)",
			runtime.MaxExactStates)
	}
	return "as floats because the fractions are long (--exact gives them)"
}

// countEvents is how many events any end was followed for, the start among them.
func (c *Course) countEvents() (n int) {
	for _, e := range c.Of.Ends {
		n = max(n, len(e.By))
	}
	return n
}

// leastShown is the least probability of an event that has a line of its own: less would read 0.0000%.
// FormatPercent writes four decimals of a percent: 0.00005 % is the least that it does not round to
// 0.
const leastShown = 0.000_000_5

// printEvent shows how likely it is that the procedure ends with the n-th event, and that this is
// refused.
func (c *Course) printEvent(p *layout.Page, n int) {
	sum, refused := 0.0, 0.0
	for _, e := range c.Of.Ends {
		if n < len(e.By) {
			if sum += e.By[n]; e.Status == runtime.StatusRefused {
				refused += e.By[n]
			}
		}
	}
	if sum < leastShown {
		return
	}
	line := fmt.Sprintf("%4d  %9s  %s", n, layout.FormatPercent(sum), plot.TextBar(sum))
	if refused >= leastShown {
		line += "  refused " + layout.FormatPercent(refused)
	}
	p.AddLine(2, "%s", line)
}

func (c *Course) csvRows() [][]string {
	rows := [][]string{{"end", "events", "p", "because"}}
	for _, e := range c.Of.Ends {
		for n, p := range e.By {
			rows = append(rows, []string{e.Status, fmt.Sprint(n), layout.FormatFull(p), e.Why()})
		}
	}
	return rows
}

// nameEnd returns the status of an end with the hindrances of the course there.
func nameEnd(e *runtime.CourseEnd) string {
	if why := e.Why(); why != "" {
		return e.Status + ": " + why
	}
	return e.Status
}

// toSVG draws how the procedure ends, and with which event: all ends together and, where there are several, each.
func (c *Course) toSVG() []byte {
	ends := plot.Bars{Name: "ends"}
	for i := range c.Of.Ends {
		ends.Add(nameEnd(&c.Of.Ends[i]), c.Of.Ends[i].P)
	}
	if c.Of.Open > 0 {
		ends.Add(runtime.StatusOpen, c.Of.Open)
	}
	charts := []plot.Chart{ends, barsByEvent("events until an end", c.Of.Ends)}
	if len(c.Of.Ends) > 1 {
		for i := range c.Of.Ends {
			charts = append(charts, barsByEvent("events until it is "+nameEnd(&c.Of.Ends[i]), c.Of.Ends[i:i+1]))
		}
	}
	return plot.SVG(titleOf(c.Subject), charts...)
}

// barsByEvent draws how likely each event is the one that brings one of the ends.
// By[n] of an end is the probability that it comes with the n-th event; n = 0 is the start, which
// may end a procedure too.
func barsByEvent(name string, ends []runtime.CourseEnd) plot.Bars {
	out := plot.Bars{Name: name}
	for _, e := range ends {
		for n, p := range e.By {
			for len(out.P) <= n {
				out.Add(fmt.Sprint(len(out.P)), 0)
			}
			out.P[n] += p
		}
	}
	return out
}

func (c *Course) toJSON() any { return oddsjson.NewCourse(c.Subject, c.Of) }
