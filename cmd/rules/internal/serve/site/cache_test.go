package site

import (
	"errors"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
)

// TestCacheIsBoundedByBytes keeps values of 4 bytes where 10 fit: two. The third drops the first alone, a look at one that
// is there drops none, and a value that does not fit drops all and is not kept itself.
func TestCacheIsBoundedByBytes(t *testing.T) {
	c := shelfCache[string, string]{sizeOf: func(s string) int { return len(s) }, most: 10}
	shelf, made := &library.Shelf{}, ""
	find := func(key, value string) {
		if got, err := c.find(shelf, key, func() (string, error) { made += key; return value, nil }); got != value || err != nil {
			t.Errorf("%s is %q, %v; want %q", key, got, err, value)
		}
	}
	for _, key := range []string{"a", "b", "a", "c", "c", "b", "a"} {
		find(key, "1234")
	}
	if made != "abca" {
		t.Errorf("made in the order %s, want abca: a is dropped for c, and b is not", made)
	}
	find("d", "12345678901")
	if len(c.made) != 0 || c.bytes != 0 {
		t.Errorf("%d entries and %d bytes are kept beyond the bound", len(c.made), c.bytes)
	}
}

// TestCacheKeepsNoErrors asks twice for something that cannot be made: both tries are made, and nothing is left of them.
func TestCacheKeepsNoErrors(t *testing.T) {
	c := shelfCache[string, string]{}
	shelf, tries := &library.Shelf{}, 0
	for range 2 {
		if _, err := c.find(shelf, "a", func() (string, error) { tries++; return "", errors.New("no") }); err == nil {
			t.Error("no error")
		}
	}
	if tries != 2 || len(c.made) != 0 {
		t.Errorf("%d tries, %d entries are left; want 2 and 0", tries, len(c.made))
	}
}
