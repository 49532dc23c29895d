package check

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A site is a text where it stands: parsed, with what its names stand for.
type site struct {
	text    *book.Text
	subject string
	scope   *Scope
	expr    *syntax.Expr // nil when it does not parse, reads what is not there, or is part of a cycle
	reads   []reading    // names of its scope, each once, in the order of the text
	asks    []reading    // functions that it calls, and traits that it reads of `character`
}

// A reading is an object and where a text first reads it.
type reading struct {
	object Object
	place  plan.Place
}

func addReading(list []reading, o Object, at plan.Place) []reading {
	if slices.ContainsFunc(list, func(r reading) bool { return r.object == o }) {
		return list
	}
	return append(list, reading{o, at})
}

// A resolver finds what the names of one text stand for.
type resolver struct {
	*reporter
	site *site
	ok   bool
}

// newSite parses a text and resolves its names; problems are reported. It is nil for a text that the author did not write,
// or that load refused.
func (l *language) newSite(parser *syntax.Parser, t *book.Text, s *Scope, subject string) *site {
	if t.S == "" && t.Runs == nil {
		return nil
	}
	out := &site{text: t, subject: subject, scope: s}
	expr, wrong := parser.Parse(t)
	if wrong != nil {
		d := l.diags.Addf("syntax", wrong.Place, subject, "%s", wrong.Message)
		if e, err := dice.ParseExpression(t.S); err == nil && e.Dice() {
			d.Repair = rollFirst(t.S, s)
		} else if found := diceAmong().FindString(t.S); found != "" &&
			strings.HasSuffix(wrong.Message, "cannot stand here") {
			d.Repair = rollFirst(found, s)
		}
		return out
	}
	r := &resolver{reporter: l.reporterFor(subject), site: out, ok: true}
	r.resolveNames(expr)
	if r.ok {
		out.expr = expr
	}
	return out
}

// resolveNames looks up the names that a text binds, calls and reads, in this order. Calls come before references because
// of a misspelt macro: in xs.fitler(x, x > 2) CEL's parser expands nothing, so x looks like a free name. Only the unknown
// call is reported, not the names that stand behind it in the text unless they are known.
func (r *resolver) resolveNames(expr *syntax.Expr) {
	for _, b := range expr.Binds {
		r.checkBinding(b)
	}
	behind := math.MaxInt // where the first unknown call x.f( stands
	passed := map[int]bool{}
	for _, c := range expr.Calls {
		if !r.resolveCall(expr, c) {
			r.ok = false
			r.passOver(expr, c, passed)
			if section := sectionBefore(expr, c); section >= 0 {
				passed[section] = true
			}
			if c.Member || macroForms[c.Name] != "" {
				behind = min(behind, c.Offset)
			}
		}
	}
	for _, ref := range expr.Refs {
		// What is unknown behind such a call may be the variable of the macro that was meant.
		if !passed[ref.Offset] && (ref.Offset <= behind || r.site.scope.findObject(ref.Name) != nil) {
			r.resolveRef(ref)
		}
	}
}

// sectionBefore returns the offset of a library's name, or of a section of the ruleset, before the dot of a call,
// math.floor(x) and tables.weapon(key); -1 when none stands there.
func sectionBefore(expr *syntax.Expr, c syntax.Call) int {
	i := slices.IndexFunc(expr.Refs, func(ref syntax.Ref) bool {
		return c.Member && len(ref.Path) == 0 && ref.Offset+len(ref.Name)+len(".") == c.Offset &&
			slices.Contains([]string{"math", "Math", "tables", "functions", "rules"}, ref.Name)
	})
	if i < 0 {
		return -1
	}
	return expr.Refs[i].Offset
}

// checkBinding reports the variable of a macro that hides a name: formulas with one are read wrongly too easily.
func (r *resolver) checkBinding(b syntax.Bind) {
	if old := r.site.scope.findObject(b.Name); old != nil {
		r.ok = false
		r.addf("name-hidden", b.Place, "%s hides %s of that name", b.Name, describeObject(old)).
			Repair = "give the variable another name"
	}
}

