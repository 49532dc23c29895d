package site

import (
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
)

// A shelfCache keeps what was made of the editions of the shelf that was last seen, by a key: making the pages of a book
// takes as long as answering a hundred of them, comparing two states as long as all golden cases. Whoever comes while
// something is made waits for it; what could not be made is tried again by the next one.
//
// The lock of an entry is held while it is made, and that of the cache is not: two readers of the
// same book share one making, and readers of another book do not wait for it.
type shelfCache[K comparable, V any] struct {
	mu    sync.Mutex
	shelf *library.Shelf
	made  map[K]*cacheEntry[V]
}

type cacheEntry[V any] struct {
	mu    sync.Mutex
	isSet bool
	value V
}

// mostEntriesMade bounds a cache: odds may be asked for in any number of ways.
const mostEntriesMade = 1000

// find returns the value that was made for a key, or makes it. Others who ask for the key wait for it.
func (c *shelfCache[K, V]) find(shelf *library.Shelf, key K, make func() (V, error)) (V, error) {
	entry := c.entry(shelf, key)
	entry.mu.Lock()
	defer entry.mu.Unlock()
	if entry.isSet {
		return entry.value, nil
	}
	value, err := make()
	if err == nil {
		entry.value, entry.isSet = value, true
	}
	return value, err
}

// entry is the entry of a key. Those of another shelf are forgotten, and all when there are too many; whoever still uses
// one keeps it to himself.
func (c *shelfCache[K, V]) entry(shelf *library.Shelf, key K) *cacheEntry[V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shelf != shelf || len(c.made) >= mostEntriesMade {
		c.shelf, c.made = shelf, map[K]*cacheEntry[V]{}
	}
	if c.made[key] == nil {
		c.made[key] = &cacheEntry[V]{}
	}
	return c.made[key]
}
