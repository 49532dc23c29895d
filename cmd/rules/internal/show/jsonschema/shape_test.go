package jsonschema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/example"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	ours "github.com/tabletop-rules/rules/cmd/rules/internal/show/jsonschema"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// validator compiles the schema of a ruleset's characters, or of an input.
func validator(t *testing.T, p *plan.Plan, input string) *jsonschema.Schema {
	t.Helper()
	text, err := ours.Generate(p, input)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("schema.json")
}

func valid(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// TestSchemas validates the characters and the inputs that ship, and compares what the schema and the runtime say of
// characters that lack a member, or have a wrong one.
func TestSchemas(t *testing.T) {
	for _, ruleset := range []string{"haze", "hybrid", "supermen", "tempestas", "zones"} {
		program := gametest.Shipped(t, ruleset)
		p := program.Plan()
		t.Run(p.Ruleset, func(t *testing.T) {
			names, err := fs.Glob(rules.Files, path.Join("golden", p.Ruleset, "*.json"))
			if err != nil || len(names) == 0 {
				t.Fatalf("there are no characters: %v", err)
			}
			for _, name := range names {
				text, err := fs.ReadFile(rules.Files, name)
				if err != nil {
					t.Fatal(err)
				}
				_, input, isInput := strings.Cut(strings.TrimSuffix(path.Base(name), ".json"), "_")
				switch {
				case strings.HasSuffix(input, "_events"):
				case isInput:
					if err := valid(t, validator(t, p, input), text); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				default:
					agrees(t, program, text)
				}
			}
			for _, id := range describe.AskableNames(p) {
				validator(t, p, id)
			}
		})
	}
}

// agrees compares the schema with the runtime on a character, and on what it becomes by each mutation.
func agrees(t *testing.T, program *runtime.Program, character []byte) {
	t.Helper()
	schema := validator(t, program.Plan(), "")
	if err := valid(t, schema, character); err != nil {
		t.Error(err)
	}
	compareMutants(t, schema, character, program.Fits)
}

// TestSchemasOfInputs compares the schema with the runtime on an input of every rule and procedure that ships, which has
// all that it may, and on what it becomes by each mutation.
func TestSchemasOfInputs(t *testing.T) {
	for _, ruleset := range []string{"haze", "hybrid", "supermen", "tempestas", "zones"} {
		program := gametest.Shipped(t, ruleset)
		p := program.Plan()
		t.Run(p.Ruleset, func(t *testing.T) {
			character := whole(p.Character, nil)
			text := wholeText(t, p.Character, nil)
			agrees(t, program, text)
			for _, id := range describe.EvaluableNames(p) {
				input := wholeText(t, describe.InputOf(p, id), character)
				if err := asking(program, id, text, input); err != nil {
					t.Errorf("%s refuses the input %s: %v", id, input, err)
				}
				schema := validator(t, p, id)
				compareMutants(t, schema, input, func(given []byte) error { return asking(program, id, text, given) })
				pinned := wholeText(t, describe.InputOf(p, id), pinnedTo(p, character))
				if err := errors.Join(valid(t, schema, pinned), asking(program, id, text, pinned)); err != nil {
					t.Errorf("%s, other characters with their pins: %v", id, err)
				}
			}
		})
	}
}

// pinnedTo returns a character that names what it is played by.
func pinnedTo(p *plan.Plan, character any) any {
	out := maps.Clone(character.(map[string]any))
	out[jsonio.PinName], out[jsonio.HomebrewsName] = jsonio.PinOf(p), map[string]any{}
	return out
}

// whole is a value that a shape admits in which everything is there that may be: optional fields, an element of every
// list, an entry of every map.
func whole(s *plan.Shape, character any) any {
	switch {
	case s.Character && character != nil:
		return character
	case s.Kind == plan.List && s.MaxItems > 0:
		return slices.Repeat([]any{whole(s.Elem, character)}, max(1, s.MinItems))
	case s.Kind == plan.Map || s.Kind == plan.Record:
		out := map[string]any{}
		if s.Kind == plan.Map && (len(s.Keys) > 0 || s.Keys == nil) {
			out[append(slices.Clone(s.Keys), "some")[0]] = whole(s.Elem, character)
		}
		for i := range s.Fields {
			out[s.Fields[i].Name] = whole(s.Fields[i].Shape, character)
		}
		return out
	}
	return example.LeastValue(s, nil)
}

func wholeText(t *testing.T, s *plan.Shape, character any) []byte {
	t.Helper()
	text, err := json.Marshal(whole(s, character))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// asking asks a rule or a procedure, and gives the error only when it is the input that does not fit.
func asking(program *runtime.Program, id string, character, input []byte) error {
	q := runtime.Request{Character: character, Input: input}
	var err error
	if rule, unknown := program.Rule(id, runtime.Choice{}); unknown == nil {
		_, err = rule.Eval(q)
	} else if procedure, unknown := program.Procedure(id, runtime.Choice{}); unknown == nil {
		_, err = procedure.Start(q)
	}
	if _, ok := errors.AsType[*runtime.InputError](err); ok {
		return err
	}
	return nil
}

// compareMutants wants the schema and the runtime to agree about every mutation of a text: both accept it, or both refuse
// it. JSON Schema cannot say that 2.0 is no whole number: for it an integer is a number without a fraction, however
// written. Nor can it say a bound that is the value of another field.
func compareMutants(t *testing.T, schema *jsonschema.Schema, text []byte, fits func([]byte) error) {
	t.Helper()
	var value any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	n := 0
	mutate(&value, func(what string) {
		if n++; !portion.Takes(n, 3) {
			return
		}
		mutant, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		byRuntime, bySchema := fits(mutant), valid(t, schema, mutant)
		if byRuntime != nil && bySchema == nil && strings.Contains(byRuntime.Error(), "must be a whole number") &&
			fractionless(what) {
			return
		}
		if byRuntime != nil && bySchema == nil && isBoundByField(byRuntime) {
			return
		}
		if (byRuntime == nil) != (bySchema == nil) {
			t.Errorf("%s: %s\n\tthe runtime says %v\n\tthe schema says %v", what, mutant, byRuntime, bySchema)
		}
	})
	if n == 0 {
		t.Error("nothing was tried")
	}
}

// isBoundByField reports whether a value is refused because of another field: the bound is then told with its value.
func isBoundByField(err error) bool {
	return strings.Contains(err.Error(), "must be at ") && strings.Contains(err.Error(), ", which is ")
}

// fractionless reports whether a mutation wrote a whole number as a double.
func fractionless(what string) bool {
	return strings.HasSuffix(what, "2.0 for a value") || strings.HasSuffix(what, "1e2 for a value")
}

// wrongs are values that stand in the place of others.
var wrongs = []string{
	`null`, `true`, `"text"`, `""`, `[]`, `{}`, `[[]]`, `[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]`, `{"strange": 1}`, `0`, `1`,
	`-1`, `2.0`, `0.5`, `-1000000`,
	`1000000`, `1e2`,
}

// mutate puts everything wrong in the place of every part of a value, leaves each member out and adds a strange one, and
// calls try for each. The value is as it was in the end.
func mutate(at *any, try func(what string)) {
	was := *at
	for _, w := range wrongs {
		*at = json.RawMessage(w)
		try(w + " for a value")
	}
	*at = was
	switch v := was.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			member := v[name]
			delete(v, name)
			try("without " + name)
			mutate(&member, func(what string) {
				v[name] = member
				try(name + ": " + what)
			})
			v[name] = member
		}
		v["a strange member"] = 1
		try("with another member")
		delete(v, "a strange member")
	case []any:
		for i := range v {
			mutate(&v[i], try)
		}
	}
}
