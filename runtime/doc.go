// Package runtime carries out the rules of a ruleset that was compiled to a plan file. It needs no compiler and no sources:
//
//	program, err := runtime.Open("tempestas.plan")
//	rule, err := program.Rule("test", runtime.Choice{Options: map[string]string{"heroic_band": "none"}})
//	sheet, err := rule.Eval(runtime.Request{
//		Character: []byte(`{"skills": {"navigation": 90}}`),
//		Input:     []byte(`{"name": "navigation", "difficulty": "hard"}`),
//		Throw:     dice.Fallen(43), // rolled by the players; or dice.DrawnFrom(seed)
//	})
//	if refused, ok := errors.AsType[*runtime.Refused](err); ok {
//		return tell(refused.Error()) // the rules do not allow it
//	}
//	var outputs struct{ Success bool }
//	err = sheet.Decode(&outputs)
//
// Without faces the same request asks for chances, over every way in which the dice can fall:
//
//	program, err := runtime.Open("tempestas.plan")
//	rule, err := program.Rule("test", runtime.Choice{})
//	answer, err := rule.Odds(ctx, runtime.Request{Character: character, Input: input}, nil)
//	fmt.Println(answer.Output("success").P)
//
// Rule.Eval answers for one character; Rule.Ask step by step, when not everything is known; Rule.Batch for many in JSON;
// Rule.Frame and Rule.Block without JSON. Procedure.Play plays rules with a memory, and Procedure.Odds follows them. In all
// of these an evaluation is a pure function: the same plan, choice and request give the same sheet, byte for byte, on every
// machine. It always ends, because lists, dice and work are bounded.
package runtime
