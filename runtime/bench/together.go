package main

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	rt "github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/bench/record"
)

// together are the ways in which the runtime evaluates many records at once: columns on one core and on all, and lines
// of JSON beside encoding/json around hand-written Go.
func together(p *rt.Program, inputs []record.Input) ([]*engine, error) {
	rule, err := p.Rule("blow", rt.Choice{})
	if err != nil {
		return nil, err
	}
	var blocks []*record.Columns
	for chunk := range slices.Chunk(inputs, rt.BlockSize) {
		b, err := record.NewColumns(rule, chunk)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, b)
	}
	check := func(i int, o *record.Output) error {
		b := blocks[i/rt.BlockSize]
		if i%rt.BlockSize == 0 {
			b.Run()
		}
		return b.Read(i%rt.BlockSize, o)
	}
	one := timed("ours_columns", "ours, 1,024 at once", passes*len(inputs), check, func(int) { runAll(blocks) })
	all := timed("ours_columns_cores", fmt.Sprintf("ours, 1,024 at once, on %d cores", runtime.GOMAXPROCS(0)),
		passes*len(inputs), check,
		func(int) { onAllCores(blocks) })
	through, err := setAndRead(rule, inputs)
	if err != nil {
		return nil, err
	}
	lines, err := ndjson(p, inputs)
	return append([]*engine{one, all, through}, lines...), err
}

// setAndRead is the way of records into a block and of results out of it, field by field.
func setAndRead(rule *rt.Rule, inputs []record.Input) (*engine, error) {
	b, err := record.NewColumns(rule, nil)
	if err != nil {
		return nil, err
	}
	out := make([]record.Output, len(inputs))
	through := func() error {
		for from := 0; from < len(inputs); from += rt.BlockSize {
			to := min(from+rt.BlockSize, len(inputs))
			if err := b.Through(inputs[from:to], out[from:to]); err != nil {
				return err
			}
		}
		return nil
	}
	if err := through(); err != nil {
		return nil, err
	}
	check := func(i int, o *record.Output) error { *o = out[i]; return nil }
	return timed("ours_columns_through", "ours, 1,024 at once, fields set and results read", len(inputs), check,
		func(int) { through() }), nil
}

// passes is how often a round computes all blocks, so that starting goroutines does not count.
const passes = 16

func runAll(blocks []*record.Columns) {
	for range passes {
		for _, b := range blocks {
			b.Run()
		}
	}
}

func onAllCores(blocks []*record.Columns) {
	var cores sync.WaitGroup
	share := (len(blocks) + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
	for mine := range slices.Chunk(blocks, share) {
		cores.Go(func() { runAll(mine) })
	}
	cores.Wait()
}
