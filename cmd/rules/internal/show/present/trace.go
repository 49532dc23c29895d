package present

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime/plural"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// A trace is printed as one asks who doubts an answer: "16 needed = 14 (chart, row 9) + 2 (bonus)", and below it, each
// further in, what the numbers of that line rest on.

// levelsAtTable is how many levels of a trace are shown to players between two questions.
//
// Three levels reach from an answer to what it was made of, and from there to the row or the die,
// which is as far as people at a table ask between two rolls.
const levelsAtTable = 3

// PrintTrace prints the steps on which a result rests, to the depth that players ask for at a table.
func PrintTrace(p *layout.Page, steps []*trace.Step) { printTrace(p, "why", steps, levelsAtTable) }

// printTrace shows the trees of the answers, so many levels of each.
func printTrace(p *layout.Page, heading string, steps []*trace.Step, depth int) {
	if len(steps) == 0 {
		return
	}
	p.AddBlank()
	p.AddLine(0, "%s", p.Style(layout.Bold, heading))
	for _, s := range steps {
		printStep(p, s, 2, depth)
	}
}

// printStep prints a step and the steps on which it rests.
//
// A step that has been told above is one line. The formula is shown only where the equation, which has its numbers,
// does not already look like it. depth counts levels of equations: an option, a ruling or a place are lines of their
// step.
func printStep(p *layout.Page, s *trace.Step, indent, depth int) {
	p.AddLine(indent, "%s", stepLine(p, s))
	if s.Repeated {
		return
	}
	if s.Equation != s.Formula {
		p.AddText(indent+4, layout.Faint, playedFormula(s))
	}
	p.AddText(indent+4, layout.Plain, rulingNote(s))
	printOwners(p, indent+4, s.Overlays)
	p.AddText(indent+4, layout.Plain, walkedNote(s.Walked))
	p.AddText(indent+4, layout.Faint, stepOrigin(s))
	if s.Kind == trace.Walk {
		depth++ // the elements belong to the line of what is made of them
	}
	if depth <= 1 {
		return
	}
	for _, x := range s.From {
		printStep(p, x, indent+2, depth-1)
	}
}

// playedFormula is a formula or, of those that an option chooses among, the one that is played.
//
// A formula that an option chooses is kept as lines "value: formula". Only the arm that was played
// is of interest under an answer.
func playedFormula(s *trace.Step) string {
	_, value, chosen := strings.Cut(s.Option, "=")
	for line := range strings.SplitSeq(s.Formula, "\n") {
		if arm, ok := strings.CutPrefix(line, value+": "); ok && chosen {
			return arm
		}
	}
	return s.Formula
}

// shownValue cuts a list or a map to the length of a line; --format json has all of it.
func shownValue(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// stepLine returns the value, the name and the equation of a step. An equation that only repeats
// the value is left out.
func stepLine(p *layout.Page, s *trace.Step) string {
	value := shownValue(view.Text(s.Value))
	if s.Kind == trace.Option {
		return "option " + p.Style(layout.Bold, s.Name) + "=" + value
	}
	switch {
	case s.Failure != "":
		value = p.Style(layout.Red, s.Failure)
	case value == "null":
		value = ""
	}
	line := strings.TrimSpace(value + " " + stepName(p, s))
	if s.Equation != "" && s.Equation != value {
		line += " = " + s.Equation
	}
	if s.Repeated {
		line += " (see above)"
	}
	return line
}

// stepName returns the name of a step's value.
func stepName(p *layout.Page, s *trace.Step) string {
	name := p.Style(layout.Bold, s.Name)
	switch s.Kind {
	case trace.Table:
		return name + rowWords(s.Row)
	case trace.Dice, trace.Trait, trace.Function, trace.Argument:
		return string(s.Kind) + " " + name
	case trace.Requirement:
		return "required, else: " + s.Name
	case trace.End:
		return "ends as " + name
	case trace.Walk:
		return "what " + s.Name + " makes of a list"
	case trace.Element:
		return s.Name
	}
	return name
}

// rowWords says which row of a table was found.
func rowWords(r *trace.Row) string {
	out := ""
	switch {
	case r.Row == "":
		out = fmt.Sprintf(", no row for %s", r.Key)
	case r.Key == r.Row || r.Key == "":
		out = ", row " + r.Row
	default:
		out = fmt.Sprintf(", row %s for %s", r.Row, r.Key)
	}
	if r.Column != "" {
		out += ", column " + r.Column
	}
	return out
}

// walkedNote says which elements of a list are shown; nothing when all of them are.
func walkedNote(w *trace.Walked) string {
	switch {
	case w == nil || w.Shown == w.Elements:
		return ""
	case w.Shown == 0:
		return fmt.Sprintf("%s, too many to show", plural.Of(w.Elements, "element"))
	case w.Shown < w.Decided:
		return fmt.Sprintf("%d of %s decided, the first %d are shown", w.Decided, plural.Of(w.Elements, "element"), w.Shown)
	}
	return fmt.Sprintf("%d of %s decided", w.Decided, plural.Of(w.Elements, "element"))
}

// stepOrigin returns where the book says it, and where it stands. Of a look-up the row's place
// counts: the number is there, and not in the formula.
func stepOrigin(s *trace.Step) string {
	at := s.Place
	if s.Row != nil && s.Row.Place.File != "" {
		at = s.Row.Place
	}
	text := describe.Origin(s.Cite, at)
	if s.Of != "" && text != "" {
		return s.Of + "; " + text
	}
	return text
}

// rulingNote says which ruling chose the formula.
func rulingNote(s *trace.Step) string {
	switch {
	case s.Option == "" && s.Erratum != "":
		return "erratum " + s.Erratum
	case s.Option == "":
		return ""
	case s.Erratum != "":
		return "decided by option " + s.Option + ", erratum " + s.Erratum
	}
	return "decided by option " + s.Option
}
