package judge

import (
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/format"
	cueparser "cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"
)

// A Conflict is a homebrew that does not go with a ruleset, or with the homebrews before it.
type Conflict struct{ Path, Why string }

func (e *Conflict) Error() string { return e.Path + ": " + e.Why }

// An Overlay is a ruleset in one file of CUE that homebrews rewrite: what it says afterwards is the ruleset that is played.
// "Of several homebrews each sees what those before it have made."
type Overlay struct {
	file     *ast.File
	changed  map[string]bool // what has been replaced or disabled, by path
	extended map[string]bool // definitions and events that have been extended
	made     map[string]bool // events that the homebrew makes, which are not there before
}

// NewOverlay reads a ruleset.
func NewOverlay(text string) (*Overlay, error) {
	f, err := cueparser.ParseFile("game.cue", text)
	return &Overlay{f, map[string]bool{}, map[string]bool{}, nil}, err
}

// Text returns the ruleset as it is now.
func (o *Overlay) Text() string {
	text, err := format.Node(o.file)
	mustSucceed(err)
	return string(text)
}

// Apply carries a homebrew out: "fields of characters and additions come first, then what is extended, replaced and
// disabled".
func (o *Overlay) Apply(homebrew string) (err error) {
	defer recoverUnjudged(&err)
	o.made = map[string]bool{}
	f, err := cueparser.ParseFile("house.cue", homebrew)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name  string
		apply func(leaf) error
		isEnd func(leaf) bool
	}{
		{"#Character", o.addField, func(x leaf) bool { return len(x.path) == 1 }},
		{"add", o.add, func(x leaf) bool { return len(x.path) == 2 }},
		{"extend", o.extend, isExtension},
		{"replace", o.replace, func(x leaf) bool { return memberOf(x.field.Value, "expect") != nil }},
		{"disable", o.disable, func(x leaf) bool { return !isStruct(x.field.Value) }},
	} {
		for _, l := range leavesOf(f.Decls, []string{part.name}, part.isEnd) {
			if err := part.apply(l); err != nil {
				return err
			}
		}
		// what was appended is read again, so that the next part finds it
		if o.file, err = cueparser.ParseFile("game.cue", o.Text()); err != nil {
			return err
		}
	}
	return nil
}

// A leaf is a field at a path of a homebrew, with nothing below it that matters by itself.
type leaf struct {
	path  []string // below the part of the homebrew
	field *ast.Field
}

// leavesOf returns the leaves under a name, in the order in which they are written.
func leavesOf(decls []ast.Decl, path []string, isEnd func(leaf) bool) (out []leaf) {
	var walk func(decls []ast.Decl, path []string)
	walk = func(decls []ast.Decl, path []string) {
		for _, f := range fieldsOf(decls) {
			l := leaf{append(slices.Clip(path), nameOf(f)), f}
			if isEnd(l) || !isStruct(f.Value) {
				out = append(out, l)
				continue
			}
			walk(membersIn(f.Value), l.path)
		}
	}
	for _, f := range find(decls, path) {
		walk(membersIn(f.Value), nil)
	}
	return out
}

func isStruct(x ast.Expr) bool { _, is := x.(*ast.StructLit); return is }

// membersIn returns the declarations of a struct.
func membersIn(x ast.Expr) []ast.Decl {
	if s, is := x.(*ast.StructLit); is {
		return s.Elts
	}
	return nil
}

func fieldsOf(decls []ast.Decl) (out []*ast.Field) {
	for _, d := range decls {
		if f, is := d.(*ast.Field); is {
			out = append(out, f)
		}
	}
	return out
}

func nameOf(f *ast.Field) string {
	name, _, err := ast.LabelName(f.Label)
	mustSucceed(err)
	return name
}

// find returns the fields at a path: CUE may declare what is above them several times.
func find(decls []ast.Decl, path []string) (out []*ast.Field) {
	for _, f := range fieldsOf(decls) {
		switch {
		case nameOf(f) != path[0]:
		case len(path) == 1:
			out = append(out, f)
		default:
			out = append(out, find(membersIn(f.Value), path[1:])...)
		}
	}
	return out
}

func memberOf(x ast.Expr, name string) ast.Expr {
	if all := find(membersIn(x), []string{name}); len(all) > 0 {
		return all[0].Value
	}
	return nil
}

func (o *Overlay) has(path ...string) bool { return len(find(o.file.Decls, path)) > 0 }

// append declares a leaf at the end of the file, where CUE unifies it with what is there.
func (o *Overlay) append(l leaf) {
	for i := len(l.path) - 2; i >= 0; i-- {
		label := ast.Label(ast.NewString(l.path[i]))
		if strings.HasPrefix(l.path[i], "#") {
			label = ast.NewIdent(l.path[i])
		}
		l.field = &ast.Field{Label: label, Value: ast.NewStruct(l.field)}
	}
	o.file.Decls = append(o.file.Decls, l.field)
}

