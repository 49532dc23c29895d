package oracle

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/lower"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A pair is one expression in both executions.
type pair struct {
	checked   *check.Tree
	program   *runtime.Program
	reference *reference
	values    int  // evaluations that had one
	unordered bool // which of several failures it reports is not said
}

func newPair(c *check.Tree, r *reference, options ...*check.Option) (*pair, error) {
	p := lower.Expression(c.Root, c.Reads, options...)
	if err := plan.Verify(p); err != nil {
		return nil, err
	}
	return &pair{checked: c, program: runtime.New(p), reference: r, unordered: unordered(c.Root)}, nil
}

// unordered reports whether an expression chooses among elements. CEL goes on after a condition that failed and reports
// the last one; ours is the first.
func unordered(e *check.Expr) bool {
	found := false
	walk(e, func(e *check.Expr) {
		found = found || e.Op == check.OpFilter || e.Op == check.OpExistsOne || e.Op == check.OpMap && len(e.Args) > 2
	})
	return found
}

// differ says how the executions differ on an input: with all passes, and without any.
func (p *pair) differ(d *dealer, chosen map[string]string) error {
	input, vars := []byte("{"), map[string]any{}
	for _, v := range p.checked.Reads {
		vals := map[string]ref.Val{}
		input = d.member(input, v.Name(), v.Type(), vals)
		vars[v.Name()] = vals[v.Name()]
	}
	return p.differOn(append(input, '}'), vars, chosen)
}

// withouts are the passes that are left out: none, all, and the first, which leaves nothing to do for the second where
// everything is constant.
func withouts() [][]string {
	all := schedule.PassNames()
	return [][]string{nil, all, all[:1]}
}

func (p *pair) differOn(input []byte, vars map[string]any, chosen map[string]string) error {
	want := p.reference.eval(p.checked, vars)
	if !types.IsError(want) {
		p.values++
	}
	for _, without := range withouts() {
		rule, err := p.program.Rule("expression", runtime.Choice{Options: chosen, Without: without})
		if err != nil {
			return err
		}
		got, err := rule.Value(runtime.Request{Character: []byte("{}"), Input: input}, "value")
		if why := p.disagree(got, err, want); why != "" {
			return fmt.Errorf("%s\n  on %s %v\n  without %v: %s", p.checked.Text.S, input, chosen, without, why)
		}
	}
	return nil
}

// disagree says how an outcome of ours differs from CEL's; "" when it does not.
func (p *pair) disagree(got runtime.Value, err error, want ref.Val) string {
	failure, fails := want.(*types.Err)
	ours, expected := errors.AsType[*runtime.Failure](err)
	switch {
	case err != nil && !expected:
		return fmt.Sprintf("ours does not run: %v", err)
	case fails && err == nil:
		return fmt.Sprintf("CEL fails (%v), ours is %v", want, got)
	case fails && !p.unordered && !sameFailure(ours.Msg, failure.String()):
		return fmt.Sprintf("CEL fails with %q, ours with %q", failure.String(), ours.Msg)
	case fails:
		return ""
	case err != nil:
		return fmt.Sprintf("CEL gives %s, ours fails: %v", shown(want), err)
	case !equal(got, want, p.checked.Root.Type):
		return fmt.Sprintf("CEL gives %s, ours %v", shown(want), got)
	}
	return ""
}

// sameFailure compares two messages: both are of the same kind, or CEL has no words for it. Ours may say more.
func sameFailure(ours, cels string) bool {
	for _, words := range [][]string{ // CEL's, then those that ours may use for it
		{"integer overflow", "integer overflow", "range error"},
		{"division by zero", "division by zero"},
		{"modulus by zero", "modulus by zero"},
		{"index out of bounds", "index out of bounds"},
		{"no such key", "no such key"},
		{"type conversion error", "type conversion error", "is no int", "is no double"},
	} {
		if strings.Contains(cels, words[0]) {
			for _, w := range words[1:] {
				if strings.Contains(ours, w) {
					return words[0] != "no such key" || strings.HasSuffix(ours, cels[strings.Index(cels, words[0]):])
				}
			}
			return false
		}
	}
	return cels == anyFailure
}

// equal compares values bit by bit, but for the bits of NaN.
func equal(got runtime.Value, want ref.Val, t *plan.Type) bool {
	if got.Kind() != t.Kind {
		return false
	}
	switch x := want.(type) {
	case types.Int:
		return t.Kind == plan.Int && got.Int() == int64(x)
	case types.Double:
		f := float64(x)
		return t.Kind == plan.Double && (math.Float64bits(got.Double()) == math.Float64bits(f) || math.IsNaN(got.Double()) &&
			math.IsNaN(f))
	case types.Bool:
		return t.Kind == plan.Bool && got.Bool() == bool(x)
	case types.String:
		return t.Kind == plan.String && got.Text() == string(x)
	case traits.Lister:
		return t.Kind == plan.List && equalLists(got, items(x), t.Elem)
	case traits.Mapper:
		return equalMembers(got, x, t)
	}
	return false
}

func equalLists(got runtime.Value, want []ref.Val, elem *plan.Type) bool {
	if got.Len() != len(want) {
		return false
	}
	for i, w := range want {
		if !equal(got.At(i), w, elem) {
			return false
		}
	}
	return true
}

func equalMembers(got runtime.Value, want traits.Mapper, t *plan.Type) bool {
	if t.Kind == plan.Record {
		return equalRecords(got, want, t)
	}
	if t.Kind != plan.Map || types.Int(got.Len()) != want.Size() {
		return false
	}
	for it := want.Iterator(); it.HasNext() == types.True; {
		k := it.Next()
		v, ok := got.Get(fmt.Sprint(k.Value()))
		if !ok || !equal(v, want.Get(k), t.Elem) {
			return false
		}
	}
	return true
}

// equalRecords compares the fields that the type has: CEL's record may be one with more.
func equalRecords(got runtime.Value, want traits.Mapper, t *plan.Type) bool {
	for _, f := range t.Fields {
		v, ok := got.Get(f.Name)
		there := want.Contains(types.String(f.Name)) == types.True
		if ok != there || ok && !equal(v, want.Get(types.String(f.Name)), f.Type) {
			return false
		}
	}
	return true
}
