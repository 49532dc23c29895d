package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// validator compiles the schema of a ruleset's characters, or of an input.
func validator(t *testing.T, p *plan.Plan, input string) *jsonschema.Schema {
	t.Helper()
	text, err := schemaOf(p, input)
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
	plans, err := (&settings{}).compile()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range plans {
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
					agrees(t, p, text)
				}
			}
			for _, id := range askable(p) {
				validator(t, p, id)
			}
		})
	}
}

// agrees compares the schema with the runtime: on a character, without each of its members, and with each made wrong.
func agrees(t *testing.T, p *plan.Plan, character []byte) {
	t.Helper()
	schema, program := validator(t, p, ""), runtime.New(p)
	try := func(what string, text []byte) {
		fits, ok := program.Fits(text), valid(t, schema, text)
		if (fits == nil) != (ok == nil) {
			t.Errorf("%s: the runtime says %v, the schema says %v", what, fits, ok)
		}
	}
	if err := valid(t, schema, character); err != nil {
		t.Error(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(character, &all); err != nil {
		t.Fatal(err)
	}
	for name, value := range all {
		for what, other := range map[string]string{
			"without": "", "null for": "null", "text for": `"text"`, "a list for": "[]", "an object for": "{}", "less for": "-1000000",
			"a fraction for": "0.5", "a strange member in": `{"strange member": "odd"}`,
		} {
			delete(all, name)
			if other != "" {
				all[name] = json.RawMessage(other)
			}
			text, err := json.Marshal(all)
			if err != nil {
				t.Fatal(err)
			}
			try(what+" "+name, text)
			all[name] = value
		}
	}
	all["another"] = json.RawMessage("1")
	text, _ := json.Marshal(all)
	try("with another member", text)
}
