package gametable

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/wording"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
	"github.com/tabletop-rules/rules/runtime/say"
)

// listProcedures shows the procedures, which are the subject of most sittings at a table.
//
// Rules are only counted: there are dozens, and whoever wants one knows its name.
func listProcedures(page *layout.Page, choices []Choice) {
	var rows [][]string
	for i, c := range choices {
		if c.Kind == "procedure" {
			sentence, _, _ := strings.Cut(joinLines(c.Doc)+" ", ". ")
			rows = append(rows, []string{strconv.Itoa(i + 1), cmp.Or(c.title, c.ID), sentence})
		}
	}
	if len(rows) > 0 {
		addNumbered(page, 2, rows)
		page.AddText(2, layout.Faint, "and "+plural.Of(len(choices)-len(rows), "rule"))
	}
}

// printOffers shows the events that can happen, and names the others: their reasons are long, and told when they are asked
// for.
//
// Offers keep their order from the plan, and only those that can happen are numbered: the number
// that a player remembers from the last turn may mean another event in this one, so names always
// work too.
func printOffers(page *layout.Page, p *Prompt) {
	page.AddLine(0, "Which event?")
	var can [][]string
	var cannot []string
	for i := range p.Offers {
		if o := &p.Offers[i]; o.Offered && o.Refused == "" {
			can = append(can, []string{strconv.Itoa(len(can) + 1), p.offerTexts[i].Label, joinLines(o.Doc)})
		} else {
			cannot = append(cannot, p.offerTexts[i].Label)
		}
	}
	addNumbered(page, 2, can)
	if len(cannot) > 0 {
		page.AddText(2, layout.Faint, "not now: "+strings.Join(cannot, ", ")+" (? says why)")
	}
}

// addNumbered adds rows whose first cells are numbers by which the second can be chosen.
func addNumbered(page *layout.Page, indent int, rows [][]string) {
	page.AddRows(indent, rows, layout.Column{Style: layout.Faint, Right: true}, layout.Column{Style: layout.Bold})
}

// needText returns in words the condition of an event that is not offered.
func needText(o *runtime.Offer, whyNot string) string {
	if whyNot != "" {
		return whyNot
	}
	text := wording.Join(wording.Of(o.When))
	if text == "" {
		return "is not offered: " + o.WhyNot()
	}
	return "is not offered: it needs: " + joinLines(text)
}

// explainOffers says of the events that cannot happen why not.
func explainOffers(page *layout.Page, p *Prompt) {
	var rows [][]string
	for i := range p.Offers {
		switch o := &p.Offers[i]; {
		case !o.Offered:
			rows = append(rows, []string{p.offerTexts[i].Label, needText(o, p.offerTexts[i].WhyNot)})
		case o.Refused != "":
			rows = append(rows, []string{p.offerTexts[i].Label, "would be refused: " + o.Refused})
		}
	}
	page.AddRows(2, rows, layout.Column{Style: layout.Bold})
}

// printDiePrompt prints the question for a face.
//
// The target of the roll stands above it. The die's name comes first, because a player with several dice on the table needs
// to know which one is meant.
func printDiePrompt(page *layout.Page, p *Prompt) {
	q := &p.Need
	printKnownValues(page, p)
	text := fmt.Sprintf("%s: d%d", p.voice.dieName(q.Die), q.Faces)
	if q.Shows != nil {
		text = fmt.Sprintf("%s: a die that shows %s", p.voice.dieName(q.Die), dice.ListShown(q.Shows))
	}
	if q.Position > 0 {
		text += fmt.Sprintf(", die %d of %d", q.Position, q.Count)
	}
	if q.Again {
		text += ", thrown again"
	}
	page.AddLine(0, "%s", page.Style(layout.Bold, text)+" [roll]")
}

