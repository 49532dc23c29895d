// Package receipt writes down what a roll or a play needs to be believed by somebody else, and replays it. A receipt
// holds the character, the input, the faces and the answer with their digests, and the digest of the rules; whoever has
// the same rules can carry it out again and compare.
//
// # One roll
//
// Ada rolls a test with --seed 7 and --receipt. The receipt names the ruleset, its revision and the
// digest of its rules (planfile.Digest, which leaves the stored instructions out); her character
// and input as JSON without blanks, each with its digest; the seed, the faces and the output; and a
// digest of all this. Bela, who has the same release, runs "rules verify". FindMismatches compares
// the digests, then carries the rule out twice: once with the faces, which must give the output,
// and once with the seed, which must give the faces. What that cannot show stands in Limits
// (claims.go): that Ada did not try other seeds first.
//
// Of a procedure the receipt has the sheet, which tells each event with its faces; it is played
// again event by event (replay.go). verify.go is about rules, log.go splits the receipts that
// "rules play" keeps.
//
// Invariant: a receipt is written in one form only (Printed). One that says the same in other bytes
// counts as altered.
package receipt

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// receiptVersion says how receipts are written.
const receiptVersion = 1

// A Receipt is what a roll needs to be believed by somebody else: what was asked, of which rules, what fell and what came
// of it. That of a procedure has the sheet instead of dice and output, and what it began with.
//
// The order of the fields is the order in which they are written and hashed (ComputeDigest): a
// field that is moved, added or renamed changes the digest of every receipt, and needs another
// receiptVersion. Which fields a rule's and a procedure's receipt have is in checkKind.
type Receipt struct {
	Receipt         int               `json:"receipt"` // receiptVersion
	Ruleset         string            `json:"ruleset"`
	Revision        string            `json:"revision"`
	Plan            string            `json:"plan"` // the digest of the rules
	Rule            string            `json:"rule,omitempty"`
	Procedure       string            `json:"procedure,omitempty"`
	Options         map[string]string `json:"options"`
	Outputs         []string          `json:"outputs,omitempty"` // that were asked for; none for all
	Character       json.RawMessage   `json:"character"`         // as it was before
	CharacterDigest string            `json:"character_digest"`
	Input           json.RawMessage   `json:"input"`
	InputDigest     string            `json:"input_digest"`
	Seed            *uint64           `json:"seed,omitempty"` // when faces were drawn
	// the events of a procedure that the seed drew; 0 is the start
	Drawn []uint64 `json:"drawn,omitempty"`
	// Given has the faces of Dice, with 0 for each that was drawn; none when all were given or all were drawn.
	Given  map[string][]int64 `json:"given,omitempty"`
	Dice   map[string][]int64 `json:"dice,omitempty"`
	Output json.RawMessage    `json:"output,omitempty"`
	// Refused says why there is no output although dice have fallen: a requirement did not hold, or a formula had no value.
	Refused string          `json:"refused,omitempty"`
	From    json.RawMessage `json:"from,omitempty"`  // the sheet of --state
	Sheet   json.RawMessage `json:"sheet,omitempty"` // of a procedure
	Digest  string          `json:"digest"`          // of everything above
	Text    []byte          `json:"-"`               // as it was read
}

// NewReceipt makes the receipt of a sheet.
func NewReceipt(p *runtime.Program, outputs []string, request runtime.Request, s *runtime.Sheet) (*Receipt, error) {
	r := &Receipt{
		Receipt: receiptVersion, Ruleset: s.Ruleset, Revision: s.Revision, Plan: planDigest(p), Rule: s.Rule,
		Options: map[string]string{},
		Outputs: outputs, Seed: s.Seed, Dice: s.Dice.ByID(), Output: s.Output.AppendJSON(nil),
	}
	return r, r.complete(request, s.Options, s.Given)
}

// NewRefusal makes the receipt of a use of a rule that was refused once dice had fallen; nil where none had.
func NewRefusal(p *runtime.Program, rule *runtime.Rule, request runtime.Request) (*Receipt, error) {
	why, err := rule.Explain(request)
	if err != nil || why == nil || len(why.Dice) == 0 {
		return nil, err
	}
	source, err := request.NewSource(0, 0)
	if err != nil {
		return nil, err
	}
	request.Source = source
	sheet, refused := rule.Eval(request)
	if refused == nil {
		return nil, fmt.Errorf("rule %s is not refused", sheet.Rule)
	}
	seed, given := request.Report(source, why.Dice)
	r := &Receipt{
		Receipt: receiptVersion, Ruleset: p.Plan().Ruleset, Revision: p.Plan().Revision, Plan: planDigest(p), Rule: rule.ID(),
		Options: map[string]string{}, Seed: seed, Dice: why.Dice.ByID(), Refused: reasonOf(refused),
	}
	return r, r.complete(request, rule.Settings(), given)
}

