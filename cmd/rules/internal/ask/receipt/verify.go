package receipt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// FindMismatches replays the receipt.
// It goes on after a mismatch, so that all are told at once: another revision and another output
// together say more than either. Nothing is told when it matches.
func (r *Receipt) FindMismatches(program *runtime.Program) []string {
	p, digest := program.Plan(), planDigest(program)
	out := r.FindAlterations()
	wrong := wrongIn(&out)
	wrong(r.Ruleset != p.Ruleset, "the ruleset is %s, not %s", p.Ruleset, r.Ruleset)
	wrong(r.Revision != p.Revision, "the revision is %s, not %s", p.Revision, r.Revision)
	wrong(r.Plan != digest, "the rules of %s %s here are not those of the receipt: their digest is %s", p.Ruleset, p.Revision,
		digest)
	return append(out, r.FindOtherAnswers(program)...)
}

// wrongIn returns a function that adds a mismatch to a list, if it is one.
func wrongIn(out *[]string) func(is bool, format string, args ...any) {
	return func(is bool, format string, args ...any) {
		if is {
			*out = append(*out, fmt.Sprintf(format, args...))
		}
	}
}

// FindAlterations returns the parts of the receipt that do not fit each other, whatever the rules are.
func (r *Receipt) FindAlterations() (out []string) {
	wrong := wrongIn(&out)
	wrong(r.Digest != r.ComputeDigest(), "the receipt was altered: its digest does not match")
	wrong(!bytes.Equal(r.Text, r.Printed()), "the receipt was altered: it is not written as receipts are")
	wrong(r.CharacterDigest != digestOf(r.Character), "the character is another one than its digest says")
	wrong(r.InputDigest != digestOf(r.Input), "the input is another one than its digest says")
	return out
}

// FindOtherAnswers returns the differences between the receipt and the answers of some rules, which may be of another
// revision, with the faces of the receipt and with those that its seed draws.
func (r *Receipt) FindOtherAnswers(program *runtime.Program) (out []string) {
	if r.Procedure != "" {
		return append(out, r.replayProcedure(program)...)
	}
	rule, err := program.Rule(r.Rule, runtime.Choice{Options: r.Options, Outputs: r.Outputs})
	if err != nil {
		return append(out, err.Error())
	}
	out = append(out, r.replayRule(rule, dice.FallenByID(dice.NewRolls(r.Dice)), "the faces")...)
	if r.Seed != nil {
		out = append(out, r.replayRule(rule, dice.Throw{Given: dice.NewRolls(r.Given), Seed: r.Seed}, "the seed")...)
	}
	return out
}

// FindOtherFaces returns the dice that fell otherwise before a decision of this roll than a throw says.
func (r *Receipt) FindOtherFaces(program *runtime.Program, throw dice.Throw, fell map[string][]int64) (out []string) {
	rule, err := program.Rule(r.Rule, runtime.Choice{Options: r.Options})
	if err != nil {
		return []string{err.Error()}
	}
	request := runtime.Request{Character: r.Character, Input: r.Input, Throw: throw}
	var all dice.Rolls
	if sheet, err := rule.Eval(request); err == nil {
		all = sheet.Dice
	} else if why, failed := rule.Explain(request); failed == nil && why != nil {
		all = why.Dice
	} else {
		return []string{fmt.Sprintf("the dice before the decision, played again: %v", exit.WordRefusal(err))}
	}
	faces := all.ByID()
	for _, d := range dice.NewRolls(fell) {
		if all := faces[d.ID]; len(all) < len(d.Faces) || !slices.Equal(all[:len(d.Faces)], d.Faces) {
			out = append(out, fmt.Sprintf("before the decision %s gives %s=%s, the log says %s", throw.Text(), d.ID,
				facesText(all), facesText(d.Faces)))
		}
	}
	return out
}

// replayRule returns the differences between the receipt and the rule's answer with the faces of a throw.
func (r *Receipt) replayRule(rule *runtime.Rule, throw dice.Throw, by string) (out []string) {
	request := runtime.Request{Character: r.Character, Input: r.Input, Throw: throw}
	sheet, err := rule.Eval(request)
	switch {
	case err != nil && (r.Refused == "" || reasonOf(err) != r.Refused):
		return []string{fmt.Sprintf("played again with %s: %v", by, exit.WordRefusal(err))}
	case err == nil && r.Refused != "":
		return []string{fmt.Sprintf("played again with %s, it is not refused", by)}
	case err != nil:
		why, failed := rule.Explain(request)
		if failed != nil || why == nil {
			return []string{fmt.Sprintf("played again with %s, it is refused with no faces", by)}
		}
		return r.compareFaces(why.Dice, by)
	}
	out = r.compareFaces(sheet.Dice, by)
	for _, d := range sheet.Given {
		if !slices.Equal(d.Faces, r.Given[d.ID]) {
			out = append(out, fmt.Sprintf("the faces that were given of %s are %s, the receipt says %s", d.ID,
				facesText(d.Faces), facesText(r.Given[d.ID])))
		}
	}
	if output := sheet.Output.AppendJSON(nil); !bytes.Equal(output, r.Output) {
		out = append(out, fmt.Sprintf("played again with %s, the output is %s, not %s", by, output, r.Output))
	}
	return out
}

// compareFaces returns the dice that fall otherwise than the receipt says.
func (r *Receipt) compareFaces(faces dice.Rolls, by string) (out []string) {
	for _, d := range faces {
		if !slices.Equal(d.Faces, r.Dice[d.ID]) {
			out = append(out, fmt.Sprintf("%s gives %s=%s, the receipt says %s", by, d.ID, facesText(d.Faces),
				facesText(r.Dice[d.ID])))
		}
	}
	return out
}

func facesText(faces []int64) string {
	text, err := json.Marshal(faces)
	must.Succeed(err)
	return string(text)
}
