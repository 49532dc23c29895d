package dice

import "github.com/tabletop-rules/rules/runtime/plan"

// A Chain is one die while it is rolled, again and on.
type Chain struct {
	Total int64 // of what the faces that stay add
	again bool  // the last face was rolled again
	on    int64 // how often it has exploded
}

// Take takes the face that fell next, and reports whether another one falls.
func (c *Chain) Take(d *plan.Die, face int64) (more bool) {
	if d.Again.Holds(face) && !(d.Once && c.again) {
		c.again = true
		return true
	}
	c.again = false
	c.Total += d.Worth(face)
	if !d.Explode.Holds(face) || c.on == d.Times && d.Times > 0 {
		return false
	}
	c.on++
	return true
}

// Endless says why a die with so many faces would be rolled without end, whatever falls; "" when it comes to one.
func Endless(d *plan.Die, faces int64) string {
	again, on := d.Again, d.Explode
	if d.Once {
		again = plan.Band{}
	}
	if d.Times > 0 {
		on = plan.Band{}
	}
	switch {
	case holdAllFaces(faces, again):
		return "every face is rolled again, so the roll never ends: leave one out"
	case holdAllFaces(faces, on):
		return "every face explodes, so the roll never ends: leave one out"
	case holdAllFaces(faces, again, on):
		return "every face is rolled again or explodes, so the roll never ends: leave one out"
	}
	return ""
}

// holdAllFaces reports whether bands hold all faces.
// Each band can push next on once for each other band that has to come before it, so as many rounds
// as bands are enough, whatever their order.
func holdAllFaces(faces int64, bands ...plan.Band) bool {
	next := int64(1) // the first face that is not held yet
	for range bands {
		for _, b := range bands {
			if b.Holds(next) && b.Hi >= faces {
				return true
			}
			if b.Holds(next) {
				next = b.Hi + 1
			}
		}
	}
	return false
}