// addField adds a field that characters have besides those of the ruleset.
func (o *Overlay) addField(l leaf) error {
	if l.path = append([]string{"#Character"}, l.path...); o.has(l.path...) {
		return taken(l.path)
	}
	o.append(l)
	return nil
}

// add adds "what the ruleset does not have, not even before another homebrew disabled it".
func (o *Overlay) add(l leaf) error {
	if o.has(l.path...) {
		return taken(l.path)
	}
	if o.isChanged(l.path) {
		return changedTwice(l.path)
	}
	o.append(l)
	return nil
}

// taken is the refusal of a name: "nothing is added over what is there".
func taken(path []string) error { return &Conflict{joinPath(path), "is there already"} }

func unknown(path []string) error { return &Conflict{joinPath(path), "is not there"} }

func joinPath(path []string) string { return strings.Join(path, ".") }

// isExtension reports whether a leaf is one thing that is appended: a row, a field, a name of a body, an end.
func isExtension(l leaf) bool {
	switch {
	case len(l.path) > 2 && l.path[0] == "procedures" && l.path[2] == "events":
		return len(l.path) == 6
	case len(l.path) > 2 && l.path[0] == "procedures" && l.path[2] == "start":
		return len(l.path) == 5
	}
	return len(l.path) == 4
}

// bodyParts are what shares its names in a body.
var bodyParts = []string{"dice", "use", "let", "output"}

// extend appends "what comes after what there is".
func (o *Overlay) extend(l leaf) error {
	definition := l.path[:2]
	if !o.has(definition...) {
		return unknown(definition)
	}
	if part := extendedPart(l.path); o.isChanged(part) {
		return changedTwice(part)
	}
	o.extended[joinPath(definition)] = true
	if len(l.path) > 4 && l.path[2] == "events" {
		o.noteEvent(l.path[:4])
	}
	if rows, isList := l.field.Value.(*ast.ListLit); isList && l.path[0] == "tables" {
		return o.appendRows(l.path, rows.Elts)
	}
	if o.has(l.path...) {
		return taken(l.path)
	}
	part := len(l.path) - 2
	for _, other := range bodyParts {
		path := slices.Clone(l.path)
		if path[part] = other; slices.Contains(bodyParts, l.path[part]) && path[0] != "tables" && o.has(path...) {
			return taken(path)
		}
	}
	o.append(l)
	return nil
}

// extendedPart returns the path of the part that an extension must not make anew if it was disabled: the row, the event, or
// else the definition.
func extendedPart(path []string) []string {
	switch {
	case len(path) > 3 && path[0] == "tables" && path[2] == "keyed":
		return []string{"tables", path[1], "rows", path[3]}
	case len(path) > 4 && path[2] == "events":
		return path[:4]
	}
	return path[:2]
}

// noteEvent notes that an event is made or extended.
func (o *Overlay) noteEvent(path []string) {
	if o.made[joinPath(path)] = o.made[joinPath(path)] || !o.has(path...); !o.made[joinPath(path)] {
		o.extended[joinPath(path)] = true
	}
}

// appendRows appends rows to a list of bands or steps.
func (o *Overlay) appendRows(path []string, rows []ast.Expr) error {
	all := find(o.file.Decls, path)
	if len(all) == 0 {
		return &Conflict{joinPath(path), "is a table of another kind"}
	}
	to, isList := all[0].Value.(*ast.ListLit)
	if !isList {
		return &Unjudged{"rows that are computed"}
	}
	for _, row := range rows {
		if name := []string{"tables", path[1], "rows", rowName(row)}; o.isChanged(name) {
			return changedTwice(name)
		}
		if slices.ContainsFunc(to.Elts, func(x ast.Expr) bool { return rowName(x) == rowName(row) }) {
			return taken(append(slices.Clip(path), rowName(row)))
		}
	}
	to.Elts = append(to.Elts, rows...)
	for _, x := range to.Elts { // on one line, which is always written with its commas
		ast.SetRelPos(x, token.Blank)
	}
	to.Rbrack = token.Blank.Pos()
	return nil
}

// rowName returns how a row is named: "by its key, "7 to 9", "from 3" or "above 3"".
func rowName(row ast.Expr) string {
	for _, name := range []string{"from", "above"} {
		if x := memberOf(row, name); x != nil {
			return name + " " + plainText(x)
		}
	}
	on := memberOf(row, "on")
	if l, isList := on.(*ast.ListLit); isList && len(l.Elts) == 2 {
		return plainText(l.Elts[0]) + " to " + plainText(l.Elts[1])
	}
	if on == nil {
		return ""
	}
	return plainText(on)
}

