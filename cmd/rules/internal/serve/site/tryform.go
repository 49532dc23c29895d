package site

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A tryPage is a rule as a form, with its answer and its odds.
//
// A field of it is there because the template needs it, and is named after what a reader sees. What
// a handler needs only while it works is in a formQuestion.
type tryPage struct {
	page
	Needs          *describe.Needs
	BookLink       string
	Input, Options []fieldView
	Primary, More  []*fieldView // of Input: what is asked first, and what is folded
	Boxes          []dieBox     // for the faces of its dice; nil where these are one text
	IsPartlyThrown bool         // some of the dice have a face, and the others are rolled
	Constant       []view.Line  // outputs that no die decides
	Dice, DiceHint string
	Seed           string
	Character      string
	CharacterOpen  bool
	CharacterReads []string // paths
	// CharacterFields are the parts that are read and can be filled in one by one.
	CharacterFields []fieldView
	ReadsCharacter  bool
	OtherRulings    []string     // that are not played by default
	Ruled           []rulingView // what was ruled about it
	Note            string       // how the rules differ from those that an address names; "" where they do not
	IsFilled        bool         // with a character that the browser keeps, for the first time
	HasLink         bool         // the address of the page is that of its answer
	Stored          string       // the digest under which the browser keeps the character; "" for none
	IsMissing       bool         // the address needs a character that only the browser has
	Error           string
	Wrong           *fieldView // whose value it is about; nil for none
	Refused         string     // an output that was refused, when a requirement did not hold
	Sheet           *sheetView
	Decision        *decisionView // what is to be decided before there is a sheet; nil for nothing
	Decided         []fieldView   // what was decided after the faces that fell
	Why             *whyView      // why an output is what it is; nil unless it is asked for
	Fell            string        // lets the same faces fall again
	At              *seatView     // where it is rolled; nil for no table
	HasOdds         bool
	HasWholeOdds    bool // it was asked for all of them, however long that takes
	Odds            *oddsView
	Vary            [2]varyField  // inputs that the odds can be shown over
	Beside          []choiceView  // states of the ruleset whose odds can stand beside these
	Shipped         []shippedView // where the input has characters: those that may stand there
	Kept            *keptSetting  // the setting beside whose odds those of the form stand; nil for none
}

// newTry returns the form of a rule, filled with the values that were sent or else with a shipped example.
//
// The order is not free: a character must be known before the input is chosen for it, and both before the rule is asked
// for its further needs.
func (s *server) newTry(e *library.Edition, b *bookView, id string, form url.Values) (*tryPage, *formQuestion) {
	needs := describe.NeedsOf(e.Plan, id)
	v := &tryPage{page: s.newPage(id+", "+b.Title, 2), Needs: needs, BookLink: "../" + b.links[id],
		HasOdds: len(needs.Dice) > 0}
	v.Book, v.IsText = b, false
	q := &formQuestion{Question: query.Question{Subject: id, Options: map[string]string{}}}
	mergeCharacter(e, form)
	v.IsPartlyThrown = mergeDice(needs, form)
	shipped := s.exampleFor(e, needs)
	sent := form.Get(askedField) != ""
	v.Dice, v.Seed = form.Get("dice"), form.Get("seed")
	v.Character = indentJSON([]byte(form.Get("character")))
	input := shipped.Input
	if v.Character != "" && !sent { // her skills, and not those of the example
		input = inputOf(e, "", needs, []byte(v.Character), input)
	}
	if name := form.Get("as"); v.Character == "" && slices.Contains(b.Characters, name) {
		v.Character = characterOf(e, name)
		input = inputOf(e, name, needs, []byte(v.Character), input)
	}
	if v.Character == "" {
		v.Character = indentJSON(shipped.Character)
	}
	if form.Get(characterBefore) == "" {
		v.Character = changeCharacter(e, v.Character, "", form)
	}
	v.Input, q.Request.Input = inputFields(needs, form, sent, input)
	words := b.words.Of(id)
	b.explainChoices(needs.Input, v.Input)
	addTrees(words, needs.Input, v.Input)
	v.Options = optionFields(needs, form, q.Options)
	if i := slices.IndexFunc(b.allDefinitions(), func(d *definitionView) bool { return d.Link == b.links[id] }); i >= 0 {
		v.Ruled = b.allDefinitions()[i].Rulings
	}
	for _, o := range slices.Sorted(maps.Keys(q.Options)) {
		i := slices.IndexFunc(v.Options, func(f fieldView) bool { return f.ID == optionPrefix+o })
		v.OtherRulings = append(v.OtherRulings, v.Options[i].Label+": "+v.Options[i].Brief())
	}
	q.Request.Character, q.dice, q.seed = []byte(v.Character), v.Dice, v.Seed
	v.markNeeds(e, id, q)
	v.CharacterFields = characterFields(e, v.CharacterReads, q.Request.Character)
	v.suggest(e, id, words, q)
	v.Primary, v.More = dividePrimary(v.Input)
	v.Boxes = dieBoxes(needs, v.Dice)
	varied := v.variedFields()
	v.Vary = [2]varyField{newVaryField("vary", "Show the odds over", varied, form.Get("vary")),
		newVaryField("vary2", "and over", varied, form.Get("vary2"))}
	v.Kept = keptSettingOf(needs, form)
	if hasCharacter(describe.InputOf(e.Plan, id)) {
		v.Shipped = listShipped(e, b)
	}
	v.HasWholeOdds = form.Get(oddsField) != "" || form.Get("do") == doOdds
	for _, x := range s.library.Shelf().Comparable(e) {
		v.Beside = append(v.Beside, choiceView{Value: x.Called, Label: x.Called, Selected: x.Called == form.Get("beside")})
	}
	for _, d := range needs.Dice {
		v.DiceHint = strings.TrimSpace(v.DiceHint + " " + d.ID + "=…")
	}
	return v, q
}

