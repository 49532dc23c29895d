package shape

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// types are the names of CUE's types that a shape can say.
var types = map[string]plan.Kind{
	"int": plan.Int, "uint": plan.Int, "number": plan.Double, "float": plan.Double, "bool": plan.Bool,
	"string": plan.String,
	"_":      plan.Invalid,
}

// readAtom returns the meaning of an expression that is neither a conjunction nor a reference, a list or a struct.
//
// The kinds of expressions, and their meanings:
//
//	int               Kind Int
//	uint              Kind Int, Min 0
//	>=0.5             Min 0.5, numeric          the kind is not said; alone it is a double
//	"sword"           Kind String, Enum [sword], constant
//	1 | 2 | 3         Kind Int, Min 1, Max 3    see readChoice
//	list.MaxItems(8)  Kind List, MaxItems 8
//
// All others are reported; the meaning is then unclear, which silences errors that would follow from it.
func (w *Reader) readAtom(s site.Site) meaning {
	at := w.PlaceOf(s.Expr.Pos())
	switch x := s.Expr.(type) {
	case *ast.Ident:
		return w.readTypeName(s, x)
	case *ast.BasicLit:
		return w.readLiteral(x)
	case *ast.UnaryExpr:
		return w.readUnary(s, x)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.OR:
			return w.readChoice(s)
		case token.LOR:
			w.reportUnsayable(at, "|| is for formulas: between values that a field may have stands |").Repair =
				"write " + strings.ReplaceAll(w.TextOf(x), "||", "|")
		default:
			return w.readArithmetic(s, x)
		}
	case *ast.IndexExpr:
		d := w.reportUnsayable(at, "a list says what its elements are in brackets, and how many they may be")
		if name, ok := x.X.(*ast.Ident); ok && types[name.Name] != plan.Invalid {
			d.Repair = "write [..." + name.Name + "] & list.MaxItems(" + w.TextOf(x.Index) + ")"
		}
	case *ast.CallExpr:
		return w.readCall(s, x)
	case *ast.Interpolation:
		w.reportUnsayable(at, "a string that is put together: write it out")
	default:
		w.reportUnsayable(at, "this says more than a character or an input in JSON can be held against")
	}
	return unclearMeaning(at)
}

// readTypeName reads a name that leads nowhere, and is therefore one of CUE's types or the ruleset's #Character.
func (w *Reader) readTypeName(s site.Site, x *ast.Ident) meaning {
	at := w.PlaceOf(x.Pos())
	if s.IsCharacter() {
		if w.character == nil {
			w.reportUnsayable(at, "#Character cannot contain a #Character")
			return unclearMeaning(at)
		}
		return meaning{Shape: w.character}
	}
	kind, ok := types[x.Name]
	if !ok {
		d := w.reportUnsayable(at, x.Name+" is no type of a character or an input: int, number, bool, string, lists and "+
			"structs are")
		switch {
		case strings.HasPrefix(x.Name, "uint"):
			d.Repair = "write int & >=0"
		case strings.HasPrefix(x.Name, "int"), x.Name == "rune":
			d.Repair = "write int"
		case strings.HasPrefix(x.Name, "float"):
			d.Repair = "write number"
		case x.Name == "bytes":
			d.Repair = "write string"
		}
		return unclearMeaning(at)
	}
	out := meaning{Shape: &plan.Shape{Kind: kind, Place: at}}
	if x.Name == "uint" {
		out.Min = &plan.Bound{}
	}
	return out
}

// quotedDefinition is the name of a definition, which no author has for a value.
var quotedDefinition = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\w+\.)?#[A-Z]\w*$`) })

