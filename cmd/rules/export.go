package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/tablefile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const exportHelp = `Export writes tables of a ruleset for spreadsheet programs: the columns in the first row, the keys in
the first column. With --with it writes them as the homebrew has them. What "rules import" reads back and finds unchanged
changes nothing.

CSV, TSV and Markdown hold one table; several are files in the directory that -o names. A workbook,
.xlsx, has a sheet for each. A text that a spreadsheet program would take for a formula stands behind
an apostrophe, which import takes off.

With --notes four more columns stand behind the table's: "# cite" and "# doc", the place in the book and
the meaning of the table, and "# errata", those of the same place, in the first row; "# changed by", which
homebrew set which cells of the row, and what was there before. Import takes the first two for a new
table, from columns called cite and doc too, and passes the rest over.`

// A sheetFormat is how a table is written.
type sheetFormat string

const (
	asCSV      sheetFormat = "csv"
	asTSV      sheetFormat = "tsv"
	asMarkdown sheetFormat = "markdown"
	asWorkbook sheetFormat = "xlsx"
)

var sheetEndings = map[sheetFormat]string{asCSV: ".csv", asTSV: ".tsv", asMarkdown: ".md", asWorkbook: ".xlsx"}

func newExport(s *settings) *cobra.Command {
	format := asCSV
	var output string
	var notes bool
	c := &cobra.Command{
		Use:   "export RULESET [TABLE ...]",
		Short: "Write tables for spreadsheet programs",
		Long:  exportHelp,
		Example: `  rules export tempestas difficulty
  rules export tempestas difficulty --format markdown
  rules export tempestas difficulty --with golden/homebrew/tempestas_brawl --notes
  rules export hybrid --format xlsx -o hybrid.xlsx`,
		Args: usage.ArgCount(1, 1_000),
		RunE: func(c *cobra.Command, args []string) error {
			if err := chooseFormat(c, &format, output, len(args) == 2); err != nil {
				return err
			}
			p, err := s.CompileRuleset(args[0])
			if err != nil {
				return err
			}
			grids, err := gridsOf(p, args[1:])
			if err != nil {
				return err
			}
			if notes {
				if err := addNotes(s, p, grids); err != nil {
					return err
				}
			}
			return writeGrids(c, format, output, grids)
		},
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, tableNames),
	}
	among := []sheetFormat{asCSV, asTSV, asMarkdown, asWorkbook}
	c.Flags().Var(usage.NewOneOf(&format, "FORMAT", among...), "format",
		"how tables are written: csv, tsv, markdown or xlsx, or as the ending of the file of -o says")
	usage.AdviseInstead(c, "to", "write -o FILE")
	usage.AdviseInstead(c, "format=json", "\"rules show RULESET TABLE --format json\" prints one as JSON")
	must.Succeed(c.RegisterFlagCompletionFunc("format", usage.Among(among...)))
	c.Flags().StringVarP(&output, "output", "o", "",
		"write to `FILE`; where several tables need a file each, to the directory of that name")
	c.Flags().BoolVar(&notes, "notes", false, "add columns of citations, errata, and homebrews that changed a row")
	return c
}

// chooseFormat chooses the format by the ending of the file of -o, unless --format says it. Of several tables -o may name a
// directory, in whose name a dot begins no ending.
func chooseFormat(c *cobra.Command, format *sheetFormat, output string, isOne bool) error {
	ending := strings.ToLower(filepath.Ext(output))
	if ending == "" || c.Flags().Changed("format") {
		return nil
	}
	for f, of := range sheetEndings {
		if ending == of {
			*format = f
			return nil
		}
	}
	if !isOne {
		return nil
	}
	return fmt.Errorf("-o %s: it ends in .csv, .tsv, .md or .xlsx, or --format says how it is written", output)
}

// addNotes adds notes to tables of a plan. Which homebrew set a cell is seen by applying one after the other.
func addNotes(s *settings, p *plan.Plan, grids []*tablefile.Grid) error {
	stages := []*plan.Plan{p}
	for i := len(s.With) - 1; i >= 0; i-- {
		fewer := *s
		fewer.With = s.With[:i]
		before, err := fewer.CompileRuleset(p.Ruleset)
		if err != nil {
			return fmt.Errorf("the ruleset without %s, which --notes compares: %w", s.With[i], err)
		}
		stages = slices.Insert(stages, 0, before)
	}
	for _, g := range grids {
		g.AddNotes(p, stages)
	}
	return nil
}

// tableNames are the tables of a plan that stand in its book.
func tableNames(p *plan.Plan) (out []string) {
	for i := range p.Tables {
		if !p.Tables[i].IsDerived() {
			out = append(out, p.Tables[i].ID)
		}
	}
	return out
}

// gridsOf returns tables of a plan by their names, or all.
func gridsOf(p *plan.Plan, names []string) (out []*tablefile.Grid, err error) {
	if len(names) == 0 {
		names = tableNames(p)
	}
	for _, name := range names {
		if t := p.Table(name); t == nil || t.IsDerived() {
			return nil, describe.UnknownIn(p, "table", name, tableNames(p))
		}
		out = append(out, tablefile.Of(p, name))
	}
	return out, nil
}

// writeGrids writes tables to standard output, to a file, or to a file each.
func writeGrids(c *cobra.Command, format sheetFormat, output string, grids []*tablefile.Grid) error {
	if format == asWorkbook || len(grids) == 1 {
		var out bytes.Buffer
		if err := writeSheet(&out, format, grids); err != nil {
			return err
		}
		if output == "" {
			_, err := c.OutOrStdout().Write(out.Bytes())
			return err
		}
		return atomicfile.TheDisk().WriteAnswer(output, out.Bytes())
	}
	if output == "" {
		return fmt.Errorf("%d tables are %[1]d files: name a directory, -o DIR, or one table; --format xlsx has a sheet "+
			"for each", len(grids))
	}
	if err := os.MkdirAll(output, 0o777); err != nil {
		return err
	}
	for _, g := range grids {
		var out bytes.Buffer
		if err := writeSheet(&out, format, []*tablefile.Grid{g}); err != nil {
			return err
		}
		if err := atomicfile.TheDisk().WriteAnswer(filepath.Join(output, g.Name+sheetEndings[format]),
			out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func writeSheet(w io.Writer, format sheetFormat, grids []*tablefile.Grid) error {
	switch format {
	case asTSV:
		return tablefile.WriteSeparated(w, grids[0], '\t')
	case asMarkdown:
		return tablefile.WriteMarkdown(w, grids[0])
	case asWorkbook:
		return tablefile.WriteWorkbook(w, grids)
	}
	return tablefile.WriteSeparated(w, grids[0], ',')
}
