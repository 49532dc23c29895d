package markov

import (
	"cmp"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The states of a course are many, and made of few values: what a field holds comes again in thousands of states. So a
// state is kept as a row of numbers, one for each field, of values that are written, read, judged and decoded once each.
// Comparing states is comparing rows; putting one into a frame is copying a few slots for each field.

// A part is a value that some field of a state or of the character has. The number of an absent one is 0.
type part struct {
	text   string // JSON
	value  jsonio.Value
	packed *jsonio.Packed // nil when it does not fit what is declared of the field
}

// A partStore numbers the values that a field has.
//
// In numbers: the field wounds has had the values 3, 0 and 5, which have the numbers 1, 2 and 3 in its store; the state
// with 5 wounds has a 3 in its column. Numbers are given in the order in which values are met, so they say nothing
// about the order of values. parts[n] is the value with the number n; parts[0] stands for an absent field.
//
// texts and bits lead from a value to its number: texts by its JSON, which every value has, and bits by the slot of a
// number or truth, which needs no JSON to be written.
type partStore struct {
	name   string         // in JSON, with quotes and colon; "" when it is the whole record
	schema *jsonio.Schema // of the value
	at     int            // its first slot in the root: its presence when it is optional
	skips  bool           // it is optional
	counts bool           // it is a counter, and has its first value in all states
	bits   map[int64]int64
	texts  map[string]int64
	parts  []part
}

// recordParts returns the stores of a root, one for each field. If the fields that a step writes are not the declared
// ones, it returns a single store for the whole record.
func recordParts(schema *jsonio.Schema, written *plan.Type) []partStore {
	whole := []partStore{{schema: schema}}
	if written.Kind != plan.Record || len(written.Fields) != len(schema.Members) {
		return whole
	}
	var out []partStore
	for i := range written.Fields {
		name := written.Fields[i].Name
		k := slices.IndexFunc(schema.Members, func(m jsonio.Member) bool { return m.Name == name })
		if k < 0 {
			return whole
		}
		m := &schema.Members[k]
		quoted := string(jsonio.TextValue(name).AppendJSON(nil)) + ":"
		out = append(out, partStore{name: quoted, schema: m.Schema, at: m.At, skips: m.Optional})
	}
	return out
}

// addPart returns the number of a value, and adds the value if it is new. Bits are those of a number or a truth, and
// nil for all else.
func (s *partStore) addPart(image *vm.Image, text []byte, value jsonio.Value, bits *int64) int64 {
	n, ok := s.texts[string(text)]
	if !ok {
		if len(s.parts) == 0 {
			s.parts, s.texts, s.bits = make([]part, 1), map[string]int64{}, map[int64]int64{}
		}
		n = int64(len(s.parts))
		packed, err := jsonio.Pack(image, s.schema, text)
		if err != nil {
			packed = nil
		}
		s.parts = append(s.parts, part{string(text), value, packed})
		s.texts[string(text)] = n
	}
	if bits != nil {
		s.bits[*bits] = n
	}
	return n
}

// loadPart puts a value into a frame in which the root begins at base.
func (s *partStore) loadPart(n int64, f *vm.Frame, base int) {
	at := base + s.at
	if s.skips {
		f.Slots()[at] = min(n, 1)
		at++
	}
	if n == 0 {
		clear(f.Slots()[at:][:s.schema.Slots])
		return
	}
	s.parts[n].packed.Load(f, f.Slots()[at:])
}

// A stateStore numbers the states of a course, together with the characters when the procedure changes these.
type stateStore struct {
	image     *vm.Image
	state     []partStore
	character []partStore // none when the procedure does not change it
	rows      *eliminate.Table[pmf.Float]
}

// newStateStore makes a store without states. Counters says of each field of the state whether it is a counter; nil says it
// of none.
func newStateStore(p *Process, counters []bool) *stateStore {
	image, g := p.image, &p.plan.Start
	s := &stateStore{image: image}
	s.state = recordParts(jsonio.NewRootSchema(image, plan.StateRoot, p.plan.State), g.Next[0].Type)
	for i := range s.state {
		if k := slices.IndexFunc(p.plan.State.Fields, func(m plan.Member) bool {
			return string(jsonio.TextValue(m.Name).AppendJSON(nil))+":" == s.state[i].name
		}); k >= 0 && counters != nil {
			s.state[i].counts = counters[k]
		}
	}
	if p.plan.Changes {
		schema := jsonio.NewRootSchema(image, plan.CharacterRoot, p.image.Plan().Character)
		s.character = recordParts(schema, g.Next[1].Type)
	}
	s.rows = eliminate.NewTable[pmf.Float](len(s.state) + len(s.character))
	return s
}

// splitParts divides the parts of a state into those of the state and those of the character.
func (s *stateStore) splitParts(n int) (state, character []int64) {
	row := s.rows.Row(n)
	return row[:len(s.state)], row[len(s.state):]
}

// fits reports whether every field of a state, and of the character with it, is as it is declared.
func (s *stateStore) fits(n int) bool {
	state, character := s.splitParts(n)
	return partsFit(s.state, state) && partsFit(s.character, character)
}

func partsFit(stores []partStore, row []int64) bool {
	for i, n := range row {
		if n > 0 && stores[i].parts[n].packed == nil || n == 0 && !stores[i].skips {
			return false
		}
	}
	return true
}

// textsOf returns a state and the character with it, in JSON.
func (s *stateStore) textsOf(n int) (state, character string) {
	parts, with := s.splitParts(n)
	return recordText(s.state, parts), recordText(s.character, with)
}

func recordText(stores []partStore, row []int64) string {
	if len(stores) == 1 && stores[0].name == "" {
		return stores[0].parts[row[0]].text
	}
	out := []byte("{")
	for i, n := range row {
		if n == 0 {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, stores[i].name...), stores[i].parts[n].text...)
	}
	return string(append(out, '}'))
}

