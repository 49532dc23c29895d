package diag

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// One slip makes many problems: when `+"`table: weapon`"+` stands for `+"`tables: weapon`"+`, every formula that reads
// the table is wrong too, and the author must find the one line among them that is to be mended. The phases go on after a
// problem, so that independent slips are all reported; so what follows from another problem has to be left out
// afterwards. A problem says which names it Breaks, and a problem that is about such a name follows from it. Three
// more rules need no names: a problem with what a definition contains follows from a misspelt part of the same definition,
// a value that is "not written out" follows from a conflict at the same place, and the end of a file comes too early after
// an error of its syntax.
//
// Leaving out too much is the lesser evil: what is independent after all is reported when the cause is mended. Nothing is
// left out without an error that stays, so a compilation fails as before.

// consequenceCodes are the kinds of problems that a misspelt part of a definition may cause in the definition itself.
var consequenceCodes = []Code{
	"die-faces", "missing-field", "table-empty", "table-kind", "type", "unknown-column", "unknown-member", "unknown-name",
	"unknown-output",
	"missing-input", "otherwise-missing", "choice-open",
	"open-type", "unused", "unused-input", "unused-option", "echo", "state-unset", "needless-has", "unguarded",
}

// twiceCodes are the kinds of problems that a definition has which is written twice: each part of it has two values.
var twiceCodes = []Code{"cue-conflict", "name-taken"}

// valueCodes are the kinds of problems of a value that a conflict causes.
var valueCodes = []Code{"not-concrete", "not-text", "wrong-type", "table-type"}

// unreadCodes are what CUE and the reader of types say of one expression; who of them says what to write is heard.
var unreadCodes = []Code{"cue-conflict", "cannot-lower"}

// withoutConsequences returns the diagnostics that follow from no other.
func withoutConsequences(all []Diagnostic) []Diagnostic {
	var causes []*Diagnostic
	conflicts := map[plan.Place]bool{}
	advised := map[plan.Place]Code{} // the values for which one of the two codes of wrong values says what to write
	malformed := map[string]bool{}   // files with an error of syntax before their end
	for i := range all {
		d := &all[i]
		if len(d.Breaks) > 0 {
			causes = append(causes, d)
		}
		if d.Code == "cue-syntax" && !d.isAtEnd() {
			malformed[d.Place.File] = true
		}
		if slices.Contains(unreadCodes, d.Code) && d.Repair != "" {
			advised[d.Place] = d.Code
		}
		if d.Code == "cue-conflict" {
			conflicts[d.Place] = true
			for _, r := range d.Related {
				conflicts[r.Place] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(d Diagnostic) bool {
		if d.Code == "trial-failure" && isExplained(&d, all) {
			return true
		}
		if slices.Contains(valueCodes, d.Code) && conflicts[d.Place] {
			return true
		}
		if d.Code == "dice-data" && slices.ContainsFunc(d.Related, func(r Related) bool { return conflicts[r.Place] }) {
			return true // the dice are those of a cell that has two values
		}
		if d.Code == "cue-conflict" && slices.ContainsFunc(all,
			func(other Diagnostic) bool { return d.isPastedWith(&other) }) {
			return true
		}
		if (d.Code == "overlay-field" || d.Code == "missing-cite") && slices.ContainsFunc(all, func(other Diagnostic) bool {
			return other.Code == "overlay-silent" && other.Place == d.Place
		}) {
			return true // it is the ruleset's already, with its default and its cite
		}
		if d.Code == "open-key" && slices.ContainsFunc(all, func(other Diagnostic) bool {
			isOnLine := func(r Related) bool { return r.Place.File == other.Place.File && r.Place.Line == other.Place.Line }
			return other.Code == "unread-attribute" && slices.ContainsFunc(d.Related, isOnLine)
		}) {
			return true // the attribute that is misspelt says of which table the field is a key
		}
		if code := advised[d.Place]; slices.Contains(unreadCodes, d.Code) && code != "" &&
			code != d.Code && d.Repair == "" {
			return true
		}
		if d.isAtEnd() && malformed[d.Place.File] {
			return true
		}
		return slices.ContainsFunc(causes, func(cause *Diagnostic) bool { return d.followsFrom(cause) })
	})
}

// isPastedWith reports whether a conflict is of the same two lines as another one before it on its line: the whole line
// stands twice, and each of its fields has two values.
func (d *Diagnostic) isPastedWith(other *Diagnostic) bool {
	isOnLineOf := func(p, q plan.Place) bool { return p.File == q.File && p.Line == q.Line }
	return other.Code == d.Code && other.Repair == d.Repair && len(d.Related) == 1 && len(other.Related) == 1 &&
		isOnLineOf(d.Place, other.Place) && isOnLineOf(d.Related[0].Place, other.Related[0].Place) &&
		other.Place.Col < d.Place.Col
}

// isExplained reports whether something else than a trial's failure is said of its line, or of something about which it is
// told there: that a table has no such row says more than that a trial has looked for it.
func isExplained(failure *Diagnostic, all []Diagnostic) bool {
	isThere := func(p plan.Place) bool { return p.File == failure.Place.File && p.Line == failure.Place.Line }
	return slices.ContainsFunc(all, func(d Diagnostic) bool {
		return d.Code != failure.Code && (isThere(d.Place) ||
			slices.ContainsFunc(d.Related, func(r Related) bool { return isThere(r.Place) }))
	})
}

// isAtEnd reports whether a problem is that a file ends too early, as CUE says it.
func (d *Diagnostic) isAtEnd() bool {
	return d.Code == "cue-syntax" && strings.HasSuffix(d.Message, "found 'EOF'")
}

// followsFrom reports whether a problem would not be there without a cause that breaks names.
func (d *Diagnostic) followsFrom(cause *Diagnostic) bool {
	if d.Code == "table-empty" && cause.Code == "unknown-field" && d.Subject == cause.Subject {
		return true // whose columns, or rows, stand in the unknown field, although it breaks names itself
	}
	if len(d.Breaks) > 0 {
		return false
	}
	if d.Missing != "" && slices.Contains(cause.Breaks, d.Missing) {
		return true
	}
	own := definitionOf(cause.Subject)
	if cause.Code == "duplicate-id" && own == definitionOf(d.Subject) && slices.Contains(twiceCodes, d.Code) {
		return true
	}
	return own != "" && definitionOf(d.Subject) == own && slices.Contains(consequenceCodes, d.Code)
}

// definitionOf returns the definition that a subject belongs to: "rule strike" of "rule strike, output harm".
func definitionOf(subject string) string {
	definition, _, _ := strings.Cut(subject, ",")
	return definition
}
