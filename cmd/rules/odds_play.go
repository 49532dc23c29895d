package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/must"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// ofProcedure answers for a procedure under a policy.
func (q *chance) ofProcedure(program *runtime.Program, id string) error {
	switch {
	case q.character == "" && q.state == "":
		return fmt.Errorf("name a character with --character FILE, or the sheet to go on from with --state FILE")
	case len(q.policy) == 0:
		return fmt.Errorf("%s is a procedure: say with --policy which events happen", id)
	case len(q.outputs) > 0 || q.given != "" || len(q.ask) > 0 || len(q.vary) > 0 || q.joint || q.estimate:
		return fmt.Errorf("%s is a procedure: --output, --given, --ask, --vary, --joint and --estimate are of rules", id)
	case q.after < 0 || q.most < 1 || q.after > q.most:
		return fmt.Errorf("--after %d, --most %d: follow at least one event, and as many as --after", q.after, q.most)
	}
	records, err := q.recordsOf(program, id)
	if err != nil {
		return err
	}
	process, err := odds.NewProcess(program, id, runtime.Choice{Options: q.options})
	if err != nil {
		return err
	}
	policy, err := q.parsePolicy(program.Plan(), id)
	if err != nil {
		return err
	}
	course, err := process.Course(odds.Question{Records: records, Budget: q.budget}, policy, q.after, q.most)
	if err != nil {
		return exit.PathOnly(err)
	}
	return q.printCourse(subjectOf(program.Plan(), "procedure", id), course)
}

// recordsOf are the character and the input, or all that stands in the sheet of --state, whose options are played.
func (q *chance) recordsOf(program *runtime.Program, id string) (records odds.Records, err error) {
	if q.state != "" {
		play, err := q.resumePlay(program, id)
		if err != nil {
			return records, err
		}
		records[plan.CharacterRoot], records[plan.InputRoot], records[plan.StateRoot] = play.Character, play.Input, play.State
		return records, nil
	}
	if records[plan.CharacterRoot], err = q.files.Read("character", q.character); err != nil {
		return records, err
	}
	records[plan.InputRoot], err = q.inputText(describe.InputOf(program.Plan(), id))
	return records, err
}

