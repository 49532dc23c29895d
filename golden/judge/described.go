package judge

import (
	"encoding/json"
	"slices"

	"cuelang.org/go/cue"
)

// A Described is what a field says of the values that may be given in it. Bounds are told only where they are numbers, and of
// a field that may be one of some numbers they are not.
type Described struct {
	Words   []string // that a string, or each element of a list, may be; nil for any
	MayLack bool     // it may be absent, or has a default
	Default json.Number

	Least, Above, Most, Below json.Number // "" for none
	HasBounds                 bool        // whether the bounds are told
}

// Describe returns the fields that a rule may read, by their paths: "input.part.of". What stands in maps and lists is left out.
func (r *Ruleset) Describe(rule string) map[string]Described {
	out := map[string]Described{}
	r.describeFields(r.character, "character", false, out)
	r.describeFields(r.rules[rule].input, "input", false, out)
	return out
}

func (r *Ruleset) describeFields(f *field, path string, mayLack bool, out map[string]Described) {
	for _, name := range f.names {
		below, at := f.fields[name], path+stepOf(name)
		if below.kind == cue.StructKind {
			r.describeFields(below, at, mayLack || f.optional[name], out)
			continue
		}
		d := Described{MayLack: mayLack || f.mayLack[name]}
		switch below.kind {
		case cue.StringKind:
			d.Words = below.wordsIn(r)
		case cue.ListKind:
			if below.element != nil && below.element.kind == cue.StringKind {
				d.Words = below.element.wordsIn(r)
			}
		case cue.IntKind, cue.NumberKind:
			if x, has := below.value.Default(); has {
				if text, err := x.MarshalJSON(); err == nil {
					d.Default = json.Number(text)
				}
			}
			d.HasBounds = !slices.Contains(f.limited, name) && d.readBounds(below.value, 0)
		}
		out[at] = d
	}
}

// readBounds reads the bounds of a number: "bonus: *0 | int & >=-5 & <=5: bounds, and a default".
func (d *Described) readBounds(v cue.Value, depth int) bool {
	op, args := v.Expr()
	put := func(bound *json.Number) bool {
		text, err := args[0].MarshalJSON()
		if err != nil || *bound != "" && *bound != json.Number(text) {
			return false
		}
		*bound = json.Number(text)
		return true
	}
	switch op {
	case cue.GreaterThanEqualOp:
		return put(&d.Least)
	case cue.GreaterThanOp:
		return put(&d.Above)
	case cue.LessThanEqualOp:
		return put(&d.Most)
	case cue.LessThanOp:
		return put(&d.Below)
	case cue.AndOp:
		for _, a := range args {
			if !d.readBounds(a, depth) {
				return false
			}
		}
		return true
	case cue.OrOp: // beside the default
		isBounded := func(v cue.Value) bool { return v.IsConcrete() || d.readBounds(v, depth+1) }
		return len(args) == 2 && args[0].IsConcrete() != args[1].IsConcrete() && isBounded(args[0]) && isBounded(args[1])
	case cue.NoOp:
		if _, hasDefault := v.Default(); hasDefault && depth == 0 { // then the default stands in no argument
			return len(args) == 1 && d.readBounds(args[0], depth+1)
		}
		return !v.IsConcrete()
	}
	return false
}
