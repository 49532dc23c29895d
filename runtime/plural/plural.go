// Package plural writes numbers of things for people: "1 event", "2 events". It imports nothing of ours.
package plural

import "fmt"

// Of returns a number of things. Where several are not called by the name of one with an s, more is what they are called:
// Of(2, "erratum", "errata").
func Of(n int, one string, more ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(more) > 0:
		return fmt.Sprintf("%d %s", n, more[0])
	}
	return fmt.Sprintf("%d %ss", n, one)
}
