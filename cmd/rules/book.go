package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/outdir"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/site"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const bookHelp = `Book writes a ruleset as a book: a page for each chapter with its tables, formulas, rulings and
worked examples with their odds, and one with the contents. The pages are plain files that link to
each other by relative paths and need no server; they are the same bytes on every run, so that they
can be kept in a repository or put on any host. What a homebrew (--with) changed is marked, with what
it replaced. With --format markdown it is one document, on standard output or in
the file of --out.

"rules serve" shows the same pages with forms that roll and compute.`

// bookFormat is how a book is written.
type bookFormat string

const (
	bookHTML     bookFormat = "html"
	bookMarkdown bookFormat = "markdown"
)

// newBook makes the command book.
//
// A book is written from an edition as a server has it, with the same templates: a page that is right under "rules
// serve" is right in the files. Only controls that ask a server are left out (Static).
func newBook(s *settings) *cobra.Command {
	var out string
	var format bookFormat
	c := &cobra.Command{
		Use:   "book RULESET",
		Short: "Write a ruleset as a book of pages",
		Long:  bookHelp,
		Example: `  rules book tempestas -o book
  rules book tempestas --format markdown > tempestas.md`,
		Args: usage.ArgCount(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := s.CompileRuleset(args[0])
			if err != nil {
				return err
			}
			e := library.NewEdition(p, s.Files())
			if e.Base, err = compileBase(s, p.Ruleset); err != nil {
				return err
			}
			// Markdown is one document and goes to standard output without --out; pages are many
			// files, so they have no default place: a hundred files must not appear in the
			// directory where somebody happens to be.
			if format == bookMarkdown {
				return writeDocument(c, out, site.Markdown(e))
			}
			if out == "" {
				return fmt.Errorf("--out DIR is missing: %s", c.UseLine())
			}
			return writeFiles(c, out, site.BookFiles(e))
		},
		ValidArgsFunction: completion.CompleteRulesets(&s.Workspace),
	}
	f := c.Flags()
	f.StringVarP(&out, "out", "o", "", "write the pages into `DIR`, or the document to a file")
	f.Var(usage.NewOneOf(&format, "FORMAT", bookHTML, bookMarkdown), "format", "how it is written: html or markdown")
	must.Succeed(c.RegisterFlagCompletionFunc("format", usage.Among(bookHTML, bookMarkdown)))
	return c
}

// compileBase compiles a ruleset without its homebrews; nil when it has none.
//
// It compiles in the same workspace and takes --with away for the time being: patched files, caches
// and the list of trusted modules are those of the command.
func compileBase(s *settings, ruleset string) (*plan.Plan, error) {
	if len(s.With) == 0 {
		return nil, nil
	}
	// s is shared with the rest of the command line, hence the defer: what runs after this must see
	// the homebrews again, also when compiling fails.
	with := s.With
	s.With = nil
	defer func() { s.With = with }()
	return s.CompileRuleset(ruleset)
}

// writeDocument writes a document to a file, or to standard output.
func writeDocument(c *cobra.Command, file string, text []byte) error {
	if file != "" && file != argdata.Stdin {
		return atomicfile.TheDisk().WriteAnswer(file, text)
	}
	_, err := c.OutOrStdout().Write(text)
	return err
}

// writeFiles writes the files of an answer into a directory, and tells of those that it has removed.
func writeFiles(c *cobra.Command, dir string, files map[string][]byte) error {
	removed, err := outdir.Write(dir, files)
	for _, file := range removed {
		fmt.Fprintf(c.ErrOrStderr(), "rules: note: removed %s, which was written before and is not any more\n", file)
	}
	return err
}