// describeReaders returns the readers of an answer in words: outputs and the like, and the requirements that check it.
//
// "For" lists readers as the runtime names them: outputs, dice, state and requirements in one list. Players are told apart
// the results and the requirements that may stop them.
func describeReaders(v voice, list []string) string {
	var needed, judged []string
	for _, reader := range list {
		message, isJudged := strings.CutPrefix(reader, "requirement: ")
		switch {
		case isJudged && strings.Contains(message, " is decided only when "):
			// The condition of a decision is no check of what is asked: the field is asked for only where it holds.
		case isJudged:
			judged = append(judged, strconv.Quote(message))
		default:
			needed = append(needed, strings.TrimPrefix(reader, "output "))
		}
	}
	var parts []string
	if len(needed) > 0 {
		parts = append(parts, "needed for "+strings.Join(v.readerNames(needed), ", "))
	}
	if len(judged) > 0 {
		parts = append(parts, "checked by "+strings.Join(judged, ", "))
	}
	return strings.Join(parts, "; ")
}

// printFieldPrompt asks for a field by its name, with the author's sentence behind it where there is one. In a ruleset
// without words the sentence comes alone, and the path by which refusals speak of the field stands in brackets at the
// end; the words of others stand in refusals too, and the path is told on demand.
func printFieldPrompt(page *layout.Page, p *Prompt) {
	q := &p.Need
	printDecisionValues(page, p)
	text := describeAnswer(p)
	if q.Default != nil || !q.Required {
		text += " [" + p.voice.defaultOf(q) + "]"
	}
	name, doc := p.voice.fieldName(q.Path), joinLines(q.Doc)
	if p.voice.teller == nil {
		text += page.Style(layout.Faint, " ("+q.Path+")")
	} else if name = say.Capitalise(name); strings.EqualFold(doc, name) {
		doc = ""
	} else if doc != "" {
		doc = name + ": " + doc
	}
	if doc != "" {
		page.AddText(0, layout.Bold, doc)
		page.AddLine(2, "%s", text)
	} else {
		page.AddLine(0, "%s: %s", page.Style(layout.Bold, name), text)
	}
	if len(q.Keys) <= mostListed {
		addNumbered(page, 4, keyRows(p))
	}
	if len(q.Suggest) > 0 {
		page.AddText(2, layout.Plain, "known: "+strings.Join(numberWords(q.Suggest), ", "))
	}
}

// speakPath returns a path in words. Its root is left out where it tells a player nothing: "input.threat_level" is "threat
// level", "character.skills.navigation" is "the character’s skills, navigation", "event.foes[0].name" is "foes 1, name".
func speakPath(path string) string {
	root, _, rest, _ := plan.CutStep(path)
	var names []string
	for more := rest != ""; more; {
		var name, indices string
		name, indices, rest, more = plan.CutStep(rest)
		indices = elementIndex().ReplaceAllStringFunc(indices, func(index string) string {
			n, err := strconv.Atoi(index[1 : len(index)-1])
			if err != nil {
				return index // more digits than a list has elements
			}
			return " " + strconv.Itoa(n+1)
		})
		names = append(names, strings.ReplaceAll(name, "_", " ")+indices)
	}
	words := strings.Join(names, ", ")
	switch {
	case words == "":
		return root
	case root == "character":
		return "the character’s " + words
	}
	return words
}

