package lsp

import (
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/cache"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// Options say what a server works on: a module of rulesets, or a homebrew with the ruleset that it changes.
type Options struct {
	Root     string         // the directory of the module or of the homebrew, absolute
	Pause    time.Duration  // how long after the last change diagnostics are looked for
	Homebrew bool           // Root is the module of a homebrew
	Base     sandbox.Module // whose ruleset the homebrew changes; its directory absolute, or empty for what ships

	Trusts func(dir string) bool // whether a directory is compiled in this process; nil trusts none
	Cache  cache.Cache           // where measurements by mutants are kept; the zero value has none

	// Earlier reads what was released before; nil when nothing says what that is. It is called once, when it is needed.
	Earlier func() []*planfile.Release
}
