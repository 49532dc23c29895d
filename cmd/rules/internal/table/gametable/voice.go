package gametable

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A voice says names and values to players: in the words of the ruleset or, without a teller, by their paths with blanks.
type voice struct {
	speaker *say.Speaker
	teller  *say.Teller // of the rule, the procedure or the event that is asked; nil without words
}

// voice returns the voice for the questions of the present moment.
func (s *Session) voice() voice { return s.voiceOf(s.now.event) }

// voiceOf returns the voice for an event of the procedure that is played; for none that of the subject.
func (s *Session) voiceOf(event string) voice {
	speaker := say.NewSpeaker(s.Program.Plan())
	if !speaker.HasGlossary() || s.now.subject == "" {
		return voice{}
	}
	id := s.now.subject
	if event != "" {
		id += "." + event
	}
	return voice{speaker, speaker.Of(id)}
}

// title returns what the subject that is played is called.
func (s *Session) title() string {
	if v := s.voiceOf(""); v.teller != nil {
		return v.teller.Title()
	}
	return s.now.subject
}

// field names a field within a sentence; the character's with its owner.
func (v voice) field(path string) string {
	root, rest, _ := strings.Cut(path, ".")
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

// value says the value of a field.
func (v voice) value(path string, text json.RawMessage) string {
	if v.teller == nil {
		return view.SpeakJSON(text)
	}
	return v.teller.Show(path, text)
}

// defaultOf says the default of a question: as it would be typed.
func (v voice) defaultOf(q *ask.Need) string {
	switch {
	case string(q.Default) == "[]", string(q.Default) == "{}", q.Default == nil && q.Type != "bool":
		return "none"
	case q.Default == nil:
		return "no"
	case q.Type == "int" || q.Type == "double":
		return view.SpeakJSON(q.Default)
	}
	return v.value(q.Path, q.Default)
}

// unit returns what the number of a field is counted in, "of segments" or "in m"; "" for nothing, and for what its name
// says.
func (v voice) unit(path string) string {
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

// key says a string that an answer may be.
func (v voice) key(path, key string) string {
	if v.teller == nil || path == "" {
		return key
	}
	return v.teller.Show(path, quote(key))
}

// meaning says what stands beside a key.
func (v voice) meaning(k *ask.Key) string {
	if v.teller == nil || k.Table == "" {
		return k.Means
	}
	return v.speaker.Row(k.Table, k.Key)
}

// output names an output, a value or a part of the state.
func (v voice) output(name string) string {
	if v.teller == nil {
		return name
	}
	return v.teller.Label(name)
}

// die names a die.
func (v voice) die(id string) string {
	if v.teller == nil {
		return id
	}
	return say.Capitalise(v.teller.Die(id))
}

// readers names the outputs and the like that need an answer, each once.
func (v voice) readers(names []string) []string {
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
