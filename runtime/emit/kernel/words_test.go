package kernel

import (
	"fmt"
	"testing"
)

// Every word of a list has a place of its own, so that one comparison finds it.
func TestWordsHavePlacesOfTheirOwn(t *testing.T) {
	var many []string
	for i := range 200 {
		many = append(many, fmt.Sprintf("%dword%d", i%10, i))
	}
	for _, words := range [][]string{{"a"}, {"", "x"}, {"none", "plate", "mail", "cloth"}, many} {
		factor, index := IndexWords(words)
		for i, word := range words {
			if index != nil && index[HashWord(word, factor)%uint64(len(index))] != int64(i) {
				t.Errorf("%q of %d words is not found", word, len(words))
			}
		}
		if index == nil && len(words) < 10 {
			t.Errorf("no factor for %q", words)
		}
	}
	if _, index := IndexWords([]string{"abcdefgh", "aXcdefgh"}); index != nil {
		t.Error("words that differ in no byte that is hashed have places of their own")
	}
}
