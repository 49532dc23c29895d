package judge_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/format"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"
)

// A seeder rewrites functions so that every fault of a list can be switched on in one and the same program: it is compiled
// once, however many faults are tried. The fault 17 of "a < b" becomes faulty.Less(17, a, b), which computes a <= b when
// 17 is the number that the process was given, and a < b otherwise.
//
// Operands are evaluated once and in their order, so that a program without a fault computes what it did before.
type seeder struct {
	pkg      *packages.Package
	fixed    map[ast.Expr]bool         // expressions that must stay constants
	spans    map[ast.Node][2]token.Pos // of nodes before their parts are replaced
	amounts  map[*ast.AssignStmt]bool  // whose left side is a number or a text, and whose right side is no constant
	literals map[ast.Expr]bool         // that are compared with something
	compared []int                     // the faults of these: another number need not make another comparison
	places   []string                  // by the number of a fault: what it changes and where
	source   []byte                    // of the file
	name     string                    // of the function
}

// faultyPackage is the package of switches that the rewritten sources import. A fault infects where it makes another value of
// one: this is counted, as a fault that infects nothing is not tried by what is compared.
const faultyPackage = `// Package faulty holds the switches of the seeded faults.
package faulty

import (
	"cmp"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

func init() {
	if limit, _ := strconv.Atoi(os.Getenv("RULESET_SECONDS")); limit > 0 {
		go watchTime(time.Duration(limit) * time.Second)
	}
}

var begun atomic.Int64 // when the ruleset began, in nanoseconds of a processor

// watchTime ends the program when a ruleset has taken too long.
func watchTime(limit time.Duration) {
	for used()-time.Duration(begun.Load()) < limit {
		time.Sleep(limit / 50)
	}
	fmt.Println("\nno end within", limit)
	os.Exit(2)
}

func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var (
	seeded, _    = strconv.Atoi(os.Getenv("SEEDED_FAULT"))
	sometimes, _ = strconv.Atoi(os.Getenv("FAULT_SOMETIMES")) // the seed by which the fault is switched at each call; 0 for always
	addend, _    = strconv.Atoi(os.Getenv("FAULT_ADDS"))      // what a faulty number has too much; 0 as its fault says
	log, _       = os.Create(os.Getenv("REACHED_FAULTS"))
	reached      [1 << 17]uint32 // how often, by fault

	asked     uint64   // how often the switch was asked
	infected  [2]int64 // how often the value was another: what was false, and what was true
	seen      [2]int64 // of the changes of a statement that is left out, how many there were and how many changed something
	isPending bool     // a left operand is another, and the right one is awaited
)

type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

// isOn reports whether a fault is switched on at this call.
func isOn(id int) bool {
	if log != nil {
		reached[id]++
	}
	if seeded != id {
		return false
	}
	if Beside && depth == 0 {
		exclude("it is reached elsewhere")
	}
	if sometimes == 0 {
		return true
	}
	asked++
	return mix(asked+uint64(sometimes)<<40)&1 == 0
}

func mix(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// EndRuleset tells how often the fault has infected since the last ruleset.
func EndRuleset(seed uint64) {
	if log != nil {
		for id, n := range reached {
			if n > 0 {
				fmt.Fprintln(log, id, n)
			}
		}
	}
	if seeded != 0 {
		fmt.Println("\ninfected:", seed, infected[0], infected[1], seen[0], seen[1])
	}
	infected, seen = [2]int64{}, [2]int64{}
	begun.Store(int64(used()))
}

// On reports whether a fault is switched on, which infects.
func On(id int) bool {
	if !isOn(id) {
		return false
	}
	infected[0]++
	return true
}

// Perhaps reports whether a fault is switched on that infects if the right operand lets it, which Then and Else are told.
func Perhaps(id int) bool {
	if !isOn(id) {
		return false
	}
	isPending = true
	return true
}

func Then(id int, right bool) bool {
	if seeded == id && isPending {
		if isPending = false; right {
			infected[0]++
		}
	}
	return right
}

func Else(id int, right bool) bool {
	if seeded == id && isPending {
		if isPending = false; !right {
			infected[1]++
		}
	}
	return right
}

func Flip[B ~bool](id int, x B) B {
	if !isOn(id) {
		return x
	}
	if x {
		infected[1]++
	} else {
		infected[0]++
	}
	return !x
}

func other[T number](right, wrong T) T {
	infected[0]++
	if addend != 0 {
		n := addend // no constant
		return right + T(n)
	}
	return wrong
}

func Number[T number](id int, x T) T {
	if isOn(id) {
		return other(x, x+1)
	}
	return x
}

func Sum[T number](id int, x, y T) T {
	if x+y != x-y && isOn(id) {
		return other(x+y, x-y)
	}
	return x + y
}

func Difference[T number](id int, x, y T) T {
	if x+y != x-y && isOn(id) {
		return other(x-y, x+y)
	}
	return x - y
}

func Product[T number](id int, x, y T) T {
	if x+y != x*y && isOn(id) {
		return other(x*y, x+y)
	}
	return x * y
}

func Less[T cmp.Ordered](id int, x, y T) bool { return x < y || x == y && On(id) }

func LessOrEqual[T cmp.Ordered](id int, x, y T) bool { return x < y || x == y && !On(id) }

// Amount returns what a statement adds, which is nothing where the fault leaves it out.
func Amount[T cmp.Ordered](id int, x T) T {
	var nothing T
	if x != nothing && On(id) {
		return nothing
	}
	return x
}

// Look returns what a statement is about to change, if it is the one that is left out at times.
func Look(id int, read func() []any) (was []any) {
	if seeded != id || sometimes == 0 {
		return nil
	}
	defer func() { _ = recover() }() // what is read too early
	return read()
}

// Watch counts whether a statement has changed something.
func Watch(id int, was []any, read func() []any) {
	if was == nil {
		return
	}
	seen[0]++
	for i, x := range read() {
		if !isSame(reflect.ValueOf(was[i]), reflect.ValueOf(x)) {
			seen[1]++
			return
		}
	}
}

func isSame(x, y reflect.Value) bool {
	if !x.IsValid() || !y.IsValid() || x.Type() != y.Type() {
		return x.IsValid() == y.IsValid()
	}
	switch x.Kind() {
	case reflect.Slice:
		return x.Len() == y.Len() && (x.Pointer() == y.Pointer() || seen[0] > 10_000 || reflect.DeepEqual(x.Interface(), y.Interface()))
	case reflect.Map, reflect.Func, reflect.Pointer, reflect.Chan:
		return x.Pointer() == y.Pointer()
	}
	return x.Comparable() && y.Comparable() && x.Equal(y) ||
		!(x.Comparable() && y.Comparable()) && (seen[0] > 10_000 || reflect.DeepEqual(x.Interface(), y.Interface()))
}
`

