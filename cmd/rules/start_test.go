package main

import (
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// TestPackagesStartLight lets the command start: every command pays for what a package makes before main, whether it
// needs that or not. Bytes are the same on every machine, unlike times.
func TestPackagesStartLight(t *testing.T) {
	const most = 16 << 10 // a table of messages; a regular expression alone has 4,000 bytes and more
	c := exec.Command("rules", "version")
	c.Env = append(c.Environ(), "GODEBUG=inittrace=1")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := regexp.MustCompile(`(?m)^init (github\.com/tabletop-rules/\S+) .* (\d+) bytes`).FindAllSubmatch(out, -1)
	if len(lines) == 0 {
		t.Fatalf("the program tells nothing of its start: %s", out)
	}
	for _, line := range lines {
		if string(line[1]) == "github.com/tabletop-rules/rules/cmd/rules" { // with what these tests make
			continue
		}
		if size, err := strconv.Atoi(string(line[2])); err != nil || size > most {
			t.Errorf("%s makes %s bytes at the start: sync.OnceValue makes them when they are needed", line[1], line[2])
		}
	}
}
