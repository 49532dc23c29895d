package revisions

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// compareMember notes the changes for a character: whether it fits, and its answers to its own inputs, or where it has none
// to those of the cases.
func (r *revisions) compareMember(m *Member, cases []*golden.Case) {
	if r.noteStranger(m) {
		return
	}
	if was, is := r.old.Fits(m.JSON), r.new.Fits(m.JSON); was != nil || is != nil {
		r.out.Party = append(r.out.Party, Shift{
			Who: m.Name, Subject: "character", Name: m.Name,
			Moved:   []Moved{{Path: "the character", Old: describeFit(was), New: describeFit(is)}},
			Because: r.editsAmong(func(*golden.Definitions) []*plan.Entry { return nil }),
		})
		return
	}
	for _, of := range r.askableCases() {
		r.compareRule(m, of, cases)
	}
}

// noteStranger reports whether a character fits neither revision, and notes why not the new one.
func (r *revisions) noteStranger(m *Member) bool {
	is := r.new.Fits(m.JSON)
	if is == nil || r.old.Fits(m.JSON) == nil {
		return false
	}
	r.out.Strangers[m.Name] = is
	return true
}

func describeFit(err error) string {
	if err == nil {
		return "fits"
	}
	return err.Error()
}

// compareRule notes the changes for a character in a rule or a procedure.
func (r *revisions) compareRule(m *Member, of *golden.Case, cases []*golden.Case) {
	asked := m.ownCases(of, r.hasDice(of))
	if asked == nil {
		asked = m.casesOfOthers(cases, of)
	}
	var shifts []Shift
	moved := r.shiftsOf(asked)
	for _, s := range moved {
		if s != nil && s.hasSheet() {
			s.Who = m.Name
			shifts = mergeShift(shifts, *s)
		}
	}
	r.out.Party = append(r.out.Party, shifts...)
	r.addChances(m, asked, moved)
}

// mergeShift adds a shift, as another seed of one that moves the same by the same question.
func mergeShift(list []Shift, s Shift) []Shift {
	for i := range list {
		if x := &list[i]; x.Name == s.Name && slices.Equal(x.Moved, s.Moved) && slices.Equal(x.Because, s.Because) {
			x.Seeds = append(x.Seeds, s.Seeds...)
			return list
		}
	}
	return append(list, s)
}

// hasSheet reports whether one of the two revisions answers with a sheet.
func (s *Shift) hasSheet() bool {
	m := s.Moved[0]
	return m.Path != sheetPath || strings.HasPrefix(m.Old, "{") || strings.HasPrefix(m.New, "{")
}
