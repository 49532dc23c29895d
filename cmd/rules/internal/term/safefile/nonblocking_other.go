//go:build !unix

package safefile

// nonBlocking is nothing where opening a file does not wait for another program.
const nonBlocking = 0
