package golang

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// scalarTypes are the types of slots outside of lists.
var scalarTypes = map[plan.Kind]string{plan.Int: "int64", plan.Double: "float64", plan.Bool: "bool", plan.String: "string",
	plan.Fault: "*kernel.Failure"}

// publicType returns the type of a value outside of functions. name is that of a struct, or begins those of its structs.
// Names of values are paths, "test.Input.areas.Item", so that no two values have the same.
func (w *packageWriter) publicType(t *plan.Type, name string) string {
	switch t.Kind {
	case plan.List:
		return "[]" + w.publicType(t.Elem, name+".Item")
	case plan.Map:
		return "map[" + scalarTypes[t.Key] + "]" + w.publicType(t.Elem, name+".Value")
	case plan.Record:
		return w.structName(name)
	}
	if x := w.enumOf(name); x != nil {
		return x.name
	}
	return scalarTypes[t.Kind]
}

// structName returns the name of the struct of a value. Functions and variables are called by it, too.
func (w *packageWriter) structName(name string) string {
	key := "struct " + name
	if w.byText[key] == "" {
		w.byText[key] = w.names.take(camel(name), "check%s", "fits%s", "schemaOf%s")
	}
	return w.byText[key]
}

// fieldNames returns the names of the fields of the struct of a record.
func fieldNames(t *plan.Type) (out []string) {
	taken := namespace{}
	for i := range t.Fields {
		out = append(out, taken.take(camel(t.Fields[i].Name)))
	}
	return out
}

// recordLines writes the struct of a record that is given, and its schema.
func (w *packageWriter) recordLines(s *plan.Shape, name, comment string, root plan.Root) []string {
	lines := w.enumLines(s, name, name)
	lines = append(lines, w.structLines(s.Type(), s, name, comment)...)
	of := w.structName(name)
	return append(lines, fmt.Sprintf("var schemaOf%s = kernel.Schema{Ruleset: &ruleset, Root: kernel.%s, Struct: (*%s)(nil), "+
		"Shape: kernel.Shape{%s}}", of, recordNames[root], of, shapeMembers(s)), "")
}

var recordNames = [plan.NumRoots]string{"CharacterRecord", "InputRecord", "StateRecord", "EventRecord"}

// eachRecord calls a function with each record in a value and the name of its struct.
func eachRecord(t *plan.Type, name string, do func(t *plan.Type, name string)) {
	switch t.Kind {
	case plan.List:
		eachRecord(t.Elem, name+".Item", do)
	case plan.Map:
		eachRecord(t.Elem, name+".Value", do)
	case plan.Record:
		do(t, name)
		for i := range t.Fields {
			eachRecord(t.Fields[i].Type, name+"."+t.Fields[i].Name, do)
		}
	}
}

// shapesOf returns the shapes of the records in a value by the names of their structs; none of an output, which has no shape.
func shapesOf(s *plan.Shape, name string) map[string]*plan.Shape {
	out := map[string]*plan.Shape{}
	var visit func(s *plan.Shape, name string)
	visit = func(s *plan.Shape, name string) {
		switch {
		case s == nil:
		case s.Kind == plan.List:
			visit(s.Elem, name+".Item")
		case s.Kind == plan.Map:
			visit(s.Elem, name+".Value")
		case s.Kind == plan.Record:
			out[name] = s
			for i := range s.Fields {
				visit(s.Fields[i].Shape, name+"."+s.Fields[i].Name)
			}
		}
	}
	visit(s, name)
	return out
}

// fieldComment returns what is said of a field, and the default that JSON gives it and a struct does not; "" for nothing.
func fieldComment(m *plan.Member) string {
	var out []string
	if m.Doc != "" {
		out = append(out, commentText(m.Doc))
	}
	isZero := slices.Contains([]string{"", "0", "0.0", "false", `""`, "[]"}, m.Default)
	if !isZero && !strings.HasPrefix(m.Default, "{") { // the fields of a record say their own
		out = append(out, "default "+m.Default)
	}
	if out == nil {
		return ""
	}
	return " // " + strings.Join(out, "; ")
}

