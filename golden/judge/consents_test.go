package judge_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Many functions of the machine only choose between two exact ways. Their "no" is always right, and only their "yes" must be
// justified: such a function is called a consent here. A fault that makes consents say no more often changes no answer, and
// this is found out instead of argued, in two steps.
//
//   - That "no" is right: the consents say it at random, and always, and the comparison notices nothing (checkConsents).
//     Nor when each is asked twice and must answer the same, so that asking changes nothing.
//   - That a fault only says no more often: each call of a consent is carried out without the fault and then with it, in one
//     process. The fault is explained if it is reached in consents alone, if what it says is each time "no" or the same as
//     without it, and if it was "no" in its place at least once.
//
// A pass of the scheduler is a consent for each of its nodes: it may leave a node as it was before. With the fault each node
// must be as before the pass or as the pass leaves it without the fault, where nodes count as equal that are equal without
// it; and what is needed without it must be needed.
//
// The limits: both steps speak of the calls that the rulesets made, as all of the comparison does. A function that keeps its
// answers is no consent, as it would answer with the fault what it found without: what the passes keep is made in them.
const onlyNo = "it only says no more often"

// consents are functions whose "no" is right, by the end of their file and their name: what the last result is then. Those
// named in passes are passes over all nodes.
var consents = map[string]string{
	"eliminate/build.go poolCluster":      "false",
	"eliminate/compared.go comparedValue": "false",
	"eliminate/dependence.go readsPartOf": "true",
	"eliminate/link.go staysApart":        "false",
	"eliminate/order.go onlyReader":       "plan.None",
	"eliminate/program.go onlyAdds":       "false",
	"eliminate/ranks.go readsRanks":       "false",
	"eliminate/recall.go mayRecall":       "false",
	"eliminate/recall.go outlives":        "false",
	"eliminate/stream.go isAdditive":      "false",
	"eliminate/fold.go onlyVarying":       "-1",
	"eliminate/grid.go gridOf":            "nil",
	"eliminate/tails.go tailOf":           "plan.None",
	"jsonio/decoder.go readShortDouble":   "false",
	"jsonio/decoder.go parseShortInt":     "0",
	"jsonio/schema.go hasDouble":          "false",
	"jsonio/schema.go hasInt":             "false",
	"jsonio/schema.go isPrefixOf":         "false",
	"jsonio/schema.go newFastRange":       "fastRange{low: 1}",
	"jsonio/schema.go plainDefault":       "false",
	"schedule/facts.go isOwnIndex":        "false",
	"schedule/limits.go isReadOnlyBy":     "false",
	"schedule/reciprocal.go isPowerOfTwo": "false",
	"schedule/tabulate.go commonSource":   "manifold",
}

var passes = []string{"bounds.go foldBounds", "facts.go dropKnownFaults", "fold.go foldNodes", "reciprocal.go multiplyReciprocals",
	"share.go shareNodes", "tabulate.go tabulateNodes"}

// consent rewrites a function that is a consent or a pass, of which the body has its faults.
func (s *seeder) consent(fn *ast.FuncDecl) error {
	file := s.pkg.Fset.Position(fn.Pos()).Filename
	name := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file) + " " + fn.Name.Name
	quoted := &ast.BasicLit{Kind: token.STRING, Value: fmt.Sprintf("%q", fn.Name.Name)}
	if slices.Contains(passes, strings.TrimPrefix(name, "schedule/")) {
		// func (w *work) fold() { consentToPass("fold", w, func(w *work) { … }) }
		carryOut := &ast.FuncLit{Type: &ast.FuncType{Params: fn.Recv}, Body: fn.Body}
		fn.Body = &ast.BlockStmt{List: []ast.Stmt{&ast.ExprStmt{X: &ast.CallExpr{Fun: ast.NewIdent("consentToPass"),
			Args: []ast.Expr{quoted, ast.NewIdent(fn.Recv.List[0].Names[0].Name), carryOut}}}}}
		return nil
	}
	text, isConsent := consents[name]
	if !isConsent {
		return nil
	}
	no, err := parser.ParseExpr(text)
	if err != nil {
		return err
	}
	// func isShort(id plan.ID) bool { return faulty.Consent1("isShort", false, func() bool { … }) }
	results := &ast.FuncType{Params: &ast.FieldList{}, Results: fn.Type.Results}
	for _, name := range fieldNames(fn.Type.Params) { // which it may change, and is then asked again
		again := &ast.AssignStmt{Lhs: []ast.Expr{ast.NewIdent(name)}, Tok: token.DEFINE, Rhs: []ast.Expr{ast.NewIdent(name)}}
		use := &ast.AssignStmt{Lhs: []ast.Expr{ast.NewIdent("_")}, Tok: token.ASSIGN, Rhs: []ast.Expr{ast.NewIdent(name)}}
		fn.Body.List = append([]ast.Stmt{again, use}, fn.Body.List...)
	}
	call := faulty(fmt.Sprintf("Consent%d", fn.Type.Results.NumFields()), quoted, no, &ast.FuncLit{Type: results, Body: fn.Body})
	fn.Body = &ast.BlockStmt{List: []ast.Stmt{&ast.ReturnStmt{Results: []ast.Expr{call}}}}
	return nil
}

