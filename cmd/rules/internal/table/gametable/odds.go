package gametable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// mostAnswers is the largest number of answers to a question for which odds are told.
const mostAnswers = 12

// promptOdds returns the chances at a prompt: as it stands and, of a question with few answers, for each of them.
//
// At a field with few answers, each answer is tried as if it were given. An answer that the rules
// refuse is left out of the list, for it cannot be given; one that fails for another reason is the
// error only when nothing else can be said.
func (s *Session) promptOdds(p *Prompt) ([]Chance, error) {
	switch {
	case p.Kind == AskSubject, p.Kind == AskMore:
		return nil, errors.New("choose a rule or a procedure first")
	case p.Kind == AskEvent:
		return s.eventOdds(p)
	case s.nextGraph() == nil:
		return nil, errors.New("no die falls when the procedure begins: odds are told of its events; " +
			"\"rules odds\" plays all of it by a policy")
	}
	outputs := s.nextBoolOutputs()
	if len(outputs) == 0 {
		return nil, errors.New("nothing here is true or false: there is no output of which odds are told")
	}
	var out []Chance
	var failed error // why there are no odds of an answer that the rules do not refuse
	if p.Kind != ask.Field || !p.Required {
		list, err := s.outputChances(s.moment.event, outputs, s.moment.request)
		if err != nil {
			return nil, err
		}
		out = list
	}
	for _, answer := range answersTo(p) {
		k := s.moment.request
		if err := k.Answer(&p.Need, answer); err != nil {
			return nil, err
		}
		list, err := s.outputChances(s.moment.event, outputs, k)
		if err != nil {
			if !isRuledOut(err) {
				failed = err
			}
			continue
		}
		for i := range list {
			list[i].If = answer
		}
		out = append(out, list...)
	}
	switch {
	case len(out) > 0:
		return out, nil
	case failed != nil:
		return nil, failed
	}
	return nil, errors.New("odds need an answer to this first")
}

// nameChances fills in the labels of chances: their outputs and answers as players read them.
func (s *Session) nameChances(p *Prompt, list []Chance) {
	for i := range list {
		c, v := &list[i], p.voice
		var text string
		if c.If != nil && json.Unmarshal(c.If, &text) != nil {
			text = ""
		}
		if at := slices.IndexFunc(p.Offers, func(o runtime.Offer) bool { return o.Event == text }); at >= 0 {
			v, c.answer = s.voiceOf(text), p.offerTexts[at].Label
		} else if c.If != nil {
			c.answer = v.valueText(p.Path, c.If)
		}
		c.label = v.outputName(c.Output)
	}
}

// isRuledOut reports whether an error says that an answer cannot be given: the rules refuse it, no formula has a value for
// it, or it does not fit.
func isRuledOut(err error) bool {
	var refused *runtime.Refused
	var wrong *runtime.InputError
	return errors.As(err, &refused) || isFailure(err) || errors.As(err, &wrong)
}

// eventOdds returns the chances of each event that can happen without an answer.
func (s *Session) eventOdds(p *Prompt) (out []Chance, err error) {
	for i := range p.Offers {
		o := &p.Offers[i]
		outputs := boolOutputs(s.graphOf(o.Event))
		if !o.Offered || o.Refused != "" || len(outputs) == 0 {
			continue
		}
		list, failed := s.outputChances(o.Event, outputs, runtime.Request{})
		if failed != nil {
			err = fmt.Errorf("choose an event first: of %s, %w", o.Event, failed)
			continue
		}
		for i := range list {
			list[i].If = quoteJSON(o.Event)
		}
		out = append(out, list...)
	}
	switch {
	case len(out) > 0:
		return out, nil
	case err == nil:
		err = errors.New("no event that is offered has an output that is true or false")
	}
	return nil, err
}

// nextGraph returns the graph that is carried out next: of the rule that is played, the event or the start of the
// procedure; nil of a start without dice.
//
// Odds of a start without dice have no meaning of their own: nothing falls there, and later decisions depend on events. So
// there is no graph for it, and the caller says where odds are to be had.
func (s *Session) nextGraph() *plan.Graph {
	if d := s.Program.Plan().Procedure(s.moment.subject); d != nil && s.isStart() && len(d.Start.Dice) > 0 {
		return &d.Start
	}
	return s.graphOf(s.moment.event)
}

// isStart reports whether the start of a procedure comes next.
func (s *Session) isStart() bool {
	return s.moment.play == nil && !slices.Contains(s.Program.RuleNames(), s.moment.subject)
}

// nextBoolOutputs returns the outputs of the next graph that are true or false. Those of a start are the procedure's.
func (s *Session) nextBoolOutputs() []string {
	if d := s.Program.Plan().Procedure(s.moment.subject); d != nil && s.isStart() {
		return boolOutputs(&d.Close)
	}
	return boolOutputs(s.nextGraph())
}

