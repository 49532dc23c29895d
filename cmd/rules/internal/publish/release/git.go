package release

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// # A repository of strangers
//
// The configuration of a repository names programs: filters, drivers of differences, hooks, monitors, remotes. Whoever
// gives away a directory gives it away with it, and a bare repository needs no name that gives it away. So git is asked for
// nothing but names and objects, which no such program touches: rev-parse, rev-list, ls-tree and cat-file --batch, without
// filters and conversions. git archive, which this replaces, ran the filters.
//
// What these still could start is taken from them one by one (safeConfiguration, safeEnvironment), and a test plants
// each way. Of the configuration of the user and the system only the directories that they call safe are read. A library
// (go-git) would execute nothing either. But git is there wherever a revision of it is, and knows each form of its
// repositories: of a library the forms that it lacks would be refused, for what these commands give.

// maxSnapshot bounds the bytes of the files of a revision.
const maxSnapshot = 256 << 20

// safeConfiguration is the part of a command line that stands before whatever git is asked. It wins over the repository's
// own configuration.
var safeConfiguration = []string{
	"--no-pager",
	"-c", "safe.bareRepository=explicit", // one that only lies in the directory is not taken for the repository
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.sshCommand=false",
	"-c", "core.alternateRefsCommand=false",
	"-c", "credential.helper=",
}

// safeEnvironment returns the additions to the environment of git. An object that is missing is not fetched: older
// programs, which do not know the first variable, are stopped by the second one, which allows no way of transport.
func safeEnvironment() []string {
	return []string{
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
	}
}

// A gitReader asks the git of the user about the repository that a directory is in, "" for the current one.
type gitReader struct {
	dir  string
	safe []string // directories that the user or the system calls safe, as arguments
}

func newGitReader(dir string) *gitReader {
	r := &gitReader{dir: dir}
	for _, of := range []string{"--system", "--global"} {
		c := exec.Command("git", "config", of, "--get-all", "safe.directory")
		c.Dir = os.TempDir()
		list, _ := c.Output() // none, where none is configured
		for line := range strings.Lines(string(list)) {
			r.safe = append(r.safe, "-c", "safe.directory="+strings.TrimSuffix(line, "\n"))
		}
	}
	return r
}

// command prepares git for a question.
func (r *gitReader) command(args ...string) *exec.Cmd {
	c := exec.Command("git", append(append(append([]string(nil), safeConfiguration...), r.safe...), args...)...)
	c.Dir = r.dir
	c.Env = append(os.Environ(), safeEnvironment()...)
	return c
}

// A gitObject is a file of a commit.
type gitObject struct{ id, name string }

// resolve returns the commit of a revision. --end-of-options keeps one that begins with a dash from being an option of git.
func (r *gitReader) resolve(rev string) (string, error) {
	commit, err := r.command("rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}").Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("git:%s: git is not installed", rev)
	}
	if err != nil {
		return "", fmt.Errorf("git:%s: git knows no such revision here%s", rev, stderrOf(err))
	}
	return strings.TrimSpace(string(commit)), nil
}

// revisionFiles returns the sources and the cases of rulesets at a revision of the repository that a directory, "" for the
// current one, is in. The revision is resolved to a commit first: the commands that follow are then of the same commit.
func revisionFiles(from, rev string) (fs.FS, error) {
	git := newGitReader(from)
	commit, err := git.resolve(rev)
	if err != nil {
		return nil, err
	}
	objects, err := git.listObjects(commit)
	if err == nil {
		var files []txtar.File
		if files, err = git.readObjects(objects); err == nil {
			return txtar.FS(&txtar.Archive{Files: files})
		}
	}
	return nil, fmt.Errorf("git:%s: %w%s", rev, err, stderrOf(err))
}

// listObjects lists the sources and the cases of a commit, and the files in JSON beside cases, which may name them.
func (r *gitReader) listObjects(commit string) (out []gitObject, err error) {
	list, err := r.command("ls-tree", "-r", "-z", commit).Output()
	if err != nil {
		return nil, err
	}
	withCases := map[string]bool{}
	for entry := range strings.SplitSeq(string(list), "\x00") {
		about, name, _ := strings.Cut(entry, "\t") // mode, type and id
		switch path.Ext(name) {
		case ".txtar":
			withCases[path.Dir(name)] = true
		case ".cue", ".json":
		default:
			continue
		}
		switch words := strings.Fields(about); {
		case len(words) != 3:
			return nil, fmt.Errorf("git lists %q, which is no entry of a tree", entry)
		case words[0] == "120000":
			return nil, fmt.Errorf("%s is a link: a revision of git is read without the files around it", name)
		case words[1] == "blob":
			out = append(out, gitObject{words[2], name})
		}
	}
	return slices.DeleteFunc(out, func(o gitObject) bool {
		return path.Ext(o.name) == ".json" && !withCases[path.Dir(o.name)]
	}), nil
}

// readObjects returns objects as they are stored. Ids are written while objects are read, since git stops reading when
// nobody takes its output.
func (r *gitReader) readObjects(objects []gitObject) ([]txtar.File, error) {
	var ids, complaint bytes.Buffer
	for _, o := range objects {
		fmt.Fprintln(&ids, o.id)
	}
	c := r.command("cat-file", "--batch")
	c.Stdin, c.Stderr = &ids, &complaint
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	files, wrong := readBatch(out, objects)
	if wrong != nil {
		c.Process.Kill()
	}
	ended := c.Wait()
	if err := errors.Join(wrong, ended); err != nil {
		return nil, fmt.Errorf("%w %s", err, strings.TrimSpace(complaint.String()))
	}
	return files, nil
}

// readBatch reads the output of cat-file --batch: a line with the id, the type and the size of each object, its bytes, and
// the end of a line.
func readBatch(from io.Reader, objects []gitObject) ([]txtar.File, error) {
	in, left := bufio.NewReader(from), int64(maxSnapshot)
	files := make([]txtar.File, 0, len(objects))
	for _, o := range objects {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("git ends before %s: %w", o.name, err)
		}
		words := strings.Fields(line)
		if len(words) != 3 || words[0] != o.id || words[1] != "blob" {
			return nil, fmt.Errorf("git does not have %s here: %.200s", o.name, strings.TrimSpace(line))
		}
		size, err := strconv.ParseInt(words[2], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the size of %s: %w", o.name, err)
		}
		if left -= size; left < 0 {
			return nil, fmt.Errorf("the sources and cases have more than %d MiB: %s is beyond them", maxSnapshot>>20,
				o.name)
		}
		data := make([]byte, size+1)
		if _, err := io.ReadFull(in, data); err != nil {
			return nil, fmt.Errorf("git ends within %s: %w", o.name, err)
		}
		files = append(files, txtar.File{Name: o.name, Data: data[:size]})
	}
	return files, nil
}

// stderrOf returns the standard error of a program that failed, behind a colon.
func stderrOf(err error) string {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		if text := strings.TrimSpace(string(e.Stderr)); text != "" {
			return ": " + text
		}
	}
	return ""
}
