package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/npmpackage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
)

const generateNpmHelp = `Npm writes a package for npm: rulesets as ES modules with types, which evaluate in the program
that imports them and need no other package, in Node 20.16 or later, in a page from any server of files, and with bundlers.
Without a RULESET it holds all of the module.
    import { tempestas } from "rules-tempestas";
    const sheet = await tempestas.test({ character, input: { name: "navigation" }, dice: [43] });
    const odds = await tempestas.test.odds({ character, input: { name: "navigation" }, outputs: ["success"] });
    const play = await tempestas.task.start({ character, input: { name: "navigation", target_value: 8 } });
It is the client of "rules generate client ts", answered by the modules of "rules generate js": the rulings are those of
the release.

Odds are answered in a Worker, by WebAssembly that is loaded when they are first asked for. It is a file of its own,
beside this program where it is published; .ci/odds builds it from the sources. --odds puts it into the package, and
without it odds are a Problem. A condition or a policy's guard is a formula, which only a server compiles.

The package is called after its directory unless --name says otherwise, and has the revision of its ruleset unless
--package-version does. "npm pack" and "npm publish" take the directory as it is.`

// An npmGenerating is a command line of generate npm.
type npmGenerating struct {
	s             *settings
	dir           string
	name, version string
	odds          string
}

func newGenerateNpm(s *settings) *cobra.Command {
	q := &npmGenerating{s: s}
	c := &cobra.Command{
		Use:   "npm [RULESET ...] -o DIR",
		Short: "Write rulesets as a package for npm",
		Long:  generateNpmHelp,
		Example: `  rules generate npm tempestas -o rules-tempestas --odds odds.wasm.gz
  rules generate npm -o tabletop-rules --package-version 1.0.0
  rules generate npm haze -o made --name @table/haze`,
		Args:              usage.ArgCount(0, usage.Many),
		RunE:              q.writePackage,
		ValidArgsFunction: completion.CompleteRulesets(&s.Workspace),
	}
	f := c.Flags()
	f.StringVarP(&q.dir, "out", "o", "", "write the package into `DIR`")
	f.StringVar(&q.name, "name", "", "call the package `NAME`; otherwise it has that of its directory")
	f.StringVar(&q.version, "package-version", "", "give the package the `VERSION`; otherwise the revision of its ruleset")
	f.StringVar(&q.odds, "odds", "", "answer odds by the module in `FILE`")
	must.Succeed(c.MarkFlagRequired("out"))
	completion.CompleteFlags(c)
	return c
}

// judgeOdds returns the error of a file that is no module of WebAssembly compressed by gzip.
func judgeOdds(file []byte) error {
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return errors.New("is not compressed by gzip")
	}
	const magic = "\x00asm"
	begin := make([]byte, len(magic))
	if _, err := io.ReadFull(r, begin); err != nil || string(begin) != magic {
		return errors.New("holds no WebAssembly")
	}
	return nil
}

// writePackage writes the package of some rulesets, or of all.
func (q *npmGenerating) writePackage(c *cobra.Command, rulesets []string) error {
	p := npmpackage.Package{Name: q.name, Version: q.version}
	if q.name == "" {
		dir, err := filepath.Abs(q.dir)
		if err != nil {
			return err
		}
		p.Name = filepath.Base(dir)
	}
	if q.odds != "" {
		var err error
		if p.Odds, err = safefile.Read(q.odds); err != nil {
			return fmt.Errorf("--odds: %w", err)
		}
		if err := judgeOdds(p.Odds); err != nil {
			return fmt.Errorf("--odds: %s %w, as .ci/odds makes it", q.odds, err)
		}
	}
	if len(rulesets) == 0 {
		rulesets = q.s.RulesetIDs()
	}
	for i, id := range rulesets {
		if slices.Contains(rulesets[:i], id) {
			return fmt.Errorf("%s is named twice", id)
		}
		x, err := q.s.CompileRuleset(id)
		if err != nil {
			return err
		}
		p.Plans = append(p.Plans, x)
	}
	files, err := p.Files()
	if err != nil {
		return err
	}
	return writeFiles(c, q.dir, files)
}