// loadState puts a state, and the character with it, into a frame.
func (s *stateStore) loadState(n int, f *vm.Frame, base func(plan.Root) int) {
	state, character := s.splitParts(n)
	for i, part := range state {
		s.state[i].loadPart(part, f, base(plan.StateRoot))
	}
	for i, part := range character {
		s.character[i].loadPart(part, f, base(plan.CharacterRoot))
	}
}

// compare orders states, and the characters with them, as Compare orders the records that they are.
func (s *stateStore) compare(a, b int) int {
	stateA, characterA := s.splitParts(a)
	stateB, characterB := s.splitParts(b)
	if c := compareParts(s.state, stateA, stateB); c != 0 {
		return c
	}
	return compareParts(s.character, characterA, characterB)
}

// compareParts compares member by member those that are there, as they stand behind each other.
func compareParts(stores []partStore, a, b []int64) int {
	i, k := 0, 0
	for {
		for i < len(a) && a[i] == 0 {
			i++
		}
		for k < len(b) && b[k] == 0 {
			k++
		}
		if i == len(a) || k == len(b) {
			return cmp.Compare(len(a)-i, len(b)-k)
		}
		if i != k || a[i] != b[k] {
			if c := odds.Compare(stores[i].parts[a[i]].value, stores[k].parts[b[k]].value); c != 0 {
				return c
			}
		}
		i, k = i+1, k+1
	}
}

// A stateReader finds the states that stand in the rows of a table.
//
// Successive rows of an answer often differ in one field. So a field is read only if its slots differ from those of the
// row before. That is sound as long as equal slots mean equal values, which epoch tells.
type stateReader struct {
	store  *stateStore
	fields []fieldPlace
	frame  *vm.Frame // what the slots name
	epoch  int
	last   []int64 // the row that was read last
	parts  []int64 // of it
	row    []int64
	text   []byte
}