// elementIndex is the index of an element in a path; it counts from 0, and players from 1.
var elementIndex = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\d+\]`) })

// mostListed is of how many keys a question shows all with what they mean.
const mostListed = 40

// keyRows returns the strings that an answer may be, with their meanings.
func keyRows(p *Prompt) (rows [][]string) {
	for i := range p.Keys {
		k := &p.Keys[i]
		rows = append(rows, []string{strconv.Itoa(i + 1), p.voice.keyText(p.Path, k.Key), p.voice.keyMeaning(k)})
	}
	return rows
}

// numberWords returns words with the numbers by which they can be chosen.
func numberWords(words []string) (out []string) {
	for i, word := range words {
		out = append(out, fmt.Sprintf("%d %s", i+1, word))
	}
	return out
}

// printDecisionValues prints the values that are known when something is decided.
//
// A decision is about the fallen dice, so their values stand above it: how much Quality there is to spend, for example.
func printDecisionValues(page *layout.Page, p *Prompt) {
	if p.Kind != ask.Decision {
		return
	}
	page.AddLine(0, "Decide, for the dice have fallen:")
	printKnownValues(page, p)
}

// printKnownValues prints the values that are known by now.
func printKnownValues(page *layout.Page, p *Prompt) {
	var rows [][]string
	for _, k := range p.Values {
		rows = append(rows, []string{p.voice.outputName(k.Name), p.voice.valueText(k.Name, k.Value.AppendJSON(nil))})
	}
	page.AddRows(2, rows, layout.Column{Style: layout.Bold})
}

// explainQuestion prints the field that is asked for, the meaning of each answer, and everything that needs it.
func explainQuestion(page *layout.Page, p *Prompt) {
	q := &p.Need
	switch p.Kind {
	case ask.Die:
		if q.Shows != nil {
			page.AddLine(2, "%s is a die of %s: it shows %s.", p.voice.dieName(q.Die), q.Rule, dice.ListShown(q.Shows))
		} else {
			page.AddLine(2, "%s is a die of %s: a face from 1 to %d.", p.voice.dieName(q.Die), q.Rule, q.Faces)
		}
		if q.Rolled != "" {
			page.AddLine(2, "The book writes it as %s%s.", q.Rolled, citationText(q.Cite))
		}
	case ask.Field, ask.Decision:
		page.AddLine(2, "%s is %s.", say.Capitalise(p.voice.fieldName(q.Path)), describeAnswer(p))
		if p.voice.teller != nil {
			page.AddLine(2, "In files and after \"all but\" its name is %s.", q.Path)
		}
		page.AddText(2, layout.Plain, joinLines(q.Doc))
		switch {
		case q.Default != nil:
			page.AddLine(2, "Enter takes its default, %s.", p.voice.defaultOf(q))
		case q.Required:
			page.AddLine(2, "It has no default.")
		default:
			page.AddLine(2, "Enter, or none, leaves it out.")
		}
		addNumbered(page, 4, keyRows(p))
	case AskEvent:
		page.AddLine(2, "Type the name of an event that is offered, or the beginning of it.")
		explainOffers(page, p)
	}
	if len(q.For) > 0 {
		page.AddText(2, layout.Plain, describeReaders(p.voice, q.For))
	}
}

func citationText(cite string) string {
	if cite == "" {
		return ""
	}
	return " (" + cite + ")"
}

// describeAnswer returns the form of an answer in words.
//
// It says how to type an answer rather than which type it has. Bounds follow in words, all of them, because a refusal would
// name them anyway.
func describeAnswer(p *Prompt) string {
	q := &p.Need
	out := map[string]string{
		"int": "a whole number", "double": "a number", "bool": "yes or no", "string": "a word",
		"list": "a list, such as 1, 2, or how many there are", "map": "name=value, ...",
		"object": "yes, and then its parts, or no",
	}[q.Type]
	switch {
	case q.Type == "list" && len(q.Suggest) > 0:
		out = "words, such as " + q.Suggest[0]
	case q.Type == "list" && q.Elem == "string":
		out = "words, such as a, b, or how many there are"
	}
	if len(q.Keys) > 0 && (q.Type == "string" || q.Type == "list") {
		out = "one of these"
		if q.Type == "list" {
			out = "some of these, such as " + p.voice.keyText(q.Path, q.Keys[0].Key)
		}
	}
	if unit := p.voice.unitText(q.Path); unit != "" && (q.Type == "int" || q.Type == "double") {
		out += " " + unit
	}
	for _, b := range []struct {
		words string
		at    *float64
	}{{"at least", q.Min}, {"more than", q.Above}, {"at most", q.Max}, {"less than", q.Below}} {
		if b.at != nil {
			out += fmt.Sprintf(", %s %s", b.words, strconv.FormatFloat(*b.at, 'f', -1, 64))
		}
	}
	return out
}

// listChoices shows some rules and procedures, by their indexes, with their descriptions.
func listChoices(page *layout.Page, all []Choice, some []int) {
	var rows [][]string
	for _, i := range some {
		rows = append(rows, []string{strconv.Itoa(i + 1), cmp.Or(all[i].title, all[i].ID), all[i].Kind,
			joinLines(all[i].Doc)})
	}
	addNumbered(page, 2, rows)
}

func allOf(list []Choice) []int {
	out := make([]int, len(list))
	for i := range out {
		out[i] = i
	}
	return out
}

// joinLines makes running text of a description, whose lines are those of the author's file.
func joinLines(doc string) string { return strings.Join(strings.Fields(doc), " ") }
