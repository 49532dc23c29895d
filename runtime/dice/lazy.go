package dice

import "sync"

// A lazy value is computed when it is first read. A package variable of sync.OnceValue does the same, but is set before
// main: its function, and all of package regexp that it calls, would be linked into programs that read no notation.
type lazy[T any] struct {
	compute func() T
	once    sync.Once
	value   T
}

func (l *lazy[T]) get() T {
	l.once.Do(func() { l.value = l.compute() })
	return l.value
}
