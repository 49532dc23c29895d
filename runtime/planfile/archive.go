package planfile

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/internal/sha256"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Archive is a plan file or a release file that has been opened: its directory has been read. Parts are read, compared
// with their digests and verified when they are asked for.
type Archive struct {
	file         io.ReaderAt
	digest       [sha256.Size]byte
	outline      *plan.Plan // of which nothing is known but what its rules and procedures are called
	parts        []locatedPart
	indices      map[string]int // of the parts, by their names
	extras       extras         // which parts it has beside the rules
	release      bool           // whether it is a release file
	sources      bool           // whether it has sources
	instructions bool           // whether it has instructions
}

// A locatedPart part lies in a file.
type locatedPart struct {
	Part
	at int64
}

// Open opens a plan file or a release file of so many bytes. Its errors are ErrNotPlan, *VersionError, ErrDamaged, those of
// reading, or one that names the malformed part.
func Open(file io.ReaderAt, size int64) (*Archive, error) {
	magic, directory, err := readHead(file, size)
	if err != nil {
		return nil, err
	}
	parts, err := locateParts(directory, int64(len(magic)+headSize+len(directory)), size)
	if err != nil {
		return nil, err
	}
	a := &Archive{file: file, digest: sha256.Sum256(directory), outline: outlineOf(parts), parts: parts,
		indices: make(map[string]int, len(parts)), release: magic == releaseMagic}
	for i := range parts {
		a.indices[parts[i].Name] = i
	}
	return a, a.checkParts()
}

// locateParts returns the parts that a directory lists, with their places from an offset on.
//
// The directory has sizes and no offsets, so parts can neither overlap nor leave a gap.
func locateParts(directory []byte, at, end int64) ([]locatedPart, error) {
	c := newReader(directory)
	var out []locatedPart
	codeList(c, &out, func(f *locatedPart) { c.codePart(&f.Part) })
	if err := c.checkEnd("the directory"); err != nil {
		return nil, err
	}
	for i := range out {
		f := &out[i]
		if f.Size < 0 || int64(f.Size) > end-at {
			return nil, fmt.Errorf("%w (part %s)", ErrDamaged, f.Name)
		}
		f.at = at
		at += int64(f.Size)
	}
	if at < end {
		return nil, malformedError("%d bytes are left over", end-at)
	}
	return out, nil
}

// outlineOf returns a plan with nothing but the rules and procedures that a list of parts names.
func outlineOf(parts []locatedPart) *plan.Plan {
	rules, procedures := idsOf(parts, ruleName), idsOf(parts, procedureName)
	p := &plan.Plan{Rules: make([]plan.Rule, len(rules)), Procedures: make([]plan.Procedure, len(procedures))}
	for i, id := range rules {
		p.Rules[i].ID = id
	}
	for i, id := range procedures {
		p.Procedures[i].ID = id
	}
	return p
}

// idsOf returns the rest of each name that begins so.
func idsOf(parts []locatedPart, begin string) []string {
	var out []string
	for i := range parts {
		if id, ok := strings.CutPrefix(parts[i].Name, begin); ok {
			out = append(out, id)
		}
	}
	return out
}

// checkParts returns an error unless the file has exactly the parts that its rules and procedures require, each once
// and in order, with or without instructions.
//
// The names in the directory are not trusted: the list of parts is made anew from the rules and procedures among them,
// and compared. So no part can be missing, doubled or unknown.
func (a *Archive) checkParts() error {
	r := &Release{Plan: a.outline}
	_, a.extras.homebrews = a.indices[overlaysName]
	_, a.extras.words = a.indices[textsName]
	_, a.extras.functions = a.indices[functionsName]
	_, a.sources = a.indices[sourcesName]
	sections := r.listSections(a.extras, a.sources)
	if !a.release {
		sections = fileSections(r.Plan, a.extras)
	}
	if a.instructions = len(a.parts) != len(sections); a.instructions {
		sections = append(sections, Instructions(nil).listSections(r.Plan)...)
	}
	if len(a.parts) != len(sections) {
		return malformedError("it has %d parts, not %d", len(a.parts), len(sections))
	}
	for i, s := range sections {
		if a.parts[i].Name != s.name {
			return malformedError("part %d is %q, not %q", i+1, a.parts[i].Name, s.name)
		}
	}
	if len(a.indices) != len(a.parts) {
		return malformedError("a part stands twice")
	}
	return nil
}

// Digest returns the SHA-256 digest of the file's directory, which has a digest of every part, of the stored instructions
// too. Two files of one digest give the same answers wherever they are loaded. The function Digest identifies the rules
// alone, whatever instructions stand beside them.
func (a *Archive) Digest() [sha256.Size]byte { return a.digest }