// reasonOf returns why the rules refuse, without the place in their files; "" of any other error.
func reasonOf(err error) string {
	if refused, is := errors.AsType[*runtime.Refused](err); is {
		return refused.Require.Message
	}
	if failed, is := errors.AsType[*runtime.Failure](err); is {
		return failed.Msg
	}
	return ""
}

// complete adds to the receipt of a rule what was asked, the options, the faces that were given, and the digest of all.
func (r *Receipt) complete(request runtime.Request, options []runtime.Setting, given dice.Rolls) error {
	if err := r.addDigests(request.Character, request.Input); err != nil {
		return err
	}
	for _, o := range options {
		r.Options[o.Option] = o.Value
	}
	if given != nil {
		r.Given = given.ByID()
	}
	r.Digest = r.ComputeDigest()
	return nil
}

// addDigests takes down the character and the input.
func (r *Receipt) addDigests(character, input []byte) (err error) {
	if r.Character, r.CharacterDigest, err = CompactDigest(character); err != nil {
		return err
	}
	r.Input, r.InputDigest, err = CompactDigest(input)
	return err
}

func planDigest(p *runtime.Program) string {
	sum := p.PlanDigest()
	return hex.EncodeToString(sum[:])
}

// CompactDigest is JSON without blanks, and its digest.
func CompactDigest(text []byte) (json.RawMessage, string, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, jsontext.OrObject(text)); err != nil {
		return nil, "", err
	}
	return b.Bytes(), digestOf(b.Bytes()), nil
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// ComputeDigest is the digest of everything but the digest. Maps are written in the order of their keys.
// (encoding/json sorts them.)
func (r *Receipt) ComputeDigest() string {
	c := *r
	c.Digest = ""
	text, err := json.Marshal(&c)
	must.Succeed(err)
	return digestOf(text)
}

// Printed is the receipt as it is written.
func (r *Receipt) Printed() []byte {
	var b bytes.Buffer
	must.Succeed(jsontext.PrintJSON(&b, r))
	return b.Bytes()
}

// ReadReceipt reads a receipt.
func ReadReceipt(text []byte) (*Receipt, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	r := &Receipt{Text: text}
	if err := d.Decode(r); err != nil {
		var members map[string]json.RawMessage
		if json.Unmarshal(text, &members) == nil && members["receipt"] == nil {
			return nil, errors.New("this is no receipt: rules eval --receipt FILE writes one, and rules check FILE checks a " +
				"character")
		}
		return nil, fmt.Errorf("this is no receipt: %w", err)
	}
	if d.More() {
		return nil, fmt.Errorf("this is no receipt: there is more text after it")
	}
	if r.Receipt != receiptVersion {
		if r.Receipt == 0 {
			return nil, errors.New("this is no receipt: rules eval --receipt FILE writes one")
		}
		return nil, fmt.Errorf("this is no receipt that is known here: its number is %d, not %d", r.Receipt, receiptVersion)
	}
	if err := r.checkKind(); err != nil {
		return nil, fmt.Errorf("this is no receipt: %w", err)
	}
	// as they were before they were indented
	for _, part := range []*json.RawMessage{&r.Character, &r.Input, &r.Output, &r.From, &r.Sheet} {
		if len(*part) == 0 {
			continue
		}
		var b bytes.Buffer
		if err := json.Compact(&b, *part); err != nil {
			return nil, err
		}
		*part = b.Bytes()
	}
	return r, nil
}

// checkKind returns an error if a receipt of a rule has members that belong to procedures, or the other way round.
//
// It is a matter of trust and not of tidiness. Replaying would not look at such a member, but a person who reads the
// file would take it for proved.
func (r *Receipt) checkKind() error {
	kind, present := "a rule", map[string]bool{
		"drawn": r.Drawn != nil, "from": r.From != nil, "sheet": r.Sheet != nil,
		"output": r.Output != nil && r.Refused != "",
	}
	switch {
	case r.Rule != "" && r.Procedure != "":
		return errors.New("it is of a rule and of a procedure")
	case r.Rule == "" && r.Procedure == "":
		return errors.New("it is of no rule and of no procedure")
	case r.Procedure != "":
		kind, present = "a procedure", map[string]bool{
			"dice": r.Dice != nil, "given": r.Given != nil, "output": r.Output != nil, "outputs": r.Outputs != nil,
			"refused": r.Refused != "",
		}
	}
	if r.Given != nil && r.Seed == nil {
		return errors.New("it tells which faces were given beside others that were drawn, and no seed that drew them")
	}
	for _, name := range slices.Sorted(maps.Keys(present)) {
		if present[name] {
			return fmt.Errorf("a receipt of %s has no member %q", kind, name)
		}
	}
	return nil
}
