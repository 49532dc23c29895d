package gametable

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/changes"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
)

// Lines are what a person types.
type Lines interface {
	// ReadLine reads the next line without its end; io.EOF when no more come. Find searches among what can be typed.
	ReadLine(find func(text string) []Word) (string, error)
}

// RunText plays with people, line by line. Answers are read as they are typed: a string needs no quotes, but one that is
// also a word of the session, such as undo, is written in quotes.
//
// Notices are printed before errors are looked at: the events up to a broken disk or a closed terminal are still told.
func (s *Session) RunText(in Lines, out io.Writer, newPage func() *layout.Page) error {
	t := &textSession{Session: s, lines: in, out: out, newPage: newPage}
	if play := s.moment.play; play != nil {
		page := newPage()
		t.recallPlay(page, play)
		if err := page.Flush(out); err != nil {
			return err
		}
	}
	for {
		p, said, err := s.Prompt()
		if err := errors.Join(t.printNotices(said), err); err != nil {
			return err
		}
		if err := t.printPrompt(p); err != nil {
			return err
		}
		c, err := t.readCommand(p)
		if err != nil || c.atEnd {
			return err
		}
		if c.Quit {
			if ends, err := t.mayQuit(); ends || err != nil {
				return err
			}
			continue
		}
		t.hasWarned = false
		if err := t.tellDefaults(p, c); err != nil {
			return err
		}
		said, err = s.Do(p, c)
		if err := errors.Join(t.printNotices(said), err); err != nil {
			return err
		}
	}
}

// ChooseRuleset asks a person for one of several rulesets, by its name or the beginning of it; empty when none is wanted.
// Their titles are asked for only when a person wants to know more.
//
// Titles need every ruleset compiled, which takes a second or two; names do not. So titles are
// shown only to those who ask for them.
func ChooseRuleset(in Lines, out io.Writer, newPage func() *layout.Page, ids []string,
	titleOf func(id string) string,
) (string, error) {
	p := &Prompt{}
	for _, id := range ids {
		p.Choices = append(p.Choices, Choice{ID: id})
	}
	say := func(page *layout.Page) {
		page.AddText(0, layout.Plain, "Which ruleset? "+strings.Join(numberWords(ids), ", "))
	}
	for {
		page := newPage()
		say(page)
		if err := page.Flush(out); err != nil {
			return "", err
		}
		line, err := in.ReadLine(func(text string) []Word { return findWords(p, text) })
		switch text := strings.TrimSpace(line); {
		case errors.Is(err, io.EOF), text == "quit", text == "exit":
			return "", nil
		case err != nil:
			return "", err
		case text == "?", text == "help":
			say = func(page *layout.Page) {
				var rows [][]string
				for i, id := range ids {
					rows = append(rows, []string{strconv.Itoa(i + 1), id, titleOf(id)})
				}
				addNumbered(page, 2, rows)
				page.AddText(0, layout.Plain, "Type the number or the name of a ruleset, or quit.")
			}
		case text != "":
			var c *Command
			var id string
			if c, say = chooseByText(p, text); c != nil {
				err := json.Unmarshal(c.Answer, &id)
				return id, err
			}
		}
	}
}

// A textSession is a session with people.
type textSession struct {
	*Session
	lines   Lines
	out     io.Writer
	newPage func() *layout.Page

	hasWarned       bool     // that quitting would lose something
	introducedPaths []string // the paths of the characters about which questions have begun
}

// readCommand reads lines until one is a command.
//
// It stays at the question until there is something to carry out: help and misunderstandings do not
// ask the rule again.
func (t *textSession) readCommand(p *Prompt) (*Command, error) {
	for {
		line, err := t.lines.ReadLine(func(text string) []Word { return findWords(p, text) })
		if errors.Is(err, io.EOF) {
			fmt.Fprintln(t.out)
			if t.hasWarned {
				return &Command{atEnd: true}, nil
			}
			return &Command{atEnd: true}, endOfInput(p, nil)
		}
		if err != nil {
			return nil, err
		}
		c, say := parseCommand(p, strings.TrimSpace(line))
		if say == nil {
			return c, nil
		}
		page := t.newPage()
		say(page)
		if err := page.Flush(t.out); err != nil {
			return nil, err
		}
	}
}

