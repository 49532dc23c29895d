package revisions

import (
	"fmt"

	"github.com/tabletop-rules/rules/runtime/compare"
)

// A Comparison is what differs between two revisions of a ruleset, and whom it meets.
type Comparison struct {
	*compare.Diff
	Cases []Shift  `json:"cases"` // golden cases that answer otherwise
	Party []Shift  `json:"party"` // characters whose numbers change
	Odds  []Chance `json:"odds"`  // characters whose odds change

	Strangers map[string]error `json:"-"` // characters that fit neither revision, and why not the new one
}

// A Shift is a question that two revisions answer otherwise.
type Shift struct {
	Who     string   `json:"character,omitempty"` // of a party; empty for a case
	Subject string   `json:"subject"`             // the rule or procedure
	Name    string   `json:"name"`                // of the case, or of the file with the input
	Seeds   []uint64 `json:"seeds,omitempty"`     // from which faces were drawn that move the same
	Moved   []Moved  `json:"moved"`
	Because []string `json:"edit"` // the changed definitions that it comes from
}

// String names the question.
func (s *Shift) String() string {
	text := s.Subject + ", " + s.Name
	if s.Who != "" {
		text = s.Who + ": " + text
	}
	switch n := len(s.Seeds); n {
	case 0:
		return text
	case 1:
		return text + fmt.Sprintf(", seed %d", s.Seeds[0])
	default:
		return text + fmt.Sprintf(", seed %d and %d more", s.Seeds[0], n-1)
	}
}

// Moved is a place in a sheet with what stood and what stands there, as JSON; why there is no sheet, when there is none.
type Moved struct {
	Path  string `json:"path"`
	Old   string `json:"old,omitempty"`
	New   string `json:"new,omitempty"`
	Place string `json:"place,omitempty"` // "golden/haze/leap.txtar:12", where a case states the value
}

// String returns the move in words.
func (m Moved) String() string {
	switch {
	case m.Place != "":
		place := m.Place
		m.Place = ""
		return place + ": " + m.String()
	case m.Old == "":
		return m.Path + ": new: " + m.New
	case m.New == "":
		return m.Path + ": gone, was " + m.Old
	}
	return m.Path + ": " + m.Old + " -> " + m.New
}

// sheetPath is the path of a sheet as a whole.
const sheetPath = "the sheet"