// resolveRef notes the object of a name. A trait that is read of the character, character.strong, is noted as asked too: it
// must be typed before the text is, so that CEL finds it among the fields.
func (r *resolver) resolveRef(ref syntax.Ref) {
	o := r.findQualified(ref)
	switch o := o.(type) {
	case nil:
		if r.ok = false; !r.isBehindHyphen(ref) {
			r.reportUnknown(ref)
		}
		return
	case *OptionSet:
		r.ok = r.resolveOption(ref) && r.ok
		return
	case *Given:
		if o.Root == plan.CharacterRoot && len(ref.Path) > 0 && r.traits[ref.Path[0].Name] != nil {
			r.site.asks = addReading(r.site.asks, r.traits[ref.Path[0].Name], ref.Place)
		}
	case *Param:
		if o.typ.Character && len(ref.Path) > 0 && r.traits[ref.Path[0].Name] != nil {
			r.site.asks = addReading(r.site.asks, r.traits[ref.Path[0].Name], ref.Place)
		}
	}
	r.site.reads = addReading(r.site.reads, o, ref.Place)
}

// findQualified finds the object of a name. Outside of a ruleset, a name may have dots in it; as in CEL the longest counts.
// (CEL specification, "Name Resolution": for a.b.c the longest declared prefix is the variable.)
func (r *resolver) findQualified(ref syntax.Ref) Object {
	name := ref.Name
	found := r.site.scope.findObject(name)
	for _, step := range ref.Path {
		name += "." + step.Name
		if o := r.site.scope.findObject(name); o != nil {
			found = o
		}
	}
	return found
}

// resolveOption checks option.<id>.
func (r *resolver) resolveOption(ref syntax.Ref) bool {
	if len(ref.Path) == 0 {
		r.addf("unknown-option", ref.Place, "option stands alone").Repair = "name the option: option.<id>"
		return false
	}
	id := ref.Path[0]
	if r.options[id.Name] != nil {
		return true
	}
	r.addf("unknown-option", id.Place, "there is no option %s", id.Name).About(id.Name).Repair =
		diag.DidYouMeanOneOf(id.Name, sortedKeys(r.options))
	return false
}

// isChart reports whether an object is a table with two keys.
func isChart(o Object) bool {
	t, ok := o.(*Table)
	return ok && t.Across != nil
}

// keyInBrackets returns what stands in brackets behind a name, as behind a list or a map: weapon['axe']; "" where nothing
// does.
func (r *resolver) keyInBrackets(ref syntax.Ref) string {
	rest, ok := strings.CutPrefix(r.site.text.S[ref.Offset+len(ref.Name):], "[")
	key, _, closed := strings.Cut(rest, "]")
	if !ok || !closed || strings.Contains(key, "[") {
		return ""
	}
	return key
}

