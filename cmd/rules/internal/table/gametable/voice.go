package gametable

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A voice says names and values to players: in the words of the ruleset or, without a teller, by their paths with blanks.
type voice struct {
	speaker *say.Speaker
	teller  *say.Teller // of the rule, the procedure or the event that is asked; nil without words
}

// voice returns the voice for the questions of the present moment.
func (s *Session) voice() voice { return s.voiceOf(s.moment.event) }

// voiceOf returns the voice for an event of the procedure that is played; for none that of the subject.
func (s *Session) voiceOf(event string) voice {
	speaker := say.NewSpeaker(s.Program.Plan())
	if !speaker.HasGlossary() || s.moment.subject == "" {
		return voice{}
	}
	id := s.moment.subject
	if event != "" {
		id += "." + event
	}
	return voice{speaker, speaker.Of(id)}
}

// subjectTitle returns the players' name of the subject that is played.
func (s *Session) subjectTitle() string {
	if v := s.voiceOf(""); v.teller != nil {
		return v.teller.Title()
	}
	return s.moment.subject
}

// fieldName returns the name of a field within a sentence; that of the character with its owner.
func (v voice) fieldName(path string) string {
	root, _, rest, _ := plan.CutStep(path)
	switch {
	case v.teller == nil:
		return speakPath(path)
	case path == "":
		return path
	case root == "character" && rest != "":
		return "the character’s " + v.teller.Called(path)
	}
	return v.teller.Called(path)
}

// valueText returns the value of a field in words.
func (v voice) valueText(path string, text json.RawMessage) string {
	if v.teller == nil {
		return view.SpeakJSON(text)
	}
	return v.teller.Show(path, text)
}

// defaultOf returns the default of a question as it would be typed.
func (v voice) defaultOf(q *ask.Need) string {
	switch {
	case string(q.Default) == "[]", string(q.Default) == "{}", q.Default == nil && q.Type != "bool":
		return "none"
	case q.Default == nil:
		return "no"
	case q.Type == "int" || q.Type == "double":
		return view.SpeakJSON(q.Default)
	}
	return v.valueText(q.Path, q.Default)
}

// unitText returns the unit of a field's number, "of segments" or "in m"; "" without a unit, and when its name says it.
func (v voice) unitText(path string) string {
	if v.teller == nil || path == "" {
		return ""
	}
	unit := v.teller.Unit(path)
	if unit == "" || slices.Contains(strings.Fields(v.teller.Name(path)), unit) {
		return ""
	}
	if len(unit) <= len("EP.") {
		return "in " + unit
	}
	return "of " + unit
}

// keyText returns a string that an answer may be, in words.
func (v voice) keyText(path, key string) string {
	if v.teller == nil || path == "" {
		return key
	}
	return v.teller.Show(path, quoteJSON(key))
}

// keyMeaning returns the description of a key.
func (v voice) keyMeaning(k *ask.Key) string {
	if v.teller == nil || k.Table == "" {
		return k.Means
	}
	return v.speaker.Row(k.Table, k.Key)
}

// outputName returns the name of an output, a value or a part of the state.
func (v voice) outputName(name string) string {
	if v.teller == nil {
		return name
	}
	return v.teller.Label(name)
}

// dieName returns the name of a die.
func (v voice) dieName(id string) string {
	if v.teller == nil {
		return id
	}
	return say.Capitalise(v.teller.Die(id))
}

// readerNames returns the names of the outputs and the like that need an answer, each once.
func (v voice) readerNames(names []string) []string {
	if v.teller == nil {
		return names
	}
	var out []string
	for _, name := range names {
		for _, prefix := range []string{"die ", "state ", "character "} {
			name = strings.TrimPrefix(name, prefix)
		}
		if called := v.teller.Called(name); !slices.Contains(out, called) {
			out = append(out, called)
		}
	}
	return out
}
