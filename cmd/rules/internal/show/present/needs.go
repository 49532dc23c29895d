package present

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
)

// PrintNeeds prints the needs of a rule or procedure.
//
// The example comes last, where a prompt leaves the eye, and is a line to copy.
func PrintNeeds(p *layout.Page, n *describe.Needs) {
	p.AddLine(0, "%s", p.Style(layout.Bold, SubjectTitle(n.Kind+" "+n.ID, n.Ruleset, n.Revision)))
	p.AddText(2, layout.Plain, n.Doc)
	p.AddText(2, layout.Faint, n.Cite)
	PrintFields(p, "input", n.Input)
	printCharacter(p, n)
	printDice(p, n.Dice)
	for i := range n.Events {
		e := &n.Events[i]
		p.AddBlank()
		p.AddLine(0, "%s", p.Style(layout.Bold, "event "+e.ID))
		p.AddText(2, layout.Plain, strings.Join(strings.Fields(e.Doc), " "))
		if e.When != "" {
			p.AddText(2, layout.Plain, "offered when "+strings.Join(strings.Fields(e.When), " "))
		}
		p.AddRows(4, fieldRows(e.Input))
		p.AddRows(4, diceNeedRows(e.Dice))
	}
	printOptions(p, n.Options)
	p.AddBlank()
	p.AddLine(0, "%s", p.Style(layout.Bold, "example"))
	p.AddText(2, layout.Plain, n.Example)
}

// printCharacter prints the fields of the character that are read.
//
// Required fields that this rule does not read are named too: a file without them would be refused by every rule.
func printCharacter(p *layout.Page, n *describe.Needs) {
	if len(n.Character) == 0 && n.Kind == "rule" {
		p.AddBlank()
		p.AddLine(0, "%s", p.Style(layout.Bold, "character"))
		p.AddLine(2, "none is needed")
		return
	}
	PrintFields(p, "character, of which is read", n.Character)
	if len(n.Unread) > 0 {
		p.AddText(2, layout.Faint, "every character also has: "+strings.Join(n.Unread, ", "))
	}
}

// PrintFields prints fields with their types and meanings, under a heading.
func PrintFields(p *layout.Page, heading string, fields []describe.Field) {
	p.AddBlank()
	p.AddLine(0, "%s", p.Style(layout.Bold, heading))
	if len(fields) == 0 {
		p.AddLine(2, "nothing")
		return
	}
	p.AddRows(2, fieldRows(fields))
}

// fieldRows lists fields in four columns: name, type with bounds, whether it must be there, and the
// author's sentence.
func fieldRows(fields []describe.Field) [][]string {
	var rows [][]string
	for i := range fields {
		f := &fields[i]
		rows = append(rows, []string{f.Name, f.Describe(), f.Presence(), f.Remark()})
	}
	return rows
}

// printDice lists the dice as --dice addresses them, in the order in which they fall.
func printDice(p *layout.Page, dice []describe.DieNeeds) {
	if len(dice) == 0 {
		return
	}
	p.AddBlank()
	p.AddLine(0, "%s", p.Style(layout.Bold, "dice"))
	p.AddRows(2, diceNeedRows(dice))
}

// mostPurposes is how many of the outputs and requirements are named that need a die.
// A die that many outputs read is needed for all of them; more names than fit a line tell nobody
// more.
const mostPurposes = 4

// diceNeedRows returns dice as --dice gives them, with their purposes.
func diceNeedRows(dice []describe.DieNeeds) [][]string {
	var rows [][]string
	for i, id := range dieIDs(dice) {
		purposes, more := dice[i].For, ""
		if len(purposes) > mostPurposes {
			purposes, more = purposes[:mostPurposes], fmt.Sprintf(" and %d more", len(purposes)-mostPurposes)
		}
		row := []string{id}
		if len(purposes) > 0 {
			row = append(row, "for "+strings.Join(purposes, ", ")+more)
		}
		rows = append(rows, row)
	}
	return rows
}

// dieIDs returns dice as --dice gives them. A die of which several may fall takes a list.
func dieIDs(dice []describe.DieNeeds) []string {
	var out []string
	for _, d := range dice {
		faces := "FACE"
		if d.List {
			faces = "FACE,..."
		}
		out = append(out, "--dice "+d.ID+"="+faces)
	}
	return out
}

func printOptions(p *layout.Page, options []describe.OptionSays) {
	if len(options) == 0 {
		return
	}
	p.AddBlank()
	p.AddLine(0, "%s", p.Style(layout.Bold, "options"))
	var rows [][]string
	for i := range options {
		rows = append(rows, optionRows(&options[i])...)
	}
	p.AddRows(2, rows)
}

// optionRows shows the values of an option as --option gives them.
func optionRows(o *describe.OptionSays) [][]string {
	var rows [][]string
	if o.Doc != "" {
		rows = append(rows, []string{o.ID, "", o.Doc})
	}
	for _, v := range o.Values {
		played := ""
		if v.Value == o.Played {
			played = "default"
		}
		rows = append(rows, []string{o.ID + "=" + v.Value, played, v.Doc})
	}
	return rows
}
