package site

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
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
	Refused         string // an output that was refused, when a requirement did not hold
	Sheet           *sheetView
	Decision        *decisionView // what is to be decided before there is a sheet; nil for nothing
	Decided         []fieldView   // what was decided after the faces that fell
	Why             *whyView      // why an output is what it is; nil unless it is asked for
	Fell            string        // lets the same faces fall again
	HasOdds         bool
	Odds            *oddsView
	Vary            [2]varyField // inputs that the odds can be shown over
	Beside          []choiceView // states of the ruleset whose odds can stand beside these
	Kept            *keptSetting // the setting beside whose odds those of the form stand; nil for none
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
	shipped := exampleFor(e, needs)
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
	b.explainChoices(needs.Input, v.Input)
	v.Options = optionFields(needs, form, q.Options)
	if i := slices.IndexFunc(b.allDefinitions(), func(d *definitionView) bool { return d.Link == b.links[id] }); i >= 0 {
		v.Ruled = b.allDefinitions()[i].Rulings
	}
	for _, o := range slices.Sorted(maps.Keys(q.Options)) {
		v.OtherRulings = append(v.OtherRulings, o+" "+q.Options[o])
	}
	q.Request.Character, q.dice, q.seed = []byte(v.Character), v.Dice, v.Seed
	v.markNeeds(e, id, q)
	v.CharacterFields = characterFields(e, v.CharacterReads, q.Request.Character)
	v.Vary = [2]varyField{newVaryField("vary", "Show the odds over", v.Input, form.Get("vary")),
		newVaryField("vary2", "and over", v.Input, form.Get("vary2"))}
	v.Kept = keptSettingOf(needs, form)
	for _, x := range s.library.Shelf().Comparable(e) {
		v.Beside = append(v.Beside, choiceView{x.Called, x.Called, x.Called == form.Get("beside")})
	}
	for _, d := range needs.Dice {
		v.DiceHint = strings.TrimSpace(v.DiceHint + " " + d.ID + "=…")
	}
	return v, q
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