// graphOf returns the graph of the rule that is played, or of an event of the procedure; nil when there is none.
func (s *Session) graphOf(event string) *plan.Graph {
	if r := s.Program.Plan().Rule(s.moment.subject); r != nil {
		return &r.Graph
	}
	if d := s.Program.Plan().Procedure(s.moment.subject); d != nil {
		if e := d.Event(event); e != nil {
			return &e.Graph
		}
	}
	return nil
}

// noteDecisions returns a note of the fields that count as by default in odds, because they are decided when dice have
// fallen.
func (s *Session) noteDecisions() string {
	var list []string
	if g := s.nextGraph(); g != nil {
		for _, d := range g.Decisions {
			list = append(list, s.voice().fieldName(d.Path))
		}
	}
	if len(list) == 0 {
		return ""
	}
	if len(list) == 1 {
		return list[0] + " counts as by default, for it is decided when dice have fallen"
	}
	return strings.Join(list, " and ") + " count as by default, for they are decided when dice have fallen"
}

// boolOutputs returns the outputs of a graph that are true or false.
func boolOutputs(g *plan.Graph) (out []string) {
	for _, f := range g.Outputs.Type.Fields {
		if f.Type.Kind == plan.Bool {
			out = append(out, f.Name)
		}
	}
	return out
}

// answersTo returns the answers to a question that has few; nil for another.
func answersTo(p *Prompt) (out []json.RawMessage) {
	switch {
	case p.Type == "bool":
		return []json.RawMessage{json.RawMessage("false"), json.RawMessage("true")}
	case p.Type == "string" && len(p.Keys) <= mostAnswers:
		for _, k := range p.Keys {
			text, err := json.Marshal(k.Key)
			if err == nil {
				out = append(out, text)
			}
		}
	}
	return out
}

// outputChances returns the chances of some outputs of the rule, of an event or of the start. Everything that is not known
// is as by default.
//
// Only the outputs that are true or false are asked for: the joint distribution of all outputs of a
// rule may be a thousand times as large, and a player at the table wants to know whether it will
// work.
func (s *Session) outputChances(event string, outputs []string, k runtime.Request) ([]Chance, error) {
	choice := runtime.Choice{Options: s.Options, Outputs: outputs}
	k.Accepted = append(slices.Clip(k.Accepted), "input", "character", "event")
	k.Accepted = append(k.Accepted, s.decisionPaths(event)...)
	answer, err := s.oddsOf(event, choice, outputs, k)
	if err != nil {
		return nil, err
	}
	var out []Chance
	for _, m := range answer.Outputs {
		c := Chance{Output: m.Name}
		for i, v := range m.Values {
			if v.Bool() {
				c.P = m.P[i]
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// oddsOf returns the odds of a rule, an event or the start of a procedure, after the faces that have fallen.
//
// Odds need whole records. Absent fields get their defaults, and where a field without a default is still needed the
// error names it: "odds need input.name first".
func (s *Session) oddsOf(event string, choice runtime.Choice, outputs []string, k runtime.Request) (*odds.Answer, error) {
	o, ctx := &odds.Options{Outputs: outputs, Joint: true, Quick: true}, context.Background()
	switch {
	case event != "":
		play := s.moment.play
		reply, err := play.Ask(event, k)
		if err != nil {
			return nil, err
		}
		if err := checkFieldsKnown(s.voiceOf(event), reply.Needs); err != nil {
			return nil, err
		}
		input, err := play.Fill(event, k)
		if err != nil {
			return nil, err
		}
		return play.EventOdds(ctx, runtime.Step{Event: event, Input: input, Throw: k.Throw}, o)
	case s.isStart():
		procedure, err := s.Program.Procedure(s.moment.subject, runtime.Choice{Options: s.Options})
		if err != nil {
			return nil, err
		}
		reply, err := procedure.Ask(k)
		if err != nil {
			return nil, err
		}
		if err := checkFieldsKnown(s.voiceOf(event), reply.Needs); err != nil {
			return nil, err
		}
		return procedure.StartOdds(ctx, k, o)
	}
	rule, err := s.Program.Rule(s.moment.subject, choice)
	if err != nil {
		return nil, err
	}
	reply, err := rule.Ask(k)
	if err != nil {
		return nil, err
	}
	if err := checkFieldsKnown(s.voiceOf(event), reply.Needs); err != nil {
		return nil, err
	}
	if k.Character, k.Input, err = rule.Fill(k); err != nil {
		return nil, err
	}
	return rule.Odds(ctx, k, o)
}

// decisionPaths returns the paths of the fields that are decided when dice have fallen.
func (s *Session) decisionPaths(event string) (out []string) {
	g := s.graphOf(event)
	if event == "" {
		g = s.nextGraph()
	}
	if g == nil {
		return nil
	}
	for _, d := range g.Decisions {
		root := "input."
		if d.Root == plan.EventRoot {
			root = "event."
		}
		out = append(out, root+d.Path)
	}
	return out
}

// checkFieldsKnown returns an error when a field is needed before a die.
func checkFieldsKnown(v voice, needs []ask.Need) error {
	if len(needs) > 0 && needs[0].Kind != ask.Die {
		return fmt.Errorf("odds need %s first", v.fieldName(needs[0].Path))
	}
	return nil
}
