// Command elsewhere type-checks the command and the runtime for systems and processors other than this one. Compiling for
// each of them everything that they import takes minutes; the files that differ between systems can only be wrong in
// names and types, which the checker finds in seconds. Functions of other modules are left without their bodies: whether
// these compile is known to their authors, and found by .ci/dist.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
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
		system, processor, _ := strings.Cut(target, "/")
		list, err := packages.Load(&packages.Config{
			Mode: packages.LoadAllSyntax | packages.NeedModule, Tests: true,
			Env: append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0"),
			ParseFile: func(files *token.FileSet, name string, text []byte) (*ast.File, error) {
				f, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
				if f != nil && !strings.HasPrefix(name, root+"/") {
					dropBodies(f)
				}
				return f, err
			},
		}, "./cmd/rules/...", "./runtime/...")
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
		fmt.Printf("%s: %d packages\n", target, len(list))
	}
	if wrong > 0 {
		os.Exit(1)
	}
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
