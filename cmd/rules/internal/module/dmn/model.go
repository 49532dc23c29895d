package dmn

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A model is the definitions of a file and of those that it imports.
type model struct {
	types     map[string]*itemType
	decisions []*decision
	knowledge []*knowledgeModel
	byID      map[string]any   // by name space and id: *input, *decision or *knowledge
	byElement map[*element]any // the same by their elements
	members   []string         // the names of members of all types
	ids       *namer
}

// An itemType is a type of the model, read when it is first needed.
type itemType struct {
	element *element
	prefix  string
	typ     *typ
	isOpen  bool // it is being read
}

// An input is what a decision is made of: input data, or a decision without logic, which somebody makes.
type input struct {
	name, id string
	typ      *typ
}

// A decision has logic, and knows what it requires.
type decision struct {
	element  *element
	name, id string
	typ      *typ
	logic    *element
	scope    *scope
	state    state
	rule     *rule
	err      error
}

// A knowledgeModel is a business knowledge model of DMN: a function.
type knowledgeModel struct {
	element  *element
	name, id string
	logic    *element
	params   []param
	scope    *scope
	state    state
	// inline says that it has no formula of its own, and is written out where it is called.
	inline, isInvoked bool
	result            value
	knownID           string // of the function that reports whether there is a result; "" where there always is
}

type param struct {
	name, id string
	typ      *typ
}

// A state tells what is still to be translated from what waits for itself.
type state int

const (
	fresh state = iota
	open
	done
)

// A problem is the error of a part of the model that cannot be translated, with its place.
type problem struct {
	place   plan.Place
	subject string
	message string
}

func (p *problem) Error() string { return diag.PlaceString(p.place) + ": " + p.message }

// problemAt returns the problem of an element, named with its id.
func problemAt(e *element, format string, args ...any) error {
	return &problem{place: e.place, subject: e.displayName(), message: fmt.Sprintf(format, args...)}
}

// displayName returns the name of an element for messages, with its id.
func (e *element) displayName() string {
	out := e.name
	if name := e.attrs["name"]; name != "" {
		out += " " + name
	}
	if id := e.attrs["id"]; id != "" {
		out += " (" + id + ")"
	}
	return out
}

// placeError returns an error of FEEL as a problem at its line of the file. Any other error it returns as it is.
func (e *element) placeError(err error) error {
	var at *feelError
	if !errors.As(err, &at) {
		return err
	}
	p := &problem{place: e.place, subject: e.displayName(), message: at.message}
	if lines := strings.Count(e.text[:min(at.offset, len(e.text))], "\n"); lines > 0 {
		p.place.Line, p.place.Col = p.place.Line+lines, 1
	}
	return p
}

// addDefinitions adds the definitions of a file. Those of an imported one have a prefix before their names.
func (m *model) addDefinitions(root *element, prefix string) {
	space := root.attrs["namespace"]
	for _, e := range root.children {
		name := prefix + e.attrs["name"]
		var added any
		switch e.name {
		case "itemDefinition":
			m.types[name] = &itemType{element: e, prefix: prefix}
			m.addMembers(e)
			continue
		case "inputData":
			added = &input{name: name, id: m.ids.uniqueName(name)}
		case "decision":
			d := &decision{element: e, name: name, logic: logicOf(e)}
			if d.logic == nil {
				added = &input{name: name, id: m.ids.uniqueName(name)}
				break
			}
			d.id = m.ids.uniqueName(name)
			m.decisions = append(m.decisions, d)
			added = d
		case "businessKnowledgeModel":
			k := &knowledgeModel{element: e, name: name, id: m.ids.uniqueName(name)}
			m.knowledge = append(m.knowledge, k)
			added = k
		default:
			continue
		}
		m.byID[space+"#"+e.attrs["id"]], m.byElement[e] = added, added
	}
}

func (m *model) addMembers(e *element) {
	for _, c := range e.childrenNamed("itemComponent") {
		m.members = append(m.members, c.attrs["name"])
		m.addMembers(c)
	}
}

// logicOf returns the element that says how something is decided; nil when there is none.
func logicOf(e *element) *element {
	return e.childNamed("literalExpression", "decisionTable", "context", "invocation", "list", "relation",
		"functionDefinition", "conditional", "filter", "for", "every", "some")
}

