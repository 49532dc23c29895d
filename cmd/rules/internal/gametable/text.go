package gametable

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/changes"
	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/spell"
)

const textHelp = `  Type an answer, or Enter for the default that stands in brackets. At a die, type the face that
  fell, or several (6 2 5), or press Enter to let it be rolled.
  all   take all defaults that are left here; at a die, roll all
  odds  how likely each output that is true or false is, before the dice fall
  undo  take the last step back
  quit  end here; what has happened is kept`

// RunText plays with people, line by line. Answers are read as they are typed: a string needs no quotes, but one that is
// also a word of the session, such as undo, is written in quotes.
func (s *Session) RunText(in io.Reader, out io.Writer, newPage func() *layout.Page) error {
	t := &talk{Session: s, lines: bufio.NewScanner(in), out: out, newPage: newPage}
	t.lines.Buffer(nil, maxLine)
	for {
		p, said, err := s.Prompt()
		if err := errors.Join(t.tell(said), err); err != nil {
			return err
		}
		if err := t.put(p); err != nil {
			return err
		}
		for {
			fmt.Fprint(out, "> ")
			if !t.lines.Scan() {
				fmt.Fprintln(out)
				return endOfInput(p, t.lines.Err())
			}
			c, say := parseCommand(p, strings.TrimSpace(t.lines.Text()))
			if say != "" {
				fmt.Fprintln(out, say)
				continue
			}
			if c.Quit {
				return nil
			}
			said, err := s.Do(p, c)
			if err := errors.Join(t.tell(said), err); err != nil {
				return err
			}
			break
		}
	}
}

// A talk is a session with people.
type talk struct {
	*Session
	lines   *bufio.Scanner
	out     io.Writer
	newPage func() *layout.Page
}

// tell prints notices.
func (t *talk) tell(said []Notice) error {
	for i := range said {
		page := t.newPage()
		printNotice(page, &said[i])
		if err := page.Flush(t.out); err != nil {
			return err
		}
	}
	return nil
}

func printNotice(p *layout.Page, n *Notice) {
	switch {
	case n.Error != "":
		p.AddText(0, layout.Red, n.Error)
	case n.Refused != "":
		p.AddText(0, layout.Red, n.Refused)
	case n.Fell != "":
		p.AddLine(0, "%s", n.Fell)
	case n.Undone:
		p.AddLine(0, "taken back")
	case n.Sheet != nil:
		p.AddBlank()
		present.PrintSheet(p, n.Sheet, 0)
	case n.Happened != nil:
		printHappened(p, n.Happened)
	}
	var rows [][]string
	for _, c := range n.Odds {
		if c.If == nil {
			rows = append(rows, []string{c.Output, percent(c.P), "with what is answered so far, and defaults"})
		} else {
			rows = append(rows, []string{c.Output, percent(c.P), "if " + string(c.If)})
		}
	}
	p.AddRows(2, rows, layout.Column{Style: layout.Bold}, layout.Column{Right: true})
	p.AddText(2, layout.Faint, n.Note)
}

func percent(p float64) string { return strconv.FormatFloat(100*p, 'f', 1, 64) + " %" }

func printHappened(p *layout.Page, h *Happened) {
	p.AddBlank()
	title := "it begins"
	if h.Event != "" {
		title = "event " + h.Event
	}
	p.AddLine(0, "%s", p.Style(layout.Bold, title))
	var rows [][]string
	for _, x := range changes.Compare("", nil, h.Output) {
		rows = append(rows, []string{strings.TrimPrefix(x.Path, "."), present.ReadableJSON(x.After)})
	}
	p.AddRows(2, rows, layout.Column{Style: layout.Bold})
	rows = nil
	for _, c := range h.Changed {
		switch {
		case c.Before == nil:
			rows = append(rows, []string{"+", c.Path, present.ReadableJSON(c.After)})
		case c.After == nil:
			rows = append(rows, []string{"-", c.Path, present.ReadableJSON(c.Before)})
		default:
			rows = append(rows, []string{"*", c.Path, present.ReadableJSON(c.Before) + " -> " + present.ReadableJSON(c.After)})
		}
	}
	p.AddRows(2, rows)
	rows = nil
	for _, x := range changes.Compare("", nil, h.Now) {
		rows = append(rows, []string{strings.TrimPrefix(x.Path, "."), present.ReadableJSON(x.After)})
	}
	p.AddLine(2, "status %s", h.Status)
	p.AddRows(4, rows)
}

// put prints a prompt.
func (t *talk) put(p *Prompt) error {
	fmt.Fprintln(t.out)
	page := t.newPage()
	switch p.Ask {
	case AskSubject:
		page.AddLine(0, "Which rule or procedure? Type a part of its name or of what it is about; ? lists all.")
	case AskMore:
		page.AddLine(0, "Choose another rule or procedure, or undo, or quit.")
	case AskEvent:
		putOffers(page, p.Offers)
	case runtime.AskDie:
		putDie(page, &p.Question)
	default:
		putField(page, &p.Question)
	}
	return page.Flush(t.out)
}

