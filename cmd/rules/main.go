// Command rules evaluates, shows, checks and tests rulesets of tabletop games.
package main

import (
	"os"

	"github.com/tabletop-rules/rules/cmd/rules/internal/sandbox"
)

func main() {
	if sandbox.IsWorker(os.Args) {
		os.Exit(sandbox.Serve(os.Stdin, os.Stdout))
	}
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