// bindDefinitions finds the types and the requirements of the definitions of a file.
func (m *model) bindDefinitions(root *element, prefix string) error {
	space := root.attrs["namespace"]
	for _, e := range root.children {
		var err error
		switch target := m.byElement[e].(type) {
		case *input:
			target.typ, err = m.variableType(e, prefix)
		case *decision:
			if target.typ, err = m.variableType(e, prefix); err == nil {
				target.scope, err = m.scopeOf(e, space, prefix)
			}
		case *knowledgeModel:
			err = m.bindKnowledge(target, space, prefix)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// variableType returns the declared type of the variable of an element; nil when there is none.
func (m *model) variableType(e *element, prefix string) (*typ, error) {
	v := e.childNamed("variable")
	if v == nil {
		return nil, nil
	}
	return m.typeNamed(v.attrs["typeRef"], prefix, v)
}

func (m *model) bindKnowledge(k *knowledgeModel, space, prefix string) error {
	body := k.element.childNamed("encapsulatedLogic")
	if body == nil {
		return problemAt(k.element, "a knowledge model without logic")
	}
	if kind := body.attrs["kind"]; kind != "" && kind != "FEEL" {
		return problemAt(body, "functions of %s are not carried out", kind)
	}
	k.logic = logicOf(body)
	if k.logic == nil {
		return problemAt(k.element, "a knowledge model without logic")
	}
	ids := newNamer()
	for _, p := range body.childrenNamed("formalParameter") {
		t, err := m.typeNamed(p.attrs["typeRef"], prefix, p)
		if err != nil {
			return err
		}
		k.params = append(k.params, param{p.attrs["name"], ids.uniqueName(p.attrs["name"]), t})
	}
	var err error
	k.scope, err = m.scopeOf(k.element, space, prefix)
	return err
}

// A scope is the names that an expression may read.
type scope struct {
	parent *scope
	values map[string]any // value, *input, *decision or *knowledge
	prefix string         // of the types that are named here
}

func (s *scope) lookUp(name string) any {
	for ; s != nil; s = s.parent {
		if v, ok := s.values[name]; ok {
			return v
		}
	}
	return nil
}

func (s *scope) sortedNames() []string {
	var out []string
	for ; s != nil; s = s.parent {
		for name := range s.values {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func (s *scope) innerScope() *scope {
	return &scope{parent: s, values: map[string]any{}, prefix: s.prefix}
}

// scopeOf returns the names that a decision or a knowledge model requires.
func (m *model) scopeOf(e *element, space, prefix string) (*scope, error) {
	s := &scope{values: map[string]any{}, prefix: prefix}
	for _, r := range append(e.childrenNamed("informationRequirement"), e.childrenNamed("knowledgeRequirement")...) {
		for _, of := range r.children {
			href := of.attrs["href"]
			if before, after, ok := strings.Cut(href, "#"); ok && before == "" {
				href = space + "#" + after
			}
			switch target := m.byID[href].(type) {
			case *input:
				s.values[target.name] = target
			case *decision:
				s.values[target.name] = target
			case *knowledgeModel:
				s.values[target.name] = target
			default:
				return nil, problemAt(e, "it requires %s, which is no input, decision or knowledge model of these files",
					of.attrs["href"])
			}
		}
	}
	if prefix != "" {
		for name, target := range s.values { // within its own file a name has no prefix
			if own, ok := strings.CutPrefix(name, prefix); ok {
				s.values[own] = target
			}
		}
	}
	return s, nil
}

// basicType returns the kind of a type of FEEL, by any of its names.
func basicType(name string) (kind, bool) {
	switch name {
	case "number":
		return number, true
	case "string":
		return text, true
	case "boolean":
		return truth, true
	case "date":
		return date, true
	case "time":
		return clock, true
	case "date and time", "dateTime":
		return instant, true
	case "days and time duration", "dayTimeDuration":
		return seconds, true
	case "years and months duration", "yearMonthDuration":
		return months, true
	}
	return unknown, false
}

// typeNamed returns a type of FEEL or of the model; nil of one that says nothing.
func (m *model) typeNamed(name, prefix string, at *element) (*typ, error) {
	name = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(name), "feel:"), "tns:"))
	if name == "" || name == "Any" {
		return nil, nil
	}
	if k, ok := basicType(name); ok {
		return &typ{kind: k}, nil
	}
	of := m.types[prefix+name]
	if of == nil {
		return nil, problemAt(at, "there is no type %q", name)
	}
	if of.isOpen {
		return nil, problemAt(of.element, "type %s has itself in it", name)
	}
	if of.typ == nil {
		of.isOpen = true
		defer func() { of.isOpen = false }()
		t, err := m.itemType(of.element, of.prefix)
		if err != nil {
			return nil, err
		}
		if t != nil && t.kind == record && t.cueName == "" {
			t.cueName = "#" + upperName(m.ids.uniqueName(of.prefix+of.element.attrs["name"]))
		}
		of.typ = t
	}
	return of.typ, nil
}

// itemType reads the type that an item definition or component says.
func (m *model) itemType(e *element, prefix string) (*typ, error) {
	t, err := m.typeNamed(e.childText("typeRef"), prefix, e)
	if err != nil {
		return nil, err
	}
	if parts := e.childrenNamed("itemComponent"); len(parts) > 0 {
		t = &typ{kind: record}
		ids := newNamer()
		for _, c := range parts {
			of, err := m.itemType(c, prefix)
			if err != nil {
				return nil, err
			}
			if of == nil {
				return nil, problemAt(c, "component %s has no type", c.attrs["name"])
			}
			t.members = append(t.members, member{c.attrs["name"], ids.uniqueName(c.attrs["name"]), of})
		}
	}
	if values := e.childNamed("allowedValues", "typeConstraint"); values != nil && t != nil {
		if t, err = t.restrictTo(values); err != nil {
			return nil, err
		}
	}
	if e.attrs["isCollection"] == "true" && t != nil {
		t = &typ{kind: list, elem: t}
	}
	return t, nil
}

// restrictTo returns a type with only the values that an element allows. It refuses a number of several intervals, and a
// value that the type excludes already.
func (t *typ) restrictTo(values *element) (*typ, error) {
	at := values
	if c := values.childNamed("text"); c != nil {
		at = c
	}
	tests, err := parseTests(at.text, nil, nil)
	if err != nil {
		return nil, at.placeError(err)
	}
	out := *t
	out.cueName = ""
	var enum []string
	hasInterval := false
	for _, n := range tests {
		literal, isConstant := constantNode(n)
		switch {
		case n.kind == nullNode:
			out.optional = true
		case isConstant && t.kind == text && n.kind == stringNode:
			if t.enum != nil && !slices.Contains(t.enum, n.text) {
				return nil, problemAt(at, "%q is none of the allowed values %s of the type that is restricted", n.text,
					strings.Join(t.enum, ", "))
			}
			enum = append(enum, literal.(string))
		case n.kind == intervalNode && t.kind == number && hasInterval:
			return nil, problemAt(at, "allowed values in more than one interval are not read: %s",
				strings.TrimSpace(at.text))
		case n.kind == intervalNode && t.kind == number:
			low, isLow := constantNode(n.args[0])
			high, isHigh := constantNode(n.args[1])
			a, isNumber := low.(float64)
			b, areNumbers := high.(float64)
			if !isLow || !isHigh || !isNumber || !areNumbers {
				return nil, problemAt(at, "these allowed values are not read: %s", strings.TrimSpace(at.text))
			}
			hasInterval = true
			out.low, out.high = ">="+plan.FormatDouble(a), "<="+plan.FormatDouble(b)
			if n.text[0] == '(' {
				out.low = ">" + plan.FormatDouble(a)
				a = math.Nextafter(a, math.Inf(1))
			}
			if n.text[1] == ')' {
				out.high = "<" + plan.FormatDouble(b)
				b = math.Nextafter(b, math.Inf(-1))
			}
			if !t.isWithinBounds(a) || !t.isWithinBounds(b) {
				return nil, problemAt(at, "%s is not within %s %s, the interval of the type that is restricted",
					strings.TrimSpace(at.text), t.low, t.high)
			}
		default:
			return nil, problemAt(at, "these allowed values are not read: %s", strings.TrimSpace(at.text))
		}
	}
	if enum != nil {
		out.enum = enum
	}
	return &out, nil
}

// constantNode returns the value of a constant expression. It reports false for any other.
func constantNode(n *node) (any, bool) {
	switch n.kind {
	case numberNode:
		x, err := parseNumber(n.text)
		return x, err == nil
	case negateNode:
		x, ok := constantNode(n.args[0])
		f, isNumber := x.(float64)
		return -f, ok && isNumber
	case stringNode:
		return n.text, true
	case truthNode:
		return n.text == "true", true
	}
	return nil, false
}