// structLines writes the structs of a value. s is its shape; nil of an output.
func (w *packageWriter) structLines(t *plan.Type, s *plan.Shape, name, comment string) (lines []string) {
	top, shapes := name, shapesOf(s, name)
	eachRecord(t, name, func(t *plan.Type, name string) {
		text := "is a part of " + w.structName(top) + "."
		if name == top {
			text = comment
		}
		lines = append(lines, "// "+w.structName(name)+" "+text, "type "+w.structName(name)+" struct {")
		names := fieldNames(t)
		for i := range t.Fields {
			f := &t.Fields[i]
			of, tag := w.publicType(f.Type, name+"."+f.Name), f.Name
			if f.Optional {
				of, tag = "*"+of, tag+",omitempty"
			}
			line := fmt.Sprintf("%s %s `json:%q`", names[i], of, tag)
			if record := shapes[name]; record != nil {
				line += fieldComment(&record.Fields[i])
			}
			lines = append(lines, line)
		}
		lines = append(lines, "}", "")
	})
	return lines
}

// checkLines writes the check of a parameter that is a record.
func (w *packageWriter) checkLines(name, parameter string) []string {
	return []string{"if err := check" + w.structName(name) + "(" + parameter + "); err != nil {", "return out, err", "}"}
}

// fitLines writes the function that returns the error of a record that does not fit its shape, and those that report whether
// the records in it certainly fit. Whatever else may fit is judged by the schema, which knows errors.
func (w *packageWriter) fitLines(s *plan.Shape, t *plan.Type, name string) (lines []string) {
	top := name
	var add func(s *plan.Shape, t *plan.Type, name string)
	add = func(s *plan.Shape, t *plan.Type, name string) {
		switch s.Kind {
		case plan.List:
			add(s.Elem, t.Elem, name+".Item")
		case plan.Map:
			add(s.Elem, t.Elem, name+".Value")
		case plan.Record:
			of, condition := w.structName(name), w.fitCondition(s, t, name)
			switch {
			case name != top:
				lines = append(lines, fmt.Sprintf("func fits%s(v *%s) bool {", of, of), "return "+condition, "}", "")
			case len(s.Fields) == 0: // nothing is read of it, not even of none
				lines = append(lines, fmt.Sprintf("func check%s(*%s) error { return nil }", of, of), "")
			default:
				lines = append(lines, fmt.Sprintf("func check%s(v *%s) error {", of, of))
				switch condition {
				case "false":
				case "true":
					lines = append(lines, "if v != nil {", "return nil", "}")
				default:
					lines = append(lines, "if v != nil &&\n"+condition+" {", "return nil", "}")
				}
				lines = append(lines, "return schemaOf"+of+".Check(v)", "}", "")
			}
			for i := range s.Fields {
				add(s.Fields[i].Shape, t.Fields[i].Type, name+"."+s.Fields[i].Name)
			}
		}
	}
	add(s, t, name)
	return lines
}

// fitCondition returns the condition that the fields of a record v certainly fit.
func (w *packageWriter) fitCondition(s *plan.Shape, t *plan.Type, name string) string {
	var terms []string
	names := fieldNames(t)
	for i := range s.Fields {
		m := &s.Fields[i]
		if text := w.fitOptional(m, t.Fields[i].Type, name+"."+m.Name, "v."+names[i]); text != "" {
			terms = append(terms, text)
		}
		for k := range m.Shape.Limits {
			terms = append(terms, fitLimit(s, t, i, &m.Shape.Limits[k]))
		}
	}
	switch {
	case len(terms) == 0:
		return "true"
	case slices.Contains(terms, "false"):
		return "false"
	}
	return strings.Join(terms, " &&\n")
}

// fitOptional returns the condition that a field fits; empty if it always does.
func (w *packageWriter) fitOptional(m *plan.Member, t *plan.Type, name, text string) string {
	if !m.Optional {
		return w.fitText(m.Shape, t, name, text)
	}
	if inner := w.fitText(m.Shape, t, name, "(*"+text+")"); inner != "" {
		return "(" + text + " == nil || " + inner + ")"
	}
	return ""
}

