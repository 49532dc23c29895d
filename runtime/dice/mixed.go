package dice

import "github.com/tabletop-rules/rules/runtime/plan"

// Mixed gives the faces that were given and draws the others from a seed. Every face takes its draw from the stream,
// whether it is given or not: giving one face never changes the others.
//
// A face 0 among those that are given stands for one that is drawn, as do all faces after the last. Of a die that shows 0
// it is that face: only the last of its faces can be drawn.
//
// faces has, by die, the numbers of the faces that were given and 0 for each that was drawn, which
// MixAgain takes to repeat the evaluation. any and drawn report whether both happened: only then is
// it worth noting.
type Mixed struct {
	given    *Named
	seeded   *Seeded
	numbered bool // faces are given by their numbers, whatever they show
	faces    map[string][]int64
	order    []string // of the ids in faces
	any      bool     // a face was given
	drawn    bool     // a face was drawn
}

// Mix returns the Source of an evaluation of which some faces are given by the id of their die.
func Mix(given map[string][]int64, seeded *Seeded) *Mixed {
	return &Mixed{given: ByID(given), seeded: seeded, faces: map[string][]int64{}}
}

// MixAgain is the Source of an evaluation that is repeated. The faces are those that a sheet reports as given: numbers of
// faces, and 0 for each that was drawn.
func MixAgain(origin map[string][]int64, seeded *Seeded) *Mixed {
	m := Mix(origin, seeded)
	m.numbered = true
	return m
}

// Face implements Source.
func (m *Mixed) Face(d *Draw) (int64, error) {
	drawn, err := m.seeded.Face(d)
	if err != nil {
		return 0, err
	}
	id := d.id()
	if _, known := m.faces[id]; !known {
		m.order = append(m.order, id)
	}
	pile := m.given.piles[id]
	switch {
	case pile == nil || pile.next == len(pile.faces):
	case pile.faces[pile.next] == 0 && (m.numbered || !d.Die.ShowsZero()):
		pile.next++
	default:
		face, err := m.givenFace(d)
		m.faces[id], m.any = append(m.faces[id], face), true
		return face, err
	}
	m.faces[id], m.drawn = append(m.faces[id], 0), true
	return drawn, nil
}

// givenFace returns the next face of a die, which was given.
func (m *Mixed) givenFace(d *Draw) (int64, error) {
	if !m.numbered || d.Die.Shows == nil {
		return m.given.Face(d)
	}
	die, byNumber := *d.Die, *d
	die.Shows, byNumber.Die = nil, &die
	return m.given.Face(&byNumber)
}

// Rest implements Source.
func (m *Mixed) Rest() error { return m.given.Rest() }

// Origin returns the faces that fell by the id of their die, in order: the numbers of those that were given, counted from
// 1 whatever they show, and 0 for each that was drawn.
// It is nil when all were given or all were drawn.
func (m *Mixed) Origin() (out Rolls) {
	if !m.any || !m.drawn {
		return nil
	}
	for _, id := range m.order {
		out = append(out, Roll{id, m.faces[id]})
	}
	return out
}

// A Preview gives the faces that were given, draws those of dice that fall by themselves, and gives, instead of the first
// other one, an error of IsMissing; Next is then the face that Mix would draw. As of Mix, every face takes its draw.
type Preview struct {
	given     *Named
	seeded    *Seeded
	isUnasked func(*plan.Die) bool
	faces     map[string][]int64 // by die, the numbers of the faces that were given, and 0 for each that fell by itself
	order     []string           // of the ids in faces
	Next      int64
}

// NewPreview returns the Preview of the faces that were given. isUnasked says which dice fall by themselves.
func NewPreview(given map[string][]int64, seeded *Seeded, isUnasked func(*plan.Die) bool) *Preview {
	return &Preview{given: ByID(given), seeded: seeded, isUnasked: isUnasked, faces: map[string][]int64{}}
}

// Face implements Source.
func (p *Preview) Face(d *Draw) (int64, error) {
	drawn, err := p.seeded.Face(d)
	if err != nil {
		return 0, err
	}
	id := d.id()
	if _, known := p.faces[id]; !known {
		p.order = append(p.order, id)
	}
	if pile := p.given.piles[id]; (pile == nil || pile.next == len(pile.faces)) && p.isUnasked(d.Die) {
		p.faces[id] = append(p.faces[id], 0)
		return drawn, nil
	}
	p.Next = d.Die.Shown(drawn)
	face, err := p.given.Face(d)
	if err == nil {
		p.faces[id] = append(p.faces[id], face)
	}
	return face, err
}

// Rest implements Source.
func (p *Preview) Rest() error { return p.given.Rest() }

// Origin returns the faces that fell by the id of their die: the numbers of those that were given, and 0 for each that was
// drawn. told says by zeros which of those that were asked for were drawn.
func (p *Preview) Origin(told Rolls) (out Rolls) {
	of := told.ByID()
	for _, id := range p.order {
		for i, number := range of[id] {
			if number == 0 && i < len(p.faces[id]) {
				p.faces[id][i] = 0
			}
		}
		out = append(out, Roll{id, p.faces[id]})
	}
	return out
}