// printNotices prints notices.
func (t *textSession) printNotices(said []Notice) error {
	for i := range said {
		page := t.newPage()
		printNotice(page, &said[i])
		if err := page.Flush(t.out); err != nil {
			return err
		}
	}
	return nil
}

// printNotice prints one notice of a session.
//
// At most one of the cases applies, as a notice says one thing; rows of odds and a note follow it, or
// are all that it says.
func printNotice(p *layout.Page, n *Notice) {
	switch {
	case n.Error != "":
		p.AddText(0, layout.Red, n.Error)
	case n.Refused != "":
		p.AddText(0, layout.Red, n.Refused)
	case n.Fell != "":
		p.AddLine(0, "%s", n.fell)
	case n.Undone:
		p.AddLine(0, "taken back")
	case n.Sheet != nil:
		p.AddBlank()
		notes := n.notes
		notes.Spoken = true
		present.PrintSheet(p, n.Sheet, &notes, 0)
	case n.Happened != nil:
		printStepChanges(p, n.Happened)
	case n.Why != nil:
		present.PrintTrace(p, n.Why)
	}
	var rows [][]string
	for _, c := range n.Odds {
		if c.If == nil {
			rows = append(rows,
				[]string{c.label, layout.FormatRoundPercent(c.P), "as it stands, with defaults for what is not answered"})
		} else {
			rows = append(rows, []string{c.label, layout.FormatRoundPercent(c.P), "if " + c.answer})
		}
	}
	p.AddRows(2, rows, layout.Column{Style: layout.Bold}, layout.Column{Right: true})
	p.AddText(2, layout.Faint, n.Note)
}

// printStepChanges prints the changes of a step.
//
// A start shows the state that it has set up and leaves empty members out: a fresh state is mostly zeros and empty lists.
func printStepChanges(p *layout.Page, h *StepChanges) {
	p.AddBlank()
	title := "it begins"
	if h.Event != "" {
		title = cmp.Or(h.notes.Told.Title, "event "+h.Event)
	}
	p.AddLine(0, "%s", p.Style(layout.Bold, title))
	present.PrintTold(p, 2, &h.notes.Told)
	p.AddRows(2, view.Rows(view.Parts(h.Output, &h.notes)), layout.Column{Style: layout.Bold})
	var rows [][]string
	for _, c := range h.Changed {
		switch {
		case h.Event == "" && isEmpty(c.After): // nothing was said of it yet
		case c.Before == nil:
			part := h.nowNotes.Part(c.Path, c.After)
			rows = append(rows, []string{"+", part.Name, part.Text})
		case c.After == nil:
			part := h.nowNotes.Part(c.Path, c.Before)
			rows = append(rows, []string{"-", part.Name, part.Text})
		default:
			part := h.nowNotes.Part(c.Path, c.After)
			rows = append(rows, []string{"*", part.Name, h.nowNotes.Part(c.Path, c.Before).Text + " -> " + part.Text})
		}
	}
	p.AddRows(2, rows)
	printStanding(p, h.Status, &h.nowNotes)
	p.AddRows(4, view.Rows(view.Parts(h.Now, &h.nowNotes)))
}

// printStanding says how a procedure stands: its status where its words do not have it, and these.
func printStanding(p *layout.Page, status string, notes *view.Notes) {
	if status := notes.StatusText(status); status != "" {
		p.AddLine(2, "status %s", status)
	}
	present.PrintTold(p, 2, &notes.Told)
}

// isEmpty reports whether a value in JSON says nothing to people: no elements, no text, not true.
//
// Zero is not empty: a pool of 0 means something.
func isEmpty(value json.RawMessage) bool {
	return slices.Contains([]string{"[]", "{}", `""`, "false", "null"}, string(value))
}

