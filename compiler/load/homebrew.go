package load

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Homebrew reads the homebrew package at the root of a module. It is nil when the package is none; then diags says why.
func Homebrew(src Source, diags *diag.List) *book.Homebrew {
	r := newReader(src, diags)
	inst := r.instance(".")
	if inst == nil {
		return nil
	}
	v, ok := r.build(inst)
	if !ok {
		return nil
	}
	h := r.homebrew(r.root(inst, v), r.pkg(inst).doc)
	r.conflicts(v)
	return h
}

// HomebrewOf is the id of the ruleset that the package at the root of a module changes; not ok when it is no homebrew.
func HomebrewOf(src Source) (ruleset string, ok bool) {
	r := newReader(src, &diag.List{})
	inst := r.instance(".")
	if inst == nil || !hasField(r.pkg(inst), "ruleset") {
		return "", false
	}
	v, _ := r.build(inst)
	return r.root(inst, v).string("ruleset"), true
}

func hasField(s *scope, name string) bool {
	return slices.ContainsFunc(s.list, func(f field) bool { return f.sort == regular && f.name == name })
}

func (r *reader) homebrew(n *node, doc string) *book.Homebrew {
	n.checkFields("#Homebrew")
	c := n.moreCharacter()
	h := &book.Homebrew{
		ID: n.id(), Title: n.string("title"), Doc: doc, Place: n.place, Ruleset: n.words("ruleset"),
		Adds: n.added(c), Allows: n.allowances(),
	}
	if k, ok := n.part("extend", "#Homebrew/extend"); ok {
		h.Extends = &book.Extension{
			Tables:     definitions(k, "tables", "table", moreRows),
			Rules:      definitions(k, "rules", "rule", c.moreRule),
			Procedures: definitions(k, "procedures", "procedure", c.moreProcedure),
		}
	}
	if k, ok := n.part("replace", "#Homebrew/replace"); ok {
		h.Replaces = k.replacements(nil)
	}
	if k, ok := n.part("disable", "#Homebrew/disable"); ok {
		h.Disables = k.disablings(nil)
	}
	return h
}

// part is a part of a homebrew that is a struct with some fields.
func (n *node) part(name, path string) (*node, bool) {
	k, ok := n.field(name)
	if !ok || !k.usable() {
		return nil, false
	}
	k.checkFields(path)
	return k, true
}

// moreCharacter are the fields that a homebrew adds to characters.
func (n *node) moreCharacter() *characters {
	if k, ok := n.field("#Character"); ok {
		return &characters{k.character()}
	}
	return &characters{&plan.Shape{Kind: plan.Record, Character: true, Place: n.place}}
}

// added are the definitions and the fields of characters that a homebrew adds.
func (n *node) added(c *characters) *book.Ruleset {
	k, ok := n.part("add", "#Homebrew/add")
	if !ok {
		return &book.Ruleset{Character: c.shape}
	}
	return k.defined(c)
}

func moreRows(n *node) *book.Table {
	n.checkFields("#Rows")
	t := &book.Table{Definition: book.Definition{ID: n.name, Place: n.place}}
	n.fill(t)
	return t
}

func (c *characters) moreRule(n *node) *book.Rule {
	n.checkFields("#Body")
	return &book.Rule{Definition: n.extended(), Input: c.input(n, "#Input"), Body: n.body()}
}

func (c *characters) moreProcedure(n *node) *book.Procedure {
	n.checkFields("#Homebrew/extend/procedures/*")
	p := c.steps(n)
	p.Definition = n.extended()
	return p
}

// extended is what names the definition that something is added to.
func (n *node) extended() book.Definition { return book.Definition{ID: n.name, Place: n.place} }

// replacements reads structs down to those that say what is expected and what is put there.
func (n *node) replacements(path []string) []book.Replacement {
	var out []book.Replacement
	for _, k := range n.data() {
		at := append(slices.Clip(path), k.name)
		k.subject = "replace " + strings.Join(at, ".")
		switch {
		case !k.usable():
		case !k.replaces(at):
			out = append(out, k.replacements(at)...)
		default:
			out = append(out, k.replacement(at))
			out = append(out, k.beside(at)...)
		}
	}
	return out
}

