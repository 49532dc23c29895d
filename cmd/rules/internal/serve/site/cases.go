package site

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/scorecard"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/mutants"
)

// A casesPage says of each definition which cases hold it, which of its branches they take, and which changes of it they
// notice.
type casesPage struct {
	page
	Error    string
	Cases    int
	Failed   []failedView
	Taken    string // "130 of 130 branches"
	Open     []openView
	Score    *scoreView // nil when it was never measured
	Chapters []*chapterCases
}

type failedView struct {
	Name     string
	Problems []string
}

// An openView is a kind of thing that no case shows, and which of it.
type openView struct {
	What  string
	Names []string
}

type scoreView struct {
	Text  string
	Stale bool
}

type chapterCases struct {
	Title string
	Rows  []*caseRow
}

// IsHeld reports whether there is anything to say of a definition of the chapter.
func (c *chapterCases) IsHeld() bool { return slices.ContainsFunc(c.Rows, (*caseRow).IsHeld) }

// A caseRow is a definition with what holds it.
type caseRow struct {
	Kind, ID, Link   string
	Cases            []string // that are about it
	Taken, Branches  int
	Untaken          []string
	Noticed, Mutants int
	Survived         []string
}

// IsHeld reports whether there is anything to say of the definition.
func (r *caseRow) IsHeld() bool { return len(r.Cases)+r.Branches+r.Mutants > 0 }

// showCases shows how well the cases hold a ruleset.
func (s *server) showCases(w http.ResponseWriter, r *http.Request) {
	e, b, err := s.book(r)
	if err != nil {
		s.writeError(w, r, http.StatusNotFound, err)
		return
	}
	v := casesPage{page: s.newPage("Cases, "+b.Title, 1)}
	v.Book = b
	switch report, err := s.examine(e); {
	case err != nil:
		v.Error = wordError(err)
	case report == nil:
		v.Error = "these rules are served without their sources, and so without the cases that hold them"
	default:
		v.fill(b, report)
		v.addScore(s.Workshop.LastScore(e.Plan.Ruleset))
	}
	s.write(w, http.StatusOK, "cases", v)
}

// examine returns the report on the cases of an edition; nil when its sources are not there. It is
// kept as long as the shelf, because it compiles the ruleset once more and plays all of its cases.
func (s *server) examine(e *library.Edition) (*golden.Report, error) {
	if s.Workshop == nil || e.Files == nil {
		return nil, nil
	}
	return s.reports.find(s.library.Shelf(), e.Plan.Ruleset,
		func() (*golden.Report, error) { return s.Workshop.Examine(e.Plan.Ruleset) })
}

// fill sorts a report by the definitions of the book.
//
// The text of a branch or mutant begins with the kind and id of its definition (definitionOf), which is how it finds
// its row.
func (v *casesPage) fill(b *bookView, report *golden.Report) {
	rows := map[string]*caseRow{}
	for _, c := range b.Chapters {
		chapter := &chapterCases{Title: c.Title}
		for _, d := range c.Definitions {
			row := &caseRow{Kind: d.Kind, ID: d.ID, Link: d.Link}
			rows[d.Kind+" "+d.ID] = row
			chapter.Rows = append(chapter.Rows, row)
		}
		v.Chapters = append(v.Chapters, chapter)
	}
	v.Cases = len(report.Results)
	for _, x := range report.Results {
		// A case of odds is about a rule under another kind, and has no row.
		if row := rows[string(x.Case.Kind)+" "+x.Case.Subject]; row != nil {
			row.Cases = append(row.Cases, x.Case.Name)
		}
	}
	for _, x := range report.Failed() {
		failed := failedView{Name: x.Case.File}
		for _, p := range x.Problems {
			failed.Problems = append(failed.Problems, p.String())
		}
		v.Failed = append(v.Failed, failed)
	}
	for _, branch := range report.Branches {
		if row := rows[definitionOf(branch.Name)]; row != nil {
			row.Branches++
			if branch.Times > 0 {
				row.Taken++
			} else {
				row.Untaken = append(row.Untaken, branch.Name+": "+branch.What)
			}
		}
	}
	v.Taken = fmt.Sprintf("%d of %d branches are taken", report.Taken(), len(report.Branches))
	for _, open := range []openView{{"statements of the book", report.Statements},
		{"examples of the book", report.Examples},
		{"tables", report.Tables}} {
		if len(open.Names) > 0 {
			v.Open = append(v.Open, open)
		}
	}
}

// definitionOf returns the kind and the id of a definition, which the name of a part of it begins
// with: "rule test" of "rule test, let hard".
func definitionOf(part string) string {
	fields := strings.Fields(part)
	if len(fields) < 2 {
		return part
	}
	return fields[0] + " " + strings.TrimRight(fields[1], ",:")
}

// addScore adds the counts of each definition's mutants, when they were measured.
//
// A report that another version of the program wrote may not be readable any more. Its numbers are in the card and
// still are.
func (v *casesPage) addScore(card *scorecard.Card, stale bool) {
	if card == nil {
		return
	}
	v.Score = &scoreView{fmt.Sprintf("%d of %d changes of the rules are noticed, %d are excused, %d survive; measured %s",
		card.Noticed, card.Mutants, card.Excused, card.Survived, card.Measured.Format(time.DateOnly)), stale}
	var reports []struct {
		Mutants []struct {
			What, Was, Now string
			Outcome        mutants.Outcome
		}
	}
	if json.Unmarshal(card.Report, &reports) != nil {
		return // of another version of the program: the numbers above are what is known
	}
	rows := map[string]*caseRow{}
	for _, c := range v.Chapters {
		for _, row := range c.Rows {
			rows[row.Kind+" "+row.ID] = row
		}
	}
	for _, r := range reports {
		for _, m := range r.Mutants {
			row := rows[definitionOf(m.What)]
			// No case can notice a change that changes no answer.
			if row == nil || m.Outcome == mutants.Equivalent {
				continue
			}
			row.Mutants++
			switch m.Outcome {
			case mutants.Noticed, mutants.Refused:
				row.Noticed++
			case mutants.Survived:
				row.Survived = append(row.Survived, m.What+": "+m.Was+" → "+m.Now)
			}
		}
	}
}
