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
//
// Most keys are editions, so the shelf bounds the cache. Where readers write the keys, sizeOf and most bound it by the
// bytes of its values: the values kept first are dropped first.
type shelfCache[K comparable, V any] struct {
	sizeOf func(V) int // bytes of a value, about; nil where the shelf bounds the cache
	most   int         // bytes of all values that are kept

	mu    sync.Mutex
	shelf *library.Shelf
	made  map[K]*cacheEntry[V]
	keys  []K // of the values that count, in the order in which they were made
	bytes int // of these values
}

type cacheEntry[V any] struct {
	mu    sync.Mutex
	isSet bool
	value V
	bytes int // guarded by the lock of the cache
}

// find returns the value that was made for a key, or makes it. Others who ask for the key wait for it.
func (c *shelfCache[K, V]) find(shelf *library.Shelf, key K, make func() (V, error)) (V, error) {
	entry := c.entry(shelf, key)
	entry.mu.Lock()
	defer entry.mu.Unlock()
	if entry.isSet {
		return entry.value, nil
	}
	value, err := make()
	if err != nil {
		c.remove(key, entry)
		return value, err
	}
	entry.value, entry.isSet = value, true
	c.count(key, entry)
	return value, nil
}

// entry returns the entry of a key, and forgets those of another shelf. Whoever still uses one of these keeps it to
// himself.
func (c *shelfCache[K, V]) entry(shelf *library.Shelf, key K) *cacheEntry[V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shelf != shelf {
		c.shelf, c.made, c.keys, c.bytes = shelf, map[K]*cacheEntry[V]{}, nil, 0
	}
	if c.made[key] == nil {
		c.made[key] = &cacheEntry[V]{}
	}
	return c.made[key]
}

// remove removes the entry of a key for which nothing was made.
func (c *shelfCache[K, V]) remove(key K, entry *cacheEntry[V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made[key] == entry {
		delete(c.made, key)
	}
}

// count adds the bytes of a new value, and drops the oldest values while all together have too many.
func (c *shelfCache[K, V]) count(key K, entry *cacheEntry[V]) {
	if c.sizeOf == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made[key] != entry {
		return // it was of another shelf, or removed
	}
	entry.bytes = c.sizeOf(entry.value)
	c.keys, c.bytes = append(c.keys, key), c.bytes+entry.bytes
	for c.bytes > c.most {
		c.bytes -= c.made[c.keys[0]].bytes
		delete(c.made, c.keys[0])
		c.keys = c.keys[1:]
	}
}
