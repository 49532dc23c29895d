// Package portion says how much is tested of what takes long: go test takes a sample, and with -whole all of it. Tests alone
// import it, also those of packages that golden imports.
package portion

import "flag"

var isWhole = flag.Bool("whole", false, "test all of what go test takes a sample of")

// Of returns how many of something are tested: a few, or all.
func Of(few, all int) int {
	if *isWhole {
		return all
	}
	return few
}

// Takes reports whether the i-th of something is tested: one of so many, or each.
func Takes(i, of int) bool { return *isWhole || i%of == 0 }
