package load

import "github.com/tabletop-rules/rules/compiler/diag"

// Names are the rulesets that rules.cue at the root of a module ships, in its order, without reading them; none when it
// cannot be read, which Release explains.
func Names(src Source) []string {
	r := newReader(src, &diag.List{})
	inst := r.instance(".")
	if inst == nil {
		return nil
	}
	v, ok := r.build(inst)
	if !ok {
		return nil
	}
	shipped, ok := r.root(inst, v).field("rulesets")
	if !ok {
		return nil
	}
	var out []string
	for _, n := range shipped.fields() {
		out = append(out, n.name)
	}
	return out
}
