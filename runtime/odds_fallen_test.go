package runtime_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// TestOddsAfterFaces asks for the odds of two dice of which one has fallen: with a 4, a total of 9 takes a 5 or a 6, one of
// three; with a 2 it cannot be; and with a 1 the rule refuses.
func TestOddsAfterFaces(t *testing.T) {
	program := gametest.Small(t, map[string]string{"hit": `rules: hit: {
		cite: "x"
		dice: {a: "d6", b: "d6"}
		require: "a fumble": "a > 1"
		output: hit: "a + b >= 9"
	}`})
	rule, err := program.Rule("hit", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for face, want := range map[int64]float64{4: 1. / 3, 2: 0} {
		answer, err := rule.Odds(t.Context(), runtime.Request{Throw: fallenA(face)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := chanceOfTrue(answer.Output("hit")); math.Abs(got-want) > 1e-12 {
			t.Errorf("with a %d: %v, want %v", face, got, want)
		}
	}
	answer, err := rule.Odds(t.Context(), runtime.Request{Throw: fallenA(1)}, nil)
	if err != nil || len(answer.Endings) != 1 || math.Abs(answer.Endings[0].P-1) > 1e-12 {
		t.Errorf("with a 1: %v, %v, want a refusal", answer, err)
	}
	if _, err := rule.Odds(t.Context(), runtime.Request{Throw: dice.Fallen(4)}, nil); err == nil {
		t.Error("nobody can say of which die a face in a list is")
	}
}

func fallenA(face int64) dice.Throw {
	return dice.FallenByID(dice.Rolls{{ID: "a", Faces: []int64{face}}})
}

func chanceOfTrue(m *odds.Marginal) (p float64) {
	for i, v := range m.Values {
		if v.Bool() {
			p = m.P[i]
		}
	}
	return p
}

// TestOddsEndWithTheirContext asks for nobody: the error is the cause of the context.
func TestOddsEndWithTheirContext(t *testing.T) {
	program := gametest.Small(t, map[string]string{"sum": `rules: sum: {
		cite: "x"
		dice: roll: {die: 6, count: 20}
		output: total: "sum(roll)"
	}`})
	rule, err := program.Rule("sum", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	gone := errors.New("the reader has left")
	ctx, leave := context.WithCancelCause(t.Context())
	leave(gone)
	for _, throw := range []dice.Throw{{}, dice.FallenByID(dice.Rolls{{ID: "roll", Faces: []int64{1}}})} {
		if _, err := rule.Odds(ctx, runtime.Request{Throw: throw}, nil); !errors.Is(err, gone) {
			t.Errorf("%v: %v", throw, err)
		}
	}
}
