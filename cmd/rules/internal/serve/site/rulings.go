package site

// # The rulings of a group
//
// A page lists the choices that a book leaves to those who play it: how each is played, what the book prints, and what a
// ruling changes, shown by a case. The address holds the choices that differ from the release, so that a page without a
// script can be linked and printed; the script keeps them in the browser under a name (rulings.js), and other pages play
// by those that it keeps.

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A rulingsPage is how a group plays a book.
type rulingsPage struct {
	page
	Name    string // that the group gives its rulings
	Choices []*rulingChoice
	Fixed   []*definitionView // readings and contradictions that no option switches
	Own     int               // of Choices are not played as in the release
	Unknown []string          // rulings of the address that this book does not have
	Text    string            // the rulings as a file
}

// A rulingChoice is an option as a group plays it.
type rulingChoice struct {
	*definitionView
	Heading string // its question
	Details string // what the author says beside it
	Values  []ruledValue
	Printed []*definitionView // contradictions of the book that it switches
	IsOwn   bool
	Effects []effectView
}

// A ruledValue is a value of an option; IsRelease marks the one that is played when nobody says otherwise.
type ruledValue struct {
	Value, Label      string
	IsRelease, IsHeld bool
}

// An effectView is what the values of an option change in the answer of a case.
type effectView struct {
	Title, Text string
	Values      []changedAnswer
}

// A changedAnswer is the outputs of a case that differ between the release's ruling and another one.
type changedAnswer struct {
	Label string
	Lines []effectLine
}

// An effectLine is an output under the release's ruling and under another one.
type effectLine struct{ Name, Was, Is string }

// showRulings shows the rulings of a book as an address has them. An address that names what is played anyway leads to the
// shorter one.
func (s *server) showRulings(w http.ResponseWriter, r *http.Request) {
	e, b, err := s.book(r)
	if err != nil {
		s.writeError(w, r, http.StatusNotFound, err)
		return
	}
	asked := r.URL.Query()
	v := &rulingsPage{page: s.newPage("Rulings, "+b.Title, 1), Name: asked.Get("name")}
	v.Book, v.Section, v.IsText = b, "rulings", false
	own, held := map[string]string{}, map[string]string{}
	for field := range asked {
		if id, is := strings.CutPrefix(field, optionPrefix); is {
			held[id] = asked.Get(field)
		}
	}
	effects := s.effectsOf(e, b)
	for _, d := range b.allDefinitions() {
		switch {
		case d.Kind == "option":
			c := b.newChoice(d, held[d.ID])
			c.Effects = effects[d.ID]
			if c.IsOwn {
				own[d.ID] = held[d.ID]
			}
			if c.IsOwn || held[d.ID] == d.Played {
				delete(held, d.ID)
			}
			v.Choices = append(v.Choices, c)
		case d.Reading != nil || d.Erratum != nil && d.Switch == nil:
			v.Fixed = append(v.Fixed, d)
		}
	}
	for id, value := range held {
		v.Unknown = append(v.Unknown, spacedName(id)+": "+value)
	}
	slices.Sort(v.Unknown)
	maps.Copy(held, own)
	if query := rulingsQuery(v.Name, held); query != asked.Encode() {
		http.Redirect(w, r, "rulings?"+query, http.StatusSeeOther)
		return
	}
	v.Own = len(own)
	v.Text = rulingsFile(e, v.Name, own)
	s.write(w, http.StatusOK, "rulings", v)
}

// rulingsQuery returns the query of the address of rulings.
func rulingsQuery(name string, held map[string]string) string {
	out := url.Values{}
	if name != "" {
		out.Set("name", name)
	}
	for id, value := range held {
		out.Set(optionPrefix+id, value)
	}
	return out.Encode()
}

// newChoice returns an option as it is played by a value; by the release's where that is none of its values.
func (b *bookView) newChoice(d *definitionView, played string) *rulingChoice {
	out := &rulingChoice{definitionView: d}
	out.Heading, out.Details = headingOf(d.ID, d.Doc)
	for _, x := range d.Definition.Values {
		out.Values = append(out.Values, ruledValue{Value: x.Value, Label: choiceLabel(x.Value, x.Doc),
			IsRelease: x.Value == d.Played, IsHeld: x.Value == played})
		out.IsOwn = out.IsOwn || x.Value == played && x.Value != d.Played
	}
	for i := range out.Values {
		if x := &out.Values[i]; !out.IsOwn {
			x.IsHeld = x.IsRelease
		}
	}
	for _, x := range b.Errata() {
		if x.Switch == d {
			out.Printed = append(out.Printed, x)
		}
	}
	return out
}

