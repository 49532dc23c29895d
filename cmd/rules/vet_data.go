package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/opendata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// readOpenData returns the published data in files, in directories of them, or of packs; nil where there are none. JSON of
// other things beside it is passed over, and its files are named.
func readOpenData(files []string) (s *opendata.Source, others []string, err error) {
	s = &opendata.Source{}
	found := false
	for i, file := range expandData(files) {
		isData, err := addOpenData(s, file)
		switch {
		case err != nil:
			return nil, nil, err
		case isData:
			found = true
		case filepath.Ext(file) == ".json":
			others = append(others, file)
		case i == 0:
			return nil, nil, nil
		default:
			return nil, nil, fmt.Errorf("%s has no published data", file)
		}
	}
	if !found {
		return nil, nil, nil
	}
	s.Compare()
	return s, others, nil
}

// expandData returns the files of JSON in place of each directory that has some and no CUE, in the order of their names.
func expandData(files []string) (out []string) {
	for _, file := range files {
		inside, _ := filepath.Glob(filepath.Join(file, "*.json"))
		if info, err := os.Stat(file); err == nil && info.IsDir() && len(inside) > 0 && !hasCUE(file) {
			out = append(out, inside...)
		} else {
			out = append(out, file)
		}
	}
	return out
}

// addOpenData reads published data in a file, or the packs in a directory. It reports false for anything else.
func addOpenData(s *opendata.Source, file string) (bool, error) {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		files := safefile.Tree(file)
		read := func(name string) ([]byte, error) { return fs.ReadFile(files, name) }
		if hasCUE(file) || !opendata.ArePacks(files, read) {
			return false, nil
		}
		return true, s.AddPacks(filepath.ToSlash(file), files, read)
	}
	if filepath.Ext(file) != ".json" {
		return false, nil
	}
	data, err := safefile.Read(file)
	if err != nil || !opendata.IsData(data) {
		return false, err
	}
	return true, s.Add(filepath.ToSlash(file), data)
}

// vetData prints where published data disagree with themselves, and how many of their numbers were compared.
func (v *vetting) vetData(c *cobra.Command, s *opendata.Source, others []string) error {
	if s == nil {
		return nil
	}
	if v.format == usage.AsMarkdown {
		if _, err := fmt.Fprint(c.OutOrStdout(), s.Page()); err != nil {
			return err
		}
	} else if err := v.printDiagnostics(c, s.Findings); err != nil {
		return err
	}
	counts := map[diag.Code]int{}
	for _, d := range s.Findings {
		counts[d.Code]++
	}
	fmt.Fprintf(c.ErrOrStderr(), "rules: %s printed, of which %d differ from their dice; %s compared with the text: "+
		"dice differ at %s, types at %d%s\n", plural.Of(s.Averages, "average"), counts["data-average"],
		plural.Of(s.Attacks, "attack"), plural.Of(counts["data-dice"], "place"), counts["data-type"],
		sharedCount(s.Shared, counts["data-publishers"]))
	if len(others) > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "rules: passed over, for other things than creatures, attacks, weapons and "+
			"armour: %s\n", strings.Join(others, ", "))
	}
	if len(s.Findings) > 0 {
		return exit.ErrNo
	}
	return nil
}

// sharedCount returns the end of a sentence: how many numbers two publishers have. It is empty without any.
func sharedCount(shared, differing int) string {
	if shared == 0 {
		return ""
	}
	return fmt.Sprintf("; %s of two publishers compared, of which %d differ", plural.Of(shared, "cell"), differing)
}
