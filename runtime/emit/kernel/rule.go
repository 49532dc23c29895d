package kernel

import (
	"reflect"
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Ruleset is the ruleset that rules were generated from.
type Ruleset struct {
	ID        string
	Revision  string
	Digest    string      // of its plan
	Options   [][2]string // that are not played by default, each with its value
	Homebrews [][2]string // each with the digest of its files
}

func (r *Ruleset) homebrews() (out []string) {
	for _, h := range r.Homebrews {
		out = append(out, h[0])
	}
	return out
}

func (r *Ruleset) digests() (out []string) {
	for _, h := range r.Homebrews {
		out = append(out, h[1])
	}
	return out
}

// An Overlay is a homebrew, with the outputs in which it has a part.
type Overlay struct {
	ID      string
	Outputs []string
}

// A Request is what one evaluation is given: records in JSON and dice.
type Request struct {
	Character, Input []byte
	Throw
	Record uint64 // the number by which records have faces of their own
}

// A Rule evaluates requests in JSON.
type Rule struct {
	Ruleset        *Ruleset
	ID             string
	Overlays       []Overlay
	NeedsCharacter bool // else an empty character will do
	Dice           []*Die
	Character      *Schema
	Input          *Schema
	Run            any // a func(*C, *I, *Evaluation, *O) error on the structs of the records and of the output

	made   sync.Once
	output *codec
}

// outputType returns the type of the struct of the output.
func (r *Rule) outputType() reflect.Type { return parameter(r.Run, 3) }

// Eval returns the sheet of a request, byte for byte the line of "rules eval --ndjson". Its errors are *Refused, *Failure,
// *InputError, *DiceError or *ThrowError.
func (r *Rule) Eval(q Request) ([]byte, error) {
	source, err := q.NewSource(q.Record, 0)
	if err != nil {
		return nil, err
	}
	c := reflect.New(r.Character.structType())
	if r.NeedsCharacter || !jsonio.IsEmpty(q.Character) {
		if _, err := r.Character.readPinned(q.Character, c); err != nil {
			return nil, err
		}
	}
	in, _, err := r.Input.readNew(q.Input)
	if err != nil {
		return nil, err
	}
	e, out := NewEvaluation(source), reflect.New(r.outputType())
	err = call(r.Run, c, in, reflect.ValueOf(e), out)
	var notRolled []string
	if dice.IsMissing(err) {
		if idle := r.idleDice(); idle != nil {
			again, _ := q.NewSource(q.Record, 0) // made before without an error
			without, other := &Evaluation{source: again, leaveOut: true}, reflect.New(r.outputType())
			if failed := call(r.Run, c, in, reflect.ValueOf(without), other); failed == nil || without.hasEnded {
				e, out, err, notRolled = without, other, failed, idle
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return r.sheet(&q, source, e.faces, notRolled, out), nil
}

// Write writes an output, to which a pointer points.
func (r *Rule) Write(e *Encoder, output any) { r.write(e, reflect.ValueOf(output)) }

func (r *Rule) write(e *Encoder, output reflect.Value) {
	r.made.Do(func() { r.output = newCodec(r.outputType(), nil) })
	r.output.write(e, output.Elem())
}

// idleDice returns the ids of the dice that nothing reads.
func (r *Rule) idleDice() (out []string) {
	for _, die := range r.Dice {
		if die.Idle && !slices.Contains(out, die.ID) {
			out = append(out, die.ID)
		}
	}
	return out
}

func (r *Rule) sheet(q *Request, source dice.Source, faces dice.Rolls, notRolled []string, output reflect.Value) []byte {
	e := jsonio.NewEncoder(nil)
	e.BeginObject(plan.Record)
	r.Ruleset.writeOrigin(e, "rule", r.ID, r.Overlays)
	r.Ruleset.writeOptions(e)
	seed, given := q.Report(source, faces)
	writeFaces(e, seed, given, faces)
	if notRolled != nil {
		e.TextListMember("not_rolled", notRolled)
	}
	e.Name("output")
	r.write(e, output)
	e.EndObject()
	return e.Bytes()
}

// writeOrigin writes the members with which every sheet begins.
func (r *Ruleset) writeOrigin(e *Encoder, kind, id string, overlays []Overlay) {
	e.TextMember("ruleset", r.ID)
	e.TextMember("revision", r.Revision)
	e.TextMember(kind, id)
	if overlays == nil {
		return
	}
	e.Name("overlays")
	e.BeginObject(plan.Map)
	for _, o := range overlays {
		e.TextListMember(o.ID, o.Outputs)
	}
	e.EndObject()
}

func (r *Ruleset) writeOptions(e *Encoder) {
	e.Name("options")
	e.BeginObject(plan.Map)
	for _, o := range r.Options {
		e.TextMember(o[0], o[1])
	}
	e.EndObject()
}

// writeFaces writes the faces that fell, with their seed and those that were given beside it.
func writeFaces(e *Encoder, seed *uint64, given, faces dice.Rolls) {
	if seed != nil {
		e.Name("seed")
		e.Uint(*seed)
	}
	if given != nil {
		writeRolls(e, "given", given)
	}
	writeRolls(e, "dice", faces)
}

func writeRolls(e *Encoder, name string, rolls dice.Rolls) {
	e.Name(name)
	e.BeginObject(plan.Map)
	for _, r := range rolls {
		e.IntListMember(r.ID, r.Faces)
	}
	e.EndObject()
}
