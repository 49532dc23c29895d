package gametable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
)

// saveTo keeps the state of the procedure or the character in a file from now on: the named one, or else the state when a
// procedure has begun. A file that is there already is not the session's to write.
//
// An existing file is refused because a typing player names files in passing: --state and --character of the command line,
// said beforehand, do overwrite.
func (s *Session) saveTo(what, file string) ([]Notice, error) {
	if what == "" {
		what = "character"
		if s.moment.play != nil {
			what = "state"
		}
	}
	if what == "state" && s.moment.play == nil {
		return nil, errors.New("there is no state to save: no procedure has begun")
	}
	if what == "character" && s.latestCharacter() == nil {
		return nil, errors.New("there is no character to save: nothing was told of one")
	}
	to, others := &s.CharacterFile, []string{s.StateFile, s.LogFile}
	if what == "state" {
		to, others = &s.StateFile, []string{s.CharacterFile, s.LogFile}
	}
	if slices.Contains(others, file) {
		return nil, fmt.Errorf("%s keeps something else of this session: choose another name", file)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) && file != *to {
		return nil, fmt.Errorf("%s is there already: choose another name", file)
	}
	before := *to
	*to = file
	if err := s.Save(); err != nil {
		*to = before
		return nil, err
	}
	return []Notice{{Note: "the " + what + " is kept in " + file + " from now on"}}, nil
}

// latestCharacter returns the known part of the character now, in the midst of questions too; nil if nothing is known.
func (s *Session) latestCharacter() json.RawMessage {
	if m := &s.moment; m.request.Character != nil && m.sheet == nil && m.play == nil {
		return m.request.Character
	}
	return s.moment.character
}

// listUnsaved returns the parts that would be lost if the session ended now: those that have changed since it began and no
// file keeps.
func (s *Session) listUnsaved() (out []string) {
	first := &s.moment
	if len(s.history) > 0 {
		first = &s.history[0]
	}
	if now := s.latestCharacter(); s.CharacterFile == "" && now != nil && !bytes.Equal(now, first.character) &&
		!s.isInStateFile(now) {
		out = append(out, "the character")
	}
	if m := &s.moment; s.StateFile == "" && m.play != nil && m.play != first.play {
		out = append(out, "the state of "+m.subject)
	}
	return out
}

// isInStateFile reports whether the file of the state, which has the character of its play, has this one.
func (s *Session) isInStateFile(character []byte) bool {
	m := &s.moment
	for i := len(s.history) - 1; m.play == nil && i >= 0; i-- {
		m = &s.history[i]
	}
	return s.StateFile != "" && m.play != nil && bytes.Equal(m.character, character)
}

// Save writes the character, the state and the log, each whole or not at all.
//
// It is called when a result is reached, when one is undone, by "save FILE" and at the end: when the program is killed,
// only the answers to the open question are lost. A file is written beside itself and renamed, never in place.
func (s *Session) Save() error {
	m := &s.moment
	write := func(file string, text []byte) error {
		if file == "" || text == nil {
			return nil
		}
		return atomicfile.TheDisk().WriteWhole(file, slices.Concat(bytes.TrimSpace(text), []byte("\n")))
	}
	if err := write(s.CharacterFile, s.latestCharacter()); err != nil {
		return err
	}
	if m.play != nil {
		if err := write(s.StateFile, m.play.AppendJSON(nil)); err != nil {
			return err
		}
	}
	log := m.log
	if m.current != nil {
		log = append(slices.Clip(log), m.current)
	}
	if len(log) == 0 {
		return nil
	}
	return write(s.LogFile, bytes.Join(rawBytes(log), []byte("\n")))
}

func rawBytes(list []json.RawMessage) (out [][]byte) {
	for _, x := range list {
		out = append(out, x)
	}
	return out
}
