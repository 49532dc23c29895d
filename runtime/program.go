package runtime

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// A Program is a plan that is ready to be executed. It may be used by several goroutines at once.
type Program struct {
	plan      *plan.Plan
	symbols   *words // of the plan
	tables    []table
	character *reader
	codes     sync.Map       // codeKey -> *codeEntry
	taken     sync.Map       // *plan.Graph -> []atomic.Int64: how often each of its branches was taken
	quoted    func() []token // the plan's symbols as JSON
}

// New prepares a plan for which plan.Verify holds.
func New(p *plan.Plan) *Program {
	out := &Program{plan: p, symbols: newWords(p.Symbols)}
	out.tables = prepareTables(p)
	out.character = out.newCharacter()
	out.quoted = sync.OnceValue(out.quote)
	return out
}

// newCharacter is a reader of characters.
func (p *Program) newCharacter() *reader {
	r := newReader("character", p.plan.Character, p.symbol)
	r.pin = pinOf(p.plan)
	return r
}

// quote writes the plan's symbols as JSON.
func (p *Program) quote() []token {
	out := make([]token, len(p.plan.Symbols))
	for i, s := range p.plan.Symbols {
		out[i] = newToken(appendString(nil, s))
	}
	return out
}

// Load prepares the plan in a plan file, as "rules build" and "rules release" write it.
func Load(file []byte) (*Program, error) {
	p, err := plan.Read(file)
	if err != nil {
		return nil, err
	}
	return New(p), nil
}

// Plan is the plan that is executed; it must not be changed.
func (p *Program) Plan() *plan.Plan { return p.plan }

// symbol is the symbol of a string, -1 of one that the plan has not.
func (p *Program) symbol(s string) int64 { return p.symbols.find([]byte(s)) }

// An UnknownError is a name that nothing has.
type UnknownError struct {
	What  string // "rule", "procedure", "option", "output"
	Name  string
	Known []string
}

// Error says what was probably meant.
func (e *UnknownError) Error() string {
	msg := fmt.Sprintf("there is no %s %q", e.What, e.Name)
	if near := spell.Nearest(e.Name, e.Known); near != "" {
		return msg + fmt.Sprintf("; did you mean %q", near)
	}
	if len(e.Known) == 0 {
		return msg
	}
	return msg + "; there is " + strings.Join(e.Known, ", ")
}

// A Choice is what is fixed before dice are rolled: rulings and what is asked.
type Choice struct {
	Options map[string]string // option: the value played instead of the plan's default
	Outputs []string          // the outputs that are asked for; nil for all
	Without []string          // passes that are switched off
}

// options are the values that are played, by index, of all options.
func (p *Program) options(c Choice) ([]int, error) {
	out := make([]int, len(p.plan.Options))
	for i, o := range p.plan.Options {
		out[i] = o.Default
	}
	for name, value := range c.Options {
		i := slices.IndexFunc(p.plan.Options, func(o plan.Option) bool { return o.ID == name })
		if i < 0 {
			return nil, &UnknownError{What: "option", Name: name, Known: p.optionNames()}
		}
		o := &p.plan.Options[i]
		if out[i] = slices.Index(o.Values, value); out[i] < 0 {
			return nil, &UnknownError{What: "value of option " + name, Name: value, Known: o.Values}
		}
	}
	return out, nil
}

func (p *Program) optionNames() []string {
	out := make([]string, len(p.plan.Options))
	for i, o := range p.plan.Options {
		out[i] = o.ID
	}
	return out
}

// A codeKey identifies the words of a graph under a choice.
type codeKey struct {
	graph  *plan.Graph
	choice string
}

type codeEntry struct {
	once sync.Once
	code *schedule.Code
	err  error
}

// code schedules a graph whose records are of these shapes, once for each choice.
func (p *Program) code(g *plan.Graph, shapes [plan.NumRoots]*plan.Shape, values []int, c Choice) (*schedule.Code, error) {
	id := codeKey{g, fmt.Sprint(values, c.Outputs, c.Without)}
	found, _ := p.codes.LoadOrStore(id, &codeEntry{})
	entry := found.(*codeEntry)
	entry.once.Do(func() {
		entry.code, entry.err = schedule.Make(p.plan, g, schedule.Options{
			Values: values, Outputs: c.Outputs, Without: c.Without, Roots: slotsOf(shapes), Shapes: shapes,
		})
	})
	return entry.code, entry.err
}

// slotsOf is how many slots the records of shapes have.
func slotsOf(shapes [plan.NumRoots]*plan.Shape) (out [plan.NumRoots]int) {
	for root, s := range shapes {
		if s != nil {
			out[root] = s.Type().Slots()
		}
	}
	return out
}

// settings are the options that are played otherwise than the plan's defaults, in the book's order.
func (p *Program) settings(values []int) []Setting {
	var out []Setting
	for i, o := range p.plan.Options {
		if values[i] != o.Default {
			out = append(out, Setting{o.ID, o.Values[values[i]]})
		}
	}
	return out
}
