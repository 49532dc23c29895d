package lsp

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// runCase is the command of a lens at a case: it plays the case as it stands on the screen, and tells how it goes. Its
// arguments are the file, by its path from the root of the module, and the number of the case in it, from 1.
const runCase = "rules.runCase"

// caseLenses offer at each case of a file to run it, and say how it went last.
//
// A case that was never played, because it was added a moment ago, has the lens "run" and no
// verdict. Cases are found by file and name as they were played, so one whose number in the file
// moved shows the verdict of its neighbour until the next play.
func caseLenses(s *snapshot, file string) []codeLens {
	out := []codeLens{}
	p := s.playedRulesets[s.rulesetOfCase(file)]
	if p == nil {
		return out // nothing has been compiled to run it on
	}
	for i, c := range splitCases(s.text(file)) {
		name := caseName(file, i)
		title := "run"
		k := slices.IndexFunc(p.results, func(r *golden.Result) bool { return r.Case.File == file && r.Case.Name == name })
		switch {
		case k < 0:
		case p.results[k].Passed():
			title = "passed: run again"
		default:
			title = countProblems(p.results[k]) + ": run again"
		}
		at := s.spanAt(plan.Place{File: file, Line: max(c.ownerLine, c.first), Col: 1}, 0)
		out = append(out, codeLens{at, command{title, runCase, []any{file, strconv.Itoa(i + 1)}}})
	}
	return out
}

// caseName returns the name that package golden has for a case of a file, from 0.
func caseName(file string, index int) string {
	name := strings.TrimSuffix(path.Base(file), caseExtension)
	if index > 0 {
		name += "/" + strconv.Itoa(index+1)
	}
	return name
}

func countProblems(r *golden.Result) string {
	if len(r.Problems) == 1 {
		return "failed"
	}
	return fmt.Sprintf("failed in %d places", len(r.Problems))
}

// rulesetOfCase returns the ruleset that cases in the directory of a file are about; empty before it is known.
func (s *snapshot) rulesetOfCase(file string) string {
	for id := range s.playedRulesets {
		if s.homebrew || path.Dir(file) == s.casesDir(id) {
			return id
		}
	}
	return ""
}

// runOneCase plays a case as it stands on the screen.
func runOneCase(s *snapshot, p executeCommandParams) (*showMessageParams, error) {
	if len(p.Arguments) != 2 {
		return nil, newRefusal("%s has a file and the number of a case in it", runCase)
	}
	file := path.Clean(p.Arguments[0])
	last := s.playedRulesets[s.rulesetOfCase(file)]
	data, err := fs.ReadFile(s, file)
	n, notNumber := strconv.Atoi(p.Arguments[1])
	switch {
	case err != nil:
		return nil, newRefusal("there is no file %s", file)
	case last == nil:
		return nil, newRefusal("the ruleset of %s does not compile yet", file)
	}
	cases, err := golden.ParseAll(file, data, func(name string) ([]byte, error) {
		return fs.ReadFile(s, path.Join(path.Dir(file), name))
	})
	switch {
	case err != nil:
		return &showMessageParams{errorMessage, err.Error()}, nil
	case notNumber != nil || n < 1 || n > len(cases):
		return nil, newRefusal("%s has %d cases, and no case %s", file, len(cases), p.Arguments[1])
	}
	r := golden.Run(last.program, cases[n-1])
	if r.Passed() {
		return &showMessageParams{infoMessage, r.Case.Name + " passed"}, nil
	}
	text := r.Case.Name + " " + countProblems(r) + ":"
	for _, problem := range r.Problems {
		text += "\n" + problem.String()
	}
	return &showMessageParams{errorMessage, text}, nil
}

// differenceHints returns a hint beside each value that a case wants and does not get, with the value that came out.
func differenceHints(s *snapshot, file string) []inlayHint {
	var out []inlayHint
	p := s.playedRulesets[s.rulesetOfCase(file)]
	if p == nil {
		return nil
	}
	for _, r := range p.results {
		if r.Case.File != file {
			continue
		}
		for _, problem := range r.Problems {
			if problem.Got != "" && problem.Length > 0 {
				at := s.spanAt(plan.Place{File: file, Line: problem.Line, Col: problem.Col}, problem.Length).End
				out = append(out, inlayHint{at, "got " + problem.Got, problem.Msg, true})
			}
		}
	}
	return out
}
