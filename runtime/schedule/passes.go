package schedule

import "slices"

// A Pass rewrites a graph before its instructions are made.
type Pass struct {
	Name  string
	Doc   string
	After []string // passes that must stand before it, when they run at all
	Why   string   // what they do for it
	run   func(*work)
}

// Passes returns the passes in the order in which they run.
func Passes() []Pass {
	return []Pass{
		{
			Name: "bounds", Doc: "drop the checks that cannot fail, and what else the bounds of the input decide",
			run: (*work).foldBounds,
		},
		{
			Name: "fold", Doc: "compute what is constant, the options being constants",
			After: []string{"bounds"},
			Why:   "which makes constants of faults",
			run:   (*work).foldNodes,
		},
		{
			Name: "names", Doc: "keep the named values that are needed, for the trace",
			After: []string{"fold"},
			Why:   "which cuts off the arms that the options do not choose",
			run:   (*work).addNames,
		},
		{
			Name: "share", Doc: "compute equal sub-expressions once",
			After: []string{"fold"},
			Why:   "which makes more of them equal",
			run:   (*work).shareNodes,
		},
		{
			Name: "facts", Doc: "drop the checks that a requirement before them, or the range of a loop, has decided",
			After: []string{"bounds", "fold", "share"},
			Why:   "which say how long lists are, and make one node of those that are checked again",
			run:   (*work).dropKnownFaults,
		},
		{
			Name: "dead", Doc: "leave out what nothing needs",
			After: []string{"fold", "names", "share", "facts"},
			Why:   "which say what is needed",
			run:   (*work).dropDead,
		},
		{
			Name: "tabulate", Doc: "look up in a table what depends on a single value of a few hundred",
			After: []string{"bounds", "names", "share", "dead"},
			Why:   "which say how many values there are, and what is needed at all",
			run:   (*work).tabulateNodes,
		},
		{
			Name: "reciprocal", Doc: "multiply instead of dividing by a power of two, which comes to the same bit",
			After: []string{"tabulate"},
			Why:   "which computes no nodes that are new",
			run:   (*work).multiplyReciprocals,
		},
		{
			Name: "limits", Doc: "compare a number once with the nearer of two limits",
			After: []string{"share", "dead", "tabulate"},
			Why:   "which say what else reads a comparison, and look it up where that is better",
			run:   (*work).joinLimits,
		},
		{
			Name: "fuse", Doc: "let one instruction do what two or three do that only serve each other",
			After: []string{"share", "dead", "tabulate", "reciprocal", "limits"},
			Why:   "which say what serves whom, and leave fewer",
			run:   (*work).fusePairs,
		},
		{
			Name: "chain", Doc: "let one instruction do longer chains",
			After: []string{"fuse"},
			Why:   "which begins them",
			run:   (*work).fuseChains,
		},
		{
			Name: "reuse", Doc: "give the slot of a value that nothing reads any more to another, where there are no loops",
			After: []string{"dead", "chain"},
			Why:   "which say what is read, and where",
			run:   func(w *work) { w.reuse = w.live != nil && len(w.loop) == 1 },
		},
		{
			Name: "overwrite", Doc: "let loops write the next carried value where the last one stands",
			run: func(w *work) { w.overwrite = true },
		},
	}
}

// runPasses runs those that are not left out.
func (w *work) runPasses(opt Options) error {
	all := Passes()
	for _, name := range opt.Without {
		if !slices.ContainsFunc(all, func(p Pass) bool { return p.Name == name }) {
			return &UnknownError{"pass", name}
		}
	}
	for _, p := range all {
		if !opt.Full && !slices.Contains(opt.Without, p.Name) {
			p.run(w)
		}
	}
	return nil
}

// PassNames returns the names of all passes, to leave them all out.
func PassNames() []string {
	var out []string
	for _, p := range Passes() {
		out = append(out, p.Name)
	}
	return out
}
