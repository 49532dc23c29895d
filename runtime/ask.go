package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/partial"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// # How is it found what to ask next?
//
// A rule could be run until it meets something unknown. It would ask in the order of evaluation, for both arms of every
// conditional, since code computes both, and for what only a let reads that nothing needs. Instead the graph is looked at
// before it is run:
//
//   - partial.Complete writes each record as far as it is known. In the place of what is missing stands a value that fits,
//     so that the record can be decoded into the frame like any other, and a Gap says which slots it covers. What is
//     optional and neither given nor accepted is a gap too.
//   - schedule.FindNeeds takes the slots outside of gaps for constants, folds the graph, and tells which gaps an output, a
//     requirement or a die can still reach, and who reads them. A requirement that folds to false refuses at once.
//   - Gaps that nobody reads are never asked for: the value that fits stays, and cannot matter.
//   - When no field is open, the graph runs with the faces that have fallen. The first face that is missing is the next
//     question. Dice that nobody reads any more are left out; with a seed they fall by themselves, and with a list of faces
//     they fall like others, so that the faces are those of Eval.
//   - A decision is a field that may only be given after certain dice. Its bounds are formulas over them, so the part of
//     the graph up to the decision is cut out and run by itself (schedule.CutAt).
//
// Nothing is remembered from one call to the next. Each costs one folding of the graph and at most one evaluation, which is
// less than the round trip of any question; the tests of golden ask every shipped rule twice at each step and compare the
// sheet with that of Eval.

// Ask carries the rule out as far as the request allows: it returns the sheet, or the needs that come next. The first one
// is needed in any case; later ones may become needless by its answer.
//
// It asks for a field only if an output that is asked for, a requirement or a die that matters can still depend on it, for
// the fields of the input before those of the character and for all fields before the dice, which fall in their order.
//
// The sheet has the same outputs as that of Eval for everything that was given; but a die that nothing reads is not
// rolled without a seed or a list of faces, and so cannot fail, and before a decision it refuses by a requirement that is known to fail by then, although
// one that reads a later roll may stand before it. Ask is a pure function of the plan, the choice and the request. Its
// errors are those of Eval.
func (r *Rule) Ask(q Request) (*SheetReply, error) {
	e := r.frames.Get().(*evaluation)
	defer r.frames.Put(e)
	a, err := r.newAsking(q, e)
	if err != nil {
		return nil, err
	}
	needs, err := a.run()
	if err != nil {
		return nil, err
	}
	reply := &SheetReply{Needs: needs, Dice: a.listFallen()}
	switch {
	case needs == nil:
		q.Trace = false
		a.noteOrigin(&q)
		reply.Sheet, err = r.newSheet(e, &q, a.used)
	case q.Dice.List != nil && needs[0].Kind == ask.Die:
		if sheet := r.evalWithoutIdle(q); sheet != nil {
			return &SheetReply{Sheet: sheet, Dice: sheet.Dice}, nil
		}
	}
	return reply, err
}

// evalWithoutIdle returns the sheet of a list of faces that lacks just the dice that nothing can read, as Eval does; nil when
// it lacks others.
func (r *Rule) evalWithoutIdle(q Request) *Sheet {
	var err error
	if q.Character, q.Input, err = r.Fill(q); err != nil {
		return nil
	}
	q.Trace = false
	sheet, err := r.Eval(q)
	if err != nil {
		return nil
	}
	return sheet
}

// newAsking begins to ask, in the frame of an evaluation.
func (r *Rule) newAsking(q Request, e *evaluation) (*asking, error) {
	a := &asking{
		evaluation: e, program: r.program, code: r.code, body: r.program.plan.RuleBody(r.rule), values: r.values,
		outputs: r.choice.Outputs, known: q,
	}
	e.frame.Reset(r.code)
	if err := a.read(plan.InputRoot, r.input, q.Input); err != nil {
		return nil, err
	}
	return a, a.read(plan.CharacterRoot, r.program.character, q.Character)
}

