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
}

// A Unit is what a number is counted in.
type Unit struct {
	Size Text // "60"; empty where there is one unit
	Text Text // "minute|minutes"
}
