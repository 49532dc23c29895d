// Package terminal reads lines from a person at a terminal, who can edit them, bring earlier ones back, and search with Tab
// among what can be typed.
//
// Editing is that of golang.org/x/term. The terminal is raw only while a line is read, so that what is printed between two
// lines, and a program that is killed there, needs no care. A library of full-screen forms (charm.land/huh: 25 modules)
// would redraw what the transcript of a session should keep, and lets nothing but a field's own answer be typed, where odds
// or undo must be possible; github.com/reeflective/readline completes only what begins with the typed text, so that nothing
// can be found by what it means.
package terminal

import (
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/table/gametable"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/visible"
)

// prompt stands before what is typed.
const prompt = "> "

// A Terminal is a terminal that a person types at.
type Terminal struct {
	in   *os.File
	edit *term.Terminal
}

// Open makes a Terminal of the standard streams; nil when they are not both a terminal that obeys control sequences.
func Open(in io.Reader, out io.Writer) *Terminal {
	if v, ok := out.(*visible.Writer); ok {
		out = v.To
	}
	f, ok := in.(*os.File)
	if !ok || !layout.IsTerminal(out) || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	streams := struct {
		io.Reader
		io.Writer
	}{in, out}
	return &Terminal{in: f, edit: term.NewTerminal(streams, prompt)}
}

// Width is how many columns the terminal has; 0 when it does not say.
func (t *Terminal) Width() int {
	width, _, err := term.GetSize(int(t.in.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// ReadLine implements gametable.Lines. Ctrl-C and Ctrl-D on an empty line end the input.
func (t *Terminal) ReadLine(find func(text string) []gametable.Word) (line string, err error) {
	fd := int(t.in.Fd())
	was, err := term.MakeRaw(fd)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, term.Restore(fd, was)) }()
	if width, height, err := term.GetSize(fd); err == nil && width > 0 {
		if err := t.edit.SetSize(width, height); err != nil {
			return "", err
		}
	}
	t.edit.AutoCompleteCallback = func(line string, at int, key rune) (string, int, bool) {
		if key != '\t' {
			return "", 0, false
		}
		text, rest := line[:at], line[at:]
		text, list := complete(text, find)
		if len(list) > 0 {
			t.show(list)
		}
		return text + rest, len(text), true
	}
	line, err = t.edit.ReadLine()
	if errors.Is(err, term.ErrPasteIndicator) { // a pasted line is a line
		err = nil
	}
	return line, err
}

// show lists words above the line that is typed.
func (t *Terminal) show(list []gametable.Word) {
	page := &layout.Page{Width: min(t.Width()-1, layout.PageWidth)}
	var rows [][]string
	for _, w := range list {
		rows = append(rows, []string{w.Text, w.Means})
	}
	page.AddRows(2, rows)
	var text strings.Builder
	if page.Flush(&text) == nil {
		io.WriteString(t.edit, text.String()) // it writes to memory: the next read tells of a terminal that has gone
	}
}

// complete returns a text extended as far as all completions agree, and a list if there is more than one. Of a list
// separated by commas the last item is completed.
func complete(text string, find func(string) []gametable.Word) (string, []gametable.Word) {
	begin := ""
	if at := strings.LastIndexAny(text, ",="); at >= 0 {
		rest := strings.TrimLeft(text[at+1:], " ")
		begin, text = text[:len(text)-len(rest)], rest
	}
	list := find(text)
	switch len(list) {
	case 0:
		return begin + text, nil
	case 1:
		return begin + list[0].Text, nil
	}
	common := list[0].Text
	for _, w := range list[1:] {
		for !strings.HasPrefix(w.Text, common) {
			common = common[:len(common)-1]
		}
	}
	if strings.HasPrefix(common, text) && common != text {
		return begin + common, nil
	}
	return begin + text, list
}
