package main

import (
	"regexp"
	"testing"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
)

// TestPlayersReadNoIdentifiers tells the answer of every worked example of the books as players read it: each has a title
// and a headline, and no line has the form of a name in a formula.
func TestPlayersReadNoIdentifiers(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine after the other: nothing for the detector of races")
	}
	told := 0
	for _, ruleset := range []string{"haze", "supermen", "zones", "hybrid", "tempestas"} {
		cases, err := golden.Load(rules.Files, "golden/"+ruleset, "")
		if err != nil {
			t.Fatal(err)
		}
		program := gametest.Shipped(t, ruleset)
		for _, c := range cases {
			if c.Kind != golden.RuleCase && c.Kind != golden.ProcedureCase || c.Refused != "" || c.Failed != "" {
				continue
			}
			choice := runtime.Choice{Options: c.Options}
			if c.Kind == golden.RuleCase {
				checkSheetSaid(t, program, c, choice)
			} else {
				checkPlaySaid(t, program, c, choice)
			}
			told++
		}
	}
	if told < 1000 {
		t.Errorf("only %d answers were told", told)
	}
}

func checkSheetSaid(t *testing.T, program *runtime.Program, c *golden.Case, choice runtime.Choice) {
	t.Helper()
	rule, err := program.Rule(c.Subject, choice)
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := rule.Eval(c.Request())
	if err != nil {
		t.Fatalf("%s: %v", c.File, err)
	}
	notes := view.FindNotes(program.Plan(), rule, c.Request(), sheet)
	notes.Spoken = true
	checkSaid(t, c, &notes, view.Outputs(sheet.Output, &notes), notes.Faces(sheet.Dice, nil))
	if notes.Told.Headline == "" && len(sheet.Output.Names()) > 0 {
		t.Errorf("%s: %s has no headline", c.File, c.Subject)
	}
}

func checkPlaySaid(t *testing.T, program *runtime.Program, c *golden.Case, choice runtime.Choice) {
	t.Helper()
	procedure, err := program.Procedure(c.Subject, choice)
	if err != nil {
		t.Fatal(err)
	}
	play, err := procedure.Play(c.Request())
	if err != nil {
		t.Fatalf("%s: %v", c.File, err)
	}
	for i, step := range c.Steps() {
		if err := play.Do(step, false); err != nil {
			t.Fatalf("%s: %v", c.File, err)
		}
		notes := view.NotesOfEvent(program.Plan(), play, i)
		notes.Spoken = true
		e := &play.Events[i]
		lines := append(view.Parts(e.Input, &notes), view.Parts(e.Output, &notes)...)
		checkSaid(t, c, &notes, lines, notes.Faces(e.Dice, nil))
		if notes.Told.Headline == "" && notes.Told.Say == "" {
			t.Errorf("%s: nothing is said of the event %s", c.File, e.Name)
		}
	}
	notes := view.NotesOfPlay(program.Plan(), play)
	checkSaid(t, c, &notes, append(view.Parts(play.State, &notes), view.Outputs(play.Output, &notes)...), nil)
	if notes.Told.Headline == "" {
		t.Errorf("%s: it is not said how %s stands", c.File, c.Subject)
	}
}

// identifier is a name in a formula.
var identifier = regexp.MustCompile(`[A-Za-z0-9]_|\b(input|event|state|character)\.[a-z]|[a-z]\[\d+\]\.|\b(true|false)\b`)

func checkSaid(t *testing.T, c *golden.Case, notes *view.Notes, lines []view.Line, dice []string) {
	t.Helper()
	texts := append([]string{notes.Told.Title, notes.Told.Headline, notes.Told.Say}, dice...)
	for i := range lines {
		texts = append(texts, lines[i].Name, lines[i].Text)
		for _, row := range lines[i].Table {
			texts = append(texts, row...)
		}
	}
	if notes.Told.Title == "" {
		t.Errorf("%s: %s has no title", c.File, c.Subject)
	}
	for _, text := range texts {
		if found := identifier.FindString(text); found != "" {
			t.Errorf("%s: %s: %q has the identifier %q", c.File, c.Subject, text, found)
		}
	}
}
