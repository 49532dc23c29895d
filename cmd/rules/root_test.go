package main

import "testing"

// TestForeignCommandsAreNoCommands wants each word of another program to be none of ours, else its advice is never read,
// and each advice to name a command.
func TestForeignCommandsAreNoCommands(t *testing.T) {
	isCommand := map[string]bool{}
	for _, c := range newRoot().Commands() {
		isCommand[c.Name()] = true
	}
	for word, meant := range foreignCommands {
		if isCommand[word] {
			t.Errorf("%q is a command", word)
		}
		if !isCommand[meant] {
			t.Errorf("%q stands for %q, which is no command", word, meant)
		}
	}
}
