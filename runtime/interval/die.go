package interval

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// DieTotals returns the bounds of the total of one die with all its explosions; faces is the greatest number of its
// faces.
//
// For a d6 that explodes on a 6 without end, stops is {6}: the least is 1; the chain goes on with sixes, plan.MaxChain
// - 1 times at most, and ends with a face that does not explode, 5. With Times of 2 it is two sixes and any third face:
// 18. Faces that are rolled again until they stay away are no result; those that are rolled again once may stay.
func DieTotals(d *plan.Die, faces int64) (least, most int64) {
	if d.AddsShown() {
		return shownTotals(d)
	}
	var never plan.Band // faces that never stay
	if !d.Once {
		never = d.Again
	}
	stops := never
	if d.Times == 0 {
		stops = d.Explode
	}
	least, most = lowestFace(never, stops), highestFace(faces, never)
	on := highestFace(min(faces, d.Explode.Hi), never)
	if on < max(1, d.Explode.Lo) {
		return least, max(least, most)
	}
	chain := d.Times
	if chain == 0 || chain >= plan.MaxChain {
		chain, most = plan.MaxChain-1, highestFace(faces, never, stops)
	}
	if builtin.MulOverflows(on, chain) || builtin.AddOverflows(most, on*chain) {
		return least, math.MaxInt64
	}
	return least, max(least, most+on*chain)
}

// shownTotals returns the bounds of the sum of the numbers on the faces of a chain. They are few, and bounded so that no
// sum overflows.
func shownTotals(d *plan.Die) (least, most int64) {
	on, ends := [2]int64{}, [2]int64{math.MaxInt64, math.MinInt64}
	for i, shown := range d.Shows {
		face := int64(i) + 1
		if d.Again.Holds(face) && !d.Once {
			continue
		}
		explodes := d.Explode.Holds(face)
		if explodes { // none, or some of these stand before the last
			on = [2]int64{min(on[0], shown), max(on[1], shown)}
		}
		if !explodes || d.Times > 0 {
			ends = [2]int64{min(ends[0], shown), max(ends[1], shown)}
		}
	}
	if ends[0] > ends[1] {
		return 0, 0 // it never ends
	}
	chain := int64(plan.MaxChain - 1)
	if d.Times > 0 {
		chain = min(chain, d.Times)
	}
	return ends[0] + on[0]*chain, ends[1] + on[1]*chain
}

// lowestFace returns the lowest face outside of bands. If bands without an upper end hold all further faces, it returns
// the first of these.
func lowestFace(out ...plan.Band) int64 {
	face := int64(1)
	for range out {
		for _, b := range out {
			if b.Holds(face) && b.Hi < math.MaxInt64 {
				face = b.Hi + 1
			}
		}
	}
	return face
}

// highestFace returns the highest of so many faces outside of bands; 0 when there is none.
func highestFace(faces int64, out ...plan.Band) int64 {
	for range out {
		for _, b := range out {
			if b.Holds(faces) {
				faces = max(1, b.Lo) - 1
			}
		}
	}
	return faces
}

// boundRoll returns the interval of a die, or of a list of dice; of nothing if its guard does not hold.
func boundRoll(v *valuation, n *plan.Node) Interval {
	die := &v.graph.Dice[n.Imm]
	guard, faces, count := v.arg(n, 0), intInterval(DieTotals(die, max(1, v.arg(n, 1).Max))), v.arg(n, 2)
	if !die.List {
		if guard.Min == 0 {
			faces = faces.or0(plan.Int)
		}
		return faces
	}
	out := intInterval(max(0, count.Min), max(0, count.Max))
	if die.Most > 0 {
		out.Max = min(out.Max, die.Most)
	}
	if guard.Min == 0 {
		out.Min = 0
	}
	out.Max, out.Elem = min(out.Max, math.MaxUint32), []Interval{faces}
	return out
}