// replaces reports whether a struct says what is expected and what is put at its path. A let may be called "with", so that
// the depth decides; only a whole definition may be left alone with its parts replaced.
func (n *node) replaces(path []string) bool {
	if len(path) != 2 {
		return len(path) == depthOf(path)
	}
	_, expects := n.field("expect")
	_, puts := n.field("with")
	return path[0] != "rules" && path[0] != "procedures" && (expects || puts)
}

// depthOf is the length of the paths to what is replaced in a definition, of which one begins with or goes on from path.
func depthOf(path []string) int {
	part := path[min(2, len(path)-1)]
	switch {
	case len(path) < 3, part == "cite":
		return 3
	case path[0] == "tables", part == "start", part == "events" && len(path) == 5 && path[4] == "when":
		return 5
	case part == "events":
		return 6
	}
	return 4
}

// beside are the replacements of parts of what is itself replaced.
func (n *node) beside(path []string) []book.Replacement {
	if len(path) != 2 {
		return nil
	}
	rest := *n
	rest.read = true
	rest.kids = slices.DeleteFunc(slices.Clone(n.fields()), func(k *node) bool { return k.name != "cite" && k.name != "rows" })
	return rest.replacements(path)
}

func (n *node) replacement(path []string) book.Replacement {
	part := partOf(path)
	switch {
	case len(path) == 2:
		n.checkFields("#Homebrew/replace/" + path[0] + "/*")
		n.requireFields("expect", "with") // the schema lets both go where only the citation or a cell is replaced
	case part == "require":
		n.checkFields("#Replacements/require/*")
	default:
		n.checkFields("#Replacement")
	}
	r := book.Replacement{Path: path, Place: n.place}
	if k, ok := n.field("expect"); ok {
		r.Expect = k.stated(path[0], part)
	}
	if k, ok := n.field("with"); ok {
		r.With = k.stated(path[0], part)
	}
	if k, ok := n.field("says"); ok {
		r.Says = k.word()
	}
	return r
}

// partOf is the part of a definition that a path leads into: "let", "dice", "cite"; empty for the definition itself.
func partOf(path []string) string {
	switch {
	case len(path) < 3:
		return ""
	case path[0] == "procedures" && path[2] == "start" && len(path) > 3:
		return path[3]
	case path[0] == "procedures" && path[2] == "events" && len(path) > 4:
		return path[4]
	}
	return path[2]
}

// stated reads one side of a replacement in the form of what stands in a part of a definition.
func (n *node) stated(kind, part string) book.Stated {
	s := book.Stated{Place: n.place}
	switch {
	case kind == "tables" && part == "":
		s.Rows = n.statedRows()
	case kind == "tables", kind == "options", part == "cite":
		s.JSON = n.json()
	case part == "dice":
		s.Die = n.die()
	case part == "use":
		s.Use = n.asUse()
	default:
		f := n.asFormula()
		s.Formula = &f
	}
	return s
}

func (n *node) statedRows() *book.Table {
	t := &book.Table{}
	if n.usable() {
		n.checkFields("#Rows")
		n.fill(t)
	}
	return t
}

func (n *node) asUse() *book.Use {
	if !n.usable() {
		return &book.Use{}
	}
	return n.use()
}

// disablings reads structs down to the reasons: of a definition, or of a row of a table or an event of a procedure.
func (n *node) disablings(path []string) []book.Disabling {
	var out []book.Disabling
	for _, k := range n.data() {
		at := append(slices.Clip(path), k.name)
		k.subject = "disable " + strings.Join(at, ".")
		isReason := len(at) == 2 || len(at) == 4
		hasParts := len(at) == 2 && (at[0] == "tables" || at[0] == "procedures")
		switch {
		case hasParts && k.structured():
			k.checkFields("#Homebrew/disable/" + at[0] + "/*")
			out = append(out, k.disablings(at)...)
		case isReason:
			if why, ok := k.text(); ok {
				out = append(out, book.Disabling{Path: at, Place: k.place, Why: why})
			}
		case k.usable():
			out = append(out, k.disablings(at)...)
		}
	}
	return out
}
