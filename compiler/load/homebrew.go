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
	n.has(homebrewFields)
	h := &book.Homebrew{
		ID: n.id(), Title: n.string("title"), Doc: doc, Place: n.place, Ruleset: n.words("ruleset"),
		Adds: n.added(), Allows: n.allowances(),
	}
	if k, ok := n.part("extend", extendFields); ok {
		h.Extends = definitions(k, "tables", "table", moreRows)
		h.Bodies = definitions(k, "rules", "rule", moreBody)
	}
	if k, ok := n.part("replace", replaceFields); ok {
		h.Replaces = k.replacements(nil)
	}
	if k, ok := n.part("disable", disableFields); ok {
		h.Disables = k.disablings(nil)
	}
	return h
}

// part is a part of a homebrew that is a struct with some fields.
func (n *node) part(name string, f fields) (*node, bool) {
	k, ok := n.field(name)
	if !ok || !k.usable() {
		return nil, false
	}
	k.has(f)
	return k, true
}

// added are the definitions and the fields of characters that a homebrew adds.
func (n *node) added() *book.Ruleset {
	c := &characters{&plan.Shape{Kind: plan.Record, Character: true, Place: n.place}}
	if k, ok := n.field("#Character"); ok {
		c.shape = k.character()
	}
	k, ok := n.part("add", addFields)
	if !ok {
		return &book.Ruleset{Character: c.shape}
	}
	return k.defined(c)
}

func moreRows(n *node) *book.Table {
	n.has(rowsFields)
	t := &book.Table{Definition: book.Definition{ID: n.name, Place: n.place}}
	n.fill(t)
	return t
}

func moreBody(n *node) *book.Rule {
	n.has(bodyFields)
	return &book.Rule{Definition: book.Definition{ID: n.name, Place: n.place}, Body: n.body()}
}

// replacements reads structs down to those that say what is expected and what is put there.
func (n *node) replacements(path []string) []book.Replacement {
	var out []book.Replacement
	for _, k := range n.data() {
		at := append(slices.Clip(path), k.name)
		k.subject = "replace " + strings.Join(at, ".")
		_, expects := k.field("expect")
		_, puts := k.field("with")
		switch {
		case !k.usable():
		case expects || puts:
			k.has(replacedFields)
			out = append(out, k.replacement(at))
		default:
			out = append(out, k.replacements(at)...)
		}
	}
	return out
}

func (n *node) replacement(path []string) book.Replacement {
	r := book.Replacement{Path: path, Place: n.place}
	if k, ok := n.field("expect"); ok {
		r.Expect = k.stated(path)
	}
	if k, ok := n.field("with"); ok {
		r.With = k.stated(path)
	}
	return r
}

// stated reads one side of a replacement in the form of what stands at a path.
func (n *node) stated(path []string) book.Stated {
	s := book.Stated{Place: n.place}
	switch {
	case path[0] == "tables" && len(path) == 2:
		s.Rows = &book.Table{}
		if n.usable() {
			n.has(rowsFields)
			n.fill(s.Rows)
		}
	case path[0] == "tables", path[0] == "options":
		s.JSON = n.json()
	case slices.Contains(path, "dice"):
		s.Die = n.die()
	default:
		f := n.asFormula()
		s.Formula = &f
	}
	return s
}

// disablings reads structs down to the reasons.
func (n *node) disablings(path []string) []book.Disabling {
	var out []book.Disabling
	for _, k := range n.data() {
		at := append(slices.Clip(path), k.name)
		k.subject = "disable " + strings.Join(at, ".")
		if k.structured() {
			out = append(out, k.disablings(at)...)
			continue
		}
		why, _ := k.text()
		out = append(out, book.Disabling{Path: at, Place: k.place, Why: why})
	}
	return out
}