// reportUnknown says why a name cannot be read.
// The cases stand from the surest to the weakest guess; the last proposes the nearest name by
// spelling.
func (r *resolver) reportUnknown(ref syntax.Ref) {
	d := r.addf("unknown-name", ref.Place, "there is no %s here", ref.Name).About(ref.Name)
	switch {
	case strings.HasPrefix(ref.Name, "_"):
		d.Repair = fmt.Sprintf(`formulas see no names of CUE: \(%s) puts its value into the text of the formula`, ref.Name)
	case r.joinedName(ref) != "":
		d.Repair = "- subtracts, and a name has _ in it: write " + r.joinedName(ref)
	case ref.Name == "next" && len(ref.Path) > 0:
		d.Repair = r.adviseNext(ref.Path[0].Name)
	case r.callables[ref.Name] != nil:
		d.Message = fmt.Sprintf("%s is %s", ref.Name, describeObject(r.callables[ref.Name]))
		d.Repair = adviseCallable(ref.Name, r.callables[ref.Name], pathNames(ref))
		if near := r.recordsWith(ref.Name); len(ref.Path) == 0 && len(near) > 0 {
			d.Repair = "did you mean " + strings.Join(near, " or ") + "?"
		}
		if key := r.keyInBrackets(ref); key != "" && !isChart(r.callables[ref.Name]) {
			d.Repair = fmt.Sprintf("a key stands in parentheses: %s(%s)", ref.Name, key)
		}
	case len(r.recordsWith(ref.Name)) > 0:
		d.Repair = "did you mean " + strings.Join(r.recordsWith(ref.Name), " or ") + "?"
		if isStringValue(r.book, ref.Name) && r.isCompared(ref) {
			d.Repair = fmt.Sprintf("a string stands in quotes: '%s'; a number is compared with %s", ref.Name,
				strings.Join(r.recordsWith(ref.Name), " or "))
		}
	case r.rules[ref.Name] != nil:
		d.Message = fmt.Sprintf("%s is a rule", ref.Name)
		d.Repair = fmt.Sprintf("roll it with use: <name>: rule: %q and read <name>.<output>", ref.Name)
		if len(ref.Path) > 0 && r.site.scope.findObject(ref.Path[0].Name) != nil {
			d.Repair = "a name stands alone: " + strings.Join(pathNames(ref), ".")
		} else if uses := r.site.scope.usesOf(ref.Name); len(uses) > 0 {
			d.Repair = fmt.Sprintf("%s is a use of %s here: write %s", uses[0], ref.Name,
				strings.Join(append([]string{uses[0]}, pathNames(ref)...), "."))
		}
	case slices.Contains([]string{"character", "input", "event", "state"}, ref.Name):
		d.Message = ref.Name + " may not be read here"
		field := ""
		if len(ref.Path) > 0 {
			field = ref.Path[0].Name
		}
		d.Repair = r.adviseRecord(ref.Name, field)
	case len(ref.Path) > 0 && r.adviseSection(ref) != "":
		d.Repair = r.adviseSection(ref)
	case len(ref.Path) > 0 && len(r.recordsWith(ref.Path[0].Name)) > 0 &&
		diag.Nearest(ref.Name, r.site.scope.readableNames()) == "": // self.agility
		d.Repair = "did you mean " + strings.Join(r.recordsWith(ref.Path[0].Name), " or ") + "?"
	case dice.IsNotation(ref.Name):
		d.Repair = rollFirst(ref.Name, r.site.scope)
		if _, own, ok := strings.Cut(r.site.subject, ", let "); ok && !strings.Contains(own, ",") &&
			r.site.text.S == ref.Name {
			d.Repair = fmt.Sprintf("a formula rolls no dice: write dice: %s: %q in place of the let", own, ref.Name)
		}
	case slices.Contains([]string{"True", "TRUE", "False", "FALSE"}, ref.Name):
		d.Repair = "write " + strings.ToLower(ref.Name)
	case ref.Name == "yes" || ref.Name == "no":
		d.Repair = fmt.Sprintf("write %t", ref.Name == "yes")
	case slices.Contains([]string{"None", "nil", "undefined", "NULL", "Null"}, ref.Name):
		d.Repair = missingForm
	case isStringValue(r.book, ref.Name):
		d.Repair = fmt.Sprintf("a string stands in quotes: '%s'", ref.Name)
		if r.site.text.S == ref.Name {
			d.Repair = fmt.Sprintf("a word in a formula has quotes of its own: write \"'%s'\"", ref.Name)
		}
	case len(r.tablesWith(ref.Name)) > 0 && diag.Nearest(ref.Name, r.site.scope.readableNames()) == "":
		d.Repair = fmt.Sprintf("a column is read from a row: %s(...).%s", r.tablesWith(ref.Name)[0], ref.Name)
	case r.adviseStep(ref.Name) != "":
		d.Repair = r.adviseStep(ref.Name)
	default:
		known := slices.DeleteFunc(r.site.scope.readableNames(), r.isOwnName)
		d.Repair = diag.DidYouMean(ref.Name, known)
		if unread := r.unreadParameter(known); unread != "" && (d.Repair == "" || r.isRead(diag.Nearest(ref.Name, known))) {
			d.Repair = fmt.Sprintf("did you mean the parameter %s, which nothing reads?", unread)
		}
		if d.Repair == "" && 0 < len(known) && len(known) <= diag.MaxListed {
			d.Repair = "what can be read here: " + strings.Join(known, ", ")
		}
	}
}

