package golden

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A Header is a line "name: value" at the head of a case.
//
// The documentation of a header is what an editor shows when it completes it. There is no other
// list.
type Header struct {
	Name, Doc string

	repeats bool // it may stand more than once
	read    func(p *parser, value string) error
}

// Headers returns those that a case may have. They are data, so that the parser, the message about an unknown header and
// the completions of editors cannot differ. A function gives a new list each time, because the package has no state.
func Headers() []Header {
	return []Header{
		{Name: "rule", Doc: "the rule that is asked", read: readSubject(RuleCase)},
		{Name: "procedure", Doc: "the procedure that is played", read: readSubject(ProcedureCase)},
		{Name: "table", Doc: "the table that is written out again", read: readSubject(TableCase)},
		{Name: "function", Doc: "the function that is called with the arguments in input.json", read: readSubject(FunctionCase)},
		{Name: "odds", Doc: "the rule whose odds are asked, or the procedure", read: readSubject(OddsCase)},
		{Name: "policy", Doc: "EVENT or EVENT INPUT, what is tried next of a procedure whose odds are asked", repeats: true,
			read: (*parser).readMove},
		{Name: "covers", Doc: "ids of the statements and the examples that it shows", repeats: true,
			read: (*parser).readCovers},
		{Name: "cite", Doc: "where it stands in the book", read: readText(func(c *Case) *string { return &c.Cite })},
		{Name: "character", Doc: "the file that has the character, from the directory of the case",
			read: readText(func(c *Case) *string { return &c.characterFile })},
		{Name: "erratum", Doc: "the contradiction that it is about",
			read: readText(func(c *Case) *string { return &c.Erratum })},
		{Name: "option", Doc: "NAME=VALUE, a ruling that it is played with", repeats: true,
			read: readSetting(func(c *Case) *map[string]string { return &c.Options })},
		{Name: "printed", Doc: "NAME=VALUE, a ruling under which what is printed comes out", repeats: true,
			read: readSetting(func(c *Case) *map[string]string { return &c.Printed })},
		{Name: "near", Doc: "how far numbers may be off where the book rounds", read: (*parser).readNear},
		{Name: "refused", Doc: "the message of what refuses, or a part of it",
			read: readText(func(c *Case) *string { return &c.Refused })},
		{Name: "failed", Doc: "what is wrong where a formula has no value, or a part of it",
			read: readText(func(c *Case) *string { return &c.Failed })},
		{Name: "recorded", Doc: "true: what was answered when it was written, which proves nothing of a book",
			read: (*parser).readRecorded},
	}
}

// A File is a part of a case that is a file of its own.
type File struct {
	Name, Doc string

	read func(p *parser, data []byte) error
}

// Files returns those that a case may have.
func Files() []File {
	return []File{
		{"dice", "the faces that fall", (*parser).readDice},
		{"character.json", "the character", readJSON(func(c *Case, _ *jsontree.Tree, data []byte) error {
			c.Character = data
			return nil
		})},
		{"input.json", "the input", readJSON(func(c *Case, _ *jsontree.Tree, data []byte) error {
			c.Input = data
			return nil
		})},
		{"events.json", "the events of a procedure", readJSON(func(c *Case, t *jsontree.Tree, data []byte) (err error) {
			c.Events, err = parseEventList(t, data)
			return err
		})},
		{"want.json", "what is wanted of the sheet", readJSON(func(c *Case, t *jsontree.Tree, _ []byte) error {
			c.want = t
			return nil
		})},
		{"printed.json", "what the book prints instead", readJSON(func(c *Case, t *jsontree.Tree, _ []byte) error {
			c.printed = t
			return nil
		})},
		{"table.json", "the rows of a table, written out again", readJSON(func(c *Case, t *jsontree.Tree, _ []byte) error {
			c.table = t
			return nil
		})},
	}
}

func readSubject(kind Kind) func(*parser, string) error {
	return func(p *parser, id string) error {
		if p.c.Kind != "" {
			return fmt.Errorf("the case is of %s %s already", p.c.Kind, p.c.Subject)
		}
		p.c.Kind, p.c.Subject = kind, id
		return nil
	}
}

func readText(field func(*Case) *string) func(*parser, string) error {
	return func(p *parser, value string) error {
		*field(p.c) = value
		return nil
	}
}

// readSetting reads "option=value".
func readSetting(field func(*Case) *map[string]string) func(*parser, string) error {
	return func(p *parser, s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" || value == "" {
			if id, value, isColon := strings.Cut(s, ":"); isColon && !ok {
				return fmt.Errorf("%q is not option=value: write %s=%s", s, strings.TrimSpace(id), strings.TrimSpace(value))
			}
			if words := strings.Fields(s); len(words) == 2 {
				return fmt.Errorf("%q is not option=value: write %s=%s", s, words[0], words[1])
			}
			return fmt.Errorf("%q is not option=value", s)
		}
		to := field(p.c)
		if _, twice := (*to)[name]; twice {
			return fmt.Errorf("option %s is set twice", name)
		}
		if *to == nil {
			*to = map[string]string{}
		}
		(*to)[name] = value
		return nil
	}
}

func (p *parser) readNear(value string) error {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || !(x > 0) {
		return fmt.Errorf("near is %q, not a number above 0", value)
	}
	p.c.Near = x
	return nil
}

func (p *parser) readCovers(value string) error {
	if ids := strings.ReplaceAll(value, ",", " "); ids != value {
		return fmt.Errorf("covers: blanks stand between ids, and no commas: covers: %s",
			strings.Join(strings.Fields(ids), " "))
	}
	for _, id := range strings.Fields(value) {
		p.c.Covers = append(p.c.Covers, id)
		p.c.coverLines = append(p.c.coverLines, p.line)
	}
	return nil
}

func (p *parser) readRecorded(value string) error {
	if value != "true" {
		return fmt.Errorf("recorded is true or is not there, not %q", value)
	}
	p.c.Recorded = true
	return nil
}

func (p *parser) readDice(data []byte) (err error) {
	for line := range strings.Lines(string(data)) {
		name, _, ok := strings.Cut(line, ": ")
		if ok && slices.ContainsFunc(Headers(), func(h Header) bool { return h.Name == name }) {
			return fmt.Errorf("%s is a header, and stands with the others at the head of the case", name)
		}
	}
	t, err := dice.ParseThrow(string(data))
	if err == nil && t.Seed != nil {
		return errors.New("a case gives the faces themselves: it has no seed")
	}
	p.c.Dice = t.Dice
	return err
}

func readJSON(keep func(c *Case, t *jsontree.Tree, data []byte) error) func(*parser, []byte) error {
	return func(p *parser, data []byte) error {
		t, err := jsontree.ReadTree(data)
		name := strings.TrimSpace(string(data))
		if err != nil && strings.HasSuffix(name, ".json") && !strings.ContainsAny(name, " {[\n") {
			return fmt.Errorf("%s is a file: the name of a character's stands among the headers, character: %[1]s", name)
		}
		if err != nil {
			return err
		}
		return keep(p.c, t, data)
	}
}