// A SheetReply is as much of a sheet as a request allows.
type SheetReply struct {
	Sheet *Sheet     // nil while something is needed
	Needs []ask.Need // fields, then dice as they fall, then decisions after their dice
	Dice  dice.Rolls // the faces that have fallen so far
}

// A PlayReply is as much of a play as a request for its start, or for an event, allows.
type PlayReply struct {
	Play  *Play // nil while something is needed
	Needs []ask.Need
	Dice  dice.Rolls
}

// An asking is one use of a body of which only parts may be known.
type asking struct {
	*evaluation
	program   *Program
	code      *schedule.Code
	body      plan.Body
	values    []int
	outputs   []string
	known     Request
	event     uint64      // its number, which keys the faces that are drawn
	used      dice.Source // the faces of the last evaluation
	rolled    *vm.Frame   // its frame; nil before the first
	graph     *plan.Graph // the graph that was carried out in it
	records   []knownRoot
	needs     *schedule.Needs
	isStart   bool            // of a procedure
	later     []schedule.Read // of a start: those of all later steps
	defaulted []string        // paths of decisions that have their default, because there was nothing to decide
}

// A knownRoot is one of those that are given, as it is known.
type knownRoot struct {
	*partial.Record
	root   plan.Root
	schema *jsonio.Schema
	given  []byte
}

// read reads the known part of a record into the frame. Records are asked for in the order in which they are read.
func (a *asking) read(root plan.Root, schema *jsonio.Schema, text []byte) error {
	r, err := a.complete(root, schema, text)
	if err == nil {
		a.records = append(a.records, r)
	}
	return err
}

// complete returns the known part of a record.
func (a *asking) complete(root plan.Root, schema *jsonio.Schema, text []byte) (knownRoot, error) {
	r, err := partial.Complete(schema.Root, schema.Shape, text, a.acceptedOf(root, schema))
	if err != nil {
		return knownRoot{}, err
	}
	a.decoder.Partial = r.Limited != nil
	defer func() { a.decoder.Partial = false }()
	return knownRoot{r, root, schema, text}, a.decode(schema, r.JSON, root)
}

// decode reads a record that has been completed. Its line and column are those of no text that the caller has.
func (a *asking) decode(schema *jsonio.Schema, text []byte, root plan.Root) error {
	err := a.decoder.DecodeTo(schema, text, int(a.code.Base[root]))
	var bad *InputError
	if errors.As(err, &bad) {
		bad.Line, bad.Col = 0, 0
	}
	return err
}

// run returns the next needs, or carries the body out in the frame.
func (a *asking) run() ([]ask.Need, error) {
	for {
		if err := a.findReads(); err != nil {
			return nil, err
		}
		if needs, err := a.fields(a.needs); len(needs) > 0 || err != nil {
			return needs, err
		}
		needs, again, err := a.decide()
		if len(needs) > 0 || err != nil {
			return needs, err
		}
		if !again {
			return a.roll()
		}
	}
}

// findNeeds returns the parts of the records that a body still needs.
func (a *asking) findNeeds(b plan.Body) (*schedule.Needs, error) {
	opt, given := a.given(b)
	return schedule.FindNeeds(a.program.plan, b.Graph, opt, given)
}

// given returns the options under which a body is carried out, and the known parts of its records.
func (a *asking) given(b plan.Body) (schedule.Options, schedule.Given) {
	given := schedule.Given{
		Slots: map[plan.Leaf]int64{}, Sizes: map[plan.Leaf]int64{}, Closed: map[plan.Leaf]bool{},
		Entries: map[plan.Leaf]map[int64][]int64{}, Dice: a.givenDice(b.Graph), Later: a.later,
		IsStart: a.isStart,
	}
	for i := range a.records {
		a.giveRecord(&given, &a.records[i])
	}
	return schedule.Options{Values: a.values, Outputs: a.outputs, Roots: b.Slots(), Shapes: b.Shapes}, given
}

