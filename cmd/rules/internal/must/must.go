// Package must ends the program at an error that only its own mistake can cause.
package must

// Must holds for what only a mistake of this program can break.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}