// putOffers shows the events that can happen, and names the others: their reasons are long, and told when they are asked
// for.
func putOffers(page *layout.Page, offers []runtime.Offer) {
	page.AddLine(0, "Which event?")
	var can [][]string
	var cannot []string
	for i := range offers {
		switch o := &offers[i]; {
		case o.Offered && o.Refused == "":
			can = append(can, []string{o.Event, o.Doc})
		default:
			cannot = append(cannot, o.Event)
		}
	}
	page.AddRows(2, can, layout.Column{Style: layout.Bold})
	if len(cannot) > 0 {
		page.AddText(2, layout.Faint, "not now: "+strings.Join(cannot, ", ")+" (? says why)")
	}
}

// explainOffers says of the events that cannot happen why not.
func explainOffers(page *layout.Page, offers []runtime.Offer) {
	var rows [][]string
	for i := range offers {
		switch o := &offers[i]; {
		case !o.Offered:
			rows = append(rows, []string{o.Event, "is not offered: " + o.WhyNot()})
		case o.Refused != "":
			rows = append(rows, []string{o.Event, "would be refused: " + o.Refused})
		}
	}
	page.AddRows(2, rows, layout.Column{Style: layout.Bold})
}

func putDie(page *layout.Page, q *runtime.Question) {
	text := fmt.Sprintf("%s: d%d", q.Die, q.Faces)
	if q.Shows != nil {
		text = fmt.Sprintf("%s: a die that shows %s", q.Die, dice.ListShown(q.Shows))
	}
	if q.Count > 1 {
		text += fmt.Sprintf(", die %d of %d", q.Number, q.Count)
	}
	page.AddLine(0, "%s", page.Style(layout.Bold, text)+" [roll]")
	page.AddText(2, layout.Faint, describeReaders(q.For, mostReaders))
}

// mostReaders is how many of those that need an answer are named beside a question.
const mostReaders = 4

// describeReaders says what needs an answer: at most so many of its readers.
func describeReaders(list []string, most int) string {
	var needed, judged []string
	for i, reader := range list {
		if message, ok := strings.CutPrefix(reader, "requirement: "); ok {
			judged = append(judged, strconv.Quote(message))
		} else {
			needed = append(needed, reader)
		}
		if i+1 == most && len(list) > most {
			break
		}
	}
	var parts []string
	if len(needed) > 0 {
		parts = append(parts, "needed for "+strings.Join(needed, ", "))
	}
	if len(judged) > 0 {
		parts = append(parts, "checked by "+strings.Join(judged, ", "))
	}
	out := strings.Join(parts, "; ")
	if len(list) > most {
		out += fmt.Sprintf(", and %d more", len(list)-most)
	}
	return out
}

func putField(page *layout.Page, q *runtime.Question) {
	putKnown(page, q)
	text := page.Style(layout.Bold, q.Path) + ": " + describeAnswer(q)
	switch {
	case q.Default != nil:
		text += " [" + present.ReadableJSON(q.Default) + "]"
	case !q.Required:
		text += " [none]"
	}
	page.AddLine(0, "%s", text)
	page.AddText(2, layout.Plain, q.Doc)
	var rows [][]string
	for _, k := range q.Keys {
		rows = append(rows, []string{k.Key, k.Means})
	}
	if len(q.Keys) <= 40 {
		page.AddRows(4, rows, layout.Column{Style: layout.Bold})
	}
	if len(q.Suggest) > 0 {
		page.AddText(2, layout.Plain, "known: "+strings.Join(q.Suggest, ", "))
	}
	page.AddText(2, layout.Faint, describeReaders(q.For, mostReaders))
}

// putKnown shows what is known when something is decided.
func putKnown(page *layout.Page, q *runtime.Question) {
	if q.Ask != runtime.AskDecision {
		return
	}
	page.AddLine(0, "Decide, for the dice have fallen:")
	var rows [][]string
	for _, k := range q.Known {
		rows = append(rows, []string{k.Name, present.ReadableJSON(k.Value.AppendJSON(nil))})
	}
	page.AddRows(2, rows, layout.Column{Style: layout.Bold})
}

