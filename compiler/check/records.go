package check

import (
	"maps"
	"slices"
	"strconv"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Records are structural with us and nominal for CEL. Every shape is therefore interned under a name that no author can
// write ("#7"), and comes back by it. Enums, dice and lists of at most so many elements are plain strings and lists for
// CEL: what it types is completed from the operands when the tree is built.

// A registry knows the records of a ruleset. It is CEL's type provider, and lets traits be read like fields of a character.
type registry struct {
	names  map[string]string          // by shape
	types  map[string]*plan.Type      // by name
	known  map[*plan.Type]*types.Type // of records: what toCEL made of them
	traits map[string]*Trait          // that have been typed
}

func newRegistry() *registry {
	return &registry{
		names: map[string]string{}, types: map[string]*plan.Type{}, known: map[*plan.Type]*types.Type{},
		traits: map[string]*Trait{},
	}
}

// toCEL returns CEL's type of a type; a broken one goes with everything, so that it is reported once.
//
// The two directions are not inverse: an enum becomes a plain string, so fromCEL(toCEL(t)) has lost it. Therefore the tree
// takes types from operands wherever it can (build.go), and from CEL only where an operation makes a new value.
func (r *registry) toCEL(t *plan.Type) *types.Type {
	switch t.Kind {
	case plan.Int:
		return types.IntType
	case plan.Double:
		return types.DoubleType
	case plan.Bool:
		return types.BoolType
	case plan.String:
		return types.StringType
	case plan.List:
		return types.NewListType(r.toCEL(t.Elem))
	case plan.Map:
		return types.NewMapType(r.toCEL(&plan.Type{Kind: t.Key}), r.toCEL(t.Elem))
	case plan.Record:
		return r.recordToCEL(t)
	}
	return types.DynType
}

// recordToCEL returns a record as CEL knows it. Each formula declares the records that it may read anew, and a record's
// shape is a text as long as all its fields: written for each use, these texts are a fifth of the memory of a compilation.
// So each type is written once and found by its address after that. No type is changed once a formula can read it.
func (r *registry) recordToCEL(t *plan.Type) *types.Type {
	known, ok := r.known[t]
	if !ok {
		known = types.NewObjectType(r.internRecord(t))
		r.known[t] = known
	}
	return known
}

// internRecord returns the name of a record's shape: equal shapes have one name, whoever declared them.
func (r *registry) internRecord(t *plan.Type) string {
	shape := t.String()
	name, ok := r.names[shape]
	if !ok {
		name = "#" + strconv.Itoa(len(r.names))
		r.names[shape], r.types[name] = name, t
	}
	return name
}

// fromCEL returns our type of a type of CEL's; a type without a counterpart is broken.
func (r *registry) fromCEL(t *types.Type) *plan.Type {
	switch t.Kind() {
	case types.IntKind:
		return plan.IntType
	case types.DoubleKind:
		return plan.DoubleType
	case types.BoolKind:
		return plan.BoolType
	case types.StringKind:
		return plan.StringType
	case types.ListKind:
		return plan.ListOf(r.fromCEL(t.Parameters()[0]))
	case types.MapKind:
		return &plan.Type{Kind: plan.Map, Key: r.fromCEL(t.Parameters()[0]).Kind, Elem: r.fromCEL(t.Parameters()[1])}
	case types.StructKind:
		if known := r.types[t.TypeName()]; known != nil {
			return known
		}
	}
	return broken
}

// isClosed reports whether a type has no part that is open or broken.
func isClosed(t *plan.Type) bool {
	switch t.Kind {
	case plan.Invalid:
		return false
	case plan.List, plan.Map:
		return isClosed(t.Elem)
	}
	return true
}

// fieldType returns the type of a record's field, or of a character's trait.
func (r *registry) fieldType(t *plan.Type, name string) (*plan.Type, bool) {
	if i, _ := t.Field(name); i >= 0 {
		return t.Fields[i].Type, true
	}
	if trait := r.traits[name]; t.Character && trait != nil {
		return trait.typ, true
	}
	return nil, false
}

// memberNames returns the names that may be read of a record: its fields in their order, then a character's traits by name.
func (r *registry) memberNames(t *plan.Type) []string {
	out := t.FieldNames()
	if t.Character {
		out = append(out, slices.Sorted(maps.Keys(r.traits))...)
	}
	return out
}

// FindStructFieldType implements types.Provider.
func (r *registry) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	t, ok := r.types[name]
	if !ok {
		return nil, false
	}
	of, ok := r.fieldType(t, field)
	if !ok {
		return nil, false
	}
	return &types.FieldType{Type: r.toCEL(of)}, true
}