// printPrompt prints a prompt.
func (t *textSession) printPrompt(p *Prompt) error {
	fmt.Fprintln(t.out)
	page := t.newPage()
	switch p.Kind {
	case AskSubject:
		page.AddText(0, layout.Plain,
			"Which rule or procedure? Type its number, or a part of its name or of what it is about; ? lists all.")
		listProcedures(page, p.Choices)
	case AskMore:
		page.AddText(0, layout.Plain, "Choose another rule or procedure, or why, or undo, or quit.")
	case AskEvent:
		printOffers(page, p)
	case ask.Die:
		printDiePrompt(page, p)
	default:
		t.introduceCharacter(page, p)
		printFieldPrompt(page, p)
	}
	return page.Flush(t.out)
}

// recallPlay prints the stand of a procedure that is gone on with: its inputs, and its state now.
func (t *textSession) recallPlay(page *layout.Page, play *runtime.Play) {
	page.AddLine(0, "%s", page.Style(layout.Bold,
		fmt.Sprintf("%s goes on; events so far: %d", t.subjectTitle(), len(play.Events))))
	var rows [][]string
	notes := view.NotesOfPlay(t.Program.Plan(), play)
	notes.Spoken = true
	for _, of := range []struct {
		name string
		text json.RawMessage
	}{{"input", play.Input}, {"state", play.State}} {
		for _, c := range changes.Compare(of.name, nil, of.text) {
			if !isEmpty(c.After) {
				part := notes.Part(c.Path, c.After)
				rows = append(rows, []string{part.Name, part.Text})
			}
		}
	}
	page.AddRows(2, rows, layout.Column{Style: layout.Bold})
	printStanding(page, play.Status, &notes)
	page.AddRows(4, view.Rows(view.Outputs(play.Output, &notes)))
}

// tellDefaults prints the defaults that are about to be taken, and that a question without one stays.
//
// The defaults of "all" are told before they are taken, so that a player who reads sees a wrong one, and undo takes it
// back.
func (t *textSession) tellDefaults(p *Prompt, c *Command) error {
	if !c.AcceptAll || unknownField(p, c.But) != "" {
		return nil
	}
	var taken []string
	for _, q := range p.openFields() {
		if q.Default != nil && !q.Required && !isNamed(q.Path, c.But) {
			taken = append(taken, p.voice.fieldName(q.Path)+" "+p.voice.defaultOf(&q))
		}
	}
	if len(taken) == 0 {
		return nil
	}
	note := "by default: " + strings.Join(taken, ", ")
	if p.Required {
		note += "; " + p.voice.fieldName(p.Path) + " has no default and needs an answer"
	}
	return t.printNotices([]Notice{{Note: note}})
}

// introduceCharacter says, before the first question about a character, how it can be given whole.
//
// Field by field is a slow way to enter a character that exists in a file. It is said once for each
// character, at the first question about it.
func (t *textSession) introduceCharacter(page *layout.Page, p *Prompt) {
	path := p.Character
	if path == "" || slices.Contains(t.introducedPaths, path) {
		return
	}
	t.introducedPaths = append(t.introducedPaths, path)
	if path != "character" {
		page.AddText(0, layout.Plain,
			"What matters of "+p.voice.fieldName(path)+" is asked now. Instead, example takes a character that ships, and "+
				"@FILE one of your own.")
		return
	}
	text := "What matters of the character is asked now. Instead, example takes one that ships, and @FILE one of your own."
	if t.CharacterFile == "" {
		text += " With --character FILE it is kept in a file."
	}
	page.AddText(0, layout.Plain, text)
}

// mayQuit reports whether a session with people may end: changes that no file keeps are told first, and quit is to be said
// once more.
func (t *textSession) mayQuit() (bool, error) {
	lost := t.listUnsaved()
	switch {
	case len(t.history) == 0:
		return true, nil // nothing has happened, and the files stay as they are
	case len(lost) == 0, t.hasWarned:
		return true, t.Save()
	}
	t.hasWarned = true
	note := strings.Join(lost, " and ") + " would be lost: no file keeps it. Type save FILE to keep it, or quit again."
	return false, t.printNotices([]Notice{{Note: note}})
}
