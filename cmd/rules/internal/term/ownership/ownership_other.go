//go:build !unix

package ownership

import "os"

// checkEntry refuses nothing: the system keeps a user's directory from the others by itself.
func checkEntry(string, bool) error { return nil }

func linkTarget(string) (target string, is bool) { return "", false }

// Identity returns the same for every directory that is there.
func Identity(dir string) (string, error) {
	_, err := os.Stat(dir)
	return "-", err
}