// adviseStep returns where a die, a use or a let of an event is read that a formula before or behind it names; "" of
// all else.
func (r *resolver) adviseStep(name string) string {
	procedure, part, _ := strings.Cut(r.site.subject, ", ")
	id, isProcedure := strings.CutPrefix(procedure, "procedure ")
	if !isProcedure || r.book == nil {
		return ""
	}
	p := slices.IndexFunc(r.book.Procedures, func(p *book.Procedure) bool { return p.ID == id })
	if p < 0 {
		return ""
	}
	for _, e := range r.book.Procedures[p].Events {
		if !e.Body.HasPart(name) {
			continue
		}
		if part == "event "+e.ID+", when" {
			return fmt.Sprintf("the event is offered before there is a %s: ask for it in let, require or next", name)
		}
		return fmt.Sprintf("%s belongs to the event %s: keep it by next in a field of #State, and read state.NAME",
			name, e.ID)
	}
	return ""
}

// isOwnName reports whether a name is that of the formula itself, which cannot read what it comes to.
func (r *resolver) isOwnName(name string) bool {
	return slices.ContainsFunc(strings.Split(r.site.subject, ", "), func(part string) bool {
		return slices.Contains([]string{"let " + name, "output " + name, "dice " + name, "use " + name, "trait " + name,
			"function " + name}, part)
	})
}

// hyphened is a name with hyphens in it, which a formula reads as a subtraction, perhaps behind a record.
var hyphened = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([A-Za-z_]\w*\.)?([A-Za-z_]\w*(?:-[A-Za-z_]\w*)+)`)
})

// joinedName returns the name with _ that the hyphens around an unknown name mean, character.might_mod for might-mod; ""
// where there is no such name.
func (r *resolver) joinedName(ref syntax.Ref) string {
	text := r.site.text.S
	at := len(string([]rune(text)[:ref.Offset]))
	for _, m := range hyphened().FindAllStringSubmatchIndex(text, -1) {
		if at < m[0] || at >= m[1] {
			continue
		}
		name := strings.ReplaceAll(text[m[4]:m[5]], "-", "_")
		if records := r.recordsWith(name); len(records) > 0 {
			return records[0]
		}
		if r.site.scope.findObject(name) != nil || r.callables[name] != nil {
			return name
		}
	}
	return ""
}

// isBehindHyphen reports whether an unknown name is the rest of a name with hyphens of which the beginning is unknown too,
// and reported: the mod of might-mod.
func (r *resolver) isBehindHyphen(ref syntax.Ref) bool {
	text := r.site.text.S
	at := len(string([]rune(text)[:ref.Offset]))
	for _, m := range hyphened().FindAllStringSubmatchIndex(text, -1) {
		first, _, _ := strings.Cut(text[m[4]:m[5]], "-")
		if m[2] < 0 && m[4] < at && at < m[5] && r.site.scope.findObject(first) == nil {
			return r.joinedName(ref) != ""
		}
	}
	return false
}

// adviseNext returns what to write for a value of the state as it will be, next.turn: every formula of next reads the state
// as it is before the step.
func (r *resolver) adviseNext(field string) string {
	const before = "all formulas of next read the state before the step: "
	if r.book == nil {
		return before + "write what the new value comes to"
	}
	for _, p := range r.book.Procedures {
		steps := []*book.Step{}
		if p.Start != nil && r.site.subject != "" && strings.HasPrefix(r.site.subject, "procedure "+p.ID+", start") {
			steps = append(steps, p.Start)
		}
		for _, e := range p.Events {
			if strings.HasPrefix(r.site.subject, "procedure "+p.ID+", event "+e.ID+", ") {
				steps = append(steps, &e.Step)
			}
		}
		for _, x := range steps {
			for _, n := range x.Next {
				if n.Name == field && n.Formula.Expr.S != "" {
					return before + "write what the new value comes to, " + n.Formula.Expr.S + ", or a let that both read"
				}
			}
		}
	}
	return before + "state." + field + " is the old value"
}

// isCompared reports whether a name is an operand of == or !=.
func (r *resolver) isCompared(ref syntax.Ref) bool {
	text := []rune(r.site.text.S)
	before := strings.TrimRight(string(text[:ref.Offset]), " ")
	behind := strings.TrimLeft(string(text[ref.Offset+len([]rune(ref.Name)):]), " ")
	return len(ref.Path) == 0 && (strings.HasSuffix(before, "==") || strings.HasSuffix(before, "!=") ||
		strings.HasPrefix(behind, "==") || strings.HasPrefix(behind, "!="))
}

// isRead reports whether the formula has a name.
func (r *resolver) isRead(name string) bool {
	text := r.site.text.S
	return slices.ContainsFunc(syntax.Tokens(text), func(t syntax.Token) bool { return text[t.From:t.To] == name })
}

// unreadParameter returns the one parameter of a function that its formula does not read; "" where none or several are so.
func (r *resolver) unreadParameter(known []string) string {
	if !r.site.scope.ofFunction {
		return ""
	}
	var unread []string
	for _, name := range known {
		if name != "option" && !r.isRead(name) {
			unread = append(unread, name)
		}
	}
	if len(unread) != 1 {
		return ""
	}
	return unread[0]
}

// countedValue is a call that counts a value among the elements of a list, as other languages have it: pool.count(6).
var countedValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\w+)\(\s*(-?[0-9.]+|'[^']*'|"[^"]*")\s*\)`)
})

