// Package partial completes records in JSON of which only parts are known, so that they can be decoded all the same, and
// tells which parts are missing.
//
// A part that is not known yet is absent, or null where an element of a list or a value of a map must stand. What may be
// absent by its schema (an optional field, one with a default, any key of a map) is not known either until it is accepted
// as it is: then absent means absent.
//
// Invariant: what Complete writes decodes whenever some completion of the record does; what it has put in place of an
// unknown part fits the schema of that part.
package partial

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Record is a record of which the unknown parts have been completed.
type Record struct {
	JSON    []byte
	Gaps    []Gap // in the order of the schema
	Maps    []Map
	Limited []Limited
	// Complete reports whether nothing that must be there is missing: then JSON says just what was known.
	Complete bool
}

// A Gap is a part that is not known.
type Gap struct {
	Path   string       // "input.place.height"
	Shape  *plan.Shape  // of the part
	Member *plan.Member // the field that it is; nil for an element of a list or the value of an open key
	Place
}

// MayBeAbsent reports whether the record fits its schema without the part.
func (g *Gap) MayBeAbsent() bool {
	return g.Member != nil && (g.Member.Optional || g.Member.Default != "")
}

// A Place says which slots of the record's layout change with a part. Key is the map's key under which the part lies, the
// slots being that of the map; HasKey is false for a part that lies in no map.
type Place struct {
	From, To int32
	Key      string
	HasKey   bool
}

// A Map is a map that is known so far: that of a field of the record, or of a record in it.
type Map struct {
	Path   string
	Slot   int32
	Shape  *plan.Shape
	Keys   []string // those that stand in it
	Given  bool     // it stands there, be it without keys
	Closed bool     // it has no other keys
}

// A Limited is a number that other fields bound, of which it is not known whether it is within: a part is missing.
type Limited struct {
	Paths []string // of the number and of the fields that bound it
	Known bool     // one of them is known, be it that it is absent
}

// Complete completes a record of a root ("character", "input"). accepted are the paths of the parts that are absent for
// good, or in which everything absent is. The error is an *jsonio.InputError of text that is not JSON.
func Complete(root string, shape *plan.Shape, text []byte, accepted []string) (*Record, error) {
	t, err := parseTree(text)
	if err != nil {
		return nil, inputError(root, err)
	}
	c := &completer{accepted: accepted, out: &Record{Complete: true}}
	c.writeValue(shape, t, root, Place{To: int32(shape.Slots())})
	c.out.JSON = c.buf
	return c.out, nil
}

// inputError returns a text that is no JSON.
func inputError(root string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &jsonio.InputError{Root: root, Msg: "the JSON does not end"}
	}
	return &jsonio.InputError{Root: root, Msg: "is not JSON: " + err.Error()}
}

// A completer writes a record.
type completer struct {
	accepted []string
	buf      []byte
	out      *Record
	inside   bool // of a list or a map: places are that of the outermost one
}

