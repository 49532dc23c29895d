package runtime

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/internal/vector"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// twice is a rule that doubles the number of a character.
func twice(t testing.TB) *Rule {
	t.Helper()
	b := graphtest.NewBuilder()
	b.Plan.Character = &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "n", Shape: &plan.Shape{Kind: plan.Int}}}}
	b.Graph.Leaves = []plan.Leaf{{Root: plan.CharacterRoot}}
	n := b.Node(plan.OpLeaf, plan.Int, 0)
	b.Output("twice", plan.IntType, b.Node(plan.OpAddInt, plan.Int, 0, n, n), b.Node(plan.OpAddIntFault, plan.Fault, 0, n, n))
	b.Plan.Rules = []plan.Rule{{ID: "r", Input: &plan.Shape{Kind: plan.Record}, Graph: b.Graph}}
	r, err := New(b.Plan).Rule("r", Choice{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func batchOf(t testing.TB, workers int) *Batch {
	t.Helper()
	b, err := twice(t).Batch(BatchOptions{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPanicsOfABatchAreItsCallers holds that a panic in a goroutine of a batch can be recovered from where the answers are
// read, with its place, and that the batch answers afterwards.
func TestPanicsOfABatchAreItsCallers(t *testing.T) {
	const n = 5000
	b := batchOf(t, 3)
	records := func(yield func([]byte) bool) {
		for range n {
			if !yield([]byte(`{"n":1}`)) {
				return
			}
		}
	}
	readAll := func(characters func(func([]byte) bool)) (answers int, fault any) {
		defer func() { fault = recover() }()
		for range b.All(characters) {
			answers++
		}
		return
	}
	sheets, create := b.sheets, b.workers.create
	for name, c := range map[string]struct {
		spoil      func()
		characters func(func([]byte) bool)
		want       string
	}{
		"a worker":     {func() { b.sheets = nil }, records, "nil pointer dereference"},
		"a new worker": {func() { b.workers.create = func() *worker { panic("no more") } }, records, "no more"},
		"the records":  {func() {}, func(func([]byte) bool) { panic("no record") }, "no record"},
	} {
		b.sheets, b.workers.create, b.workers.free = sheets, create, nil
		c.spoil()
		_, fault := readAll(c.characters)
		text, _ := fault.(string)
		if !strings.Contains(text, c.want) || !strings.Contains(text, "in a goroutine of a batch at github.com/") {
			t.Errorf("%s: %.300v", name, fault)
		}
		b.sheets, b.workers.create = sheets, create
		if answers, fault := readAll(records); answers != n || fault != nil {
			t.Errorf("after %s: %d answers, %v", name, answers, fault)
		}
	}
}

// TestSheetsOfABatchNameHomebrews holds that the sheet of a record names the homebrews that are played, as that of one
// evaluation does: also one that has no part in any output.
func TestSheetsOfABatchNameHomebrews(t *testing.T) {
	r := twice(t)
	r.program.plan.Overlays = []string{"double", "idle"}
	r.rule.Graph.Names = []plan.Named{{Kind: plan.OutputName, Name: "twice", Overlays: []string{"double"}}}
	const want = `{"ruleset":"","revision":"","rule":"r","overlays":{"double":["twice"],"idle":[]},"options":{},` +
		`"dice":{},"output":{"twice":6}}`
	character := []byte(`{"n":3}`)
	alone, err := r.Eval(Request{Character: character})
	if got := sheetOf(alone.AppendJSON(nil), err); got != want {
		t.Errorf("alone: %s, want %s", got, want)
	}
	b, err := r.Batch(BatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for sheet, err := range b.All(slices.Values([][]byte{character})) {
		if got := sheetOf(sheet, err); got != want {
			t.Errorf("in a batch: %s, want %s", got, want)
		}
	}
}

func TestBatchKeepsTheOrder(t *testing.T) {
	const n = 10_000
	var characters [][]byte
	for i := range n {
		characters = append(characters, fmt.Appendf(nil, `{"n":%d}`, i))
	}
	characters[17] = []byte(`{"n":"x"}`)
	characters[n-1] = []byte(`{"n":9223372036854775807}`)
	for workers := 1; workers <= 4; workers++ {
		i := 0
		for sheet, err := range batchOf(t, workers).All(slices.Values(characters)) {
			switch want := fmt.Sprintf(`"output":{"twice":%d}}`, 2*i); {
			case i == 17 && (err == nil || !strings.Contains(err.Error(), "character.n: must be a whole number")):
				t.Errorf("record 17: %s, %v", sheet, err)
			case i == n-1 && (err == nil || !strings.Contains(err.Error(), "overflow")):
				t.Errorf("the last record: %s, %v", sheet, err)
			case i != 17 && i != n-1 && (err != nil || !strings.HasSuffix(string(sheet), want)):
				t.Fatalf("record %d: %s, %v", i, sheet, err)
			}
			i++
		}
		if i != n {
			t.Errorf("%d workers: %d answers of %d", workers, i, n)
		}
	}
}

// However fast records come, they run ahead of the answers by what the chunks hold, and no further.
func TestBatchIsBounded(t *testing.T) {
	const workers = 3
	var given, ahead atomic.Int64
	endless := func(yield func([]byte) bool) {
		for yield([]byte(`{"n":1}`)) {
			given.Add(1)
		}
	}
	answered := int64(0)
	for _, err := range batchOf(t, workers).All(endless) {
		if err != nil {
			t.Fatal(err)
		}
		answered++
		ahead.Store(max(ahead.Load(), given.Load()-answered))
		if answered == 100_000 {
			break
		}
	}
	if most := int64((2*workers + 1) * vector.Size); ahead.Load() > most {
		t.Errorf("%d records were held, more than %d", ahead.Load(), most)
	}
}

// A record is answered although no other one follows.
func TestBatchAnswersWithoutWaiting(t *testing.T) {
	next := make(chan []byte)
	waiting := func(yield func([]byte) bool) {
		for c := range next {
			if !yield(c) {
				return
			}
		}
	}
	go func() { next <- []byte(`{"n":1}`) }()
	answers := 0
	for range batchOf(t, 2).All(waiting) {
		if answers++; answers == 5 {
			close(next)
			continue
		}
		go func() { next <- []byte(`{"n":1}`) }()
	}
	if answers != 5 {
		t.Errorf("%d answers", answers)
	}
}

func TestBatchRefusesWhatIsTooLarge(t *testing.T) {
	large := []byte(`{"n":` + strings.Repeat(" ", MaxRecord) + `1}`)
	for sheet, err := range batchOf(t, 1).All(slices.Values([][]byte{large})) {
		if err == nil || !strings.Contains(err.Error(), "may have 1048576") {
			t.Errorf("%s, %v", sheet, err)
		}
	}
}

func TestBatchRefusesAnInputThatDoesNotFit(t *testing.T) {
	if _, err := twice(t).Batch(BatchOptions{Input: []byte(`{"x":1}`)}); err == nil {
		t.Error("there is no x in the input")
	}
}

// Blocks answer as batches do.
// TestBatchWantsWholeCharacters asks a rule that reads no character: it answers for one without fields, and for no other
// that lacks what it must have, together as one by one, and of its odds.
func TestBatchWantsWholeCharacters(t *testing.T) {
	b := graphtest.NewBuilder()
	b.Plan.Character = &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "must", Shape: &plan.Shape{Kind: plan.Int}}, {Name: "may", Shape: &plan.Shape{Kind: plan.Int}, Optional: true}}}
	b.Output("one", plan.IntType, b.IntConst(1), b.NoFault())
	b.Plan.Rules = []plan.Rule{{ID: "r", Input: &plan.Shape{Kind: plan.Record}, Graph: b.Graph}}
	r, err := New(b.Plan).Rule("r", Choice{})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := r.Batch(BatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	characters := [][]byte{[]byte(`{}`), []byte(`{"may": 1}`), []byte(`{"must": 1}`), []byte(` { } `)}
	i := 0
	for sheet, err := range batch.All(slices.Values(characters)) {
		_, alone := r.Eval(Request{Character: characters[i]})
		_, chances := r.Odds(t.Context(), Request{Character: characters[i]}, nil)
		if isRefused := i == 1; (err != nil) != isRefused || (alone != nil) != isRefused || (chances != nil) != isRefused {
			t.Errorf("%s: %s, %v; alone %v, odds %v", characters[i], sheet, err, alone, chances)
		}
		i++
	}
}

func TestBlock(t *testing.T) {
	r := twice(t)
	b, err := r.Block(0)
	if err != nil {
		t.Fatal(err)
	}
	n, err := r.Field("character.n")
	if err != nil {
		t.Fatal(err)
	}
	twice, err := b.Result("twice")
	if err != nil {
		t.Fatal(err)
	}
	if b.Add() == nil {
		t.Error("a record without its field was added")
	}
	for round := range int64(3) {
		for i := range int64(BlockSize) {
			b.Frame().SetInt(n, round*i)
			if err := b.Add(); err != nil {
				t.Fatal(err)
			}
		}
		b.Run()
		for i := range b.Len() {
			if got, want := b.Int(twice, i), 2*round*int64(i); got != want || b.Err(i) != nil {
				t.Fatalf("record %d: %d, %v, want %d", i, got, b.Err(i), want)
			}
		}
		b.Clear()
	}
	b.Frame().SetInt(n, 1<<62)
	if err := b.Add(); err != nil {
		t.Fatal(err)
	}
	b.Run()
	if err := b.Err(0); err == nil || !strings.Contains(err.Error(), "overflow") {
		t.Errorf("%v", err)
	}
	if testing.AllocsPerRun(100, b.Run) > 0 {
		t.Error("a block that has run before allocates")
	}
}

// A string that is set once stays what it is, however many others the records of a block have.
func TestBlockKeepsWhatIsSet(t *testing.T) {
	b := graphtest.NewBuilder()
	text := &plan.Shape{Kind: plan.String}
	b.Plan.Character = &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "a", Shape: text}, {Name: "b", Shape: text}}}
	b.Graph.Leaves = []plan.Leaf{{Root: plan.CharacterRoot}, {Root: plan.CharacterRoot, Offset: 1}}
	b.Output("same", plan.StringType, b.Node(plan.OpLeaf, plan.String, 0), plan.None)
	b.Output("other", plan.StringType, b.Node(plan.OpLeaf, plan.String, 1), plan.None)
	b.Plan.Rules = []plan.Rule{{ID: "r", Input: &plan.Shape{Kind: plan.Record}, Graph: b.Graph}}
	r, err := New(b.Plan).Rule("r", Choice{})
	if err != nil {
		t.Fatal(err)
	}
	block, err := r.Block(0)
	if err != nil {
		t.Fatal(err)
	}
	first, err := r.Field("character.a")
	if err != nil {
		t.Fatal(err)
	}
	second, err := r.Field("character.b")
	if err != nil {
		t.Fatal(err)
	}
	same, err := block.Result("same")
	if err != nil {
		t.Fatal(err)
	}
	block.Frame().SetText(first, "constant")
	for round := range 30 { // of 100 kB each, which is more than a frame keeps
		block.Frame().SetText(second, strings.Repeat("y", 100_000)+strconv.Itoa(round))
		if err := block.Add(); err != nil {
			t.Fatal(err)
		}
		block.Run()
		if got := block.Text(same, 0); got != "constant" {
			t.Fatalf("round %d: %.20q", round, got)
		}
		block.Clear()
	}
}

// A rule with loops has no blocks, and a batch of its own kind.
func TestBlockIsRefusedToLoops(t *testing.T) {
	b := graphtest.NewBuilder()
	b.Plan.Character = &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "n", Shape: &plan.Shape{Kind: plan.Int}}}}
	b.Graph.Leaves = []plan.Leaf{{Root: plan.CharacterRoot}}
	n := b.Node(plan.OpLeaf, plan.Int, 0)
	sum := b.Loop(n, []plan.ID{b.IntConst(0)}, func(i plan.ID, carried []plan.ID) []plan.ID {
		return []plan.ID{b.Node(plan.OpAddInt, plan.Int, 0, carried[0], i)}
	})
	b.Output("sum", plan.IntType, sum[0], plan.None)
	b.Plan.Rules = []plan.Rule{{ID: "r", Input: &plan.Shape{Kind: plan.Record}, Graph: b.Graph}}
	r, err := New(b.Plan).Rule("r", Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if block, err := r.Block(0); block != nil || err != ErrRecordByRecord {
		t.Errorf("%v, %v", block, err)
	}
	batch, err := r.Batch(BatchOptions{})
	if err != nil || batch.ByColumns() {
		t.Fatal(batch, err)
	}
	for sheet, err := range batch.All(slices.Values([][]byte{[]byte(`{"n":5}`)})) {
		if err != nil || !strings.Contains(string(sheet), `{"sum":10}`) { // 0 + 1 + 2 + 3 + 4
			t.Errorf("%s, %v", sheet, err)
		}
	}
}

