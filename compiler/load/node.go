package load

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/explain"
	"github.com/tabletop-rules/rules/compiler/load/fieldset"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A node is a value together with what the author wrote for it.
//
// Its fields are valid at different times: label, r, subject, place, value, sites and key from the
// start; parts after flatSites, kids after allFields (read tells). Most nodes are leaves and never
// compute either. value may be in error or not exist; sites may be empty when only a pattern or a
// computation made the field.
type node struct {
	label
	r       *reader
	subject string     // of diagnostics: the definition that the node belongs to
	place   plan.Place // of its name, or of the element
	value   cue.Value
	sites   []site.Site
	key     []token.Pos
	parts   []site.Site // of sites, once asked for
	kids    []*node
	read    bool     // whether kids are there
	meant   []string // the fields that misspelt members are meant to be, and those that are asked for
	unmet   []*node  // members that are asked for, with "!", and have no value; none after they were reported
}

// rootNode makes a node of a package: its value is that of all files together, and its members are those that any of
// them declares.
func (r *reader) rootNode(inst *build.Instance, v cue.Value) *node {
	n := &node{r: r, value: v, read: true}
	if len(inst.Files) > 0 {
		n.place = r.PlaceOf(inst.Files[0].Pos())
	}
	n.kids = n.collectChildren(r.PackageScope(inst).List)
	return n
}

// flatSites splits the node's sites into parts, once: references are followed and alternatives split.
func (n *node) flatSites() []site.Site {
	if n.parts == nil {
		n.parts = site.FlattenSites(n.sites)
	}
	return n.parts
}

// allFields are the named members in the author's order: regular fields and definitions that have a value.
func (n *node) allFields() []*node {
	if !n.read {
		n.read = true
		n.kids = n.collectChildren(site.MembersOf(n.flatSites()))
	}
	return n.kids
}

// collectChildren returns the fields that CUE's evaluation gives the value, which alone decides which there are. The
// declarations say only where each stands. A field that no declaration names comes from a pattern, a computed label, a
// comprehension or a computed struct: it stands where the first of these does that can be found, or else where its struct
// does.
//
// The steps and why in this order:
//
//  1. Declarations that name a field make children, in which several declarations of one name
//     meet.
//  2. Further fields of the evaluation are added: now it is known which fields no declaration named.
//  3. Patterns add their sites to all children, also to those of step 2, behind their own: a
//     pattern is the weakest hint about where a value stands.
//  4. Children without a value leave: a declaration in a branch of a comprehension that was not
//     taken, or one that is found through a reference which CUE resolves in another way.
//
// For keyed: {for k, v in _speeds {(k): v: v}} step 1 finds nothing, as the label is computed; step 2 gets the rows "walk"
// and "run" from CUE and gives both the place of the label "(k)".
func (n *node) collectChildren(declared []site.Field) []*node {
	set := childSet{parent: n, byLabel: map[label]*node{}, asked: map[*node]bool{}}
	for _, f := range declared {
		switch f.Kind {
		case site.Regular, site.Definition:
			set.addDeclared(f)
		case site.Computed:
			set.computed = append(set.computed, f)
		case site.Pattern:
			set.patterns = append(set.patterns, f)
		}
	}
	set.addEvaluated()
	set.addPatterns()
	slices.SortStableFunc(set.kids, func(x, y *node) int { return site.CompareKeys(x.key, y.key) })
	if err := n.value.Err(); err != nil && !n.def && n.value.Validate() == nil {
		n.r.ReportErrors(err) // fields that CUE cannot compute, and that are therefore not there
	}
	n.unmet = slices.DeleteFunc(slices.Clone(set.kids), func(k *node) bool { return !set.asked[k] || k.value.Exists() })
	return slices.DeleteFunc(set.kids, func(k *node) bool { return !k.value.Exists() })
}

// reportUnmet reports the members that are asked for and have no value, and gives their names. To CUE "count!: 2" only says
// that whoever gives a count gives this one. What the schema has no field for was to stand in a definition, as #Input.
func (n *node) reportUnmet(known fieldset.Set) (names []string) {
	fields := slices.Concat(known.Required, known.Optional)
	for _, k := range n.unmet {
		d := n.r.addf("missing-field", k.place, n.subject, "%s! asks for a field, and nothing gives it", k.name)
		d.Repair, d.Breaks = "write "+k.name+": without the ! where its value stands", []string{k.name}
		if len(known.Definitions) > 0 && !slices.Contains(fields, k.name) {
			d.Repair = fmt.Sprintf("what is asked for stands under %s: %[1]s: %s!: int", known.Definitions[0], k.name)
		}
		names = append(names, k.name)
	}
	n.unmet = nil
	return names
}

