package resolve

import (
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Run resolves the names of a book. It closes the shapes whose strings are keys of a table: their Enum is filled in.
func Run(b *book.Ruleset, diags *diag.List) *Ruleset {
	r := &resolver{
		diags:  diags,
		parser: syntax.NewParser(),
		read:   map[any]bool{},
		fields: map[*Entity]map[string]bool{},
		out: &Ruleset{
			Book: b, Sites: map[*book.Text]*Site{}, Options: map[string]*book.Option{}, Tables: map[string]*book.Table{},
			Procedures: b.Procedures, Scopes: map[any]*Scope{}, Ends: map[*book.Procedure]*Scope{},
			Uses: map[*book.Use]*Use{}, Broken: map[any]bool{},
		},
	}
	r.names()
	r.keys()
	r.options()
	r.traits()
	r.functions()
	r.rules()
	r.procedures()
	r.unused()
	return r.out
}

// A resolver is one run. Read holds the definitions, dice and lets that some formula reads, fields what is read of an
// input: the field's name, or "" for the whole.
type resolver struct {
	out       *Ruleset
	diags     *diag.List
	parser    *syntax.Parser
	callables map[string]any // tables and functions by name
	traitsBy  map[string]*book.Trait
	rulesBy   map[string]*book.Rule
	read      map[any]bool
	fields    map[*Entity]map[string]bool
	whole     []*Entity // every input and event there is
	subjects  map[*Entity]string
}

// scope opens a scope with the roots that may be read there.
func (r *resolver) scope(around *Scope, roots ...*Entity) *Scope {
	s := &Scope{Around: around, Names: map[string]*Entity{}}
	if around == nil {
		s.Names["option"] = &Entity{Kind: Options, Name: "option"}
	}
	for _, e := range roots {
		s.Names[e.Name] = e
	}
	return s
}

func character() *Entity { return &Entity{Kind: Character, Name: "character"} }

// root is the entity of a record that is given: an input, an event or a state.
func (r *resolver) root(kind Kind, name, subject string, shape *plan.Shape) *Entity {
	e := &Entity{Kind: kind, Name: name, Shape: shape}
	if shape != nil {
		e.Place = shape.Place
	}
	if kind != State {
		r.whole = append(r.whole, e)
	}
	if r.subjects == nil {
		r.subjects = map[*Entity]string{}
	}
	r.subjects[e] = subject
	return e
}

// declare adds a name to a scope, in which no name may stand twice.
func (r *resolver) declare(s *Scope, subject string, e *Entity) {
	if old := s.Find(e.Name); old != nil {
		d := r.diags.Addf("name-taken", e.Place, subject, "%s is already the name of %s", e.Name, describe(old))
		if old.Place.File != "" {
			d.Related = append(d.Related, diag.Related{Place: old.Place, Message: "the other " + e.Name})
		}
		return
	}
	s.Names[e.Name] = e
}

func describe(e *Entity) string {
	switch e.Kind {
	case Die:
		return "a die"
	case UseName:
		return "a use"
	case Each:
		return "what a use walks"
	case Let:
		return "a let or an output"
	case Param:
		return "a parameter"
	}
	return "the " + e.Name
}

// formula resolves an expression, or a choice among several.
func (r *resolver) formula(f *book.Formula, s *Scope, subject string) {
	if !f.By.Written() {
		r.site(&f.Expr, s, subject)
		return
	}
	r.site(&f.By, s, subject+", by")
	for i := range f.Is {
		r.site(&f.Is[i].Expr, s, subject+", "+f.Is[i].Value)
	}
}

// texts lists the expressions of a formula.
func texts(f *book.Formula) []*book.Text {
	if !f.By.Written() {
		return []*book.Text{&f.Expr}
	}
	out := []*book.Text{&f.By}
	for i := range f.Is {
		out = append(out, &f.Is[i].Expr)
	}
	return out
}

// site parses a text and resolves what it reads. An empty text is one that the author did not write, or that load
// refused.
func (r *resolver) site(t *book.Text, s *Scope, subject string) {
	if t.S == "" && t.Runs == nil {
		return
	}
	site := &Site{Text: t, Subject: subject, Scope: s}
	r.out.Sites[t] = site
	expr, wrong := r.parser.Parse(t.S)
	if wrong != nil {
		r.diags.Addf("syntax", t.At(wrong.Rune), subject, "%s", wrong.Message)
		return
	}
	if r.resolve(site, expr) {
		site.Expr = expr
	}
}

// resolve notes what an expression reads and reports what is not there.
func (r *resolver) resolve(site *Site, expr *syntax.Expr) bool {
	ok := true
	for _, b := range expr.Binds {
		ok = r.bind(site, b) && ok
	}
	behind := len(site.Text.S) // where the first unknown call x.f( stands
	for _, c := range expr.Calls {
		if !r.call(site, c) {
			ok = false
			if c.Member {
				behind = min(behind, c.Rune)
			}
		}
	}
	for _, ref := range expr.Refs {
		// What is unknown behind it may be the variable of the macro that was meant.
		if ref.Rune > behind && site.Scope.Find(ref.Name) == nil {
			continue
		}
		ok = r.ref(site, ref) && ok
	}
	for name := range expr.Fields {
		if t := r.traitsBy[name]; t != nil {
			r.read[t] = true
		}
	}
	return ok
}

func (r *resolver) bind(site *Site, b syntax.Bind) bool {
	old := site.Scope.Find(b.Name)
	if old == nil {
		return true
	}
	r.diags.Addf("name-hidden", site.Text.At(b.Rune), site.Subject, "%s hides %s of that name", b.Name, describe(old)).
		Repair = "give the variable another name"
	return false
}

func (r *resolver) ref(site *Site, ref syntax.Ref) bool {
	e := site.Scope.Find(ref.Name)
	if e == nil {
		r.unknown(site, ref)
		return false
	}
	if e.Kind == Options {
		return r.option(site, ref)
	}
	r.note(site, e)
	if e.Shape != nil {
		r.noteField(e, ref.Path)
	}
	return true
}

// note records that a site reads an entity.
func (r *resolver) note(site *Site, e *Entity) {
	for _, old := range site.Reads {
		if old == e {
			return
		}
	}
	site.Reads = append(site.Reads, e)
	r.read[e] = true
}

func (r *resolver) noteField(e *Entity, path []syntax.Step) {
	if r.fields[e] == nil {
		r.fields[e] = map[string]bool{}
	}
	name := ""
	if len(path) > 0 {
		name = path[0].Name
	}
	r.fields[e][name] = true
}

// option checks option.<id>.
func (r *resolver) option(site *Site, ref syntax.Ref) bool {
	if len(ref.Path) == 0 {
		r.diags.Addf("unknown-option", site.Text.At(ref.Rune), site.Subject, "option stands alone").
			Repair = "name the option: option.<id>"
		return false
	}
	id := ref.Path[0]
	if o := r.out.Options[id.Name]; o != nil {
		r.read[o] = true
		return true
	}
	r.diags.Addf("unknown-option", site.Text.At(id.Rune), site.Subject, "there is no option %s", id.Name).
		Repair = diag.DidYouMean(id.Name, keys(r.out.Options))
	return false
}

// unknown says why a name cannot be read.
func (r *resolver) unknown(site *Site, ref syntax.Ref) {
	d := r.diags.Addf("unknown-name", site.Text.At(ref.Rune), site.Subject, "there is no %s here", ref.Name)
	switch {
	case r.callables[ref.Name] != nil:
		d.Message = fmt.Sprintf("%s is %s", ref.Name, kindOf(r.callables[ref.Name]))
		d.Repair = fmt.Sprintf("call it: %s(...)", ref.Name)
	case r.out.Options[ref.Name] != nil:
		d.Repair = "did you mean option." + ref.Name + "?"
	case r.traitsBy[ref.Name] != nil:
		d.Repair = "did you mean character." + ref.Name + "?"
	case r.rulesBy[ref.Name] != nil:
		d.Message = fmt.Sprintf("%s is a rule", ref.Name)
		d.Repair = fmt.Sprintf("roll it with use: <name>: rule: %q and read <name>.<output>", ref.Name)
	case isRoot(ref.Name):
		d.Message = ref.Name + " may not be read here"
	case r.isValue(ref.Name):
		d.Repair = fmt.Sprintf("a string stands in quotes: '%s'", ref.Name)
	default:
		d.Repair = diag.DidYouMean(ref.Name, site.Scope.all())
	}
}

// isValue reports whether a name is a key of a table or a value of an option, which formulas write as strings.
func (r *resolver) isValue(name string) bool {
	for _, t := range r.out.Tables {
		if slices.ContainsFunc(t.Rows, func(row book.Row) bool { return row.Key == name }) {
			return true
		}
	}
	for _, o := range r.out.Options {
		if slices.ContainsFunc(o.Values, func(v book.Value) bool { return v.Name == name }) {
			return true
		}
	}
	return false
}

func isRoot(name string) bool {
	switch name {
	case "character", "input", "event", "state":
		return true
	}
	return false
}

func kindOf(x any) string {
	if _, ok := x.(*book.Table); ok {
		return "a table"
	}
	return "a function"
}

// call checks that a function of that name may be called, tables among them.
func (r *resolver) call(site *Site, c syntax.Call) bool {
	if x := r.callables[c.Name]; x != nil && !c.Member {
		r.read[x] = true
		return true
	}
	if standard[c.Name] {
		return true
	}
	at := site.Text.At(c.Rune)
	if r.disabled(site.Subject, at, "functions", c.Name) || r.disabled(site.Subject, at, "tables", c.Name) {
		return false
	}
	d := r.diags.Addf("unknown-function", at, site.Subject, "there is no function %s", c.Name)
	switch {
	case r.callables[c.Name] != nil:
		d.Message = fmt.Sprintf("%s is %s and no function of what stands before the dot", c.Name, kindOf(r.callables[c.Name]))
		d.Repair = fmt.Sprintf("write %s(...)", c.Name)
	case r.rulesBy[c.Name] != nil:
		d.Message = fmt.Sprintf("%s is a rule, which no formula calls", c.Name)
		d.Repair = fmt.Sprintf("roll it with use: <name>: rule: %q and read <name>.<output>", c.Name)
	default:
		d.Repair = diag.DidYouMean(c.Name, r.called(c.Member))
	}
	return false
}

// called are the names that may be called: behind a dot the macros too.
func (r *resolver) called(member bool) []string {
	out := append(keys(r.callables), keys(standard)...)
	if member {
		out = append(out, syntax.Macros()...)
	}
	return out
}

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}
