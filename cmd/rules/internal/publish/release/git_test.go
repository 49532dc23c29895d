//go:build unix

package release

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A repository is one whose author plants programs. They write a file beside it.
type repository struct {
	t      *testing.T
	dir    string
	marker string
}

const sourceText = "package game\n\nx: 1\r\n"

// newRepository makes a repository with two commits of a source.
func newRepository(t *testing.T) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	top := t.TempDir()
	r := &repository{t, filepath.Join(top, "module"), filepath.Join(top, "ran")}
	if err := os.Mkdir(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r.git("init", "-q", "-b", "main")
	r.set("user.name", "A")
	r.set("user.email", "a@example.com")
	r.write("game.cue", "package game\n")
	r.write("note.txt", "no source")
	r.commit()
	r.write("game.cue", sourceText)
	r.commit()
	return r
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o700)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) commit() {
	r.t.Helper()
	r.git("add", ".")
	r.git("commit", "-q", "-m", "x")
}

// git must succeed.
func (r *repository) git(args ...string) string {
	r.t.Helper()
	out, err := r.try(args...)
	if err != nil {
		r.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(out)
}

func (r *repository) try(args ...string) (string, error) {
	c := exec.Command("git", args...)
	c.Dir = r.dir
	out, err := c.CombinedOutput()
	return string(out), err
}

func (r *repository) set(name, value string) { r.git("config", name, value) }

// program is one that leaves the marker, and fails.
func (r *repository) program() string {
	file := filepath.Join(filepath.Dir(r.dir), "program")
	text := "#!/bin/sh\necho \"$0 $*\" >>'" + r.marker + "'\nexit 1\n"
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		r.t.Fatal(err)
	}
	return file
}

// loseSource removes the object of the source, and says who has it.
func (r *repository) loseSource(url string) {
	id := r.git("rev-parse", "HEAD:game.cue")
	if err := os.Remove(filepath.Join(r.dir, ".git/objects", id[:2], id[2:])); err != nil {
		r.t.Fatal(err)
	}
	r.set("core.repositoryformatversion", "1")
	r.set("extensions.partialClone", "origin")
	r.set("remote.origin.url", url)
	r.set("remote.origin.promisor", "true")
}

