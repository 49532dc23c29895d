package judge_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	faults     = flag.Int("faults", 0, "seed so many faults in the machine, one at a time, and count those that are noticed")
	faultsSeed = flag.Uint64("faults-seed", 1, "choose them by the `SEED`")
	faultsIn   = flag.String("faults-in", "compiler/lower runtime/schedule runtime/internal/vm runtime/internal/lookup "+
		"runtime/builtin runtime/jsonio runtime/dice runtime/odds/eliminate runtime/odds/internal/rewrite", "the packages")
	patience = flag.Duration("faults-for", 4*time.Minute, "how long the comparison of one fault may take")
)

// wrong says which operator is seeded in the place of another.
var wrong = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.ADD},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR}, token.GTR: {token.GEQ, token.LEQ},
	token.GEQ: {token.GTR, token.LSS}, token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
}

// A fault is a small wrong change of a file of the machine.
type fault struct {
	file, what string
	text       []byte
}

// TestFaults seeds faults and wants the comparison of generated rulesets to notice them. It is no test of the product and
// runs only when it is asked for.
func TestFaults(t *testing.T) {
	if *faults == 0 {
		t.Skip("-faults says how many are seeded")
	}
	var sites []fault
	for _, dir := range strings.Fields(*faultsIn) {
		sites = append(sites, findSites(t, filepath.Join(moduleRoot(t), dir))...)
	}
	g := rand.New(rand.NewPCG(*faultsSeed, 0))
	noticed, survived, broken := 0, 0, 0
	for _, i := range g.Perm(len(sites))[:min(*faults, len(sites))] {
		begin := time.Now()
		switch out, failed := compareWith(t, sites[i]); {
		case !failed:
			survived++
			t.Logf("survives: %s", sites[i].what)
		case strings.Contains(out, "[build failed]"):
			broken++
		default:
			noticed++
			t.Logf("noticed in %.0fs: %s", time.Since(begin).Seconds(), sites[i].what)
		}
	}
	t.Logf("of %d places %d were chosen: %d noticed, %d survive, %d do not compile", len(sites),
		noticed+survived+broken, noticed, survived, broken)
}

// findSites returns every fault that can be seeded in the operators and small numbers of a package.
func findSites(t *testing.T, dir string) (out []fault) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(dir, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		seed := func(at token.Pos, old, new string) {
			from := set.Position(at).Offset
			changed := string(text[:from]) + new + string(text[from+len(old):])
			out = append(out, fault{file, fmt.Sprintf("%s: %s for %s", set.Position(at), new, old), []byte(changed)})
		}
		for _, d := range f.Decls {
			fn, isFunc := d.(*ast.FuncDecl)
			if !isFunc || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BinaryExpr:
					for _, op := range wrong[n.Op] {
						seed(n.OpPos, n.Op.String(), op.String())
					}
				case *ast.BasicLit:
					if n.Kind == token.INT && len(n.Value) == 1 {
						seed(n.Pos(), n.Value, string(n.Value[0]^1))
					}
				}
				return true
			})
		}
	}
	return out
}

// compareWith runs the comparison on a machine with a fault, and reports whether it fails.
func compareWith(t *testing.T, x fault) (string, bool) {
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "faulty.go"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {x.file: file}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{file: x.text, overlay: replace} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), *patience)
	defer cancel()
	c := exec.CommandContext(ctx, "go", "test", "-count=1", "-vet=off", "-overlay", overlay, ".", "-run", "^TestGenerated$",
		"-rulesets", "40", "-questions", "15")
	c.WaitDelay = time.Second
	out, err := c.CombinedOutput()
	return string(out), err != nil
}
