// Package must ends the program at an error that only its own mistake can cause.
package must

// Succeed holds for what only a mistake of this program can break.
func Succeed(err error) {
	if err != nil {
		panic(err)
	}
}
