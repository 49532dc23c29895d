package kernel

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestKeysOfMapsAllocateNothing reads maps that have room for all keys from the start.
func TestKeysOfMapsAllocateNothing(t *testing.T) {
	type record struct {
		Skills map[string]int64 `json:"skills"`
	}
	s := Schema{Ruleset: &Ruleset{}, Root: InputRecord, Struct: (*record)(nil), Shape: Shape{Kind: plan.Record, Fields: []Member{
		{Name: "skills", Shape: &Shape{Kind: plan.Map, Elem: &Shape{Kind: plan.Int}}},
	}}}
	measure := func(keys int) float64 {
		var entries []string
		for i := range keys {
			entries = append(entries, fmt.Sprintf(`"skill %d": %d`, i, i))
		}
		text, v := []byte(`{"skills": {`+strings.Join(entries, ", ")+`}}`), record{}
		least := math.Inf(1)
		for range 30 { // a pool loses what was put into it now and then: at random with -race, and to the collector
			least = min(least, testing.AllocsPerRun(1, func() {
				if err := s.Read(text, &v); err != nil {
					t.Fatal(err)
				}
			}))
		}
		if len(v.Skills) != keys || v.Skills[fmt.Sprint("skill ", keys-1)] != int64(keys-1) {
			t.Errorf("of %d keys %v are read", keys, v.Skills)
		}
		return least
	}
	if few, many := measure(2), measure(8); many > few {
		t.Errorf("%v allocations for 8 keys, and %v for 2", many, few)
	}
}

// TestRecordsKeepTheirTexts reads records one after the other, with strings that share the memory of a decoder.
func TestRecordsKeepTheirTexts(t *testing.T) {
	type record struct {
		Name  string   `json:"name"`
		Notes []string `json:"notes"`
	}
	s := Schema{Ruleset: &Ruleset{}, Root: InputRecord, Struct: (*record)(nil), Shape: Shape{Kind: plan.Record, Fields: []Member{
		{Name: "name", Shape: &Shape{Kind: plan.String}},
		{Name: "notes", Shape: &Shape{Kind: plan.List, Elem: &Shape{Kind: plan.String}, MaxItems: 3}},
	}}}
	var read [3]record
	for i := range read {
		text := fmt.Sprintf(`{"name": "one\n%d", "notes": ["a%d", "b"]}`, i, i)
		if err := s.Read([]byte(text), &read[i]); err != nil {
			t.Fatal(err)
		}
		if err := s.Read([]byte(`{"name": "no`), &record{}); err == nil {
			t.Error("a text that does not end is read")
		}
	}
	for i, v := range read {
		if want := (record{fmt.Sprint("one\n", i), []string{fmt.Sprint("a", i), "b"}}); fmt.Sprint(v) != fmt.Sprint(want) {
			t.Errorf("%q is read, not %q", v, want)
		}
	}
}
