// Package diag is what the compiler has to say to an author: diagnostics, collected and sorted by place, each of a kind
// that has a stable code. It imports nothing of the compiler.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Code names a kind of problem. Codes are stable: scripts and allowances refer to them.
type Code string

// Severity says what a diagnostic does to the compilation.
type Severity uint8

// The severities.
const (
	Error Severity = iota // nothing is built
	Warn                  // built, reported, and exit status 1 under vet
	Note                  // reported under --strict only
)

var severityNames = [...]string{Error: "error", Warn: "warning", Note: "note"}

// A Diagnostic is one problem at one place.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Place    plan.Place
	Subject  string // the definition and its part, from the outside in: "rule test, output success"
	Message  string // what is wrong, with the offending text; lower case, no full stop
	Repair   string // what to do, when it is known: "did you mean ..."
	Related  []Related
	Missing  string   // the name that is unknown, or whose meaning the problem is about
	Breaks   []string // names that mean nothing, or something else, until this problem is mended: see List.Sorted
	Lacks    Lack     // the part of a table that would answer the problem; zero for none
}

// A Lack is a row or a column that a table does not have: either Row or Column is set.
type Lack struct{ Table, Row, Column string }

// Related is another place that has to do with the problem.
type Related struct {
	Place   plan.Place
	Message string
}

// About says which name is unknown, or which definition the problem is about, and returns the diagnostic.
func (d *Diagnostic) About(name string) *Diagnostic {
	d.Missing = name
	return d
}

// IsWithin reports whether the problem is of a definition, or a part of it.
func (d *Diagnostic) IsWithin(subject string) bool {
	return d.Subject == subject || strings.HasPrefix(d.Subject, subject+",")
}

// PlaceString prints a place as file:line:column.
func PlaceString(p plan.Place) string {
	switch {
	case p.File == "":
		return "-"
	case p.Line == 0:
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// String returns "place: subject: message [code]" or, for a warning or a note, "[code, warning]"; the repair and the
// related places stand on further, indented lines.
func (d *Diagnostic) String() string {
	var b strings.Builder
	b.WriteString(PlaceString(d.Place) + ": ")
	if d.Subject != "" {
		b.WriteString(d.Subject + ": ")
	}
	fmt.Fprintf(&b, "%s [%s", d.Message, d.Code)
	if d.Severity != Error {
		b.WriteString(", " + severityNames[d.Severity])
	}
	b.WriteByte(']')
	if d.Repair != "" {
		b.WriteString("\n    " + d.Repair)
	}
	for _, r := range d.Related {
		fmt.Fprintf(&b, "\n    %s: %s", PlaceString(r.Place), r.Message)
	}
	return b.String()
}

// A List collects diagnostics. The zero List is empty and ready to use.
type List struct {
	all []Diagnostic
}

// Add adds a diagnostic; its severity is the one of its code's entry.
func (l *List) Add(d Diagnostic) *Diagnostic {
	d.Severity = Entry(d.Code).Severity
	l.all = append(l.all, d)
	return &l.all[len(l.all)-1]
}

// Addf adds a diagnostic with a formatted message.
func (l *List) Addf(code Code, at plan.Place, subject, format string, args ...any) *Diagnostic {
	return l.Add(Diagnostic{Code: code, Place: at, Subject: subject, Message: fmt.Sprintf(format, args...)})
}

// HasAt reports whether something is said of a place already.
func (l *List) HasAt(at plan.Place) bool {
	return slices.ContainsFunc(l.all, func(d Diagnostic) bool { return d.Place == at })
}

// HasMessage reports whether a message has been said of a file already.
func (l *List) HasMessage(file, message string) bool {
	return slices.ContainsFunc(l.all, func(d Diagnostic) bool { return d.Place.File == file && d.Message == message })
}

// Join adds the diagnostics of another list.
func (l *List) Join(other *List) { l.all = append(l.all, other.all...) }

// Relate adds a cause to the problems of some codes that are told in other files than it stands in.
func (l *List) Relate(cause Related, codes ...Code) {
	for i := range l.all {
		if d := &l.all[i]; d.Place.File != cause.Place.File && slices.Contains(codes, d.Code) {
			d.Related = append(d.Related, cause)
		}
	}
}

// Sorted returns the diagnostics by place, then code, each once, without those that follow from others.
func (l *List) Sorted() []Diagnostic {
	out := withoutConsequences(l.all)
	slices.SortStableFunc(out, func(a, b Diagnostic) int {
		return cmp.Or(
			strings.Compare(a.Place.File, b.Place.File),
			cmp.Compare(a.Place.Line, b.Place.Line),
			cmp.Compare(a.Place.Col, b.Place.Col),
			strings.Compare(string(a.Code), string(b.Code)),
			strings.Compare(a.Message, b.Message))
	})
	return slices.CompactFunc(out, func(a, b Diagnostic) bool {
		return a.Place == b.Place && a.Code == b.Code && a.Message == b.Message
	})
}

// Failed reports whether any diagnostic is an error.
func (l *List) Failed() bool {
	return slices.ContainsFunc(l.all, func(d Diagnostic) bool { return d.Severity == Error })
}

// Empty reports whether nothing was said.
func (l *List) Empty() bool { return len(l.all) == 0 }

// Err is nil when nothing failed, else an Errors with all diagnostics.
func (l *List) Err() error {
	if !l.Failed() {
		return nil
	}
	return &Errors{List: l.Sorted()}
}

// Errors is a failed compilation.
type Errors struct {
	List []Diagnostic
}

// Error prints every diagnostic on lines of its own.
func (e *Errors) Error() string {
	var lines []string
	for i := range e.List {
		if e.List[i].Severity != Note { // which has nothing to do with the failure
			lines = append(lines, e.List[i].String())
		}
	}
	return strings.Join(lines, "\n")
}