// fitText returns the condition that a value fits its shape; empty if it always does.
func (w *packageWriter) fitText(s *plan.Shape, t *plan.Type, name, text string) string {
	switch s.Kind {
	case plan.Int:
		return fitInt(s, text)
	case plan.Double:
		return fitDouble(s, text)
	case plan.String:
		if s.Enum == nil {
			return "utf8.ValidString(" + text + ")"
		}
		if x := w.enumOf(name); x != nil {
			return fmt.Sprintf("%s < %d", text, len(x.words))
		}
		return w.oneOf(s.Enum) + "(" + text + ")"
	case plan.List:
		out := fmt.Sprintf("len(%s) <= %d", text, s.MaxItems)
		if s.MinItems > 0 {
			out += fmt.Sprintf(" && len(%s) >= %d", text, s.MinItems)
		}
		if inner := w.fitText(s.Elem, t.Elem, name+".Item", "v"); inner != "" {
			out += fmt.Sprintf(" && kernel.All(%s, func(v %s) bool { return %s })", text,
				w.publicType(t.Elem, name+".Item"), inner)
		}
		return out
	case plan.Map:
		return w.fitMap(s, t, name, text)
	case plan.Record:
		if strings.HasPrefix(text, "(*") {
			return "fits" + w.structName(name) + "(" + strings.Trim(text, "(*)") + ")"
		}
		return "fits" + w.structName(name) + "(&" + text + ")"
	}
	return ""
}

// fitLimit returns the condition that an int of a record v, which has an index, keeps to a bound that others set. Terms of a
// sum are within 2^53, by bounds of their own or else by this condition, so that no sum overflows.
func fitLimit(s *plan.Shape, t *plan.Type, index int, l *plan.Limit) string {
	isExact := l.Plus == math.Trunc(l.Plus) && math.Abs(l.Plus) <= 1<<53
	if m := &s.Fields[index]; m.Shape.Kind != plan.Int || m.Optional || !isExact {
		return "false"
	}
	var terms []string
	within := ""
	for _, path := range l.Sum {
		of, text := intAt(s, t, path)
		if of == nil {
			return "false"
		}
		if isAlone := len(l.Sum) == 1 && l.Plus == 0; !isAlone && (of.Min == nil || of.Max == nil) {
			within += "kernel.IsWithin(" + text + ", -1<<53, 1<<53) && "
		}
		terms = append(terms, text)
	}
	if l.Plus != 0 || terms == nil {
		terms = append(terms, strconv.FormatInt(int64(l.Plus), 10))
	}
	sign := map[bool]string{true: "<", false: ">"}[l.Upper]
	if !l.Open {
		sign += "="
	}
	return within + "v." + fieldNames(t)[index] + " " + sign + " " + strings.Join(terms, "+")
}

// intAt returns the shape of the int at a path of names from a record v, and its text; nil where there is none, or a part of
// the path may be absent. A key that a map lacks is 0, and where it is lacking no bound is judged.
func intAt(s *plan.Shape, t *plan.Type, path []string) (*plan.Shape, string) {
	text := "v"
	for _, name := range path {
		switch {
		case s != nil && s.Kind == plan.Map:
			text += "[" + strconv.Quote(name) + "]"
			s, t = s.Member(name), t.Elem
		case s != nil && s.Kind == plan.Record:
			i := slices.IndexFunc(s.Fields, func(m plan.Member) bool { return m.Name == name })
			if i < 0 || s.Fields[i].Optional {
				return nil, ""
			}
			text += "." + fieldNames(t)[i]
			s, t = s.Fields[i].Shape, t.Fields[i].Type
		default:
			return nil, ""
		}
	}
	if s == nil || s.Kind != plan.Int {
		return nil, ""
	}
	return s, text
}

