package golden

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// A Report is what the cases of a ruleset show, and what they leave open.
//
// What is left open is told in ids and places, and a heading for each kind is the next thing to
// write. A number alone ("97 % covered") would invite to write the easiest case.
type Report struct {
	Ruleset string
	Program *runtime.Program // on which the cases were played
	Results []*Result
	Unread  int // files whose cases could not be read
	// what definitions and cases cover and the list of statements does not have: "rule leap covers x"
	Unlisted   []string
	Statements []string // carried out by a definition, but by none that a passing case which names them evaluates
	Examples   []string // of the book that no passing case shows
	Tables     []string // that no passing case holds
	Branches   []Branch // all branches, by place; a branch that no case takes has Times 0
}

// A Branch is one of a formula, and how often evaluations of the cases went that way.
type Branch struct {
	plan.Branch
	Times int64
}

// Test plays cases on a plan that is lowered for coverage. Statements are those of the book; when there is no list of
// them, nil, they are those that the definitions cover.
func Test(p *plan.Plan, cases []*Case, statements []Statement) *Report {
	program := runtime.New(p)
	out := &Report{Ruleset: p.Ruleset, Program: program}
	for _, c := range cases {
		out.Results = append(out.Results, Run(program, c))
	}
	for b, times := range program.Coverage() {
		out.Branches = append(out.Branches, Branch{b, times})
	}
	out.Tables = out.openTables(p)
	out.Statements = out.openStatements(p, statements)
	out.Examples = out.openExamples(p, statements)
	out.Unlisted = out.findUnlisted(p, statements)
	return out
}

// Complete reports whether everything is listed, and cases leave nothing open.
func (r *Report) Complete() bool {
	return len(r.Unlisted)+len(r.Statements)+len(r.Examples)+len(r.Tables) == 0 && r.Taken() == len(r.Branches)
}

// WithUnread returns the report beside so many files that could not be read, without the definitions that cases leave open:
// those files may hold them.
func (r *Report) WithUnread(files int) *Report {
	r.Unread = files
	r.Unlisted, r.Statements, r.Examples, r.Tables = nil, nil, nil, nil
	if r.Taken() < len(r.Branches) {
		r.Branches = nil
	}
	return r
}

// Of returns the report with only those open definitions that the last homebrew of a plan brings: the tables that it adds
// or changes, the statements that its own definitions carry out, and the branches in its files.
//
// A homebrew is judged by its own additions. The ruleset below it has cases of its own elsewhere, and asking for them again
// here would bury the three lines that its author can do something about.
func (r *Report) Of(p *plan.Plan, isOwn func(file string) bool) *Report {
	last := p.Overlays[len(p.Overlays)-1]
	var own []plan.Entry
	for _, e := range p.Entries {
		if slices.Contains(e.Overlays, last) {
			own = append(own, e)
		}
	}
	has := func(is func(plan.Entry) bool) bool { return slices.ContainsFunc(own, is) }
	r.Tables = slices.DeleteFunc(r.Tables, func(id string) bool {
		return !has(func(e plan.Entry) bool { return e.Kind == plan.TableEntry && e.ID == id })
	})
	r.Statements = slices.DeleteFunc(r.Statements, func(id string) bool {
		return !has(func(e plan.Entry) bool { return isOwn(e.Place.File) && slices.Contains(e.Covers, id) })
	})
	r.Branches = slices.DeleteFunc(r.Branches, func(b Branch) bool { return !isOwn(b.Place.File) })
	return r
}

// Failed returns the results of the cases that did not pass.
func (r *Report) Failed() []*Result {
	return slices.DeleteFunc(slices.Clone(r.Results), (*Result).Passed)
}

// Taken counts the branches that cases take.
func (r *Report) Taken() int {
	n := 0
	for _, b := range r.Branches {
		if b.Times > 0 {
			n++
		}
	}
	return n
}

