package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

const versionHelp = `Version prints which program this is, the format of the plan files that it reads and writes, and the
rulesets that it ships: their revisions, and the SHA-256 digests of what their plans say.`

func newVersion(s *settings) *cobra.Command {
	var f usage.Format
	c := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the program and the revisions of the rulesets",
		Long:    versionHelp,
		Example: "  rules version\n  rules version --format json | jq -r '.rulesets[].digest'",
		Args:    usage.ArgCount(0, 0),
		RunE:    func(c *cobra.Command, _ []string) error { return printVersionInfo(s, c, f) },
	}
	f.AddTo(c)
	return c
}

// A version is what version prints.
type version struct {
	Version    string            `json:"version"`
	Go         string            `json:"go"`
	Platform   string            `json:"platform"`
	Commit     string            `json:"commit,omitempty"`
	PlanFormat int               `json:"planFormat"`
	Rulesets   []shippedRevision `json:"rulesets"`
}

// A shippedRevision is a ruleset that ships.
type shippedRevision struct {
	Ruleset  string `json:"ruleset"`
	Revision string `json:"revision"`
	Digest   string `json:"digest"` // of the plan, "sha256:..."
}

// printVersionInfo prints the digests of all rulesets too: two people who compare them know whether they play by the same
// rules.
func printVersionInfo(s *settings, c *cobra.Command, f usage.Format) error {
	outlines, err := readOutlines(s)
	if err != nil {
		return err
	}
	v := versionOf(outlines)
	if f == usage.AsJSON {
		return jsontext.PrintJSON(c.OutOrStdout(), v)
	}
	page := s.newPage(c.OutOrStdout())
	printVersion(page, v)
	return page.Flush(c.OutOrStdout())
}

// versionOf returns the version of the program and the revisions of its rulesets.
func versionOf(outlines []outline) *version {
	v := &version{
		Version: programVersion(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		PlanFormat: planfile.Version,
		Rulesets:   []shippedRevision{},
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		v.Commit = commitOf(info.Settings)
	}
	for _, o := range outlines {
		v.Rulesets = append(v.Rulesets, o.shippedRevision)
	}
	return v
}

// programVersion returns the version that the program was built as. A build from a work tree has no
// version of a module and is told as (devel).
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// commitOf returns the commit that Go noted when it built the program; "" for a build outside of
// git.
func commitOf(list []debug.BuildSetting) string {
	for _, s := range list {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}

func printVersion(p *layout.Page, v *version) {
	p.AddLine(0, "rules %s, %s, %s", v.Version, v.Go, v.Platform)
	if v.Commit != "" {
		p.AddLine(0, "commit %s", v.Commit)
	}
	p.AddLine(0, "plan format %d", v.PlanFormat)
	var rows [][]string
	for _, r := range v.Rulesets {
		rows = append(rows, []string{r.Ruleset, r.Revision, r.Digest})
	}
	p.AddRows(0, rows)
}
