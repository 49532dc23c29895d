package tuning

// Bisect returns the first of n states whose answer differs from that of the first state, which is good. asked is the
// number of states that were asked.
//
// It halves the distance between a state that answers alike and one that does not, as bisecting a history does: where
// an answer changed and changed back, some change is found, not always the first. The last state is assumed to differ,
// and is asked only when everything before it answers alike; so of n states ⌈log2 n⌉ + 1 are asked, and one more when
// only the last differs or none does.
func Bisect(n int, answer func(i int) (string, error)) (at, asked int, err error) {
	ask := func(i int) string {
		if err != nil {
			return ""
		}
		asked++
		var text string
		text, err = answer(i)
		return text
	}
	good := ask(0)
	same, other := 0, n-1
	for other-same > 1 && err == nil {
		if middle := (same + other) / 2; ask(middle) == good {
			same = middle
		} else {
			other = middle
		}
	}
	if other == n-1 && ask(other) == good && err == nil {
		return -1, asked, nil
	}
	return other, asked, err
}
