package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// Load reads the cases in a directory: every file that ends in .txtar, in the order of their names; called is how errors
// and cases name the directory. Cases that cannot be read are joined in the error; the others are given all the same.
func Load(fsys fs.FS, dir, called string) ([]*Case, error) {
	return loadMentioning(fsys, dir, called, "")
}

// LoadAbout is Load, of the cases about one rule, procedure or table alone: no other file is parsed.
func LoadAbout(fsys fs.FS, dir, called, subject string) ([]*Case, error) {
	cases, err := loadMentioning(fsys, dir, called, subject)
	return slices.DeleteFunc(cases, func(c *Case) bool { return c.Subject != subject }), err
}

// loadMentioning reads the files of a directory in which a word stands.
//
// A case about a rule names it in a header, so a file without the word cannot have one. Searching
// bytes is much cheaper than parsing hundreds of files, where one rule is tested again and again as
// its author edits.
func loadMentioning(fsys fs.FS, dir, called, word string) ([]*Case, error) {
	files, err := fs.Glob(fsys, path.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	var cases []*Case
	var bad []error
	for _, file := range files {
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		if !bytes.Contains(data, []byte(word)) {
			continue
		}
		list, err := ParseAll(path.Join(called, path.Base(file)), data, func(name string) ([]byte, error) {
			return fs.ReadFile(fsys, path.Join(dir, name))
		})
		if err != nil {
			bad = append(bad, err)
			continue
		}
		cases = append(cases, list...)
	}
	return cases, errors.Join(bad...)
}

// BeginsCase reports whether a file begins with a header of cases. There are other archives, too.
func BeginsCase(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	name, _, ok := bytes.Cut(line, []byte(": "))
	return ok && slices.ContainsFunc(Headers(), func(h Header) bool { return h.Name == string(name) })
}

// NextCase is the name under which another case begins in the same file.
const NextCase = "case"

// ParseAll returns the cases of a file: one, or several, each but the first under "-- case --". The subject of a later
// case, its place in the book and its character are those of the first unless it has its own. Read gives the files that
// headers name, by their paths from the directory of the file.
//
// The phases of a case, in this order: headers, files, the parts inherited from the first case, the character (which a
// header may name, or the first case may have), and whether all of it makes sense together. line is counted along, as txtar
// gives no positions: one line for each "-- name --" and those of its data.
func ParseAll(name string, data []byte, read func(name string) ([]byte, error)) ([]*Case, error) {
	if at, err := findBrokenMarker(data); err != nil {
		return nil, &Error{File: name, Line: at, Msg: err.Error()}
	}
	archive := txtar.Parse(data)
	read = withEmbedded(archive, read)
	sections := []*parser{{data: &txtar.Archive{Comment: archive.Comment}}}
	line := bytes.Count(archive.Comment, []byte("\n"))
	for _, f := range archive.Files {
		line++
		if f.Name == NextCase {
			sections = append(sections, &parser{data: &txtar.Archive{Comment: f.Data}, start: line})
		} else {
			last := sections[len(sections)-1].data
			last.Files = append(last.Files, f)
		}
		line += bytes.Count(f.Data, []byte("\n"))
	}
	var cases []*Case
	for i, p := range sections {
		p.read = read
		p.c = &Case{File: name, Name: strings.TrimSuffix(path.Base(name), ".txtar"),
			parts: map[string]part{}, start: p.start}
		if i > 0 {
			p.c.Name += "/" + strconv.Itoa(i+1)
			p.first = cases[0]
		}
		for _, phase := range []func() error{p.parseHeaders, p.parseFiles, p.inherit, p.readCharacter, p.checkComplete} {
			if err := phase(); err != nil {
				return nil, p.placeError(err)
			}
		}
		cases = append(cases, p.c)
	}
	return cases, nil
}

// brokenMarker is a line that looks like the beginning of a file and is none.
var brokenMarker = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:-{2,}|#+|=+)\s*([a-z]+(?:\.json)?)\s*-*=*\s*$`)
})

