package peer

import (
	"math"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/tabletop-rules/rules/runtime/bench/record"
)

// A CEL is the record in cel-go: one program for each formula, each result a variable of the next.
type CEL struct {
	names    []string
	programs []cel.Program
	fill     func(in *record.Input) values
}

// values are the variables of an evaluation.
type values interface {
	interpreter.Activation
	set(name string, v ref.Val)
}

// NewCEL prepares the programs. With a map the variables are given as cel-go's documentation has them, in a
// map[string]any; without, by an activation written for this record.
func NewCEL(withMap bool) (*CEL, error) {
	env, err := cel.NewEnv(celOptions()...)
	if err != nil {
		return nil, err
	}
	out := &CEL{fill: func(in *record.Input) values { return &fields{in: in} }}
	if withMap {
		out.fill = func(in *record.Input) values { return newTable(in) }
	}
	for _, f := range formulas() {
		ast, issues := env.Compile(f.text)
		if issues.Err() != nil {
			return nil, issues.Err()
		}
		program, err := env.Program(ast, cel.EvalOptions(cel.OptOptimize))
		if err != nil {
			return nil, err
		}
		if env, err = env.Extend(cel.Variable(f.name, ast.OutputType())); err != nil {
			return nil, err
		}
		out.names, out.programs = append(out.names, f.name), append(out.programs, program)
	}
	return out, nil
}

func celOptions() []cel.EnvOption {
	out := []cel.EnvOption{cel.Variable("load", cel.DoubleType), cel.Variable("armor", cel.StringType)}
	for _, name := range []string{"strength", "agility", "endurance", "height", "rank", "sb", "df", "wounded", "roll",
		"loc_roll"} {
		out = append(out, cel.Variable(name, cel.IntType))
	}
	one := func(name string, arg, result *cel.Type, f func(ref.Val) ref.Val) {
		out = append(out, cel.Function(name, cel.Overload(name, []*cel.Type{arg}, result, cel.UnaryBinding(f))))
	}
	two := func(name string, f func(a, b types.Int) types.Int) {
		binding := cel.BinaryBinding(func(a, b ref.Val) ref.Val { return f(a.(types.Int), b.(types.Int)) })
		out = append(out, cel.Function(name, cel.Overload(name, []*cel.Type{cel.IntType, cel.IntType}, cel.IntType,
			binding)))
	}
	one("height_mod", cel.IntType, cel.IntType,
		func(x ref.Val) ref.Val { return types.Int(record.InBand(record.Heights, int64(x.(types.Int)))) })
	one("armor_mod", cel.StringType, cel.IntType,
		func(x ref.Val) ref.Val { return types.Int(record.ArmorMod[string(x.(types.String))]) })
	one("armor_initiative", cel.StringType, cel.IntType, func(x ref.Val) ref.Val {
		return types.Int(record.ArmorInitiative[string(x.(types.String))])
	})
	one("load_mod", cel.DoubleType, cel.IntType,
		func(x ref.Val) ref.Val { return types.Int(record.AtStep(record.Loads, float64(x.(types.Double)))) })
	one("degree_row", cel.DoubleType, cel.IntType,
		func(x ref.Val) ref.Val { return types.Int(record.AtStep(record.Degrees, float64(x.(types.Double)))) })
	one("degree_name", cel.IntType, cel.StringType,
		func(x ref.Val) ref.Val { return types.String(record.DegreeNames[x.(types.Int)]) })
	one("degree_multiplier", cel.IntType, cel.DoubleType,
		func(x ref.Val) ref.Val { return types.Double(record.Multipliers[x.(types.Int)]) })
	one("location_part", cel.IntType, cel.StringType, func(x ref.Val) ref.Val {
		return types.String(record.InBand(record.Locations, int64(x.(types.Int))))
	})
	one("floor", cel.DoubleType, cel.IntType,
		func(x ref.Val) ref.Val { return types.Int(math.Floor(float64(x.(types.Double)))) })
	one("ceil", cel.DoubleType, cel.IntType,
		func(x ref.Val) ref.Val { return types.Int(math.Ceil(float64(x.(types.Double)))) })
	one("half", cel.IntType, cel.IntType, func(x ref.Val) ref.Val { return x.(types.Int) / 2 })
	one("tenth", cel.IntType, cel.IntType, func(x ref.Val) ref.Val { return x.(types.Int) / 10 })
	two("max", func(a, b types.Int) types.Int { return max(a, b) })
	two("min", func(a, b types.Int) types.Int { return min(a, b) })
	return out
}

// Eval implements Evaluator.
func (c *CEL) Eval(in *record.Input, out *record.Output) error {
	v := c.fill(in)
	for i, p := range c.programs {
		result, _, err := p.Eval(v)
		if err != nil {
			return err
		}
		v.set(c.names[i], result)
		celOutput(c.names[i], result, out)
	}
	return nil
}

func celOutput(name string, v ref.Val, o *record.Output) {
	switch v := v.(type) {
	case types.Int:
		if p := o.Int(name); p != nil {
			*p = int64(v)
		}
	case types.Double:
		o.Multiplier = float64(v)
	case types.Bool:
		o.Success = bool(v)
	case types.String:
		*o.Text(name) = string(v)
	}
}

// A table is an activation of a map.
type table struct {
	interpreter.Activation
	names map[string]any
}

func newTable(in *record.Input) values {
	names := variables(in)
	a, err := interpreter.NewActivation(names)
	if err != nil {
		panic(err) // a map always is one
	}
	return &table{a, names}
}

func (t *table) set(name string, v ref.Val) { t.names[name] = v }

// fields is an activation that knows its names.
type fields struct {
	in                                                *record.Input
	base, mods, wound, chance, success, row, multiply ref.Val
}

func (f *fields) Parent() interpreter.Activation { return nil }

func (f *fields) ResolveName(name string) (any, bool) {
	switch name {
	case "strength":
		return types.Int(f.in.Strength), true
	case "agility":
		return types.Int(f.in.Agility), true
	case "endurance":
		return types.Int(f.in.Endurance), true
	case "height":
		return types.Int(f.in.Height), true
	case "rank":
		return types.Int(f.in.Rank), true
	case "sb":
		return types.Int(f.in.SB), true
	case "df":
		return types.Int(f.in.DF), true
	case "wounded":
		return types.Int(f.in.Wounded), true
	case "roll":
		return types.Int(f.in.Roll), true
	case "loc_roll":
		return types.Int(f.in.LocRoll), true
	case "load":
		return types.Double(f.in.Load), true
	case "armor":
		return types.String(f.in.Armor), true
	}
	return f.computed(name)
}

func (f *fields) computed(name string) (any, bool) {
	switch name {
	case "base":
		return f.base, true
	case "mods":
		return f.mods, true
	case "wound":
		return f.wound, true
	case "chance":
		return f.chance, true
	case "success":
		return f.success, true
	case "row":
		return f.row, true
	case "multiplier":
		return f.multiply, true
	}
	return nil, false
}

func (f *fields) set(name string, v ref.Val) {
	switch name {
	case "base":
		f.base = v
	case "mods":
		f.mods = v
	case "wound":
		f.wound = v
	case "chance":
		f.chance = v
	case "success":
		f.success = v
	case "row":
		f.row = v
	case "multiplier":
		f.multiply = v
	}
}
