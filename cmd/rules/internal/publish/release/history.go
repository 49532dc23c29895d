package release

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/runtime/compare"
)

// History returns the states from one to another, both included, the oldest first, each as ReadState reads it: commits of
// git between git:GOOD and git:BAD, of which a merge counts as one.
func History(w *workspace.Workspace, good, bad string) ([]string, error) {
	from, isGit := strings.CutPrefix(good, "git:")
	to, isGitToo := strings.CutPrefix(bad, "git:")
	if !isGit || !isGitToo {
		return nil, fmt.Errorf("%s to %s: revisions between two states are known of git:REV, or of releases in a directory",
			good, bad)
	}
	git := newGitReader(w.ModuleDir())
	var ends []string
	for _, rev := range []string{from, to} {
		commit, err := git.resolve(rev)
		if err != nil {
			return nil, err
		}
		ends = append(ends, commit)
	}
	list, err := git.command("rev-list", "--reverse", "--first-parent", "--end-of-options", ends[0]+".."+ends[1]).Output()
	if err != nil {
		return nil, fmt.Errorf("%s to %s: %w%s", good, bad, err, stderrOf(err))
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s is no later than %s", bad, good)
	}
	out := []string{good}
	for commit := range strings.FieldsSeq(string(list)) {
		out = append(out, "git:"+commit)
	}
	return out, nil
}

// CommitSubject returns the first line of the message of a commit, a state git:REV; "" for another state.
func CommitSubject(w *workspace.Workspace, state string) (string, error) {
	rev, isGit := strings.CutPrefix(state, "git:")
	if !isGit {
		return "", nil
	}
	git := newGitReader(w.ModuleDir())
	commit, err := git.resolve(rev)
	if err != nil {
		return "", err
	}
	text, err := git.command("cat-file", "commit", commit).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w%s", state, err, stderrOf(err))
	}
	_, message, _ := strings.Cut(string(text), "\n\n")
	subject, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	return subject, nil
}

// Releases returns the release files of a ruleset in a directory from one revision to another, "" for the oldest and the
// newest; the oldest first. Their names say which they are, as "rules release" names them, so that none is read.
func Releases(dir, ruleset, good, bad string) ([]string, error) {
	names, err := fs.Glob(workspace.OpenDir(dir), ruleset+"-*"+workspace.ReleaseSuffix)
	if err != nil {
		return nil, err
	}
	type file struct {
		revision string
		number   compare.Number
		name     string
	}
	var files []file
	for _, name := range names {
		revision := strings.TrimSuffix(strings.TrimPrefix(name, ruleset+"-"), workspace.ReleaseSuffix)
		if number, err := compare.ParseNumber(revision); err == nil {
			files = append(files, file{revision, number, filepath.Join(dir, name)})
		}
	}
	slices.SortFunc(files, func(a, b file) int {
		switch {
		case a.number.Less(b.number):
			return -1
		case b.number.Less(a.number):
			return 1
		}
		return 0
	})
	indexOf := func(revision string, otherwise int) (int, error) {
		if revision == "" {
			return otherwise, nil
		}
		i := slices.IndexFunc(files, func(f file) bool { return f.revision == revision })
		if i < 0 {
			return 0, fmt.Errorf("%s has no %s-%s%s", dir, ruleset, revision, workspace.ReleaseSuffix)
		}
		return i, nil
	}
	first, err := indexOf(good, 0)
	if err != nil {
		return nil, err
	}
	last, err := indexOf(bad, len(files)-1)
	switch {
	case err != nil:
		return nil, err
	case last <= first:
		return nil, fmt.Errorf("%s has no two releases of %s in this order", dir, ruleset)
	}
	var out []string
	for _, f := range files[first : last+1] {
		out = append(out, f.name)
	}
	return out, nil
}