// fitMap returns the condition that a map fits its shape.
func (w *packageWriter) fitMap(s *plan.Shape, t *plan.Type, name, text string) string {
	most, keys := plan.MaxKeys, "utf8.ValidString"
	if s.MaxItems > 0 {
		most = min(most, s.MaxItems)
	}
	if s.Keys != nil {
		keys = w.oneOf(s.Keys)
	}
	of, inner := w.publicType(t.Elem, name+".Value"), keys+"(key)"
	value := w.fitText(s.Elem, t.Elem, name+".Value", "v")
	if value != "" {
		inner += " && " + value
	}
	if s.Fields != nil {
		return w.fitNamedKeys(s, t, name, text, fmt.Sprintf("len(m) <= %d", most), inner, value != "")
	}
	return fmt.Sprintf("len(%s) <= %d && kernel.AllEntries(%s, func(key string, v %s) bool { return %s })", text, most,
		text, of, inner)
}

// fitNamedKeys returns the condition that a map fits which has keys by name: all of them but those that may be absent. size
// is the condition that the size of a map m fits, other that an entry with another key does, which may read the value.
func (w *packageWriter) fitNamedKeys(s *plan.Shape, t *plan.Type, name, text, size, other string, readsValue bool) string {
	type group struct {
		isOptional bool
		condition  string
	}
	var groups []group
	names, required := map[group][]string{}, 0
	for i := range s.Fields {
		m := &s.Fields[i]
		g := group{m.Optional, w.fitText(m.Shape, t.Elem, name+".Value", "v")}
		// What reports whether records fit is written for those of other keys.
		if m.Shape.Limits != nil || m.Shape.Kind >= plan.List && shapeMembers(m.Shape) != shapeMembers(s.Elem) {
			return "false"
		}
		if names[g] == nil {
			groups = append(groups, g)
		}
		names[g] = append(names[g], strconv.Quote(m.Name))
		readsValue = readsValue || g.condition != ""
		if !m.Optional {
			required++
		}
	}
	entry := "key, v"
	if !readsValue {
		entry = "key"
	}
	lines := []string{"func(m map[string]" + w.publicType(t.Elem, name+".Value") + ") bool {", "named := 0",
		"for " + entry + " := range m {", "switch key {"}
	for _, g := range groups {
		lines = append(lines, "case "+strings.Join(names[g], ",\n")+":")
		if !g.isOptional {
			lines = append(lines, "named++")
		}
		if g.condition != "" {
			lines = append(lines, "if !("+g.condition+") {", "return false", "}")
		}
	}
	lines = append(lines, "default:", "if !("+other+") {", "return false", "}", "}", "}",
		fmt.Sprintf("return named == %d && %s", required, size), "}")
	return w.declare(rowsFile, fmt.Sprint("fits", len(w.names)), "reports whether a map certainly fits its field.",
		strings.Join(lines, "\n")) + "(" + text + ")"
}

// fitInt returns the condition that an int fits its shape.
func fitInt(s *plan.Shape, text string) string {
	var terms []string
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	if s.Min != nil {
		low = int64(math.Ceil(s.Min.Value))
		if s.Min.Open {
			low = int64(math.Floor(s.Min.Value)) + 1
		}
	}
	if s.Max != nil {
		high = int64(math.Floor(s.Max.Value))
		if s.Max.Open {
			high = int64(math.Ceil(s.Max.Value)) - 1
		}
	}
	switch {
	case low > high:
		return "false"
	case s.Min != nil && s.Max != nil:
		terms = append(terms, fmt.Sprintf("kernel.IsWithin(%s, %d, %d)", text, low, high))
	case s.Min != nil:
		terms = append(terms, fmt.Sprintf("%s >= %d", text, low))
	case s.Max != nil:
		terms = append(terms, fmt.Sprintf("%s <= %d", text, high))
	}
	for _, not := range s.Not {
		if not.Value == math.Trunc(not.Value) {
			terms = append(terms, fmt.Sprintf("%s != %d", text, int64(not.Value)))
		}
	}
	return strings.Join(terms, " && ")
}

// fitDouble returns the condition that a double fits its shape. No number is infinite or NaN in JSON.
func fitDouble(s *plan.Shape, text string) string {
	low, high, least, most := -math.MaxFloat64, math.MaxFloat64, ">=", "<="
	if s.Min != nil {
		low = s.Min.Value
		if s.Min.Open {
			least = ">"
		}
	}
	if s.Max != nil {
		high = s.Max.Value
		if s.Max.Open {
			most = "<"
		}
	}
	out := fmt.Sprintf("%s %s %s && %s %s %s", text, least, doubleLiteral(low), text, most, doubleLiteral(high))
	for _, not := range s.Not {
		out += fmt.Sprintf(" && %s != %s", text, doubleLiteral(not.Value))
	}
	return out
}

