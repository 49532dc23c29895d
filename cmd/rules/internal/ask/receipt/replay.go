package receipt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
)

// A Beginning is what a play began with.
type Beginning struct {
	Character, Input []byte
	From             []byte // the sheet that was gone on with, nil when it was begun
}

// BeginFrom returns the beginning of a play that goes on from the sheet of a procedure.
func BeginFrom(sheet []byte) (*Beginning, error) {
	var of struct{ Character, Input json.RawMessage }
	if err := json.Unmarshal(sheet, &of); err != nil {
		return nil, err
	}
	from, _, err := CompactDigest(sheet)
	return &Beginning{Character: of.Character, Input: of.Input, From: from}, err
}

// NewPlayReceipt makes the receipt of a play.
func NewPlayReceipt(p *runtime.Program, id string, options map[string]string, begun *Beginning, play *runtime.Play) (*Receipt,
	error) {
	r := &Receipt{
		Receipt: receiptVersion, Ruleset: p.Plan().Ruleset, Revision: p.Plan().Revision, Plan: planDigest(p), Procedure: id,
		Options: map[string]string{},
		Drawn:   play.Drawn(), From: begun.From, Sheet: play.AppendJSON(nil),
	}
	if len(r.Drawn) > 0 {
		r.Seed = play.Seed
	}
	maps.Copy(r.Options, options)
	if err := r.addDigests(begun.Character, begun.Input); err != nil {
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
	Given dice.Rolls `json:"given"`
	Dice  dice.Rolls `json:"dice"`
}

// A replay gives the faces of the start or of an event that is played again, by its number.
type replay func(of *fallen, event uint64) dice.Throw

// repeatFaces lets the faces fall as they fell.
func repeatFaces(of *fallen, _ uint64) dice.Throw {
	t := dice.FallenByID(of.Dice)
	t.Given = of.Given
	return t
}

// drawAgain draws the faces that were drawn.
//
// A sheet reports faces that a player gave as Given; the others are drawn, so that the stream of
// random numbers is used as it was. Events that nobody drew are not in Drawn and take their faces
// as reported.
func (r *Receipt) drawAgain(of *fallen, event uint64) dice.Throw {
	if !slices.Contains(r.Drawn, event) {
		return repeatFaces(of, event)
	}
	return dice.Throw{Given: of.Given, Seed: r.Seed}
}

// sheetOfPlay returns the play that the sheet of a procedure describes.
func (r *Receipt) sheetOfPlay() (*toldPlay, error) {
	t := &toldPlay{}
	if err := json.Unmarshal(r.Sheet, t); err != nil {
		return nil, fmt.Errorf("the sheet is no sheet of a procedure: %w", err)
	}
	return t, nil
}

// WithoutPins returns the receipt without the pins of its characters, which any revision may then play again.
func (r *Receipt) WithoutPins() *Receipt {
	out := *r
	for _, part := range []*json.RawMessage{&out.Character, &out.Input, &out.Output, &out.From, &out.Sheet} {
		if len(*part) > 0 {
			*part = jsontext.WithoutMembers(*part, jsonio.PinNames()...)
		}
	}
	return &out
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
	out = r.replayPlay(d, t, repeatFaces, "the faces")
	if r.Seed != nil {
		out = append(out, r.replayPlay(d, t, r.drawAgain, "the seed")...)
	}
	return out
}

// replayPlay plays the events of the sheet, with faces from some source, and returns the differences between the
// sheets, which must be equal byte for byte. A play that went on from another sheet begins with that sheet, whose
// events count as they are. The seed is put in at the end, because it is the origin of faces and not a face.
func (r *Receipt) replayPlay(d *runtime.Procedure, t *toldPlay, faces replay, by string) []string {
	play, err := r.beginReplay(d, t, faces)
	if err != nil {
		return []string{fmt.Sprintf("played again with %s: %v", by, exit.WordRefusal(exit.PathOnly(err)))}
	}
	before, traced := len(play.Events), false
	var steps []runtime.Step
	for i := before; i < len(t.Events); i++ {
		e := &t.Events[i]
		traced = traced || len(e.Trace) > 0
		steps = append(steps, runtime.Step{Event: e.Event, Input: e.Input, Throw: faces(&e.fallen, uint64(i)+1)})
	}
	if err := play.Go(traced, steps...); err != nil {
		stopped, _ := errors.AsType[*runtime.EventError](err)
		return []string{fmt.Sprintf("played again with %s, event %d, %s: %v", by, before+stopped.Number, stopped.Event,
			exit.WordRefusal(exit.PathOnly(stopped.Err)))}
	}
	play.Seed = t.Seed
	return sheetDifferences(play.AppendJSON(nil), r.Sheet, by)
}

// beginReplay is the play before the events that the receipt is about.
func (r *Receipt) beginReplay(d *runtime.Procedure, t *toldPlay, faces replay) (*runtime.Play, error) {
	if len(r.From) == 0 {
		return d.Start(runtime.Request{Character: r.Character, Input: r.Input, Throw: faces(&t.fallen, 0),
			Trace: len(t.Begun) > 0})
	}
	saved, err := runtime.ReadPlay(r.From)
	if err != nil {
		return nil, err
	}
	return d.Resume(saved)
}

// sheetDifferences says which members of the sheet are others than those that are told. The revision is no part of the
// answer: it is compared by itself.
func sheetDifferences(got, said []byte, by string) (out []string) {
	if bytes.Equal(got, said) {
		return nil
	}
	var is, was map[string]json.RawMessage
	must.Succeed(json.Unmarshal(got, &is))
	must.Succeed(json.Unmarshal(said, &was))
	isOtherRevision := !bytes.Equal(is["revision"], was["revision"])
	delete(is, "revision")
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if !bytes.Equal(is[name], was[name]) {
			out = append(out, fmt.Sprintf("played again with %s, %s is %s, not %s", by, name, is[name], was[name]))
		}
	}
	if len(out) == 0 && !isOtherRevision {
		out = append(out, fmt.Sprintf("played again with %s, the sheet is %s, not %s", by, got, said))
	}
	return out
}
