package main

import (
	"errors"
	"io"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/lsp"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/cache"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/trust"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/release"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

const lspHelp = `Lsp is a language server: an editor starts it and speaks the Language Server Protocol with it, on
standard input and output. It works beside CUE's own server, on the module of the directory in which
it is started or of --dir, or on the homebrew there or of --with, with the ruleset that it changes.
It knows the formulas in CUE's strings.

While you type it shows what "rules vet" would say of the text on the screen, errors first, offers
repairs, completes names in formulas (inputs, fields, traits, options and their values, tables,
their columns and keys, functions), says what a name means, where the book has it and between which
bounds its value lies, and which argument a call wants next. It goes to the declaration of any name,
lists and renames its uses in formulas, CUE and cases (a rename is compiled and its cases are played
before the editor gets it), colours formulas, folds them and pairs their brackets. It finds the
definitions of all rulesets by some of their letters, grows a selection from the word over calls and
brackets to the file, and formats files as cue fmt does. After each change
it plays the golden cases: what is not as they expect stands at just that value, with what there is
instead, each definition and each case has a lens that runs them, and each output of a rule shows
its probability or mean for the rule's first case. In cases it completes headers, names and
statements, and what characters, inputs, events and sheets have. It mends tables: columns that a
row lacks, keys that have no row, rows that overlap. At each value that a homebrew expects it shows
what the ruleset has there.

At each revision in rules.cue it shows which number the change since the last release asks for. The
last release is what --against names, or else the release files in the directory releases. Each
definition shows how many changes of it survived the last "rules test --mutants", unless that is out
of date.

It writes no file. What you do not trust ("rules trust add DIR" trusts a module) is compiled in a
process of its own, with bounds. Only rulesets that have changed are compiled again. "rules help
editors" has settings for Neovim, Helix, Emacs and VS Code.`

// lspPause is how long after the last change diagnostics are looked for: shorter than the pause between two words.
const lspPause = 80 * time.Millisecond

// lspGarbage is how much garbage is collected at once, in percent of what is in use. Compiling makes much of it, and an
// author waits: this saves a third of the time, and costs memory that a program beside an editor may take.
const lspGarbage = 400

func newLsp(s *settings) *cobra.Command {
	var against string
	c := &cobra.Command{
		Use:     "lsp",
		Short:   "Help an editor with rulesets",
		Long:    lspHelp,
		Example: "  rules lsp\n  rules lsp --dir my/rules --against git:v1.0",
		Args:    usage.ArgCount(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			o, err := lspOptions(s)
			if err != nil {
				return err
			}
			// The inner call runs now and gives the old setting to the deferred one. It matters to
			// tests, where several servers run in one process.
			defer debug.SetGCPercent(debug.SetGCPercent(lspGarbage))
			o.Earlier = func() []*planfile.Release { return readEarlier(s, against, c.ErrOrStderr()) }
			return lsp.Serve(c.Context(), pair{c.InOrStdin(), c.OutOrStdout()}, o)
		},
	}
	c.Flags().StringVar(&against, "against", "", "compare revisions with `A`: a release file, a directory or git:REV")
	return c
}

// readEarlier returns the earlier releases: those that --against names, or else the release files in the module's
// directory releases. An unreadable file is reported in the editor's log, and nothing is returned.
//
// They are read when a hint needs them for the first time, and not at the start: an author who only types pays nothing
// for a comparison with a release.
func readEarlier(s *settings, against string, log io.Writer) []*planfile.Release {
	if against == "" {
		against = filepath.Join(s.ModuleDir(), "releases")
		if !workspace.HoldsReleases(against) {
			return nil
		}
	}
	state, err := release.ReadState(&s.Workspace, against, nil)
	if err != nil {
		exit.PrintError(log, err)
		return nil
	}
	return state.Releases
}

// lspOptions returns the options of a server for the homebrew of --with or around this directory, or else for the
// module.
//
// The root is made absolute at once: editors name files by absolute URIs, and a server's working directory is wherever
// the editor was started.
func lspOptions(s *settings) (lsp.Options, error) {
	o := lsp.Options{Pause: lspPause, Trusts: trust.Trusts, Cache: cache.UserCache()}
	if len(s.With) > 1 {
		return o, errors.New("--with: a language server works on one homebrew")
	}
	if err := s.CheckDir(); err != nil {
		return o, err
	}
	dir := s.ModuleDir()
	if len(s.With) == 1 {
		h, err := workspace.HomebrewModule(s.With[0])
		if err != nil {
			return o, err
		}
		if dir != "" {
			if o.Base.Dir, err = filepath.Abs(dir); err != nil {
				return o, err
			}
		}
		// The editor's root becomes the homebrew; the ruleset that it changes is compiled from
		// Base, which is the shipped module when no other is around.
		o.Homebrew, dir = true, h.Dir
	}
	if dir == "" {
		return o, errors.New("there is no module and no homebrew around this directory: start the editor in one, or " +
			"name it " +
			"with --dir or --with")
	}
	var err error
	o.Root, err = filepath.Abs(dir)
	return o, err
}

// A pair is the two directions of a stream.
type pair struct {
	io.Reader
	io.Writer
}

// Close ends nothing: standard input and output are the editor's.
func (pair) Close() error { return nil }
