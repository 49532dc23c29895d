package dice

// Notes tell where the dialects of other programs disagree with what a notation means here. Those about one modifier are
// added where it is read (pool.go); those below need what stands around it.

// mirrored is each comparison with its sides exchanged.
var mirrored = map[Operation]Operation{
	Less: Greater, LessOrEqual: GreaterOrEqual, Greater: Less, GreaterOrEqual: LessOrEqual, Equal: Equal, Differs: Differs,
}

// addStep notes a modifier that is carried out before one that is written before it: others go from left to right.
// Clamping and keeping some dice by their order may change places, for clamping keeps the order.
func (m *modifiers) addStep(s writtenModifier) {
	for _, before := range m.steps {
		only := before.turn == selectTurn && len(m.pool.Select) > 0 && m.pool.Select[0].Only != nil
		switch {
		case s.turn == anyTurn || s.turn >= before.turn:
		case s.turn == clampTurn && !only:
		default:
			m.addNote(s.at, "%s is carried out before %s, in whatever order they are written; "+
				"Avrae and Foundry go from left to right, which takes a rule here (-e)", s.text, before.text)
		}
		if s.turn+before.turn == againTurn+explosionTurn {
			m.addNote(s.at, "what is rolled again may explode here; "+
				"in rpg-dice-roller what exploded is rolled again, which takes a rule here (-e)")
		}
	}
	m.steps = append(m.steps, s)
	if n := len(m.pool.Select); s.turn == selectTurn && n > 1 && m.pool.Select[n-1].keeps() && m.pool.Select[n-2].keeps() {
		m.addNote(s.at, "%s keeps of those that %s leaves; Avrae's keeps both, which takes a rule here (-e)", s.text,
			m.pool.Select[n-2].Text)
	}
}

// keeps reports whether a selection says which dice stay.
func (s *Selection) keeps() bool { return s.Keep || s.Only != nil }

// noteBare notes a selection of so many dice that says neither highest nor lowest.
func (m *modifiers) noteBare(at int, text string, n int64) {
	switch {
	case len(text) < 2 || !isDigit(rune(text[1])) || m.set:
	case text[0] == 'k' || text[0] == 'K':
		m.addNote(at, "%s keeps the highest %d, as on Roll20; Avrae's keeps the dice that show %d, which is k=%d here",
			text, n, n, n)
	case n > 1:
		m.addNote(at, "%s drops the lowest %d, as on Roll20; AnyDice's rolls so many d%d, which is (%s)%s here", text, n, n,
			string(m.text[m.pool.Offset:at]), text)
	}
}

// noteTree notes quotients that are not rounded, and comparisons that count dice where others compare a total.
func (g *grammar) noteTree(n *Notation) {
	if p, ok := n.Root.(*Pool); ok && p.isCount() && p.Count > 1 && len(p.Select) == 0 && p.mayCompareTotal() {
		g.addNote(p.Offset, "this counts dice; "+
			"AnyDice and Avrae compare the total, as a blank before the comparison does here")
	}
	g.noteBelow(n.Root, nil)
}

// noteBelow adds the notes of a part and the parts within it; parent is the operation on the part.
func (g *grammar) noteBelow(n Node, parent *Call) {
	switch x := n.(type) {
	case *Pool:
		if x.Counted != nil {
			g.noteBelow(x.Counted, nil)
		}
		if x.Faces.Sized != nil {
			g.noteBelow(x.Faces.Sized, nil)
		}
		for _, k := range x.Faces.Kinds {
			g.noteBelow(k.Node, nil)
		}
		if parent != nil && (parent.Op == Add || parent.Op == Subtract) && x.isCount() && !countsBeside(parent, x) {
			g.addNote(x.Offset, "%s counts its own dice, and the rest is added; "+
				"AnyDice and Avrae compare the total, as a blank before the comparison does here", x.Text)
		}
	case *Set:
		for _, item := range x.Items {
			g.noteBelow(item, nil)
		}
	case *Call:
		rounded := parent != nil && (parent.Op == Floor || parent.Op == Ceil || parent.Op == Round)
		if x.Op == Divide && !rounded && hasDice(x) {
			g.addNote(x.Offset, "/ gives fractions, as on Roll20; AnyDice rounds down, which is // here")
		}
		for _, a := range x.Args {
			g.noteBelow(a, x)
		}
	}
}

// isCount reports whether a pool counts the dice that meet a single comparison.
func (p *Pool) isCount() bool {
	return p.Score != nil && len(p.Score.Success) == 1 && len(p.Score.Twice)+len(p.Score.Failure) == 0
}

// countsBeside reports whether another part of a sum counts dice as well: then nobody means a total.
func countsBeside(sum *Call, p *Pool) (found bool) {
	for _, a := range sum.Args {
		walkNodes(a, func(n Node) {
			other, ok := n.(*Pool)
			found = found || ok && other != p && other.Score != nil
		})
	}
	return found
}

// mayCompareTotal reports whether the total of the dice, which do not explode, may meet the comparison that counts them,
// and may not.
func (p *Pool) mayCompareTotal() bool {
	if p.Explode != nil {
		return false
	}
	lo, hi := p.Faces.leastValue()*int64(p.Count), p.Faces.greatestValue()*int64(p.Count)
	t := p.Score.Success[0]
	switch n := t.N; t.Op {
	case Less, GreaterOrEqual:
		return lo < n && n <= hi
	case LessOrEqual, Greater:
		return lo <= n && n < hi
	default:
		return lo <= n && n <= hi
	}
}