// choiceLabel returns a value of an option in the author's words.
func choiceLabel(value, doc string) string {
	if doc == "" {
		return say.Capitalise(spacedName(value))
	}
	return say.Capitalise(strings.TrimSuffix(doc, "."))
}

// headingOf returns an option in words, its first sentence or its name where it has none, and its other sentences.
func headingOf(id, doc string) (heading, details string) {
	heading, details, _ = strings.Cut(doc, ". ")
	return cmp.Or(strings.TrimSuffix(heading, "."), say.Capitalise(spacedName(id))), details
}

// rulingsFile returns rulings as the file that "rules eval --option @FILE" reads.
func rulingsFile(e *library.Edition, name string, own map[string]string) string {
	text, err := json.MarshalIndent(struct {
		Ruleset  string            `json:"ruleset"`
		Revision string            `json:"revision"`
		Name     string            `json:"name,omitempty"`
		Options  map[string]string `json:"options"`
	}{e.Plan.Ruleset, e.Plan.Revision, name, own}, "", "\t")
	if err != nil {
		return ""
	}
	return string(text)
}

// effectsOf returns, by the name of an option, what its values change in the cases that are played by one of them. It is
// kept as long as the shelf: all cases are read for it.
func (s *server) effectsOf(e *library.Edition, b *bookView) map[string][]effectView {
	found, err := s.effects.find(s.library.Shelf(), e, func() (map[string][]effectView, error) {
		out := map[string][]effectView{}
		if e.Files == nil {
			return out, nil
		}
		dir := path.Join("golden", e.Plan.Ruleset)
		cases, _ := golden.Load(e.Files, dir, dir) // what cannot be read shows nothing
		for _, c := range cases {
			for id := range c.Options {
				if len(c.Options) > 1 || len(out[id]) == mostEffects {
					continue
				}
				if x := effectOf(e, b, c, id); x != nil {
					out[id] = append(out[id], *x)
				}
			}
		}
		return out, nil
	})
	if err != nil {
		return nil
	}
	return found
}

// mostEffects is how many cases stand beside an option.
const mostEffects = 2

// effectOf returns the outputs of a case that differ between the values of an option; nil where none does, and of what is
// no case of a rule.
func effectOf(e *library.Edition, b *bookView, c *golden.Case, id string) *effectView {
	i := slices.IndexFunc(e.Plan.Options, func(o plan.Option) bool { return o.ID == id })
	if i < 0 || c.Kind == golden.FunctionCase || !slices.Contains(e.Program.RuleNames(), c.Subject) {
		return nil
	}
	played := e.Plan.Options[i].Values[e.Plan.Options[i].Default]
	was := answersOf(e, c, id, played)
	out := &effectView{Title: describe.NeedsOf(e.Plan, c.Subject).Title(), Text: c.Text}
	for _, x := range b.find("option", id).Definition.Values {
		if x.Value == played {
			continue
		}
		changed := changedAnswer{Label: choiceLabel(x.Value, x.Doc)}
		for _, is := range answersOf(e, c, id, x.Value) {
			k := slices.IndexFunc(was, func(l view.Line) bool { return l.Name == is.Name })
			if k >= 0 && was[k].Text != is.Text {
				changed.Lines = append(changed.Lines, effectLine{is.Name, was[k].Text, is.Text})
			}
		}
		if changed.Lines != nil {
			out.Values = append(out.Values, changed)
		}
	}
	if out.Values == nil {
		return nil
	}
	return out
}

// answersOf returns the outputs of a case under a value of an option; none where it is refused.
func answersOf(e *library.Edition, c *golden.Case, id, value string) []view.Line {
	rule, err := e.Rule(c.Subject, runtime.Choice{Options: map[string]string{id: value}})
	if err != nil {
		return nil
	}
	sheet, err := rule.Eval(c.Request())
	if err != nil {
		return nil
	}
	notes := view.NotesOf(e.Plan, c.Subject, sheet.Output)
	notes.Spoken = true
	return view.Outputs(sheet.Output, &notes)
}
