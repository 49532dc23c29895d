// Package must ends the program at an error that only its own mistake can cause.
package must

// Succeed panics on an error that only a mistake of this program can cause.
func Succeed(err error) {
	if err != nil {
		panic(err)
	}
}
