// Package repair writes repairs of diagnostics into the author's files. A repair is written only when its problem goes
// away and no other error comes; comments, blanks and line ends stay as they are.
package repair

// # What is sure
//
// An edit is sure when the compiler, asked with the patched text, has one error less and none that
// was not there before. That is found out and not assumed: "did you mean" is a guess by spelling,
// and putting the nearest name in may make another formula wrong. What is not sure is shown as a
// diff for the author to judge.
//
// Errors are compared by code, subject and message, not by place: an edit moves what stands behind
// it.

import (
	"bytes"
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// An Edit puts a text in the place of another on one line of a file. It is sure when nothing but its problem goes away.
type Edit struct {
	File     string // as the diagnostic names it
	Line     int    // from 1
	From, To int    // bytes in the line
	Text     string
	Sure     bool
}

// A Repairer repairs the files below a directory. Its diagnose says what is wrong there when some files have another text.
type Repairer struct {
	Dir      string
	Diagnose func(patched map[string][]byte) ([]diag.Diagnostic, error)
	Page     *layout.Page
}

// RepairAll writes the edits that are sure, one after the other, and shows the others as a diff on the page. It returns the
// problems that are left.
//
// After each repair the list of remaining problems takes the place of the old one, and the search stays at the same index:
// the repaired problem is gone from there. So it ends, since each step repairs one problem or passes one by.
func (r *Repairer) RepairAll() ([]diag.Diagnostic, error) {
	diags, err := r.Diagnose(nil)
	for i := 0; err == nil && i < len(diags); {
		e, ok := editOnDisk(&diags[i])
		if !ok || !LiesIn(e.File, r.Dir) {
			i++
			continue
		}
		left, sure, tried := r.tryEdit(&e, diags, i)
		switch {
		case tried != nil:
			return nil, tried
		case sure:
			r.Page.AddLine(0, "%s:%d: wrote %s", e.File, e.Line, e.Text)
			diags = left
		default:
			printEdit(r.Page, &e)
			i++
		}
	}
	return diags, err
}

// tryEdit makes an edit in memory and, when it is sure, on the disk: the errors that are left must be those that were
// there, without the one that is repaired.
func (r *Repairer) tryEdit(e *Edit, before []diag.Diagnostic, at int) (left []diag.Diagnostic, sure bool, err error) {
	// Read anew each time: the repair before may have been in the same file.
	old, err := safefile.Read(e.File)
	if err != nil || !e.Sure {
		return nil, false, err
	}
	data := e.applyTo(old)
	left, err = r.Diagnose(map[string][]byte{filepath.Clean(e.File): data})
	if err != nil || slices.ContainsFunc(left,
		func(d diag.Diagnostic) bool { return d.Severity == diag.Error && !isAmong(before, at, &d) }) {
		return nil, false, err
	}
	return left, true, atomicfile.TheDisk().WriteWhole(e.File, data)
}

// LiesIn reports whether a file lies in a directory.
func LiesIn(file, dir string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}

// isAmong reports whether a problem is one of a list, leaving one of them out.
func isAmong(list []diag.Diagnostic, but int, d *diag.Diagnostic) bool {
	for i := range list {
		if i != but && list[i].Code == d.Code && list[i].Subject == d.Subject && list[i].Message == d.Message {
			return true
		}
	}
	return false
}

var (
	didYouMean = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^did you mean (\w+)\?$`) })
	oldChoice  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\{by: *"([\w.]+)", *is: *(\{[^{}]*\})\}`)
	})
	wordForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\w+`) })
)

// editOnDisk returns the repair of a problem in a file as it is saved. A place in no file that can
// be read, as of a release, has none.
func editOnDisk(d *diag.Diagnostic) (Edit, bool) {
	text, ok := present.LineOf(d.Place.File, d.Place.Line)
	if !ok {
		return Edit{}, false
	}
	return EditOf(d, text)
}

// EditOf returns the repair of a problem on its line, and whether it has one. The language server
// gives the line as the editor has it, this package as the disk has it.
func EditOf(d *diag.Diagnostic, line string) (Edit, bool) {
	e := Edit{File: d.Place.File, Line: d.Place.Line}
	// Columns count code points from 1, and edits count bytes from 0.
	e.From = len(string([]rune(line)[:min(max(d.Place.Col-1, 0), len([]rune(line)))]))
	if m := didYouMean().FindStringSubmatch(d.Repair); m != nil {
		return e.replaceWord(line, m[1])
	}
	if m := oldChoice().FindStringSubmatch(line[min(e.From, len(line)):]); m != nil && d.Code == "old-choice" {
		e.To, e.Text, e.Sure = e.From+len(m[0]), strings.ReplaceAll(m[1], ".", ": ")+": "+m[2], true
		return e, true
	}
	if d.Code == "overlay-moved" && len(d.Related) == 3 {
		return e.replaceExpected(line, d.Related)
	}
	return Edit{}, false
}

// replaceWord puts another name in the place of the word that is like it: where the edit begins, or else before or behind
// on the line, as in a path.
func (e Edit) replaceWord(line, name string) (Edit, bool) {
	all := wordForm().FindAllStringIndex(line, -1)
	slices.SortStableFunc(all, func(a, b []int) int { return cmp.Compare(abs(a[0]-e.From), abs(b[0]-e.From)) })
	for _, at := range all {
		if old := line[at[0]:at[1]]; old != name && spell.Nearest(old, []string{name}) != "" {
			e.From, e.To, e.Text, e.Sure = at[0], at[1], name, true
			return e, true
		}
	}
	return e, false
}

func abs(n int) int { return max(n, -n) }

// replaceExpected returns an edit that expects the value that is there. Whether the wanted value is still right, only the
// players know.
func (e Edit) replaceExpected(line string, related []diag.Related) (Edit, bool) {
	_, was, _ := strings.Cut(related[0].Message, ": ")
	_, now, _ := strings.Cut(related[1].Message, ": ")
	at := strings.Index(line[e.From:], was)
	if at < 0 {
		return e, false
	}
	e.From += at
	e.To, e.Text = e.From+len(was), now
	return e, true
}

// applyTo returns the text of a file with the edit.
//
// SplitAfter keeps the line ends, so that a file with CRLF stays one.
func (e *Edit) applyTo(data []byte) []byte {
	lines := bytes.SplitAfter(data, []byte("\n"))
	lines[e.Line-1] = []byte(e.editLine(string(lines[e.Line-1])))
	return bytes.Join(lines, nil)
}

// editLine returns a line with the edit.
func (e *Edit) editLine(line string) string { return line[:e.From] + e.Text + line[e.To:] }

// printEdit shows an edit that is not made.
func printEdit(p *layout.Page, e *Edit) {
	line, _ := present.LineOf(e.File, e.Line)
	p.AddLine(0, "--- %s", e.File)
	p.AddLine(0, "+++ %s", e.File)
	p.AddLine(0, "@@ -%d +%d @@", e.Line, e.Line)
	p.AddText(0, layout.Red, "-"+line)
	p.AddText(0, layout.Bold, "+"+e.editLine(line))
}
