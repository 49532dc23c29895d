package plan

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A printer prints graphs for people: a line for each node, loops indented, then what is read of the graph from outside.
type printer struct {
	w     io.Writer
	p     *Plan
	g     *Graph
	names map[ID]string
	err   error
}

// Print prints a graph of the plan.
func (p *Plan) Print(w io.Writer, title string, g *Graph) error {
	x := &printer{w: w, p: p, g: g, names: map[ID]string{}}
	for _, n := range g.Names {
		x.nameNodes(n.Name, &n.Value)
	}
	x.printLine(0, "%s: %d nodes, %d dice, %d requirements", title, len(g.Nodes), len(g.Dice), len(g.Requires))
	x.printBlock(0, 1)
	x.printValue(1, "output", &g.Outputs)
	for i := range g.Next {
		x.printValue(1, [...]string{"next state", "next character"}[i], &g.Next[i])
	}
	for i := range g.Ends {
		x.printValue(1, "end "+strconv.Itoa(i), &g.Ends[i])
	}
	return x.err
}

func (x *printer) printLine(depth int, format string, args ...any) {
	if x.err == nil {
		_, x.err = fmt.Fprintf(x.w, strings.Repeat("  ", depth)+format+"\n", args...)
	}
}

// nameNodes remembers the author's names of nodes.
func (x *printer) nameNodes(name string, v *Value) {
	if v.Type.Kind != Record {
		if _, ok := x.names[v.ID]; !ok {
			x.names[v.ID] = name
		}
		return
	}
	for i := range v.Fields {
		x.nameNodes(name+"."+v.Type.Fields[i].Name, &v.Fields[i])
	}
}

func (x *printer) printBlock(index, depth int) {
	b := &x.g.Blocks[index]
	for _, id := range b.Nodes {
		x.printNode(id, depth)
	}
	if len(b.Results) > 0 {
		x.printLine(depth, "next%s", formatOperands(b.Results))
	}
}

func formatOperands(ids []ID) string {
	var b strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&b, " %%%d", id)
	}
	return b.String()
}

func (x *printer) printNode(id ID, depth int) {
	n := &x.g.Nodes[id]
	text := fmt.Sprintf("%%%d = %s%s%s", id, n.Op, formatOperands(n.Args), x.formatImmediate(n))
	var notes []string
	if name, ok := x.names[id]; ok {
		notes = append(notes, name)
	}
	if n.Kind == Fault && n.Site >= 0 {
		at := x.g.Sites[n.Site].Place
		notes = append(notes, fmt.Sprintf("%s:%d:%d", at.File, at.Line, at.Col))
	}
	if len(notes) > 0 {
		text = fmt.Sprintf("%-40s ; %s", text, strings.Join(notes, " "))
	}
	x.printLine(depth, "%s", text)
	if n.Op == OpLoop {
		x.printBlock(int(n.Imm), depth+1)
	}
}

// formatImmediate returns a node's Imm with the name of its referent.
func (x *printer) formatImmediate(n *Node) string {
	switch operations[n.Op].Immediate {
	case NoImmediate, BlockImmediate:
		return ""
	case BitsImmediate:
		return " " + x.formatConstant(n)
	case LeafImmediate:
		l := x.g.Leaves[n.Imm]
		return fmt.Sprintf(" %s+%d", [...]string{"character", "input", "state", "event"}[l.Root], l.Offset)
	case OptionImmediate:
		return " " + x.p.Options[n.Imm].ID
	case TableImmediate:
		return " " + x.p.Tables[n.Imm].ID
	case CellImmediate:
		return fmt.Sprintf(" %s+%d", x.p.Tables[n.Imm>>32].ID, uint32(n.Imm))
	case DieImmediate:
		return " " + x.g.Dice[n.Imm].String()
	case RequireImmediate:
		return " " + strconv.Quote(x.g.Requires[n.Imm].Message)
	case SymbolImmediate:
		return " " + strconv.Quote(x.p.Symbols[n.Imm])
	case ElementImmediate:
		return fmt.Sprintf(" +%d of %d", uint32(n.Imm), n.Imm>>32)
	case OpImmediate:
		return " " + Op(n.Imm).String()
	case TypeImmediate:
		return " " + x.p.Types[n.Imm].String()
	}
	return fmt.Sprintf(" #%d", n.Imm)
}

func (x *printer) formatConstant(n *Node) string {
	switch n.Kind {
	case Double:
		return strconv.FormatFloat(math.Float64frombits(uint64(n.Imm)), 'g', -1, 64)
	case Bool:
		return strconv.FormatBool(n.Imm != 0)
	case String:
		return strconv.Quote(x.p.Symbols[n.Imm])
	case List, Map:
		return fmt.Sprintf("[%d at %d]", uint32(n.Imm), n.Imm>>32)
	}
	return strconv.FormatInt(n.Imm, 10)
}

// printValue prints where the parts of a value stand.
func (x *printer) printValue(depth int, name string, v *Value) {
	if v.Type == nil {
		return
	}
	if v.Type.Kind == Record {
		for i := range v.Fields {
			x.printValue(depth, name+"."+v.Type.Fields[i].Name, &v.Fields[i])
		}
		return
	}
	text := fmt.Sprintf("%s = %%%d", name, v.ID)
	if v.Fault != None {
		text += fmt.Sprintf(" unless %%%d", v.Fault)
	}
	if v.Present != None {
		text += fmt.Sprintf(" if %%%d", v.Present)
	}
	x.printLine(depth, "%s", text)
}
