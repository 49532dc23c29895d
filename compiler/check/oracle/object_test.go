package oracle

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// An object is a map from strings, or a record, for CEL's interpreter. Unlike CEL's own map it walks its keys in order.
type object struct {
	vals   map[string]ref.Val
	record bool
	trait  func(self *object, name string) (ref.Val, bool) // of a character
}

func newObject(vals map[string]ref.Val) *object { return &object{vals: vals} }
func newRecord(vals map[string]ref.Val) *object { return &object{vals: vals, record: true} }

// with is a copy with another value under a key.
func (o *object) with(key string, v ref.Val) *object {
	vals := map[string]ref.Val{key: v}
	for k, x := range o.vals {
		if k != key {
			vals[k] = x
		}
	}
	return &object{vals: vals, record: o.record, trait: o.trait}
}

func (o *object) keys() []string {
	var out []string
	for k := range o.vals {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Find implements traits.Mapper.
func (o *object) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return types.NewErr("a key is %v", key), false
	}
	if v, ok := o.vals[string(name)]; ok {
		return v, true
	}
	if o.trait != nil {
		return o.trait(o, string(name))
	}
	return nil, false
}

// Get implements traits.Indexer.
func (o *object) Get(key ref.Val) ref.Val {
	v, ok := o.Find(key)
	if !ok && v == nil {
		return types.NewErr("no such key: %v", key)
	}
	return v
}

// Contains implements traits.Container.
func (o *object) Contains(key ref.Val) ref.Val {
	_, ok := o.vals[string(key.(types.String))]
	return types.Bool(ok)
}

// Size implements traits.Sizer.
func (o *object) Size() ref.Val { return types.Int(len(o.vals)) }

// Iterator implements traits.Iterable.
func (o *object) Iterator() traits.Iterator {
	return types.NewStringList(types.DefaultTypeAdapter, o.keys()).Iterator()
}

// Equal implements ref.Val.
func (o *object) Equal(other ref.Val) ref.Val {
	m, ok := other.(traits.Mapper)
	if !ok || m.Size() != o.Size() {
		return types.False
	}
	for k, v := range o.vals {
		w, ok := m.Find(types.String(k))
		if !ok || types.Equal(v, w) != types.True {
			return types.False
		}
	}
	return types.True
}

// Type implements ref.Val.
func (o *object) Type() ref.Type { return types.MapType }

// Value implements ref.Val.
func (o *object) Value() any { return o.vals }

// ConvertToNative implements ref.Val.
func (o *object) ConvertToNative(t reflect.Type) (any, error) {
	return nil, fmt.Errorf("an object is no %v", t)
}

// ConvertToType implements ref.Val.
func (o *object) ConvertToType(t ref.Type) ref.Val { return types.NewErr("an object is no %v", t) }

// String prints the object for a message.
func (o *object) String() string {
	out := "{"
	for _, k := range o.keys() {
		out += fmt.Sprintf(" %s: %s", k, shown(o.vals[k]))
	}
	return out + " }"
}

// shown prints a value of CEL's for a message.
func shown(v ref.Val) string {
	switch x := v.(type) {
	case *object:
		return x.String()
	case traits.Lister:
		out := "["
		for it := x.Iterator(); it.HasNext() == types.True; {
			out += " " + shown(it.Next())
		}
		return out + " ]"
	}
	return fmt.Sprintf("%v", v)
}
