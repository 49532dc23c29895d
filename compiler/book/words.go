package book

import "github.com/tabletop-rules/rules/runtime/plan"

// A Said is how people read a definition.
type Said struct {
	Label    Text
	Short    Text
	Headline *Say // nil when the author wrote none; so are the others
	Say      *Say
	Offered  *Say
}

// A Say is a sentence, or one for each value of a name.
type Say struct {
	Place plan.Place
	Text  Text // of a sentence; empty when Of is given
	Of    Text // the name whose value chooses
	Cases []SayCase
}

// A SayCase is the sentence for a value.
type SayCase struct {
	If  Text
	Say *Say
}

// A Word is how people call a name.
type Word struct {
	Name  Text
	Label Text
	Short Text
	Tone  Text
	Units []Unit // in the author's order
	Yes   *Word  // of a truth; nil when the author says nothing of it
	No    *Word

	Overlay string // the homebrew that it comes from; empty for the ruleset's own
}

// Marks are the attributes by which people are asked for a field: @primary, @group, @steps and @rolls. They change no
// answer, and hold ids and numbers alone.
type Marks struct {
	Primary Text // the place among what is asked first: "2"
	Group   Text // the id of the fields among which it stands
	Steps   Text // of a number: "5", or "5, 0, 20"
	Rolls   Text // of a field of a character: "test, kind=skill, name=key"
}

// Written reports whether there is any of them.
func (m *Marks) Written() bool {
	return m.Primary.Written() || m.Group.Written() || m.Steps.Written() || m.Rolls.Written()
}

// A Unit is what a number is counted in.
type Unit struct {
	Size Text // "60"; empty where there is one unit
	Text Text // "minute|minutes"
}
