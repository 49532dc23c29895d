package peer

import (
	"math"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/tabletop-rules/rules/runtime/bench/record"
)

// An Expr is the record in expr: one program for each formula, each result a variable of the next.
type Expr struct {
	names    []string
	programs []*vm.Program
	machine  vm.VM
}

// NewExpr prepares the programs.
func NewExpr() (*Expr, error) {
	env := variables(&record.Input{})
	out := &Expr{}
	var zero record.Output
	for _, f := range formulas() {
		program, err := expr.Compile(f.text, append(exprOptions(), expr.Env(env))...)
		if err != nil {
			return nil, err
		}
		env[f.name] = sample(&zero, f.name)
		out.names, out.programs = append(out.names, f.name), append(out.programs, program)
	}
	return out, nil
}

// sample is a value of the type that a formula has.
func sample(o *record.Output, name string) any {
	switch p := o.Int(name); {
	case p != nil || name == "row":
		return int64(0)
	case name == "success":
		return false
	case name == "multiplier":
		return 0.0
	}
	return ""
}

func exprOptions() []expr.Option {
	number := func(x any) int64 {
		if n, ok := x.(int); ok { // a literal
			return int64(n)
		}
		return x.(int64)
	}
	one := func(name string, f func(x any) any, typ any) expr.Option {
		return expr.Function(name, func(args ...any) (any, error) { return f(args[0]), nil }, typ)
	}
	two := func(name string, f func(a, b int64) int64) expr.Option {
		return expr.Function(name, func(args ...any) (any, error) { return f(number(args[0]), number(args[1])), nil },
			new(func(int, int64) int64), new(func(int64, int64) int64), new(func(int, int) int64))
	}
	byInt, byText := new(func(int64) int64), new(func(string) int64)
	return []expr.Option{
		expr.DisableBuiltin("max"), expr.DisableBuiltin("min"), expr.DisableBuiltin("floor"), expr.DisableBuiltin("ceil"),
		one("height_mod", func(x any) any { return record.InBand(record.Heights, x.(int64)) }, byInt),
		one("armor_mod", func(x any) any { return record.ArmorMod[x.(string)] }, byText),
		one("armor_initiative", func(x any) any { return record.ArmorInitiative[x.(string)] }, byText),
		one("load_mod", func(x any) any { return record.AtStep(record.Loads, x.(float64)) }, new(func(float64) int64)),
		one("degree_row", func(x any) any { return record.AtStep(record.Degrees, x.(float64)) }, new(func(float64) int64)),
		one("degree_name", func(x any) any { return record.DegreeNames[x.(int64)] }, new(func(int64) string)),
		one("degree_multiplier", func(x any) any { return record.Multipliers[x.(int64)] }, new(func(int64) float64)),
		one("location_part", func(x any) any { return record.InBand(record.Locations, x.(int64)) },
			new(func(int64) string)),
		one("double", func(x any) any { return float64(number(x)) }, new(func(int64) float64)),
		one("floor", func(x any) any { return int64(math.Floor(x.(float64))) }, new(func(float64) int64)),
		one("ceil", func(x any) any { return int64(math.Ceil(x.(float64))) }, new(func(float64) int64)),
		one("half", func(x any) any { return x.(int64) / 2 }, byInt),
		one("tenth", func(x any) any { return x.(int64) / 10 }, byInt),
		two("max", func(a, b int64) int64 { return max(a, b) }),
		two("min", func(a, b int64) int64 { return min(a, b) }),
	}
}

// Eval implements Evaluator.
func (e *Expr) Eval(in *record.Input, out *record.Output) error {
	env := variables(in)
	for i, p := range e.programs {
		v, err := e.machine.Run(p, env)
		if err != nil {
			return err
		}
		if n, ok := v.(int); ok { // arithmetic of literals and variables gives an int
			v = int64(n)
		}
		env[e.names[i]] = v
		exprOutput(e.names[i], v, out)
	}
	return nil
}

func exprOutput(name string, v any, o *record.Output) {
	switch v := v.(type) {
	case int64:
		if p := o.Int(name); p != nil {
			*p = v
		}
	case float64:
		o.Multiplier = v
	case bool:
		o.Success = v
	case string:
		*o.Text(name) = v
	}
}