// parsePolicy reads the policy.
func (q *chance) parsePolicy(p *plan.Plan, id string) (odds.Policy, error) {
	var out odds.Policy
	for _, text := range q.policy {
		m, err := q.parseMove(p, id, text)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// parseMove reads "event: guard" or "event {input}: guard"; without a guard it always holds.
func (q *chance) parseMove(p *plan.Plan, id, text string) (m odds.Move, err error) {
	head, guard := text, ""
	at := strings.IndexAny(text, "{:")
	if at >= 0 {
		head, guard = text[:at], text[at:]
	}
	m.Event = strings.TrimSpace(head)
	if strings.HasPrefix(guard, "{") {
		d := json.NewDecoder(strings.NewReader(guard))
		var input json.RawMessage
		if err := d.Decode(&input); err != nil {
			return m, fmt.Errorf("--policy %s: the input of the event is no JSON: %w", text, err)
		}
		m.Input, guard = input, guard[d.InputOffset():]
	}
	guard = strings.TrimSpace(guard)
	if guard == "" {
		return m, nil
	}
	formula, found := strings.CutPrefix(guard, ":")
	if !found {
		return m, fmt.Errorf("--policy %s: it is EVENT: GUARD or EVENT INPUT: GUARD", text)
	}
	before := utf8.RuneCountInString(text) - utf8.RuneCountInString(formula)
	m.Guard, err = guardOf(p, id, strings.Repeat(" ", before)+formula, q.optionsText(p)) // a place in it is one in the flag
	return m, err
}

// guardOf is a guard as a function; options are those that are played, as JSON.
func guardOf(p *plan.Plan, id, text string, options []byte) (func(character, input, state []byte) (bool, error), error) {
	compiled, err := compiler.Guard(p, id, text, "--policy")
	if err != nil {
		return nil, exit.AsUsageError(err)
	}
	f, err := newFormula(compiled, text)
	if err != nil {
		return nil, err
	}
	if f.kind != plan.Bool {
		return nil, fmt.Errorf("--policy %s: it is no condition", text)
	}
	return func(character, input, state []byte) (bool, error) {
		record := []byte{'{'}
		for _, name := range f.reads {
			if len(record) > 1 {
				record = append(record, ',')
			}
			value := map[string][]byte{"character": character, "input": jsontext.OrObject(input), "state": state,
				"option": options}[name]
			record = append(append(append(record, '"'), name...), `":`...)
			record = append(record, value...)
		}
		v, err := f.rule.Value(runtime.Request{Character: []byte("{}"), Input: append(record, '}')}, "value")
		return v.Bool(), err
	}, nil
}

// optionsText are the options that are played, as an object.
func (q *chance) optionsText(p *plan.Plan) []byte {
	out := map[string]string{}
	for _, o := range p.Options {
		out[o.ID] = o.Values[o.Default]
	}
	maps.Copy(out, q.options)
	text, err := json.Marshal(out)
	must.Succeed(err)
	return text
}

func (q *chance) printCourse(subject about, c *odds.Course) error {
	switch q.form {
	case "json":
		return q.writeJSON(jsonOfCourse(subject, c))
	case "csv":
		return q.writeAnswer(csvOfCourse(c))
	case "svg":
		return q.writeAnswer(svgOfCourse(subject, c))
	}
	p := q.s.newPage(q.c.OutOrStdout())
	p.AddLine(0, "%s", p.Style(layout.Bold, subject.pageTitle()))
	p.AddBlank()
	q.endRows(p, c)
	p.AddBlank()
	p.AddLine(0, "%s", followedWords(c))
	for n := range longestBy(c) {
		q.byRow(p, c, n)
	}
	if len(c.After) > 0 {
		p.AddBlank()
		p.AddLine(0, "%s", p.Style(layout.Bold, fmt.Sprintf("after %d events", q.after)))
		var rows [][]string
		for _, s := range c.After {
			rows = append(rows, []string{formatPercent(s.P), s.Status, s.State, s.Character})
		}
		p.AddRows(2, rows)
	}
	return q.writeAnswer([]byte(p.B.String()))
}

func (q *chance) endRows(p *layout.Page, c *odds.Course) {
	var rows [][]string
	for _, e := range c.Ends {
		exact := ""
		if e.N != nil && q.exact {
			exact = e.N.RatString()
		}
		rows = append(rows, []string{e.Status, formatPercent(e.P), drawBar(e.P), exact})
	}
	if c.Open > 0 {
		rows = append(rows, []string{odds.Open, formatPercent(c.Open), drawBar(c.Open), ""})
	}
	p.AddRows(2, rows, layout.Column{Style: layout.Bold})
}

// followedWords says how the answer was found.
func followedWords(c *odds.Course) string {
	mean := formatShort(c.Mean)
	if c.MeanN != nil {
		mean = c.MeanN.RatString() + " = " + mean
		if len(mean) > 60 {
			mean = formatShort(c.Mean)
		}
	}
	out := fmt.Sprintf("events until an end: mean %s; %d states", mean, c.States)
	switch {
	case c.Solved:
		out += ", in closed form"
	case c.Exact:
		out += fmt.Sprintf(", as fractions, %d events followed", c.Events)
	default:
		out += fmt.Sprintf(", as floats because these are more than %d, %d events followed", odds.MaxExactStates, c.Events)
	}
	if !c.Solved && c.Open > 0 {
		out += ", still open with probability " + formatScientific(c.Open)
	}
	return out
}

func longestBy(c *odds.Course) (n int) {
	for _, e := range c.Ends {
		n = max(n, len(e.By))
	}
	return n
}

// byRow shows how likely it is that a procedure ends with the n-th event.
func (q *chance) byRow(p *layout.Page, c *odds.Course, n int) {
	sum := 0.0
	for _, e := range c.Ends {
		if n < len(e.By) {
			sum += e.By[n]
		}
	}
	if sum >= 0.000_000_5 {
		p.AddLine(2, "%4d  %9s  %s", n, formatPercent(sum), drawBar(sum))
	}
}

func csvOfCourse(c *odds.Course) []byte {
	var b bytes.Buffer
	rows := [][]string{{"end", "events", "p"}}
	for _, e := range c.Ends {
		for n, p := range e.By {
			rows = append(rows, []string{e.Status, fmt.Sprint(n), formatFull(p)})
		}
	}
	must.Succeed(csv.NewWriter(&b).WriteAll(rows))
	return b.Bytes()
}
