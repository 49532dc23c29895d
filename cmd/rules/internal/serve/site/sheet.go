package site

// # A character in the browser
//
// Characters live in the browser (IndexedDB). The server makes of one a sheet, which is also the form by which it is
// changed: it is sent whole with each change, and comes back as fields, as JSON to keep, with what is still missing and
// with what it can roll. Nothing is kept here, so the page works as well without a script, by sending the form.

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/jsonadvice"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A sheetPage is a character with all of its fields.
type sheetPage struct {
	page
	Name      string
	Groups    []*formNode // the members of the character that are records, lists or maps
	Plain     []*formNode // its other members
	More      []*formNode // members that may be left out, and are
	Character string      // as JSON
	Missing   []missingView
	Rolls     []rollView
	IsPart    bool // for the script, which has the character
}

// Initials stand for the character where there is no picture.
func (v *sheetPage) Initials() string {
	letters := []rune(cmp.Or(v.Name, "?"))
	return string(letters[:min(len(letters), 2)])
}

// A missingView is something that keeps a character from being one.
type missingView struct{ Link, Label, Text string }

// A rollView is a rule that the character can be asked for, with the names on the sheet that it can be asked about.
type rollView struct {
	Title, Link string
	By          []rollLink
}

type rollLink struct{ Label, Link string }

// showCharacters shows the list of the characters that the browser keeps, beside those that ship.
func (s *server) showCharacters(w http.ResponseWriter, r *http.Request) {
	e, b, err := s.book(r)
	if err != nil {
		s.writeError(w, r, http.StatusNotFound, err)
		return
	}
	view := struct {
		page
		Shipped []shippedView
	}{page: s.newPage("Characters, "+b.Title, 1)}
	view.Book, view.Section, view.IsText = b, "characters", false
	view.Shipped = listShipped(e, b)
	s.write(w, http.StatusOK, "characters", view)
}

// A shippedView is a character that ships: an example, of which a reader plays a copy.
type shippedView struct{ Name, JSON string }

// listShipped returns the characters that ship with a ruleset.
func listShipped(e *library.Edition, b *bookView) (out []shippedView) {
	for _, name := range b.Characters {
		out = append(out, shippedView{say.Capitalise(name), jsontext.Compact([]byte(characterOf(e, name)))})
	}
	return out
}

// showSheet shows a character: one that was sent, as JSON or as fields, or an empty one.
func (s *server) showSheet(w http.ResponseWriter, r *http.Request) {
	e, b, err := s.book(r)
	if err == nil {
		err = r.ParseForm()
	}
	if err != nil {
		s.writeError(w, r, http.StatusNotFound, err)
		return
	}
	v := &sheetPage{page: s.newPage("Character, "+b.Title, 1), Name: r.Form.Get("name"), IsPart: r.Form.Has("part")}
	v.Book, v.Section, v.IsText = b, "characters", false
	root := &plan.Member{Shape: withoutPins(e.Plan.Character)}
	text := json.RawMessage(r.Form.Get("character"))
	if slices.ContainsFunc(formNames(r.Form), func(n string) bool { return strings.HasPrefix(n, characterPrefix) }) {
		text = readShape(r.Form, strings.TrimSuffix(characterPrefix, "."), root)
	}
	if len(text) == 0 {
		text = json.RawMessage("{}")
	}
	v.fill(e, b, root, text)
	if v.IsPart {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		s.templates["sheet"].ExecuteTemplate(w, "sheet-form", v)
		return
	}
	s.write(w, http.StatusOK, "sheet", v)
}

// withoutPins is the shape of a character as a plain record: the character itself, and not one that a field holds.
func withoutPins(s *plan.Shape) *plan.Shape {
	out := *s
	out.Character = false
	return &out
}

// fill makes the fields of a character, and lists the missing ones and the rules that can be rolled.
func (v *sheetPage) fill(e *library.Edition, b *bookView, root *plan.Member, text json.RawMessage) {
	v.Character = string(text)
	x := &shaper{teller: b.words.Of("character")}
	if v.findMissing(e, x, root.Shape, text); len(v.Missing) == 0 {
		x.rollLink = v.rollLinks(b, text)
		v.Rolls = rollsOf(e, b, describe.EvaluableNames(e.Plan), text, v.ownFields(text), "")
	}
	groups := map[string]*formNode{}
	for i := range root.Shape.Fields {
		f := &root.Shape.Fields[i]
		value := memberOf(text, f.Name)
		n := x.node(characterPrefix+f.Name, f.Name, f, value)
		group := b.words.HintOf(plan.CharacterRoot, "", f.Name).Group
		switch {
		case group != "" && groups[group] != nil:
			groups[group].Members = append(groups[group].Members, n)
		case group != "":
			groups[group] = &formNode{IsRecord: true, Members: []*formNode{n},
				fieldView: fieldView{Label: b.words.GroupLabel("", group)}}
			v.Groups = append(v.Groups, groups[group])
		case !n.Required && value == nil:
			v.More = append(v.More, n)
		case n.IsRecord || n.HasRows:
			v.Groups = append(v.Groups, n)
		default:
			v.Plain = append(v.Plain, n)
		}
	}
}

