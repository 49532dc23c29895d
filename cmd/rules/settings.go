package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
)

// settings are what every command is told. They are complete once the command line is parsed.
//
// Commands get a pointer to it when they are made, long before flags are parsed, and may read it
// only while they run.
type settings struct {
	workspace.Workspace
	color layout.Color
}

// addFlags adds the flags of every command. A command for which one of them would change nothing
// refuses it (usage.RefuseFlags) rather than ignore it.
func (s *settings) addFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVar(&s.Dir, "dir", "",
		"use the rulesets of the module in `DIR`, not of the one around this directory or those that ship")
	flags.StringArrayVar(&s.With, "with", nil,
		"change the ruleset by the homebrew in `DIR`, or of that name in the lock file of --plan; may be repeated")
	when := []layout.Color{"auto", "always", "never"}
	flags.Var(usage.NewOneOf(&s.color, "WHEN", when...), "color", "color the output: "+usage.Alternatives(when))
	must.Succeed(root.RegisterFlagCompletionFunc("color", usage.Among(when...)))
	completion.CompleteFlags(root)
}

// refuseTwice returns an error where a homebrew is named twice: all that it adds would be there already.
func refuseTwice(with []string) error {
	for i, dir := range with {
		if slices.ContainsFunc(with[:i], func(other string) bool { return filepath.Clean(other) == filepath.Clean(dir) }) {
			return fmt.Errorf("--with %s: it is named twice: leave one of them out", dir)
		}
	}
	return nil
}

// newPage begins a page that will be written to w.
func (s *settings) newPage(w io.Writer) *layout.Page { return &layout.Page{Color: s.color.IsOn(w)} }
