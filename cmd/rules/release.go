package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

const releaseHelp = `Release compiles rulesets, plays every golden case, compares with what was released before, and writes
for each a file <ruleset>-<revision>.rules, in this directory or that of -o: the plan with its tables, options, citations
and errata, a changelog, the cases, and a digest of every part. "rules eval --plan" takes it, and "rules diff". The same
sources make the same bytes on every machine.

--against names what was released before. The change has a class, as "rules diff" says. What breaks asks for the next major
number, or while that is 0 for the next minor one; other changes of SHAPE, NUMBERS and ODDS for the next minor one; TEXT for
the next patch. A revision whose number is too small is refused, and the right one proposed. Nothing is written unless all
is right.

A file appears whole or not at all, and a revision that is there is never overwritten by another.

` + sideHelp

// releaseSuffix ends the names of release files.
const releaseSuffix = ".rules"

func newRelease(s *settings) *cobra.Command {
	var f format
	var against, out, read string
	c := &cobra.Command{
		Use:   "release [RULESET ...] [--against A]",
		Short: "Judge a revision's number and write its release file",
		Long:  releaseHelp,
		Example: `  rules release tempestas --against tempestas-0.1.0.rules
  rules release --dir . --against git:v1.0 -o releases
  rules release --read tempestas-0.2.0.rules`,
		RunE: func(c *cobra.Command, only []string) error {
			if read != "" {
				return s.readRelease(c, f, read)
			}
			made, err := s.makeReleases(c, against, only)
			if err != nil {
				return err
			}
			for i := range made {
				made[i].File = filepath.Join(out, made[i].name())
				if err := theDisk().publish(made[i].File, planfile.WriteRelease(made[i].release, schedule.Stored(made[i].release.Plan))); err != nil {
					return err
				}
			}
			return s.printReleases(c, f, made)
		},
		ValidArgsFunction: s.completeRulesets,
	}
	c.Flags().StringVar(&against, "against", "", "compare with `A`: a release file, a directory or git:REV")
	c.Flags().StringVarP(&out, "out", "o", ".", "write the files to `DIR`")
	c.Flags().StringVar(&read, "read", "", "write nothing: print the parts and the changelog of the release in `FILE`")
	c.MarkFlagsMutuallyExclusive("read", "out")
	c.MarkFlagsMutuallyExclusive("read", "against")
	f.addTo(c)
	return c
}

// A made is a release that is going to be written.
type made struct {
	Ruleset  string        `json:"ruleset"`
	Revision string        `json:"revision"`
	Follows  string        `json:"follows,omitempty"` // the revision that it was compared with
	Class    compare.Class `json:"class"`
	Breaking bool          `json:"breaking"`
	Cases    int           `json:"cases"` // played
	File     string        `json:"file"`
	Parts    []partJSON    `json:"parts"`
	release  *planfile.Release
}

type partJSON struct {
	Name   string `json:"name"`
	Size   int    `json:"size"`
	Digest string `json:"digest"` // "sha256:..."
}

func (m *made) name() string { return m.Ruleset + "-" + m.Revision + releaseSuffix }

// makeReleases judges the rulesets of the module, all or those named. One that is refused refuses all.
func (s *settings) makeReleases(c *cobra.Command, against string, only []string) ([]made, error) {
	files := s.files()
	new, err := moduleSide(files, filepath.ToSlash(s.module()), only)
	if err != nil {
		return nil, err
	}
	for _, name := range only {
		if new.of(name) == nil {
			return nil, &runtime.UnknownError{What: "ruleset", Name: name, Known: load.Names(load.Source{FS: files})}
		}
	}
	old := &side{}
	if against != "" {
		if old, err = s.side(against, only); err != nil {
			return nil, err
		}
	}
	var out []made
	var refused []error
	for _, r := range new.releases {
		if only == nil && old.file && old.of(r.Plan.Ruleset) == nil {
			continue // the earlier one is a file of another ruleset
		}
		m, err := s.makeRelease(c, old.of(r.Plan.Ruleset), r)
		switch {
		case err == nil:
			out = append(out, *m)
		case answered[*denial](err):
			refused = append(refused, err)
		default:
			return nil, err
		}
	}
	return out, errors.Join(refused...)
}

// makeRelease plays the cases of a ruleset and judges its number; old is nil for the first release.
func (s *settings) makeRelease(c *cobra.Command, old, new *planfile.Release) (*made, error) {
	m := &made{Ruleset: new.Plan.Ruleset, Revision: new.Plan.Revision, Class: compare.Same, Cases: len(new.Cases), release: new}
	if err := s.playAll(c, new); err != nil {
		return nil, err
	}
	if err := m.follow(old); err != nil {
		return nil, err
	}
	m.Parts = partsJSON(new)
	return m, nil
}