// isAccepted reports whether a value that is absent at a path is absent for good.
func (c *completer) isAccepted(path string) bool {
	return slices.ContainsFunc(c.accepted, func(a string) bool {
		rest, ok := strings.CutPrefix(path, a)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// writeValue writes a value, completed where it is not known.
func (c *completer) writeValue(s *plan.Shape, t *tree, path string, at Place) {
	switch {
	case t.isUnknown() && hasNamedParts(s):
		c.writeParts(s, &tree{kind: '{'}, path, at)
	case t.isUnknown():
		c.out.Complete = false
		c.buf = AppendPlaceholder(c.buf, s)
	case hasNamedParts(s) && t.kind == '{', s.Kind == plan.Map && t.kind == '{':
		c.writeParts(s, t, path, at)
	case s.Kind == plan.List && t.kind == '[':
		c.writeList(s, t, path, at)
	default:
		c.buf = t.appendTo(c.buf)
	}
}

// hasNamedParts reports whether a value has parts with names, so that these may be asked for one by one. A map may have other
// keys, too: where nothing of it is known it is a part by itself (writeMember).
func hasNamedParts(s *plan.Shape) bool {
	return s.Kind == plan.Record || s.Kind == plan.Map && len(s.Fields) > 0
}

// addGap notes a part that is not known.
func (c *completer) addGap(s *plan.Shape, m *plan.Member, path string, at Place) {
	c.out.Gaps = append(c.out.Gaps, Gap{Path: path, Shape: s, Member: m, Place: at})
}

// writeList writes a list.
func (c *completer) writeList(s *plan.Shape, t *tree, path string, at Place) {
	defer c.enterCollection()()
	c.buf = append(c.buf, '[')
	for i, x := range t.items {
		if i > 0 {
			c.buf = append(c.buf, ',')
		}
		step := path + "[" + strconv.Itoa(i) + "]"
		if x.isUnknown() && !hasNamedParts(s.Elem) {
			c.addGap(s.Elem, nil, step, at)
		}
		c.writeValue(s.Elem, x, step, at)
	}
	c.buf = append(c.buf, ']')
}

// enterCollection notes that the following values lie within a list or a map, until the returned function is called.
func (c *completer) enterCollection() (leave func()) {
	before := c.inside
	c.inside = true
	return func() { c.inside = before }
}

// writeParts writes a record or a map.
func (c *completer) writeParts(s *plan.Shape, t *tree, path string, at Place) {
	if s.Kind == plan.Map {
		if !c.inside {
			c.out.Maps = append(c.out.Maps,
				Map{Path: path, Slot: at.To - 1, Shape: s, Keys: t.names, Given: true, Closed: c.isAccepted(path)})
		}
		defer c.enterCollection()()
	}
	open := len(c.buf)
	c.buf = append(c.buf, '{')
	slot := at.To - int32(s.Slots()) // behind the presence of an optional record
	for i := range s.Fields {
		m := &s.Fields[i]
		within := c.placeOf(s, m, at, slot)
		c.writeMember(m, t.membersNamed(m.Name), path+jsonio.PathStep(m.Name), within, open)
		if s.Kind == plan.Record {
			slot += sizeOf(m)
		}
		for k := range m.Shape.Limits {
			c.addLimited(t, m.Name, &m.Shape.Limits[k], path)
		}
	}
	c.writeOtherKeys(s, t, path, at, open)
	c.buf = append(c.buf, '}')
}

// addLimited notes that a member of a record may be out of bounds that others set, unless all of them are known.
func (c *completer) addLimited(t *tree, name string, l *plan.Limit, path string) {
	var out Limited
	known := 0
	for _, names := range append([][]string{{name}}, l.Sum...) {
		at := path
		for _, step := range names {
			at += jsonio.PathStep(step)
		}
		out.Paths = append(out.Paths, at)
		if !t.partAt(names).isUnknown() || c.isAccepted(at) {
			known++
		}
	}
	if out.Known = known > 0; known < len(out.Paths) {
		c.out.Limited = append(c.out.Limited, out)
	}
}

// sizeOf returns how many slots a member takes, its presence included.
func sizeOf(m *plan.Member) int32 {
	n := int32(m.Shape.Slots())
	if m.Optional {
		n++
	}
	return n
}

// placeOf returns where a member lies, the first of its slots being slot.
func (c *completer) placeOf(s *plan.Shape, m *plan.Member, at Place, slot int32) Place {
	switch {
	case s.Kind == plan.Map && !at.HasKey:
		return Place{From: at.From, To: at.To, Key: m.Name, HasKey: true}
	case c.inside:
		return at
	}
	return Place{From: slot, To: slot + sizeOf(m)}
}

// writeMember writes a member as often as it stands there; two of a name are for the decoder to refuse.
func (c *completer) writeMember(m *plan.Member, found []*tree, path string, at Place, open int) {
	if len(found) == 0 {
		found = []*tree{nil}
	}
	for _, t := range found {
		mayBeAbsent := m.Optional || m.Default != "" && !isOfDefaults(m)
		isUnknownMap := m.Shape.Kind == plan.Map && !c.inside && t.isUnknown()
		if isUnknownMap && !m.Optional {
			c.out.Maps = append(c.out.Maps, Map{Path: path, Slot: at.To - 1, Shape: m.Shape, Closed: c.isAccepted(path)})
		}
		if t.isUnknown() && mayBeAbsent {
			if !c.isAccepted(path) {
				c.addGap(m.Shape, m, path, at)
			}
			continue
		}
		if t.isUnknown() && (isUnknownMap || !hasNamedParts(m.Shape)) {
			c.addGap(m.Shape, m, path, at)
		}
		if t.isUnknown() && !m.Optional && m.Default == "" {
			c.out.Complete = false // also of a record all parts of which may be absent
		}
		c.writeName(m.Name, open)
		if isUnknownMap { // its keys with names are no gaps, as it is one
			c.buf = AppendPlaceholder(c.buf, m.Shape)
			continue
		}
		c.writeValue(m.Shape, t, path, at)
	}
}

// isOfDefaults reports whether the default of a field is a record of the defaults of its own fields: then these are asked
// for, one by one.
func isOfDefaults(m *plan.Member) bool {
	return m.Shape.Kind == plan.Record && m.Default == "{}"
}

// writeName writes the name of a member.
func (c *completer) writeName(name string, open int) {
	if len(c.buf) > open+1 {
		c.buf = append(c.buf, ',')
	}
	c.buf = append(appendQuoted(c.buf, name), ':')
}

// writeOtherKeys writes the keys of a map that have no field of their own, and members that the schema does not know,
// which the decoder refuses.
func (c *completer) writeOtherKeys(s *plan.Shape, t *tree, path string, at Place, open int) {
	for i, name := range t.names {
		if slices.ContainsFunc(s.Fields, func(m plan.Member) bool { return m.Name == name }) {
			continue
		}
		c.writeName(name, open)
		if s.Kind != plan.Map {
			c.buf = t.items[i].appendTo(c.buf)
			continue
		}
		within := at
		if !at.HasKey {
			within.Key, within.HasKey = name, true
		}
		step := path + jsonio.PathStep(name)
		if t.items[i].isUnknown() && !hasNamedParts(s.Elem) {
			c.addGap(s.Elem, nil, step, within)
		}
		c.writeValue(s.Elem, t.items[i], step, within)
	}
}

// AppendPlaceholder appends a value that fits a shape.
func AppendPlaceholder(buf []byte, s *plan.Shape) []byte {
	switch s.Kind {
	case plan.Int:
		return strconv.AppendInt(buf, int64(fittingNumber(s, 1)), 10)
	case plan.Double:
		return strconv.AppendFloat(buf, fittingNumber(s, 1.0/1024), 'f', -1, 64)
	case plan.Bool:
		return append(buf, "false"...)
	case plan.String:
		if len(s.Enum) > 0 {
			return appendQuoted(buf, s.Enum[0])
		}
		return append(buf, `""`...)
	case plan.List:
		buf = append(buf, '[')
		for i := range s.MinItems {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = AppendPlaceholder(buf, s.Elem)
		}
		return append(buf, ']')
	}
	buf = append(buf, '{')
	first := true
	for i := range s.Fields {
		m := &s.Fields[i]
		if m.Optional || m.Default != "" {
			continue
		}
		if !first {
			buf = append(buf, ',')
		}
		first = false
		buf = AppendPlaceholder(append(appendQuoted(buf, m.Name), ':'), m.Shape)
	}
	return append(buf, '}')
}

// FittingNumber returns the number that is wanted where a shape allows it, and else one that it allows.
func FittingNumber(s *plan.Shape, wanted float64) float64 {
	if numberFits(s, wanted) {
		return wanted
	}
	return fittingNumber(s, 1)
}

// fittingNumber returns a number within the bounds of a shape and none of those that it excludes: the first of those that
// lie a step apart, from the lower bound upwards or from the upper one downwards.
func fittingNumber(s *plan.Shape, step float64) float64 {
	v, up := 0.0, step
	switch {
	case s.Min != nil:
		v = s.Min.Value
	case s.Max != nil:
		v, up = s.Max.Value, -step
	}
	if s.Kind == plan.Int {
		if up > 0 {
			v = math.Ceil(v)
		} else {
			v = math.Floor(v)
		}
	}
	for range len(s.Not) + 2 {
		if numberFits(s, v) {
			return v
		}
		v += up
	}
	if s.Min != nil && s.Max != nil { // an interval that is narrower than a step
		return (s.Min.Value + s.Max.Value) / 2
	}
	return v
}

func numberFits(s *plan.Shape, v float64) bool {
	is := func(b plan.Bound) bool { return b.Value == v }
	switch {
	case s.Min != nil && (v < s.Min.Value || s.Min.Open && v == s.Min.Value):
		return false
	case s.Max != nil && (v > s.Max.Value || s.Max.Open && v == s.Max.Value):
		return false
	}
	return !slices.ContainsFunc(s.Not, is)
}

// KeyBelow returns the key of a map in which a path ends, given the path of the map; ok is false for any other path.
func KeyBelow(path, mapPath string) (key string, ok bool) {
	if !strings.HasPrefix(path, mapPath) {
		return "", false
	}
	steps, err := splitPath(mapPath, path)
	if err != nil || len(steps) != 1 || steps[0].isIndex {
		return "", false
	}
	return steps[0].name, true
}

// HasUnknown reports whether a JSON value has a null, which stands for an unknown value.
func HasUnknown(text []byte) bool {
	t, err := parseTree(text)
	return err == nil && t.hasUnknown()
}

// With returns a record with a value put at a path of it, which begins with the name of the root: "input.place.height",
// "input.hits[2]". The objects on the way are made. The error is that of a path that leads nowhere.
func With(root string, text []byte, path string, value json.RawMessage) ([]byte, error) {
	t, err := parseTree(text)
	if err != nil {
		return nil, inputError(root, err)
	}
	v, err := parseTree(value)
	if err != nil {
		return nil, inputError(path, err)
	}
	steps, err := splitPath(root, path)
	if err != nil {
		return nil, err
	}
	if err := t.putAt(root, steps, v); err != nil {
		return nil, err
	}
	return t.appendTo(nil), nil
}

// A step of a path is a name or, where name is "", a number.
type step struct {
	name    string
	index   int
	isIndex bool
}

// splitPath takes a path apart.
func splitPath(root, path string) (out []step, err error) {
	bad := &jsonio.InputError{Root: path, Msg: "is no path of the " + root}
	rest, ok := strings.CutPrefix(path, root)
	if !ok {
		return nil, bad
	}
	for rest != "" {
		switch {
		case rest[0] == '.':
			end := strings.IndexAny(rest[1:], ".[")
			if end < 0 {
				end = len(rest) - 1
			}
			out = append(out, step{name: rest[1 : 1+end]})
			rest = rest[1+end:]
		case strings.HasPrefix(rest, `["`):
			quoted, err := strconv.QuotedPrefix(rest[1:])
			if err != nil || !strings.HasPrefix(rest[1+len(quoted):], "]") {
				return nil, bad
			}
			name, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, bad
			}
			out = append(out, step{name: name})
			rest = rest[2+len(quoted):]
		default:
			digits, after, ok := strings.Cut(strings.TrimPrefix(rest, "["), "]")
			n, err := strconv.Atoi(digits)
			if rest[0] != '[' || !ok || err != nil || n < 0 {
				return nil, bad
			}
			out = append(out, step{index: n, isIndex: true})
			rest = after
		}
	}
	if len(out) == 0 {
		return nil, bad
	}
	return out, nil
}

// putAt puts a value at the steps of a path.
func (t *tree) putAt(path string, steps []step, value *tree) error {
	s, wrong := steps[0], &jsonio.InputError{Root: path, Msg: "has no such part"}
	at := -1
	switch {
	case s.isIndex:
		if t.kind != '[' || s.index >= len(t.items) {
			return wrong
		}
		at = s.index
	case t.kind != '{':
		return wrong
	default:
		if at = slices.Index(t.names, s.name); at < 0 {
			at = len(t.items)
			t.names, t.items = append(t.names, s.name), append(t.items, &tree{text: "null"})
		}
	}
	if len(steps) == 1 {
		t.items[at] = value
		return nil
	}
	if t.items[at].isUnknown() && !steps[1].isIndex {
		t.items[at] = &tree{kind: '{'}
	}
	return t.items[at].putAt(path, steps[1:], value)
}