// fieldNames returns the names of parameters.
func fieldNames(list *ast.FieldList) (out []string) {
	for _, f := range list.List {
		for _, name := range f.Names {
			if name.Name != "_" {
				out = append(out, name.Name)
			}
		}
	}
	return out
}

// checkConsents compares while consents say no always, or at random, and are asked twice. It fails with what differs.
//
// Where they say no, odds may take more work than they may, and what is compared next depends on that: such a ruleset says
// nothing, and three quarters must say something.
func (m *faultyMachine) checkConsents(ctx context.Context, seeds []uint64) error {
	tried, silent := 0, 0
	for _, how := range []string{"CONSENTS_TWICE=1", "CONSENTS_SAY_NO=1", "CONSENTS_SAY_NO=2", "CONSENTS_SAY_NO=5"} {
		for _, seed := range seeds[:min(len(seeds), 30)] {
			out, err := m.run(ctx, 0, []uint64{seed}, nil, how)
			tried++
			switch first := firstDifference(out); {
			case err == nil:
			case strings.Contains(first, "another question than before"):
				silent++
			default:
				return fmt.Errorf("%s: %s", how, shorten(first))
			}
		}
	}
	if silent*4 > tried {
		return fmt.Errorf("%d of %d rulesets are asked something else", silent, tried)
	}
	return nil
}

// onlySaysNo reports whether a fault does nothing but let consents say no more often, and says how often.
func (m *faultyMachine) onlySaysNo(t *testing.T, fault int) (how string, is bool) {
	seeds := m.seedsOf(fault)
	if len(seeds) == 0 {
		return "", false
	}
	out, err := m.run(t.Context(), fault, seeds, nil, "CONSENTS_BESIDE=1", "GOMAXPROCS=1")
	if err != nil {
		return "", false
	}
	for line := range strings.Lines(out) {
		if text, found := strings.CutPrefix(line, "consents: "); found {
			if how = strings.TrimSpace(text); strings.HasPrefix(how, "never ") {
				return how, false
			}
		}
	}
	return how, how != ""
}

// consentsSource is a second file of the package of switches.
const consentsSource = `package faulty

import (
	"fmt"
	"os"
	"reflect"
	"strconv"
)

var (
	twice    = os.Getenv("CONSENTS_TWICE") != ""
	Beside   = os.Getenv("CONSENTS_BESIDE") != ""
	sayNo, _ = strconv.Atoi(os.Getenv("CONSENTS_SAY_NO"))
	only     = os.Getenv("CONSENTS_OF") // the name of the one that is asked; "" of any

	depth, calls, fewer int
	isExcluded          bool
	answers             uint64
)

// Random reports whether answers are no at random.
func Random() bool { return sayNo > 0 }

// SaysNo reports whether an answer is no, of sayNo answers one: the same for the same key.
func SaysNo(name string, key uint64) bool {
	if sayNo == 0 || only != "" && only != name {
		return false
	}
	return mix(key+1)%uint64(sayNo) == 0
}

// exclude notes that the fault does more than to say no.
func exclude(why string) {
	if !isExcluded {
		isExcluded = true
		fmt.Println("consents: never explained: " + why)
	}
}

// NoteAnswer notes an answer with the fault: whether it is that without it, or no.
func NoteAnswer(name string, isSame, isNo bool) {
	calls++
	switch {
	case isSame || isExcluded:
	case !isNo:
		exclude("another yes of " + name)
	default:
		if fewer++; fewer&(fewer-1) == 0 {
			fmt.Printf("consents: no in place of yes %d times or more, the last of %d calls, of %s\n", fewer, calls, name)
		}
	}
}

// Outermost reports whether a call is in no other consent, where a fault is compared.
func Outermost() bool { return Beside && depth == 0 && seeded != 0 }

func Without(f func()) {
	depth++
	fault := seeded
	seeded = 0
	defer func() { seeded = fault; depth-- }()
	f()
}

func Within(f func()) {
	depth++
	defer func() { depth-- }()
	f()
}

func decide(name string, no any, f func() []any) (out []any) {
	if answers++; SaysNo(name, answers) {
		return nil
	}
	if twice {
		if x, y := f(), f(); reflect.DeepEqual(x, y) {
			return y
		}
		panic("a second answer differs: " + name)
	}
	if !Outermost() {
		return f()
	}
	var want []any
	Without(func() { want = f() })
	Within(func() { out = f() })
	NoteAnswer(name, reflect.DeepEqual(out, want), reflect.DeepEqual(out[len(out)-1], no))
	return out
}

func to[T any](x any) T { v, _ := x.(T); return v }

func Consent1[A any](name string, no A, f func() A) A {
	if sayNo == 0 && !Beside && !twice {
		return f()
	}
	if out := decide(name, no, func() []any { return []any{f()} }); out != nil {
		return to[A](out[0])
	}
	return no
}

func Consent2[A, B any](name string, no B, f func() (A, B)) (A, B) {
	if sayNo == 0 && !Beside && !twice {
		return f()
	}
	if out := decide(name, no, func() []any { a, b := f(); return []any{a, b} }); out != nil {
		return to[A](out[0]), to[B](out[1])
	}
	return to[A](nil), no
}

func Consent3[A, B, C any](name string, no C, f func() (A, B, C)) (A, B, C) {
	if sayNo == 0 && !Beside && !twice {
		return f()
	}
	if out := decide(name, no, func() []any { a, b, c := f(); return []any{a, b, c} }); out != nil {
		return to[A](out[0]), to[B](out[1]), to[C](out[2])
	}
	return to[A](nil), to[B](nil), no
}
`

