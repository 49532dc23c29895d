package notation_test

import (
	"fmt"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
)

// Dice need no ruleset. The best three of four dice have a mean of 15869/1296.
func ExampleComputeTotal() {
	e, err := dice.ParseExpression("4d6kh3")
	if err != nil {
		fmt.Println(err)
		return
	}
	sum, err := notation.ComputeTotal(e)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sum.Marginal().ExactMean())
	// Output: 15869/1296
}
