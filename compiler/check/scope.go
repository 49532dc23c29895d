package check

import (
	"maps"
	"slices"
)

// isWithin reports whether a scope is another, or lies in it.
func (s *Scope) isWithin(outer *Scope) bool {
	for ; s != nil; s = s.around {
		if s == outer {
			return true
		}
	}
	return false
}

// readableNames lists the names that may be read, sorted.
func (s *Scope) readableNames() []string {
	all := map[string]bool{}
	for ; s != nil; s = s.around {
		for name := range s.names {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// describeObject returns the kind and the name of an object for a message.
func describeObject(o Object) string {
	switch o.(type) {
	case *Die:
		return "a die"
	case *Use:
		return "a use"
	case *Each:
		return "what a use walks"
	case *Let:
		return "a let or an output"
	case *Param:
		return "a parameter"
	case *Table:
		return "a table"
	case *Function:
		return "a function"
	}
	return "the " + o.Name()
}
