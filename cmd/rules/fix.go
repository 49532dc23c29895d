package main

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// An edit puts a text in the place of another on one line of a file. It is sure when nothing but its problem goes away.
type edit struct {
	file     string // as it is found from here
	line     int    // from 1
	from, to int    // bytes in the line
	text     string
	sure     bool
}

// fix writes the edits that are sure, one after the other, and shows the others as a diff on p. It gives what is still
// wrong.
func (v *vetting) fix(dir string, p *page) ([]diag.Diagnostic, error) {
	diags, err := v.diagnose(dir)
	for i := 0; err == nil && i < len(diags); {
		e, ok := editOf(&diags[i])
		if !ok || !lies(e.file, dir) {
			i++
			continue
		}
		left, sure, tried := v.try(dir, &e, diags, i)
		switch {
		case tried != nil:
			return nil, tried
		case sure:
			p.line(0, "%s:%d: wrote %s", e.file, e.line, e.text)
			diags = left
		default:
			p.diff(&e)
			i++
		}
	}
	return diags, err
}

// try makes an edit in memory and, when it is sure, on the disk: the errors that are left must be those that were there,
// without the one that is repaired.
func (v *vetting) try(dir string, e *edit, before []diag.Diagnostic, at int) (left []diag.Diagnostic, sure bool, err error) {
	old, err := os.ReadFile(e.file)
	if err != nil || !e.sure {
		return nil, false, err
	}
	data := e.apply(old)
	v.patched = map[string][]byte{filepath.Clean(e.file): data}
	left, err = v.diagnose(dir)
	v.patched = nil
	if err != nil || slices.ContainsFunc(left, func(d diag.Diagnostic) bool { return d.Severity == diag.Error && !said(before, at, &d) }) {
		return nil, false, err
	}
	return left, true, theDisk().writeWhole(e.file, data)
}

// lies reports whether a file lies in a directory.
func lies(file, dir string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}

// said reports whether a problem is one of a list, leaving one of them out.
func said(list []diag.Diagnostic, but int, d *diag.Diagnostic) bool {
	for i := range list {
		if i != but && list[i].Code == d.Code && list[i].Subject == d.Subject && list[i].Message == d.Message {
			return true
		}
	}
	return false
}

var (
	meant = regexp.MustCompile(`^did you mean (\w+)\?$`)
	word  = regexp.MustCompile(`\w+`)
)

// editOf is the repair of a problem, when it can be made on one line.
func editOf(d *diag.Diagnostic) (edit, bool) {
	text, ok := lineOf(d.Place.File, d.Place.Line)
	if !ok {
		return edit{}, false
	}
	e := edit{file: d.Place.File, line: d.Place.Line}
	e.from = len(string([]rune(text)[:min(max(d.Place.Col-1, 0), len([]rune(text)))]))
	if m := meant.FindStringSubmatch(d.Repair); m != nil {
		return e.instead(text, m[1])
	}
	if d.Code == "overlay-moved" && len(d.Related) == 3 {
		return e.expecting(text, d.Related)
	}
	return edit{}, false
}

// instead puts another name in the place of the word that is like it: where the edit begins, or else before or behind on
// the line, as in a path.
func (e edit) instead(line, name string) (edit, bool) {
	all := word.FindAllStringIndex(line, -1)
	slices.SortStableFunc(all, func(a, b []int) int { return cmp.Compare(abs(a[0]-e.from), abs(b[0]-e.from)) })
	for _, at := range all {
		if old := line[at[0]:at[1]]; old != name && spell.Nearest(old, []string{name}) != "" {
			e.from, e.to, e.text, e.sure = at[0], at[1], name, true
			return e, true
		}
	}
	return e, false
}

func abs(n int) int { return max(n, -n) }

// expecting expects what is found. Whether what is wanted is still right, only the players know.
func (e edit) expecting(line string, related []diag.Related) (edit, bool) {
	_, was, _ := strings.Cut(related[0].Message, ": ")
	_, now, _ := strings.Cut(related[1].Message, ": ")
	at := strings.Index(line[e.from:], was)
	if at < 0 {
		return e, false
	}
	e.from += at
	e.to, e.text = e.from+len(was), now
	return e, true
}

// apply gives the text of a file with the edit.
func (e *edit) apply(data []byte) []byte {
	lines := bytes.SplitAfter(data, []byte("\n"))
	lines[e.line-1] = []byte(e.on(string(lines[e.line-1])))
	return bytes.Join(lines, nil)
}

// on gives a line with the edit.
func (e *edit) on(line string) string { return line[:e.from] + e.text + line[e.to:] }

// diff shows an edit that is not made.
func (p *page) diff(e *edit) {
	line, _ := lineOf(e.file, e.line)
	p.line(0, "--- %s", e.file)
	p.line(0, "+++ %s", e.file)
	p.line(0, "@@ -%d +%d @@", e.line, e.line)
	p.text(0, red, "-"+line)
	p.text(0, bold, "+"+e.on(line))
}

// A patchedFS is a tree in which some files have another text.
type patchedFS struct {
	fs.FS
	dir   string // as it is found from here
	files map[string][]byte
}

// Open implements fs.FS.
func (f patchedFS) Open(name string) (fs.File, error) {
	data, ok := f.files[filepath.Join(f.dir, filepath.FromSlash(name))]
	if !ok {
		return f.FS.Open(name)
	}
	return &patchedFile{Reader: bytes.NewReader(data), name: path.Base(name)}, nil
}

// A patchedFile is a file in memory, and what is known of it.
type patchedFile struct {
	*bytes.Reader
	name string
}

// Stat implements fs.File.
func (f *patchedFile) Stat() (fs.FileInfo, error) { return f, nil }

// Close implements fs.File.
func (f *patchedFile) Close() error { return nil }

// Name implements fs.FileInfo.
func (f *patchedFile) Name() string { return f.name }

// Mode implements fs.FileInfo.
func (f *patchedFile) Mode() fs.FileMode { return 0o444 }

// ModTime implements fs.FileInfo.
func (f *patchedFile) ModTime() time.Time { return time.Time{} }

// IsDir implements fs.FileInfo.
func (f *patchedFile) IsDir() bool { return false }

// Sys implements fs.FileInfo.
func (f *patchedFile) Sys() any { return nil }
