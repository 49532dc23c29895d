package view

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/runtime/say"
)

// speakTruth returns the answer to whether something holds, as one says it at a table. Only a no has a reason; a yes
// needs none. The teller may be nil.
func speakTruth(holds bool, why string, t *say.Teller) string {
	switch {
	case holds:
		return "yes"
	case why == "":
		return "no"
	}
	return "no: it needs " + SpeakEquation(why, t)
}

// SpeakJSON returns a value in JSON as one says it at a table: yes and no for true and false, else its Text.
func SpeakJSON(text json.RawMessage) string {
	if isTruth(text) {
		return speakTruth(string(text) == "true", "", nil)
	}
	return TextOfJSON(text)
}

func isTruth(text json.RawMessage) bool { return string(text) == "true" || string(text) == "false" }

// Parts of an equation: a truth with its name behind it, and another name in brackets, both perhaps with the place in a
// table; a length; and the signs between values.
var (
	namedTruth = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(not true|false|true) \(([a-z_][\w.]*)(?:, row ([^,)]+))?(?:, column ([^,)]+))?\)`)
	})
	namedValue = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\((size of )?([a-z_][\w.]*)((?:, (?:row|column) [^,)]+)*)\)`)
	})
	unnamed = strings.NewReplacer(" or false", "", "false or ", "") // a truth without a name tells nobody anything
	keysOf  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(` in ([^()]*) \(keys of ([a-z_][\w.]*)\)(?: or [^ ()]+ \([^()]*\) = \S+)*`)
	})
	paths = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:input|event|state|character)(?:\.[a-z_]\w*|\[[^\]]*\])+`)
	})
	wholes   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\d)\.0\b`) })
	negative = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[ (])-(\d)`) })
	signs    = strings.NewReplacer(" >= ", " to be at least ", " <= ", " to be at most ", " > ", " to be more than ",
		" < ", " to be less than ", " == ", " to be ", " != ", " not to be ")
)

// SpeakEquation says the equation of a condition that does not hold in words: "-5 (input.quality) >= 0 (input.need)" as
// "−5 (quality) to be at least 0 (need)", and "not true (standing.success)" as "no success". A teller has the words of the
// names; it may be nil.
//
// It works on the text of an equation, in which every value has its name in brackets behind it. A
// form that it does not know stays as it is: an equation is always readable, if less so.
func SpeakEquation(why string, t *say.Teller) string {
	nameOf := speakName
	if t != nil {
		nameOf = t.Name
		why = wholes().ReplaceAllString(negative().ReplaceAllString(why, "$1−$2"), "$1")
		why = strings.ReplaceAll(why, " - ", " − ")
	}
	why = namedTruth().ReplaceAllStringFunc(why, func(part string) string {
		found := namedTruth().FindStringSubmatch(part)
		name := nameOf(found[2])
		if row, column := found[3], found[4]; column != "" { // "heavy of the pike"
			name = nameOf(column) + " of the " + speakName(row)
		} else if row != "" {
			name += " of the " + speakName(row)
		}
		if found[1] == "not true" {
			return "no " + name
		}
		return name
	})
	why = keysOf().ReplaceAllStringFunc(why, func(part string) string {
		found := keysOf().FindStringSubmatch(part)
		return " to be among the " + nameOf(found[2]) + ": " + found[1]
	})
	why = namedValue().ReplaceAllStringFunc(why, func(part string) string {
		found := namedValue().FindStringSubmatch(part)
		name := nameOf(found[2]) + strings.ReplaceAll(found[3], "_", " ")
		if found[1] != "" {
			name = "how many " + name
		}
		return "(" + name + ")"
	})
	return signs.Replace(unnamed.Replace(why))
}

// SpeakPaths says a message in which fields stand by their paths: "input.skill must be a key of character.skills" as "skill
// must be a key of skills".
func SpeakPaths(message string, t *say.Teller) string {
	message = strings.ReplaceAll(message, "must be a key of character.", "must be among character.")
	return paths().ReplaceAllStringFunc(message, t.Called)
}

// speakName is the last step of a path, with blanks: "attack value" for "input.strike.attack_value".
func speakName(path string) string {
	return strings.ReplaceAll(path[strings.LastIndexByte(path, '.')+1:], "_", " ")
}