// plantedWays are ways in which a repository can name a program. With each, the program runs in what control asks of git;
// where that is nil, no command of a test can show it.
var plantedWays = []struct {
	name    string
	plant   func(r *repository)
	control []string
	fails   string // part of the error; where it is "", the source is read as it was committed
}{
	{"a filter", func(r *repository) {
		r.write(".gitattributes", "*.cue filter=evil\n")
		r.commit()
		r.set("filter.evil.smudge", r.program())
	}, []string{"archive", "HEAD"}, ""},
	{"a process that filters", func(r *repository) {
		r.write(".git/info/attributes", "*.cue filter=evil\n")
		r.set("filter.evil.process", r.program())
		r.set("filter.evil.required", "true")
	}, []string{"archive", "HEAD"}, ""},
	{"a filter in an included file", func(r *repository) {
		r.write(".git/info/attributes", "*.cue filter=evil\n")
		r.write("more", "[filter \"evil\"]\n\tsmudge = "+r.program()+"\n")
		r.set("includeIf.gitdir:"+r.dir+"/.path", r.dir+"/more")
		r.set("include.path", r.dir+"/more")
	}, []string{"archive", "HEAD"}, ""},
	{"a monitor of files", func(r *repository) { r.set("core.fsmonitor", r.program()) }, []string{"status"}, ""},
	{"a conversion to text", func(r *repository) {
		r.write(".git/info/attributes", "*.cue diff=evil\n")
		r.set("diff.evil.textconv", r.program())
	}, []string{"diff", "HEAD~", "HEAD"}, ""},
	{"a program of differences", func(r *repository) { r.set("diff.external", r.program()) },
		[]string{"diff", "HEAD~", "HEAD"}, ""},
	{"a driver of differences", func(r *repository) {
		r.write(".git/info/attributes", "*.cue diff=evil\n")
		r.set("diff.evil.command", r.program())
	}, []string{"diff", "HEAD~", "HEAD"}, ""},
	{"hooks", func(r *repository) {
		r.set("core.hooksPath", filepath.Dir(r.program())+"/hooks")
		for _, name := range []string{"post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"} {
			r.write("../hooks/"+name, "#!/bin/sh\necho x >>'"+r.marker+"'\n")
		}
	}, []string{"checkout", "-q", "HEAD~"}, ""},
	{"hooks of the repository", func(r *repository) {
		r.write(".git/hooks/post-checkout", "#!/bin/sh\necho x >>'"+r.marker+"'\n")
	}, []string{"checkout", "-q", "HEAD"}, ""},
	{"a remote that promises objects", func(r *repository) {
		r.loseSource("ext::" + r.program())
		r.set("protocol.ext.allow", "always")
	}, []string{"cat-file", "-p", "HEAD:game.cue"}, "game.cue"},
	{"a remote over SSH", func(r *repository) {
		r.loseSource("ssh://example.invalid/x")
		r.set("core.sshCommand", r.program())
	}, []string{"cat-file", "-p", "HEAD:game.cue"}, "game.cue"},
	{"a remote with a program to ask", func(r *repository) {
		r.loseSource(filepath.Dir(r.dir))
		r.set("remote.origin.uploadpack", r.program())
	}, []string{"cat-file", "-p", "HEAD:game.cue"}, "game.cue"},
	{"a proxy", func(r *repository) {
		r.loseSource("git://example.invalid/x")
		r.set("core.gitProxy", r.program())
	}, []string{"cat-file", "-p", "HEAD:game.cue"}, "game.cue"},
	{"helpers of credentials", func(r *repository) {
		r.loseSource("http://127.0.0.1:1/x")
		r.set("credential.helper", r.program())
		r.set("core.askPass", r.program())
	}, nil, "game.cue"},
	{"objects of another repository", func(r *repository) {
		other := newRepository(r.t)
		r.loseSource(other.dir)
		r.write(".git/objects/info/alternates", other.dir+"/.git/objects\n")
		r.set("core.alternateRefsCommand", r.program())
	}, nil, ""},
	{"submodules", func(r *repository) {
		r.write(".gitmodules", "[submodule \"evil.cue\"]\n\tpath = evil.cue\n\turl = x\n\tupdate = !"+r.program()+"\n")
		r.git("update-index", "--add", "--cacheinfo", "160000,"+r.git("rev-parse", "HEAD")+",evil.cue")
		r.git("commit", "-q", "-m", "x")
		r.set("submodule.evil.cue.update", "!"+r.program())
		r.set("submodule.recurse", "true")
	}, nil, ""},
	{"other names for what is asked", func(r *repository) {
		for _, name := range []string{"rev-parse", "ls-tree", "cat-file"} {
			r.set("alias."+name, "!"+r.program())
			r.set("pager."+name, r.program())
		}
		r.set("core.pager", r.program())
		r.set("core.editor", r.program())
		r.set("gpg.program", r.program())
	}, nil, ""},
	{"a pretended object", func(r *repository) {
		r.git("replace", r.git("rev-parse", "HEAD:game.cue"), r.git("rev-parse", "HEAD~:game.cue"))
	}, nil, ""},
	{"a directory that names another repository", func(r *repository) {
		r.write(".git/info/attributes", "*.cue filter=evil\n")
		r.set("filter.evil.smudge", r.program())
		r.git("init", "-q", "--separate-git-dir", filepath.Dir(r.dir)+"/elsewhere")
	}, []string{"archive", "HEAD"}, ""},
	{"a bare repository that lies in the directory", func(r *repository) {
		r.write(".git/info/attributes", "*.cue filter=evil\n")
		r.set("filter.evil.smudge", r.program())
		r.set("core.bare", "true")
		all, err := filepath.Glob(r.dir + "/.git/*")
		if err != nil {
			r.t.Fatal(err)
		}
		for _, name := range all {
			if err := os.Rename(name, filepath.Join(r.dir, filepath.Base(name))); err != nil {
				r.t.Fatal(err)
			}
		}
		os.Remove(r.dir + "/.git")
	}, []string{"archive", "HEAD"}, "no such revision"},
}

// TestPlantedRepositories reads revisions of repositories that name a program: none of them runs.
func TestPlantedRepositories(t *testing.T) {
	for _, c := range plantedWays {
		t.Run(c.name, func(t *testing.T) {
			r := newRepository(t)
			c.plant(r)
			os.Remove(r.marker) // what planting itself has run
			files, err := revisionFiles(r.dir, "HEAD")
			if ran, _ := os.ReadFile(r.marker); ran != nil {
				t.Errorf("it runs: %s", ran)
			}
			switch {
			case c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)):
				t.Errorf("the error is %v", err)
			case c.fails == "" && err != nil:
				t.Error(err)
			case c.fails == "":
				if text, err := fs.ReadFile(files, "game.cue"); string(text) != sourceText {
					t.Errorf("the source is %q, %v", text, err)
				}
			}
			if c.control != nil {
				out, _ := r.try(c.control...)
				if ran, _ := os.ReadFile(r.marker); ran == nil {
					t.Errorf("nothing is planted: git %v runs nothing: %s", c.control, out)
				}
			}
		})
	}
}

// TestRevisionFiles reads what a module below the root of a repository held, and refuses what is no file or no revision.
func TestRevisionFiles(t *testing.T) {
	r := newRepository(t)
	r.write("below/rules.cue", "package rules\n")
	r.write("below/golden/a é.txtar", "x")
	r.write("below/other.json", "{}")
	r.commit()
	files, err := revisionFiles(filepath.Join(r.dir, "below"), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if got := strings.Join(names, " "); err != nil || got != "golden/a é.txtar rules.cue" {
		t.Errorf("it has %s, %v", got, err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(r.dir, "link.cue")); err != nil {
		t.Fatal(err)
	}
	r.commit()
	for rev, want := range map[string]string{
		"HEAD": "link.cue is a link", "nothing": "no such revision", "--help": "no such revision", "": "no such revision",
		"HEAD:game.cue": "no such revision",
	} {
		if _, err := revisionFiles(r.dir, rev); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("git:%s: %v", rev, err)
		}
	}
}