// tellInfections is a file of the comparison when it has faults.
const tellInfections = `package judge_test

import switches "github.com/tabletop-rules/rules/faulty"

func init() { afterRuleset = switches.EndRuleset }
`

func newSeeder(pkg *packages.Package, places []string) *seeder {
	return &seeder{pkg: pkg, fixed: map[ast.Expr]bool{}, spans: map[ast.Node][2]token.Pos{},
		amounts: map[*ast.AssignStmt]bool{}, literals: map[ast.Expr]bool{}, places: places}
}

// add numbers a fault. Its place is "runtime/schedule/fold.go:54:3 foldFirst: if x < 1 {: this end never comes".
func (s *seeder) add(at ast.Node, format string, args ...any) ast.Expr {
	span := s.spans[at]
	from, to := s.pkg.Fset.Position(span[0]), s.pkg.Fset.Position(span[1])
	text, _, _ := strings.Cut(string(s.source[from.Offset:to.Offset]), "\n")
	place := strings.TrimPrefix(from.String(), s.pkg.Module.Dir+"/")
	s.places = append(s.places, fmt.Sprintf("%s %s: %s: %s", place, s.name, text, fmt.Sprintf(format, args...)))
	return &ast.BasicLit{Kind: token.INT, Value: fmt.Sprint(len(s.places))}
}