// explainQuestion says what is asked for: what it is, what each answer means, and everything that needs it.
func explainQuestion(p *Prompt) string {
	page, q := &layout.Page{}, &p.Question
	switch p.Ask {
	case runtime.AskDie:
		page.AddLine(2, "%s is a die of %s: a face from 1 to %d.", q.Die, q.Rule, q.Faces)
		if q.Rolled != "" {
			page.AddLine(2, "The book writes it as %s%s.", q.Rolled, citation(q.Cite))
		}
	case runtime.AskField, runtime.AskDecision:
		page.AddLine(2, "%s is %s.", q.Path, describeAnswer(q))
		page.AddText(2, layout.Plain, q.Doc)
		switch {
		case q.Default != nil:
			page.AddLine(2, "Enter takes its default, %s.", present.ReadableJSON(q.Default))
		case q.Required:
			page.AddLine(2, "It has no default.")
		default:
			page.AddLine(2, "Enter, or none, leaves it out.")
		}
		var rows [][]string
		for _, k := range q.Keys {
			rows = append(rows, []string{k.Key, k.Means})
		}
		page.AddRows(4, rows)
	case AskEvent:
		page.AddLine(2, "Type the name of an event that is offered, or the beginning of it.")
		explainOffers(page, p.Offers)
	}
	if len(q.For) > 0 {
		page.AddText(2, layout.Plain, describeReaders(q.For, len(q.For)))
	}
	var out strings.Builder
	if err := page.Flush(&out); err != nil {
		return err.Error()
	}
	return out.String()
}

func citation(cite string) string {
	if cite == "" {
		return ""
	}
	return " (" + cite + ")"
}