// Parts returns the directory's entry of every part of the file, of the stored instructions too.
func (a *Archive) Parts() []Part {
	out := make([]Part, len(a.parts))
	for i := range a.parts {
		out[i] = a.parts[i].Part
	}
	return out
}

// Names returns the ids of the rules and the procedures, in their order.
func (a *Archive) Names() []string {
	var out []string
	for i := range a.outline.Rules {
		out = append(out, a.outline.Rules[i].ID)
	}
	for i := range a.outline.Procedures {
		out = append(out, a.outline.Procedures[i].ID)
	}
	return out
}

// Plan reads the whole plan, and verifies it.
func (a *Archive) Plan() (*plan.Plan, error) {
	p := a.cutOutline(func(string) bool { return true })
	if err := a.readSections(fileSections(p, a.extras)...); err != nil {
		return nil, err
	}
	return p, verifyRead(p)
}

// Cut returns the plan cut down to the rules and procedures of some names, without citations and words, and verifies it.
//
// Its cost is that of the common parts and of the named ones, whatever else the file holds. Names that the file does not
// have are passed over: the caller then finds no such rule in the plan. The function Digest of a plan cut down is not that
// of the whole plan.
func (a *Archive) Cut(names ...string) (*plan.Plan, error) {
	forReaders := []string{citationsName, textsName, functionsName}
	return a.cutPlan(names, func(s section) bool { return !slices.Contains(forReaders, s.name) })
}

// CutCited is Cut with the citations of the whole plan, which sheets and traces quote.
func (a *Archive) CutCited(names ...string) (*plan.Plan, error) {
	return a.cutPlan(names, func(section) bool { return true })
}

func (a *Archive) cutPlan(names []string, needed func(section) bool) (*plan.Plan, error) {
	p := a.cutOutline(func(id string) bool { return slices.Contains(names, id) })
	for _, s := range fileSections(p, a.extras) {
		if !needed(s) {
			continue
		}
		if err := a.readSections(s); err != nil {
			return nil, err
		}
	}
	return p, verifyRead(p)
}

// cutOutline returns the outline cut down to some rules and procedures.
func (a *Archive) cutOutline(wanted func(id string) bool) *plan.Plan {
	p := &plan.Plan{}
	for _, r := range a.outline.Rules {
		if wanted(r.ID) {
			p.Rules = append(p.Rules, r)
		}
	}
	for _, d := range a.outline.Procedures {
		if wanted(d.ID) {
			p.Procedures = append(p.Procedures, d)
		}
	}
	return p
}

// Instructions returns the instructions of the graphs of a plan that the archive has given. A graph that instructions
// cannot express has none, and no graph has any if the file has none.
func (a *Archive) Instructions(p *plan.Plan) (map[*plan.Graph][]byte, error) {
	out := map[*plan.Graph][]byte{}
	if !a.instructions {
		return out, nil
	}
	for name, bodies := range instructionSections(p) {
		var list [][]byte
		if err := a.readSections(section{name, func(c *codec) { c.codeInstructions(&list) }}); err != nil {
			return nil, err
		}
		if len(list) != len(bodies) {
			return nil, malformedError("part %s has instructions of %d graphs, not %d", name, len(list), len(bodies))
		}
		for i, b := range bodies {
			out[b.Graph] = list[i]
		}
	}
	return out, nil
}

// readSections reads sections, each once its digest has been compared with that of the directory.
func (a *Archive) readSections(sections ...section) error {
	for _, s := range sections {
		i, ok := a.indices[s.name]
		if !ok {
			return malformedError("it has no part %s", s.name)
		}
		f := &a.parts[i]
		data := make([]byte, f.Size)
		if _, err := a.file.ReadAt(data, f.at); err != nil && err != io.EOF {
			return err
		}
		if sha256.Sum256(data) != f.Digest {
			return fmt.Errorf("%w (part %s)", ErrDamaged, f.Name)
		}
		c := newReader(data)
		s.code(c)
		if err := c.checkEnd("part " + f.Name); err != nil {
			return err
		}
	}
	return nil
}

// readAll reads everything, and verifies it.
func (a *Archive) readAll() (*Release, error) {
	p, err := a.Plan()
	if err != nil {
		return nil, err
	}
	r := &Release{Plan: p}
	if a.release {
		err = a.readSections(r.releaseSections(a.sources)...)
	}
	if err == nil {
		_, err = a.Instructions(p)
	}
	return r, err
}

// verifyRead checks a plan that was read.
func verifyRead(p *plan.Plan) error {
	if err := plan.Verify(p); err != nil {
		return malformedError("%w", err)
	}
	return nil
}

// Read returns the plan in a plan file or a release file, after verifying the whole file. Its errors are those of Open.
func Read(file []byte) (*plan.Plan, error) {
	a, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, err
	}
	r, err := a.readAll()
	if err != nil {
		return nil, err
	}
	return r.Plan, nil
}
