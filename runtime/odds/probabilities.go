package odds

import "github.com/tabletop-rules/rules/runtime/plan"

// Probabilities are the distributions of the outputs, each by itself, in the JSON that golden cases expect and that other
// implementations are compared with.
type Probabilities struct {
	Odds    map[string]map[string]float64 `json:"odds"` // by output and value
	Mean    map[string]float64            `json:"mean"` // of outputs that are numbers
	Refused float64                       `json:"refused"`
	Failed  float64                       `json:"failed"`
}

// Probabilities gives the marginal distribution of every output. A mean is rounded once when the fractions are known.
func (j *Joint) Probabilities() *Probabilities {
	out := &Probabilities{Odds: map[string]map[string]float64{}, Mean: map[string]float64{}}
	for _, name := range j.Names {
		out.addMarginal(j.Marginal(name))
	}
	for _, e := range j.Endings() {
		switch e.Kind {
		case Refused:
			out.Refused += e.P
		case Failed:
			out.Failed += e.P
		}
	}
	return out
}

func (o *Probabilities) addMarginal(m *Marginal) {
	values := map[string]float64{}
	for i, v := range m.Values {
		name := v.String()
		if v.Kind() == plan.String {
			name = v.Text()
		}
		values[name] = m.P[i]
	}
	o.Odds[m.Name] = values
	if exact := m.ExactMean(); exact != nil {
		o.Mean[m.Name], _ = exact.Float64()
	} else if m.Numeric() {
		o.Mean[m.Name] = m.Mean()
	}
}