// A childSet collects the children of a node.
type childSet struct {
	parent   *node
	kids     []*node
	byLabel  map[label]*node
	asked    map[*node]bool // those that a declaration asks for, with "!"
	computed []site.Field   // declarations whose label is computed
	patterns []site.Field   // declarations for every field of such a name
}

// addDeclared adds a declaration that names its field. Whether the field is there, only its value tells.
func (c *childSet) addDeclared(f site.Field) {
	if f.Decl.Constraint == token.OPTION {
		return
	}
	at := c.parent.r.PlaceOf(f.Label.Pos())
	k := c.childOf(label{f.Name, f.Kind == site.Definition}, at, f.Site.Key)
	if site.CompareKeys(f.Site.Key, k.key) < 0 {
		k.key, k.place = f.Site.Key, at
	}
	k.sites = append(k.sites, f.Site)
	if f.Decl.Constraint == token.NOT && !k.def {
		c.asked[k] = true
	}
}

// addEvaluated adds the fields that no declaration names.
func (c *childSet) addEvaluated() {
	it, err := c.parent.value.Fields(cue.Definitions(true))
	if err != nil {
		return
	}
	for it.Next() {
		if it.Selector().LabelType() == cue.IndexLabel {
			continue // of a list that is a struct as well, which CUE has reported
		}
		l := label{name: it.Selector().String(), def: it.Selector().IsDefinition()}
		if !l.def {
			l.name = it.Selector().Unquoted()
		}
		if c.byLabel[l] != nil {
			continue
		}
		computed := namingFields(c.computed, l.name)
		at, key := c.parent.place, c.parent.key
		if origins := slices.Concat(computed, c.patterns); len(origins) > 0 {
			at, key = c.parent.r.PlaceOf(origins[0].Label.Pos()), origins[0].Site.Key
		}
		k := c.childOf(l, at, key)
		for _, f := range computed {
			to := f.Site
			to.Shared = to.Shared || len(computed) > 1 // only one of them may be that of this field
			k.sites = append(k.sites, to)
		}
	}
}

// namingFields are those of some declarations with computed labels that may have a name: all but those whose label is an
// interpolation that begins or ends otherwise. When there is none, which of them it is cannot be told.
func namingFields(computed []site.Field, name string) []site.Field {
	out := slices.DeleteFunc(slices.Clone(computed), func(f site.Field) bool {
		label, ok := f.Label.(*ast.Interpolation)
		return ok && !interpolates(label, name)
	})
	if len(out) == 0 {
		return computed
	}
	return out
}

