package judge

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/errors"
)

// A field is what #Input, #State, #Event or #Character say of a value. Bounds and defaults stay with CUE, which judges
// whole structs at once; types, choices and keys are read here.
type field struct {
	value cue.Value // of a struct that is judged as a whole
	kind  cue.Kind  // IntKind, NumberKind, BoolKind, StringKind, ListKind or StructKind
	order []string  // the words of a choice
	// "a key of the table weapon", "a key of the character's map, or the word for none"
	key         string
	keyWords    []string
	element     *field    // of a list
	patterns    []pattern // of the names of a map that are not listed
	names       []string
	fields      map[string]*field
	optional    map[string]bool // may be absent
	mayLack     map[string]bool // may be absent, or has a default
	demands     bool            // must be given where it is a struct: a field of it has no default
	isCharacter bool            // "another character, with its traits"
	limited     []string        // the numbers with "a bound that another field of the struct sets"
}

// A pattern is "skills: [string]: int", or "a map that has no other keys": harms: [("fire" | "cold")]: int.
type pattern struct {
	names cue.Value
	field *field
	known map[string]bool // what CUE says of names that it was asked about
}

func (p pattern) isOf(name string) bool {
	is, isKnown := p.known[name]
	if !isKnown {
		is = p.names.Unify(cuecontext.New().Encode(name)).Validate(cue.Concrete(true)) == nil
		p.known[name] = is
	}
	return is
}

// fieldNamed returns the field of a name; nil when there is none.
func (f *field) fieldNamed(name string) *field {
	if below := f.fields[name]; below != nil {
		return below
	}
	for _, p := range f.patterns {
		if p.isOf(name) {
			return p.field
		}
	}
	return nil
}

func (r *Ruleset) readDefinition(v cue.Value, name string) *field {
	d := v.LookupPath(cue.MakePath(cue.Def(name)))
	if !d.Exists() {
		return &field{kind: cue.StructKind, fields: map[string]*field{}, optional: map[string]bool{}}
	}
	f := r.fieldOf(d)
	f.value = d
	return f
}

// readKey reads the @key of a field.
func (f *field) readKey(v cue.Value) {
	for _, a := range v.Attributes(cue.ValueAttr) {
		if a.Name() == "key" {
			f.key, _ = a.String(0)
			for i := 1; i < a.NumArgs(); i++ {
				w, _ := a.String(i)
				f.keyWords = append(f.keyWords, w)
			}
		}
	}
}

func (r *Ruleset) fieldOf(v cue.Value) *field {
	f := &field{value: v, kind: kindOf(v), fields: map[string]*field{}, optional: map[string]bool{},
		mayLack: map[string]bool{}}
	if _, path := v.ReferencePath(); path.String() == "#Character" {
		f.isCharacter, f.demands = true, true
	}
	switch f.readKey(v); f.kind {
	case cue.StringKind:
		f.order = wordsOf(v, 0)
	case cue.ListKind:
		if e, has := elementOf(v, 0); has {
			f.element = r.fieldOf(e)
		}
	case cue.StructKind:
		it, err := v.Fields(cue.Optional(true), cue.Patterns(true))
		mustSucceed(err)
		for it.Next() {
			if it.Selector().ConstraintType() == cue.PatternConstraint {
				if it.Value().IncompleteKind() != cue.TopKind { // what is open in the schema says nothing
					f.patterns = append(f.patterns, pattern{it.Selector().Pattern(), r.fieldOf(it.Value()), map[string]bool{}})
				}
				continue
			}
			name, below := it.Selector().Unquoted(), r.fieldOf(it.Value())
			f.names, f.fields[name], f.optional[name] = append(f.names, name), below, it.IsOptional()
			_, hasDefault := it.Value().Default()
			none := it.Value().Unify(cuecontext.New().CompileString("[]")) // list.MinItems(2) forbids it
			f.mayLack[name] = it.IsOptional() || it.Selector().ConstraintType() != cue.RequiredConstraint &&
				(below.kind == cue.StructKind && !below.demands || below.kind != cue.StructKind && (hasDefault || none.Validate() == nil))
			f.demands = f.demands || !f.mayLack[name]
			if x, isField := it.Value().Source().(*ast.Field); isField && below.kind&^cue.NumberKind == 0 &&
				f.readsFields(x.Value) {
				f.limited = append(f.limited, name)
			}
		}
	}
	// "each element is a key of the table part"; "skills: [string]: int @key(skill): a map by keys of a table".
	if f.key != "" && f.kind == cue.ListKind && f.element != nil {
		f.element.key, f.element.keyWords, f.key = f.key, f.keyWords, ""
	}
	return f
}