// plainText writes an expression without its blanks and line breaks, which "say nothing".
func plainText(x ast.Node) string {
	text, err := format.Node(x, format.Simplify())
	mustSucceed(err)
	return strings.Join(strings.Fields(string(text)), "")
}

// isChanged reports whether a path, or one above it, has been replaced or disabled.
func (o *Overlay) isChanged(path []string) bool {
	for n := len(path); n > 1; n-- {
		if o.changed[joinPath(path[:n])] {
			return true
		}
	}
	return false
}

// changedTwice is the refusal of a second change: "nothing is changed twice".
func changedTwice(path []string) error { return &Conflict{joinPath(path), "is changed twice"} }

// replace puts something "in the place of something: it says what it expects to find there".
func (o *Overlay) replace(l leaf) error {
	targets := o.targetsOf(l.path)
	switch {
	case o.isChanged(l.path):
		return changedTwice(l.path)
	case len(targets) == 0:
		return unknown(l.path)
	case len(targets) > 1:
		return &Unjudged{"the replacement of what is declared in parts"}
	}
	o.changed[joinPath(l.path)] = true
	if expected := memberOf(l.field.Value, "expect"); plainText(targets[0].Value) != plainText(expected) {
		return &Conflict{joinPath(l.path), fmt.Sprintf("is %s and not %s", plainText(targets[0].Value), plainText(expected))}
	}
	targets[0].Value = memberOf(l.field.Value, "with")
	if says := memberOf(l.field.Value, "says"); says != nil {
		targets[0].Label = says.(*ast.BasicLit)
	}
	return nil
}

// targetsOf returns the fields that a path of a replacement names.
func (o *Overlay) targetsOf(path []string) []*ast.Field {
	switch {
	case len(path) == 2 && path[0] == "options":
		return find(o.file.Decls, append(slices.Clip(path), "default"))
	case len(path) == 2 && (path[0] == "traits" || path[0] == "functions"):
		return find(o.file.Decls, append(slices.Clip(path), "expr"))
	case len(path) == 2:
		panic(&Unjudged{"the replacement of all rows"})
	case path[0] == "tables" && path[2] == "rows":
		if list, i := o.findRow(path[1], path[3]); list != nil {
			return find(membersIn(list.Elts[i]), path[4:])
		}
		return find(o.file.Decls, append([]string{"tables", path[1], "keyed", path[3]}, path[4:]...))
	}
	return find(o.file.Decls, path)
}

// findRow returns the list in which a row of bands or steps stands, and its place there.
func (o *Overlay) findRow(id, row string) (*ast.ListLit, int) {
	for _, kind := range []string{"bands", "steps"} {
		for _, f := range find(o.file.Decls, []string{"tables", id, kind}) {
			list, isList := f.Value.(*ast.ListLit)
			if !isList {
				continue
			}
			if i := slices.IndexFunc(list.Elts, func(x ast.Expr) bool { return rowName(x) == row }); i >= 0 {
				return list, i
			}
		}
	}
	return nil, 0
}

// disable takes out "what is not used, with the reason: definitions, rows, events". Nothing is disabled "that another
// homebrew has extended".
func (o *Overlay) disable(l leaf) error {
	path := joinPath(l.path)
	if !o.remove(l.path) {
		if o.isChanged(l.path) {
			return changedTwice(l.path)
		}
		return unknown(l.path)
	}
	for _, changes := range []map[string]bool{o.changed, o.extended} {
		for name := range changes {
			if name == path || strings.HasPrefix(name, path+".") {
				return changedTwice(l.path)
			}
		}
	}
	o.changed[path] = true
	return nil
}

// remove removes what a path names, and reports whether there was any.
func (o *Overlay) remove(path []string) bool {
	if len(path) == 4 && path[0] == "tables" {
		if list, i := o.findRow(path[1], path[3]); list != nil {
			list.Elts = slices.Delete(list.Elts, i, i+1)
			return true
		}
		path = []string{"tables", path[1], "keyed", path[3]}
	}
	if !o.has(path...) {
		return false
	}
	removeFields(&o.file.Decls, path)
	return true
}

// removeFields removes all fields at a path.
func removeFields(decls *[]ast.Decl, path []string) {
	*decls = slices.DeleteFunc(*decls, func(d ast.Decl) bool {
		f, isField := d.(*ast.Field)
		if !isField || nameOf(f) != path[0] {
			return false
		}
		if s, is := f.Value.(*ast.StructLit); is && len(path) > 1 {
			removeFields(&s.Elts, path[1:])
			return len(s.Elts) == 0
		}
		return len(path) == 1
	})
}
