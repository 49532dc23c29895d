// Package golden reads the cases that hold rulesets to their books (worked examples, refusals, and second transcriptions
// of tables) and plays them against a plan. It imports the runtime, and neither the compiler nor CUE or CEL.
//
// A case is a text file of the txtar format: headers that say what it is about, sentences that do the book's arithmetic by
// hand, and files with what is asked and what is wanted (format.go lists the headers and files, and editors complete them
// from there). [Load] reads the cases of a directory, [Run] plays one: it evaluates a rule, plays the events of a
// procedure, calls a function, writes a table out again row by row, or asks for exact odds, and compares the answer
// with want.json as trees of JSON. An object may have more members than want.json names, so that a case holds what its
// page says and nothing else. A value there may be arithmetic over cells of tables, so that a case moves with a number
// of the book and still notices another formula (arithmetic.go).
//
// Where a book contradicts itself, want.json has the ruling of the release and printed.json what stands printed. What is
// printed must not come out under the release, and must come out under the options that the header printed names.
//
// [Test] plays the cases of a ruleset and says what they leave open. It counts what a passing case evaluates and not what
// it says of itself: a statement of the book is held when a definition that covers it was reached, a branch when it was
// taken; a table is held when a case wrote it out again. Whether the cases would also notice that a number changes is the
// question of package mutants.
//
// # One case
//
//	rule: test
//	cite: Testing by Chance
//	covers: tempestas.active-value
//
//	Navigation 60, and the test is hard (30): 60 - 30 = 30. A roll of 28 succeeds.
//
//	-- character.json --
//	{"skills": {"navigation": 60}}
//	-- input.json --
//	{"kind": "skill", "name": "navigation", "difficulty": "hard"}
//	-- dice --
//	28
//	-- want.json --
//	{"output": {"active_value": {"cel": "60 - tables.difficulty.hard.points"}, "success": true}}
//
// parse.go reads headers until the blank line, the sentence, and each file with the line at which
// it stands; jsontree keeps of want.json the byte offsets of every value. checkComplete refuses a
// case that expects nothing or has parts that its kind does not use. run.go evaluates the rule with
// the face 28 and reads the sheet as a tree. arithmetic.go replaces {"cel": ...} by the number 30,
// whose offsets are those of the formula. compare.go walks both trees and gives, where they differ,
// a path, both values and the offset; result.go turns the offset into a line and a column of the
// file, which an editor underlines. report.go counts: the statement is held, as the case passed,
// names it, and reached the rule that covers it (reach.go).
//
// # In which order to read
//
// case.go, format.go, parse.go and faces.go are the file; run.go, odds.go, table.go and cells.go
// play it; compare.go, arithmetic.go and result.go judge; statements.go, reach.go, examples.go and
// report.go say what all cases leave open; embed.go makes a file of cases that needs no other file.
// Packages jsontree, mutants and revisions below stand on this one.
//
// TestParse and TestParseErrors hold the format, TestCompare and TestArithmetic the comparison,
// TestRun each way in which a case ends, TestReport what is left open; TestRulesets plays all cases
// that ship.
//
// Invariant: what a case expects comes from its file alone, and nothing here writes one.
package golden

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/phrase"
)

// Kind says what a case is about.
type Kind string

// The kinds of cases.
const (
	RuleCase      Kind = "rule"
	ProcedureCase Kind = "procedure"
	TableCase     Kind = "table"
	FunctionCase  Kind = "function" // on a plan that was compiled with its functions
	OddsCase      Kind = "odds"     // of a rule, or of a procedure under a policy
)

