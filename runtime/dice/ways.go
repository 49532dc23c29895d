package dice

// Ways is a Source that gives, evaluation after evaluation, each way in which the dice can fall of which no face is given.
// It is for few dice: their ways multiply. Dice that fall on and on have ways without end; who asks must stop.
//
// The ways are the leaves of a tree whose branches are faces. path is the way that is being followed; the next one has the
// next face at its last branch that has one left, as an odometer goes on.
type Ways struct {
	given map[string][]int64 // what they show
	taken map[string]int     // how many of given have fallen in this evaluation
	path  []branch
	at    int // how many branches this evaluation has taken
}

// A branch is a face that falls by chance.
type branch struct {
	open []int64 // the faces that can fall
	next int     // the index of the one that does
}

// NewWays returns a Source of all ways that have the given faces, by the ids of their dice.
func NewWays(given map[string][]int64) *Ways { return &Ways{given: given, taken: map[string]int{}} }

// Face implements Source.
func (w *Ways) Face(d *Draw) (int64, error) {
	id := d.id()
	if n := w.taken[id]; n < len(w.given[id]) {
		w.taken[id]++
		return d.faceOf(w.given[id][n], n+1)
	}
	if w.at == len(w.path) {
		b := branch{}
		for face := int64(1); face <= d.Faces; face++ {
			if !d.isSpent(face) {
				b.open = append(b.open, face)
			}
		}
		w.path = append(w.path, b)
	}
	b := &w.path[w.at]
	w.at++
	return b.open[b.next], nil
}

// Rest implements Source.
func (w *Ways) Rest() error { return nil }

// P returns the chance of the way that the last evaluation took, when the given faces have fallen.
func (w *Ways) P() float64 {
	p := 1.0
	for _, b := range w.path {
		p /= float64(len(b.open))
	}
	return p
}

// Next begins another evaluation, with the next way; false when there is none.
func (w *Ways) Next() bool {
	w.path = w.path[:w.at]
	w.at = 0
	clear(w.taken)
	for last := len(w.path) - 1; last >= 0; last-- {
		if w.path[last].next++; w.path[last].next < len(w.path[last].open) {
			return true
		}
		w.path = w.path[:last]
	}
	return false
}
