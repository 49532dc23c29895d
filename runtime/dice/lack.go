package dice

import "slices"

// A Lack is a die that needs faces which were not given.
type Lack struct {
	ID    string // as given dice address it
	Faces int64  // that the die shows
	Count int    // how many faces are missing
}

// FindLacks returns the faces that an evaluation needs and is not given, in the order in which they fall. given returns a
// source of the given faces, and evaluate carries the evaluation out with a source in its place.
//
// Which dice fall later may depend on the missing faces themselves: a die may explode, or be rolled after a success alone.
// So the evaluation is carried out twice, with the lowest and with the highest faces in place of those that are missing,
// and only faces that are missing both times are listed. More may be needed, but the listed ones are needed by both.
func FindLacks(given func() Source, evaluate func(Source)) []Lack {
	low := NewStopgap(given(), false)
	evaluate(low)
	high := NewStopgap(given(), true)
	evaluate(high)
	var out []Lack
	for _, l := range low.lacks {
		at := high.indexOf(l.ID)
		if at < 0 {
			continue
		}
		l.Count = min(l.Count, high.lacks[at].Count)
		out = append(out, l)
	}
	return out
}

// maxLacking bounds the faces that a Stopgap makes up: dice that explode on their lowest face would fall without end.
const maxLacking = 1000

// A Stopgap gives the faces of another source, and the lowest or the highest face for each that is missing there.
// lacks are in the order in which faces were missing first; total counts all that it has made up.
type Stopgap struct {
	source  Source
	highest bool
	lacks   []Lack
	total   int
}

// NewStopgap returns a source of the faces of another one, and of the lowest or the highest ones where that lacks them.
func NewStopgap(source Source, highest bool) *Stopgap {
	return &Stopgap{source: source, highest: highest}
}

// HasMadeUp reports whether faces were missing.
func (s *Stopgap) HasMadeUp() bool { return s.total > 0 }

// Face implements Source.
func (s *Stopgap) Face(d *Draw) (int64, error) {
	face, err := s.source.Face(d)
	if !IsMissing(err) || s.total == maxLacking {
		return face, err
	}
	s.total++
	at := s.indexOf(d.id())
	if at < 0 {
		at = len(s.lacks)
		s.lacks = append(s.lacks, Lack{ID: d.id(), Faces: d.Faces})
	}
	s.lacks[at].Count++
	// Dice that explode on their highest face stop when each of the dice that are rolled together has exploded.
	fromTop := s.highest && int64(s.lacks[at].Count) <= d.Count
	for i := range d.Faces {
		face = 1 + i
		if fromTop {
			face = d.Faces - i
		}
		if !d.Die.Distinct || !slices.Contains(d.Seen, face) {
			return face, nil
		}
	}
	return 0, err
}

// Rest implements Source.
func (s *Stopgap) Rest() error { return s.source.Rest() }

func (s *Stopgap) indexOf(id string) int {
	return slices.IndexFunc(s.lacks, func(l Lack) bool { return l.ID == id })
}