// readLiteral reads a value that is written out: alone it is the only value, in a choice one of several.
func (w *Reader) readLiteral(x *ast.BasicLit) meaning {
	at := w.PlaceOf(x.Pos())
	switch x.Kind {
	case token.STRING:
		text, err := literal.Unquote(x.Value)
		if err != nil {
			return unclearMeaning(at)
		}
		if quotedDefinition().MatchString(text) {
			w.reportUnsayable(at, "a definition stands without quotes").Repair = "write " + text
			return unclearMeaning(at)
		}
		return meaning{Shape: &plan.Shape{Kind: plan.String, Enum: []string{text}, Place: at}, constant: quoteJSON(text)}
	case token.INT, token.FLOAT:
		return w.readNumber(x, at)
	case token.TRUE, token.FALSE:
		return meaning{Shape: &plan.Shape{Kind: plan.Bool, Place: at}, constant: x.Value}
	}
	d := w.reportUnsayable(at, x.Value+" is no value of a character or an input")
	if x.Value == "null" {
		d.Repair = "a field that may be missing has a question mark: x?: int"
	}
	return unclearMeaning(at)
}

func quoteJSON(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic("load: a string that is no JSON: " + err.Error())
	}
	return string(data)
}

// readNumber reads a number exactly, as a fraction: 0.1 is a tenth, and not the double next to it.
func (w *Reader) readNumber(x *ast.BasicLit, at plan.Place) meaning {
	var info literal.NumInfo
	if literal.ParseNum(x.Value, &info) != nil {
		return unclearMeaning(at)
	}
	n, ok := new(big.Rat).SetString(info.String())
	if !ok {
		return unclearMeaning(at)
	}
	return w.exactNumber(n, x.Kind == token.INT, at)
}

// exactNumber is one number.
//
// It is computed as a fraction and converted once, so that 0.1 + 0.2 as a bound is 0.3. Whole parts
// of 2^53 and more are refused: bounds are doubles in a plan.Bound, and from there on these do not hold
// every integer.
func (w *Reader) exactNumber(n *big.Rat, whole bool, at plan.Place) meaning {
	if !IsExact(new(big.Int).Quo(n.Num(), n.Denom())) {
		w.diags.Addf("bound-too-large", at, w.subject, "the number is 2^53 or more: it would not be exact")
		return unclearMeaning(at)
	}
	kind := plan.Double
	if whole {
		kind = plan.Int
	}
	f, _ := n.Float64()
	b := plan.Bound{Value: f}
	return meaning{
		Shape:    &plan.Shape{Kind: kind, Min: &b, Max: &b, Place: at},
		constant: strconv.FormatFloat(f, 'f', -1, 64),
		rational: n,
	}
}

// readUnary reads a bound, a sign or the mark of a default, which readArms has noted before.
func (w *Reader) readUnary(s site.Site, x *ast.UnaryExpr) meaning {
	at := w.PlaceOf(x.Pos())
	if x.Op == token.MAT || x.Op == token.NMAT {
		w.reportUnsayable(at, "a regular expression cannot be held against a character or an input")
		return unclearMeaning(at)
	}
	if l, ok := w.readLimit(s.WithOperand(x.X), x.Op); ok {
		return meaning{Shape: &plan.Shape{Limits: []plan.Limit{*l}, Place: at}, numeric: true}
	}
	operand := w.readMeaning([]site.Site{s.WithOperand(x.X)}, at)
	switch {
	case operand.unclear, x.Op == token.MUL, x.Op == token.ADD:
		return operand
	case operand.Kind == plan.String:
		w.reportUnsayable(at, "strings have no bounds").Repair = `write the words that may stand: "sword" | "axe"`
		return unclearMeaning(at)
	case operand.rational == nil:
		w.reportUnsayable(at, "a bound is a number that is written out, or in #Character a field of the same struct")
		return unclearMeaning(at)
	case x.Op == token.SUB:
		return w.exactNumber(new(big.Rat).Neg(operand.rational), operand.Kind == plan.Int, at)
	}
	return w.readBound(x.Op, operand.Min.Value, at)
}

// readBound reads a comparison with a number.
func (w *Reader) readBound(op token.Token, f float64, at plan.Place) meaning {
	out := meaning{Shape: &plan.Shape{Place: at}, numeric: true}
	switch op {
	case token.GEQ, token.GTR:
		out.Min = &plan.Bound{Value: f, Open: op == token.GTR}
	case token.LEQ, token.LSS:
		out.Max = &plan.Bound{Value: f, Open: op == token.LSS}
	case token.NEQ:
		out.Not = []plan.Bound{{Value: f}}
	default:
		w.reportUnsayable(at, "the operator "+op.String()+" cannot be held against a character or an input")
		return unclearMeaning(at)
	}
	return out
}

