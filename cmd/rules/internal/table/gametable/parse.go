package gametable

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/spell"
)

const textHelp = `  Type an answer, or Enter for the default that stands in brackets. Of a list, the number of a line
  will do. At a die, type the face that fell, or several (6 2 5), or press Enter to let it be rolled.
  all      take all defaults that are left here; at a die, roll all
  all but NAMES
           take them but for some fields, which are asked for: all but areas, kind
  example  where a character is asked about, field by field: take one that ships instead
  @FILE    the same with the character in a file
  odds     how likely each output that is true or false is, as it stands or after each answer
  why      what the last result rests on, down to the dice and the rows of tables
  undo     take the last step back
  save F   keep the state of the procedure, or else the character, in the file F from now on;
           save state F and save character F keep the one that is named
  quit     end here; what is kept in no file is told before
  On a terminal, Tab lists what can be typed and completes it, and the arrow keys bring earlier lines
  back. Tab also searches: it finds what has the typed words in its name or in its description.
`

// A Word is something that can be typed at a prompt, with what it means.
type Word struct{ Text, Means string }

// parseCommand returns the command of a line, or a function that prints a message in its place.
//
// Words of the session win over answers: a skill that is called "undo" must be typed in quotes. The other order would make
// undo unreliable at exactly the questions whose answers are free text.
func parseCommand(p *Prompt, line string) (c *Command, say func(*layout.Page)) {
	isField := p.Kind == ask.Field || p.Kind == ask.Decision
	switch line {
	case "?", "help":
		return nil, func(page *layout.Page) { explainPrompt(page, p) }
	case "undo":
		return &Command{Undo: true}, nil
	case "odds":
		return &Command{Odds: true}, nil
	case "why":
		return &Command{Why: true}, nil
	case "quit", "exit":
		return &Command{Quit: true}, nil
	case "all":
		return &Command{AcceptAll: isField, RollAll: !isField}, nil
	case "", "roll":
		if p.Kind == ask.Die {
			return &Command{Roll: true}, nil
		}
		if line == "" {
			return parseEnter(p, isField)
		}
	case "none":
		if isField && !p.Required && (p.Default == nil || string(p.Default) == "[]" || string(p.Default) == "{}") {
			return &Command{Accept: true}, nil
		}
	}
	if words := strings.Fields(line); len(words) > 0 && words[0] == "save" {
		return parseSave(words[1:])
	}
	if words := strings.FieldsFunc(line, isBlankOrComma); isField && len(words) > 1 && words[0] == "all" &&
		words[1] == "but" {
		if len(words) == 2 {
			return nil, textPrinter("name the fields that you want to be asked for: all but areas, kind")
		}
		return &Command{AcceptAll: true, But: words[2:]}, nil
	}
	if p.Character != "" && line == "example" {
		return &Command{Example: true}, nil
	}
	if name, isFile := strings.CutPrefix(line, "@"); p.Character != "" && isFile {
		return &Command{File: strings.TrimSpace(name)}, nil
	}
	if isField && p.Type == "string" && len(p.Keys) == 0 && !slices.Contains(p.Suggest, line) &&
		(line == "example" || strings.HasPrefix(line, "@")) {
		return nil, textPrinter(fmt.Sprintf("a character is asked for later, where what matters of it is asked: type %s "+
			"there. In quotes, %q, it is the answer to this question", line, line))
	}
	var value json.RawMessage
	var wrong string
	switch p.Kind {
	case AskSubject, AskMore:
		return chooseByText(p, line)
	case AskEvent:
		return &Command{Answer: quoteJSON(completeEvent(p, line))}, nil
	case ask.Die:
		value, wrong = parseFaces(&p.Need, line)
	default:
		value, wrong = parseAnswer(p, line)
	}
	if wrong != "" {
		return nil, textPrinter(wrong)
	}
	return &Command{Answer: value}, nil
}

// parseSave returns the command that saves a part of the session to a file.
func parseSave(words []string) (*Command, func(*layout.Page)) {
	c := &Command{}
	if len(words) > 0 && (words[0] == "state" || words[0] == "character") {
		c.saveWhat, words = words[0], words[1:]
	}
	if len(words) != 1 {
		return nil, textPrinter("name the file, without blanks: save FILE, save character FILE or save state FILE")
	}
	c.saveTo = words[0]
	return c, nil
}

// textPrinter returns a function that prints a text.
func textPrinter(text string) func(*layout.Page) {
	return func(page *layout.Page) { page.AddText(0, layout.Plain, text) }
}

