package check

import (
	"maps"
	"slices"
)

// A Scope is the names that may be read at a place of a ruleset: its own and those around it. It has no types of its own:
// what a name is of is asked of its object when a formula that reads it is typed.
type Scope struct {
	around *Scope
	names  map[string]Object
}

func newScope(around *Scope, objects ...Object) *Scope {
	s := &Scope{around: around, names: map[string]Object{}}
	for _, o := range objects {
		s.names[o.Name()] = o
	}
	return s
}

// findObject looks a name up from the inside out; nil when it may not be read here.
func (s *Scope) findObject(name string) Object {
	for ; s != nil; s = s.around {
		if o := s.names[name]; o != nil {
			return o
		}
	}
	return nil
}

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

// describeObject says in a message what a name stands for.
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
