package present

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// FindReasons says why outputs of a sheet are false that no die decides, such as that something is legal: for each the
// equation of its formula. What dice decide needs no reason. The rule is asked again with the faces of the sheet; there are
// no reasons when it cannot be, because a die was left out.
func FindReasons(rule *runtime.Rule, q runtime.Request, s *runtime.Sheet) map[string]string {
	isFalse := func(i int) bool { return s.Output.At(i).Kind() == plan.Bool && !s.Output.At(i).Bool() }
	names := s.Output.Names()
	if !slices.ContainsFunc(names, func(name string) bool { return isFalse(slices.Index(names, name)) }) {
		return nil
	}
	faces := map[string][]int64{}
	for _, d := range s.Dice {
		faces[d.ID] = d.Faces
	}
	q.Dice, q.Seed, q.Given, q.Trace = dice.ByID(faces), nil, nil, true
	traced, err := rule.Eval(q)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for _, step := range traced.Trace {
		at := slices.Index(names, step.Name)
		if at < 0 || !isFalse(at) || readsDice(step) {
			continue
		}
		if why := UnfoldTruth(step).Equation; why != "" && why != "false" {
			out[step.Name] = why
		}
	}
	return out
}

// readsDice reports whether a die is among what a value rests on.
func readsDice(s *runtime.Step) bool {
	return s.Kind == trace.Dice || slices.ContainsFunc(s.From, readsDice)
}

// UnfoldTruth goes from a truth that is one named truth to the step that tells why: "it needs allowed" says nothing. Nil
// stays nil.
func UnfoldTruth(s *runtime.Step) *runtime.Step {
	for s != nil && len(s.From) == 1 && s.From[0].Value.Kind() == plan.Bool && s.From[0].Equation != "" {
		s = s.From[0]
	}
	return s
}
