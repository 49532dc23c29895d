package release

import (
	"bytes"
	"strings"

	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// ForeignInstructions returns the titles of the graphs of a plan or release file whose stored instructions are not those
// that this program schedules. Either another release of the program wrote the file, or somebody altered it. This program
// never executes stored instructions, so its own answers are those of the graphs; a program that loads the file by package
// runtime does, and may answer otherwise. A file without instructions has none that are foreign.
//
// It is told and not refused: a release of another version of the program is honest and differs
// here. Whoever embeds the runtime can decide; this program's own answers come from the graphs in
// any case.
func ForeignInstructions(file []byte) ([]string, error) {
	a, err := planfile.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, err
	}
	p, err := a.Plan()
	if err != nil {
		return nil, err
	}
	stored, err := a.Instructions(p)
	if err != nil || len(stored) == 0 {
		return nil, err
	}
	var out []string
	scheduled := schedule.Stored(p)
	for _, b := range p.Bodies() {
		if !bytes.Equal(stored[b.Graph], scheduled(b)) {
			out = append(out, b.Title)
		}
	}
	return out, nil
}

// ForeignText says that the stored instructions of some graphs are not those of this program.
func ForeignText(titles []string) string {
	return "the stored instructions of " + strings.Join(titles, ", ") + " are not those that this program makes of the " +
		"rules: another version of it wrote the file, or the file was altered"
}
