package main

import (
	"fmt"
	"time"

	rules "github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	rt "github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/bench/record"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// scaling measures what plans, blocks, traces and builds cost.
func scaling(inputs []record.Input) ([]row, error) {
	var out []row
	for _, measure := range []func([]record.Input) ([]row, error){planSizes, blockSizes, traces, loading, builds, edits,
		cold, oddsFigures, poolFigures} {
		rows, err := measure(inputs)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// planSizes are the costs of a record in rules that compute more and more of them at once, and in one where only the
// outputs of a single record are asked for.
func planSizes(inputs []record.Input) (out []row, err error) {
	const most = 312
	for _, n := range []int{1, 4, 16, 64, most} {
		p, err := record.Large(n)
		if err != nil {
			return nil, err
		}
		code, err := schedule.Default(p, p.Bodies()[0], nil)
		if err != nil {
			return nil, err
		}
		ns, err := inOneRule(p, n, inputs)
		if err != nil {
			return nil, err
		}
		title := fmt.Sprintf("a record in a rule of %d instructions", len(code.Instructions))
		out = append(out, row{fmt.Sprintf("words_%d", n), title, "ns", ns})
		if n == most {
			if ns, err = slice(p, n, inputs); err != nil {
				return nil, err
			}
			out = append(out, row{"words_slice", title + ", when only its outputs are asked for", "ns", ns})
		}
	}
	return out, nil
}

func inOneRule(p *plan.Plan, n int, inputs []record.Input) (float64, error) {
	rule, err := rt.New(p).Rule("blow", rt.Choice{})
	if err != nil {
		return 0, err
	}
	many, err := record.NewMany(rule, n)
	if err != nil {
		return 0, err
	}
	records := len(inputs) / n * n
	took, err := best(30, func() error {
		for i := 0; i < records; i += n {
			if err := many.Run(inputs[i:]); err != nil {
				return err
			}
		}
		return nil
	})
	return float64(took.Nanoseconds()) / float64(records), err
}

// slice evaluates one record of a rule that has many.
func slice(p *plan.Plan, n int, inputs []record.Input) (float64, error) {
	var outputs []string
	for _, f := range p.Rules[0].Graph.Outputs.Type.Fields[:12] {
		outputs = append(outputs, f.Name)
	}
	rule, err := rt.New(p).Rule("blow", rt.Choice{Outputs: outputs})
	if err != nil {
		return 0, err
	}
	one, err := record.NewMany(rule, 1)
	if err != nil {
		return 0, err
	}
	if err := one.Fill(rule, n, inputs); err != nil {
		return 0, err
	}
	took, err := best(30, func() error {
		for i := range inputs {
			if err := one.Run(inputs[i:]); err != nil {
				return err
			}
		}
		return nil
	})
	return float64(took.Nanoseconds()) / float64(len(inputs)), err
}

// blockSizes are the costs of a record in blocks of columns, larger and larger.
func blockSizes(inputs []record.Input) (out []row, err error) {
	p, err := record.Plan()
	if err != nil {
		return nil, err
	}
	rule, err := rt.New(p).Rule("blow", rt.Choice{})
	if err != nil {
		return nil, err
	}
	for _, n := range []int{1, 4, 16, 64, 256, 1024} {
		columns, err := record.NewColumns(rule, inputs[:n])
		if err != nil {
			return nil, err
		}
		times := 65536 / n
		took, err := best(10, func() error {
			for range times {
				columns.Run()
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		title := fmt.Sprintf("a record in a block of %d", n)
		out = append(out, row{fmt.Sprintf("block_%d", n), title, "ns", float64(took.Nanoseconds()) / float64(times*n)})
	}
	return out, nil
}

// traces compares evaluations that keep all named values with those that keep the outputs alone.
func traces(inputs []record.Input) ([]row, error) {
	p, err := record.Plan()
	if err != nil {
		return nil, err
	}
	program := rt.New(p)
	var engines []*engine
	for _, c := range []rt.Choice{{}, {Without: []string{"names"}}} {
		d, err := direct(program, c)
		if err != nil {
			return nil, err
		}
		var out record.Output
		engines = append(engines, timed("", "", len(inputs), nil, func(n int) {
			for i := range n {
				d.Eval(&inputs[i], &out)
			}
		}))
	}
	if err := compare(engines, time.Second); err != nil {
		return nil, err
	}
	ratio := engines[0].least() / engines[1].least()
	return []row{{"trace", "an evaluation that keeps its named values, to one that does not", "", ratio}}, nil
}

// loading is the way from a plan file to a rule that can be asked.
func loading([]record.Input) ([]row, error) {
	p, err := record.Plan()
	if err != nil {
		return nil, err
	}
	out := []row{}
	file := planfile.Write(p, nil)
	read, err := best(50, func() error { _, err := rt.Load(file); return err })
	if err != nil {
		return nil, err
	}
	ready, err := best(50, func() error {
		program, err := rt.Load(file)
		if err != nil {
			return err
		}
		rule, err := program.Rule("blow", rt.Choice{})
		if err == nil {
			rule.Frame()
		}
		return err
	})
	out = append(out, row{"load", fmt.Sprintf("loading the plan file of the record, %d bytes", len(file)), "µs",
		micro(read)})
	return append(out, row{"ready", "loading it and preparing its rule", "µs", micro(ready)}), err
}

func micro(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

// builds are the times to compile rulesets from their sources.
func builds([]record.Input) ([]row, error) {
	reference, err := best(5, func() error { _, err := record.Plan(); return err })
	if err != nil {
		return nil, err
	}
	shipped, err := best(3, func() error {
		plans, diags := compiler.Release(load.Source{FS: rules.Files}, compiler.Options{})
		if plans == nil {
			return fmt.Errorf("the rulesets that ship do not compile: %v", diags)
		}
		return nil
	})
	return []row{
		{"build_reference", "compiling the ruleset of the record", "ms", micro(reference) / 1e3},
		{"build_release", "compiling all rulesets that ship", "ms", micro(shipped) / 1e3},
	}, err
}
