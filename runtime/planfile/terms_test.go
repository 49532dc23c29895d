package planfile

import (
	"reflect"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// absent is a value that is not shown.
func absent() plan.Value { return plan.Value{ID: plan.None, Fault: plan.None, Present: plan.None} }

func graphWith(terms ...plan.Term) *plan.Graph {
	return &plan.Graph{Nodes: []plan.Node{{Op: plan.OpConst, Kind: plan.Int, Imm: 7}}, Terms: EncodeTerms(terms)}
}

func TestTermsAreReadAsWritten(t *testing.T) {
	seven := plan.Value{Type: plan.IntType, ID: 0, Fault: plan.None, Present: plan.None}
	want := []plan.Term{
		{Kind: plan.ConstTerm, Value: seven, Named: -1, Row: plan.None},
		{Kind: plan.FunctionTerm, Name: "twice", Value: absent(), Args: []int32{0}, Named: -1, Row: 0, Params: []string{"n"},
			Of: "rule hunt", Formula: "n * 2", Cite: "p. 3", Place: plan.Place{File: "hunt.cue", Line: 4, Col: 2}},
	}
	got, err := DecodeTerms(graphWith(want...))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := DecodeTerms(graphWith()); got != nil || err != nil {
		t.Errorf("no terms: got %v, %v", got, err)
	}
}

func TestDamagedTermsAreRefused(t *testing.T) {
	good := plan.Term{Value: absent(), Named: -1, Row: plan.None}
	for name, spoil := range map[string]func(*plan.Term){
		"itself":     func(t *plan.Term) { t.Args = []int32{0} },
		"below 0":    func(t *plan.Term) { t.Args = []int32{-1} },
		"kind":       func(t *plan.Term) { t.Kind = plan.NumTermKinds },
		"named":      func(t *plan.Term) { t.Named = 0 },
		"row":        func(t *plan.Term) { t.Row = 1 },
		"no loop":    func(t *plan.Term) { t.Kind, t.Name, t.Row = plan.ElementTerm, "each", 0 },
		"no row":     func(t *plan.Term) { t.Kind, t.Name = plan.ElementTerm, "each" },
		"node":       func(t *plan.Term) { t.Value = plan.Value{Type: plan.IntType, ID: 1, Fault: -1, Present: -1} },
		"other kind": func(t *plan.Term) { t.Value = plan.Value{Type: plan.ListOf(plan.IntType), Fault: -1, Present: -1} },
		"no element": func(t *plan.Term) {
			t.Value = plan.Value{Type: &plan.Type{Kind: plan.List}, Fault: -1, Present: -1}
		},
		"fields": func(t *plan.Term) {
			t.Value = plan.Value{Type: &plan.Type{Kind: plan.Record, Fields: make([]plan.Field, 1)}, ID: -1, Fault: -1,
				Present: -1}
		},
	} {
		bad := good
		spoil(&bad)
		if _, err := DecodeTerms(graphWith(bad)); err == nil {
			t.Errorf("%s: it was read", name)
		}
	}
	whole := graphWith(good)
	for n := 1; n < len(whole.Terms); n++ {
		whole.Terms = EncodeTerms([]plan.Term{good})[:n]
		if _, err := DecodeTerms(whole); err == nil {
			t.Errorf("cut after %d bytes: it was read", n)
		}
	}
}