// hasCharacter reports whether a value of a shape has characters in it.
func hasCharacter(s *plan.Shape) bool {
	return s != nil && (s.Character || hasCharacter(s.Elem) ||
		slices.ContainsFunc(s.Fields, func(m plan.Member) bool { return hasCharacter(m.Shape) }))
}

// markNeeds marks the fields that the rule does not read as the form is filled now, and lists the fields of the
// character that it reads.
func (v *tryPage) markNeeds(e *library.Edition, id string, q *formQuestion) {
	v.ReadsCharacter = true
	n := needOf(e, id, q)
	for i := range v.Input {
		path := v.Input[i].Path
		v.Input[i].Idle = v.Needs.Kind == "rule" && !v.isDecided(path) && n.idle[path]
	}
	v.CharacterReads = n.character
}

// isDecided reports whether a field is decided when dice have fallen, so that nothing asks for it before.
func (v *tryPage) isDecided(path string) bool {
	return slices.ContainsFunc(v.Needs.Input, func(f describe.Field) bool { return f.Name == path && len(f.After) > 0 })
}

// mostPrimary is how many fields are asked before the others are folded.
const mostPrimary = 5

// dividePrimary says which fields are asked first: those that the ruleset says, with those that must be given; where it
// says nothing, those that must be given, then choices. What is wrong is always among them.
func dividePrimary(fields []fieldView) (primary, more []*fieldView) {
	isSaid := slices.ContainsFunc(fields, func(f fieldView) bool { return f.Primary > 0 })
	isFirst := func(f *fieldView) bool {
		if isSaid {
			return f.Primary > 0 || f.Required
		}
		return len(primary) < mostPrimary &&
			(f.Required || len(f.Choices) > 0 && !f.Later && !f.Idle && !strings.Contains(f.Path, "."))
	}
	for i := range fields {
		if f := &fields[i]; isFirst(f) || f.Error != "" {
			primary = append(primary, f)
		} else {
			more = append(more, f)
		}
	}
	return primary, more
}

// suggest offers for names that are looked up in the character those that it has. The form of a procedure does not follow
// its character, so that any name can be typed there.
func (v *tryPage) suggest(e *library.Edition, id string, words *say.Teller, q *formQuestion) {
	asks := askerOf(e, id, q)
	if asks == nil || v.Needs.Kind != "rule" {
		return
	}
	for i := range v.Input {
		f := &v.Input[i]
		if f.Number || f.JSON || len(f.Choices) > 0 {
			continue
		}
		known := runtime.Request{Character: q.Request.Character, Input: withoutMember(q.Request.Input, f.Path),
			Accepted: []string{plainCharacter}}
		for k := range v.Input {
			if k != i {
				known.Accepted = append(known.Accepted, plainInput+"."+v.Input[k].Path)
			}
		}
		for _, x := range asks(known) {
			if x.Path != plainInput+"."+f.Path || len(x.Suggest) == 0 {
				continue
			}
			names := slices.Clone(x.Suggest)
			if f.Value != "" && !slices.Contains(names, f.Value) {
				names = append(names, f.Value)
			}
			for _, name := range names {
				f.Choices = append(f.Choices,
					choiceView{Value: name, Label: labelOf(words, f.Path, name), Selected: name == f.Value})
			}
		}
	}
}

// Lead returns one line about the rule.
func (v *tryPage) Lead() string { return cmp.Or(v.Needs.Short, v.Needs.Doc) }

// Asked returns what is asked first, in words: "Navigation, Hard".
func (v *tryPage) Asked() string {
	var parts []string
	for _, f := range v.Primary {
		if text := f.Brief(); text != "" && text != "Yes" && text != "No" && !f.Idle {
			if f.Number {
				text = f.Label + " " + text
			}
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// A fieldGroup is fields under a heading; Label is "" for those without one.
type fieldGroup struct {
	Label  string
	Fields []*fieldView
}

// MoreGroups returns the fields that are folded: those without a group, then the groups in the order of their first field.
func (v *tryPage) MoreGroups() []fieldGroup {
	out := []fieldGroup{{}}
	for _, f := range v.More {
		i := slices.IndexFunc(out, func(g fieldGroup) bool { return g.Label == f.Group })
		if i < 0 {
			i, out = len(out), append(out, fieldGroup{Label: f.Group})
		}
		out[i].Fields = append(out[i].Fields, f)
	}
	return out
}

// MoreBrief returns the values of the fields that are folded.
func (v *tryPage) MoreBrief() string {
	var parts []string
	for _, f := range v.More {
		if text := f.Brief(); text != "" && len(parts) < 4 {
			parts = append(parts, f.Label+" "+text)
		}
	}
	return strings.Join(parts, ", ")
}

// IsVaried reports whether the odds are shown over an input, or beside those of another state of the rules.
func (v *tryPage) IsVaried() bool {
	return v.Vary[0].chosen() != "" || slices.ContainsFunc(v.Beside, func(c choiceView) bool { return c.Selected })
}