// readArithmetic reads a sum, difference or product of numbers that are written out.
func (w *Reader) readArithmetic(s site.Site, x *ast.BinaryExpr) meaning {
	at := w.PlaceOf(x.Pos())
	a, b := w.readMeaning([]site.Site{s.WithOperand(x.X)}, at), w.readMeaning([]site.Site{s.WithOperand(x.Y)}, at)
	do := map[token.Token]func(z, x, y *big.Rat) *big.Rat{
		token.ADD: (*big.Rat).Add, token.SUB: (*big.Rat).Sub, token.MUL: (*big.Rat).Mul,
	}[x.Op]
	if do == nil || a.rational == nil || b.rational == nil {
		w.reportUnsayable(at, "a value that is computed: write it out")
		return unclearMeaning(at)
	}
	from, isNumber := x.X.(*ast.BasicLit)
	to, alsoNumber := x.Y.(*ast.BasicLit)
	if x.Op == token.SUB && isNumber && alsoNumber && a.rational.Cmp(b.rational) < 0 {
		w.reportUnsayable(at, fmt.Sprintf("%s-%s is computed, and is below zero", from.Value, to.Value)).Repair =
			fmt.Sprintf("a range is written as two bounds: %s & >=%s & <=%s", nameOfNumber(a, b), from.Value, to.Value)
		return unclearMeaning(at)
	}
	return w.exactNumber(do(new(big.Rat), a.rational, b.rational), a.Kind == plan.Int && b.Kind == plan.Int, at)
}

// nameOfNumber returns the type of a range between two numbers.
func nameOfNumber(from, to meaning) string {
	if from.Kind == plan.Int && to.Kind == plan.Int {
		return "int"
	}
	return "number"
}

// readCall reads CUE's validators of sizes.
func (w *Reader) readCall(s site.Site, x *ast.CallExpr) meaning {
	at := w.PlaceOf(x.Pos())
	name := site.CalleeName(x.Fun)
	out := meaning{Shape: &plan.Shape{Place: at}}
	if name == "or" && len(x.Args) == 1 {
		if words, ok := wordsOf(s.WithOperand(x.Args[0])); ok {
			out.Kind, out.Enum = plan.String, words
			return out
		}
	}
	if name == "or" {
		w.reportUnsayable(at, "or chooses among words that are written out, or the keys of one table").Repair =
			`write string @key(weapon), a key of the table weapon, or the words: "blade" | "hafted"`
		out.Kind = plan.String
		return out
	}
	if len(x.Args) == 1 {
		limit, ok := w.readMeaning([]site.Site{s.WithOperand(x.Args[0])}, at).countOf()
		switch {
		case !ok:
		case name == "list.MaxItems":
			out.Kind, out.MaxItems = plan.List, limit
			return out
		case name == "list.MinItems":
			out.Kind, out.MinItems = plan.List, limit
			return out
		case name == "struct.MaxFields":
			out.Kind, out.MaxItems = plan.Map, limit
			return out
		}
	}
	if types[name] != plan.Invalid {
		return unclearMeaning(at) // that a type is called, CUE reports
	}
	if name == "list.MaxItems" || name == "list.MinItems" || name == "struct.MaxFields" {
		w.reportUnsayable(at, "the n of "+name+"(n) is a whole number that is written out")
		return unclearMeaning(at)
	}
	d := w.reportUnsayable(at, name+" cannot be held against a character or an input; list.MaxItems(n) and "+
		"list.MinItems(n) can")
	if elem, isName := firstArgument(x).(*ast.Ident); isName && name == "list" {
		d.Repair = fmt.Sprintf("a list is written [...%s] & list.MaxItems(8)", elem.Name)
	}
	return unclearMeaning(at)
}

// firstArgument returns the first argument of a call; nil of a call without any.
func firstArgument(x *ast.CallExpr) ast.Expr {
	if len(x.Args) == 0 {
		return nil
	}
	return x.Args[0]
}

func (m meaning) countOf() (int, bool) {
	if m.rational == nil || m.Kind != plan.Int || m.rational.Sign() < 0 {
		return 0, false
	}
	return int(m.Min.Value), true
}