// receiver is the name before the dot of a call.
var receiver = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z_][\w.]*\.$`) })

// comparedForm returns the call of a macro whose condition is that an element is the value that is written alone; "" of any
// other call.
func (r *resolver) comparedForm(c syntax.Call) string {
	if c.Name != "count" && c.Name != "exists" && c.Name != "all" && c.Name != "exists_one" && c.Name != "filter" {
		return ""
	}
	text := r.site.text.S
	m, list := countedValue().FindStringSubmatch(text[c.Offset:]), receiver().FindString(text[:c.Offset])
	if m == nil || list == "" {
		return ""
	}
	return fmt.Sprintf("%s%s(x, x == %s)", list, c.Name, m[2])
}

// pathNames lists the fields that a text selects behind a name.
func pathNames(ref syntax.Ref) []string {
	names := make([]string, len(ref.Path))
	for i, step := range ref.Path {
		names[i] = step.Name
	}
	return names
}

// adviseRecord returns how a formula that may not read a record gets what it wants of it: a field, if it names one.
func (r *resolver) adviseRecord(name, field string) string {
	switch {
	case r.site.scope.ofFunction && name == "character":
		return `a function sees its parameters: params: who: "character", and who is given where it is called`
	case r.site.scope.ofFunction:
		return `a function sees its parameters: params: x: "int", and x is given where it is called`
	case strings.HasPrefix(r.site.subject, "trait ") && field != "" &&
		slices.Contains(r.recordsWith(field), "character."+field):
		return "did you mean character." + field + "? what needs input is a let of the rule"
	case strings.HasPrefix(r.site.subject, "trait "):
		return "a trait reads the character alone: what needs more is a let of the rule"
	case name == "event":
		return "what an event brings is read in that event: its next keeps it in the state"
	case name == "state" && strings.HasPrefix(r.site.subject, "rule "):
		return "a state is of procedures: a rule has input"
	}
	return ""
}

// adviseSection returns what to write in place of a path through the sections of a ruleset, rules.leap.reached; "" of any
// other path.
func (r *resolver) adviseSection(ref syntax.Ref) string {
	id := ref.Path[0].Name
	switch {
	case ref.Name == "rules" && r.rules[id] != nil:
		return fmt.Sprintf("another rule is used: use: %s: {rule: %[1]q, input: ...}, and read %[1]s.<output>", id)
	case ref.Name == "traits" && r.traits[id] != nil:
		return "write character." + id
	case ref.Name == "tables" && r.rowAtPath(ref) != "":
		return "write " + r.rowAtPath(ref)
	case (ref.Name == "tables" || ref.Name == "functions") && r.callables[id] != nil:
		return "write " + id + "(...)"
	case slices.Contains([]string{"dice", "output", "outputs", "use"}, ref.Name) && r.site.scope.findObject(id) != nil:
		return "a name stands alone: " + id
	}
	return ""
}

// rowAtPath returns the look-up that a path into the tables means, tool('pick').noise for tables.tool.pick.noise; "" of
// a path that names no row.
func (r *resolver) rowAtPath(ref syntax.Ref) string {
	path := pathNames(ref)
	t, ok := r.callables[path[0]].(*Table)
	if !ok || len(path) < 2 || !slices.ContainsFunc(t.Book.Rows, func(row book.Row) bool { return row.Key == path[1] }) {
		return ""
	}
	return strings.Join(append([]string{fmt.Sprintf("%s('%s')", path[0], path[1])}, path[2:]...), ".")
}

// tablesWith returns the tables that have a column.
func (r *resolver) tablesWith(column string) (out []string) {
	for _, name := range sortedKeys(r.callables) {
		t, ok := r.callables[name].(*Table)
		if ok && t.Across == nil && t.Book.Gives.S == "" &&
			slices.ContainsFunc(t.Book.Columns, func(m plan.Member) bool { return m.Name == column }) {
			out = append(out, name)
		}
	}
	return out
}

// diceAmong is dice in notation among the operands of a formula.
var diceAmong = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b\d+d\d+\b`) })

