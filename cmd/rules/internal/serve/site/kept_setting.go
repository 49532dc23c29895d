package site

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A keptSetting is a form as it was when its reader chose to compare with it. The page carries it in a hidden field.
type keptSetting struct {
	Text       string // the fields, encoded as in an address
	Label, Now string // what differs, as it was kept and as it is now
	asked      *formQuestion
	policy     string // of a procedure
}

// What the buttons of a form do that are about the kept setting, in the field "do".
const (
	keepSetting = "keep"
	dropSetting = "drop"
)

// isOnlyShown reports whether a form was sent to keep its setting, to forget one, for another row of a list, or for odds
// before any die has fallen, and not to be carried out.
func isOnlyShown(form url.Values) bool {
	if form.Get("do") == doOdds && form.Get(fellField) == "" {
		return true
	}
	return form.Has("add") || form.Has("drop") || form.Get("do") == keepSetting || form.Get("do") == dropSetting
}

// keptSettingOf returns the setting that a form is compared with, or nil for none.
//
// The text comes back from a browser and is a stranger's as much as the form: it goes through the same readers of
// fields, and a text that cannot be parsed is no kept setting.
func keptSettingOf(n *describe.Needs, form url.Values) *keptSetting {
	text := form.Get("kept")
	switch form.Get("do") {
	case keepSetting:
		text = settingFields(form).Encode()
	case dropSetting:
		return nil
	}
	if text == "" {
		return nil
	}
	kept, err := url.ParseQuery(text)
	if err != nil {
		return nil
	}
	q := &formQuestion{Question: query.Question{Subject: n.ID, Options: map[string]string{}}}
	q.Request.Character = []byte(kept.Get("character"))
	_, q.Request.Input = inputFields(n, kept, true, nil)
	optionFields(n, kept, q.Options)
	out := &keptSetting{Text: text, asked: q, policy: kept.Get("policy")}
	out.Label, out.Now = nameSettings(n, kept, settingFields(form))
	return out
}

// settingFields are the fields of a form on which odds depend.
func settingFields(form url.Values) url.Values {
	out := url.Values{}
	for name, values := range form {
		if name == "character" || name == "policy" ||
			strings.HasPrefix(name, inputPrefix) || strings.HasPrefix(name, optionPrefix) {
			out[name] = values
		}
	}
	return out
}

// nameSettings names two settings by the fields in which they differ.
//
// "Skill 60" beside "Skill 70" says more than "before" and "after", and equal fields need not be repeated.
func nameSettings(n *describe.Needs, kept, now url.Values) (was, is string) {
	var before, after []string
	for _, name := range sortedNames(kept, now) {
		a, b := kept.Get(name), now.Get(name)
		if option, is := strings.CutPrefix(name, optionPrefix); is { // an address leaves defaults out
			a, b = cmp.Or(a, defaultOf(n, option)), cmp.Or(b, defaultOf(n, option))
		}
		if a == b || name == "character" && jsontext.Compact([]byte(a)) == jsontext.Compact([]byte(b)) {
			continue
		}
		if _, path, _ := strings.Cut(name, "."); path == "" || isLong(n, name) {
			what := cmp.Or(path, name)
			before, after = append(before, what+" as it was"), append(after, what+" as it is")
			continue
		}
		before, after = append(before, nameField(n, name, a)), append(after, nameField(n, name, b))
	}
	if before == nil {
		return "kept", "now, the same"
	}
	return strings.Join(before, ", "), strings.Join(after, ", ")
}

// defaultOf returns how an option is played when nothing is said.
func defaultOf(n *describe.Needs, option string) string {
	if i := slices.IndexFunc(n.Options, func(o describe.OptionSays) bool { return o.ID == option }); i >= 0 {
		return n.Options[i].Played
	}
	return ""
}

// isLong reports whether a field has a list or a map, which no name tells.
func isLong(n *describe.Needs, name string) bool {
	return slices.ContainsFunc(n.Input, func(f describe.Field) bool { return inputPrefix+f.Name == name && isJSON(&f) })
}

// nameField names a field of a form and its value, in the words of the ruleset.
func nameField(n *describe.Needs, name, value string) string {
	_, path, _ := strings.Cut(name, ".")
	label := say.Capitalise(spacedName(path))
	if i := slices.IndexFunc(n.Input, func(f describe.Field) bool { return inputPrefix+f.Name == name }); i >= 0 {
		f := &n.Input[i]
		label, value = cmp.Or(f.Label, label), cmp.Or(f.Labels[value], spacedName(value))
	}
	return label + " " + cmp.Or(value, "not given")
}

func sortedNames(a, b url.Values) []string {
	var out []string
	for _, form := range []url.Values{a, b} {
		for name := range form {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
