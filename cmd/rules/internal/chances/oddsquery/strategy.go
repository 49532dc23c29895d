package oddsquery

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// newStrategy returns the strategy for the fields that a player decides after dice have fallen. --decide names a field
// and, behind a colon, a formula for its value or for the list of its possible values; --best is the aim of the
// decisions.
func (a *Asker) newStrategy(p *plan.Plan, rule *runtime.Rule, id string) (*odds.Strategy, error) {
	out := &odds.Strategy{}
	if a.Best != "" {
		best, err := compileBest(p, id, a.Best)
		if err != nil {
			return nil, err
		}
		best.character = a.Request.Character
		out.Reads = best.overOutcomes().Reads
		out.Worth = best.worthIn(func() []string { return a.chances.OutcomeNames() })
		// --best without --decide is about all that a player decides: every field then tries each
		// value that it may have.
		if len(a.Decide) == 0 {
			a.Decide = DecidedFields(p, id)
			for _, path := range a.Decide {
				if err := a.refuseGiven("--best "+a.Best+" decides "+path, path); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, text := range a.Decide {
		c, err := a.newChoice(p, rule, id, text)
		if err != nil {
			return nil, err
		}
		if containsPath(out.Choices, c.Path) {
			return nil, fmt.Errorf("--decide %s: %s is decided twice", text, c.Path)
		}
		if err := a.refuseGiven("--decide "+text, c.Path); err != nil {
			return nil, err
		}
		out.Choices = append(out.Choices, c)
	}
	switch {
	case len(out.Choices) > 0:
		return out, nil
	case a.Best != "":
		return nil, fmt.Errorf("--best %s: nothing of %s is decided when dice have fallen: leave it out", a.Best, id)
	}
	return nil, nil
}

func containsPath(choices []odds.Choice, path string) bool {
	return slices.ContainsFunc(choices, func(c odds.Choice) bool { return c.Path == path })
}

// compileBest returns the compiled aim of fields or moves: a number, or a condition.
func compileBest(p *plan.Plan, id, text string) (*formula, error) {
	f, err := compileFormula(p, id, "--best", text)
	if err == nil && f.kind != plan.Int && f.kind != plan.Double && f.kind != plan.Bool {
		return nil, fmt.Errorf("--best %s: it is a number, or a condition", text)
	}
	return f, err
}

// worthIn is the number that a formula has for outcomes whose values have names, a condition 1 or 0.
//
// names is a function because the order of the outcomes' values is known only once the rule is
// scheduled, which needs the strategy that this is part of.
func (f *formula) worthIn(names func() []string) func(*odds.Outcome) (float64, error) {
	return func(o *odds.Outcome) (float64, error) {
		v, err := f.valueOf(names(), o)
		if err != nil || v.Kind() == plan.Double {
			return v.Double(), err
		}
		return float64(v.Int()), nil
	}
}

// DecidedFields are the paths of the fields of a rule that are decided when dice have fallen, record by record.
func DecidedFields(p *plan.Plan, id string) (out []string) {
	if r := p.Rule(id); r != nil {
		for _, d := range r.Graph.Decisions {
			out = appendFields(out, d.Path, fieldAt(r.Input, d.Path))
		}
	}
	return out
}

// fieldAt returns the shape at a path of names with dots, which the plan has checked to be there.
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

// appendFields appends the paths of a shape that is no record, or of all fields of one, record by
// record: a player decides numbers, words and truths, and a record is decided by deciding these. A
// list or a map stays as it is given.
func appendFields(out []string, path string, s *plan.Shape) []string {
	switch s.Kind {
	case plan.Record:
	case plan.List, plan.Map:
		return out
	default:
		return append(out, path)
	}
	for i := range s.Fields {
		out = appendFields(out, path+"."+s.Fields[i].Name, s.Fields[i].Shape)
	}
	return out
}

// newChoice compiles one --decide over the named values that are known then, the input and the character.
func (a *Asker) newChoice(p *plan.Plan, rule *runtime.Rule, id, text string) (odds.Choice, error) {
	path, _, hasFormula := strings.Cut(text, ":")
	path = strings.TrimSpace(path)
	known, err := rule.KnownAt(path)
	if err != nil {
		return odds.Choice{}, fmt.Errorf("--decide %s: %w", text, err)
	}
	if !hasFormula {
		return odds.Choice{Path: path}, nil
	}
	return compileChoice(p, id, text, path, known, p.Rule(id).Graph.Decisions,
		[]record{{"input", plan.InputRoot, a.shape.Type()}})
}

// A record is what is given, by the name that formulas have for it.
type record struct {
	name string
	root plan.Root
	t    *plan.Type
}

// compileChoice compiles the formula of a --decide over the named values that are known when the field at a path is
// decided, over the character, and over records, each unless a value has its name. The text is all of the flag. Fields that
// are decisions themselves cannot be read: records have what was given for them.
func compileChoice(p *plan.Plan, id, text, path string, known *plan.Type, decisions []plan.Decision,
	records []record) (odds.Choice, error) {
	c := odds.Choice{Path: path}
	names := &plan.Type{Kind: plan.Record, Fields: slices.Clone(known.Fields)}
	roots := map[string]plan.Root{compiler.CharacterName: plan.CharacterRoot}
	for _, r := range records {
		if i, _ := known.Field(r.name); i < 0 {
			names.Fields = append(names.Fields, plan.Field{Name: r.name, Type: r.t})
			roots[r.name] = r.root
		}
	}
	readable := planOfOutcomes(id, names)
	readable.Character = p.Character
	f, err := compileFormula(readable, id, "--decide", blankBeforeFormula(text))
	if err != nil {
		return c, err
	}
	for _, r := range records {
		for _, field := range fieldsRead(f.source, r.name) {
			isDecided := func(d plan.Decision) bool { return d.Root == r.root && d.Path == field }
			if roots[r.name] == r.root && slices.ContainsFunc(decisions, isDecided) {
				return c, fmt.Errorf("--decide %s: %s.%s is decided itself when dice have fallen: a formula cannot "+
					"read it", text, r.name, field)
			}
		}
	}
	for _, name := range f.reads {
		if i, _ := known.Field(name); i >= 0 {
			c.Reads = append(c.Reads, name)
		}
	}
	c.Symmetric, c.StateReads = f.symmetric, f.stateFields
	c.Options = func(given odds.Records, values []runtime.Value) ([]runtime.Value, error) {
		v, err := f.valueFor(func(name string, b []byte) []byte {
			if i := slices.Index(c.Reads, name); i >= 0 {
				return values[i].AppendJSON(b)
			}
			return append(b, jsontext.OrObject(given[roots[name]])...)
		})
		return optionsOf(v), err
	}
	if len(c.Reads) == len(f.reads) { // it reads no record
		c.Options = rememberOptions(c.Options)
	}
	return c, nil
}

// rememberOptions returns a function that evaluates a choice once for the values that it reads, and no record. A course
// decides in thousands of states, and the same dice fall in many.
func rememberOptions(
	options func(odds.Records, []runtime.Value) ([]runtime.Value, error),
) func(odds.Records, []runtime.Value) ([]runtime.Value, error) {
	known := map[string][]runtime.Value{}
	var key []byte
	return func(given odds.Records, values []runtime.Value) ([]runtime.Value, error) {
		key = key[:0]
		for _, v := range values {
			key = append(v.AppendJSON(key), ',')
		}
		if out, ok := known[string(key)]; ok {
			return out, nil
		}
		out, err := options(given, values)
		if err == nil {
			known[string(key)] = out
		}
		return out, err
	}
}

// blankBeforeFormula returns a text such as "spend.ep: 2" with a blank for each code point before its formula. A column
// of an error in the formula is then one in the flag.
func blankBeforeFormula(text string) string {
	head, formula, _ := strings.Cut(text, ":")
	return strings.Repeat(" ", utf8.RuneCountInString(head)+1) + formula
}

// optionsOf returns the elements of a list, or the one value that is none: --decide 'x: 2' and 'x:
// [1, 2]' mean one choice and two.
func optionsOf(v runtime.Value) []runtime.Value {
	if v.Kind() != plan.List {
		return []runtime.Value{v}
	}
	out := make([]runtime.Value, v.Len())
	for i := range out {
		out[i] = v.At(i)
	}
	return out
}