// elementOf returns the type of the elements of a list, also where a bound stands beside it: [...int] & list.MaxItems(3).
func elementOf(v cue.Value, depth int) (cue.Value, bool) {
	if e := v.LookupPath(cue.MakePath(cue.AnyIndex)); e.Exists() {
		return e, true
	}
	if op, args := cue.Dereference(v).Expr(); depth < 6 && (op == cue.AndOp || op == cue.OrOp || op == cue.NoOp) {
		for _, a := range args {
			if e, has := elementOf(a, depth+1); has {
				return e, true
			}
		}
	}
	return v, false
}

// kindOf returns the kind of a value, also where a bound of it reads a field that is not known yet.
func kindOf(v cue.Value) cue.Kind {
	k := v.IncompleteKind()
	if k == cue.BottomKind {
		op, args := v.Expr()
		if op == cue.AndOp || op == cue.OrOp {
			for _, a := range args {
				if k := kindOf(a); k != cue.BottomKind && k != cue.TopKind {
					return k
				}
			}
		}
	}
	if k&cue.NumberKind != 0 && k&^cue.NumberKind == 0 && k != cue.IntKind {
		return cue.NumberKind
	}
	return k
}

// wordsOf returns the words of a choice in the order in which they are written.
func wordsOf(v cue.Value, depth int) []string {
	if depth > 8 {
		return nil
	}
	op, args := cue.Dereference(v).Expr()
	switch op {
	case cue.OrOp:
		// "a word of #Grade stands where #Grade has it, any other where it is first written"
		var out, named []string
		for _, a := range args {
			if _, err := a.String(); err != nil {
				inner := wordsOf(a, depth+1)
				if inner == nil {
					return nil
				}
				named = append(named, inner...)
			}
		}
		for _, a := range args {
			if s, err := a.String(); err != nil {
				out = append(out, wordsOf(a, depth+1)...)
			} else if !slices.Contains(named, s) {
				out = append(out, s)
			}
		}
		return uniqueOf(out)
	case cue.AndOp:
		for _, a := range args {
			if w := wordsOf(a, depth+1); w != nil {
				return w
			}
		}
	case cue.NoOp:
		if len(args) == 1 && depth < 3 {
			if d := cue.Dereference(args[0]); d.IncompleteKind() == cue.StringKind {
				return wordsOf(d, depth+1)
			}
		}
	}
	return nil
}