func (r *Report) openTables(p *plan.Plan) []string {
	held := map[string]bool{}
	for _, x := range r.Results {
		if x.Case.Kind == TableCase && x.Passed() {
			held[x.Case.Subject] = true
		}
	}
	var out []string
	for _, t := range p.Tables {
		if !held[t.ID] && !t.IsDerived() {
			out = append(out, t.ID)
		}
	}
	return out
}

func (r *Report) openStatements(p *plan.Plan, statements []Statement) []string {
	shown := r.shown(p)
	var out []string
	for _, id := range expected(p, statements) {
		if !shown[id] {
			out = append(out, id)
		}
	}
	return out
}

// openExamples returns the examples that no passing case shows, and the statements about odds that no passing case of odds
// does. A case shows an example when it names it and evaluates a definition that the example is about. Naming an example is
// not enough, or a list of ids in any case would hold them all: the case must evaluate something that has to do with the
// heading under which the example stands (examples.go).
func (r *Report) openExamples(p *plan.Plan, statements []Statement) []string {
	about, reached := newExampleSubjects(statements), NewDefinitions(p)
	named, odds := map[string]bool{}, map[string]bool{}
	for _, x := range r.Results {
		if !x.Passed() {
			continue
		}
		var entries []*plan.Entry
		for _, id := range x.Case.Covers {
			if entries == nil {
				entries = reached.ReachedBy(x.Case)
			}
			named[id] = named[id] || about.isShownBy(id, entries)
			odds[id] = odds[id] || x.Case.Kind == OddsCase
		}
	}
	var out []string
	for _, s := range statements {
		if s.Example && !named[s.ID] || s.Kind == "odds" && !odds[s.ID] {
			out = append(out, s.ID)
		}
	}
	return out
}

// findUnlisted finds, where there is a list of statements, the ids that are covered and do not stand in it.
func (r *Report) findUnlisted(p *plan.Plan, statements []Statement) []string {
	if statements == nil {
		return nil
	}
	var known []string
	for _, s := range statements {
		known = append(known, s.ID)
	}
	var out []string
	note := func(who, id string) {
		if !slices.Contains(known, id) {
			out = append(out, who+" covers "+id+meant(id, known))
		}
	}
	for _, e := range p.Entries {
		for _, id := range e.Covers {
			note(e.ID, id)
		}
	}
	for _, x := range r.Results {
		for i, id := range x.Case.Covers {
			note(fmt.Sprintf("%s:%d:", x.Case.File, x.Case.coverLines[i]), id)
		}
	}
	return out
}

// meant says which name may be meant by one that is not known.
func meant(name string, known []string) string {
	near := spell.Nearest(name, known)
	if i := slices.IndexFunc(known, func(k string) bool { return strings.HasSuffix(k, "."+name) }); i >= 0 {
		near = known[i]
	}
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q", near)
}

// shown returns the statements that a passing case names, and that a definition covers which it evaluates.
func (r *Report) shown(p *plan.Plan) map[string]bool {
	d := NewDefinitions(p)
	out := map[string]bool{}
	for _, x := range r.Results {
		if !x.Passed() {
			continue
		}
		for _, e := range d.ReachedBy(x.Case) {
			for _, id := range e.Covers {
				out[id] = out[id] || slices.Contains(x.Case.Covers, id)
			}
		}
	}
	return out
}

// expected returns the ids of the statements that definitions carry out.
func expected(p *plan.Plan, statements []Statement) []string {
	if statements == nil {
		return covered(p)
	}
	var out []string
	for _, s := range statements {
		if !s.Example && s.Kind == "" {
			out = append(out, s.ID)
		}
	}
	return out
}

// covered returns the ids that the definitions of a plan cover, sorted.
func covered(p *plan.Plan) []string {
	ids := map[string]bool{}
	for _, e := range p.Entries {
		for _, id := range e.Covers {
			ids[id] = true
		}
	}
	return slices.Sorted(maps.Keys(ids))
}
