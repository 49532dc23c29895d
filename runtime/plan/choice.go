package plan

import "slices"

// A Choice is what is fixed before dice are rolled: rulings and what is asked.
type Choice struct {
	Options map[string]string // option: the value played instead of the plan's default
	Outputs []string          // the outputs that are asked for; nil for all
	Without []string          // passes that are switched off
}

// OptionValues returns the value that is played of each option under a choice, by index. The error is an *UnknownError.
func (p *Plan) OptionValues(c Choice) ([]int, error) {
	out := make([]int, len(p.Options))
	for i, o := range p.Options {
		out[i] = o.Default
	}
	for name, value := range c.Options {
		i := slices.IndexFunc(p.Options, func(o Option) bool { return o.ID == name })
		if i < 0 {
			return nil, &UnknownError{What: "option", Name: name, Known: p.optionNames()}
		}
		o := &p.Options[i]
		if out[i] = slices.Index(o.Values, value); out[i] < 0 {
			return nil, &UnknownError{What: "value of option " + name, Name: value, Known: o.Values}
		}
	}
	return out, nil
}

func (p *Plan) optionNames() []string {
	out := make([]string, len(p.Options))
	for i, o := range p.Options {
		out[i] = o.ID
	}
	return out
}