// describeAnswer says what an answer looks like.
func describeAnswer(q *runtime.Question) string {
	out := map[string]string{
		"int": "a whole number", "double": "a number", "bool": "yes or no", "string": "a word",
		"list": "a list, such as 1, 2, or how many there are", "map": "name=value, ...", "object": "yes or no",
	}[q.Type]
	if len(q.Keys) > 0 && q.Type == "string" {
		out = "one of"
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

// parseCommand reads a line, or says what is wrong with it.
func parseCommand(p *Prompt, line string) (c *Command, say string) {
	isField := p.Ask == runtime.AskField || p.Ask == runtime.AskDecision
	switch line {
	case "?", "help":
		if p.Ask == AskSubject || p.Ask == AskMore {
			return nil, listChoices(p.Choices) + "\n" + textHelp
		}
		return nil, explainQuestion(p) + textHelp
	case "undo":
		return &Command{Undo: true}, ""
	case "odds":
		return &Command{Odds: true}, ""
	case "quit":
		return &Command{Quit: true}, ""
	case "all":
		return &Command{AcceptAll: isField, RollAll: !isField}, ""
	case "", "roll":
		if p.Ask == runtime.AskDie {
			return &Command{Roll: true}, ""
		}
		if line == "" && isField && p.Required {
			return nil, "this needs an answer: " + describeAnswer(&p.Question)
		}
		if line == "" {
			return &Command{Accept: true}, ""
		}
	case "none":
		if isField && !p.Required && p.Default == nil {
			return &Command{Accept: true}, ""
		}
	}
	switch {
	case p.Ask == AskSubject, p.Ask == AskMore:
		return chooseByText(p, line)
	case p.Ask == AskEvent && line == "":
		return nil, "type the name of an event, or quit"
	case p.Ask == AskEvent:
		return &Command{Answer: quote(completeEvent(p, line))}, ""
	case p.Ask == runtime.AskDie:
		return parseFaces(line)
	}
	value, say := parseAnswer(&p.Question, line)
	return &Command{Answer: value}, say
}

// completeEvent is the only event that begins with a text, or else the text.
func completeEvent(p *Prompt, text string) string {
	var found []string
	for i := range p.Offers {
		if name := p.Offers[i].Event; name == text {
			return text
		} else if strings.HasPrefix(name, text) {
			found = append(found, name)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return text
}

func quote(text string) json.RawMessage {
	out, err := json.Marshal(text)
	if err != nil {
		panic("gametable: a string that JSON does not have: " + err.Error())
	}
	return out
}

// chooseByText finds the rule or procedure of a name, or the only one of which a text is a part.
func chooseByText(p *Prompt, text string) (*Command, string) {
	var found []Choice
	var names []string
	for _, c := range p.Choices {
		if names = append(names, c.ID); c.ID == text {
			return &Command{Answer: quote(c.ID)}, ""
		}
		if isAbout(&c, text) {
			found = append(found, c)
		}
	}
	switch near := spell.Nearest(text, names); {
	case len(found) == 1:
		return &Command{Answer: quote(found[0].ID)}, ""
	case len(found) > 1:
		return nil, listChoices(found)
	case near != "":
		return nil, fmt.Sprintf("nothing is named %q or is about it; did you mean %q", text, near)
	}
	return nil, fmt.Sprintf("nothing is named %q or is about it; ? lists all", text)
}

// isAbout reports whether every word of a text is in the name or in the description of a choice.
func isAbout(c *Choice, text string) bool {
	in := strings.ToLower(c.ID + " " + strings.ReplaceAll(c.ID, "_", " ") + " " + c.Doc)
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if !strings.Contains(in, word) {
			return false
		}
	}
	return true
}

func listChoices(list []Choice) string {
	page := &layout.Page{}
	var rows [][]string
	for _, c := range list {
		rows = append(rows, []string{c.ID, c.Kind, c.Doc})
	}
	page.AddRows(2, rows)
	var out strings.Builder
	if err := page.Flush(&out); err != nil {
		return err.Error()
	}
	return strings.TrimRight(out.String(), "\n")
}

// parseFaces reads faces: "43", "6 2 5" or "6,2,5".
func parseFaces(line string) (*Command, string) {
	var out []string
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' }) {
		if _, err := strconv.Atoi(word); err != nil {
			return nil, fmt.Sprintf("%q is no face: type numbers, or Enter to roll", word)
		}
		out = append(out, word)
	}
	return &Command{Answer: json.RawMessage("[" + strings.Join(out, ",") + "]")}, ""
}

// parseAnswer reads the answer to a question as people type it.
func parseAnswer(q *runtime.Question, line string) (value json.RawMessage, say string) {
	if strings.ContainsAny(line[:1], `[{"`) && json.Valid([]byte(line)) {
		return json.RawMessage(line), ""
	}
	switch q.Type {
	case "bool", "object":
		return parseYesNo(q.Type, line)
	case "list":
		return parseList(q, line)
	case "map":
		return parseMap(q, line)
	}
	return parseScalar(q.Type, q.Keys, line)
}

func parseYesNo(kind, line string) (json.RawMessage, string) {
	yes := slices.Contains([]string{"y", "yes", "true"}, strings.ToLower(line))
	no := slices.Contains([]string{"n", "no", "false"}, strings.ToLower(line))
	switch {
	case !yes && !no:
		return nil, "type yes or no"
	case kind == "bool":
		return json.RawMessage(strconv.FormatBool(yes)), ""
	case yes:
		return json.RawMessage("{}"), ""
	}
	return nil, "press Enter to leave it out"
}

// parseScalar reads a number, or a string. Of a string that is one of a list, the beginning of one will do.
func parseScalar(kind string, keys []runtime.Key, line string) (json.RawMessage, string) {
	if kind == "int" || kind == "double" {
		if _, err := strconv.ParseFloat(line, 64); err != nil || !json.Valid([]byte(line)) {
			return nil, fmt.Sprintf("%q is no number", line)
		}
		return json.RawMessage(line), ""
	}
	var begins, all []string
	for _, k := range keys {
		if all = append(all, k.Key); k.Key == line {
			return quote(line), ""
		}
		if strings.HasPrefix(k.Key, line) {
			begins = append(begins, k.Key)
		}
	}
	near := spell.Nearest(line, all)
	switch {
	case len(keys) == 0:
		return quote(line), ""
	case len(begins) == 1:
		return quote(begins[0]), ""
	case near != "":
		return nil, fmt.Sprintf("%q is none of these; did you mean %q", line, near)
	}
	return nil, fmt.Sprintf("%q is none of %s", line, strings.Join(all, ", "))
}

// parseList reads "1, 2", or how many elements there are, which are then asked for one by one.
func parseList(q *runtime.Question, line string) (json.RawMessage, string) {
	words := strings.Split(line, ",")
	composite := q.Elem == "object" || q.Elem == "map" || q.Elem == "list"
	if n, err := strconv.Atoi(line); err == nil && (composite || q.Elem == "string") && n >= 0 && n < 1000 {
		return json.RawMessage("[" + strings.TrimSuffix(strings.Repeat("null,", n), ",") + "]"), ""
	}
	if composite {
		return nil, "type how many there are"
	}
	var out []string
	for _, word := range words {
		value, say := parseScalar(q.Elem, q.Keys, strings.TrimSpace(word))
		if say != "" {
			return nil, say
		}
		out = append(out, string(value))
	}
	return json.RawMessage("[" + strings.Join(out, ",") + "]"), ""
}

// parseMap reads "a=1, b=2"; a value that is no number, truth or word is asked for after its name alone.
func parseMap(q *runtime.Question, line string) (json.RawMessage, string) {
	var out []string
	for word := range strings.SplitSeq(line, ",") {
		name, text, ok := strings.Cut(strings.TrimSpace(word), "=")
		value := json.RawMessage("null")
		if ok {
			var say string
			if value, say = parseScalar(q.Elem, nil, strings.TrimSpace(text)); say != "" {
				return nil, say
			}
		}
		out = append(out, string(quote(strings.TrimSpace(name)))+":"+string(value))
	}
	return json.RawMessage("{" + strings.Join(out, ",") + "}"), ""
}
