package odds

import (
	"cmp"
	"slices"

	"github.com/tabletop-rules/rules/runtime/jsonio"
)

// NewAnswer returns the answer that joint distributions give: one for each output and then for each formula, or one for
// all of them. All of them end alike, but for endings that are too unlikely to be told from none.
func NewAnswer(joints []*Joint, outputs []string, o *Options, character []byte) (*Answer, error) {
	if n := len(outputs) + len(o.Formulas); len(joints) < n {
		joints = slices.Repeat(joints[:1], n)
	}
	out := &Answer{Endings: likeliestEndings(joints)}
	for i, joint := range joints {
		if !slices.Contains(joints[:i], joint) {
			out.Spent += joint.Spent
		}
	}
	if o.Given != nil {
		var err error
		if joints, err = conditionAll(joints, o.Given, character); err != nil {
			return nil, &FormulaError{o.Given, err}
		}
		out.Given, out.Endings = o.Given.Text, nil
	}
	out.Joint = joints[0]
	for i, name := range outputs {
		out.Outputs = append(out.Outputs, joints[i].Marginal(name))
	}
	for i := range o.Formulas {
		f, joint := &o.Formulas[i], joints[len(outputs)+i]
		m, err := joint.Of(f.Text, evaluator(f, joint, character))
		if err != nil {
			return nil, &FormulaError{f, err}
		}
		out.Outputs = append(out.Outputs, m)
	}
	return out, nil
}

// likeliestEndings returns the endings of the distribution that most often ends without a value.
func likeliestEndings(joints []*Joint) []Ended {
	lost := func(j *Joint) (p float64) {
		for _, e := range j.Endings() {
			p += e.P
		}
		return p
	}
	return slices.MaxFunc(joints, func(a, b *Joint) int { return cmp.Compare(lost(a), lost(b)) }).Endings()
}

// conditionAll returns joint distributions given a condition. The same joint may stand several times, and is conditioned
// once.
func conditionAll(joints []*Joint, f *Formula, character []byte) ([]*Joint, error) {
	known := map[*Joint]*Joint{}
	var out []*Joint
	for _, joint := range joints {
		if known[joint] == nil {
			valueOf := evaluator(f, joint, character)
			given, err := joint.Given(func(o *Outcome) (bool, error) {
				v, err := valueOf(o)
				return v.Bool(), err
			})
			if err != nil {
				return nil, err
			}
			known[joint] = given
		}
		out = append(out, known[joint])
	}
	return out, nil
}

// evaluator returns a function that computes a formula from the outcomes of a joint distribution.
func evaluator(f *Formula, j *Joint, character []byte) func(*Outcome) (jsonio.Value, error) {
	at := make([]int, len(f.Reads))
	for i, name := range f.Reads {
		at[i] = slices.Index(j.Names, name)
	}
	return func(o *Outcome) (jsonio.Value, error) {
		reads := make([]jsonio.Value, len(at))
		for i, k := range at {
			reads[i] = o.Values[k]
		}
		return f.Value(character, reads)
	}
}
