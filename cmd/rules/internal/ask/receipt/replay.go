package receipt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Beginning is what a play began with, and which of its faces were drawn.
type Beginning struct {
	Request runtime.Request
	From    []byte // the sheet that was gone on with, nil when it was begun
	Drawn   []uint64
}

// NewPlayReceipt makes the receipt of a play; seed is the one that faces were drawn from, if any were.
func NewPlayReceipt(p *plan.Plan, id string, options map[string]string, begun *Beginning, seed uint64,
	play *runtime.Play) (*Receipt, error) {
	r := &Receipt{
		Receipt: receiptVersion, Ruleset: p.Ruleset, Revision: p.Revision, Plan: planDigest(p), Procedure: id,
		Options: map[string]string{},
		Drawn:   begun.Drawn, From: begun.From, Sheet: play.AppendJSON(nil),
	}
	if len(r.Drawn) > 0 {
		r.Seed = &seed
	}
	maps.Copy(r.Options, options)
	if err := r.addDigests(begun.Request.Character, begun.Request.Input); err != nil {
		return nil, err
	}
	r.Digest = r.ComputeDigest()
	return r, nil
}

// A toldPlay is what a sheet says of what happened.
type toldPlay struct {
	Seed *uint64 `json:"seed"`
	fallen
	Begun  json.RawMessage `json:"begun"`
	Events []struct {
		fallen
		Event string          `json:"event"`
		Input json.RawMessage `json:"input"`
		Trace json.RawMessage `json:"trace"`
	} `json:"events"`
}

// fallen are the faces of the start or of an event. Given has 0 for those that were drawn, when others were given.
type fallen struct {
	Given dice.Rolls         `json:"given"`
	Dice  map[string][]int64 `json:"dice"`
}

// replayed are the faces of an event played again, and what its sheet is to tell of them.
type replayed func(of *fallen, event uint64) (dice.Source, dice.Rolls)

// again gives the faces as they fell.
func again(of *fallen, _ uint64) (dice.Source, dice.Rolls) { return dice.ByID(of.Dice), of.Given }

// drawnAgain draws the faces that were drawn.
//
// A sheet tells faces that a player gave as Given; MixAgain takes these and draws the others, so
// that the stream of random numbers is used as it was. Events that nobody drew are not in Drawn and
// take their faces as told.
func (r *Receipt) drawnAgain(of *fallen, event uint64) (dice.Source, dice.Rolls) {
	if !slices.Contains(r.Drawn, event) {
		return again(of, event)
	}
	given := map[string][]int64{}
	for _, x := range of.Given {
		given[x.ID] = x.Faces
	}
	return dice.MixAgain(given, dice.FromSeed(*r.Seed, 0, event)), nil
}

// sheetOfPlay is what the sheet of a procedure says of what happened.
func (r *Receipt) sheetOfPlay() (*toldPlay, error) {
	t := &toldPlay{}
	if err := json.Unmarshal(r.Sheet, t); err != nil {
		return nil, fmt.Errorf("the sheet is no sheet of a procedure: %w", err)
	}
	return t, nil
}

// replayProcedure plays the procedure of a receipt again, with the faces that it tells and with those that its seed draws.
func (r *Receipt) replayProcedure(program *runtime.Program) (out []string) {
	d, err := program.Procedure(r.Procedure, runtime.Choice{Options: r.Options})
	if err != nil {
		return []string{err.Error()}
	}
	t, err := r.sheetOfPlay()
	if err != nil {
		return []string{err.Error()}
	}
	out = r.replayedPlay(d, t, again, "the faces")
	if r.Seed != nil {
		out = append(out, r.replayedPlay(d, t, r.drawnAgain, "the seed")...)
	}
	return out
}

// replayedPlay plays what the sheet tells, with faces from somewhere, and compares the sheets byte
// for byte. A play that went on from another sheet begins with that, whose events count as they
// are; only those behind them are played. The seed of the sheet is put in at the end, as it says
// where faces came from and not what they are.
func (r *Receipt) replayedPlay(d *runtime.Procedure, t *toldPlay, faces replayed, by string) []string {
	play, err := r.beginReplay(d, t, faces)
	if err != nil {
		return []string{fmt.Sprintf("played again with %s: %v", by, exit.WordRefusal(exit.PathOnly(err)))}
	}
	for i := len(play.Events); i < len(t.Events); i++ {
		e := &t.Events[i]
		q := runtime.Request{Input: e.Input, Trace: len(e.Trace) > 0}
		q.Dice, q.Given = faces(&e.fallen, play.Number())
		if err := play.Do(e.Event, q); err != nil {
			return []string{fmt.Sprintf("played again with %s, event %d, %s: %v", by, i+1, e.Event,
				exit.WordRefusal(exit.PathOnly(err)))}
		}
	}
	play.Seed = t.Seed
	return sheetDifferences(play.AppendJSON(nil), r.Sheet, by)
}

// beginReplay is the play before the events that the receipt is about.
func (r *Receipt) beginReplay(d *runtime.Procedure, t *toldPlay, faces replayed) (*runtime.Play, error) {
	if len(r.From) == 0 {
		q := runtime.Request{Character: r.Character, Input: r.Input, Trace: len(t.Begun) > 0}
		q.Dice, q.Given = faces(&t.fallen, 0)
		return d.Start(q)
	}
	saved, err := runtime.ReadPlay(r.From)
	if err != nil {
		return nil, err
	}
	return d.Resume(saved)
}

// sheetDifferences says which members of the sheet are others than those that are told.
func sheetDifferences(got, said []byte, by string) (out []string) {
	if bytes.Equal(got, said) {
		return nil
	}
	var is, was map[string]json.RawMessage
	must.Succeed(json.Unmarshal(got, &is))
	must.Succeed(json.Unmarshal(said, &was))
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if !bytes.Equal(is[name], was[name]) {
			out = append(out, fmt.Sprintf("played again with %s, %s is %s, not %s", by, name, is[name], was[name]))
		}
	}
	if len(out) == 0 {
		out = append(out, fmt.Sprintf("played again with %s, the sheet is %s, not %s", by, got, said))
	}
	return out
}