// interpolates reports whether an interpolation may come to a name, as far as its first and last literal tell.
func interpolates(x *ast.Interpolation, name string) bool {
	first, ok := x.Elts[0].(*ast.BasicLit)
	last, isLiteral := x.Elts[len(x.Elts)-1].(*ast.BasicLit)
	if !ok || !isLiteral || strings.HasPrefix(first.Value, "#") || strings.HasPrefix(first.Value, `"""`) {
		return true
	}
	prefix := strings.TrimSuffix(strings.TrimPrefix(first.Value, `"`), `\(`)
	suffix := strings.TrimSuffix(strings.TrimPrefix(last.Value, `)`), `"`)
	return strings.Contains(prefix+suffix, `\`) || // an escape
		strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix)
}

// addPatterns gives each child the sites of the patterns that its name matches, behind its own.
func (c *childSet) addPatterns() {
	for _, k := range c.kids {
		for _, f := range c.patterns {
			if !k.def && f.MatchesName(c.parent.r.Context, k.name) {
				to := f.Site
				to.Shared = true
				k.sites = append(k.sites, to)
			}
		}
	}
}

// childOf is the child of a label, a new one when there was none.
func (c *childSet) childOf(l label, at plan.Place, key []token.Pos) *node {
	if k := c.byLabel[l]; k != nil {
		return k
	}
	n := c.parent
	value := n.value.LookupPath(l.path())
	if !l.def {
		value, _ = value.Default()
	}
	k := &node{r: n.r, label: l, subject: n.subject, place: at, key: key, value: value}
	c.byLabel[l] = k
	c.kids = append(c.kids, k)
	return k
}

// A label is the name of a field; that of a definition begins with #.
type label struct {
	name string
	def  bool
}

func (l label) path() cue.Path {
	if l.def {
		return cue.MakePath(cue.Def(l.name))
	}
	return cue.MakePath(cue.Str(l.name))
}

// fieldNamed finds a member by its name, which begins with "#" for a definition.
func (n *node) fieldNamed(name string) (*node, bool) {
	for _, k := range n.allFields() {
		if k.name == name && k.def == strings.HasPrefix(name, "#") {
			return k, true
		}
	}
	return nil, false
}

// declares reports whether one of some members has a member of a name.
func (n *node) declares(name string, sections ...string) bool {
	return slices.ContainsFunc(sections, func(section string) bool {
		k, ok := n.fieldNamed(section)
		if ok {
			_, ok = k.fieldNamed(name)
		}
		return ok
	})
}

// elementsOf are the elements of a field that is a list, none when there is no such field.
func (n *node) elementsOf(name string) []*node {
	if k, ok := n.fieldNamed(name); ok {
		return k.listElements()
	}
	return nil
}

// fieldsOf are the members of a field that is a struct, none when there is no such field.
func (n *node) fieldsOf(name string) []*node {
	if k, ok := n.fieldNamed(name); ok && k.checkKind(cue.StructKind, "a struct") {
		out := k.dataFields()
		k.reportUnmet(fieldset.Set{})
		if len(out) == 0 {
			k.reportEmpty()
		}
		return out
	}
	return nil
}

// isReportedEmpty has the fields of which more is known where they are empty, or which must be there although they are.
var isReportedEmpty = map[string]bool{"keyed": true, "params": true, "values": true}

// reportEmpty reports a struct of definitions that is written out and has none: whoever wrote it had something to say.
func (n *node) reportEmpty() {
	isEmpty := func(s site.Site) bool {
		lit, ok := s.Expr.(*ast.StructLit)
		return ok && len(lit.Elts) == 0
	}
	if sites := n.flatSites(); isReportedEmpty[n.name] || len(sites) == 0 ||
		!slices.ContainsFunc(sites, isEmpty) || slices.ContainsFunc(sites, func(s site.Site) bool { return !isEmpty(s) }) {
		return
	}
	d := n.addf("empty-section", "%s is empty: nothing stands in it", n.name)
	d.Repair = "leave it out"
	if form := explain.StructForm(n.subject, n.name); form != "" {
		d.Repair += ", or " + form
	}
}

// dataFields returns the members without definitions: an author's data, such as the rows of a table.
func (n *node) dataFields() []*node {
	return slices.DeleteFunc(slices.Clone(n.allFields()), func(k *node) bool { return k.def })
}

// listedNames returns the elements of a list that are all names; nil of anything else.
func (n *node) listedNames() (out []string) {
	if n.value.IncompleteKind() != cue.ListKind {
		return nil
	}
	for _, e := range n.listElements() {
		word := textOf(e)
		if !identifier().MatchString(word) {
			return nil
		}
		out = append(out, word)
	}
	return out
}

// isOpen reports whether a value may still be of a kind, and of others: "_", or the string | {...} of the schema that nobody
// has filled in.
func (n *node) isOpen(kind cue.Kind) bool {
	v, _ := n.value.Default()
	return v.IncompleteKind()&kind != 0 && v.IncompleteKind()&^kind != 0
}

// checkKind reports whether the value is of a kind, and says so when it is not. A struct that is in error is still one, so
// that everything else in it is read.
func (n *node) checkKind(kind cue.Kind, what string) bool {
	switch {
	case n.isError() && explain.IsStructuralCycle(n.value.Err().Error()): // nothing in it means anything
		n.r.ReportErrors(n.value.Err())
	case n.isOpen(kind):
		n.reportUnwritten(what)
	case n.value.IncompleteKind()&kind != 0, n.isError() && kind == cue.StructKind && n.isWrittenAsStruct():
		return true
	case n.isError():
		n.r.ReportErrors(n.value.Err())
	default:
		d := n.addf("wrong-type", "%s must be %s", n.name, what)
		if kind == cue.StructKind || kind == cue.ListKind {
			d.Breaks = n.brokenNames() // what stands in it is read by nobody
		}
		switch kind {
		case cue.StructKind:
			d.Repair = explain.StructForm(n.subject, n.name)
			if words := n.listedNames(); words != nil && n.name == "values" {
				d.Repair = fmt.Sprintf(`write values: {%s: "..."}, with the meaning of each`,
					strings.Join(words, `: "...", `))
			}
		case cue.ListKind:
			d.Repair = explain.ListForm(n.name)
			if n.isString() {
				d.Repair = fmt.Sprintf("write %s: [%q]", n.labelText(), textOf(n))
			}
		case cue.NumberKind, cue.IntKind, cue.BoolKind:
			if text := textOf(n); isWrittenInQuotes(text, kind) {
				d.Repair = fmt.Sprintf("write %s: %s, without quotes", n.labelText(), text)
			}
		}
	}
	return false
}

// isWrittenInQuotes reports whether a text is a number, or a truth, of which only the quotes are wrong.
func isWrittenInQuotes(text string, kind cue.Kind) bool {
	if kind == cue.BoolKind {
		return text == "true" || text == "false"
	}
	number, err := strconv.ParseFloat(text, 64)
	return err == nil && !math.IsInf(number, 0) && !math.IsNaN(number)
}

// isError reports whether the value is in error.
func (n *node) isError() bool { return n.value.IncompleteKind() == cue.BottomKind }

// isWrittenAsStruct reports whether the author wrote a struct, or names a package.
func (n *node) isWrittenAsStruct() bool {
	return slices.ContainsFunc(n.flatSites(), func(s site.Site) bool {
		_, ok := s.Expr.(*ast.StructLit)
		_, named := s.ImportedPackage()
		return ok || named
	})
}

// isStruct reports whether the value is a struct, in error or not.
func (n *node) isStruct() bool {
	return n.value.IncompleteKind() == cue.StructKind || n.isError() && n.isWrittenAsStruct()
}

// isString reports whether the value is a text.
func (n *node) isString() bool { return n.value.IncompleteKind() == cue.StringKind }

// addf reports a problem at the node's value.
func (n *node) addf(code diag.Code, format string, args ...any) *diag.Diagnostic {
	return n.r.addf(code, n.placeOf(), n.subject, format, args...)
}

// leastWritten returns the number that the author wrote as a least bound, >=13; "" where there is none.
func (n *node) leastWritten() string {
	for _, s := range n.flatSites() {
		x, ok := s.Expr.(*ast.UnaryExpr)
		if !ok || x.Op != token.GEQ && x.Op != token.GTR {
			continue
		}
		if number, ok := x.X.(*ast.BasicLit); ok {
			return number.Value
		}
	}
	return ""
}

// reportUnwritten reports a value that is a type, or computed from one, where a kind of value must be written out.
func (n *node) reportUnwritten(kind string) {
	if what := n.isContainer(); what != "" && kind == "a string" {
		d := n.addf("wrong-type", "%s must be a text in quotes, and not %s", n.name, what)
		d.Repair = fmt.Sprintf(`write %s: "..."`, n.labelText())
		if n.name == "die" {
			d.Repair = "write die: 6 for faces from 1 to 6; faces of its own are faces: [1, 1, 2]"
		}
		if n.name == "on" && what == "a list" {
			d.Repair = `write on: "max", on: "<=2" or on: ">=5"; other faces a formula says: on: "roll in [1, 3]"`
		}
		if expr, ok := n.fieldNamed("expr"); ok && what == "a struct" {
			d.Repair = fmt.Sprintf("write %s: %q", n.labelText(), textOf(expr))
		}
		return
	}
	d := n.addf("not-concrete", "%s must be %s that is written out", n.name, kind)
	if least := n.leastWritten(); n.name == "on" && least != "" {
		d.Repair = adviseOpenEnd("on", least)
	}
	if n.value.IncompleteKind() == cue.NullKind {
		d.Repair = "there is no null: leave the field out, or give a value, as 0, or a word that says that there is none"
	}
	if kind == "a string" && n.value.IncompleteKind() == cue.BytesKind {
		d.Repair = "a text stands in double quotes, and a word that a formula is in both: \"'word'\""
	}
	for _, s := range n.sites {
		if id, ok := s.Expr.(*ast.Ident); ok && id.Name == n.name {
			d.Repair = fmt.Sprintf("%s: %[1]s is the field itself: give what it should be, as the variable of a loop, "+
				"another name", n.name)
		}
	}
}

// isContainer returns "a struct" or "a list" where the value is one; "" where it is not.
func (n *node) isContainer() string {
	switch n.value.IncompleteKind() {
	case cue.StructKind:
		return "a struct"
	case cue.ListKind:
		return "a list"
	}
	return ""
}

// labelText returns the name as a label is written: in quotes where it is no identifier.
func (n *node) labelText() string {
	if identifier().MatchString(n.name) {
		return n.name
	}
	return strconv.Quote(n.name)
}

// placeOfField returns the place of a field's value; none where the field is not there.
func (n *node) placeOfField(name string) (at plan.Place) {
	if k, ok := n.fieldNamed(name); ok {
		at = k.placeOf()
	}
	return at
}

// placeOf returns the place of the author's text for the value, or else of its name.
func (n *node) placeOf() plan.Place {
	for _, s := range n.sites {
		return n.r.PlaceOf(s.Expr.Pos())
	}
	return n.place
}
