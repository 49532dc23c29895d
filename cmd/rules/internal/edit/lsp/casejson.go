package lsp

import (
	"path"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/golden/jsontree"
)

// completeJSON returns the items that may stand at a position in a file of a case in JSON: the members of the character,
// the input, the events or the sheet that are not there yet, and the values that a member may have.
func completeJSON(s *snapshot, file string, p position) []completionItem {
	text := s.text(file)
	at := text.placeOf(file, p, s.encoding)
	c := caseAt(text, at.Line)
	f, inFile := c.fileAt(at.Line)
	x := s.indexOfRuleset(path.Base(path.Dir(file)))
	if x == nil || c.owner == "" || !inFile {
		return []completionItem{}
	}
	begin := at
	begin.Line, begin.Col = f.first, 1
	where := placeInJSON(text.textBetween(begin, at))
	return where.completionItems(membersOf(x, &c, text, f.name, &where))
}

// membersOf returns the members that an object in a file of a case may have.
func membersOf(x *symbols.Index, c *caseText, text *textFile, file string, where *jsonPlace) []symbols.Symbol {
	path := where.memberPath()
	switch file {
	case "character.json":
		return x.MembersAt(c.owner, "character", path)
	case "input.json":
		return x.MembersAt(c.owner, "input", path)
	case "events.json":
		return eventMembers(x, c.owner, where)
	case "want.json", "printed.json":
		return sheetMembers(x, c, text, where)
	}
	return nil
}

// eventMembers returns those of an event that is played, or of its input.
func eventMembers(x *symbols.Index, owner string, where *jsonPlace) []symbols.Symbol {
	path := where.memberPath()
	_, procedure, _ := strings.Cut(owner, " ")
	switch {
	case len(path) == 0:
		return []symbols.Symbol{
			symbols.NewField("event", "which one happens", x.Events(procedure)),
			symbols.NewField("input", "what it is given", nil),
			symbols.NewField("dice", "the faces that fall", nil),
		}
	case path[0] == "input" && len(where.open) > 1:
		return x.MembersAt("event "+procedure+"/"+where.open[1].texts["event"], "event", path[1:])
	}
	return nil
}

// sheetMembers returns those of a sheet that is wanted, of a rule or of a procedure, or of the answer of a function.
//
// The order of events in want.json is that of events.json, so an event's outputs are known by its
// index alone.
func sheetMembers(x *symbols.Index, c *caseText, text *textFile, where *jsonPlace) []symbols.Symbol {
	path := where.memberPath()
	isProcedure := strings.HasPrefix(c.owner, "procedure ")
	if strings.HasPrefix(c.owner, "function ") {
		if len(path) > 0 {
			return nil
		}
		return []symbols.Symbol{symbols.NewField("value", "what the function answers", nil)}
	}
	if len(path) == 0 {
		out := []symbols.Symbol{symbols.NewField("output", "what the sheet answers", nil),
			symbols.NewField("dice", "the faces that it was played with", nil)}
		if isProcedure {
			out = append(out, symbols.NewField("state", "what the events have left", nil),
				symbols.NewField("events", "what each of them answers", nil),
				symbols.NewField("status", "how it has ended", nil))
		}
		return out
	}
	switch {
	case path[0] == "output" && len(path) == 1:
		return x.OutputsOf(c.owner)
	case path[0] == "state" && isProcedure:
		return x.MembersAt(c.owner, "state", path[1:])
	case path[0] == "events" && len(path) == 1:
		return []symbols.Symbol{symbols.NewField("output", "what the event answers", nil),
			symbols.NewField("dice", "the faces that fell", nil)}
	case path[0] == "events" && path[1] == "output" && len(path) == 2 && len(where.open) > 1:
		if name, ok := c.eventName(text, where.open[1].index); ok {
			_, procedure, _ := strings.Cut(c.owner, " ")
			return x.OutputsOf("event " + procedure + "/" + name)
		}
	}
	return nil
}

// eventName returns the name of one of the events of the case; not ok when they cannot be read.
func (c *caseText) eventName(text *textFile, index int) (string, bool) {
	f, ok := c.fileNamed("events.json")
	if !ok {
		return "", false
	}
	t, err := jsontree.ReadTree([]byte(strings.Join(text.lines[f.first-1:f.last], "\n")))
	if err != nil || t.Kind != jsontree.Array || index >= len(t.Items) {
		return "", false
	}
	name := t.Items[index].Get("event")
	if name == nil {
		return "", false
	}
	return name.Text, true
}

// completionItems returns the items for the members that may stand at the place, as names or as values.
//
// Whether the client has typed the quote decides the inserted text: with it the rest of the word, without it the word in
// quotes, and after a name the colon.
func (j *jsonPlace) completionItems(members []symbols.Symbol) []completionItem {
	out := []completionItem{}
	quote := func(s string) string {
		if j.inString {
			return s
		}
		return strconv.Quote(s)
	}
	for _, m := range members {
		item := itemOf(&m)
		switch {
		case j.member == m.Name:
			for _, value := range m.Members() {
				if value.Kind == symbols.Value || value.Kind == symbols.Event {
					item = itemOf(&value)
					item.InsertText = quote(value.Name)
					out = append(out, item)
				}
			}
		case j.member == "" && !j.hasMember(m.Name):
			if item.InsertText = quote(m.Name); !j.inString {
				item.InsertText += ": "
			}
			out = append(out, item)
		}
	}
	return out
}
