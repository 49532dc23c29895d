package load

import (
	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/cuecontext"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// A reader reads one module.
type reader struct {
	// What is read, fixed by newReader. src.FS is the only thing that is ever opened.
	src   Source
	dir   string // of the package that is read
	diags *diag.List
	// ctx is CUE's arena of values: a value of one context cannot be unified with one of another,
	// so the patterns of node.go are built in it too.
	ctx *cue.Context
	// What has been parsed. files has texts for counting columns and is filled when a place is
	// first asked for; pkgs and insts are filled by loadInstance and prepareInstances, insts in the
	// order importer before imported.
	files map[string]*file // by the name diagnostics use
	pkgs  map[*build.Instance]*scope
	insts []*build.Instance // what is read, and all it imports
	// What is left out. An empty only, unlike nil, leaves all rulesets out: Names reads rules.cue
	// in this way.
	only []string      // of the rulesets that ship, those that are read; nil for all
	left leftOut       // of the files at the root
	said map[line]bool // where an input contradicts itself: CUE may find that too
	// What explains errors of CUE's is collected when they are reported.
	marks    *marks
	declared map[packagePath]*declared
}

// marks are parts of the files that explain errors of CUE's.
type marks struct {
	strays         []ast.Expr // declarations that are only values
	comprehensions []*ast.Comprehension
	insts          int // how many packages they are of
}

// A line is a line of a file.
type line struct {
	file string
	line int
}

// newContext is an arena of CUE's values. The evaluator is named because CUE's environment variables could choose another,
// and the same files must read the same everywhere.
func newContext() *cue.Context {
	return cuecontext.New(cuecontext.EvaluatorVersion(cuecontext.EvalStable), cuecontext.CUE_DEBUG(""))
}

func newReader(src Source, diags *diag.List) *reader {
	return &reader{
		src: src, diags: diags,
		ctx:   newContext(),
		files: map[string]*file{},
		pkgs:  map[*build.Instance]*scope{},
		said:  map[line]bool{},

		declared: map[packagePath]*declared{},
	}
}