// rollLinks returns the links to the forms of the rules by which the fields of a character are rolled, as the ruleset says.
// Key is that of a map.
func (v *sheetPage) rollLinks(b *bookView, text json.RawMessage) func(path, key string) string {
	return func(path, key string) string {
		r := b.words.HintOf(plan.CharacterRoot, "", path).Rolls
		if r == nil {
			return ""
		}
		fields := v.ownFields(text)
		for _, i := range r.Input {
			value := cmp.Or(i.Value, key)
			if value == "" {
				return ""
			}
			fields.Set(inputPrefix+i.Name, value)
		}
		return "try/" + r.Rule + withQuery(fields)
	}
}

// ownFields returns the fields of an address that carry the character; none where the script of the page has it.
func (v *sheetPage) ownFields(text json.RawMessage) url.Values {
	out := url.Values{}
	if !v.IsPart {
		out.Set("character", string(text))
	}
	return out
}

// findMissing lists the required fields that are empty and, when there is none, why the character does not fit.
func (v *sheetPage) findMissing(e *library.Edition, x *shaper, s *plan.Shape, text json.RawMessage) {
	var walk func(id, path string, s *plan.Shape, value json.RawMessage)
	walk = func(id, path string, s *plan.Shape, value json.RawMessage) {
		for i := range s.Fields {
			f := &s.Fields[i]
			at, name := id+f.Name, strings.TrimPrefix(path+"."+f.Name, ".")
			given := memberOf(value, f.Name)
			switch {
			case f.Optional && given == nil || f.Default != "" && given == nil:
			case f.Shape.Kind == plan.Record:
				walk(at+".", name, f.Shape, given)
			case f.Shape.Kind == plan.List || f.Shape.Kind == plan.Map:
			case given == nil:
				v.Missing = append(v.Missing, missingView{at, x.teller.Heading(name), "is needed" + rangeOf(f.Shape)})
			}
		}
	}
	walk(characterPrefix, "", s, text)
	if len(v.Missing) > 0 {
		return
	}
	if err := jsonadvice.Fits(e.Program, text); err != nil {
		bad, _ := errors.AsType[*runtime.InputError](err)
		if bad == nil {
			v.Missing = append(v.Missing, missingView{"sheet", "The character", err.Error()})
			return
		}
		path := strings.TrimPrefix(bad.Path, ".")
		v.Missing = append(v.Missing, missingView{characterPrefix + path,
			cmp.Or(x.teller.Heading(path), "The character"), bad.Msg})
	}
}

// rangeOf says between which numbers a value lies.
func rangeOf(s *plan.Shape) string {
	switch low, high := boundText(s.Min), boundText(s.Max); {
	case low != "" && high != "":
		return ": " + low + " to " + high
	case low != "":
		return ": " + low + " or more"
	case high != "":
		return ": " + high + " or less"
	}
	return ""
}

// rollsOf lists those rules and procedures of several that read the character, each with the names on the sheet about which
// it asks. Every link has the fields own, and begins with the way to the book.
func rollsOf(e *library.Edition, b *bookView, ids []string, text json.RawMessage, own url.Values, up string) []rollView {
	teller := b.words.Of("character")
	var out []rollView
	for _, id := range ids {
		needs := describe.NeedsOf(e.Plan, id)
		if len(needs.Dice) == 0 && needs.Kind == "rule" || len(needs.Character) == 0 {
			continue
		}
		asks := askerOf(e, id, &formQuestion{})
		if asks == nil {
			continue
		}
		roll := rollView{Title: needs.Title(), Link: up + "try/" + id + withQuery(own)}
		for _, x := range asks(runtime.Request{Character: text, Accepted: []string{"character"}}) {
			name, is := strings.CutPrefix(x.Path, "input.")
			for _, key := range x.Suggest {
				if !is || strings.ContainsAny(name, "[") || len(roll.By) > maxRollLinks {
					break
				}
				label := labelOf(teller, name, key)
				if slices.ContainsFunc(roll.By, func(l rollLink) bool { return l.Label == label }) {
					continue // another input asks for the same names
				}
				fields := maps.Clone(own)
				fields.Set(inputPrefix+name, key)
				roll.By = append(roll.By, rollLink{label, up + "try/" + id + withQuery(fields)})
			}
		}
		out = append(out, roll)
	}
	return out
}

// maxRollLinks is how many names beside a rule a sheet lists.
const maxRollLinks = 40

func withQuery(fields url.Values) string {
	if len(fields) == 0 {
		return ""
	}
	return "?" + fields.Encode()
}