func faulty(name string, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: &ast.SelectorExpr{X: ast.NewIdent("faulty"), Sel: ast.NewIdent(name)}, Args: args}
}

func not(x ast.Expr) ast.Expr { return &ast.UnaryExpr{Op: token.NOT, X: x} }

func binary(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
	return &ast.ParenExpr{X: &ast.BinaryExpr{X: x, Op: op, Y: y}}
}

// seed rewrites the functions of a file and returns its text.
func (s *seeder) seed(file *ast.File) ([]byte, error) {
	file.Comments = nil
	source, err := os.ReadFile(s.pkg.Fset.Position(file.Package).Filename)
	if err != nil {
		return nil, err
	}
	s.source = source
	before := len(s.places)
	for _, d := range file.Decls {
		if fn, isFunc := d.(*ast.FuncDecl); isFunc && fn.Body != nil && !isForReading(fn.Name.Name) &&
			!strings.HasPrefix(fn.Name.Name, "charge") {
			fn.Doc, s.name = nil, fn.Name.Name
			fn.Body = astutil.Apply(fn.Body, s.enter, s.leave).(*ast.BlockStmt)
			if err := s.consent(fn); err != nil {
				return nil, err
			}
		}
	}
	if len(s.places) > before {
		astutil.AddImport(s.pkg.Fset, file, s.pkg.Module.Path+"/faulty")
	}
	var b bytes.Buffer
	err = format.Node(&b, s.pkg.Fset, file)
	return b.Bytes(), err
}

// isCharge reports whether a statement only counts work, of which a budget allows so much: "charge" begins the name of what
// it calls. No meaning depends on it, so no fault is seeded there.
func isCharge(x ast.Node) bool {
	e, isExpr := x.(*ast.ExprStmt)
	if !isExpr {
		return false
	}
	call, isCall := e.X.(*ast.CallExpr)
	if !isCall {
		return false
	}
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return strings.HasPrefix(fun.Name, "charge")
	case *ast.SelectorExpr:
		return strings.HasPrefix(fun.Sel.Name, "charge")
	}
	return false
}

// isForReading reports whether a function only makes texts that no comparison reads: messages and prints.
func isForReading(name string) bool {
	return slices.Contains([]string{"String", "Error", "Format"}, name)
}

// enter marks expressions that the language wants constant.
func (s *seeder) enter(c *astutil.Cursor) bool {
	if c.Node() != nil {
		s.spans[c.Node()] = [2]token.Pos{c.Node().Pos(), c.Node().End()}
	}
	if isCharge(c.Node()) {
		return false
	}
	switch n := c.Node().(type) {
	case *ast.ArrayType, *ast.GenDecl:
		return false
	case *ast.AssignStmt:
		if t := s.basic(n.Lhs[0]); t != nil && t.Info()&types.IsOrdered != 0 && !s.isConstant(n.Rhs[0]) && !hasShift(n.Rhs[0]) {
			s.amounts[n] = true
		}
	case *ast.BinaryExpr:
		switch n.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			s.literals[n.X], s.literals[n.Y] = true, true
		}
	case *ast.CaseClause:
		for _, x := range n.List {
			if s.isConstant(x) {
				s.fixed[x] = true
			}
		}
	case *ast.KeyValueExpr:
		s.fixed[n.Key] = true
	case ast.Expr:
		if s.fixed[n] {
			return false
		}
		if _, isLiteral := n.(*ast.BasicLit); s.isConstant(n) && !isLiteral {
			return false
		}
	}
	return true
}

func (s *seeder) isConstant(x ast.Expr) bool { return s.pkg.TypesInfo.Types[x].Value != nil }

