package plan_test

import (
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestOptionValues plays the options of a choice, and tells a value without its option from an option without its value.
func TestOptionValues(t *testing.T) {
	p := &plan.Plan{Options: []plan.Option{
		{ID: "tie", Values: []string{"win", "lose"}},
		{ID: "band", Values: []string{"none", "up", "down"}, Default: 1},
		{ID: "crowd", Values: []string{"none", "all"}},
	}}
	for _, c := range []struct {
		options map[string]string
		want    []int
		says    string
	}{
		{nil, []int{0, 1, 0}, ""},
		{map[string]string{"tie": "lose", "band": "none"}, []int{1, 0, 0}, ""},
		{map[string]string{"tie": "loose"}, nil, `there is no value of option tie "loose"; did you mean "lose"`},
		{map[string]string{"tied": "lose"}, nil, `there is no option "tied"; did you mean "tie"`},
		{map[string]string{"lose": "tie"}, nil, `there is no option "lose"; there is tie, band, crowd`},
		{map[string]string{"lose": ""}, nil, "lose is a value of option tie: write tie=lose"},
		{map[string]string{"none": ""}, nil, `there is no option "none"; there is tie, band, crowd`},
		{map[string]string{"band": ""}, nil, "option band has no value: write band=down; there is none, up, down"},
		{map[string]string{"zeal": "", "lose": ""}, nil, "lose is a value of option tie: write tie=lose"},
	} {
		got, err := p.OptionValues(plan.Choice{Options: c.options})
		if says := ""; err != nil {
			if says = err.Error(); says != c.says {
				t.Errorf("%v: %s, not %s", c.options, says, c.says)
			}
		} else if c.says != "" || !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, not %v %s", c.options, got, c.want, c.says)
		}
	}
}
