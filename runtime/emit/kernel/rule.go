package kernel

import (
	"bytes"
	"slices"

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
type Rule[C, I, O any] struct {
	Ruleset        *Ruleset
	ID             string
	Overlays       []Overlay
	NeedsCharacter bool // else an empty character will do
	Dice           []*Die
	Character      *RecordOf[C]
	Input          *RecordOf[I]
	Run            func(*C, *I, *Evaluation, *O) error
	Write          func(*Encoder, *O)
}

// Eval returns the sheet of a request, byte for byte that of "rules eval". Its errors are *Refused, *Failure, *InputError,
// *DiceError or *dice.ThrowError.
func (r *Rule[C, I, O]) Eval(q Request) ([]byte, error) {
	source, err := q.NewSource(q.Record, 0)
	if err != nil {
		return nil, err
	}
	c := new(C)
	if r.NeedsCharacter || !isEmpty(q.Character) {
		if c, err = r.Character.Read(q.Character); err != nil {
			return nil, err
		}
	}
	i, err := r.Input.Read(q.Input)
	if err != nil {
		return nil, err
	}
	var out *O
	d := &definition{r.Ruleset, r.ID, r.Overlays, r.Dice}
	return d.eval(&q, source, func(e *Evaluation) error {
		out = new(O)
		return r.Run(c, i, e, out)
	}, func(e *Encoder) { r.Write(e, out) })
}

// A definition is a rule whatever the types of its records. What it does is compiled once for all rules.
type definition struct {
	ruleset  *Ruleset
	id       string
	overlays []Overlay
	dice     []*Die
}

// eval returns the sheet of a request. run carries the rule out anew whenever it is called, and write writes the outputs of
// the last time.
func (d *definition) eval(q *Request, source dice.Source, run func(*Evaluation) error, write func(*Encoder)) (
	[]byte, error) {
	e := NewEvaluation(source)
	err := run(e)
	var notRolled []string
	if dice.IsMissing(err) {
		if idle := d.idleDice(); idle != nil {
			again, _ := q.NewSource(q.Record, 0) // made before without an error
			without := &Evaluation{source: again, leaveOut: true}
			if failed := run(without); failed == nil || without.hasEnded {
				e, err, notRolled = without, failed, idle
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return d.sheet(q, source, e.faces, notRolled, write), nil
}

// isEmpty reports whether a text is a record without members.
func isEmpty(text []byte) bool {
	const blanks = " \t\r\n"
	inner, opens := bytes.CutPrefix(bytes.Trim(text, blanks), []byte("{"))
	inner, closes := bytes.CutSuffix(inner, []byte("}"))
	return len(text) == 0 || opens && closes && len(bytes.Trim(inner, blanks)) == 0
}

// idleDice returns the ids of the dice that nothing reads.
func (d *definition) idleDice() (out []string) {
	for _, die := range d.dice {
		if die.Idle && !slices.Contains(out, die.ID) {
			out = append(out, die.ID)
		}
	}
	return out
}

func (d *definition) sheet(q *Request, source dice.Source, faces dice.Rolls, notRolled []string,
	write func(*Encoder)) []byte {
	e := jsonio.NewEncoder(nil)
	e.BeginObject(plan.Record)
	d.ruleset.writeOrigin(e, "rule", d.id, d.overlays)
	d.ruleset.writeOptions(e)
	seed, given := q.Report(source, faces)
	writeFaces(e, seed, given, faces)
	if notRolled != nil {
		e.TextListMember("not_rolled", notRolled)
	}
	e.Name("output")
	write(e)
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
