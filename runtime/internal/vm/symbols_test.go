package vm

import (
	"fmt"
	"testing"
)

// Words are found by their numbers, whatever their length, and no others.
func TestWords(t *testing.T) {
	var texts []string
	for n := range 40 {
		texts = append(texts, fmt.Sprintf("%0*d", n, n)[:n], fmt.Sprintf("%-*d", n+9, n))
	}
	for n := range len(texts) {
		w := NewSymbolTable(texts[:n])
		for i, text := range texts {
			want := int64(i)
			if i >= n {
				want = -1
			}
			if got := w.Find([]byte(text)); got != want {
				t.Errorf("%d words: %q has the number %d, want %d", n, text, got, want)
			}
		}
	}
	if got := NewSymbolTable([]string{"a", "b", "a"}).Find([]byte("a")); got != 0 {
		t.Errorf("of equal words number %d counts", got)
	}
}