// A fieldPlace says where the value of a field stands in a row.
type fieldPlace struct {
	store *partStore
	at    vm.Location
	slots []int32 // all that at names
}

// newStateReader reads the rows of the answers in which the values stand in some columns.
func newStateReader(s *stateStore, at eliminate.Columns) *stateReader {
	x := &stateReader{store: s, frame: &vm.Frame{}}
	x.addFields(s.state, at.Locate(0))
	if len(s.character) > 0 {
		x.addFields(s.character, at.Locate(1))
	}
	x.parts, x.row = make([]int64, len(x.fields)), make([]int64, len(x.fields))
	return x
}

func (x *stateReader) addFields(stores []partStore, at vm.Location) {
	if len(stores) == 1 && stores[0].name == "" {
		x.addField(&stores[0], at)
		return
	}
	for i := range stores {
		x.addField(&stores[i], at.Fields[i])
	}
}

func (x *stateReader) addField(store *partStore, at vm.Location) {
	f := fieldPlace{store: store, at: at}
	var take func(at *vm.Location)
	take = func(at *vm.Location) {
		for _, slot := range [...]int32{at.Present, at.Fault, at.Slot} {
			if slot >= 0 {
				f.slots = append(f.slots, slot)
			}
		}
		for i := range at.Fields {
			take(&at.Fields[i])
		}
	}
	take(&at)
	x.fields = append(x.fields, f)
}

// beginQuestion prepares to read the rows of another question. While the epoch is the same one, equal values have equal
// slots in all questions; it is 0 where they have not.
func (x *stateReader) beginQuestion(s *vm.Executor, epoch int) {
	s.Show(x.frame)
	if epoch == 0 || epoch != x.epoch {
		x.last = x.last[:0]
	}
	x.epoch = epoch
}

// readState returns the number of the state in a row. It is not ok when some value of it cannot be had.
//
// The cost for a field is a comparison of slots when it is as before, a look-up of the slot when it is a known number,
// and writing its JSON only otherwise.
func (x *stateReader) readState(row []int64) (n int, ok bool) {
	for i := range x.fields {
		f := &x.fields[i]
		if len(x.last) > 0 && f.isSame(row, x.last) {
			continue
		}
		if x.parts[i], ok = x.readField(f, row); !ok {
			x.last = x.last[:0]
			return 0, false
		}
	}
	x.last = append(x.last[:0], row...)
	return x.store.rows.NumberOf(x.parts), true
}

// isSame reports whether a field is the same in two rows.
func (f *fieldPlace) isSame(a, b []int64) bool {
	for _, slot := range f.slots {
		if a[slot] != b[slot] {
			return false
		}
	}
	return true
}

// readField is the number of a field's value.
func (x *stateReader) readField(f *fieldPlace, row []int64) (n int64, ok bool) {
	if f.at.Present >= 0 && row[f.at.Present] == 0 {
		return 0, true
	}
	if f.store.counts && len(f.store.parts) > 1 && (f.at.Fault < 0 || row[f.at.Fault] == 0) {
		return 1, true
	}
	var bits *int64
	if kind := f.at.Type.Kind; kind == plan.Int || kind == plan.Bool || kind == plan.Double {
		if f.at.Fault < 0 || row[f.at.Fault] == 0 {
			bits = &row[f.at.Slot]
			if n, ok := f.store.bits[*bits]; ok {
				return n, true
			}
		}
	}
	view := vm.NewView(row, 1)
	e := jsonio.NewEncoder(x.text[:0])
	if vm.Walk(x.frame, &f.at, view, e) != 0 { // a double that is no number is a value, which does not fit
		return 0, false
	}
	x.text = e.Bytes()
	if n, ok := f.store.texts[string(x.text)]; ok && bits == nil {
		return n, true
	}
	value, _ := jsonio.ReadValue(x.frame, &f.at, view)
	return f.store.addPart(x.store.image, x.text, value, bits), true
}
