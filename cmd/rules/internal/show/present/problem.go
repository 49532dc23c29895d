package present

import (
	"github.com/tabletop-rules/rules/compiler/diag"
)

// SeverityNames are the severities as tools call them.
var SeverityNames = [...]string{diag.Error: "error", diag.Warn: "warning", diag.Note: "note"}

// A Problem is a diagnostic for tools.
// Its members are read by programs: a member may be added, and none renamed or removed.
type Problem struct {
	Code     string    `json:"code"`
	Severity string    `json:"severity"`
	File     string    `json:"file"`
	Line     int       `json:"line"`
	Column   int       `json:"column"` // in code points, from 1
	Subject  string    `json:"subject,omitempty"`
	Message  string    `json:"message"`
	Repair   string    `json:"repair,omitempty"`
	Related  []related `json:"related,omitempty"`
}

type related struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// ProblemsOf returns diagnostics for tools; the list is never null.
func ProblemsOf(diags []diag.Diagnostic) []Problem {
	out := []Problem{}
	for i := range diags {
		d := &diags[i]
		p := Problem{
			Code: string(d.Code), Severity: SeverityNames[d.Severity],
			File: d.Place.File, Line: d.Place.Line, Column: d.Place.Col,
			Subject: d.Subject, Message: d.Message, Repair: d.Repair,
		}
		for _, r := range d.Related {
			p.Related = append(p.Related, related{r.Place.File, r.Place.Line, r.Place.Col, r.Message})
		}
		out = append(out, p)
	}
	return out
}
