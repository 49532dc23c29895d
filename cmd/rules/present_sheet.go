package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// sheet shows what came of a rule: its outputs, after all that they depend on besides the character and the input.
func (p *page) sheet(s *runtime.Sheet) {
	p.line(0, "%s", p.in(bold, title("rule "+s.Rule, s.Ruleset, s.Revision)))
	p.overlays(s.Overlays)
	p.settings(s.Options, s.Seed, s.Dice)
	p.outputs(s.Output)
	p.trace(s.Trace)
}

// play shows a procedure as it is now, after the events that led to it.
func (p *page) play(x *runtime.Play) {
	ruleset, revision, procedure := x.Subject()
	p.line(0, "%s", p.in(bold, title("procedure "+procedure, ruleset, revision)))
	p.overlays(x.Overlays())
	p.settings(x.Settings(), x.Seed, x.Dice)
	for i := range x.Events {
		p.blank()
		p.event(i+1, &x.Events[i])
	}
	p.blank()
	p.rows(2, [][]string{{"status", x.Status}, {"state", string(x.State)}, {"character", string(x.Character)}}, column{style: bold})
	p.outputs(x.Output)
	p.trace(x.Trace)
}

// outputs shows outputs below each other, if there are any.
func (p *page) outputs(v runtime.Value) {
	if rows := flat("", v); len(rows) > 0 {
		p.blank()
		p.rows(2, rows, column{style: bold})
	}
}

func title(subject, ruleset, revision string) string {
	return strings.TrimSpace(subject + ", " + ruleset + " " + revision)
}

func (p *page) event(number int, e *runtime.Happened) {
	p.line(0, "%s", p.in(bold, fmt.Sprintf("event %d, %s", number, e.Event)))
	rows := diceRows(e.Dice)
	if string(e.Input) != "{}" {
		rows = append([][]string{{"input", string(e.Input)}}, rows...)
	}
	if string(e.Output) != "{}" {
		rows = append(rows, []string{"output", string(e.Output)})
	}
	p.rows(2, rows)
}

// overlays shows the homebrews that are played, and the outputs in which each has a part.
func (p *page) overlays(list []runtime.Touched) {
	for _, t := range list {
		text := "homebrew " + t.Homebrew
		if len(t.Outputs) > 0 {
			text += ": " + strings.Join(t.Outputs, ", ")
		}
		p.line(2, "%s", text)
	}
}

// settings shows the rulings that are not those of the release, the seed and the faces.
func (p *page) settings(options []runtime.Setting, seed *uint64, dice []runtime.Rolled) {
	var rows [][]string
	for _, o := range options {
		rows = append(rows, []string{"option", o.Option + "=" + o.Value})
	}
	if seed != nil {
		rows = append(rows, []string{"seed", strconv.FormatUint(*seed, 10)})
	}
	p.rows(2, append(rows, diceRows(dice)...))
}

func diceRows(dice []runtime.Rolled) [][]string {
	var rows [][]string
	for _, d := range dice {
		faces := make([]string, len(d.Faces))
		for i, f := range d.Faces {
			faces[i] = strconv.FormatInt(f, 10)
		}
		rows = append(rows, []string{"dice", d.ID + "=" + strings.Join(faces, ",")})
	}
	return rows
}

// flat lists the values of a record by their paths; lists and maps stay whole.
func flat(path string, v runtime.Value) [][]string {
	if v.Kind() != plan.Record {
		return [][]string{{path, readable(v)}}
	}
	var rows [][]string
	for i, name := range v.Names() {
		if path != "" {
			name = path + "." + name
		}
		rows = append(rows, flat(name, v.At(i))...)
	}
	return rows
}

// readable is a value as JSON, a string without quotes.
func readable(v runtime.Value) string {
	if v.Kind() == plan.String {
		return v.Text()
	}
	return v.String()
}

// trace shows the named values in the order in which they were computed.
func (p *page) trace(steps []runtime.Step) {
	if len(steps) == 0 {
		return
	}
	p.blank()
	p.line(0, "%s", p.in(bold, "trace"))
	for i := range steps {
		p.step(&steps[i])
	}
}

func (p *page) step(s *runtime.Step) {
	value := readable(s.Value)
	if s.Failure != "" {
		value = p.in(red, s.Failure)
	}
	p.line(2, "%s = %s", p.in(bold, s.Name), value)
	p.text(6, plain, s.Formula)
	p.text(6, plain, decided(s))
	if len(s.Overlays) > 0 {
		p.text(6, plain, "by homebrew "+strings.Join(s.Overlays, ", "))
	}
	p.text(6, faint, origin(s.Cite, s.Place))
}

// decided says which ruling chose the formula.
func decided(s *runtime.Step) string {
	switch {
	case s.Option == "":
		return ""
	case s.Erratum != "":
		return "decided by option " + s.Option + ", erratum " + s.Erratum
	}
	return "decided by option " + s.Option
}

// origin is where the book and where the ruleset says something.
func origin(cite string, at plan.Place) string {
	place := ""
	if at.File != "" {
		place = fmt.Sprintf("%s:%d:%d", at.File, at.Line, at.Col)
	}
	if cite == "" || place == "" {
		return cite + place
	}
	return cite + "; " + place
}
