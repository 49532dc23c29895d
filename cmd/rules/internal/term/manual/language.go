package manual

import (
	"embed"
	"fmt"
	"strings"
)

// language has a text for each chapter of the reference but that of homebrews, which is a topic of its own.
//
//go:embed language/*.txt
var language embed.FS

// A Chapter is a part of the reference of the language. The reference is normative: implementations that do what it says
// answer alike.
type Chapter struct{ Name, Short string }

// Chapters returns the chapters of the reference, in their order.
func Chapters() []Chapter {
	return []Chapter{
		{"ruleset", "What a ruleset consists of"},
		{"values", "Types, fields, bounds and defaults"},
		{"formulas", "What formulas read and compute"},
		{"tables", "Look-ups"},
		{"dice", "Dice and how they fall"},
		{"rules", "The order in which a rule is carried out, uses"},
		{"procedures", "Rules with memory"},
		{"decisions", "Fields that are decided when dice have fallen"},
		{"homebrew", "What homebrews change"},
		{"sheets", "What is answered"},
		{"refusals", "What is refused, and in which order"},
		{"odds", "Exact chances"},
	}
}

// Text returns the chapter, which ends with a line break.
func (c Chapter) Text() string {
	if c.Name == "homebrew" {
		return homebrewTopic
	}
	text, err := language.ReadFile("language/" + c.Name + ".txt")
	if err != nil {
		panic(err) // it is compiled in, which a test of all chapters holds
	}
	return string(text)
}

// languageTopic returns the whole reference.
func languageTopic() string {
	var out strings.Builder
	out.WriteString("The language of rules\n\nIts chapters, which \"rules help language CHAPTER\" prints one by one:\n\n")
	for _, c := range Chapters() {
		fmt.Fprintf(&out, "    %-11s %s\n", c.Name, c.Short)
	}
	for i, c := range Chapters() {
		fmt.Fprintf(&out, "\n%d. %s\n\n%s", i+1, c.Short, c.Text())
	}
	return out.String()
}
