package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"

	rt "github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/bench/record"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// A feed is characters as lines of JSON, and how one answers them in Go without us: with encoding/json around
// hand-written Go.
type feed struct {
	name, title string
	lines       [][]byte
	byGo        func(line []byte, o *record.Output) error
	blank       sheet // before anything is computed
}

// What all lines of a feed have in common.
const (
	roll, location = 50, 7
	common         = `{"roll":50,"loc_roll":7}`
)

// A character is the part of an input that a line has.
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

// A sheet is what a line is answered with. Nothing is played otherwise than the plan says, and no dice fall.
type sheet struct {
	Ruleset  string        `json:"ruleset"`
	Revision string        `json:"revision"`
	Rule     string        `json:"rule"`
	Options  struct{}      `json:"options"`
	Dice     struct{}      `json:"dice"`
	Output   record.Output `json:"output"`
}

// ndjson answers lines that have what the rule reads, and lines that have a lot more.
func ndjson(program *rt.Program, inputs []record.Input) ([]*engine, error) {
	lean, err := leanFeed(inputs)
	if err != nil {
		return nil, err
	}
	engines, err := lean.engines(program)
	if err != nil {
		return nil, err
	}
	p, err := record.PersonPlan()
	if err != nil {
		return nil, err
	}
	long, err := personFeed(inputs)
	if err != nil {
		return nil, err
	}
	more, err := long.engines(rt.New(p))
	return append(engines, more...), err
}

func leanFeed(inputs []record.Input) (*feed, error) {
	f := &feed{name: "ndjson", byGo: func(line []byte, o *record.Output) error {
		in := record.Input{Roll: roll, LocRoll: location}
		err := json.Unmarshal(line, &in)
		record.ByHand(&in, o)
		return err
	}}
	for _, in := range inputs {
		line, err := json.Marshal(character{
			in.Strength, in.Agility, in.Endurance, in.Height, in.Rank, in.SB, in.DF, in.Wounded, in.Load, in.Armor,
		})
		if err != nil {
			return nil, err
		}
		f.lines = append(f.lines, line)
	}
	f.title = f.size("lines")
	return f, nil
}

func personFeed(inputs []record.Input) (f *feed, err error) {
	f = &feed{name: "ndjson_person", byGo: func(line []byte, o *record.Output) error {
		var p record.Person
		err := json.Unmarshal(line, &p)
		in := p.Input()
		in.Roll, in.LocRoll = roll, location
		record.ByHand(&in, o)
		return err
	}}
	f.lines, err = record.PersonLines(inputs, 1)
	f.title = f.size("long lines")
	return f, err
}

// size names a feed by the length of its lines.
func (f *feed) size(of string) string {
	return fmt.Sprintf("%s of JSON, %d bytes each", of, len(bytes.Join(f.lines, nil))/len(f.lines))
}

// engines answer the lines: both on one core, and ours on all.
func (f *feed) engines(program *rt.Program) ([]*engine, error) {
	rule, err := program.Rule("blow", rt.Choice{})
	if err != nil {
		return nil, err
	}
	f.blank = sheet{Ruleset: program.Plan().Ruleset, Revision: program.Plan().Revision, Rule: "blow"}
	var out bytes.Buffer
	engines := []*engine{f.engine("go", "encoding/json, hand-written Go", 1, func() { f.answer(&out) })}
	for _, cores := range slices.Compact([]int{1, runtime.GOMAXPROCS(0)}) {
		b, err := rule.Batch(rt.BatchOptions{Input: []byte(common), Workers: cores})
		if err != nil {
			return nil, err
		}
		if err := f.agree(b); err != nil {
			return nil, err
		}
		engines = append(engines, f.engine(fmt.Sprint(cores), "ours", cores, func() {
			out.Reset()
			for sheet := range b.All(slices.Values(f.lines)) {
				out.Write(sheet)
				out.WriteByte('\n')
			}
		}))
	}
	return engines, nil
}

// engine answers all lines on a number of cores: on one, nothing runs beside it, not even what hands lines to the worker.
func (f *feed) engine(name, title string, cores int, answer func()) *engine {
	e := timed(f.name+"_"+name, fmt.Sprintf("%s: %s, on %s", f.title, title, plural.Of(cores, "core")), len(f.lines), nil,
		func(int) { answer() })
	if cores == 1 {
		return onOneCore(e)
	}
	return e
}

// answer answers the lines as one does in Go without us.
func (f *feed) answer(out *bytes.Buffer) error {
	out.Reset()
	e := json.NewEncoder(out)
	for _, line := range f.lines {
		s := f.blank
		if err := f.byGo(line, &s.Output); err != nil {
			return err
		}
		if err := e.Encode(&s); err != nil {
			return err
		}
	}
	return nil
}

// agree wants a batch to answer every line as hand-written Go does.
func (f *feed) agree(b *rt.Batch) error {
	var want bytes.Buffer
	if err := f.answer(&want); err != nil {
		return err
	}
	theirs := json.NewDecoder(&want)
	for line, err := range b.All(slices.Values(f.lines)) {
		var got, want sheet
		if err := errors.Join(err, theirs.Decode(&want)); err != nil {
			return err
		}
		ours := json.NewDecoder(bytes.NewReader(line))
		ours.DisallowUnknownFields()
		if err := ours.Decode(&got); err != nil || got != want {
			return fmt.Errorf("%s: got %s, %v, want %+v", f.title, line, err, want)
		}
	}
	return nil
}
