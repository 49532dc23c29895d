package rewrite

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Cards in the order in which they are drawn.
//
// "Has the first hand more aces than the second", "the place of the first ace": the order of the cards is read, so that no
// counts can tell it, and ten of 52 cards are drawn in 10^16 orders. But the readers tell few kinds of cards apart, here
// aces and all others. Then what is left of the deck is a number for each kind, and a card is drawn by a die of as many
// faces as there are cards left, a1 of the first kind and a2 of the second: up to a1 it is of the first kind, up to a1 + a2
// of the second. Each card is a small source that reads the numbers left, and elimination forgets it once its readers have
// been computed.
//
// Kinds are found as classes of a pool are, by a round whose graph is thrown away. There a card is a plain die, and
// everything that follows from one card alone is computed for each face. Faces of which all that other nodes read of it is
// equal are one kind: of "c % 13 == 0 || c > 48" only the truth is read, and two kinds are left.
//
// What pays for it is Mosteller's first ace, case first_ace of golden/published: it would need 8·10^67 states without.

// A deck is the cards of a list that are left to be drawn.
type deck struct {
	*emitter
	kinds     []Class   // nil before they are known
	remaining []plan.ID // of each kind, the number of cards
	size      int64     // of all kinds
	cards     []plan.ID // drawn while the kinds are not known: plain dice
	faces     int64
	settings  *poolSettings
}

// newDeck returns a full deck.
func (x *expander) newDeck(faces int64, of *poolSettings) *deck {
	d := &deck{emitter: x.emitter, kinds: of.kinds, size: faces, faces: faces, settings: of}
	for _, k := range d.kinds {
		d.remaining = append(d.remaining, x.constantNode(plan.Int, int64(len(k))))
	}
	x.decks = append(x.decks, d)
	return d
}

// drawCard returns the card that a die of as many faces as there are cards left decides, by the first face of its kind.
func (d *deck) drawCard(roll plan.ID) plan.ID {
	if d.kinds == nil {
		d.cards = append(d.cards, roll)
		return roll
	}
	d.size--
	upTo, before := d.constantNode(plan.Int, 0), d.constantNode(plan.Bool, 0)
	card := d.constantNode(plan.Int, d.kinds[len(d.kinds)-1][0])
	var shown []plan.ID
	for k := range d.kinds {
		within := d.constantNode(plan.Bool, 1)
		if k < len(d.kinds)-1 {
			upTo = d.emitOp(plan.OpAddInt, plan.Int, upTo, d.remaining[k])
			within = d.emitOp(plan.OpLeInt, plan.Bool, roll, upTo)
		}
		is := d.emitOp(plan.OpAnd, plan.Bool, within, d.emitOp(plan.OpNot, plan.Bool, before))
		d.remaining[k] = d.emitOp(plan.OpSubInt, plan.Int, d.remaining[k], d.asCount(is))
		shown, before = append(shown, is), within
	}
	for k, is := range slices.Backward(shown[:len(shown)-1]) {
		card = d.emitChoice(plan.Int, is, d.constantNode(plan.Int, d.kinds[k][0]), card)
	}
	return card
}

// groupCards finds the kinds of cards that are not known yet; it reports whether there were some. Where every card is a
// kind by itself the list is met as a list.
func (x *expander) groupCards() (changed bool) {
	for _, d := range x.decks {
		if d.kinds == nil {
			d.settings.kinds, changed = d.findKinds(x.from.Plan, x.roots), true
			d.settings.sequence = len(d.settings.kinds) < int(d.faces)
		}
	}
	return changed
}

// findKinds returns the kinds of the cards of a deck, of a graph with some roots.
func (d *deck) findKinds(p *plan.Plan, roots []*plan.Value) (out []Class) {
	values := map[plan.ID][]int64{} // of what follows from one card, by its face
	from := map[plan.ID]plan.ID{}   // the card
	for _, card := range d.cards {
		from[card] = card
		for face := range d.faces {
			values[card] = append(values[card], face+1)
		}
	}
	seen := make([][]int64, d.faces)
	read := map[plan.ID]bool{}
	note := func(id plan.ID) {
		if of, ok := values[id]; ok && !read[id] {
			read[id] = true
			for face, v := range of {
				seen[face] = append(seen[face], v)
			}
		}
	}
	for i := range d.out.Nodes {
		id := plan.ID(i)
		n := &d.out.Nodes[id]
		if card, follows := d.onlyCard(n, from); follows {
			if of := d.computeFaces(p, n, values); of != nil {
				values[id], from[id] = of, card
				continue
			}
		}
		for _, a := range n.Args {
			if a != plan.None {
				note(a)
			}
		}
	}
	for _, b := range d.out.Blocks {
		for _, r := range b.Results {
			note(r)
		}
	}
	for id := range values {
		if slices.ContainsFunc(roots, func(v *plan.Value) bool {
			return isPartOf(v, id) || v.Fault == id ||
				v.Present == id
		}) {
			note(id)
		}
	}
	for face := range d.faces {
		k := slices.IndexFunc(out, func(c Class) bool { return slices.Equal(seen[c[0]-1], seen[face]) })
		if k < 0 {
			out = append(out, Class{face + 1})
		} else {
			out[k] = append(out[k], face+1)
		}
	}
	return out
}

// onlyCard returns the card from which a node follows, if it follows from a single one.
func (d *deck) onlyCard(n *plan.Node, from map[plan.ID]plan.ID) (card plan.ID, follows bool) {
	for _, a := range n.Args {
		if a == plan.None {
			return 0, false
		}
		if _, known := d.constantValue(a); known {
			continue
		}
		of, ok := from[a]
		if !ok || follows && of != card {
			return 0, false
		}
		card, follows = of, true
	}
	return card, follows
}

// computeFaces returns the value of a node for each face of the card from which it follows, or nil when it is not
// known.
func (d *deck) computeFaces(p *plan.Plan, n *plan.Node, values map[plan.ID][]int64) (out []int64) {
	if n.Op == plan.OpPush || n.Op == plan.OpLoop || len(n.Args) > 2 && n.Op != plan.OpSelect {
		return nil
	}
	for face := range d.faces {
		var v [3]int64
		for k, a := range n.Args {
			if c, known := d.constantValue(a); known {
				v[k] = c
			} else {
				v[k] = values[a][face]
			}
		}
		result, ok := schedule.FoldOperands(p, n.Op, n.Imm, v)
		if !ok {
			return nil
		}
		out = append(out, result)
	}
	return out
}