// FindStructType implements types.Provider.
func (r *registry) FindStructType(name string) (*types.Type, bool) {
	if _, ok := r.types[name]; !ok {
		return nil, false
	}
	return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
}

// FindStructFieldNames implements types.Provider.
func (r *registry) FindStructFieldNames(name string) ([]string, bool) {
	t, ok := r.types[name]
	if !ok {
		return nil, false
	}
	return r.memberNames(t), true
}

// EnumValue implements types.Provider: there are none.
func (r *registry) EnumValue(name string) ref.Val { return types.NewErr("unknown enum %s", name) }

// FindIdent implements types.Provider: there are none.
func (r *registry) FindIdent(string) (ref.Val, bool) { return nil, false }

// NewValue implements types.Provider: formulas make no records.
func (r *registry) NewValue(name string, _ map[string]ref.Val) ref.Val {
	return types.NewErr("unknown type %s", name)
}

// joinTypes returns the type of a value that is one of two values of the same type: their enums together. Of values of
// different types, which have been reported, it is that of the first.
func joinTypes(a, b *plan.Type) *plan.Type {
	switch {
	case a == b, b.Kind == plan.Invalid:
		return a
	case a.Kind == plan.Invalid:
		return b
	case a.Kind != b.Kind:
		return a
	}
	switch a.Kind {
	case plan.String:
		return joinEnums(a, b)
	case plan.List:
		return plan.ListOf(joinTypes(a.Elem, b.Elem))
	case plan.Map:
		return &plan.Type{Kind: plan.Map, Key: a.Key, Elem: joinTypes(a.Elem, b.Elem)}
	case plan.Record:
		return joinRecords(a, b)
	}
	return a
}

// joinRecords joins the types of the fields; it makes a type only where some field has more words than in the first.
func joinRecords(a, b *plan.Type) *plan.Type {
	out := *a
	out.Fields = slices.Clone(a.Fields)
	changed := false
	for i := range out.Fields {
		f := &out.Fields[i]
		if k, _ := b.Field(f.Name); k >= 0 {
			f.Type = joinTypes(f.Type, b.Fields[k].Type)
			changed = changed || f.Type.Signature() != a.Fields[i].Type.Signature()
		}
	}
	if !changed {
		return a
	}
	return &out
}

// joinEnums keeps the order of words where there is one: of {low, mid, high} and {mid, high} it is
// that of the first. Of {low, mid} and {mid, high} no author has written the order of low and high,
// so the union is Unordered; neither is it written where one has low before high and the other high
// before low.
func joinEnums(a, b *plan.Type) *plan.Type {
	if a.Enum == nil || b.Enum == nil {
		return plan.StringType
	}
	if standsInOrder(a, b) {
		return a
	}
	if standsInOrder(b, a) {
		return b
	}
	t := &plan.Type{Kind: plan.String, Unordered: true, Enum: append([]string(nil), a.Enum...)}
	for _, v := range b.Enum {
		if !hasValue(a, v) {
			t.Enum = append(t.Enum, v)
		}
	}
	return t
}

// standsInOrder reports whether an enum t has every value of u, and in the order of u where both have one, so that one
// table or comparison serves both.
func standsInOrder(t, u *plan.Type) bool {
	ordered := t.Order() != nil && u.Order() != nil
	last := -1
	for _, v := range u.Enum {
		at := slices.Index(t.Enum, v)
		if at < 0 || ordered && at < last {
			return false
		}
		last = at
	}
	return true
}

// hasValue reports whether an enum has a value.
func hasValue(t *plan.Type, v string) bool {
	return slices.Contains(t.Enum, v)
}
