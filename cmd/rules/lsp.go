package main

import (
	"errors"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/lsp"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
)

const lspHelp = `Lsp is a language server: an editor starts it and speaks the Language Server Protocol with it, on
standard input and output. It works beside CUE's own server, on the module of the directory in which
it is started or of --dir, and knows the formulas in CUE's strings.

While you type it shows what "rules vet" would say of the text on the screen, offers repairs,
completes names in formulas (inputs, fields, traits, options and their values, tables, their columns
and keys, functions), says what a name means and where the book has it and which argument a call
wants next, goes to its declaration, lists and renames its uses in formulas, attributes and cases,
colours formulas, folds them and pairs their brackets. After each change it plays the golden cases:
what is not as they expect stands at their lines, each definition shows how many hold it, and each
output of a rule its probability or mean for the rule's first case. In cases it completes headers,
names and statements. It writes no file. It reads the module in its own process, so the module must
be trusted ("rules trust add DIR"; "rules init" trusts what it makes). "rules help editors" has
settings for Neovim, Helix, Emacs and VS Code.`

// lspPause is how long after the last change diagnostics are looked for: shorter than the pause between two words.
const lspPause = 80 * time.Millisecond

func newLsp(s *settings) *cobra.Command {
	return &cobra.Command{
		Use:     "lsp",
		Short:   "Help an editor with rulesets",
		Long:    lspHelp,
		Example: "  rules lsp\n  rules lsp --dir my/rules",
		Args:    usage.ArgCount(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if len(s.With) > 0 {
				return errors.New("--with: a language server shows a module as it is written, without homebrews")
			}
			if err := s.CheckDir(); err != nil {
				return err
			}
			dir := s.ModuleDir()
			if dir == "" {
				return errors.New("there is no module around this directory: start the editor in one, or name it with --dir")
			}
			if err := s.CheckTrust(); err != nil {
				return err
			}
			root, err := filepath.Abs(dir)
			if err != nil {
				return err
			}
			stream := pair{c.InOrStdin(), c.OutOrStdout()}
			return lsp.Serve(c.Context(), stream, lsp.Options{Root: root, Files: s.Files(), Pause: lspPause})
		},
	}
}

// A pair is the two directions of a stream.
type pair struct {
	io.Reader
	io.Writer
}

// Close ends nothing: standard input and output are the editor's.
func (pair) Close() error { return nil }
