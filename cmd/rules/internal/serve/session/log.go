package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// A History is a log that was read: its lines, and the state that they make.
type History struct {
	State   State
	Records []*Record // nil where a transcript hides the line
	Lines   [][]byte  // without line breaks
	Torn    int       // bytes of a last line that was not written to its end
}

// A hiddenLine stands in a transcript for a line that its reader may not see.
type hiddenLine struct {
	Hidden string `json:"hidden"` // the digest of the line
}

// IsLog reports whether a text begins as a log, or a transcript, does.
func IsLog(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	r, err := readRecord(line)
	return err == nil && r.Begin != nil
}

// Read reads a log or a transcript. A last line without a line break was never answered and does not count.
func Read(text []byte) (*History, error) {
	h := &History{}
	end := bytes.LastIndexByte(text, '\n') + 1
	h.Torn = len(text) - end
	for n := 1; len(text) > h.Torn; n++ {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		if err := h.addLine(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if len(h.Lines) == 0 {
		return nil, errors.New("it has no whole line")
	}
	return h, nil
}

// addLine applies a line and keeps it.
func (h *History) addLine(line []byte) error {
	var hidden hiddenLine
	if bytes.HasPrefix(line, []byte(`{"hidden":`)) && json.Unmarshal(line, &hidden) == nil {
		if !bytes.Equal(line, hidden.encode()) {
			return errWriting
		}
		if err := h.State.Skip(hidden.Hidden); err != nil {
			return err
		}
		h.Records, h.Lines = append(h.Records, nil), append(h.Lines, line)
		return nil
	}
	r, err := readRecord(line)
	if err != nil {
		return err
	}
	return h.applyRecord(r, line)
}

// applyRecord applies a record and keeps it.
func (h *History) applyRecord(r *Record, line []byte) error {
	if err := h.State.Apply(r, line); err != nil {
		return err
	}
	h.Records, h.Lines = append(h.Records, r), append(h.Lines, line)
	return nil
}

func (l hiddenLine) encode() []byte { return []byte(`{"hidden":"` + l.Hidden + `"}`) }

// A Ruled is the receipt of a roll that can be seen, or of a play with all its steps, with the rulings by which it had to
// be played.
type Ruled struct {
	Receipt json.RawMessage
	IsFair  bool // nobody could choose the dice
	Rulings map[string]string
	Fell    []*Fell // the dice on which it was decided, from the first ones on
}

// Receipts returns what was rolled and played as far as it can be seen. Of a play it has the steps from which no other one
// goes on: their receipts have those before them. Rulings count from their record on, but for a round, which keeps those of
// its opening.
func (h *History) Receipts() []Ruled {
	var out []Ruled
	var rulings map[string]string
	plays, goesOn := map[int]map[string]string{}, map[int]bool{} // the rulings of a play, by its records
	for _, r := range h.Records {
		switch {
		case r == nil: // a hidden line is a roll
		case r.Rulings != nil:
			rulings = r.Rulings.Options
		case r.Roll != nil && r.Roll.Round != 0:
			out = append(out, Ruled{r.Roll.Receipt, true, h.Records[r.Roll.Round-1].Open.Question.Options, nil})
		case r.Roll != nil && r.Roll.Of != 0:
			out = append(out, h.ruledOf(r.Roll))
		case r.Roll != nil:
			out = append(out, Ruled{r.Roll.Receipt, false, rulings, nil})
		case r.Play != nil && r.Play.Of != 0:
			plays[r.N], goesOn[r.Play.Of] = plays[r.Play.Of], true
		case r.Play != nil:
			plays[r.N] = rulings
		}
	}
	for _, n := range slices.Sorted(maps.Keys(plays)) {
		if !goesOn[n] {
			out = append(out, Ruled{h.Records[n-1].Play.Receipt, false, plays[n], nil})
		}
	}
	return out
}

// ruledOf returns the receipt of a roll that was decided on once its dice had fallen.
func (h *History) ruledOf(roll *Roll) Ruled {
	fell := h.fellBefore(roll)
	return Ruled{roll.Receipt, fell[0].Round != 0, fell[len(fell)-1].Question.Options, fell}
}

// fellBefore returns the dice on which a roll was decided, from the first ones on.
func (h *History) fellBefore(roll *Roll) (out []*Fell) {
	for of := roll.Of; of != 0; of = out[0].Of {
		out = slices.Insert(out, 0, h.Records[of-1].Fell)
	}
	return out
}

// Rolls returns the rolls that can be seen.
func (h *History) Rolls() []*Roll {
	var out []*Roll
	for _, r := range h.Records {
		if r != nil && r.Roll != nil {
			out = append(out, r.Roll)
		}
	}
	return out
}

// Summary says what the log holds, and what reading it has proved.
func (h *History) Summary() string {
	fair, hidden := 0, 0
	for _, x := range h.Receipts() {
		if x.IsFair {
			fair++
		}
	}
	for _, r := range h.Records {
		if r == nil {
			hidden++
		}
	}
	out := fmt.Sprintf("%s: %s, one chain, nobody did what they may not; rolls: %d, with dice that nobody could "+
		"choose: %d", h.State.Begin.Title, plural.Of(len(h.Lines), "line"), len(h.Rolls()), fair)
	if hidden > 0 {
		out += fmt.Sprintf("; hidden here: %d", hidden)
	}
	if h.Torn > 0 {
		out += fmt.Sprintf("; %s of a torn line do not count", plural.Of(h.Torn, "byte"))
	}
	return out
}

// canSee reports whether somebody may see a record.
func (h *History) canSee(who string, r *Record) bool {
	switch {
	case r == nil:
		return false
	case r.Sealed != nil:
		return false
	case r.Roll != nil && r.Roll.Hidden, r.Fell != nil && r.Fell.Hidden:
		return who == Master || h.State.rolls[r.N].isShown
	}
	return true
}

// Transcript returns the log as somebody may see it.
func (h *History) Transcript(who string) []byte {
	var b bytes.Buffer
	for i, line := range h.Lines {
		if r := h.Records[i]; r != nil && !h.canSee(who, r) {
			line = hiddenLine{digestOf(string(line))}.encode()
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// A file is a log on the disk, to which lines are appended.
type file struct {
	*os.File
	size int64
}

// openFile reads a log that is to go on. Half a line at its end is cut off.
func openFile(name string) (*file, *History, error) {
	text, err := safefile.Read(name)
	if err != nil {
		return nil, nil, err
	}
	h, err := Read(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, r := range h.Records {
		if r == nil {
			return nil, nil, fmt.Errorf("%s: line %d is hidden: a transcript is read, and not gone on with", name, i+1)
		}
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, nil, err
	}
	out := &file{f, int64(len(text) - h.Torn)}
	if h.Torn > 0 {
		if err := f.Truncate(out.size); err != nil {
			f.Close()
			return nil, nil, err
		}
	}
	return out, h, nil
}

// createFile begins a log.
func createFile(name string) (*file, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	// The name is to survive, too. Where a directory cannot be brought to the disk, the system does so by itself.
	if dir, err := os.Open(filepath.Dir(name)); err == nil {
		_ = dir.Sync()
		dir.Close()
	}
	return &file{f, 0}, nil
}

// errOtherWriter is the error of a log that two programs write.
var errOtherWriter = errors.New("another program has written to the log")

// appendLines brings lines to the disk. Its error says that nobody knows what lies there now.
func (f *file) appendLines(lines ...[]byte) error {
	if info, err := f.Stat(); err != nil {
		return err
	} else if info.Size() != f.size {
		return errOtherWriter
	}
	var b bytes.Buffer
	for _, line := range lines {
		b.Write(line)
		b.WriteByte('\n')
	}
	n, err := f.Write(b.Bytes())
	f.size += int64(n)
	if err != nil {
		return err
	}
	return f.Sync()
}
