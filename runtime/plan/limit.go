package plan

import "strings"

// A Limit is a bound of a number that other fields of the same record set: a reserve is at most its maximum.
type Limit struct {
	Upper bool // the number is at most the sum; otherwise at least
	Open  bool // the sum itself is outside
	// Sum are the paths of the fields that are added, from the record that has the number. Where one of them is absent,
	// there is no bound.
	Sum  [][]string
	Plus float64 // and a number besides
}

// String returns the sum as the author writes it: "class.stamina + attributes.body".
func (l *Limit) String() string {
	var terms []string
	for _, path := range l.Sum {
		terms = append(terms, strings.Join(path, "."))
	}
	if l.Plus != 0 {
		terms = append(terms, FormatDouble(l.Plus))
	}
	return strings.Join(terms, " + ")
}

// Comparison returns the relation of a number to the sum: "at most", "less than", "at least" or "more than".
func (l *Limit) Comparison() string {
	switch {
	case l.Upper && l.Open:
		return "less than"
	case l.Upper:
		return "at most"
	case l.Open:
		return "more than"
	}
	return "at least"
}

// Path returns the shape of the value at a path of names; nil where there is none.
func (s *Shape) Path(path []string) *Shape {
	for _, name := range path {
		s = s.Member(name)
	}
	return s
}

// IsNumber reports whether the values of the shape are ints or doubles.
func (s *Shape) IsNumber() bool { return s != nil && (s.Kind == Int || s.Kind == Double) }
