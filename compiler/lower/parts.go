package lower

import "github.com/tabletop-rules/rules/runtime/plan"

// A list that is joined of several remembers them (builder.parts), so that what reads it can be lowered part by part.

// joinParts joins lists into one that remembers them.
func (b values) joinParts(lists []plan.Value) plan.Value {
	out := lists[0]
	if len(lists) == 1 {
		return out
	}
	typ := b.plan.internType(out.Type)
	var parts []plan.ID
	for i, list := range lists {
		parts = append(parts, list.ID)
		if i > 0 {
			out.Fault = b.firstFault(out.Fault, list.Fault)
			out.ID = b.opImm(plan.OpConcat, plan.List, typ, out.ID, list.ID)
		}
	}
	b.parts[out.ID] = parts
	return out
}

// eachPart returns the results of a function for each part of a list, or for the list itself if it has no parts.
func (b values) eachPart(list plan.Value, makes func(plan.Value) plan.Value) []plan.Value {
	parts, ok := b.parts[list.ID]
	if !ok {
		return []plan.Value{makes(list)}
	}
	var out []plan.Value
	for _, id := range parts {
		out = append(out, makes(newScalar(list.Type, id, list.Fault)))
	}
	return out
}

// walkEachPart is eachPart for makers that loop over the elements. In such a loop a list is walked as a whole: loops over
// 50 parts that stand in each other would otherwise become 50 loops, 2500 and 125000.
func (b values) walkEachPart(list plan.Value, makes func(plan.Value) plan.Value) []plan.Value {
	if b.walksParts {
		return []plan.Value{makes(list)}
	}
	b.walksParts = true
	defer func() { b.walksParts = false }()
	return b.eachPart(list, makes)
}
