package oddsjson

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/odds/markov"
)

// Of drawn plays only such a mean is written as holds for all of them.
func TestDrawnCoursesHaveAMeanIfAllPlaysEnded(t *testing.T) {
	for _, x := range []struct {
		open, mean float64
		has        bool
	}{{0, 2.5, true}, {0.25, 2.5, false}, {1, 0, false}} {
		c := &markov.Course{Sample: &markov.Sample{Plays: 4}, Open: x.open, Mean: x.mean}
		out := NewCourse(Subject{}, c)
		if has := out.Mean != nil; has != x.has || has && *out.Mean != x.mean || out.LeastMean != nil {
			t.Errorf("with %v open the means are %v and %v", x.open, out.Mean, out.LeastMean)
		}
	}
}
