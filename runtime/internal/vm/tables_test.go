package vm

import (
	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"testing"
)

func TestLookUps(t *testing.T) {
	for _, c := range graphtest.TableCases() {
		b := graphtest.NewBuilder()
		c.Build(b)
		checkAnswers(b, t, c.Name, c.Want)
	}
}