// oneOf returns the name of the function that reports whether a string is one of some words.
func (w *packageWriter) oneOf(words []string) string {
	cases := make([]string, len(words))
	for i, word := range words {
		cases[i] = strconv.Quote(word)
	}
	return w.declare(rowsFile, fmt.Sprint("is", len(w.names)), "reports whether a string is one of the words of a field.",
		"func(s string) bool {\nswitch s {\ncase "+strings.Join(cases, ",\n")+":\nreturn true\n}\nreturn false\n}")
}

// shapeLiteral returns a shape.
func shapeLiteral(s *plan.Shape) string { return "&kernel.Shape{" + shapeMembers(s) + "}" }

// shapeMembers returns the members of a shape.
func shapeMembers(s *plan.Shape) string {
	members := []string{"Kind: kernel." + kindNames[s.Kind]}
	add := func(name, text string) { members = append(members, name+": "+text) }
	bound := func(b *plan.Bound) string {
		if b.Open {
			return fmt.Sprintf("kernel.Bound{Value: %v, Open: true}", b.Value)
		}
		return fmt.Sprintf("kernel.Bound{Value: %v}", b.Value)
	}
	if s.Min != nil {
		add("Min", "&"+bound(s.Min))
	}
	if s.Max != nil {
		add("Max", "&"+bound(s.Max))
	}
	if s.Not != nil {
		var not []string
		for i := range s.Not {
			not = append(not, strings.TrimPrefix(bound(&s.Not[i]), "kernel.Bound"))
		}
		add("Not", "[]kernel.Bound{"+strings.Join(not, ", ")+"}")
	}
	if s.Limits != nil {
		add("Limits", "[]kernel.Limit{"+limitsLiteral(s.Limits)+"}")
	}
	if s.Enum != nil {
		add("Enum", stringsLiteral(s.Enum))
	}
	if s.Elem != nil {
		add("Elem", shapeLiteral(s.Elem))
	}
	if s.MinItems > 0 {
		add("MinItems", strconv.Itoa(s.MinItems))
	}
	if s.MaxItems > 0 {
		add("MaxItems", strconv.Itoa(s.MaxItems))
	}
	if s.Keys != nil {
		add("Keys", stringsLiteral(s.Keys))
	}
	if s.Character {
		add("Character", "true")
	}
	if s.Fields != nil {
		var fields []string
		for i := range s.Fields {
			fields = append(fields, memberLiteral(&s.Fields[i]))
		}
		add("Fields", "[]kernel.Member{\n"+strings.Join(fields, "\n")+"\n}")
	}
	return strings.Join(members, ", ")
}

var kindNames = map[plan.Kind]string{plan.Int: "Int", plan.Double: "Double", plan.Bool: "Bool", plan.String: "String",
	plan.List: "List", plan.Map: "Map", plan.Record: "Record"}

func memberLiteral(m *plan.Member) string {
	text := fmt.Sprintf("{Name: %q, Shape: %s", m.Name, shapeLiteral(m.Shape))
	if m.Optional {
		text += ", Optional: true"
	}
	if m.Default != "" {
		text += fmt.Sprintf(", Default: %q", m.Default)
	}
	return text + "},"
}

// limitsLiteral returns the bounds that other fields set.
func limitsLiteral(list []plan.Limit) string {
	var out []string
	for i := range list {
		l := &list[i]
		var paths []string
		for _, path := range l.Sum {
			paths = append(paths, strings.TrimPrefix(stringsLiteral(path), "[]string"))
		}
		out = append(out, fmt.Sprintf("{Upper: %t, Open: %t, Sum: [][]string{%s}, Plus: %v}", l.Upper, l.Open,
			strings.Join(paths, ", "), l.Plus))
	}
	return strings.Join(out, ", ")
}
