package revisions

import (
	"cmp"
	"fmt"
	"math"

	"github.com/tabletop-rules/rules/runtime/odds"
)

// A Chance is an output of which two revisions give a character other odds.
type Chance struct {
	Who     string `json:"character"`
	Subject string `json:"subject"` // the rule or the procedure
	Name    string `json:"name"`    // of the case, or of the file with the input
	// By is, of a procedure, which events happen: again and again the first that is offered.
	By []string `json:"by,omitempty"`
	// Output is, of a procedure, "status" or "events", which is how many until it ends. It is empty for the ways in which
	// evaluations end without an output.
	Output  string   `json:"output"`
	Mean    *Means   `json:"mean,omitempty"`
	Values  []Likely `json:"values"`        // those whose probability changes, in their order
	Why     string   `json:"why,omitempty"` // why they are not known
	Because []string `json:"edit"`
}

// Means are those of a number.
type Means struct {
	Old float64 `json:"old"`
	New float64 `json:"new"`
}

// Likely is how likely a value is by the two revisions.
type Likely struct {
	Value string  `json:"value"` // JSON, or why there is no value
	Old   float64 `json:"old"`
	New   float64 `json:"new"`
}

// String says the mean of a number when it changes, else the probabilities.
func (c *Chance) String() string {
	switch {
	case c.Why != "":
		return "odds: " + c.Why
	case c.Mean != nil && math.Abs(c.Mean.Old-c.Mean.New) >= apart:
		return fmt.Sprintf("%s: mean %.4g -> %.4g", c.Output, c.Mean.Old, c.Mean.New)
	}
	text := cmp.Or(c.Output, "no answer")
	for i, x := range c.Values {
		text += [...]string{": ", ", "}[min(i, 1)] + x.String()
	}
	return text
}

// String returns a value with its probabilities in percent.
func (l Likely) String() string {
	return fmt.Sprintf("%s %.4g %% -> %.4g %%", l.Value, 100*l.Old, 100*l.New)
}

// apart is how far probabilities differ that differ by more than rounding.
//
// Probabilities are sums of up to millions of doubles near 1, each with an error of 1e-16: 1e-9 is
// far above what rounding adds, and far below the chance of any face combination that a player
// would notice.
const apart = 1e-9

// A probability is that of a value.
type probability struct {
	value string
	p     float64
}

func marginalOf(m *odds.Marginal) []probability {
	var out []probability
	for i, v := range m.Values {
		out = append(out, probability{v.String(), m.P[i]})
	}
	return out
}

// endingsOf returns the evaluations that end without a value.
func endingsOf(j *odds.Joint) []probability {
	var out []probability
	for _, e := range j.Endings() {
		out = append(out, probability{e.Message, e.P})
	}
	return out
}

// changedProbabilities returns the values whose probability changes: those of the new one, then those that only the old one
// has.
func changedProbabilities(old, new []probability) []Likely {
	out := []Likely{}
	for _, x := range new {
		out = appendLikely(out, x.value, probabilityOf(old, x.value), x.p)
	}
	for _, x := range old {
		if probabilityOf(new, x.value) == 0 {
			out = appendLikely(out, x.value, x.p, 0)
		}
	}
	return out
}

func probabilityOf(list []probability, value string) float64 {
	for _, x := range list {
		if x.value == value {
			return x.p
		}
	}
	return 0
}

func appendLikely(out []Likely, value string, old, new float64) []Likely {
	if math.Abs(old-new) < apart {
		return out
	}
	return append(out, Likely{value, old, new})
}