// findBrokenMarker returns the line and the error of the first line that was to begin a file of a case, and does not:
// --- dice ---. To txtar it is a line of what stands above.
func findBrokenMarker(data []byte) (line int, err error) {
	for text := range strings.Lines(string(data)) {
		line++
		text = strings.TrimRight(text, "\r\n")
		m := brokenMarker().FindStringSubmatch(text)
		if m == nil || text == "-- "+m[1]+" --" || strings.HasPrefix(text, "-- ") && strings.HasSuffix(text, " --") {
			continue
		}
		if m[1] == NextCase || slices.ContainsFunc(Files(), func(f File) bool { return f.Name == m[1] }) {
			return line, fmt.Errorf("%q begins no file: write -- %s --", text, m[1])
		}
	}
	return 0, nil
}

// Parse reads a case: lines "name: value", a blank line, sentences, then files. Name is that of its file, which errors
// show. An error is an *Error. It needs no other file: see Embed.
func Parse(name string, data []byte) (*Case, error) {
	list, err := ParseAll(name, data, nil)
	switch {
	case err != nil:
		return nil, err
	case len(list) > 1:
		return nil, &Error{File: name, Line: 1, Msg: fmt.Sprintf("there are %d cases here, and one is read", len(list))}
	}
	return list[0], nil
}

// inherit takes the parts that this case lacks from the first case of the file.
func (p *parser) inherit() error {
	c, first := p.c, p.first
	if first == nil {
		return nil
	}
	if c.Kind == "" {
		c.Kind, c.Subject = first.Kind, first.Subject
	}
	if c.Cite == "" {
		c.Cite = first.Cite
	}
	if c.Character == nil && c.characterFile == "" && c.Kind != TableCase && c.Kind != FunctionCase {
		c.Character = first.Character
	}
	return nil
}

// readCharacter reads the character that a header names.
func (p *parser) readCharacter() error {
	c := p.c
	if c.characterFile == "" {
		return nil
	}
	if h, ok := c.parts["character"]; ok {
		p.line = h.line
	}
	switch {
	case p.hasFile("character.json"):
		return errors.New("the case has both the header character and character.json")
	case strings.HasPrefix(c.characterFile, "{"):
		return errors.New("the header character names a file: put the character itself under -- character.json --")
	case p.read == nil:
		return errors.New("there are no other files here: put the character into character.json")
	}
	data, err := p.read(c.characterFile)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := p.read(c.characterFile + ".json"); err == nil {
			return fmt.Errorf("there is no file %s; did you mean %[1]s.json", c.characterFile)
		}
		return fmt.Errorf("there is no file %s; it is looked for from the directory of the case", c.characterFile)
	}
	if errors.Is(err, fs.ErrInvalid) {
		return fmt.Errorf("the character %s stands outside of the directory of the cases: put it beside them, or "+
			"itself under -- character.json --", c.characterFile)
	}
	if err != nil {
		return fmt.Errorf("the character %s cannot be read: %w", c.characterFile, err)
	}
	if _, err := jsontree.ReadTree(data); err != nil {
		return fmt.Errorf("the character %s: %w", c.characterFile, err)
	}
	c.Character = data
	return nil
}

// A parser reads one case. Line is the line being read; within a file, the line before its first.
//
// txtar has no positions, and errors without a line are of no use in a file of forty cases. So the
// line is counted along by every phase; a phase that reads on without counting gives wrong places
// from there on.
type parser struct {
	data  *txtar.Archive
	c     *Case
	first *Case                             // of the same file; nil for the first itself
	read  func(name string) ([]byte, error) // nil where there are no other files
	start int                               // lines of the file before the case
	line  int
}

// placeError adds file and line to an error.
func (p *parser) placeError(err error) error {
	return &Error{File: p.c.File, Line: max(p.line, 1), Msg: err.Error()}
}

// setOnce notes a header or a file, of which there must be one.
func (p *parser) setOnce(name string, x part) error {
	if p.hasFile(name) {
		return fmt.Errorf("%s stands twice", name)
	}
	p.c.parts[name] = x
	return nil
}

