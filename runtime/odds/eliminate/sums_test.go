package eliminate_test

import (
	"math/big"
	"testing"
)

// What each of fifty dice adds by itself is summed as a power of one die, also where an overflow that cannot happen is
// carried beside the sum: of dice that show 8 or more, or the tens of dice that explode.
func TestSumsOfEachDieArePowers(t *testing.T) {
	for output, most := range map[string]int64{
		"d.sum(f, f % 10 >= 8 ? 1 : 0)": 1_000, "d.sum(f, div_floor(f, 10) + (f % 10 >= 8 ? 1 : 0))": 40_000,
	} {
		p := gameOf(t, `dice: d: {die: 10, count: 50, explode: on: 10}, output: n: "`+output+`"`)
		if work := workOf(t, p, "r", 0); work > most {
			t.Errorf("%s takes %d states", output, work)
		}
	}
	p := gameOf(t, `dice: d: {die: 10, count: 50}, output: n: "d.sum(f, f >= 8 ? 1 : 0)"`)
	compareExact(t, "plain", exactOf(t, p, "r", "n"), binomialOf(50, big.NewRat(3, 10)))
}
