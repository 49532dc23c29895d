package vectors

import (
	"fmt"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/jsontree"
)

// nearOdds is how far probabilities and means may be apart: they may have been added in another order.
const nearOdds = 1e-9

// A Verdict is what became of a vector.
type Verdict struct {
	ID          string       `json:"id"`
	Case        string       `json:"case"`
	Differences []Difference `json:"differences,omitempty"` // from what is wanted
	Unsupported string       `json:"unsupported,omitempty"` // why the implementation does not answer it
}

// A Difference is a place in an answer that is not as it is wanted.
type Difference struct {
	Path string `json:"path"` // "sheet.output.active_value"
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"` // empty when there is no such member
}

// String returns the wanted value and the one that is there.
func (d Difference) String() string {
	switch {
	case d.Got == "":
		return fmt.Sprintf("%s: want %s, but there is no such member", d.Path, d.Want)
	case d.Want == "":
		return fmt.Sprintf("%s: %s", d.Path, d.Got)
	}
	return fmt.Sprintf("%s: want %s, got %s", d.Path, d.Want, d.Got)
}

// Passed reports whether the answer is as it is wanted.
func (v *Verdict) Passed() bool { return len(v.Differences) == 0 && v.Unsupported == "" }

// Judge compares an answer with the expectation of a vector.
//
// "unsupported" is an answer of its own: an implementation may leave out features that it does not need, and says so
// instead of failing. Odds are compared within rounding, for their sums may be added in any order; sheets are compared
// exactly.
func (v *Vector) Judge(answer []byte) *Verdict {
	out := &Verdict{ID: v.ID, Case: v.Case}
	say := func(d Difference) *Verdict {
		out.Differences = append(out.Differences, d)
		return out
	}
	want, err := v.wanted()
	if err != nil {
		return say(Difference{Path: "the vector", Got: err.Error()})
	}
	got, err := jsontree.ReadTree(answer)
	if err != nil {
		return say(Difference{Path: "the answer", Got: fmt.Sprintf("it is no JSON: %v: %.80q", err, answer)})
	}
	kind := want.Names[0]
	switch why, failed := got.Get("unsupported"), got.Get("error"); {
	case why != nil:
		out.Unsupported = why.Text
	case failed != nil:
		return say(Difference{Path: "error", Want: kind, Got: failed.String()})
	case got.Get(kind) == nil:
		return say(Difference{Path: "the answer", Want: "the member " + kind, Got: shorten(got.String())})
	default:
		near := 0.0
		if v.Kind == Odds {
			near = nearOdds
		}
		for _, d := range golden.CompareTrees(want, got, near) {
			say(Difference{d.Path, d.Want, d.Got})
		}
	}
	return out
}

// shorten returns a text cut to a length that does not fill a screen.
func shorten(text string) string {
	const longest = 200
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "..."
	}
	return text
}

// A Report is how an implementation did.
type Report struct {
	Ruleset     string     `json:"ruleset"`
	Revision    string     `json:"revision"`
	Vectors     int        `json:"vectors"`
	Passed      int        `json:"passed"`
	Failed      []*Verdict `json:"failed"`
	Unsupported []*Verdict `json:"unsupported"`
}

// add counts a verdict.
func (r *Report) add(v *Verdict) {
	r.Vectors++
	switch {
	case v.Passed():
		r.Passed++
	case v.Unsupported != "":
		r.Unsupported = append(r.Unsupported, v)
	default:
		r.Failed = append(r.Failed, v)
	}
}