// explainPrompt answers "?": it prints the meaning of the question, and the words that can be typed anywhere.
func explainPrompt(page *layout.Page, p *Prompt) {
	if p.Kind == AskSubject || p.Kind == AskMore {
		listChoices(page, p.Choices, allOf(p.Choices))
	} else {
		explainQuestion(page, p)
	}
	page.B.WriteString(textHelp)
}

// parseEnter reads an empty line where no die is asked for: it takes the default, where there is one.
//
// An empty line is the most common mistake, a key pressed too often. Where it cannot mean a default it says which answers
// are possible instead of failing.
func parseEnter(p *Prompt, isField bool) (*Command, func(*layout.Page)) {
	switch {
	case p.Kind == AskEvent:
		return nil, textPrinter("type the name of an event, or quit")
	case !isField:
		return nil, textPrinter("type a name, ? for all, or quit")
	case p.Required && len(p.Keys) > 0:
		return nil, textPrinter("this needs an answer: one of " + strings.Join(answersOf(p).words, ", "))
	case p.Required:
		return nil, textPrinter("this needs an answer: " + describeAnswer(p))
	}
	return &Command{Accept: true}, nil
}

// pickNumber returns the index of one of n lines that a number chooses, as play has numbered them.
func pickNumber(text string, n int) (int, bool) {
	i, err := strconv.Atoi(text)
	return i - 1, err == nil && i >= 1 && i <= n
}

// completeEvent returns the event of a number, the only one that begins with a text, or else the text.
//
// An event that is not offered completes too: the answer to it then says why it cannot happen.
func completeEvent(p *Prompt, text string) string {
	offered := offeredEvents(p.Offers)
	if i, ok := pickNumber(text, len(offered)); ok {
		return offered[i].Event
	}
	var found []string
	for i := range p.Offers {
		name, label := p.Offers[i].Event, p.offerTexts[i].Label
		if name == text || strings.EqualFold(label, text) {
			return name
		}
		if strings.HasPrefix(name, text) || hasPrefixFold(label, text) {
			found = append(found, name)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return text
}

// offeredEvents returns the offers that can happen, as they are listed and numbered.
func offeredEvents(offers []runtime.Offer) (out []*runtime.Offer) {
	for i := range offers {
		if o := &offers[i]; o.Offered && o.Refused == "" {
			out = append(out, o)
		}
	}
	return out
}

// chooseByText finds the rule or procedure of a number or of a name, or the only one of which a text is a part.
//
// A number means a line, a name the definition of that name, and any other text whatever has all of
// its words. When several do, they are listed and nothing is chosen: a wrong rule costs more than
// another line typed.
func chooseByText(p *Prompt, text string) (*Command, func(*layout.Page)) {
	if i, ok := pickNumber(text, len(p.Choices)); ok {
		return &Command{Answer: quoteJSON(p.Choices[i].ID)}, nil
	}
	var found []int
	var names []string
	for i, c := range p.Choices {
		if names = append(names, c.ID); c.ID == text || strings.EqualFold(c.title, text) {
			return &Command{Answer: quoteJSON(c.ID)}, nil
		}
		if isAbout(text, c.ID, c.title+" "+c.Doc) {
			found = append(found, i)
		}
	}
	switch near := spell.Nearest(text, names); {
	case len(found) == 1:
		return &Command{Answer: quoteJSON(p.Choices[found[0]].ID)}, nil
	case len(found) > 1:
		return nil, func(page *layout.Page) {
			listChoices(page, p.Choices, found)
			page.AddText(0, layout.Plain, "type the name or the number of one of these")
		}
	case near != "":
		return nil, textPrinter(fmt.Sprintf("nothing is named %q or is about it; did you mean %q", text, near))
	}
	return nil, textPrinter(fmt.Sprintf("nothing is named %q or is about it; ? lists all", text))
}

// isAbout reports whether every word of a text is in a name or in its meaning.
//
// Names are searched with and without their underscores, so that "target value" finds target_value and a copied name finds
// itself.
func isAbout(text, name, means string) bool {
	in := strings.ToLower(name + " " + strings.ReplaceAll(name, "_", " ") + " " + means)
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if !strings.Contains(in, word) {
			return false
		}
	}
	return true
}

// findWords returns the words that can be typed at a prompt and have every word of a text in them or in their meaning. If
// some begin with the text, these are all: who types the beginning of a name means the name.
//
// The matches by beginning hide those by meaning. Otherwise "te" in tempestas would offer every rule whose description has
// "te" somewhere, and Tab would complete nothing.
func findWords(p *Prompt, text string) []Word {
	var begin, about []Word
	for _, w := range wordsAt(p) {
		if strings.HasPrefix(w.Text, text) {
			begin = append(begin, w)
		}
		if isAbout(text, w.Text, w.Means) {
			about = append(about, w)
		}
	}
	if len(begin) > 0 && text != "" {
		return begin
	}
	return about
}

// wordsAt returns the words that can be typed at a prompt: the answers first, then the words of the session.
//
// Answers stand before words of the session, so that Tab at an empty line offers an answer.
func wordsAt(p *Prompt) (out []Word) {
	for _, c := range p.Choices {
		out = append(out, Word{c.ID, joinLines(c.Doc)})
	}
	for i := range p.Offers {
		if o := &p.Offers[i]; o.Offered {
			out = append(out, Word{o.Event, joinLines(o.Doc)})
		}
	}
	for _, k := range p.Keys {
		out = append(out, Word{p.voice.keyText(p.Path, k.Key), p.voice.keyMeaning(&k)})
	}
	for _, known := range p.Suggest {
		out = append(out, Word{known, ""})
	}
	switch p.Kind {
	case ask.Die:
		out = append(out, Word{"roll", "let this die be rolled"}, Word{"all", "let all dice be rolled"},
			Word{"odds", "how likely each output is"})
	case ask.Field, ask.Decision:
		if p.Type == "bool" || p.Type == "object" {
			out = append(out, Word{"yes", ""}, Word{"no", ""})
		}
		out = append(out, Word{"all", "take all defaults that are left here"}, Word{"odds", "how likely each output is"})
		if p.Character != "" {
			out = append(out, Word{"example", "take a character that ships with the ruleset"})
		}
	}
	return append(out, Word{"why", "what the last result rests on"}, Word{"undo", "take the last step back"},
		Word{"save", "keep the state or the character in a file"}, Word{"quit", "end here"}, Word{"?", "say more"})
}

// parseFaces reads faces: "43", "6 2 5" or "6,2,5", and as dice show them: "07", and "00" for the highest face of a d100.
//
// The order of faces is that in which the dice are asked for; commas and blanks part them alike. A
// number without value on a percentile die is its highest face, as everybody reads 00.
func parseFaces(q *ask.Need, line string) (json.RawMessage, string) {
	var out []string
	for _, word := range strings.FieldsFunc(line, isBlankOrComma) {
		face, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return nil, fmt.Sprintf("%q is no face: type numbers, or Enter to roll", word)
		}
		if face == 0 && q.Zero == 0 && q.Shows == nil {
			if face = highestFace(q.Faces, word); face == 0 {
				return nil, fmt.Sprintf("%s is no face of a d%d: it shows 1 to %d", word, q.Faces, q.Faces)
			}
		}
		out = append(out, strconv.FormatInt(face, 10))
	}
	return json.RawMessage("[" + strings.Join(out, ",") + "]"), ""
}

