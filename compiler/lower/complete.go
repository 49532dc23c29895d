package lower

import (
	"sort"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// What a used rule is given need not be all that it asks for: fields may have defaults, be optional, or be given in
// parts, as input.spend.ep without the rest of input.spend. The functions of this file complete a record to the shape
// that is asked.

// completeRecord returns a record with every field of a shape: a field that it lacks, or that is absent this time, has its
// default. "Absent this time" is an optional field given on to one with a default: input: {range?: int} handed to a rule
// with range: *10 | int gives select(range?, range, 10).
func (s values) completeRecord(v plan.Value, shape *plan.Shape) plan.Value {
	if shape.Kind != plan.Record {
		return s.fitLayout(v, shape.Type())
	}
	t := shape.Type()
	fields := make([]plan.Value, len(shape.Fields))
	for k := range shape.Fields {
		m := &shape.Fields[k]
		i, _ := v.Type.Field(m.Name)
		if i < 0 {
			fields[k] = s.defaultOf(m)
			continue
		}
		fields[k] = s.completeField(v.Fields[i], m)
	}
	out := newRecord(t, fields)
	out.Fault = v.Fault
	return out
}

// completeField makes a field that may be absent one that is there, by its default, unless the
// shape too lets it be absent.
func (s values) completeField(v plan.Value, m *plan.Member) plan.Value {
	present := v.Present
	out := s.completeRecord(v, m.Shape)
	out.Present = present
	if m.Optional || present == plan.None {
		return out
	}
	if m.Default != "" {
		out = s.selectBetween(present, out, s.defaultOf(m))
	}
	out.Present = plan.None
	return out
}

// defaultOf makes the value that a member has when nobody gives it. One without a default is absent, and its slots hold
// zeros.
func (s values) defaultOf(m *plan.Member) plan.Value {
	if m.Default == "" {
		return s.absentValue(m.Shape.Type())
	}
	return s.constantJSON(m.Default, m.Shape)
}

// assembleRecord makes a record of a shape from values by path.
// With the paths spend.ep and kind of {kind!: string, spend: {ep: *0 | int, luck: *0 | int}}, kind
// is given as a whole, spend in parts: its ep is the value and its luck the default.
func (s values) assembleRecord(shape *plan.Shape, prefix string, given map[string]plan.Value) plan.Value {
	fields := make([]plan.Value, len(shape.Fields))
	for i := range shape.Fields {
		m := &shape.Fields[i]
		path := prefix + m.Name
		v, ok := given[path]
		switch {
		case ok:
			fields[i] = s.givenField(v, m)
		case hasDeeper(given, path+"."):
			fields[i] = s.assemblePart(m, path, given)
		default:
			fields[i] = s.defaultOf(m)
		}
	}
	return newRecord(shape.Type(), fields)
}

func (s values) givenField(v plan.Value, m *plan.Member) plan.Value {
	v.Present = plan.None
	v = s.completeRecord(v, m.Shape)
	if m.Optional {
		v.Present = s.bool(true)
	}
	return v
}

// assemblePart makes a member of which only parts are given.
// Of a map, skills.climb: "3" replaces one entry of its default; the paths come in the order of
// their names, so that the same input makes the same graph.
func (s values) assemblePart(m *plan.Member, path string, given map[string]plan.Value) plan.Value {
	if m.Shape.Kind == plan.Record {
		v := s.assembleRecord(m.Shape, path+".", given)
		if m.Optional {
			v.Present = s.bool(true)
		}
		return v
	}
	v := s.defaultOf(m)
	v.Present = plan.None
	for _, p := range sortedPaths(given, path+".") {
		v = s.replaceAt(v, splitPath(strings.TrimPrefix(p, path+".")), given[p])
	}
	return s.fitLayout(v, m.Shape.Type())
}

func hasDeeper(given map[string]plan.Value, prefix string) bool {
	return len(sortedPaths(given, prefix)) > 0
}

// sortedPaths returns the given paths below a prefix in an order that does not depend on Go's maps, since the order decides
// which nodes are made first.
func sortedPaths(given map[string]plan.Value, prefix string) []string {
	var out []string
	for p := range given {
		if strings.HasPrefix(p, prefix) {
			out = append(out, p)
		}
	}
	sort.Strings(out)
	return out
}

// constantJSON returns a default as a value. Load has made sure that it is of the shape.
func (s values) constantJSON(text string, shape *plan.Shape) plan.Value {
	slots := s.plan.jsonSlots(decodeJSON(text), shape)
	return readSlots(shape.Type(), 0, func(offset int, kind plan.Kind) plan.ID { return s.constBits(kind, slots[offset]) })
}

// replaceAt returns a value with another value at a path: a field of a record, or a key of a map. Values are immutable: the
// record around the path is new and shares the nodes of its other fields; of a map one entry is replaced in a copy. Setting
// an optional field makes it present.
func (s values) replaceAt(v plan.Value, path []string, with plan.Value) plan.Value {
	if len(path) == 0 {
		return s.fitLayout(with, v.Type)
	}
	if v.Type.Kind == plan.Map {
		key := newScalar(plan.StringType, s.symbolConst(path[0]), plan.None)
		if len(path) > 1 {
			at := s.opImm(plan.OpFind, plan.Int, s.plan.internType(v.Type), v.ID, key.ID)
			with = s.replaceAt(s.entryAt(v, at), path[1:], with)
		}
		return s.withEntry(v, key, with)
	}
	i, _ := v.Type.Field(path[0])
	out := v
	out.Fields = append([]plan.Value(nil), v.Fields...)
	present := out.Fields[i].Present
	out.Fields[i] = s.replaceAt(v.Fields[i], path[1:], with)
	if present != plan.None {
		out.Fields[i].Present = s.bool(true)
	}
	return out
}

// withEntry makes a copy of a map in which a key has a value. Values that were laid out without fault slots are copied
// into the wider layout first, when the new one can fail in a field where they could not.
func (s values) withEntry(m, key, v plan.Value) plan.Value {
	v = s.settleLayout(v)
	t := *m.Type
	t.Elem = joinLayouts(t.Elem, v.Type)
	m = s.fitLayout(m, &t)
	args := append([]plan.ID{m.ID, key.ID}, s.slotsOf(s.fitLayout(v, t.Elem))...)
	id := s.placeHere(plan.Node{Op: plan.OpWith, Kind: plan.Map, Args: args, Imm: s.plan.internType(&t), Site: -1})
	return plan.Value{Type: &t, ID: id, Fault: s.firstFault(m.Fault, key.Fault, v.Fault), Present: plan.None}
}

func splitPath(path string) []string { return strings.Split(path, ".") }
