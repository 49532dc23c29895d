// Command elsewhere type-checks what is not compiled here: the command and the runtime for systems and processors other
// than this one, and modules of their own that use the runtime. Compiling everything that these import takes minutes; the
// files that differ between systems, and what a module uses of ours, can only be wrong in names and types, which the
// checker finds in seconds. Functions of other modules are left without their bodies: whether these compile is known to
// their authors, and found by .ci/dist and by the tests of the modules.
//
// usage: elsewhere [SYSTEM/PROCESSOR | ./DIRECTORY of a module] ...
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	root, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	wrong := 0
	for _, target := range os.Args[1:] {
		of, patterns := packages.Config{Dir: root}, []string{"./cmd/rules/...", "./runtime/..."}
		if strings.HasPrefix(target, "./") {
			of.Dir, patterns = filepath.Join(root, target), []string{"./..."}
		} else {
			system, processor, _ := strings.Cut(target, "/")
			of.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
		}
		list, err := load(of, patterns)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", target, err)
			os.Exit(1)
		}
		packages.Visit(list, nil, func(p *packages.Package) {
			if p.Module == nil || !p.Module.Main || strings.HasSuffix(p.ID, ".test") { // that is what go test writes
				return
			}
			for _, e := range p.Errors {
				fmt.Fprintf(os.Stderr, "%s: %v\n", target, e)
				wrong++
			}
		})
		if len(list) == 0 {
			fmt.Fprintf(os.Stderr, "%s: no packages\n", target)
			wrong++
		}
		fmt.Printf("%s: %d packages\n", target, len(list))
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

// load type-checks packages with their tests, and what they import without the bodies of functions outside of a directory.
func load(of packages.Config, patterns []string) ([]*packages.Package, error) {
	of.Mode, of.Tests = packages.LoadAllSyntax|packages.NeedModule, true
	of.ParseFile = func(files *token.FileSet, name string, text []byte) (*ast.File, error) {
		f, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		if f != nil && !strings.HasPrefix(name, of.Dir+"/") {
			dropBodies(f)
		}
		return f, err
	}
	return packages.Load(&of, patterns...)
}

// dropBodies removes the function bodies of a file and keeps its declarations, which are all that other packages refer
// to.
func dropBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}
