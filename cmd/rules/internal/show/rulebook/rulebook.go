// Package rulebook is a ruleset as a book: its chapters in the order of the book, and in each the definitions with what
// belongs beside them: the options that they read, the readings and errata about the places that they cite, and a worked
// example. It gives data; commands print it and pages show it.
//
// A ruleset has a file for each chapter of its book, so a chapter is what the definitions of a file tell. Chapters come by
// the number in the name of their file (ch2_checks.cue), and those without one by the first statement of the book that they
// carry out; those of nothing but rulings come last.
//
// # What stands beside what
//
// Nobody writes down that a ruling belongs to a rule. The links are found: an option stands beside
// the definitions whose formulas read it; a reading or an erratum beside those that cite the same
// place of the book. So a definition that is moved, or a ruling that is added, is where it belongs
// without another edit, and a wrong citation shows as a ruling at the wrong place.
//
// The example of a rule is the golden case with the most to say about it: the longest text, played
// by the release's own rulings.
package rulebook

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Book is a ruleset for reading.
type Book struct {
	*describe.Shown // what the ruleset is; its definitions stand in the chapters
	Chapters        []*Chapter
}

// A Chapter is the definitions of one file of a ruleset.
type Chapter struct {
	Name        string // of the file, "ch2_checks"
	Title       string // "2 Checks"
	Definitions []*Definition
}

// A Definition is one with what belongs beside it.
type Definition struct {
	describe.Definition
	Chapter *Chapter `json:"-"`
	In      string   `json:"chapter"`           // the name of the chapter
	Rulings []Ruling `json:"rulings,omitempty"` // none of a ruling itself
	Example *Example `json:"example,omitempty"` // nil when no case is one
}

// A Ruling is an option that a definition reads, or a reading or an erratum about what it cites.
type Ruling struct {
	Kind string `json:"kind"` // "option", "reading", "erratum"
	ID   string `json:"id"`
	Asks string `json:"asks,omitempty"` // of a reading its question, of an erratum what is printed
	Says string `json:"says"`           // what the option decides, or what is ruled
}

// An Example is a case that tells how an answer comes about.
type Example struct {
	Name string       `json:"name"`
	Text string       `json:"text"`
	Case *golden.Case `json:"-"`
}

// New makes the book of a plan. The files are those of its module, from which the order of the chapters and the examples
// come; nil for a plan without its sources, whose chapters come in the author's order.
func New(p *plan.Plan, files fs.FS) *Book {
	b := &Book{Shown: describe.ShownOf(p, statementRanks(p, files))}
	chapters := map[string]*Chapter{}
	for i := range b.Shown.Definitions {
		d := &Definition{Definition: b.Shown.Definitions[i]}
		name := chapterName(d.Place)
		c := chapters[name]
		if c == nil {
			c = &Chapter{Name: name, Title: titleOf(name)}
			chapters[name] = c
			b.Chapters = append(b.Chapters, c)
		}
		d.Chapter, d.In = c, c.Name
		c.Definitions = append(c.Definitions, d)
	}
	slices.SortStableFunc(b.Chapters, func(x, y *Chapter) int {
		return cmp.Or(cmp.Compare(x.rulingsAlone(), y.rulingsAlone()), cmp.Compare(x.number(), y.number()))
	})
	b.addBeside(casesOf(p, files))
	return b
}

// chapterName is the file of a place, without its directory and extension.
func chapterName(place string) string {
	name, _, _ := strings.Cut(path.Base(place), ".cue")
	return name
}

// statementRanks are the places of the statements in the book; none without the sources.
func statementRanks(p *plan.Plan, files fs.FS) map[string]int {
	out := map[string]int{}
	if files == nil {
		return out
	}
	dir := path.Join("golden", p.Ruleset)
	list, _ := golden.LoadStatements(files, dir, dir)
	for i, s := range list {
		out[s.ID] = i
	}
	return out
}