// givenDice tells of which dice there are faces.
func (a *asking) givenDice(g *plan.Graph) []bool {
	out := make([]bool, len(g.Dice))
	for i := range g.Dice {
		out[i] = slices.ContainsFunc(a.known.Dice.ByID, func(r dice.Roll) bool { return matchesID(g.Dice[i].ID, r.ID) })
	}
	return out
}

// matchesID reports whether an id is that of a die, each [*] of which stands for a number.
func matchesID(die, id string) bool {
	before, after, found := strings.Cut(die, "[*]")
	rest, ok := strings.CutPrefix(id, before)
	if !found || !ok {
		return die == id
	}
	digits, rest, ok := strings.Cut(strings.TrimPrefix(rest, "["), "]")
	return ok && digits != "" && matchesID(after, rest)
}

// giveRecord adds the known part of a record: the slots that no gap covers.
func (a *asking) giveRecord(given *schedule.Given, r *knownRoot) {
	open := make([]bool, r.schema.Slots)
	keys := map[int32][]string{} // of each map: the keys of which a part is not known
	for _, gap := range r.Gaps {
		if gap.HasKey {
			keys[gap.From] = append(keys[gap.From], gap.Key)
		}
		for at := gap.From; at < gap.To; at++ {
			open[at] = true
		}
	}
	a.giveSlots(given, r, r.schema.Shape, 0, open)
	for _, m := range r.Maps {
		a.giveEntries(given, r, m, keys[m.Slot])
	}
}

// giveSlots gives the slots of a value that is no element of a list or map, the first being at.
func (a *asking) giveSlots(given *schedule.Given, r *knownRoot, s *plan.Shape, at int32, open []bool) {
	if s.Kind != plan.Record {
		a.giveSlot(given, r, s.Kind, at, open)
		return
	}
	for i := range s.Fields {
		m := &s.Fields[i]
		if m.Optional {
			a.giveSlot(given, r, plan.Bool, at, open)
			at++
		}
		a.giveSlots(given, r, m.Shape, at, open)
		at += int32(m.Shape.Slots())
	}
}

func (a *asking) giveSlot(given *schedule.Given, r *knownRoot, kind plan.Kind, at int32, open []bool) {
	leaf, bits := plan.Leaf{Root: r.root, Offset: at}, a.slot(r.root, at)
	switch {
	case open[at]:
	case kind == plan.List:
		given.Sizes[leaf] = vm.SpanSize(bits)
	case kind == plan.Map:
	default:
		given.Slots[leaf] = bits
	}
}

// slot is a slot of a record in the frame.
func (a *asking) slot(root plan.Root, at int32) int64 { return a.frame.Slots()[a.code.Base[root]+at] }

// giveEntries gives the entries of a map that are known: but for those of some keys, the ones that stand in it, the absent
// ones that were accepted, and all when it is closed. The frame also has the defaults of others, which may yet be given.
func (a *asking) giveEntries(given *schedule.Given, r *knownRoot, m partial.Map, but []string) {
	leaf := plan.Leaf{Root: r.root, Offset: m.Slot}
	entries, stride := map[int64][]int64{}, 1+m.Shape.Elem.Slots()
	var absent []string
	for _, path := range a.known.Accepted {
		if key, ok := partial.KeyBelow(path, m.Path); ok && !slices.Contains(m.Keys, key) {
			entries[a.frame.Intern([]byte(key))] = nil
			absent = append(absent, key)
		}
	}
	all := a.frame.Elements(a.slot(r.root, m.Slot), stride)
	for len(all) >= stride {
		key := a.frame.Text(all[0])
		if !slices.Contains(but, key) && (m.Closed || slices.Contains(m.Keys, key) || slices.Contains(absent, key)) {
			entries[all[0]] = all[1:stride:stride]
		}
		all = all[stride:]
	}
	given.Entries[leaf], given.Closed[leaf] = entries, m.Closed && len(but) == 0
}

