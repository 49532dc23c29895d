package lsp

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A project is what a server works on, and how compiler and client call the files of it: the compiler by paths in their
// module, the client by URIs. It does not change.
//
// Paths come in three kinds, and mixing them up is the usual mistake here: the compiler's ("tables/
// tempestas/testing.cue", from the root of the module), those of the ruleset below a homebrew (the
// same behind base.Name and a slash), and URIs. Functions take the first kind unless their name
// says URI.
type project struct {
	root      string // the directory, absolute
	homebrew  bool   // it is that of a homebrew
	base      sandbox.Module
	baseFiles fs.FS // of base; nil without a homebrew
}

// shippedName is what the files of the ruleset that ships are called, of which a client can open none.
const shippedName = "rules:shipped"

func newProject(o *Options) *project {
	p := &project{root: o.Root, homebrew: o.Homebrew, base: o.Base}
	if o.Homebrew {
		p.base.Name = shippedName
		if p.base.Dir != "" {
			p.base.Name = filepath.ToSlash(p.base.Dir)
		}
		p.baseFiles = p.base.Files()
	}
	return p
}

// casesDir returns where the cases of a ruleset lie: a homebrew has them in one directory.
func (p *project) casesDir(ruleset string) string {
	if p.homebrew {
		return "golden"
	}
	return path.Join("golden", ruleset)
}

// isOwnFile reports whether a file lies in the directory that the server works on.
func (p *project) isOwnFile(name string) bool {
	return !p.homebrew || name != p.base.Name && !strings.HasPrefix(name, p.base.Name+"/")
}

// baseFile returns the path of a file of the ruleset that a homebrew changes, in the ruleset's own module.
func (p *project) baseFile(name string) (string, bool) {
	if p.isOwnFile(name) {
		return "", false
	}
	return strings.CutPrefix(name, p.base.Name+"/")
}

// placeText names a place of the ruleset that a homebrew changes, before a message about it; of a whole directory it is
// empty.
func (p *project) placeText(at plan.Place) string {
	if name, ok := p.baseFile(at.File); ok {
		return fmt.Sprintf("%s:%d:%d: ", name, at.Line, at.Col)
	}
	return ""
}

// fileOf returns the path in the module of a file that a client names.
func (p *project) fileOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	rel, err := filepath.Rel(p.root, filepath.FromSlash(u.Path))
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// ownURI returns how the client names a file of the directory that the server works on.
func (p *project) ownURI(name string) string {
	return (&url.URL{Scheme: "file", Path: path.Join(filepath.ToSlash(p.root), name)}).String()
}

// uriOf returns how the client names a file; not ok for one that ships with the program.
func (p *project) uriOf(name string) (string, bool) {
	switch {
	case p.isOwnFile(name):
		return p.ownURI(name), true
	case p.base.Dir == "":
		return "", false
	}
	return (&url.URL{Scheme: "file", Path: name}).String(), true
}
