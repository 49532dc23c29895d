package oddsquery

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// addStrategy reads how the fields are decided that a player decides when dice have fallen: --decide names a field and,
// behind a colon, what it is decided to be, or a list of what it may be; --best is what it is decided for.
func (a *Asker) addStrategy(program *runtime.Program, id string) (err error) {
	p := program.Plan()
	if a.Best != "" {
		if a.best, err = compileFormula(p, id, "--best", a.Best); err != nil {
			return err
		}
		if k := a.best.kind; k != plan.Int && k != plan.Double && k != plan.Bool {
			return fmt.Errorf("--best %s: it is a number, or a condition", a.Best)
		}
		a.strategy.Worth = func(o *odds.Outcome) (float64, error) {
			v, err := a.best.valueOf(a.rule.Names(), o)
			if err != nil || v.Kind() == plan.Double {
				return v.Double(), err
			}
			return float64(v.Int()), nil
		}
		if len(a.Decide) == 0 {
			a.Decide = DecidedFields(p, id)
		}
	}
	for _, text := range a.Decide {
		c, err := a.newChoice(program, id, text)
		if err != nil {
			return err
		}
		a.strategy.Choices = append(a.strategy.Choices, c)
	}
	return nil
}

// DecidedFields are the paths of the fields of a rule that are decided when dice have fallen, record by record.
func DecidedFields(p *plan.Plan, id string) (out []string) {
	for i := range p.Rules {
		if p.Rules[i].ID != id {
			continue
		}
		for _, d := range p.Rules[i].Graph.Decisions {
			out = appendFields(out, d.Path, fieldAt(p.Rules[i].Input, d.Path))
		}
	}
	return out
}

func fieldAt(s *plan.Shape, path string) *plan.Shape {
	for name := range strings.SplitSeq(path, ".") {
		for i := range s.Fields {
			if s.Fields[i].Name == name {
				s = s.Fields[i].Shape
				break
			}
		}
	}
	return s
}

func appendFields(out []string, path string, s *plan.Shape) []string {
	if s.Kind != plan.Record {
		return append(out, path)
	}
	for i := range s.Fields {
		out = appendFields(out, path+"."+s.Fields[i].Name, s.Fields[i].Shape)
	}
	return out
}

// newChoice compiles one --decide over the named values that are known then, the input and the character.
func (a *Asker) newChoice(program *runtime.Program, id, text string) (odds.Choice, error) {
	path, formula, hasFormula := strings.Cut(text, ":")
	c := odds.Choice{Path: strings.TrimSpace(path)}
	options := runtime.Choice{Options: a.Options}
	known, err := odds.KnownWhenDecided(program, id, options, c.Path)
	if err != nil {
		return c, fmt.Errorf("--decide %s: %w", text, err)
	}
	if !hasFormula {
		return c, nil
	}
	names := &plan.Type{Kind: plan.Record, Fields: known.Fields}
	for _, record := range []plan.Field{{Name: "input", Type: a.shape.Type()},
		{Name: "character", Type: program.Plan().Character.Type()}} {
		if i, _ := known.Field(record.Name); i < 0 {
			names.Fields = append(names.Fields, record)
		}
	}
	// With as many blanks before it as there are code points, a place in the formula is one in the flag.
	blanks := strings.Repeat(" ", utf8.RuneCountInString(text)-utf8.RuneCountInString(formula))
	f, err := compileFormula(planOfOutcomes(id, names), id, "--decide", blanks+formula)
	if err != nil {
		return c, err
	}
	for _, name := range f.reads {
		if i, _ := known.Field(name); i >= 0 {
			c.Reads = append(c.Reads, name)
		}
	}
	c.Options = func(records odds.Records, values []runtime.Value) ([]runtime.Value, error) {
		v, err := f.valueFor(func(name string, b []byte) []byte {
			for i, known := range c.Reads {
				if known == name {
					return values[i].AppendJSON(b)
				}
			}
			record := plan.InputRoot
			if name == "character" {
				record = plan.CharacterRoot
			}
			return append(b, jsontext.OrObject(records[record])...)
		})
		if err != nil || v.Kind() != plan.List {
			return []runtime.Value{v}, err
		}
		var out []runtime.Value
		for i := range v.Len() {
			out = append(out, v.At(i))
		}
		return out, nil
	}
	return c, nil
}