// number returns the number of a chapter in its book, as its file is named; 0 for one without.
func (c *Chapter) number() int {
	digits, isNumbered := strings.CutPrefix(c.Name, "ch")
	if !isNumbered {
		return 0
	}
	digits, _, _ = strings.Cut(digits, "_")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// IsRuling reports whether a kind of definition decides others.
func IsRuling(kind string) bool { return kind == "option" || kind == "reading" || kind == "erratum" }

// rulingsAlone is 1 for a chapter of nothing but rulings.
func (c *Chapter) rulingsAlone() int {
	if slices.ContainsFunc(c.Definitions, func(d *Definition) bool { return !IsRuling(d.Kind) }) {
		return 0
	}
	return 1
}

// casesOf finds for each rule and procedure the case that tells most of how its answer comes about, of those that are
// played by the rulings of the release and are not refused. A table is its own example.
func casesOf(p *plan.Plan, files fs.FS) map[string]*Example {
	out := map[string]*Example{}
	if files == nil {
		return out
	}
	dir := path.Join("golden", p.Ruleset)
	cases, _ := golden.Load(files, dir, dir) // what cannot be read is no example
	for _, c := range cases {
		key := string(c.Kind) + " " + c.Subject
		told := c.Kind != golden.TableCase && c.Refused == "" && len(c.Options) == 0 && c.Text != ""
		if best := out[key]; told && (best == nil || len(best.Text) < len(c.Text)) {
			out[key] = &Example{c.Name, c.Text, c}
		}
	}
	return out
}

// addBeside adds rulings and examples to the definitions.
func (b *Book) addBeside(cases map[string]*Example) {
	byCite := b.rulingsByCite()
	for _, d := range b.All() {
		if !IsRuling(d.Kind) {
			d.Rulings = b.rulingsOf(d, byCite)
		}
		d.Example = cases[d.Kind+" "+d.ID]
	}
}

// All are the definitions in the order of the book.
func (b *Book) All() []*Definition {
	var out []*Definition
	for _, c := range b.Chapters {
		out = append(out, c.Definitions...)
	}
	return out
}

// rulingsByCite are the readings and errata by each place of the book that they cite.
func (b *Book) rulingsByCite() map[string][]*Definition {
	out := map[string][]*Definition{}
	for _, d := range b.All() {
		if d.Kind == "reading" || d.Kind == "erratum" {
			for _, place := range citedPlaces(d.Cite) {
				out[place] = append(out[place], d)
			}
		}
	}
	return out
}

func citedPlaces(cite string) []string {
	var out []string
	for part := range strings.SplitSeq(cite, ";") {
		out = append(out, strings.TrimSpace(part))
	}
	return out
}

// optionName finds the options that a formula reads.
var optionName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\boption\.([A-Za-z_][A-Za-z_0-9]*)`) })

// rulingsOf returns the options that a definition reads, and the readings and errata with its citations.
func (b *Book) rulingsOf(d *Definition, byCite map[string][]*Definition) []Ruling {
	var out []Ruling
	add := func(r Ruling) {
		if !slices.ContainsFunc(out, func(x Ruling) bool { return x.Kind == r.Kind && x.ID == r.ID }) {
			out = append(out, r)
		}
	}
	for _, l := range d.Lines {
		for _, match := range optionName().FindAllStringSubmatch(l.Text, -1) {
			if x := b.Find("option", match[1]); x != nil {
				add(Ruling{Kind: x.Kind, ID: x.ID, Says: x.Doc})
			}
		}
	}
	for _, place := range citedPlaces(d.Cite) {
		for _, x := range byCite[place] {
			if x.Reading != nil {
				add(Ruling{x.Kind, x.ID, x.Reading.Question, x.Reading.Ruled})
			} else {
				add(Ruling{x.Kind, x.ID, x.Erratum.Printed, x.Erratum.Ruled})
			}
		}
	}
	return out
}

// Find is the definition of a kind and a name; nil when there is none.
func (b *Book) Find(kind, id string) *Definition {
	for _, d := range b.All() {
		if d.Kind == kind && d.ID == id {
			return d
		}
	}
	return nil
}

// titleOf is a title made of the name of a file: "target_value" is "Target value", "ch2_checks" "2 Checks".
func titleOf(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	if rest, ok := strings.CutPrefix(words, "ch"); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		number, title, _ := strings.Cut(rest, " ")
		return number + " " + titleOf(title)
	}
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