// findReads finds the parts of the records that the body reads, before any die falls. Its error is a refusal that is known
// already.
func (a *asking) findReads() (err error) {
	if a.needs, err = a.findNeeds(a.body); err == nil && a.needs.Refused != nil {
		err = &Refused{Require: *a.needs.Refused}
	}
	return err
}

// fields returns the questions for one record: the first that has fields which are still read and not decided later.
// Answers to them may make the fields of later records needless. Required fields come first, because the rest depends
// on them; otherwise the order is that of the schema.
//
// A number that other fields bound is judged when all of them are known, so they are asked for together. Where nothing
// reads or changes any of them, the values in their place stay, unless these do not fit each other.
func (a *asking) fields(needs *schedule.Needs) ([]ask.Need, error) {
	for i := range a.records {
		r := &a.records[i]
		out := a.fieldsBeforeDice(needs, r)
		if len(out) == 0 && r.Limited != nil {
			err := a.decode(r.schema, r.JSON, r.root)
			for k := range r.Limited {
				r.Limited[k].Known = r.Limited[k].Known || err != nil
			}
			if out = a.fieldsBeforeDice(needs, r); len(out) == 0 && err != nil {
				return nil, err
			}
		}
		if len(out) > 0 {
			slices.SortStableFunc(out, func(p, q ask.Need) int { return compareTruths(p.Required, q.Required) })
			return out, nil
		}
	}
	return nil, nil
}

// fieldsBeforeDice are the questions for the fields of one record that are not decided when dice have fallen.
func (a *asking) fieldsBeforeDice(needs *schedule.Needs, r *knownRoot) []ask.Need {
	return slices.DeleteFunc(a.fieldsOf(needs, r), func(q ask.Need) bool { return a.decisionOf(r, q.Path) != nil })
}

