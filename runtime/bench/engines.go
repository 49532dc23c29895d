package main

import (
	"errors"
	"fmt"
	"os/exec"
	"time"

	rt "github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/bench/peer"
	"github.com/tabletop-rules/rules/runtime/bench/record"
)

// byHand are the two ways to write the record in Go.
func byHand(inputs []record.Input) []*engine {
	var out record.Output
	hand := timed("go", "hand-written Go, as a person writes it", len(inputs),
		func(i int, o *record.Output) error { record.ByHand(&inputs[i], o); return nil },
		func(n int) {
			for i := range n {
				record.ByHand(&inputs[i], &out)
			}
		})
	dense, numbered := record.NewDense(), make([]record.Numbered, len(inputs))
	for i := range inputs {
		numbered[i] = inputs[i].Number()
	}
	var r record.Result
	free := timed("go_branch_free", "hand-written Go, branch-free, names as numbers", len(inputs),
		func(i int, o *record.Output) error {
			dense.BranchFree(&numbered[i], &r)
			*o = r.Name()
			return nil
		},
		func(n int) {
			for i := range n {
				dense.BranchFree(&numbered[i], &r)
			}
		})
	return []*engine{hand, free}
}

// ours are the ways in which the runtime evaluates records one by one.
func ours(p *rt.Program, inputs []record.Input) ([]*engine, error) {
	text, err := direct(p, rt.Choice{})
	if err != nil {
		return nil, err
	}
	plain, err := direct(p, rt.Choice{Without: []string{"bounds", "tabulate", "fuse"}})
	if err != nil {
		return nil, err
	}
	symbols, kept := make([]rt.Symbol, len(inputs)), make([]*rt.Record, len(inputs))
	for i := range inputs {
		symbols[i], _ = p.Symbol(inputs[i].Armor)
		if kept[i], err = text.Keep(&inputs[i]); err != nil {
			return nil, err
		}
	}
	var out record.Output
	frame := func(name, title string, d *record.Direct) *engine {
		return timed(name, title, len(inputs),
			func(i int, o *record.Output) error { return d.Eval(&inputs[i], o) },
			func(n int) {
				for i := range n {
					d.Eval(&inputs[i], &out)
				}
			})
	}
	numbered := timed("ours_symbols", "ours, one by one, names as symbols", len(inputs),
		func(i int, o *record.Output) error { return text.Symbol(&inputs[i], symbols[i], o) },
		func(n int) {
			for i := range n {
				text.Symbol(&inputs[i], symbols[i], &out)
			}
		})
	held := timed("ours_kept", "ours, one by one, records checked before", len(inputs),
		func(i int, o *record.Output) error { return text.Kept(kept[i], o) },
		func(n int) {
			for i := range n {
				text.Kept(kept[i], &out)
			}
		})
	return []*engine{
		frame("ours", "ours, one by one", text), numbered, held,
		frame("ours_plain", "ours, one by one, without bounds, tables and fused words", plain),
	}, nil
}

func direct(p *rt.Program, c rt.Choice) (*record.Direct, error) {
	r, err := p.Rule("blow", c)
	if err != nil {
		return nil, err
	}
	return record.NewDirect(r)
}

// peers are the other engines in this process.
func peers(inputs []record.Input) ([]*engine, error) {
	var out []*engine
	for _, p := range []struct {
		name, title string
		size        int
		make        func() (peer.Evaluator, error)
	}{
		{"cel", "cel-go, variables by an activation of its own", 1024,
			func() (peer.Evaluator, error) { return peer.NewCEL(false) }},
		{"cel_map", "cel-go, variables in a map", 1024, func() (peer.Evaluator, error) { return peer.NewCEL(true) }},
		{"expr", "expr", 1024, func() (peer.Evaluator, error) { return peer.NewExpr() }},
		{"goja", "goja, running the JavaScript", 256, func() (peer.Evaluator, error) { return peer.NewGoja() }},
		{"opa", "OPA, prepared query", 16, func() (peer.Evaluator, error) { return peer.NewOPA() }},
	} {
		e, err := p.make()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		var o record.Output
		out = append(out, timed(p.name, p.title, p.size,
			func(i int, o *record.Output) error { return e.Eval(&inputs[i], o) },
			func(n int) {
				for i := range n {
					e.Eval(&inputs[i], &o)
				}
			}))
	}
	return out, nil
}

// inNode are the ways in which V8 evaluates the record, in processes that time themselves; none if Node is not installed.
func inNode(inputs []record.Input) (engines []*engine, done func(), err error) {
	var nodes []*peer.Node
	done = func() {
		for _, n := range nodes {
			n.Close()
		}
	}
	for _, way := range []struct {
		name, title string
		start       func() (*peer.Node, error)
	}{
		{"v8", "V8 running the JavaScript, in Node", func() (*peer.Node, error) { return peer.NewNode(inputs) }},
		{"v8_generated", "V8 running generated JavaScript, records checked before",
			func() (*peer.Node, error) { return peer.NewGeneratedNode(inputs, false) }},
		{"v8_generated_checked", "V8 running generated JavaScript, each field checked",
			func() (*peer.Node, error) { return peer.NewGeneratedNode(inputs, true) }},
	} {
		n, err := way.start()
		if errors.Is(err, exec.ErrNotFound) {
			return nil, done, nil
		}
		if err != nil {
			return nil, done, err
		}
		nodes = append(nodes, n)
		all, err := n.All()
		if err != nil {
			return nil, done, fmt.Errorf("%s: %w", way.name, err)
		}
		engines = append(engines, &engine{
			name: way.name, title: way.title, size: len(inputs),
			check: func(i int, o *record.Output) error { *o = all[i]; return nil },
			time:  func(records int) (time.Duration, error) { return n.Time(records) },
		})
	}
	return engines, done, nil
}
