package present

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// PrintReport prints the failing cases of a ruleset, or under verbose all of them, and then the gaps of the cases: a
// heading and a list for each kind of gap, so that a heading alone says which case to write next. Unless all are asked for,
// the first few of each kind stand for the others, which would push what matters off the screen; and while a case fails
// the gaps are counted alone: some are there because it fails, and it is to be mended first.
//
// The line with the counts comes last, where it stays on the screen when a hundred cases have failed above it.
func PrintReport(p *layout.Page, r *golden.Report, verbose, allGaps bool) {
	p.AddBlank()
	p.AddLine(0, "%s", p.Style(layout.Bold, r.Ruleset))
	for _, x := range r.Results {
		if verbose || !x.Passed() {
			PrintCaseResult(p, x)
		}
	}
	bad := len(r.Failed())
	switch {
	case verbose || allGaps:
		printGaps(p, r, math.MaxInt)
	case bad == 0:
		printGaps(p, r, fewGaps)
	default:
		printGaps(p, r, 0)
	}
	branches := ""
	if len(r.Branches) > 0 { // a release does not count them
		branches = fmt.Sprintf("; %d of %s taken", r.Taken(), plural.Of(len(r.Branches), "branch", "branches"))
	}
	unread := ""
	if r.Unread > 0 {
		unread = ", " + plural.Of(r.Unread, "file") + " not read"
	}
	p.AddLine(2, "%s passed, %d failed%s%s", plural.Of(len(r.Results)-bad, "case"), bad, unread, branches)
}

// fewGaps is how many gaps of a kind are printed where not all are asked for.
const fewGaps = 5

// printGaps prints what the cases leave open: at most so many gaps of each kind, or if none is to be printed how many there
// are.
func printGaps(p *layout.Page, r *golden.Report, most int) {
	gaps := []struct {
		heading string
		list    []string
	}{
		{"not listed among the statements", r.Unlisted},
		{"statements that no passing case shows", explainStatements(r)},
		{"examples that no passing case shows", r.Examples},
		{"tables that no passing case holds", r.Tables},
		{"branches that no case takes", untakenBranches(r)},
	}
	n := 0
	for _, gap := range gaps {
		if n += len(gap.list); most > 0 {
			printOpenList(p, gap.heading, gap.list, most)
		}
	}
	if most == 0 && n > 0 {
		p.AddLine(2, "%s that the cases leave open: shown once all pass, or with --complete", plural.Of(n, "gap"))
	}
}

// PrintCaseResult prints one case: its verdict first, in a column of its own, so that a glance finds the failures. Each
// problem has the place of the stated value.
func PrintCaseResult(p *layout.Page, x *golden.Result) {
	verdict := p.Style(layout.Faint, "ok  ")
	if !x.Passed() {
		verdict = p.Style(layout.Red, "FAIL")
	}
	p.AddLine(2, "%s  %s  %s", verdict, x.Case.Name, p.Style(layout.Faint, strings.Join(x.Case.Covers, " ")))
	for _, problem := range x.Problems {
		p.AddText(8, layout.Plain, fmt.Sprintf("%s:%v", x.Case.File, problem))
	}
}

// printOpenList prints a kind of gap that the cases leave, unless the list is empty: at most so many, and how many more
// there are.
func printOpenList(p *layout.Page, heading string, list []string, most int) {
	if len(list) == 0 {
		return
	}
	p.AddLine(2, "%s", p.Style(layout.Bold, heading))
	more := len(list) - most
	if more <= 1 { // a line that says so would take its place
		more = 0
	}
	for _, x := range list[:len(list)-more] {
		p.AddLine(4, "%s", x)
	}
	if more > 0 {
		p.AddLine(4, "%s", p.Style(layout.Faint, fmt.Sprintf("and %d more, with --complete", more)))
	}
}

// explainStatements returns the statements that no passing case shows. Where a passing case names one, the author
// believes it shown, so the missing part is added: the case must play a definition that covers the statement.
func explainStatements(r *golden.Report) []string {
	var out []string
	for _, id := range r.Statements {
		for _, x := range r.Results {
			if x.Passed() && slices.Contains(x.Case.Covers, id) {
				id += fmt.Sprintf(": %s names it, and nothing that it plays; write covers: [%q] there, in %s %s",
					x.Case.Name, id, x.Case.Kind, x.Case.Subject)
				break
			}
		}
		out = append(out, id)
	}
	return out
}

func untakenBranches(r *golden.Report) []string {
	var out []string
	for _, b := range openBranches(r) {
		out = append(out, diag.PlaceString(b.Place)+": "+b.Name+": "+b.What)
	}
	return out
}

// openBranches returns the branches that no case takes.
func openBranches(r *golden.Report) []golden.Branch {
	var out []golden.Branch
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

// ReportsJSON returns reports for tools. Lists are never null: a tool in any language can take
// their length without a test.
func ReportsJSON(reports []*golden.Report) []reportJSON {
	out := make([]reportJSON, len(reports))
	for i, r := range reports {
		x := reportJSON{Ruleset: r.Ruleset, Cases: []caseJSON{}, Unlisted: listed(r.Unlisted),
			Statements: listed(r.Statements),
			Examples:   listed(r.Examples), Tables: listed(r.Tables), Branches: []branchJSON{}, Taken: r.Taken()}
		for _, c := range r.Results {
			x.Cases = append(x.Cases,
				caseJSON{c.Case.Name, c.Case.File, listed(c.Case.Covers), c.Passed(), listed(c.Problems)})
		}
		for _, b := range openBranches(r) {
			x.Branches = append(x.Branches, branchJSON{diag.PlaceString(b.Place), b.Name, b.What})
		}
		out[i] = x
	}
	return out
}

// listed returns a list that JSON shows as [] when it is empty.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
