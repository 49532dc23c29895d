package load

import (
	"math/big"
	"strconv"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// isNumber reports whether a kind is ordered by size, so that it may have bounds.
func isNumber(k plan.Kind) bool { return k == plan.Int || k == plan.Double }

// isExact reports whether a double holds a whole number and every smaller one.
func isExact(i *big.Int) bool { return i.CmpAbs(big.NewInt(1<<53)) <= 0 }

func formatInt(i int64) string { return strconv.FormatInt(i, 10) }