// Strings that nothing reads get no symbols, so that names do not fill the memory; they are judged like all others.
func TestBatchKeepsNoStringsThatNothingReads(t *testing.T) {
	text := &plan.Shape{Kind: plan.String}
	b := graphtest.NewBuilder()
	b.Plan.Character = &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "name", Shape: text}, {Name: "home", Shape: text, Optional: true},
		{Name: "kin", Shape: &plan.Shape{Kind: plan.Record,
			Fields: []plan.Member{{Name: "mother", Shape: text}, {Name: "father", Shape: text}}}},
		{Name: "gear", Shape: &plan.Shape{Kind: plan.List, MaxItems: 3,
			Elem: &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "what", Shape: text}}}}},
	}}
	const father = 4 // after name, whether there is a home, home, mother
	b.Graph.Leaves = []plan.Leaf{{Root: plan.CharacterRoot, Offset: father}}
	b.Output("father", plan.StringType, b.Node(plan.OpLeaf, plan.String, 0), plan.None)
	b.Plan.Rules = []plan.Rule{{ID: "r", Input: &plan.Shape{Kind: plan.Record}, Graph: b.Graph}}
	r, err := New(b.Plan).Rule("r", Choice{})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := r.Batch(BatchOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	const good = `{"name":"Ada","home":"Lund","kin":{"mother":"Eve","father":"Bo"},"gear":[{"what":"rope"}]}`
	for character, want := range map[string]string{
		good: `{"father":"Bo"}`,
		strings.Replace(good, "Ada", "A\xffa", 1):             "character.name: the text is not UTF-8",
		strings.Replace(good, `"Lund"`, "3", 1):               "character.home: must be a string",
		strings.Replace(good, "rope", `\x`, 1):                "character.gear[0].what: ",
		strings.Replace(good, `"rope"`, `"", "what":""`, 1):   "character.gear[0].what: stands here twice",
		strings.Replace(good, `"mother":"Eve",`, ``, 1):       "character.kin.mother: is missing",
		strings.Replace(good, `"gear":`, `"home":"","g":`, 1): "character.home: stands here twice",
	} {
		for sheet, err := range batch.All(slices.Values([][]byte{[]byte(character)})) {
			if got := sheetOf(sheet, err); !strings.Contains(got, want) {
				t.Errorf("%s: %s, want %s", character, got, want)
			}
		}
	}
	w := batch.newWorker()
	_, err = w.decoder.DecodeSlots(batch.reader, []byte(good))
	first := int64(len(batch.rule.program.plan.Symbols))
	if a, b := w.frame.Text(first), w.frame.Text(first+1); err != nil || a != "Bo" || b != "" {
		t.Errorf("%v, kept %q, %q", err, a, b)
	}
}

// sheetOf is a sheet, or why there is none.
func sheetOf(sheet []byte, err error) string {
	if err != nil {
		return err.Error()
	}
	return string(sheet)
}
