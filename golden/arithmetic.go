package golden

import (
	"fmt"
	"go/ast"
	"go/constant"
	goparser "go/parser"
	"go/token"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A case may say how its answer follows, instead of the answer alone:
//
//	{"output": {"active_value": {"cel": "character.skills.navigation - tables.difficulty.hard.points"}}}
//
// When an edition changes the 30 of "hard", the case moves with it; when somebody changes the formula of the rule, it
// fails. For that the arithmetic must not be the rule's: it is evaluated here, by exact numbers of any size and over the
// cells as they stand in the plan, and shares no code with the compiler or the execution of plans. It is the common part
// of CEL's syntax and Go's, so the standard library parses it: numbers, strings, + - * comparisons && || !, and the
// functions below. What it cannot say, a look-up in a chart or the outcome of dice, a case states as a value.

// An expectation is what a part of a case wants, with its arithmetic carried out.
type expectation struct {
	tree     *jsontree.Tree
	formulas map[int]string // by the place of their values in the part
}

// A calculator carries out the arithmetic of a case over the tables of a plan.
//
// It is small on purpose. Everything that it could do wrong in the same way as the compiler would
// make cases worthless, so it shares nothing with it: another parser, another number, another look
// at the tables.
type calculator struct {
	plan *plan.Plan
	c    *Case
	out  expectation
}

// expectOf returns a part of a case with its arithmetic carried out.
func expectOf(p *plan.Plan, c *Case, t *jsontree.Tree) (*expectation, error) {
	a := &calculator{plan: p, c: c, out: expectation{formulas: map[int]string{}}}
	var err error
	a.out.tree, err = a.resolve(t)
	return &a.out, err
}

// resolve copies a value with the results of its formulas.
func (a *calculator) resolve(t *jsontree.Tree) (*jsontree.Tree, error) {
	if a.c.Kind == OddsCase && t.Kind == jsontree.Text && fractionText().MatchString(t.Text) {
		return a.resolveFraction(t)
	}
	text, ok := cellFormula(t)
	if !ok {
		out := *t
		out.Items = nil
		for _, x := range t.Items {
			y, err := a.resolve(x)
			if err != nil {
				return nil, err
			}
			out.Items = append(out.Items, y)
		}
		return &out, nil
	}
	a.out.formulas[t.From] = text
	v, err := a.calculate(text)
	if err == nil {
		var out *jsontree.Tree
		if out, err = treeOf(v); err == nil {
			out.From, out.To = t.From, t.To
			return out, nil
		}
	}
	return nil, &jsontree.Error{Offset: t.From, Msg: fmt.Sprintf("%q: %v", text, err)}
}

// fractionText is a probability or a mean of a case of odds that is stated as a fraction.
var fractionText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?[0-9]+/[0-9]+$`) })

// resolveFraction replaces "1/3" by the double that is nearest to it, as which odds are written.
func (a *calculator) resolveFraction(t *jsontree.Tree) (*jsontree.Tree, error) {
	x, ok := new(big.Rat).SetString(t.Text)
	if !ok {
		return nil, &jsontree.Error{Offset: t.From, Msg: fmt.Sprintf("%q is no fraction", t.Text)}
	}
	a.out.formulas[t.From] = t.Text
	nearest, _ := x.Float64()
	text := strconv.FormatFloat(nearest, 'g', -1, 64)
	return &jsontree.Tree{Kind: jsontree.Number, Text: text, From: t.From, To: t.To}, nil
}

// treeOf returns a result as JSON.
//
// A quotient that is no double becomes the nearest one, as a sheet's numbers are; the comparison then allows for the "near"
// of the case and for nothing else.
func treeOf(v constant.Value) (*jsontree.Tree, error) {
	switch v.Kind() {
	case constant.Bool:
		return &jsontree.Tree{Kind: jsontree.Word, Text: strconv.FormatBool(constant.BoolVal(v))}, nil
	case constant.String:
		return &jsontree.Tree{Kind: jsontree.Text, Text: constant.StringVal(v)}, nil
	case constant.Int:
		if n, exact := constant.Int64Val(v); exact {
			return &jsontree.Tree{Kind: jsontree.Number, Text: strconv.FormatInt(n, 10)}, nil
		}
		return nil, fmt.Errorf("%v is no number that a sheet can have", v)
	}
	x, _ := constant.Float64Val(v)
	if math.IsInf(x, 0) {
		return nil, fmt.Errorf("%v is no number that a sheet can have", v)
	}
	return &jsontree.Tree{Kind: jsontree.Number, Text: strconv.FormatFloat(x, 'g', -1, 64)}, nil
}

// calculate returns the result of a formula.
func (a *calculator) calculate(text string) (constant.Value, error) {
	e, err := goparser.ParseExpr(text)
	if err != nil {
		return nil, fmt.Errorf("this is no arithmetic: %w", err)
	}
	return a.valueOf(e)
}

// valueOf returns the value of an expression. Go's syntax is wider than that of cases: an expression of no other form is
// looked up as a path, and a path that leads nowhere is the error.
func (a *calculator) valueOf(e ast.Expr) (constant.Value, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return a.valueOf(e.X)
	case *ast.BasicLit:
		if e.Kind != token.INT && e.Kind != token.FLOAT && e.Kind != token.STRING {
			return nil, fmt.Errorf("%s is neither a number nor a string", e.Value)
		}
		return constant.MakeFromLiteral(e.Value, e.Kind, 0), nil
	case *ast.UnaryExpr:
		return a.negate(e)
	case *ast.BinaryExpr:
		return a.combine(e)
	case *ast.CallExpr:
		return a.call(e)
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" {
			return constant.MakeBool(e.Name == "true"), nil
		}
	}
	path, err := pathOf(e)
	if err != nil {
		return nil, err
	}
	t, err := a.find(path)
	if err != nil {
		return nil, err
	}
	switch t.Kind {
	case jsontree.Number:
		kind := token.INT
		if strings.ContainsAny(t.Text, ".eE") {
			kind = token.FLOAT
		}
		return constant.UnaryOp(token.ADD, makeNumber(t.Text, kind), 0), nil
	case jsontree.Text:
		return constant.MakeString(t.Text), nil
	case jsontree.Word:
		if t.Text != "null" {
			return constant.MakeBool(t.Text == "true"), nil
		}
	}
	return nil, fmt.Errorf("%s is %v: neither a number, a string nor a bool", strings.Join(path, "."), t)
}

// makeNumber returns a number as JSON writes it, which may be negative.
func makeNumber(text string, kind token.Token) constant.Value {
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		return constant.UnaryOp(token.SUB, constant.MakeFromLiteral(rest, kind, 0), 0)
	}
	return constant.MakeFromLiteral(text, kind, 0)
}

func (a *calculator) negate(e *ast.UnaryExpr) (constant.Value, error) {
	x, err := a.valueOf(e.X)
	switch {
	case err != nil:
		return nil, err
	case e.Op == token.SUB && isNumber(x), e.Op == token.NOT && x.Kind() == constant.Bool:
		return constant.UnaryOp(e.Op, x, 0), nil
	}
	return nil, fmt.Errorf("%v cannot be used with %v", e.Op, x)
}

func isNumber(x constant.Value) bool { return x.Kind() == constant.Int || x.Kind() == constant.Float }

// combine carries out an operator. Integers are not divided: rounding is a ruling, which a function names.
// Numbers are exact (go/constant): integers of any size, and fractions as quotients. 0.1 + 0.2 is
// 0.3 here. A result becomes the nearest double only when it is compared.
func (a *calculator) combine(e *ast.BinaryExpr) (constant.Value, error) {
	x, err := a.valueOf(e.X)
	if err != nil {
		return nil, err
	}
	y, err := a.valueOf(e.Y)
	if err != nil {
		return nil, err
	}
	same := x.Kind() == y.Kind() || isNumber(x) && isNumber(y)
	switch e.Op {
	case token.ADD, token.SUB, token.MUL:
		if isNumber(x) && isNumber(y) {
			return constant.BinaryOp(x, e.Op, y), nil
		}
	case token.QUO:
		switch {
		case !isNumber(x) || !isNumber(y):
		case x.Kind() == constant.Int && y.Kind() == constant.Int:
			return nil, fmt.Errorf("/ does not say how it rounds: write div_floor(%v, %v) or div_ceil(%v, %v)", x, y, x, y)
		case constant.Sign(y) != 0:
			return constant.BinaryOp(x, e.Op, y), nil
		}
	case token.LAND, token.LOR:
		if x.Kind() == constant.Bool && y.Kind() == constant.Bool {
			return constant.BinaryOp(x, e.Op, y), nil
		}
	case token.EQL, token.NEQ:
		if same {
			return constant.MakeBool(constant.Compare(x, e.Op, y)), nil
		}
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if same && x.Kind() != constant.Bool {
			return constant.MakeBool(constant.Compare(x, e.Op, y)), nil
		}
	}
	return nil, fmt.Errorf("%v %v %v has no value", x, e.Op, y)
}

// call carries out one of the few functions that arithmetic of books needs.
func (a *calculator) call(e *ast.CallExpr) (constant.Value, error) {
	name, ok := e.Fun.(*ast.Ident)
	if !ok {
		return nil, fmt.Errorf("only functions are called: min, max, div_floor, div_ceil")
	}
	var args []constant.Value
	for _, x := range e.Args {
		v, err := a.valueOf(x)
		if err != nil {
			return nil, err
		}
		if !isNumber(v) {
			return nil, fmt.Errorf("%s takes numbers, and %v is none", name.Name, v)
		}
		args = append(args, v)
	}
	switch name.Name {
	case "min", "max":
		if len(args) < 2 {
			return nil, fmt.Errorf("%s takes two numbers or more", name.Name)
		}
		return slices.MaxFunc(args, func(x, y constant.Value) int {
			d := constant.Sign(constant.BinaryOp(x, token.SUB, y))
			if name.Name == "min" {
				return -d
			}
			return d
		}), nil
	case "div_floor", "div_ceil":
		if len(args) != 2 || args[0].Kind() != constant.Int || args[1].Kind() != constant.Int ||
			constant.Sign(args[1]) == 0 {
			return nil, fmt.Errorf("%s takes two whole numbers, the second not 0", name.Name)
		}
		return divide(args[0], args[1], name.Name == "div_ceil"), nil
	}
	return nil, fmt.Errorf("there is no function %s here: min, max, div_floor, div_ceil", name.Name)
}

// divide divides whole numbers, rounding up or down.
func divide(x, y constant.Value, up bool) constant.Value {
	q := constant.BinaryOp(x, token.QUO_ASSIGN, y) // towards 0
	rest := constant.BinaryOp(x, token.REM, y)
	positive := constant.Sign(x)*constant.Sign(y) > 0
	switch {
	case constant.Sign(rest) == 0:
	case up && positive:
		q = constant.BinaryOp(q, token.ADD, constant.MakeInt64(1))
	case !up && !positive:
		q = constant.BinaryOp(q, token.SUB, constant.MakeInt64(1))
	}
	return q
}

// pathOf returns the names of a path: a, b, c, 3 of a.b["c"][3].
func pathOf(e ast.Expr) ([]string, error) {
	switch e := e.(type) {
	case *ast.Ident:
		return []string{e.Name}, nil
	case *ast.SelectorExpr:
		path, err := pathOf(e.X)
		return append(path, e.Sel.Name), err
	case *ast.IndexExpr:
		path, err := pathOf(e.X)
		if err != nil {
			return nil, err
		}
		key, ok := e.Index.(*ast.BasicLit)
		if !ok {
			return nil, fmt.Errorf("a key in brackets is a string or a number")
		}
		text, err := strconv.Unquote(key.Value)
		if err != nil {
			text = key.Value
		}
		return append(path, text), nil
	}
	return nil, fmt.Errorf("arithmetic has numbers, strings, operators, and names like tables.weapon.dagger.damage")
}

// find returns the value at a path: of the case's character or input, or a cell.
func (a *calculator) find(path []string) (*jsontree.Tree, error) {
	var data []byte
	switch path[0] {
	case "tables":
		return a.findCell(path)
	case "character":
		data = a.c.CharacterJSON()
	case "input":
		data = a.c.Input
	default:
		return nil, fmt.Errorf("there is no %s here: tables, character, input", path[0])
	}
	t, err := jsontree.ReadTree(data)
	if err != nil {
		return nil, fmt.Errorf("the case has no %s", path[0])
	}
	return memberAt(t, path, 1)
}

// memberAt returns the value at the rest of a path.
func memberAt(t *jsontree.Tree, path []string, from int) (*jsontree.Tree, error) {
	for i := from; i < len(path); i++ {
		n, err := strconv.Atoi(path[i])
		switch {
		case t.Kind == jsontree.Object && t.Get(path[i]) != nil:
			t = t.Get(path[i])
		case t.Kind == jsontree.Array && err == nil && n >= 0 && n < len(t.Items):
			t = t.Items[n]
		default:
			return nil, fmt.Errorf("there is no %s in %s", path[i], strings.Join(path[:i], "."))
		}
	}
	return t, nil
}

// findCell returns a cell: tables.TABLE.KEY.COLUMN, the row of bands or steps by a number that falls into it. The only
// column need not be named. tables.fatigue.7.steps finds the band in which 7 lies, as a reader would in the book; a keyed
// table is asked by the key's name, in brackets and quotes where that is no identifier.
func (a *calculator) findCell(path []string) (*jsontree.Tree, error) {
	if len(path) < 3 {
		return nil, fmt.Errorf("%s names no cell: tables.TABLE.ROW.COLUMN", strings.Join(path, "."))
	}
	t := a.plan.Table(path[1])
	if t == nil {
		return nil, fmt.Errorf("there is no table %s", path[1])
	}
	k := rowIndex(a.plan, t, path[2])
	if k < 0 {
		return nil, fmt.Errorf("there is no row %s in tables.%s", path[2], path[1])
	}
	cells := reader{a.plan}.rows(t)[k].cells
	if len(path) == 3 && len(cells.Items) == 1 {
		return cells.Items[0], nil
	}
	return memberAt(cells, path, 3)
}

// rowIndex returns the number of the row of a key, or of the one into which a number falls; -1 if there is none. It looks
// at every row, in whatever order they stand: the look-up of plans is under test here.
func rowIndex(p *plan.Plan, t *plan.Table, key string) int {
	if !t.Kind.HasNumbers() {
		return slices.IndexFunc(t.Keys, func(symbol int64) bool { return p.Symbols[symbol] == key })
	}
	x, err := strconv.ParseFloat(key, 64)
	if err != nil {
		return -1
	}
	found := -1
	for i, limit := range t.Lo {
		switch {
		case t.Kind == plan.BandsTable && limit <= x && x <= t.Hi[i]:
			return i
		case t.Kind == plan.BandsTable, limit > x, limit == x && t.Above[i]:
		case found < 0, limit > t.Lo[found], limit == t.Lo[found] && t.Above[i]:
			found = i
		}
	}
	return found
}
