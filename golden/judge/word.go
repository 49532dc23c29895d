package judge

import (
	"slices"
	"strings"
)

// A word is one string of a choice. "The words of a choice … go by the order in which they are written, from the least." A
// word in quotes is the only one of a choice of its own; a string that may be any is a plain string, and no word.
type word struct {
	text  string
	order []string
	// isMixed is of the words of a choice that were put together of several in whose orders they do not stand, so that it
	// has none.
	isMixed bool
}

func newQuotedWord(text string) word { return word{text: text, order: []string{text}} }

// hasOrder reports whether an author has put the words of a choice in an order.
func (w word) hasOrder() bool { return !w.isMixed && len(w.order) > 1 }

// standIn reports whether all words of a choice are ones of another, and in its order where both have one.
func (w word) standIn(x word) bool {
	last := -1
	for _, text := range w.order {
		at := slices.Index(x.order, text)
		if at < 0 || w.hasOrder() && x.hasOrder() && at < last {
			return false
		}
		last = at
	}
	return true
}

// joinWith returns a word as one of the choice that holds its own and another: "A word in quotes beside a choice, in the
// other branch of a condition, a list, a map or get, is one of its words".
func (w word) joinWith(x word) word {
	switch {
	case x.standIn(w):
		return w
	case w.standIn(x):
		return word{text: w.text, order: x.order, isMixed: x.isMixed}
	}
	return word{text: w.text, order: uniqueOf(slices.Concat(w.order, x.order)), isMixed: true}
}

// typedLike returns a value whose words are of the choice that holds those of another value too, as both are of one type.
func typedLike(v, other any) any {
	switch v := v.(type) {
	case word:
		switch x := other.(type) {
		case word:
			return v.joinWith(x)
		case string:
			return v.text
		}
	case []any:
		xs, _ := other.([]any)
		if len(v) == 0 || len(xs) == 0 || !hasWords(v[0]) {
			return v
		}
		out := make([]any, len(v))
		for i := range v {
			out[i] = typedLike(v[i], xs[0])
		}
		return out
	}
	return v
}

// hasWords reports whether a value is a word or a list of words.
func hasWords(v any) bool {
	if xs, isList := v.([]any); isList {
		return len(xs) > 0 && hasWords(xs[0])
	}
	_, isWord := v.(word)
	return isWord
}

// joinElements returns the elements of a list or the values of a map as being of one type.
func joinElements(xs []any) []any {
	if len(xs) == 0 || !slices.ContainsFunc(xs, hasWords) {
		return xs
	}
	whole := xs[0]
	for _, x := range xs[1:] {
		list, isList := whole.([]any)
		if _, isPlain := x.(string); isPlain || isList && len(list) == 0 {
			whole = x
		}
		whole = typedLike(whole, x)
	}
	out := make([]any, len(xs))
	for i := range xs {
		out[i] = typedLike(xs[i], whole)
	}
	return out
}

// compareWords orders two strings: by the order of the choice of which one of them is, else by letters.
func compareWords(a, b any) (int, error) {
	x, isWord := a.(word)
	y, alsoWord := b.(word)
	s, _ := textOf(a)
	t, _ := textOf(b)
	switch {
	case s == t:
		return 0, nil
	case isWord && x.hasOrder() && slices.Contains(x.order, t):
		return slices.Index(x.order, s) - slices.Index(x.order, t), nil
	case alsoWord && y.hasOrder() && slices.Contains(y.order, s):
		return slices.Index(y.order, s) - slices.Index(y.order, t), nil
	}
	return strings.Compare(s, t), nil
}
