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

// mostAnswers is of how many answers to a question the odds are told.
const mostAnswers = 12

// odds gives the chances at a prompt: as it stands and, of a question with few answers, for each of them.
//
// At a field with few answers, each answer is tried as if it were given. An answer that the rules
// refuse is left out of the list, for it cannot be given; one that fails for another reason is the
// error only when nothing else can be said.
func (s *Session) odds(p *Prompt) ([]Chance, error) {
	switch {
	case p.Kind == AskSubject, p.Kind == AskMore:
		return nil, errors.New("choose a rule or a procedure first")
	case p.Kind == AskEvent:
		return s.eventOdds(p)
	case s.graph() == nil:
		return nil, errors.New("no die falls when the procedure begins: odds are told of its events; " +
			"\"rules odds\" plays all of it by a policy")
	}
	outputs := s.truths()
	if len(outputs) == 0 {
		return nil, errors.New("nothing here is true or false: there is no output of which odds are told")
	}
	var out []Chance
	var failed error // why there are no odds of an answer that the rules do not refuse
	if p.Kind != ask.Field || !p.Required {
		list, err := s.chances(s.now.event, outputs, s.now.known)
		if err != nil {
			return nil, err
		}
		out = list
	}
	for _, answer := range answersTo(p) {
		k := s.now.known
		if err := k.Answer(&p.Need, answer); err != nil {
			return nil, err
		}
		list, err := s.chances(s.now.event, outputs, k)
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

// nameChances says the outputs and the answers of chances as players read them.
func (s *Session) nameChances(p *Prompt, list []Chance) {
	for i := range list {
		c, v := &list[i], p.voice
		var text string
		if c.If != nil && json.Unmarshal(c.If, &text) != nil {
			text = ""
		}
		if at := slices.IndexFunc(p.Offers, func(o runtime.Offer) bool { return o.Event == text }); at >= 0 {
			v, c.answer = s.voiceOf(text), p.said[at].Label
		} else if c.If != nil {
			c.answer = v.value(p.Path, c.If)
		}
		c.label = v.output(c.Output)
	}
}

// isRuledOut reports whether an error says that an answer cannot be given: the rules refuse it, no formula has a value for
// it, or it does not fit.
func isRuledOut(err error) bool {
	var refused *runtime.Refused
	var wrong *runtime.InputError
	return errors.As(err, &refused) || isFailure(err) || errors.As(err, &wrong)
}

// eventOdds gives the chances of each event that can happen without an answer.
func (s *Session) eventOdds(p *Prompt) (out []Chance, err error) {
	for i := range p.Offers {
		o := &p.Offers[i]
		outputs := truths(s.graphOf(o.Event))
		if !o.Offered || o.Refused != "" || len(outputs) == 0 {
			continue
		}
		list, failed := s.chances(o.Event, outputs, runtime.Request{})
		if failed != nil {
			err = fmt.Errorf("choose an event first: of %s, %w", o.Event, failed)
			continue
		}
		for i := range list {
			list[i].If = quote(o.Event)
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

// graph returns the graph that is carried out next: of the rule that is played, the event or the start of the procedure;
// nil of a start without dice.
//
// Odds of a start without dice have no meaning of their own: nothing falls there, and later decisions depend on events. So
// there is no graph for it, and the caller says where odds are to be had.
func (s *Session) graph() *plan.Graph {
	if d := s.Program.Plan().Procedure(s.now.subject); d != nil && s.isStart() && len(d.Start.Dice) > 0 {
		return &d.Start
	}
	return s.graphOf(s.now.event)
}

// isStart reports whether the start of a procedure comes next.
func (s *Session) isStart() bool {
	return s.now.play == nil && !slices.Contains(s.Program.RuleNames(), s.now.subject)
}

// truths returns the outputs of the next graph that are true or false. Those of a start are the procedure's.
func (s *Session) truths() []string {
	if d := s.Program.Plan().Procedure(s.now.subject); d != nil && s.isStart() {
		return truths(&d.Close)
	}
	return truths(s.graph())
}

// graphOf is the graph of the rule that is played, or of an event of the procedure; nil when there is none.
func (s *Session) graphOf(event string) *plan.Graph {
	if r := s.Program.Plan().Rule(s.now.subject); r != nil {
		return &r.Graph
	}
	if d := s.Program.Plan().Procedure(s.now.subject); d != nil {
		if e := d.Event(event); e != nil {
			return &e.Graph
		}
	}
	return nil
}

// noteDecisions says which fields count as by default in odds, because they are decided when dice have fallen.
func (s *Session) noteDecisions() string {
	var list []string
	if g := s.graph(); g != nil {
		for _, d := range g.Decisions {
			list = append(list, s.voice().field(d.Path))
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

// truths are the outputs of a graph that are true or false.
func truths(g *plan.Graph) (out []string) {
	for _, f := range g.Outputs.Type.Fields {
		if f.Type.Kind == plan.Bool {
			out = append(out, f.Name)
		}
	}
	return out
}

// answersTo are the answers to a question that has few.
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

// chances are those of some outputs of the rule, of an event or of the start, when everything that is not known is as by
// default.
//
// Only the outputs that are true or false are asked for: the joint distribution of all outputs of a
// rule may be a thousand times as large, and a player at the table wants to know whether it will
// work.
func (s *Session) chances(event string, outputs []string, k runtime.Request) ([]Chance, error) {
	choice := runtime.Choice{Options: s.Options, Outputs: outputs}
	k.Accepted = append(slices.Clip(k.Accepted), "input", "character", "event")
	k.Accepted = append(k.Accepted, s.decisions(event)...)
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
		play := s.now.play
		reply, err := play.Ask(event, k)
		if err != nil {
			return nil, err
		}
		if err := needsNoField(s.voiceOf(event), reply.Needs); err != nil {
			return nil, err
		}
		input, err := play.Fill(event, k)
		if err != nil {
			return nil, err
		}
		return play.EventOdds(ctx, runtime.Step{Event: event, Input: input, Throw: k.Throw}, o)
	case s.isStart():
		procedure, err := s.Program.Procedure(s.now.subject, runtime.Choice{Options: s.Options})
		if err != nil {
			return nil, err
		}
		reply, err := procedure.Ask(k)
		if err != nil {
			return nil, err
		}
		if err := needsNoField(s.voiceOf(event), reply.Needs); err != nil {
			return nil, err
		}
		return procedure.StartOdds(ctx, k, o)
	}
	rule, err := s.Program.Rule(s.now.subject, choice)
	if err != nil {
		return nil, err
	}
	reply, err := rule.Ask(k)
	if err != nil {
		return nil, err
	}
	if err := needsNoField(s.voiceOf(event), reply.Needs); err != nil {
		return nil, err
	}
	if k.Character, k.Input, err = rule.Fill(k); err != nil {
		return nil, err
	}
	return rule.Odds(ctx, k, o)
}

// decisions are the paths of the fields that are decided when dice have fallen.
func (s *Session) decisions(event string) (out []string) {
	g := s.graphOf(event)
	if event == "" {
		g = s.graph()
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

// needsNoField wants a die to be the next that is needed, if anything is.
func needsNoField(v voice, needs []ask.Need) error {
	if len(needs) > 0 && needs[0].Kind != ask.Die {
		return fmt.Errorf("odds need %s first", v.field(needs[0].Path))
	}
	return nil
}