func isBlankOrComma(r rune) bool { return r == ' ' || r == ',' }

// highestFace returns the face that a number without value stands for on the dice of the trade: 0 is the ten of a d10,
// 00 the hundred of a d100. It is 0 where it stands for none.
func highestFace(faces int64, text string) int64 {
	if faces == 10 && text == "0" || faces == 100 && text == "00" {
		return faces
	}
	return 0
}

// parseAnswer reads the answer to a question as people type it.
func parseAnswer(p *Prompt, line string) (value json.RawMessage, say string) {
	q := &p.Need
	if strings.ContainsAny(line[:1], `[{"`) && json.Valid([]byte(line)) {
		return json.RawMessage(line), ""
	}
	switch q.Type {
	case "bool", "object":
		return parseYesNo(q.Type, line)
	case "list":
		return parseList(p, line)
	case "map":
		return parseMap(q, line)
	}
	return parseScalar(q.Type, answersOf(p), line)
}

// answersOf returns the strings that an answer may be or is likely to be, as they are listed and numbered.
func answersOf(p *Prompt) answers {
	if len(p.Keys) == 0 {
		return answers{p.Suggest, p.Suggest, false}
	}
	out := answers{isClosed: true}
	for i := range p.Keys {
		key := p.Keys[i].Key
		out.list, out.words = append(out.list, key), append(out.words, p.voice.keyText(p.Path, key))
	}
	return out
}

// answers are strings that are listed for a question, and as players read them; others are wrong when it is closed.
type answers struct {
	list, words []string
	isClosed    bool
}

// parseYesNo reads a truth, or whether there is a record; it returns the message for a text that is neither.
//
// An optional record is asked for as yes or no: yes gives an empty record, whose parts are then asked for one by one.
func parseYesNo(kind, line string) (json.RawMessage, string) {
	yes := slices.Contains([]string{"y", "yes", "true"}, strings.ToLower(line))
	no := slices.Contains([]string{"n", "no", "false"}, strings.ToLower(line))
	switch {
	case !yes && !no && kind == "object":
		return nil, "type yes, and each part of it is asked for; or press Enter to leave it out"
	case !yes && !no:
		return nil, "type yes or no"
	case kind == "bool":
		return json.RawMessage(strconv.FormatBool(yes)), ""
	case yes:
		return json.RawMessage("{}"), ""
	}
	return nil, "press Enter to leave it out"
}