// recordsWith lists how a name is written in full: behind each record that may be read here and has a field of that name.
func (r *resolver) recordsWith(name string) (out []string) {
	if r.options[name] != nil {
		out = append(out, "option."+name)
	}
	isCharacter := r.traits[name] != nil
	for _, root := range []string{"character", "input", "event", "state"} {
		given, ok := r.site.scope.findObject(root).(*Given)
		if !ok {
			continue
		}
		shape := given.Shape
		if shape != nil && shape.Character && r.book != nil {
			shape = r.book.Character
		}
		if ShapeAt(shape, name) != nil && !isOpenMap(shape) || isCharacter && root == "character" {
			out = append(out, root+"."+name)
		}
	}
	for _, use := range r.site.scope.readableNames() {
		u, ok := r.site.scope.findObject(use).(*Use)
		if !ok || len(u.Book.Each) > 0 {
			continue
		}
		isNamed := func(o book.Named) bool { return o.Name == name }
		if rule := r.rules[u.Book.Rule.S]; rule != nil && slices.ContainsFunc(rule.Book.Body.Outputs, isNamed) {
			out = append(out, use+"."+name)
		}
	}
	return out
}

// isOpenMap reports whether a shape has a field of every name.
func isOpenMap(s *plan.Shape) bool { return s.Kind == plan.Map && s.Keys == nil }

// missingForm is the repair for the null of other languages.
const missingForm = "whether a field is there is asked by has(input.x)"

// rollFirst advises somebody who writes dice into a formula: dice are declared, so that their faces have a name in
// sheets. One die is a number where no count is written, else a list.
func rollFirst(notation string, s *Scope) string {
	name := s.freeName("roll", "extra")
	if die, ok := strings.CutPrefix(notation, "1d"); ok {
		notation = "d" + die
	}
	read := name
	if e, err := dice.ParseExpression(notation); err == nil && e.Plain() != nil && e.Plain().Listed {
		read = "sum(" + name + ")"
	}
	return fmt.Sprintf("a formula rolls no dice: write dice: %s: %q, and read %s here", name, notation, read)
}

// isStringValue reports whether a name is a key of a table, a value of an option or one that a field may have, which
// formulas write as strings.
func isStringValue(b *book.Ruleset, name string) bool {
	if b == nil {
		return false
	}
	for s := range b.Shapes() {
		if hasStringValue(s.Shape, name) {
			return true
		}
	}
	return slices.ContainsFunc(b.Tables, func(t *book.Table) bool {
		return slices.ContainsFunc(t.Rows, func(row book.Row) bool {
			isWord := func(c book.Cell) bool { return c.JSON == strconv.Quote(name) }
			return row.Key == name || slices.ContainsFunc(row.Cells, isWord)
		})
	}) || slices.ContainsFunc(b.Options, func(o *book.Option) bool {
		return slices.ContainsFunc(o.Values, func(v book.Value) bool { return v.Name == name })
	})
}

// hasStringValue reports whether a string that a shape admits, at any depth, may be a value.
func hasStringValue(s *plan.Shape, value string) bool {
	if s == nil {
		return false
	}
	inField := func(m plan.Member) bool { return !m.Shape.Character && hasStringValue(m.Shape, value) }
	return slices.Contains(s.Enum, value) || hasStringValue(s.Elem, value) || slices.ContainsFunc(s.Fields, inField)
}