// passesSource is a file of package schedule.
const passesSource = `package schedule

import (
	"reflect"
	"slices"

	"github.com/tabletop-rules/rules/faulty"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func consentToPass(name string, w *work, pass func(*work)) {
	if !faulty.Beside && !faulty.Random() {
		pass(w)
		return
	}
	before := copyWork(w)
	if !faulty.Outermost() {
		pass(w)
		for id := range before.nodes {
			if before.same[id] == plan.ID(id) && faulty.SaysNo(name, uint64(len(w.nodes)*1000+id)) {
				w.same[id], w.nodes[id] = plan.ID(id), before.nodes[id]
				w.nodes[id].Args = slices.Clone(before.nodes[id].Args)
			}
		}
		if w.live != nil {
			w.dropDead()
		}
		return
	}
	without := copyWork(w)
	faulty.Without(func() { pass(without) })
	faulty.Within(func() { pass(w) })
	same, between := reflect.DeepEqual(w, without), false
	faulty.Without(func() { between = isBetween(before, w, without) })
	faulty.NoteAnswer(name, same, between)
}

func copyWork(w *work) *work {
	c := *w
	c.nodes, c.same, c.home, c.loop, c.roots, c.live, c.bounds, c.dense = slices.Clone(w.nodes), slices.Clone(w.same),
		slices.Clone(w.home), slices.Clone(w.loop), slices.Clone(w.roots), slices.Clone(w.live), slices.Clone(w.bounds),
		slices.Clone(w.dense)
	for id := range c.nodes {
		c.nodes[id].Args = slices.Clone(c.nodes[id].Args)
	}
	return &c
}

// A class is the node that stands for one, or a constant.
type class struct {
	id   plan.ID
	kind plan.Kind
	bits int64
}

// isBetween reports whether each node is as before a pass or as the pass leaves it.
func isBetween(before, w, without *work) bool {
	classOf := func(x *work, id plan.ID) class {
		id = x.same[id]
		if n := &x.nodes[id]; n.Op == plan.OpConst || int(id) >= len(before.nodes) {
			return class{plan.None, n.Kind, n.Imm}
		}
		if id = without.same[id]; without.nodes[id].Op == plan.OpConst {
			return class{plan.None, without.nodes[id].Kind, without.nodes[id].Imm}
		}
		return class{without.same[id], 0, 0}
	}
	alike := func(n *plan.Node, x *work, id int) bool {
		m := &x.nodes[id]
		if n.Op != m.Op || n.Kind != m.Kind || n.Site != m.Site || len(n.Args) != len(m.Args) {
			return false
		}
		if n.Imm != m.Imm && (n.Op != OpDense || !reflect.DeepEqual(w.dense[n.Imm], x.dense[m.Imm])) {
			return false
		}
		for k := range n.Args {
			if n.Args[k] != m.Args[k] && (n.Args[k] == plan.None || m.Args[k] == plan.None ||
				classOf(w, n.Args[k]) != classOf(x, m.Args[k])) {
				return false
			}
		}
		return true
	}
	for id := range before.nodes {
		if w.same[id] != before.same[id] && classOf(w, plan.ID(id)) != classOf(without, plan.ID(id)) {
			return false
		}
		n := &w.nodes[id]
		if !alike(n, before, id) && !alike(n, without, id) &&
			(n.Op != plan.OpConst || classOf(w, plan.ID(id)) != classOf(without, plan.ID(id))) {
			return false
		}
	}
	needs := func(x *work, id plan.ID) bool { return slices.Contains(x.roots, id) }
	for _, id := range without.roots {
		if !needs(w, id) {
			return false
		}
	}
	for _, id := range w.roots {
		if !needs(before, id) && !needs(without, id) {
			return false
		}
	}
	if w.live != nil {
		for id, isNeeded := range w.reachFrom(w.roots, false) {
			if isNeeded && !w.live[id] {
				return false
			}
		}
	}
	n := len(before.nodes)
	return slices.Equal(w.home[:n], without.home[:n]) && slices.Equal(w.loop, without.loop) &&
		(w.live == nil) == (without.live == nil) && reflect.DeepEqual(w.bounds, without.bounds)
}
`
