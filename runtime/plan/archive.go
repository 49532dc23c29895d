package plan

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// An Archive is a plan file or a release file that has been opened: its directory has been read. Parts are read, compared
// with their digests and verified when they are asked for. It serves one goroutine at a time.
type Archive struct {
	release  Release // its plan, as far as it has been read
	sections []section
	parts    []filed // of each section; then the words
}

// A filed part lies in a file.
type filed struct {
	Part
	data []byte
}

// Open opens a plan file or a release file. Its errors are ErrNotPlan, *VersionError, ErrDamaged, or say what is malformed.
func Open(file []byte) (*Archive, error) {
	magic := magicOf(file)
	if magic == "" {
		return nil, ErrNotPlan
	}
	directory, rest, err := split(magic, file)
	if err != nil {
		return nil, err
	}
	a := &Archive{}
	if a.parts, err = cut(directory, rest); err != nil {
		return nil, err
	}
	a.release.Plan = outline(a.parts)
	a.sections = a.release.Plan.sections()
	if magic == releaseMagic {
		a.sections = a.release.sections()
	}
	return a, a.compare()
}

// cut reads a directory, and cuts the parts out of what stands behind it.
func cut(directory, rest []byte) ([]filed, error) {
	c := newReader(directory)
	var out []filed
	list(c, &out, func(f *filed) { c.part(&f.Part) })
	if err := c.end("the directory"); err != nil {
		return nil, err
	}
	for i := range out {
		f := &out[i]
		if f.Size < 0 || f.Size > len(rest) {
			return nil, fmt.Errorf("%w (part %s)", ErrDamaged, f.Name)
		}
		f.data, rest = rest[:f.Size], rest[f.Size:]
	}
	if len(rest) > 0 {
		return nil, malformed("%d bytes are left over", len(rest))
	}
	return out, nil
}

// outline is a plan of which nothing is known but what its rules and procedures are called.
func outline(parts []filed) *Plan {
	p := &Plan{}
	for i := range parts {
		if id, ok := strings.CutPrefix(parts[i].Name, ruleName); ok {
			p.Rules = append(p.Rules, Rule{ID: id})
		}
		if id, ok := strings.CutPrefix(parts[i].Name, procedureName); ok {
			p.Procedures = append(p.Procedures, Procedure{ID: id})
		}
	}
	return p
}

// compare checks that the parts are those that a file of these rules and procedures has, in their order: with words, or
// without.
func (a *Archive) compare() error {
	var want []string
	for _, s := range a.sections {
		want = append(want, s.name)
	}
	if len(a.parts) != len(want) {
		for _, s := range a.bodies() {
			want = append(want, wordsName+s.name)
		}
	}
	if len(a.parts) != len(want) {
		return malformed("it has %d parts, not %d", len(a.parts), len(want))
	}
	for i := range want {
		if a.parts[i].Name != want[i] {
			return malformed("part %d is %q, not %q", i+1, a.parts[i].Name, want[i])
		}
	}
	return nil
}

// bodies are the sections of rules and procedures.
func (a *Archive) bodies() []section {
	p := a.release.Plan
	return a.sections[common:][:len(p.Rules)+len(p.Procedures)]
}

// read reads sections.
func (a *Archive) read(from, to int) error {
	for i, s := range a.sections[from:to] {
		if err := a.parts[from+i].read(s.code); err != nil {
			return err
		}
	}
	return nil
}

// read reads a part, once it is what its digest says.
func (f *filed) read(code func(*codec)) error {
	if sha256.Sum256(f.data) != f.Digest {
		return fmt.Errorf("%w (part %s)", ErrDamaged, f.Name)
	}
	c := newReader(f.data)
	code(c)
	return c.end("part " + f.Name)
}

// Outline reads what all rules need, and gives a plan of whose rules and procedures nothing is known but their ids. What
// else is asked for is read into it.
func (a *Archive) Outline() (*Plan, error) {
	p := a.release.Plan
	if err := a.read(0, common); err != nil {
		return nil, err
	}
	return p, verified(p, (*verifier).outline)
}

// Rule reads the i-th rule. The outline has been read.
func (a *Archive) Rule(i int) (*Rule, error) {
	p := a.release.Plan
	if err := a.read(common+i, common+i+1); err != nil {
		return nil, err
	}
	return &p.Rules[i], verified(p, func(v *verifier) { v.rule(&p.Rules[i]) })
}

// Procedure reads the i-th procedure. The outline has been read.
func (a *Archive) Procedure(i int) (*Procedure, error) {
	p := a.release.Plan
	at := common + len(p.Rules) + i
	if err := a.read(at, at+1); err != nil {
		return nil, err
	}
	return &p.Procedures[i], verified(p, func(v *verifier) { v.procedure(&p.Procedures[i]) })
}

// RuleWords reads the words of the i-th rule; nil when the file has none.
func (a *Archive) RuleWords(i int) ([][]int64, error) { return a.words(i) }

// ProcedureWords reads the words of the steps of the i-th procedure, in the order of Bodies; nil when the file has none.
func (a *Archive) ProcedureWords(i int) ([][]int64, error) {
	return a.words(len(a.release.Plan.Rules) + i)
}

func (a *Archive) words(body int) (out [][]int64, err error) {
	if len(a.parts) == len(a.sections) {
		return nil, nil
	}
	err = a.parts[len(a.sections)+body].read(func(c *codec) {
		list(c, &out, func(words *[]int64) { numbers(c, words) })
	})
	return out, err
}

// Rest reads what is in no outline, rule or procedure: the citations of a plan, what a release says besides.
func (a *Archive) Rest() error {
	return a.read(common+len(a.bodies()), len(a.sections))
}

// all reads everything, and verifies it.
func (a *Archive) all() (*Release, error) {
	if err := a.read(0, len(a.sections)); err != nil {
		return nil, err
	}
	for i := range a.bodies() {
		if _, err := a.words(i); err != nil {
			return nil, err
		}
	}
	return &a.release, verified(a.release.Plan, (*verifier).plan)
}

// Read reads a plan file, or the plan in a release file, and verifies what it holds. Its errors are those of Open.
func Read(file []byte) (*Plan, error) {
	a, err := Open(file)
	if err != nil {
		return nil, err
	}
	r, err := a.all()
	if err != nil {
		return nil, err
	}
	return r.Plan, nil
}