func (p *parser) hasFile(name string) bool {
	_, ok := p.c.parts[name]
	return ok
}

func (p *parser) parseHeaders() error {
	lines := strings.Split(string(p.data.Comment), "\n")
	for i, line := range lines {
		p.line = p.start + i + 1
		if strings.TrimSpace(line) == "" {
			p.c.Text = strings.TrimSpace(strings.Join(lines[i:], "\n"))
			break
		}
		name, value, ok := strings.Cut(line, ":")
		if word, rest, two := strings.Cut(line, " "); !ok && two && slices.Contains(namesOfHeaders(Headers()), word) {
			return fmt.Errorf("%q is no header: write %s: %s", line, word, strings.TrimLeft(rest, "= "))
		}
		if !ok {
			return fmt.Errorf("%q is no header: a blank line stands between the headers and the sentences", line)
		}
		if err := p.parseHeader(name, strings.TrimSpace(value)); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) parseHeader(name, value string) error {
	if value == "" {
		return fmt.Errorf("%s says nothing", name)
	}
	all := Headers()
	i := slices.IndexFunc(all, func(h Header) bool { return h.Name == name })
	if i < 0 {
		names := namesOfHeaders(all)
		if near := spell.Nearest(name, names); near != "" {
			return fmt.Errorf("there is no header %q; did you mean %s", name, near)
		}
		if strings.HasPrefix(name, "{") {
			return errors.New("headers are no JSON: each is a line, rule: strike")
		}
		if strings.Contains(name, " ") {
			return fmt.Errorf("%q is no header: a blank line stands between the headers and the sentences", name)
		}
		for _, f := range Files() {
			if name == strings.TrimSuffix(f.Name, ".json") {
				return fmt.Errorf("%s: a part of its own has %s, below a line -- %s --", name, f.Doc, f.Name)
			}
		}
		if name == "trait" {
			return errors.New("a trait has no cases of its own: those of the rules that read it take its branches")
		}
		last := len(names) - 1
		return fmt.Errorf("there is no header %q: it is %s or %s", name, strings.Join(names[:last], ", "), names[last])
	}
	if !all[i].repeats {
		if err := p.setOnce(name, part{line: p.line}); err != nil {
			return err
		}
	}
	return all[i].read(p, value)
}

func namesOfHeaders(list []Header) (names []string) {
	for _, h := range list {
		names = append(names, h.Name)
	}
	return names
}

func (p *parser) parseFiles() error {
	p.line = p.start + bytes.Count(p.data.Comment, []byte("\n"))
	for _, f := range p.data.Files {
		p.line++
		if err := p.setOnce(f.Name, part{p.line + 1, f.Data}); err != nil {
			return err
		}
		if err := p.parseFile(f.Name, f.Data); err != nil {
			p.line += Before(err, f.Data)
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		p.line += bytes.Count(f.Data, []byte("\n"))
	}
	return nil
}

// parseFile reads a file, if a case may have one of that name.
func (p *parser) parseFile(name string, data []byte) error {
	var names []string
	for _, f := range Files() {
		if f.Name == name {
			return f.read(p, data)
		}
		names = append(names, f.Name)
	}
	switch {
	case strings.EqualFold(name, "case"):
		return errors.New("a case has no such file: the next case begins with -- case --, in small letters")
	case slices.Contains(names, name+".json"):
		return fmt.Errorf("a case has no such file: write %s.json", name)
	case slices.ContainsFunc(Headers(), func(h Header) bool { return h.Name == name }):
		return fmt.Errorf("a case has no such file: %s stands among the headers, as %[1]s: VALUE", name)
	}
	near := spell.Nearest(name, names)
	if slices.Contains([]string{"expect", "expected", "result", "output", "answer"}, strings.TrimSuffix(name, ".json")) {
		near = "want.json"
	}
	if near != "" {
		return fmt.Errorf("a case has no such file; did you mean %s", near)
	}
	return fmt.Errorf("a case has no such file: it has %s", strings.Join(names, ", "))
}

// checkComplete returns an error unless the case has all that its kind needs, and no other part. A part that is not used is
// an error: a want.json beside refused would look like an expectation and be compared by nobody.
func (p *parser) checkComplete() error {
	c := p.c
	p.line = p.start + 1
	switch {
	case c.Recorded && len(c.Covers) > 0:
		return errors.New("a recorded case covers nothing: what it expects is what the program answered, and not the book")
	case c.Kind == "":
		return errors.New("the case has none of the headers rule, procedure, table, function and odds")
	case c.Cite == "":
		return errors.New("the case has no cite: say where in the book it stands")
	case len(c.Policy) > 0 && c.Kind != OddsCase:
		p.line = c.Policy[0].line
		return fmt.Errorf("a case of a %s has no policy: only odds are asked under one", c.Kind)
	case c.Text == "":
		return errors.New("the case has no sentence that says how its answer follows: " +
			"write one behind a blank line below the headers, as \"7 among 2: 3 each.\"")
	case c.Kind == TableCase:
		return p.checkOnly("table.json", "character.json", "input.json", "events.json", "dice", "want.json", "printed.json",
			"refused", "failed", "near")
	case c.Kind == OddsCase:
		return errors.Join(p.checkOnly("want.json", "table.json", "events.json", "dice", "printed.json", "refused",
			"failed"),
			c.hasAnswer())
	case c.Kind == RuleCase:
		return errors.Join(p.checkOnly("", "table.json", "events.json"), c.hasAnswer())
	case c.Kind == FunctionCase:
		return errors.Join(p.checkOnly("", "table.json", "events.json", "dice", "character", "character.json"),
			c.hasAnswer(), c.hasValue())
	}
	return errors.Join(p.checkOnly("", "table.json"), c.hasAnswer())
}

// checkOnly checks that one part is there, and others are not.
func (p *parser) checkOnly(needed string, others ...string) error {
	if needed != "" && !p.hasFile(needed) {
		return fmt.Errorf("a case of a %s has %s", p.c.Kind, needed)
	}
	for _, name := range others {
		if p.hasFile(name) {
			return fmt.Errorf("a case of a %s has no %s", p.c.Kind, name)
		}
	}
	return nil
}

// hasAnswer returns an error unless the case expects something.
func (c *Case) hasAnswer() error {
	switch {
	case len(c.ends()) == 0:
		return errors.New("the case expects nothing: it has none of want.json, refused and failed")
	case len(c.ends()) > 1:
		return fmt.Errorf("the case has both %s and %s", c.ends()[0], c.ends()[1])
	case c.Kind == RuleCase && c.want != nil && slices.Contains(c.want.Names, "odds"):
		return fmt.Errorf("want.json has odds: the header of a case of them is odds: %s", c.Subject)
	case c.want != nil && (c.want.Kind != jsontree.Object || !c.want.NamesValue()):
		return errors.New("want.json names no value")
	case c.printed != nil && (c.printed.Kind != jsontree.Object || !c.printed.NamesValue()):
		return errors.New("printed.json names no value")
	case c.printed != nil && c.Erratum == "":
		return errors.New("printed.json is of no erratum: name it in the header erratum")
	case c.Printed != nil && c.printed == nil:
		return errors.New("the header printed is of no use without printed.json")
	}
	return nil
}

// hasValue returns an error unless all that the case expects of a function is its value.
func (c *Case) hasValue() error {
	for _, t := range []*jsontree.Tree{c.want, c.printed} {
		if t != nil && (len(t.Names) != 1 || t.Names[0] != "value") {
			return errors.New(`a function answers one value: write {"value": ...}`)
		}
	}
	return nil
}

// ends returns the ways in which the case is expected to end.
func (c *Case) ends() []string {
	var out []string
	for _, end := range []struct {
		name string
		is   bool
	}{{"want.json", c.want != nil}, {"refused", c.Refused != ""}, {"failed", c.Failed != ""}} {
		if end.is {
			out = append(out, end.name)
		}
	}
	return out
}
