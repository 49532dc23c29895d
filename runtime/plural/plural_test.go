package plural

import "testing"

func TestOf(t *testing.T) {
	for _, c := range []struct {
		n    int
		more []string
		want string
	}{
		{0, nil, "0 events"}, {1, nil, "1 event"}, {2, nil, "2 events"},
		{1, []string{"events pass"}, "1 event"}, {3, []string{"events pass"}, "3 events pass"},
	} {
		if got := Of(c.n, "event", c.more...); got != c.want {
			t.Errorf("Of(%d, %q) = %q, want %q", c.n, c.more, got, c.want)
		}
	}
}
