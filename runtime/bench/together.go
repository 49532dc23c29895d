package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	rt "github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/bench/record"
)

// together are the ways in which the runtime evaluates many records at once: columns on one core and on all, and lines of JSON
// beside encoding/json around hand-written Go.
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
	all := timed("ours_columns_cores", fmt.Sprintf("ours, 1,024 at once, on %d cores", runtime.GOMAXPROCS(0)), passes*len(inputs), check,
		func(int) { onAllCores(blocks) })
	lines, err := ndjson(rule, inputs)
	return append([]*engine{one, all}, lines...), err
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

// A character is the part of an input that a line has. The rest is common to all lines.
type character struct {
	Strength  int64   `json:"strength"`
	Agility   int64   `json:"agility"`
	Endurance int64   `json:"endurance"`
	Height    int64   `json:"height"`
	Rank      int64   `json:"rank"`
	SB        int64   `json:"sb"`
	DF        int64   `json:"df"`
	Wounded   int64   `json:"wounded"`
	Load      float64 `json:"load"`
	Armor     string  `json:"armor"`
}

const (
	roll, location = 50, 7
	common         = `{"roll":50,"loc_roll":7}`
)

// lines are the characters of inputs as JSON.
func linesOf(inputs []record.Input) ([][]byte, error) {
	var out [][]byte
	for _, in := range inputs {
		line, err := json.Marshal(character{
			in.Strength, in.Agility, in.Endurance, in.Height, in.Rank, in.SB, in.DF, in.Wounded, in.Load, in.Armor,
		})
		if err != nil {
			return nil, err
		}
		out = append(out, line)
	}
	return out, nil
}

// ndjson reads and writes lines of JSON.
func ndjson(rule *rt.Rule, inputs []record.Input) ([]*engine, error) {
	lines, err := linesOf(inputs)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	engines := []*engine{timed("ndjson_go", "lines of JSON: encoding/json, hand-written Go", len(lines), nil, func(int) {
		out.Reset()
		byEncodingJSON(lines, &out)
	})}
	for _, workers := range slices.Compact([]int{1, runtime.GOMAXPROCS(0)}) {
		b, err := rule.Batch(rt.BatchOptions{Input: []byte(common), Workers: workers})
		if err != nil {
			return nil, err
		}
		if err := agreeOnLines(b, lines); err != nil {
			return nil, err
		}
		title := fmt.Sprintf("lines of JSON: ours, %d at once", workers)
		engines = append(engines, timed(fmt.Sprintf("ndjson_%d", workers), title, len(lines), nil, func(int) {
			out.Reset()
			for sheet := range b.All(slices.Values(lines)) {
				out.Write(sheet)
				out.WriteByte('\n')
			}
		}))
	}
	return engines, nil
}

// byEncodingJSON answers lines as one does in Go without us.
func byEncodingJSON(lines [][]byte, out *bytes.Buffer) error {
	e := json.NewEncoder(out)
	for _, line := range lines {
		var o record.Output
		in := record.Input{Roll: roll, LocRoll: location}
		if err := json.Unmarshal(line, &in); err != nil {
			return err
		}
		record.ByHand(&in, &o)
		if err := e.Encode(&o); err != nil {
			return err
		}
	}
	return nil
}

// agreeOnLines wants a batch to answer every line as hand-written Go does.
func agreeOnLines(b *rt.Batch, lines [][]byte) error {
	var want bytes.Buffer
	if err := byEncodingJSON(lines, &want); err != nil {
		return err
	}
	theirs := json.NewDecoder(&want)
	for sheet, err := range b.All(slices.Values(lines)) {
		var got struct{ Output record.Output }
		var o record.Output
		if err := errors.Join(err, theirs.Decode(&o)); err != nil {
			return err
		}
		if err := json.Unmarshal(sheet, &got); err != nil || got.Output != o {
			return fmt.Errorf("lines of JSON: got %s, %v, want %+v", sheet, err, o)
		}
	}
	return nil
}