func (s *seeder) basic(x ast.Expr) *types.Basic {
	t := s.pkg.TypesInfo.TypeOf(x)
	if t == nil {
		return nil
	}
	b, _ := t.Underlying().(*types.Basic)
	return b
}

// leave seeds faults in a node whose parts have theirs.
func (s *seeder) leave(c *astutil.Cursor) bool {
	switch n := c.Node().(type) {
	case *ast.BinaryExpr:
		s.seedOperator(c, n)
	case *ast.BasicLit:
		s.seedNumber(c, n)
	case *ast.IfStmt:
		s.seedCondition(n)
	case *ast.BlockStmt:
		n.List = s.seedStatements(n.List)
	case *ast.CaseClause:
		n.Body = s.seedStatements(n.Body)
	}
	return true
}

func (s *seeder) seedOperator(c *astutil.Cursor, n *ast.BinaryExpr) {
	t := s.basic(n.X)
	if s.isConstant(n.X) {
		t = s.basic(n.Y)
	}
	isLoose := t != nil && t.Info()&types.IsUntyped != 0 && t.Kind() != types.UntypedNil && t.Kind() != types.UntypedBool
	if s.isConstant(n) || isLoose {
		return
	}
	call := func(at ast.Node, name, what string, x, y ast.Expr) ast.Expr {
		return faulty(name, s.add(at, "%s", what), x, y)
	}
	isOrdered := t != nil && t.Info()&types.IsOrdered != 0
	isNumber := t != nil && t.Info()&types.IsNumeric != 0
	switch n.Op {
	case token.LAND: // the fault is asked for last, so that a place is reached only where the operand decides
		left := s.add(n, "the left of && is left out")
		x := binary(n.X, token.LOR, faulty("Perhaps", left))
		y := binary(n.Y, token.LOR, faulty("On", s.add(n, "the right of && is left out")))
		c.Replace(binary(x, token.LAND, faulty("Then", left, y)))
	case token.LOR:
		left := s.add(n, "the left of || is left out")
		x := binary(n.X, token.LAND, not(faulty("Perhaps", left)))
		y := binary(n.Y, token.LAND, not(faulty("On", s.add(n, "the right of || is left out"))))
		c.Replace(binary(x, token.LOR, faulty("Else", left, y)))
	case token.EQL, token.NEQ:
		c.Replace(faulty("Flip", s.add(n, "%s is the opposite", n.Op), n))
	case token.LSS, token.GTR, token.LEQ, token.GEQ:
		if !isOrdered {
			return
		}
		x, y := n.X, n.Y
		if n.Op == token.GTR || n.Op == token.GEQ { // operands without calls may be swapped
			if hasCall(x, isAny) && hasCall(y, isAny) {
				return
			}
			x, y = y, x
		}
		name, other := "Less", "<="
		if n.Op == token.LEQ || n.Op == token.GEQ {
			name, other = "LessOrEqual", "<"
		}
		bound := call(n, name, fmt.Sprintf("%s excludes or includes its bound wrongly, as %s", n.Op, other), x, y)
		c.Replace(faulty("Flip", s.add(n, "%s is the opposite", n.Op), bound))
	case token.ADD, token.SUB, token.MUL:
		if isNumber {
			name := map[token.Token]string{token.ADD: "Sum", token.SUB: "Difference", token.MUL: "Product"}[n.Op]
			other := map[token.Token]string{token.ADD: "-", token.SUB: "+", token.MUL: "+"}[n.Op]
			c.Replace(call(n, name, other+" for "+n.Op.String(), n.X, n.Y))
		}
	}
}

// hasCall reports whether an expression has a call of some kind.
func hasCall(x ast.Expr, is func(*ast.CallExpr) bool) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		found = found || isCall && is(call)
		return !found
	})
	return found
}

// hasShift reports whether an expression shifts bits, which may have the type of what it is assigned to.
func hasShift(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		b, isBinary := n.(*ast.BinaryExpr)
		found = found || isBinary && b.Op == token.SHL
		return !found
	})
	return found
}

