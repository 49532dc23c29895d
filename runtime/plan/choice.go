package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Choice is what is fixed before dice are rolled: rulings and what is asked.
type Choice struct {
	Options map[string]string // option: the value played instead of the plan's default
	Outputs []string          // the outputs that are asked for; nil for all
	Without []string          // passes that are switched off
}

// OptionValues returns the value that is played of each option under a choice, by index. The error is of the first
// option in the order of names: an *UnknownError, or what an option without a value lacks.
func (p *Plan) OptionValues(c Choice) ([]int, error) {
	out := make([]int, len(p.Options))
	for i, o := range p.Options {
		out[i] = o.Default
	}
	for _, name := range slices.Sorted(maps.Keys(c.Options)) {
		value := c.Options[name]
		i := slices.IndexFunc(p.Options, func(o Option) bool { return o.ID == name })
		switch o := p.optionWith(name); {
		case i < 0 && value == "" && o != nil:
			return nil, fmt.Errorf("%s is a value of option %s: write %s=%s", name, o.ID, o.ID, name)
		case i < 0:
			return nil, &UnknownError{What: "option", Name: name, Known: p.optionNames()}
		}
		o := &p.Options[i]
		out[i] = slices.Index(o.Values, value)
		switch {
		case out[i] < 0 && value == "":
			return nil, fmt.Errorf("option %s has no value: write %s=%s; there is %s", name, name,
				o.Values[(o.Default+1)%len(o.Values)], strings.Join(o.Values, ", "))
		case out[i] < 0:
			return nil, &UnknownError{What: "value of option " + name, Name: value, Known: o.Values}
		}
	}
	return out, nil
}

// optionWith returns the only option that has a value; nil when none or several have it.
func (p *Plan) optionWith(value string) (found *Option) {
	for i, o := range p.Options {
		if slices.Contains(o.Values, value) {
			if found != nil {
				return nil
			}
			found = &p.Options[i]
		}
	}
	return found
}

func (p *Plan) optionNames() []string {
	out := make([]string, len(p.Options))
	for i, o := range p.Options {
		out[i] = o.ID
	}
	return out
}