func partsJSON(r *planfile.Release) []partJSON {
	var out []partJSON
	for _, p := range r.Parts() {
		out = append(out, partJSON{p.Name, p.Size, "sha256:" + hex.EncodeToString(p.Digest[:])})
	}
	return out
}

// playAll plays the cases of a release, and prints those that fail.
func (s *settings) playAll(c *cobra.Command, r *planfile.Release) error {
	cases, err := parsed(r)
	if err != nil {
		return err
	}
	program := runtime.New(r.Plan)
	page := s.page(c.ErrOrStderr())
	failed := 0
	for _, x := range cases {
		if result := golden.Run(program, x); !result.Passed() {
			page.result(result)
			failed++
		}
	}
	if failed == 0 {
		return nil
	}
	if err := page.flush(c.ErrOrStderr()); err != nil {
		return err
	}
	return &denial{fmt.Sprintf("%s: %d of %d cases fail: it is not released", r.Plan.Ruleset, failed, len(cases))}
}

// follow compares with the earlier release, judges the number and writes the changelog.
func (m *made) follow(old *planfile.Release) error {
	if old == nil {
		m.release.Changelog = "## " + m.Ruleset + " " + m.Revision + "\n\nThe first release.\n"
		return nil
	}
	cases, err := parsed(m.release, old)
	if err != nil {
		return err
	}
	diff := golden.Compare(old.Plan, m.release.Plan, cases, nil)
	m.Follows, m.Class, m.Breaking = old.Plan.Revision, diff.Class(), diff.Breaking()
	if err := m.judge(); err != nil {
		return err
	}
	m.release.Changelog = old.Changelog
	if m.Revision != m.Follows {
		page := &page{}
		page.markdown(diff)
		m.release.Changelog = strings.TrimSuffix(page.b.String()+"\n"+old.Changelog, "\n\n") + "\n"
	}
	return nil
}

// judge refuses a number that is too small for the class of the change.
func (m *made) judge() error {
	new, err := compare.ParseNumber(m.Revision)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Ruleset, err)
	}
	old, err := compare.ParseNumber(m.Follows)
	if err != nil {
		return fmt.Errorf("%s, the earlier release: %w", m.Ruleset, err)
	}
	least := old.Next(m.Class, m.Breaking)
	if new.Less(least) {
		return &denial{fmt.Sprintf("%s %v follows %v with a change that is %s: its number is at least %v; write revision: \"%v\" in rules.cue",
			m.Ruleset, new, old, m.says(), least, least)}
	}
	return nil
}

// says is the class of the change.
func (m *made) says() string {
	switch {
	case m.Breaking:
		return m.Class.String() + " and breaks"
	case m.Class == compare.Same:
		return "nothing"
	}
	return m.Class.String()
}

func (s *settings) printReleases(c *cobra.Command, f format, list []made) error {
	if f == asJSON {
		return printJSON(c.OutOrStdout(), append([]made{}, list...))
	}
	page := s.page(c.OutOrStdout())
	for i := range list {
		page.made(&list[i])
	}
	return page.flush(c.OutOrStdout())
}

func (p *page) made(m *made) {
	p.blank()
	p.line(0, "%s", p.in(bold, m.File))
	if m.Follows == "" {
		p.line(2, "the first release; %d cases pass", m.Cases)
	} else {
		p.line(2, "follows %s; the change is %s; %d cases pass", m.Follows, m.says(), m.Cases)
	}
	p.parts(m.Parts)
}

func (p *page) parts(list []partJSON) {
	var rows [][]string
	for _, x := range list {
		rows = append(rows, []string{x.Name, fmt.Sprint(x.Size), x.Digest})
	}
	p.rows(2, rows, column{}, column{right: true}, column{style: faint})
}

// A released is what a release file says of itself.
type released struct {
	Ruleset   string     `json:"ruleset"`
	Revision  string     `json:"revision"`
	Parts     []partJSON `json:"parts"`
	Changelog string     `json:"changelog"`
}

// readRelease prints what a release file says of itself.
func (s *settings) readRelease(c *cobra.Command, f format, name string) error {
	data, err := (&files{in: c.InOrStdin()}).read("read", name)
	if err != nil {
		return err
	}
	r, err := planfile.ReadRelease(data)
	if err != nil {
		return fmt.Errorf("%s: %w", called(name), err)
	}
	x := &released{r.Plan.Ruleset, r.Plan.Revision, partsJSON(r), r.Changelog}
	if f == asJSON {
		return printJSON(c.OutOrStdout(), x)
	}
	page := s.page(c.OutOrStdout())
	page.line(0, "%s", page.in(bold, x.Ruleset+" "+x.Revision))
	page.parts(x.Parts)
	page.blank()
	page.text(0, plain, strings.TrimSuffix(x.Changelog, "\n"))
	return page.flush(c.OutOrStdout())
}