func isAny(*ast.CallExpr) bool { return true }

// isOfProduct reports whether a call is none of a switch, nor one that only finds the row of a table.
func isOfProduct(call *ast.CallExpr) bool {
	fun, isSelector := call.Fun.(*ast.SelectorExpr)
	if !isSelector {
		return true
	}
	name, isName := fun.X.(*ast.Ident)
	return (!isName || name.Name != "faulty") && fun.Sel.Name != "Row"
}

// seedNumber seeds an off-by-one in an integer.
func (s *seeder) seedNumber(c *astutil.Cursor, n *ast.BasicLit) {
	v := s.pkg.TypesInfo.Types[n]
	b, isBasic := v.Type.(*types.Basic)
	if n.Kind != token.INT || !isBasic || b.Info()&types.IsUntyped != 0 || b.Info()&types.IsInteger == 0 {
		return
	}
	if value, exact := constant.Int64Val(v.Value); !exact || value > 100 {
		return
	}
	typed := &ast.CallExpr{Fun: ast.NewIdent(b.Name()), Args: []ast.Expr{n}}
	c.Replace(faulty("Number", s.add(n, "%s + 1 for %s in %s", n.Value, n.Value, s.lineOf(n)), typed))
	if s.literals[n] {
		s.compared = append(s.compared, len(s.places))
	}
}

// lineOf returns the line of the source in which a node begins, as a number alone says little.
func (s *seeder) lineOf(n ast.Node) string {
	at := s.pkg.Fset.Position(s.spans[n][0])
	begin := at.Offset - (at.Column - 1)
	line, _, _ := bytes.Cut(s.source[begin:], []byte("\n"))
	return string(bytes.TrimSpace(line))
}

// seedCondition seeds an early end that does not come.
func (s *seeder) seedCondition(n *ast.IfStmt) {
	if n.Else == nil && endsFlow(n.Body) {
		n.Cond = binary(n.Cond, token.LAND, not(faulty("On", s.add(n, "this end never comes"))))
	}
}

