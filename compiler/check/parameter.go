package check

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A typeParser reads the type of a parameter as an author writes it, from left to right:
//
//	type = "int" | "double" | "bool" | "string" | "character" | TABLE | "list(" type ")" | "map(" type ")"
//	     | "{" NAME ":" type { "," NAME ":" type } "}"
//
// The name of a table is the type of its rows.
type typeParser struct {
	*checker
	// For "list({x: int})" rest is "({x: int})" behind the name list, "x: int})" behind the brace.
	// bad is the first thing that was not understood; it ends every loop and is proposed a nearer
	// name for.
	rest string // what is not read yet
	bad  string // what is no type; empty while all is well
}

// scalarTypes are the types that a name means without a ruleset.
var scalarTypes = []*plan.Type{plan.IntType, plan.DoubleType, plan.BoolType, plan.StringType}

// parameterType returns the type of a parameter; broken, and reported, when none is written so.
func (c *checker) parameterType(text *book.Text, subject string) *plan.Type {
	p := typeParser{checker: c, rest: text.S}
	t := p.readType()
	if rest := strings.TrimSpace(p.rest); p.bad == "" {
		p.bad = rest
	}
	if p.bad == "" || text.S == "" && text.Runs == nil { // load has refused what stands there
		return t
	}
	if !c.reporterFor(subject).reportDisabled(text.At(0), "tables", p.bad) {
		d := c.diags.Addf("bad-type", text.At(0), subject, "%q is no type of a parameter", text.S)
		d.Repair = diag.DidYouMean(p.bad, append(c.book.TableNames(), "character", "double", "string"))
		if d.Repair == "" {
			d.Repair = "int, double, bool, string, character, the name of a table for its rows, list(int), map(int), " +
				"{x: int}"
		}
	}
	return broken
}

var (
	typeName  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*([a-z][a-z0-9_]*)`) })
	typeField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*([a-z][a-z0-9_]*)\s*:`) })
)

// take consumes a sign and the blanks before it, if it stands there.
func (p *typeParser) take(sign string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(p.rest, " \t"), sign)
	if ok {
		p.rest = rest
	}
	return ok
}

// expect consumes a sign, which must stand there.
func (p *typeParser) expect(sign string) {
	if !p.take(sign) {
		p.fail()
	}
}

// fail notes that the rest of the text is no type.
func (p *typeParser) fail() {
	if p.bad == "" {
		p.bad = p.rest + " "
	}
}

// readType returns one type from the rest of a text, by recursive descent. After the first problem, which `bad` names, its
// results are of no use.
func (p *typeParser) readType() *plan.Type {
	if p.take("{") {
		return p.readRecord()
	}
	name := typeName().FindStringSubmatch(p.rest)
	if name == nil {
		p.fail()
		return broken
	}
	p.rest = p.rest[len(name[0]):]
	switch name[1] {
	case "list", "map":
		p.expect("(")
		elem := p.readType()
		p.expect(")")
		if name[1] == "list" {
			return plan.ListOf(elem)
		}
		return plan.MapOf(elem)
	case "character":
		return p.out.Character
	}
	if i := slices.IndexFunc(scalarTypes, func(t *plan.Type) bool { return t.String() == name[1] }); i >= 0 {
		return scalarTypes[i]
	}
	if table, ok := p.callables[name[1]].(*Table); ok && table.Row != nil && table.Book.Across == nil {
		return table.Row
	}
	p.bad = name[1]
	return broken
}

// readRecord reads the fields of a record, whose brace is read.
func (p *typeParser) readRecord() *plan.Type {
	out := &plan.Type{Kind: plan.Record}
	for p.bad == "" {
		field := typeField().FindStringSubmatch(p.rest)
		if field == nil {
			p.fail()
			break
		}
		p.rest = p.rest[len(field[0]):]
		out.Fields = append(out.Fields, plan.Field{Name: field[1], Type: p.readType()})
		if p.take("}") {
			return out
		}
		p.expect(",")
	}
	return broken
}