// compareTruths orders true before false.
func compareTruths(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// fieldsOf are the questions for the fields of one record.
func (a *asking) fieldsOf(needs *schedule.Needs, r *knownRoot) (out []ask.Need) {
	maps := r.Maps
	for k := range r.Gaps {
		gap := &r.Gaps[k]
		for len(maps) > 0 && maps[0].Slot < gap.From {
			out = append(out, a.askKeys(needs, r, maps[0])...)
			maps = maps[1:]
		}
		by := a.readersOf(needs, r, gap)
		if by == nil {
			by = a.boundedBy(needs, r, gap)
		}
		if by != nil {
			out = append(out, a.askField(needs, r, gap, by))
		}
	}
	for _, m := range maps {
		out = append(out, a.askKeys(needs, r, m)...)
	}
	return out
}

// readersOf are the readers of a gap; nil when nothing reads it.
func (a *asking) readersOf(needs *schedule.Needs, r *knownRoot, gap *partial.Gap) (out []schedule.Reader) {
	for i := range needs.Reads {
		x := &needs.Reads[i]
		if x.Leaf.Root != r.root || x.Leaf.Offset < gap.From || x.Leaf.Offset >= gap.To {
			continue
		}
		if x.Whole || gap.HasKey && a.hasKey(x, gap.Key) || !gap.HasKey && gap.Shape.Kind != plan.Map {
			out = appendNew(out, x.By)
		}
	}
	return out
}

// boundedBy are the fields that are known, read or changed by an event, and that a gap bounds or is bounded by; nil when
// there are none.
func (a *asking) boundedBy(needs *schedule.Needs, r *knownRoot, gap *partial.Gap) (out []schedule.Reader) {
	for _, l := range r.Limited {
		if !slices.Contains(l.Paths, gap.Path) {
			continue
		}
		matters := func(g partial.Gap) bool {
			return slices.Contains(l.Paths, g.Path) && (a.readersOf(needs, r, &g) != nil || isChanged(needs, r, &g))
		}
		if l.Known || slices.ContainsFunc(r.Gaps, matters) {
			out = append(out, schedule.Reader{Kind: schedule.LimitReader, Name: l.Paths[0]})
		}
	}
	return out
}

// isChanged reports whether an event may give a gap another value.
func isChanged(needs *schedule.Needs, r *knownRoot, gap *partial.Gap) bool {
	return slices.ContainsFunc(needs.Changed, func(l plan.Leaf) bool {
		return l.Root == r.root && gap.From <= l.Offset && l.Offset < gap.To
	})
}

// hasKey reports whether a map is looked up by a key.
func (a *asking) hasKey(x *schedule.Read, key string) bool {
	return slices.ContainsFunc(x.Keys, func(symbol int64) bool { return a.frame.Text(symbol) == key })
}

func appendNew[T comparable](to, more []T) []T {
	for _, by := range more {
		if !slices.Contains(to, by) {
			to = append(to, by)
		}
	}
	return to
}

// askKeys asks for the keys of a map that are looked up, may stand in it, and have no field of their own.
func (a *asking) askKeys(needs *schedule.Needs, r *knownRoot, m partial.Map) (out []ask.Need) {
	leaf := plan.Leaf{Root: r.root, Offset: m.Slot}
	at := slices.IndexFunc(needs.Reads, func(x schedule.Read) bool { return x.Leaf == leaf })
	if at < 0 || m.Closed || needs.Reads[at].Whole && !m.Given {
		return nil // nothing is looked up, nothing else is there, or the whole map is asked for
	}
	for _, symbol := range needs.Reads[at].Keys {
		key := a.frame.Text(symbol)
		path := m.Path + jsonio.PathStep(key)
		k := slices.IndexFunc(m.Shape.Fields, func(f plan.Member) bool { return f.Name == key })
		if k >= 0 && m.Given || slices.Contains(m.Keys, key) || slices.Contains(a.known.Accepted, path) ||
			m.Shape.Keys != nil && !slices.Contains(m.Shape.Keys, key) {
			continue
		}
		q := a.program.askShape(m.Shape.Elem, path)
		if k >= 0 {
			f := &m.Shape.Fields[k]
			q = a.program.askShape(f.Shape, path)
			q.Required = !f.Optional && f.Default == ""
			describeMember(&q, f)
		}
		q.For = describeReaders(needs.Reads[at].By)
		out = append(out, q)
	}
	return out
}

// askField asks for a part of a record.
func (a *asking) askField(needs *schedule.Needs, r *knownRoot, gap *partial.Gap, by []schedule.Reader) ask.Need {
	q := a.program.askShape(gap.Shape, gap.Path)
	q.For, q.Required = describeReaders(by), !gap.MayBeAbsent()
	if gap.Member != nil {
		describeMember(&q, gap.Member)
	}
	text := gap.Shape
	if text.Kind == plan.List {
		text = text.Elem
	}
	if text.Kind == plan.String && len(q.Keys) == 0 && !gap.HasKey {
		q.Suggest = a.suggest(needs, plan.Leaf{Root: r.root, Offset: gap.To - 1}, text)
	}
	return q
}

// describeMember adds the schema's properties of a member to a need.
func describeMember(n *ask.Need, m *plan.Member) {
	n.Doc = m.Doc
	if m.Default != "" {
		n.Default = json.RawMessage(m.Default)
	}
}

// suggest lists the keys of the maps in which a string is looked up, as far as they are known, and then the words that its
// @key has for none.
func (a *asking) suggest(needs *schedule.Needs, key plan.Leaf, s *plan.Shape) (out []string) {
	for _, l := range needs.Lookups {
		if l.Key != key {
			continue
		}
		for i := range a.records {
			for _, m := range a.records[i].Maps {
				if a.records[i].root == l.Map.Root && m.Slot == l.Map.Offset {
					out = append(out, m.Keys...)
				}
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) == 0 {
		return nil // of a map that is not known yet, the words for none are no list to choose from
	}
	for _, word := range strings.Split(s.KeyOf, ",")[1:] {
		out = appendNew(out, []string{strings.TrimSpace(word)})
	}
	return out
}

// typeNames names the types of answers.
var typeNames = [...]string{
	plan.Int: "int", plan.Double: "double", plan.Bool: "bool", plan.String: "string", plan.List: "list", plan.Map: "map",
	plan.Record: "object",
}

// askShape returns the need of a value of a shape.
func (p *Program) askShape(s *plan.Shape, path string) ask.Need {
	q := ask.Need{Kind: ask.Field, Path: path, Type: typeNames[s.Kind], MinItems: s.MinItems, MaxItems: s.MaxItems}
	q.Min, q.Above = s.Min.Split()
	q.Max, q.Below = s.Max.Split()
	for _, b := range s.Not {
		q.Not = append(q.Not, b.Value)
	}
	strings := s
	if s.Elem != nil {
		q.Elem = typeNames[s.Elem.Kind]
		strings = s.Elem
	}
	words := strings.Enum
	if s.Kind == plan.Map {
		words = s.Keys
	}
	for _, w := range words {
		q.Keys = append(q.Keys, ask.Key{Key: w, Means: p.meaning(strings.KeyOf, w), Table: strings.KeyOf})
	}
	return q
}

// meaning is the row of a table under a key, as people read it: "modifier -30, name strenuous".
func (p *Program) meaning(table, key string) string {
	t, symbol := p.plan.Table(table), p.image.SymbolOf(key)
	if table == "" || t == nil || symbol < 0 {
		return ""
	}
	row := t.FindInt(symbol)
	if row < 0 {
		return ""
	}
	var out []string
	slot := 0
	for i := range t.Row.Fields {
		f := &t.Row.Fields[i]
		if text := p.cellText(f, t.Cells[int(row)*t.Row.Slots()+slot:]); text != "" {
			out = append(out, text)
		}
		slot += f.Slots()
	}
	return strings.Join(out, ", ")
}

// cellText returns a column of a row as people read it: its name and value, or the name alone of a true one. It is empty
// for a column that is absent or false, or is a list, a map or a record.
func (p *Program) cellText(f *plan.Field, slots []int64) string {
	if f.Optional {
		if slots[0] == 0 {
			return ""
		}
		slots = slots[1:]
	}
	switch f.Type.Kind {
	case plan.Int:
		return fmt.Sprint(f.Name, " ", slots[0])
	case plan.Double:
		return fmt.Sprint(f.Name, " ", builtin.Double(slots[0]))
	case plan.Bool:
		if slots[0] != 0 {
			return f.Name
		}
	case plan.String:
		return f.Name + " " + p.plan.Symbols[slots[0]]
	}
	return ""
}

// describeReaders returns the readers of a field or a die in words. A formula on the way that can fail is told only when
// nothing else reads it: the readers of that formula tell more.
func describeReaders(by []schedule.Reader) (out []string) {
	for _, r := range by {
		if r.Kind != schedule.CheckReader {
			out = append(out, r.String())
		}
	}
	if len(out) == 0 && len(by) > 0 {
		return []string{by[0].String()}
	}
	return out
}

// roll carries the body out with the faces that have fallen, and asks for the first that has not.
func (a *asking) roll() ([]ask.Need, error) {
	g := a.body.Graph
	a.frame.LeaveOut(a.leftOut())
	next, err := a.useSource(a.frame, g)
	if err != nil {
		return nil, err
	}
	err = vm.Evaluate(a.frame, a.code, g, a.used)
	if !dice.IsMissing(err) {
		return nil, err
	}
	need := a.askDie(a.frame, next)
	need.Values = a.knownOutputs(&need)
	return []ask.Need{need}, nil
}

// useSource begins the faces of the request anew, for an evaluation of a graph in a frame. next is the place of the face
// that the seed draws when one is missing, nil without a seed.
func (a *asking) useSource(f *vm.Frame, g *plan.Graph) (next *int64, err error) {
	a.rolled, a.graph = f, g
	q := &a.known
	if q.Seed == nil || q.Roll || q.Source != nil || q.Dice.List != nil {
		a.used, err = a.newSource(q, a.event)
		return nil, err
	}
	p := dice.NewPreview(q.Dice.ByID.ByID(), dice.FromSeed(*q.Seed, q.Record, a.event), a.isUnneeded)
	a.used = p
	return &p.Next, nil
}

// noteOrigin notes for a sheet which faces a seed has drawn without being asked for.
func (a *asking) noteOrigin(q *Request) {
	if p, isPreview := a.used.(*dice.Preview); isPreview {
		q.Given = p.Origin(q.Given)
	}
}

// listFallen returns the faces that have fallen in the last evaluation.
func (a *asking) listFallen() dice.Rolls {
	if a.rolled == nil {
		return nil
	}
	return vm.ListFaces(a.rolled, a.graph)
}

// askDie asks for the face that a frame lacks; drawn is that which the seed draws, nil without one.
func (a *asking) askDie(f *vm.Frame, drawn *int64) ask.Need {
	g, d := a.body.Graph, f.LastDraw()
	q := ask.Need{
		Kind: ask.Die, Type: typeNames[plan.Int], Die: string(dice.AppendID(nil, d.Die.ID, d.Index)), Faces: d.Faces,
		Shows: d.Die.Shows, Zero: d.Die.Zero, Count: d.Count, Number: 1, For: describeReaders(a.readersOfDie(d.Die)),
		Required: true, Again: d.Again,
	}
	for _, r := range vm.ListFaces(f, g) {
		if r.ID == q.Die {
			q.Number += len(r.Faces)
		}
	}
	if q.Count > 1 {
		q.Position = len(d.Seen) + 1
	}
	if d.Die.Distinct {
		q.Fallen = slices.Clone(d.Seen)
	}
	if drawn != nil {
		q.Drawn = *drawn
	}
	q.Rule, q.Rolled, q.Cite = a.program.rollOf(d.Die)
	return q
}

// readersOfDie returns what needs a die of the body.
func (a *asking) readersOfDie(d *plan.Die) []schedule.Reader {
	same := func(x plan.Die) bool { return x.ID == d.ID && x.Place == d.Place }
	return a.needs.Dice[slices.IndexFunc(a.body.Graph.Dice, same)]
}

// isUnneeded reports whether nothing needs a die of the body.
func (a *asking) isUnneeded(d *plan.Die) bool { return len(a.readersOfDie(d)) == 0 }

// rollOf returns the definition that rolls a die, its author's text, and its citation.
func (p *Program) rollOf(d *plan.Die) (rule, text, cite string) {
	for i := range p.plan.Entries {
		e := &p.plan.Entries[i]
		for _, l := range e.Lines {
			if l.Place == d.Place {
				return e.Kind.String() + " " + e.ID, l.Text, e.Cite
			}
		}
	}
	return "", "", ""
}

// Fill gives the character and the input of which everything that matters is known, as Eval takes them: in place of fields
// that must be there and that nothing reads stand values that fit them.
func (r *Rule) Fill(q Request) (character, input []byte, err error) {
	if character, err = fillRoot(&q, r.program.character, q.Character); err != nil {
		return nil, nil, err
	}
	input, err = fillRoot(&q, r.input, q.Input)
	return character, input, err
}

// fill completes a record.
func fillRoot(q *Request, schema *jsonio.Schema, text []byte) ([]byte, error) {
	done, err := partial.Complete(schema.Root, schema.Shape, text, q.Accepted)
	switch {
	case err != nil:
		return nil, err
	case done.Complete && !partial.HasUnknown(text):
		return compactJSON(text), nil
	}
	return done.JSON, nil
}

// writeRecords puts the records into the frame of another evaluation, as far as they are known.
func (a *asking) writeRecords(e *evaluation, code *schedule.Code) error {
	for i := range a.records {
		r := &a.records[i]
		if err := e.decoder.DecodeTo(r.schema, r.JSON, int(code.Base[r.root])); err != nil {
			return err
		}
	}
	e.frame.LeaveOut(a.leftOut())
	return nil
}
