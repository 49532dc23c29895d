package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/opendata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/compiler/diag"
)

// readOpenData returns the published data in files; nil when the first is none.
func readOpenData(files []string) (*opendata.Source, error) {
	if len(files) == 0 || filepath.Ext(files[0]) != ".json" {
		return nil, nil
	}
	s := &opendata.Source{}
	for i, file := range files {
		data, err := safefile.Read(file)
		switch {
		case err != nil:
			return nil, err
		case i == 0 && !opendata.IsData(data):
			return nil, nil
		}
		if err := s.Add(filepath.ToSlash(file), data); err != nil {
			return nil, err
		}
	}
	s.Compare()
	return s, nil
}

// vetData prints where published data disagree with themselves, and how many of their numbers were compared.
func (v *vetting) vetData(c *cobra.Command, s *opendata.Source) error {
	if s == nil {
		return nil
	}
	if err := v.printDiagnostics(c, s.Findings); err != nil {
		return err
	}
	counts := map[diag.Code]int{}
	for _, d := range s.Findings {
		counts[d.Code]++
	}
	fmt.Fprintf(c.ErrOrStderr(), "rules: %s printed, of which %d differ from their dice; %s compared with the text: dice differ at %s, "+
		"types at %d\n", countOf(s.Averages, "average"), counts["data-average"], countOf(s.Attacks, "attack"),
		countOf(counts["data-dice"], "place"), counts["data-type"])
	if len(s.Findings) > 0 {
		return exit.ErrNo
	}
	return nil
}
