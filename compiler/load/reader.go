package load

import (
	"cuelang.org/go/cue"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/cuecontext"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// A reader reads one module.
type reader struct {
	src   Source
	dir   string // of the package that is read
	diags *diag.List
	ctx   *cue.Context
	files map[string]*file // by the name diagnostics use
	pkgs  map[*build.Instance]*scope
	insts []*build.Instance // what is read, and all it imports
	only  []string          // of the rulesets that ship, those that are read; nil for all
	left  leftOut           // of the files at the root
	said  map[line]bool     // where an input contradicts itself: CUE may find that too
}

// A line is a line of a file.
type line struct {
	file string
	line int
}

func newReader(src Source, diags *diag.List) *reader {
	return &reader{
		src: src, diags: diags,
		ctx:   cuecontext.New(cuecontext.EvaluatorVersion(cuecontext.EvalStable), cuecontext.CUE_DEBUG("")),
		files: map[string]*file{},
		pkgs:  map[*build.Instance]*scope{},
		said:  map[line]bool{},
	}
}