func uniqueOf(xs []string) (out []string) {
	for _, x := range xs {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// A judgement is what is known while an input is judged.
type judgement struct {
	r           *Ruleset
	root        string         // "input" or "character"
	wrong       []string       // paths of strings that are no key of their table
	ofCharacter []characterKey // strings that must be keys of the character
	mayLack     bool           // while fields are walked: one around may be left out
}

// A reading is what JSON is as a record, or why it is none.
type reading struct {
	value       *object
	err         error
	ofCharacter []characterKey
}

// readRecord judges JSON by a struct of fields and returns its value with all defaults. What was judged before is not judged
// again: no value of the judge is changed in place.
func (x *judgement) readRecord(f *field, data any) (*object, error) {
	text, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintf("%p %s %s", f, x.root, text)
	known, isKnown := x.r.readings[key]
	if !isKnown {
		known.value, known.err = x.judgeRecord(f, data)
		known.ofCharacter = x.ofCharacter
		x.r.readings[key] = known
	}
	x.ofCharacter = known.ofCharacter
	return known.value, known.err
}

func (x *judgement) judgeRecord(f *field, data any) (*object, error) {
	if f.value.Exists() {
		unknown := x.findUnknown(f, data, x.root)
		filled, err := x.fillDefaults(f, roundNumbers(f, data))
		lacking := x.findLacking(f, data, x.root)
		if m, isMisfit := err.(*Misfit); isMisfit {
			m.Paths = uniqueOf(slices.Concat(m.Paths, unknown, lacking))
		} else if err != nil && lacking != nil { // CUE calls what is too large NaN
			err = &Misfit{uniqueOf(append(unknown, lacking...)), err.Error()}
		}
		if err != nil {
			return nil, err
		}
		if unknown != nil {
			return nil, &Misfit{uniqueOf(append(unknown, x.findLacking(f, data, x.root)...)), "there is no such field"}
		}
		data = withZeroSigns(filled, data)
	} else if m, isMap := data.(map[string]any); isMap && len(m) > 0 {
		return nil, &Misfit{[]string{x.root + "." + slices.Sorted(maps.Keys(m))[0]}, "there is no such field"}
	} else if !isMap {
		return nil, &Misfit{[]string{x.root}, "must be an object"}
	}
	v, err := x.decodeField(f, data, x.root)
	if m, isMisfit := err.(*Misfit); isMisfit {
		m.Paths = uniqueOf(append(m.Paths, x.findLacking(f, data, x.root)...))
	}
	if err != nil {
		return nil, err
	}
	o := v.(*object)
	x.findMisspelt(f, o, x.root)
	if x.wrong != nil {
		return nil, &Misfit{x.wrong, "must be a key"}
	}
	return o, nil
}

// fillDefaults asks CUE: the data must be within all bounds, and what is absent has its default.
func (x *judgement) fillDefaults(f *field, data any) (any, error) {
	v := f.value
	text, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	u := v.Unify(cuecontext.New().CompileBytes(text))
	var paths []string
	if f.isLimited() {
		paths = findBeyond(f, u, x.root)
	}
	if err := u.Validate(cue.Concrete(true), cue.All()); err != nil {
		depth := len(v.Path().Selectors())
		for _, e := range errors.Errors(err) {
			path := e.Path()
			if len(path) >= depth {
				path = path[depth:]
			}
			paths = append(paths, pathText(x.root, path))
		}
		return nil, &Misfit{uniqueOf(paths), err.Error()}
	}
	if paths != nil {
		return nil, &Misfit{paths, "a default is beyond a bound that another field sets"}
	}
	if text, err = u.MarshalJSON(); err != nil {
		return nil, err
	}
	return decodeJSON(text)
}

// readsFields reports whether a bound is one of the fields of a struct.
func (f *field) readsFields(bound ast.Node) (reads bool) {
	ast.Walk(bound, func(n ast.Node) bool {
		x, isName := n.(*ast.Ident)
		reads = reads || isName && f.fields[x.Name] != nil
		return true
	}, nil)
	return reads
}

func (f *field) isLimited() bool {
	return len(f.limited) > 0 ||
		slices.ContainsFunc(f.names, func(name string) bool { return f.fields[name].isLimited() })
}

// findBeyond returns the paths of numbers that are a default and beyond a bound that another field sets: "the default must be
// within it too". For CUE it is another value that the field may have.
func findBeyond(f *field, whole cue.Value, path string) (out []string) {
	for _, name := range f.names {
		v := whole.LookupPath(cue.MakePath(cue.Str(name)))
		if !v.Exists() {
			continue
		}
		out = append(out, findBeyond(f.fields[name], v, path+stepOf(name))...)
		if slices.Contains(f.limited, name) && !isWithinBounds(v, v) {
			out = append(out, path+stepOf(name))
		}
	}
	return out
}

// isWithinBounds reports whether a number is within what a field may be but for its default.
func isWithinBounds(v, n cue.Value) bool {
	isFit := func(v cue.Value) bool { return isWithinBounds(v, n) }
	switch op, args := v.Expr(); op {
	case cue.AndOp:
		return !slices.ContainsFunc(args, func(v cue.Value) bool { return !isFit(v) })
	case cue.OrOp:
		wide := slices.DeleteFunc(slices.Clone(args), cue.Value.IsConcrete)
		return len(wide) == 0 || slices.ContainsFunc(wide, isFit)
	}
	d, _ := n.Default()
	return v.Unify(d).Validate(cue.Concrete(true)) == nil
}

// roundNumbers returns data in which a number that may have a fraction is "the double that is nearest to it, before its
// bounds are judged".
func roundNumbers(f *field, data any) any {
	switch d := data.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, v := range d {
			out[name] = v
			if below := f.fieldNamed(name); below != nil {
				out[name] = roundNumbers(below, v)
			}
		}
		return out
	case []any:
		out := slices.Clone(d)
		for i := range out {
			if f.element != nil {
				out[i] = roundNumbers(f.element, d[i])
			}
		}
		return out
	case json.Number:
		if v, err := d.Float64(); err == nil && f.kind == cue.NumberKind {
			return json.Number(strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	return data
}

// withZeroSigns returns filled data with each zero as it was given: numbers of CUE have no -0.0, and doubles do.
func withZeroSigns(filled, given any) any {
	switch d := filled.(type) {
	case map[string]any:
		m, _ := given.(map[string]any)
		for name := range d {
			d[name] = withZeroSigns(d[name], m[name])
		}
	case []any:
		if l, isGiven := given.([]any); isGiven && len(l) == len(d) {
			for i := range d {
				d[i] = withZeroSigns(d[i], l[i])
			}
		}
	case json.Number:
		n, isGiven := given.(json.Number)
		if isGiven && strings.HasPrefix(n.String(), "-") && !strings.HasPrefix(d.String(), "-") {
			return n
		}
	}
	return filled
}

// pathText writes a path as people read it: input.parts[1].skill.
func pathText(root string, path []string) string {
	var b strings.Builder
	b.WriteString(root)
	for _, p := range path {
		if _, err := strconv.Atoi(p); err == nil {
			fmt.Fprintf(&b, "[%s]", p)
			continue
		}
		if s, err := strconv.Unquote(p); err == nil {
			p = s
		}
		b.WriteString(stepOf(p))
	}
	return b.String()
}

func isPlainName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool {
		return c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
}

// stepOf returns how a path goes on to a member.
func stepOf(name string) string {
	if isPlainName(name) {
		return "." + name
	}
	var b strings.Builder
	for _, c := range name {
		switch {
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		case c == '"' || c == '\\':
			b.WriteRune('\\')
			fallthrough
		default:
			b.WriteRune(c)
		}
	}
	return `["` + b.String() + `"]`
}

// findUnknown returns the paths of members that no field has.
func (x *judgement) findUnknown(f *field, data any, path string) (out []string) {
	switch d := data.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(d)) {
			below := f.fieldNamed(name)
			if below == nil {
				out = append(out, path+stepOf(name))
				continue
			}
			out = append(out, x.findUnknown(below, d[name], path+stepOf(name))...)
		}
	case []any:
		for i := range d {
			if f.element != nil {
				out = append(out, x.findUnknown(f.element, d[i], fmt.Sprintf("%s[%d]", path, i))...)
			}
		}
	}
	return out
}

// findLacking returns the paths of fields that must be given and are not, of numbers that no double or int can be, and of
// strings that are no key of their table: CUE says nothing of these where a bound is broken too.
func (x *judgement) findLacking(f *field, data any, path string) (out []string) {
	switch d := data.(type) {
	case map[string]any:
		for _, name := range f.names {
			if _, has := d[name]; !has && !f.mayLack[name] {
				out = append(out, path+stepOf(name))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(d)) {
			if below := f.fieldNamed(name); below != nil {
				out = append(out, x.findLacking(below, d[name], path+stepOf(name))...)
			}
		}
	case []any:
		for i := range d {
			if f.element != nil {
				out = append(out, x.findLacking(f.element, d[i], fmt.Sprintf("%s[%d]", path, i))...)
			}
		}
	case json.Number:
		n, isWhole := new(big.Int).SetString(d.String(), 10)
		if _, err := d.Float64(); err != nil || f.kind == cue.IntKind && isWhole && !n.IsInt64() { // too large
			out = append(out, path)
		}
	case string:
		if f.key != "" && !strings.HasPrefix(f.key, "character.") && !slices.Contains(f.keyWords, d) &&
			!x.isKey(f.key, d, nil) {
			out = append(out, path)
		}
	}
	return out
}

// wordsIn returns the words of the choice that a string is: "The words of a choice", or the keys of the table that it names,
// "or the word for none".
func (f *field) wordsIn(r *Ruleset) []string {
	if f == nil {
		return nil
	}
	if f.key == "" || strings.HasPrefix(f.key, "character.") || strings.HasPrefix(f.key, "input.") {
		return f.order
	}
	name, ofColumns := strings.CutSuffix(f.key, ".columns")
	t := r.tables[name]
	if t == nil {
		return f.order
	}
	var keys []string
	if ofColumns {
		for _, p := range t.columns {
			keys = append(keys, p.key)
		}
	} else {
		for _, x := range t.rows {
			keys = append(keys, x.place.key)
		}
	}
	return append(keys, f.keyWords...)
}

// decodeField makes values of JSON that fits.
func (x *judgement) decodeField(f *field, data any, path string) (any, error) {
	switch f.kind {
	case cue.IntKind:
		if n, isNumber := data.(json.Number); isNumber {
			if v, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
				return v, nil
			}
		}
	case cue.NumberKind:
		if n, isNumber := data.(json.Number); isNumber {
			if v, err := n.Float64(); err == nil {
				return v, nil
			}
		}
	case cue.BoolKind:
		if b, isBool := data.(bool); isBool {
			return b, nil
		}
	case cue.StringKind:
		if s, isString := data.(string); isString {
			if order := f.wordsIn(x.r); order != nil {
				return word{text: s, order: order}, nil
			}
			return s, nil
		}
	case cue.ListKind:
		if l, isList := data.([]any); isList && f.element != nil {
			out := make([]any, len(l))
			for i := range l {
				v, err := x.decodeField(f.element, l[i], fmt.Sprintf("%s[%d]", path, i))
				if err != nil {
					return nil, err
				}
				out[i] = v
			}
			return out, nil
		}
	case cue.StructKind:
		if m, isMap := data.(map[string]any); isMap {
			return x.decodeStruct(f, m, path)
		}
	}
	return nil, &Misfit{[]string{path}, fmt.Sprintf("%v does not fit %v", data, f.kind)}
}

func (x *judgement) decodeStruct(f *field, m map[string]any, path string) (any, error) {
	o := &object{fields: map[string]any{}, field: f}
	put := func(below *field, name string) error {
		v, err := x.decodeField(below, m[name], path+stepOf(name))
		if err == nil {
			o.setField(name, v)
		}
		return err
	}
	for _, name := range f.names {
		if _, has := m[name]; has {
			if err := put(f.fields[name], name); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if below := f.fieldNamed(name); f.fields[name] == nil && below != nil {
			if err := put(below, name); err != nil {
				return nil, err
			}
		}
	}
	if f.isCharacter {
		o.traits = x.r.traitOf
	}
	return o, nil
}

// findMisspelt finds the strings that are no key of their table, and those that must be keys of a map of the character.
func (x *judgement) findMisspelt(f *field, v any, path string) {
	switch v := v.(type) {
	case string, word:
		s, _ := textOf(v)
		if f.key != "" && !slices.Contains(f.keyWords, s) {
			x.checkKey(f, s, path)
		}
	case []any:
		for i := range v {
			if f.element != nil {
				x.findMisspelt(f.element, v[i], fmt.Sprintf("%s[%d]", path, i))
			}
		}
	case *object:
		for _, name := range v.names {
			below := f.fieldNamed(name)
			if below == nil {
				continue
			}
			if f.fields[name] == nil && below.key != "" && below.kind != cue.StringKind {
				x.checkKey(below, name, path+stepOf(name))
			}
			around := x.mayLack
			x.mayLack = around || f.mayLack[name]
			x.findMisspelt(below, v.fields[name], path+stepOf(name))
			x.mayLack = around
		}
	}
}

var anyIndex = regexp.MustCompile(`\[[0-9]+\]`)

func (x *judgement) checkKey(f *field, s, path string) {
	if strings.HasPrefix(f.key, "character.") {
		message := anyIndex.ReplaceAllString(path, "[*]") + " must be a key of " +
			strings.Join(append([]string{f.key}, f.keyWords...), ", or ")
		x.ofCharacter = append(x.ofCharacter, characterKey{f.key, s, message, x.mayLack})
		return
	}
	if !x.isKey(f.key, s, nil) {
		x.wrong = append(x.wrong, path)
	}
}

// A characterKey is a string that must be a key of a map of the character. That is a requirement, as it takes the character
// to judge it: of a field that must be given it stands before the rule's own requirements, of any other behind those that
// read neither die nor use.
type characterKey struct {
	key, value, message string
	last                bool
}

// refuseKeys returns the refusal of the first key that the character's map does not have, of the keys that stand first or
// last.
func (x *judgement) refuseKeys(character *object, last bool) error {
	if x == nil {
		return nil
	}
	for _, k := range x.ofCharacter {
		if k.last == last && !x.isKey(k.key, k.value, character) {
			return &Refusal{k.message}
		}
	}
	return nil
}

// isKey reports whether a string is a key of a table, of its columns, or of a map of the character.
func (x *judgement) isKey(key, s string, character *object) bool {
	if path, isOfCharacter := strings.CutPrefix(key, "character."); isOfCharacter {
		v := any(character)
		for _, name := range strings.Split(path, ".") {
			o, isObject := v.(*object)
			if !isObject {
				return false
			}
			v, _, _ = o.getField(name)
		}
		switch v := v.(type) {
		case *object:
			_, has := v.fields[s]
			return has
		case []any:
			return slices.ContainsFunc(v, func(e any) bool { t, _ := textOf(e); return t == s })
		}
		return false
	}
	table, columns := strings.CutSuffix(key, ".columns")
	t := x.r.tables[table]
	if t == nil {
		panic(&Unjudged{"the key " + key})
	}
	return t.hasKey(s, columns)
}
