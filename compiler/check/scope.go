package check

import (
	"fmt"
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

// freeName returns the first of some names that may be declared in the scope, or the last one with a number behind it.
func (s *Scope) freeName(names ...string) string {
	for _, name := range names {
		if s.findObject(name) == nil {
			return name
		}
	}
	last := names[len(names)-1]
	for i := 2; ; i++ {
		if name := fmt.Sprint(last, i); s.findObject(name) == nil {
			return name
		}
	}
}

// usesOf lists the uses of a rule that may be read, sorted.
func (s *Scope) usesOf(rule string) (out []string) {
	for _, name := range s.readableNames() {
		if u, ok := s.findObject(name).(*Use); ok && u.Book.Rule.S == rule {
			out = append(out, name)
		}
	}
	return out
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