func endsFlow(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// seedStatements seeds what is left out, done twice, or done after what follows it.
func (s *seeder) seedStatements(list []ast.Stmt) (out []ast.Stmt) {
	for i := 0; i < len(list); i++ {
		x := list[i]
		if i+1 < len(list) && canSwap(x) && canSwap(list[i+1]) {
			y := list[i+1]
			on := faulty("On", s.add(x, "this comes after the statement that follows it"))
			out = append(out, &ast.IfStmt{Cond: on, Body: &ast.BlockStmt{List: []ast.Stmt{y, x}},
				Else: &ast.BlockStmt{List: []ast.Stmt{x, y}}})
			i++
			continue
		}
		switch {
		case isCall(x):
			out = append(out, s.unless(x, "this call is left out"))
			if drawing.MatchString(types.ExprString(x.(*ast.ExprStmt).X.(*ast.CallExpr).Fun)) {
				out = append(out, s.when(x, x, "this call is made twice"))
			}
		case canLeaveOut(x):
			if s.addsAmount(x) {
				d := x.(*ast.AssignStmt)
				d.Rhs[0] = faulty("Amount", s.add(x, "this statement is left out"), d.Rhs[0])
				out = append(out, x)
				continue
			}
			out = append(out, s.unless(x, "this statement is left out"))
			s.watch(out[len(out)-1].(*ast.IfStmt))
		default:
			if again := s.again(x); again != nil {
				out = append(out, s.when(x, again, "this call is made once more before"))
			}
			out = append(out, x)
		}
	}
	return out
}

func (s *seeder) unless(x ast.Stmt, what string) ast.Stmt {
	return &ast.IfStmt{Cond: not(faulty("On", s.add(x, "%s", what))), Body: &ast.BlockStmt{List: []ast.Stmt{x}}}
}

// watch lets an assignment that may be left out say whether it changes something. Operands that call are not read twice.
func (s *seeder) watch(n *ast.IfStmt) {
	x, isAssign := n.Body.List[0].(*ast.AssignStmt)
	if !isAssign {
		return
	}
	for _, operand := range x.Lhs {
		if name, isName := operand.(*ast.Ident); isName && name.Name == "_" || hasCall(operand, isOfProduct) {
			return
		}
	}
	values := &ast.ArrayType{Elt: &ast.InterfaceType{Methods: &ast.FieldList{}}} // a parameter may be called any
	list := &ast.CompositeLit{Type: values, Elts: x.Lhs}
	read := func() ast.Expr {
		results := &ast.FieldList{List: []*ast.Field{{Type: values}}}
		return &ast.FuncLit{Type: &ast.FuncType{Params: &ast.FieldList{}, Results: results},
			Body: &ast.BlockStmt{List: []ast.Stmt{&ast.ReturnStmt{Results: []ast.Expr{list}}}}}
	}
	id := n.Cond.(*ast.UnaryExpr).X.(*ast.CallExpr).Args[0]
	was := ast.NewIdent("wasBefore")
	n.Body.List = []ast.Stmt{
		&ast.AssignStmt{Lhs: []ast.Expr{was}, Tok: token.DEFINE, Rhs: []ast.Expr{faulty("Look", id, read())}},
		x,
		&ast.ExprStmt{X: faulty("Watch", id, was, read())},
	}
}

func (s *seeder) when(at, x ast.Stmt, what string) ast.Stmt {
	return &ast.IfStmt{Cond: faulty("On", s.add(at, "%s", what)), Body: &ast.BlockStmt{List: []ast.Stmt{x}}}
}

func isCall(x ast.Stmt) bool {
	e, isExpr := x.(*ast.ExprStmt)
	if !isExpr {
		return false
	}
	call, isCall := e.X.(*ast.CallExpr)
	if !isCall || isCharge(x) {
		return false
	}
	name, isName := call.Fun.(*ast.Ident)
	return !isName || name.Name != "panic"
}

func canLeaveOut(x ast.Stmt) bool {
	switch x := x.(type) {
	case *ast.IncDecStmt:
		return true
	case *ast.AssignStmt:
		return x.Tok != token.DEFINE
	}
	return false
}

// addsAmount reports whether a statement adds a number or a text that may be none.
func (s *seeder) addsAmount(x ast.Stmt) bool {
	d, isAssign := x.(*ast.AssignStmt)
	return isAssign && s.amounts[d] &&
		slices.Contains([]token.Token{token.ADD_ASSIGN, token.SUB_ASSIGN, token.OR_ASSIGN, token.XOR_ASSIGN}, d.Tok)
}

// canSwap reports whether a statement declares nothing and is of a kind that is often in the wrong order.
func canSwap(x ast.Stmt) bool {
	if n, isIf := x.(*ast.IfStmt); isIf {
		return n.Else == nil && endsFlow(n.Body)
	}
	return isCall(x)
}

// drawing are words in the names of functions that take a face: a draw too many moves all that follow.
var drawing = regexp.MustCompile(`(?i)draw|face|throw|roll|next|take|pop`)

// again returns the call of a definition that takes a face.
func (s *seeder) again(x ast.Stmt) ast.Stmt {
	d, isAssign := x.(*ast.AssignStmt)
	if !isAssign || d.Tok != token.DEFINE || len(d.Rhs) != 1 {
		return nil
	}
	call, isCall := d.Rhs[0].(*ast.CallExpr)
	if !isCall || !drawing.MatchString(types.ExprString(call.Fun)) {
		return nil
	}
	if tv := s.pkg.TypesInfo.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return nil
	}
	blank := make([]ast.Expr, len(d.Lhs))
	for i := range blank {
		blank[i] = ast.NewIdent("_")
	}
	return &ast.AssignStmt{Lhs: blank, Tok: token.ASSIGN, Rhs: []ast.Expr{call}}
}
