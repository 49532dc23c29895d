package golden

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime/metrics"
	"slices"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan/plantest"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

var (
	alteredPlans = flag.Int("altered", 4_000, "how many altered plan files are loaded")
	alteredSeed  = flag.Uint64("altered-seed", 1, "the seed of what is altered")
)

// An alterable plan file is one whose parts can be altered behind digests that are right. Parts keep their sizes.
type alterable struct {
	file      []byte
	directory int // where the directory begins
	parts     []planfile.Part
	at        []int // where each part begins
}

// newAlterable finds the parts of a plan file.
func newAlterable(t *testing.T, file []byte) *alterable {
	t.Helper()
	a, err := planfile.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	const afterMagic = 4 + sha256.Size + 4 // the version, the digest of the directory, and its size
	out := &alterable{file: file, directory: bytes.IndexByte(file, '\n') + 1 + afterMagic, parts: a.Parts()}
	at := out.directory + int(binary.LittleEndian.Uint32(file[out.directory-4:]))
	for _, p := range out.parts {
		out.at = append(out.at, at)
		at += p.Size
	}
	if at != len(file) {
		t.Fatalf("the parts end at %d of %d", at, len(file))
	}
	return out
}

// altered is the file with a few bytes of one part altered, or of all parts' directory, and every digest mended. Half of
// the bytes become small numbers, as kinds, operations and counts are; the others become anything.
func (a *alterable) altered(r *rand.Rand) []byte {
	out := bytes.Clone(a.file)
	i := r.IntN(len(a.parts))
	part := out[a.at[i] : a.at[i]+a.parts[i].Size]
	if len(part) == 0 {
		return out
	}
	for range 1 + r.IntN(4) {
		with := byte(r.IntN(40))
		if r.IntN(2) == 0 {
			with = byte(r.Uint32())
		}
		part[r.IntN(len(part))] = with
	}
	directory := out[a.directory:a.at[0]]
	if at := bytes.Index(directory, a.parts[i].Digest[:]); at >= 0 {
		sum := sha256.Sum256(part)
		copy(directory[at:], sum[:])
	}
	if r.IntN(16) == 0 {
		directory[r.IntN(len(directory))] = byte(r.IntN(40))
	}
	sum := sha256.Sum256(directory)
	copy(out[a.directory-4-sha256.Size:], sum[:])
	return out
}

// load loads a file as a stranger's is, and carries out whatever it offers. Errors are expected; a panic, a hang and more
// memory than the file vouches for are not.
func loadAltered(file []byte) (accepted bool) {
	program, err := runtime.Load(file)
	if err != nil {
		return false
	}
	p := program.Plan()
	for _, b := range p.Bodies() {
		_ = p.Print(io.Discard, b.Title, b.Graph)
	}
	for _, id := range program.RuleNames() {
		rule, err := program.Rule(id, runtime.Choice{})
		if err != nil {
			continue
		}
		for _, character := range []string{`{}`, `{"strength":3,"n":2}`, `{"skills":{"navigation":90},"fatigue":20}`,
			`{"attributes":{"strength":3}}`} {
			_, _ = rule.Eval(runtime.Request{Character: []byte(character), Input: []byte(`{"name":"navigation"}`),
				Throw: dice.DrawnFrom(7)})
			askAltered(rule, character)
		}
	}
	planfile.Write(p, nil)
	return true
}

// askAltered plays a rule at the table: what has a default is accepted, every die falls as a seed draws it. It ends with
// the sheet, an error, or a question that only a person could answer.
func askAltered(rule *runtime.Rule, character string) {
	const answers = 30 // more than any of the plans asks for
	known := runtime.Request{Character: []byte(character), Input: []byte(`{"name":"navigation","attribute":"strength",
		"characteristic":"brawn"}`),
		Accepted: []string{"input", "character"}, Throw: dice.DrawnFrom(7)}
	for range answers {
		reply, err := rule.Ask(known)
		if err != nil || len(reply.Needs) == 0 {
			return
		}
		switch q := &reply.Needs[0]; {
		case q.Kind == ask.Die:
			known.LetFall(q)
		case q.Required:
			return
		default:
			_ = known.Answer(q, nil)
		}
	}
}

// cutPlan is the plan file of some rules and procedures of a ruleset that ships.
func cutPlan(t *testing.T, module, ruleset string, names ...string) []byte {
	t.Helper()
	plans, _ := compiler.Release(load.Source{FS: os.DirFS(module)}, compiler.Options{}, ruleset)
	file := planfile.Write(plans[0], nil)
	a, err := planfile.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.Cut(names...)
	if err != nil {
		t.Fatal(err)
	}
	return planfile.Write(p, schedule.Stored(p))
}

// TestAlteredPlans loads and executes plan files with right digests of which a few bytes were altered, as an author of a
// file may write any number anywhere. Long runs stand in .ci/long.
func TestAlteredPlans(t *testing.T) {
	const (
		most    = 2 * time.Second // for a file, on a busy machine
		perByte = 200             // bytes that may be allocated for each of the file, over loading and all executions
		fixed   = 4 << 20
	)
	seeds := []*alterable{
		newAlterable(t, planfile.Write(plantest.Sample(), schedule.Stored(plantest.Sample()))),
		newAlterable(t, planfile.Write(plantest.Everything(), nil)),
		newAlterable(t, cutPlan(t, "..", "tempestas", "test")),
		newAlterable(t, cutPlan(t, "..", "haze", "check")),
		newAlterable(t, cutPlan(t, "games", "yearzero", "test")), // decides after dice
		newAlterable(t, cutPlan(t, "games", "genesys", "check")), // dice whose faces are listed
	}
	weights := []int{0, 0, 0, 0, 90, 10} // of a hundred: the small ones are quick
	r := rand.New(rand.NewPCG(*alteredSeed, 0))
	allocated := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	accepted, largest := 0, 0.0
	for n := range *alteredPlans {
		pick, i := r.IntN(100), 0
		for pick >= weights[i] {
			pick -= weights[i]
			i++
		}
		file := seeds[i].altered(r)
		metrics.Read(allocated)
		before, began := allocated[0].Value.Uint64(), time.Now()
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("plan %d of seed %d: panic: %v\n%x", n, *alteredSeed, p, sha256.Sum256(file))
				}
			}()
			if loadAltered(file) {
				accepted++
			}
		}()
		metrics.Read(allocated)
		used := allocated[0].Value.Uint64() - before
		if took := time.Since(began); took > most {
			t.Errorf("plan %d of seed %d takes %v", n, *alteredSeed, took)
		}
		largest = max(largest, float64(used)/float64(len(file)))
		if used > uint64(perByte*len(file)+fixed) {
			t.Errorf("plan %d of seed %d: %d bytes allocated for a file of %d", n, *alteredSeed, used, len(file))
		}
	}
	sizes := fmt.Sprint(slices.Collect(func(yield func(int) bool) {
		for _, s := range seeds {
			yield(len(s.file))
		}
	}))
	t.Logf("%d altered plans of %s bytes, %d were accepted; at most %.0f bytes allocated for a byte", *alteredPlans, sizes,
		accepted, largest)
	if accepted == 0 || accepted == *alteredPlans {
		t.Error("all or none were accepted: the digests are not mended")
	}
}
