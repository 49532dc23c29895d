// Package runtime carries out the rules of a ruleset that was compiled to a plan file. It is all that a game, a character
// builder or a server needs: no compiler, no sources, no files but the plan.
//
// A program is loaded once, a rule is prepared once for the rulings that a table of players has chosen, and is then asked
// as often as needed, from as many goroutines as needed:
//
//	program, err := runtime.Load(planFile)
//	if err != nil {
//		return err // the file is damaged, or of another version
//	}
//	rule, err := program.Rule("test", runtime.Choice{Options: map[string]string{"heroic_band": "none"}})
//	if err != nil {
//		return err // an unknown rule or option; the error names the nearest one
//	}
//	sheet, err := rule.Eval(runtime.Request{
//		Character: []byte(`{"skills": {"navigation": 90}}`),
//		Input:     []byte(`{"name": "navigation", "difficulty": "hard"}`),
//		Dice:      dice.FromList([]int64{43}), // what the players rolled; or dice.FromSeed
//	})
//	if refused, ok := errors.AsType[*runtime.Refused](err); ok {
//		return tell(refused.Error()) // the rules do not allow it
//	}
//	success, _ := sheet.Output.Get("success")
//	fmt.Println(success.Bool())
//
// # Which way to ask
//
//   - Rule.Eval: one character in JSON, one sheet with the faces, the outputs and, if asked for, a trace.
//   - Rule.Ask: step by step, when not everything is known yet; the answer is a sheet or the questions that come next.
//   - Program.Procedure: rules with a memory. Start gives a Play, Play.Do lets an event happen, and its JSON can be saved
//     and gone on with.
//   - Rule.Batch: many characters in JSON, on all cores, in their order.
//   - Rule.Frame: one record after the other without JSON and without allocating; Rule.Block: a thousand at once.
//
// Package odds, below this one, gives exact chances instead of one answer.
//
// # What can be relied on
//
// An evaluation is a pure function: the same plan, choice, character, input and dice give the same sheet, byte for byte, on
// every machine and in each of these ways. Chance is an input. Every evaluation ends: lists and dice are bounded, and work
// is counted in instructions and never in time. A Program, a Rule, a Procedure and a Batch may be used by several
// goroutines at once; a Frame, a Block and a Play belong to one.
//
// What goes wrong has a type. An *UnknownError is a name that nothing has; an *InputError is JSON that does not fit, with
// its path; a *dice.Error is a face too many, too few or impossible; *Refused is a requirement of the rules that does not
// hold; a *Failure is a formula without a value. The first three are mistakes of who asks, the last two are answers.
package runtime
