package oddsquery

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/phrase"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An opening says what of a question is left open: fields of the input or of the character, options, cells of tables. It
// makes a question of its own of every setting.
type opening struct {
	program *runtime.Program
	vary    []string    // NAME=1..20 or NAME=0,10,30
	shape   *plan.Shape // of the input
}

// The first step of a name says what it is of, unless the input has a member of that name.
const (
	inputRoot     = "input"
	characterRoot = "character"
	optionRoot    = "option"
	tablesRoot    = "tables"
)

// split returns the record, option or table to which a name belongs, and the path there.
func (o *opening) split(name string) (root, path string) {
	first, rest, more := strings.Cut(name, ".")
	switch first {
	case inputRoot, characterRoot, optionRoot, tablesRoot:
		if more && o.shape.Member(first) == nil {
			return first, rest
		}
	}
	return inputRoot, name
}

// CanSet reports whether there is something of a name: an input that has such a member, or anything else than an input.
func (o *opening) CanSet(name string) bool {
	root, path := o.split(name)
	first, _, _, _ := plan.CutStep(path)
	return root != inputRoot || o.shape.Member(first) != nil
}

// parseValue returns a value as JSON.
func (o *opening) parseValue(root, path, text string) (json.RawMessage, error) {
	shape, path, err := o.shapeOf(root, path)
	if err != nil {
		return nil, err
	}
	a, err := phrase.ParseAssignment(path+"="+text, shape)
	return a.Value, err
}

// isNumber reports whether the values of a name that is left open are numbers.
func (o *opening) isNumber(root, path string) bool {
	shape, path, err := o.shapeOf(root, path)
	return err == nil && shape.Path(plan.SplitPath(path)).IsNumber()
}

// shapeOf returns the record in which a name that is left open stands, and its path there.
func (o *opening) shapeOf(root, path string) (shape *plan.Shape, to string, err error) {
	p := o.program.Plan()
	shape = o.shape
	switch root {
	case characterRoot:
		shape = p.Character
	case optionRoot:
		shape = &plan.Shape{Fields: []plan.Member{{Name: path, Shape: &plan.Shape{Kind: plan.String}}}}
	case tablesRoot:
		cell, err := p.FindCell(path)
		if err != nil {
			return nil, "", err
		}
		path = "cell" // whose own name is no path
		of := &plan.Shape{Kind: cell.Type.Kind, Enum: cell.Type.Enum}
		shape = &plan.Shape{Fields: []plan.Member{{Name: path, Shape: of}}}
	}
	return shape, path, nil
}

// ParseSetting reads a setting of one value each: NAME=VALUE.
func (o *opening) ParseSetting(texts []string) (s Setting, err error) {
	for _, text := range texts {
		if name, value, ok := plan.CutAssignment(text); !ok || name == "" || value == "" {
			return s, fmt.Errorf("with %s: behind with stands NAME=VALUE, or several with commas between them", text)
		}
		v, err := o.parseValues(text)
		switch {
		case err != nil:
			return s, fmt.Errorf("%s: %w", text, err)
		case len(v.Values) != 1:
			return s, fmt.Errorf("%s: it is NAME=VALUE, with one value", text)
		case slices.ContainsFunc(s.Names, func(name string) bool { return Overlaps(name, v.Name) }):
			return s, fmt.Errorf("with %s: %s is given twice", text, v.Name)
		}
		s.Names, s.Values = append(s.Names, v.Name), append(s.Values, v.Values[0])
	}
	return s, nil
}

// at returns a question with the values of a setting, and the program that answers it: another one where cells differ.
func (o *opening) at(q query.Question, s Setting) (*runtime.Program, query.Question, error) {
	program := o.program
	q.Vary, q.Options = nil, maps.Clone(q.Options)
	for i, name := range s.Names {
		root, path := o.split(name)
		var err error
		switch root {
		case inputRoot:
			q.Request.Input, err = argdata.PutInto(jsontext.OrObject(q.Request.Input), plan.SplitPath(path),
				s.Values[i])
		case characterRoot:
			q.Request.Character, err = argdata.PutInto(jsontext.OrObject(q.Request.Character), plan.SplitPath(path),
				s.Values[i])
		case optionRoot:
			if q.Options == nil {
				q.Options = map[string]string{}
			}
			var value string
			err = json.Unmarshal(s.Values[i], &value)
			q.Options[path] = value
		case tablesRoot:
			program, err = withCell(program, path, s.Values[i])
		}
		if err != nil {
			return nil, q, fmt.Errorf("%s%s: %w", o.flagOf(name), name, err)
		}
	}
	return program, q, nil
}

// withCell returns a program whose plan has another value in a cell.
func withCell(program *runtime.Program, name string, value json.RawMessage) (*runtime.Program, error) {
	p, err := changeCell(program.Plan(), name, value)
	if err != nil {
		return nil, err
	}
	return runtime.New(p), nil
}

// changeCell returns a plan with another value in a cell.
func changeCell(p *plan.Plan, name string, value json.RawMessage) (*plan.Plan, error) {
	cell, err := p.FindCell(name)
	if err != nil {
		return nil, err
	}
	out, err := p.WithCell(&cell, string(value))
	var text string
	if err != nil && json.Unmarshal(value, &text) == nil && isDice(text) {
		err = fmt.Errorf("%w: this plan has no other dice; --vary compiles them where a ruleset is named, and "+
			"not a plan", err)
	}
	return out, err
}
