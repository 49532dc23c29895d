package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
)

func (s *settings) printReports(w io.Writer, f format, verbose bool, reports []*golden.Report) error {
	if f == asJSON {
		return printJSON(w, reportsJSON(reports))
	}
	p := s.page(w)
	for _, r := range reports {
		p.report(r, verbose)
	}
	return p.flush(w)
}

// report adds the cases of a ruleset that fail, or under verbose all, then what they leave open.
func (p *page) report(r *golden.Report, verbose bool) {
	p.blank()
	p.line(0, "%s", p.in(bold, r.Ruleset))
	for _, x := range r.Results {
		if verbose || !x.Passed() {
			p.result(x)
		}
	}
	p.open("not listed among the statements", r.Unlisted)
	p.open("statements that no passing case shows", r.Statements)
	p.open("examples that no passing case shows", r.Examples)
	p.open("tables that no passing case holds", r.Tables)
	p.open("branches that no case takes", untaken(r))
	bad := len(r.Failed())
	p.line(2, "%d cases passed, %d failed; %d of %d branches taken", len(r.Results)-bad, bad, r.Taken(), len(r.Branches))
}

func (p *page) result(x *golden.Result) {
	verdict := p.in(faint, "ok  ")
	if !x.Passed() {
		verdict = p.in(red, "FAIL")
	}
	p.line(2, "%s  %s  %s", verdict, x.Case.Name, p.in(faint, strings.Join(x.Case.Covers, " ")))
	for _, problem := range x.Problems {
		p.text(8, plain, fmt.Sprintf("%s:%v", x.Case.File, problem))
	}
}

// open adds what cases leave open, unless it is nothing.
func (p *page) open(heading string, list []string) {
	if len(list) == 0 {
		return
	}
	p.line(2, "%s", p.in(bold, heading))
	for _, x := range list {
		p.line(4, "%s", x)
	}
}

func untaken(r *golden.Report) []string {
	var out []string
	for _, b := range openBranches(r) {
		out = append(out, diag.PlaceString(b.Place)+": "+b.Name+": "+b.What)
	}
	return out
}

func openBranches(r *golden.Report) []runtime.Taken {
	var out []runtime.Taken
	for _, b := range r.Branches {
		if b.Times == 0 {
			out = append(out, b)
		}
	}
	return out
}

// A reportJSON is a report for tools.
type reportJSON struct {
	Ruleset    string       `json:"ruleset"`
	Cases      []caseJSON   `json:"cases"`
	Unlisted   []string     `json:"unlisted"`   // what is covered and does not stand among the statements
	Statements []string     `json:"statements"` // that no passing case shows
	Examples   []string     `json:"examples"`   // that no passing case shows
	Tables     []string     `json:"tables"`     // that no passing case holds
	Branches   []branchJSON `json:"branches"`   // that no case takes
	Taken      int          `json:"taken"`      // how many branches cases take
}

type caseJSON struct {
	Name     string           `json:"name"`
	File     string           `json:"file"`
	Covers   []string         `json:"covers"`
	Passed   bool             `json:"passed"`
	Problems []golden.Problem `json:"problems"`
}

type branchJSON struct {
	Place string `json:"place"`
	Name  string `json:"name"`
	What  string `json:"what"`
}

func reportsJSON(reports []*golden.Report) []reportJSON {
	out := make([]reportJSON, len(reports))
	for i, r := range reports {
		x := reportJSON{Ruleset: r.Ruleset, Cases: []caseJSON{}, Unlisted: listed(r.Unlisted), Statements: listed(r.Statements),
			Examples: listed(r.Examples), Tables: listed(r.Tables), Branches: []branchJSON{}, Taken: r.Taken()}
		for _, c := range r.Results {
			x.Cases = append(x.Cases, caseJSON{c.Case.Name, c.Case.File, listed(c.Case.Covers), c.Passed(), listed(c.Problems)})
		}
		for _, b := range openBranches(r) {
			x.Branches = append(x.Branches, branchJSON{diag.PlaceString(b.Place), b.Name, b.What})
		}
		out[i] = x
	}
	return out
}

// listed is a list that JSON shows as [] when it is empty.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
