package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// A planFlag is the flag --plan of commands that look things up: a release or a plan file, or a directory of releases,
// stands for the module.
//
// "The newest" is by number and not by the time of the file: a directory may be copied, and a patch
// of an old revision may be written last.
type planFlag struct {
	file    string
	options compiler.Options // of what is compiled when homebrews are laid over the releases
}

func (f *planFlag) addTo(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "plan", "",
		"use the plan in `FILE`, as build or release writes it, or the newest releases of a directory or a lock file")
}

// argCount wants at least so many arguments, or with --plan any number: there the file says which ruleset is meant.
func (f *planFlag) argCount(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if f.file != "" {
			return usage.ArgCount(0, most)(c, args)
		}
		return usage.ArgCount(least, most)(c, args)
	}
}

// readReleases returns the releases that --plan names: of a directory the newest one of each ruleset.
func (f *planFlag) readReleases(s *settings, c *cobra.Command) ([]*planfile.Release, error) {
	if workspace.HoldsReleases(f.file) {
		releases, err := s.ReadReleases(f.file)
		if err != nil {
			return nil, err
		}
		return releases.Newest(f.options)
	}
	// A file of --plan may be a bare plan or a release. A plan is read as a release without cases,
	// so that the commands have one way.
	r, err := s.ReleaseFile(f.file, &argdata.Files{In: c.InOrStdin()}, f.options)
	return []*planfile.Release{r}, err
}

// readNamed returns the releases of some rulesets among those that --plan names, or all when no ruleset is given.
func (f *planFlag) readNamed(s *settings, c *cobra.Command, rulesets ...string) ([]*planfile.Release, error) {
	list, err := f.readReleases(s, c)
	if err != nil || len(rulesets) == 0 {
		return list, err
	}
	var out []*planfile.Release
	for _, name := range rulesets {
		i := slices.IndexFunc(list, func(r *planfile.Release) bool { return r.Plan.Ruleset == name })
		if i < 0 {
			return nil, fmt.Errorf("%s has no ruleset %s; it has %s", argdata.FileName(f.file), name, list[0].Plan.Ruleset)
		}
		out = append(out, list[i])
	}
	return out, nil
}

// readOne reads the plan that a command is about, and gives the arguments behind the name of the ruleset, which may be
// left out when there is only one.
func (f *planFlag) readOne(s *settings, c *cobra.Command, args []string) (*plan.Plan, []string, error) {
	list, err := f.readReleases(s, c)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range list {
		if len(args) > 0 && args[0] == r.Plan.Ruleset {
			return r.Plan, args[1:], nil
		}
	}
	if len(list) > 1 {
		return nil, nil, fmt.Errorf("%s has releases of several rulesets: name the ruleset", f.file)
	}
	return list[0].Plan, args, nil
}

// plansOf are the plans of releases.
func plansOf(list []*planfile.Release) []*plan.Plan {
	var out []*plan.Plan
	for _, r := range list {
		out = append(out, r.Plan)
	}
	return out
}