// A Case is one worked example: what is asked, and what the book answers.
type Case struct {
	Name    string // of its file, without the extension
	File    string
	Kind    Kind
	Subject string            // id of the rule, the procedure, the table or the function
	Covers  []string          // ids of the statements and of the examples that it shows
	Cite    string            // where in the book
	Erratum string            // id of the contradiction that it is about; empty for none
	Options map[string]string // that it is played with
	Printed map[string]string // under which what is printed comes out; nil when no option plays it
	Near    float64           // tolerance of numbers, where the book rounds
	Refused string            // the message of what refuses; empty when nothing does
	Failed  string            // what is wrong where a formula has no value; empty when all have one
	// Recorded says that what is expected is what the program answered once. Such a case tells when an answer changes; it
	// proves nothing about the book, and so covers nothing.
	Recorded bool
	Text     string // why the answer is what it is

	Character []byte // JSON
	Input     []byte // JSON
	Dice      dice.Faces
	Events    []runtime.Step // of a procedure
	Policy    []Move         // of the odds of a procedure; nil for those of a rule
	Seed      *uint64        // of faces that are not given; nil in a case that is read

	want    *jsontree.Tree // nil when it is refused, and of a table
	printed *jsontree.Tree // nil unless the book contradicts itself
	table   *jsontree.Tree // of a table

	characterFile string          // that the header character names, relative to the case's own
	coverLines    []int           // where the ids of Covers stand
	start         int             // lines of the file before the case
	parts         map[string]part // by header or file
}

// A part of a case is a header, without data, or a file.
//
// A header has a line and no data; a file has both, the line being that of its first byte. Offsets
// of trees count from there.
type part struct {
	line int // it begins there, 1-based
	data []byte
}

// lineOfHeader returns the line of a case's file in which a byte of a part stands; that of the case when there is no such
// part.
func (c *Case) lineOfHeader(name string, offset int) int {
	p := c.parts[name]
	return cmp.Or(p.line, c.start+1) + bytes.Count(p.data[:min(offset, len(p.data))], []byte("\n"))
}

// extentOf returns where some bytes of a part stand on their line, as far as they do: the column, in code points from 1,
// and how many code points there are.
func (c *Case) extentOf(name string, from, to int) (col, length int) {
	data := c.parts[name].data
	if from >= len(data) {
		return 0, 0
	}
	before := data[bytes.LastIndexByte(data[:from], '\n')+1 : from]
	value := data[from:min(max(to, from), len(data))]
	if end := bytes.IndexByte(value, '\n'); end >= 0 {
		value = value[:end]
	}
	return utf8.RuneCount(before) + 1, utf8.RuneCount(value)
}

// WantedLine returns the line of the case's file that states the value at a path of a sheet, "output.damage"; 0 when the
// case passes it over, or states how it follows.
func (c *Case) WantedLine(path string) int {
	if c.want == nil {
		return 0
	}
	if at := offsetOf(c.want, "", path); at >= 0 {
		return c.lineOfHeader("want.json", at)
	}
	return 0
}

// offsetOf returns where the value at a path begins, -1 when there is none. At is the path of the tree.
func offsetOf(t *jsontree.Tree, at, path string) int {
	if _, isFormula := cellFormula(t); isFormula {
		return -1
	}
	if t.Kind != jsontree.Object && t.Kind != jsontree.Array {
		if at == path {
			return t.From
		}
		return -1
	}
	for i, x := range t.Items {
		below := fmt.Sprintf("%s[%d]", at, i)
		if t.Kind == jsontree.Object {
			below = MemberPath(at, t.Names[i])
		}
		if found := offsetOf(x, below, path); found >= 0 {
			return found
		}
	}
	return -1
}

// A Move is an event that a policy tries.
type Move struct {
	phrase.Phrase
	line int // of the case's file, on which it stands
}

// An Error is a file that is not as a case has to be.
type Error struct {
	File string
	Line int // 1-based
	Msg  string
}

// Error begins with the place.
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

// CharacterJSON returns the case's character; one without members when the case has none.
func (c *Case) CharacterJSON() []byte {
	if c.Character == nil {
		return []byte("{}")
	}
	return c.Character
}

// TableJSON returns the rows of a table as the case has written them out again, in JSON; nil of any other case.
func (c *Case) TableJSON() []byte {
	if c.table == nil {
		return nil
	}
	return []byte(c.table.String())
}

// cellFormula returns the text of {"cel": "..."}, not ok for any other value.
func cellFormula(t *jsontree.Tree) (text string, ok bool) {
	if t.Kind != jsontree.Object || len(t.Names) != 1 || t.Names[0] != "cel" || t.Items[0].Kind != jsontree.Text {
		return "", false
	}
	return t.Items[0].Text, true
}

// Before returns how many lines of a file stand before an error and with it.
func Before(err error, data []byte) int {
	if at, ok := errors.AsType[*jsontree.Error](err); ok {
		return 1 + bytes.Count(data[:min(at.Offset, len(data))], []byte("\n"))
	}
	return 0
}
