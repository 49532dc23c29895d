// Package shell writes words as a shell reads them, for command lines that messages and help tell people to type.
package shell

import "strings"

// Quote returns a word as a POSIX shell reads it: as it is if no character in it means anything to a shell, and else in
// single quotes, within which only the single quote itself must be escaped.
//
// The safe characters are listed, and not the dangerous ones: a character that nobody has thought of is quoted.
func Quote(word string) string {
	isSafe := func(r rune) bool {
		return r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_-+=.,:/@%", r))
	}
	if word != "" && strings.TrimFunc(word, isSafe) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