// resolveCall reports whether a function of a name may be called, tables among them.
//
// A table or a function of the ruleset is called as f(x) and never as x.f(), which CEL would allow for a member overload:
// known with c.Member is therefore a call of a known function in a form that it does not have.
func (r *resolver) resolveCall(expr *syntax.Expr, c syntax.Call) bool {
	known := r.callables[c.Name]
	if known != nil && !c.Member {
		r.site.asks = addReading(r.site.asks, known, c.Place)
		return true
	}
	form, isStandard := r.standard[c.Name]
	if c.Member && form.method || !c.Member && form.function {
		return true
	}
	if r.reportDisabled(c.Place, "functions", c.Name) || r.reportDisabled(c.Place, "tables", c.Name) {
		return false
	}
	d := r.addf("unknown-function", c.Place, "there is no function %s", c.Name).About(c.Name)
	switch {
	case macroForms[c.Name] != "": // a macro that is written as it should be is no call any more
		d.Message = fmt.Sprintf("%s is not called so", c.Name)
		d.Repair = "write " + cmp.Or(r.comparedForm(c), macroForms[c.Name])
		if isStandard {
			d.Repair += fmt.Sprintf(", or %s(xs)", c.Name)
			if target := targetOf(expr, c); target != "" && len(c.Expr.AsCall().Args()) == 0 {
				d.Repair = fmt.Sprintf("write %s(%s)", c.Name, target)
			}
		}
	case isStandard && c.Member:
		d.Message = fmt.Sprintf("%s does not stand behind a dot", c.Name)
		args := r.argumentTexts(expr, c)
		d.Repair = "write " + cmp.Or(roundedDivision(expr, c), fmt.Sprintf("%s(%s)", c.Name, strings.Join(args, ", ")))
	case isStandard:
		d.Message = fmt.Sprintf("%s stands behind a dot", c.Name)
		d.Repair = fmt.Sprintf("write x.%s(...)", c.Name)
		if args := r.argumentTexts(expr, c); len(args) > 0 {
			d.Repair = fmt.Sprintf("write %s.%s(%s)", args[0], c.Name, strings.Join(args[1:], ", "))
		}
	case known != nil:
		d.Message = fmt.Sprintf("%s is %s and stands behind no dot", c.Name, describeObject(known))
		d.Repair = fmt.Sprintf("write %s(...)", c.Name)
	case c.Member && len(r.recordsWith(c.Name)) > 0:
		d.Message = fmt.Sprintf("%s is a field, and no function", c.Name)
		if target := targetOf(expr, c); target != "" && len(c.Expr.AsCall().Args()) == 0 {
			d.Repair = fmt.Sprintf("leave the parentheses out: %s.%s", target, c.Name)
			break
		}
		d.Repair = "what a map has under a key, or a list at an index, stands in brackets: " + r.recordsWith(c.Name)[0] +
			"[...]"
	case !c.Member && r.traits[c.Name] != nil:
		d.Message = fmt.Sprintf("%s is a trait, and no function", c.Name)
		d.Repair = "write character." + c.Name
	case !c.Member && r.site.scope.findObject(c.Name) != nil:
		d.Message = fmt.Sprintf("%s is no function", c.Name)
		d.Repair = fmt.Sprintf("read it by its name alone: %s", c.Name)
		if args := c.Expr.AsCall().Args(); len(args) == 1 && dice.IsNotation(literalText(args[0])) {
			d.Repair = rollFirst(literalText(args[0]), r.site.scope)
		}
	case r.rules[c.Name] != nil:
		d.Message = fmt.Sprintf("%s is a rule, which no formula calls", c.Name)
		if uses := r.site.scope.usesOf(c.Name); len(uses) > 0 {
			d.Repair = fmt.Sprintf("%s is a use of %s here: read %[1]s.<output>", uses[0], c.Name)
			break
		}
		d.Repair = fmt.Sprintf("roll it with use: <name>: rule: %q and read <name>.<output>", c.Name)
	default:
		d.Repair = r.suggestFunction(expr, c)
	}
	return false
}

func sortedWords(name string) []string { return slices.Sorted(strings.SplitSeq(name, "_")) }

// callableHere lists the names that may be called: behind a dot the macros too.
func (r *resolver) callableHere(member bool) []string {
	if !member {
		out := sortedKeys(r.callables)
		for _, name := range sortedKeys(r.standard) {
			if r.standard[name].function {
				out = append(out, name)
			}
		}
		return out
	}
	out := syntax.Macros()
	for _, name := range sortedKeys(r.standard) {
		if r.standard[name].method {
			out = append(out, name)
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
