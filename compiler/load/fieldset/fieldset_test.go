package fieldset

import (
	"reflect"
	"testing"
)

// TestSchemaFields holds that the fields of a struct are those that the schema lists for it and for what it embeds.
func TestSchemaFields(t *testing.T) {
	sets, err := parseSets(`package schema
#Cited: {cite!: string, doc?: string}
#Thing: {
	#Cited
	doc!: string
	#Own: {...}
	kind?: "a" | {deep!: int, of?: [string]: {x?: int}}
	parts?: [#ID]: {#Cited}
}
`)
	want := map[string]Set{
		"#Cited": {Required: []string{"cite"}, Optional: []string{"doc"}},
		"#Thing": {
			Required: []string{"cite", "doc"}, Optional: []string{"kind", "parts"}, Definitions: []string{"#Own"},
		},
		"#Thing/#Own":      {},
		"#Thing/kind":      {Required: []string{"deep"}, Optional: []string{"of"}},
		"#Thing/kind/of":   {},
		"#Thing/kind/of/*": {Optional: []string{"x"}},
		"#Thing/parts":     {},
		"#Thing/parts/*":   {Required: []string{"cite"}, Optional: []string{"doc"}},
	}
	if err != nil || !reflect.DeepEqual(sets, want) {
		t.Errorf("got %v, %v\nwant %v", sets, err, want)
	}
	for _, text := range []string{"#A: {", "#A: {#B}"} {
		if _, err := parseSets(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func parseSets(text string) (map[string]Set, error) {
	definitions, err := parseDefinitions(text)
	if err != nil {
		return nil, err
	}
	return setsOf(definitions)
}