// parseScalar reads a number, or a string. Of a string that is one of a list, its number or the beginning of it will do.
//
// A number is handed on as it was typed; whether it is whole, or within bounds, the runtime judges.
// A string of a closed list may be its beginning; one of an open list may not, since a new word may
// begin like a known one: such a word is asked for again. A string in quotes is taken as it stands.
func parseScalar(kind string, of answers, line string) (json.RawMessage, string) {
	if kind == "int" || kind == "double" {
		if _, err := strconv.ParseFloat(line, 64); err != nil || !json.Valid([]byte(line)) {
			return nil, fmt.Sprintf("%q is no number", line)
		}
		return json.RawMessage(line), ""
	}
	if strings.HasPrefix(line, `"`) && json.Valid([]byte(line)) {
		return json.RawMessage(line), ""
	}
	var begins []string
	for i, known := range of.list {
		if known == line || of.isClosed && strings.EqualFold(of.words[i], line) {
			return quoteJSON(known), ""
		}
		if strings.HasPrefix(known, line) || hasPrefixFold(of.words[i], line) {
			begins = append(begins, known)
		}
	}
	if i, ok := pickNumber(line, len(of.list)); ok {
		return quoteJSON(of.list[i]), ""
	}
	near := spell.Nearest(line, of.words)
	switch {
	case !of.isClosed && line != "" && len(begins) > 0:
		return nil, adviseUnknown(line, begins[0], of.list)
	case !of.isClosed && line != "" && near != "" && hasPrefixFold(near, line[:1]): // Swimming is near to Climbing
		return nil, adviseUnknown(line, near, of.list)
	case !of.isClosed:
		return quoteJSON(line), ""
	case len(begins) == 1:
		return quoteJSON(begins[0]), ""
	case near != "":
		return nil, fmt.Sprintf("%q is none of these; did you mean %q", line, near)
	}
	return nil, fmt.Sprintf("%q is none of %s", line, strings.Join(of.words, ", "))
}

// adviseUnknown asks again for a word that is not among the known ones of an open list, but like one of them: a slip would
// count for nothing.
func adviseUnknown(word, meant string, known []string) string {
	return fmt.Sprintf("not known: %s; known are %s; did you mean %q. In quotes, %q, it is taken all the same", word,
		strings.Join(known, ", "), meant, word)
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// parseList reads "1, 2", or how many elements there are, which are then asked for one by one.
//
// A bare number is ambiguous between an element and a count. It counts where elements are records,
// or strings that are not listed: nobody has a skill called 3.
func parseList(p *Prompt, line string) (json.RawMessage, string) {
	q := &p.Need
	words := strings.Split(line, ",")
	composite := q.Elem == "object" || q.Elem == "map" || q.Elem == "list"
	of := answersOf(p)
	counts := composite || q.Elem == "string" && len(of.list) == 0 // else a number is that of a string that is listed
	if n, err := strconv.Atoi(line); err == nil && counts && n >= 0 && n < 1000 {
		return json.RawMessage("[" + strings.TrimSuffix(strings.Repeat("null,", n), ",") + "]"), ""
	}
	if composite {
		return nil, "type how many there are"
	}
	var out []string
	for _, word := range words {
		value, say := parseScalar(q.Elem, of, strings.TrimSpace(word))
		if say != "" {
			return nil, say
		}
		out = append(out, string(value))
	}
	return json.RawMessage("[" + strings.Join(out, ",") + "]"), ""
}

// parseMap reads "a=1, b=2"; a value that is no number, truth or word is asked for after its name alone.
//
// A name without a value gets null, which the runtime takes for a key whose value is not known yet
// and asks for.
func parseMap(q *ask.Need, line string) (json.RawMessage, string) {
	var out []string
	for word := range strings.SplitSeq(line, ",") {
		name, text, ok := strings.Cut(strings.TrimSpace(word), "=")
		value := json.RawMessage("null")
		if ok {
			var say string
			if value, say = parseScalar(q.Elem, answers{}, strings.TrimSpace(text)); say != "" {
				return nil, say
			}
		}
		out = append(out, string(quoteJSON(strings.TrimSpace(name)))+":"+string(value))
	}
	return json.RawMessage("{" + strings.Join(out, ",") + "}"), ""
}
