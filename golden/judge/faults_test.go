package judge_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"
)

var (
	faults     = flag.Int("faults", 0, "seed so many faults in the machine, one at a time, and count those that are noticed")
	faultsFrom = flag.Int("faults-from", 0, "leave the first `N` of them out, which were tried before")
	faultsSeed = flag.Uint64("faults-seed", 1, "choose them by the `SEED`")
	faultsIn   = flag.String("faults-in", "./compiler/lower ./runtime/schedule ./runtime/internal/vm "+
		"./runtime/internal/vector ./runtime/internal/lookup ./runtime/builtin ./runtime/jsonio ./runtime/odds/eliminate", "the packages")
	faultsAt   = flag.String("faults-at", "", "try these `NUMBERS` instead: 17,20")
	faultsKept = flag.String("faults-dir", "", "keep the program with its faults, and the judge's answers, in `DIR`, and take them from there")
	asksTests  = flag.Bool("faults-tests", true, "ask the tests of its package, and the cases of the books, about a fault that survives")
	patience   = flag.Duration("faults-for", 10*time.Minute, "how long the comparison of one fault may take, whatever else the machine does")
	mostSeeds  = flag.Int("faults-rulesets", 60, "compare so many rulesets for one fault first, those that reach it most often")
	readsLines = flag.Bool("faults-lines", true, "take the lines of explained_test.go for explanations")
	trusts     = flag.Bool("faults-trust", false, "take a line for an explanation without a comparison")
	surveys    = flag.Bool("faults-survey", false, "compare by the first rulesets alone: what survives is a list to read, and no measure")
	doubt      = flag.Bool("faults-doubt", false, "ask the kinds about faults that few rulesets notice, without these rulesets")
)

// TestFaults seeds faults and wants the comparison of generated rulesets and of the games to notice them. It is no test of the
// product and runs only when it is asked for.
//
// The judge is asked once: its answers are written down, and each fault is a process that compares with them. Which faults
// a ruleset reaches is found out first, so that a fault is compared by rulesets that reach it alone.
func TestFaults(t *testing.T) {
	if *faults == 0 && *faultsAt == "" {
		t.Skip("-faults says how many are seeded")
	}
	m, err := prepareMachine(t, strings.Fields(*faultsIn))
	if err != nil {
		t.Fatal(err)
	}
	var reached []int
	for fault := range m.Reached {
		reached = append(reached, fault)
	}
	slices.Sort(reached)
	open := 0
	for i, place := range m.Places {
		if len(m.Reached[i+1]) == 0 && explain(place) == "" {
			open++
		}
	}
	t.Logf("%d places for faults, %d of them reached; of the others no line explains %d", len(m.Places), len(reached), open)
	if stale := findStale(m.Places); len(stale) > 0 {
		t.Logf("%d lines explain no fault any more: %q", len(stale), stale)
	}
	rand.New(rand.NewPCG(*faultsSeed, 0)).Shuffle(len(reached), func(i, j int) { reached[i], reached[j] = reached[j], reached[i] })
	chosen := reached[min(*faultsFrom, *faults, len(reached)):min(*faults, len(reached))]
	if *faultsAt != "" {
		chosen = nil
		for text := range strings.SplitSeq(*faultsAt, ",") {
			fault, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			chosen = append(chosen, fault)
		}
	}
	m.tryAll(t, chosen)
}

// The fates of a fault.
const (
	noticed   = "noticed"
	explained = "explained"
	held      = "noticed by other tests alone"
	survives  = "survives"
)

// tryAll tries faults, two at a time where there are processors for it, and counts what became of them.
func (m *faultyMachine) tryAll(t *testing.T, chosen []int) {
	counts := map[string]int{}
	var slowest time.Duration
	next := make(chan int)
	var mu sync.Mutex
	var workers sync.WaitGroup
	for range min(2, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for fault := range next {
				begin := time.Now()
				fate, why := m.try(t, fault)
				mu.Lock()
				if counts[fate]++; fate == noticed {
					slowest = max(slowest, time.Since(begin))
				}
				t.Logf("%s: %d %s: %s", fate, fault, m.Places[fault-1], why)
				mu.Unlock()
			}
		})
	}
	for _, fault := range chosen {
		next <- fault
	}
	close(next)
	workers.Wait()
	t.Logf("%d tried, and noticed in %.1fs at most: %v", len(chosen), slowest.Seconds(), counts)
}

// try finds what becomes of a fault: it is noticed, or it is explained by a line, by a kind or by consents, or other tests
// notice it, or it survives.
func (m *faultyMachine) try(t *testing.T, fault int) (fate, why string) {
	place, line := m.Places[fault-1], ""
	if *readsLines {
		line = explain(place)
	}
	if *trusts && line != "" {
		return explained, line
	}
	begin := time.Now()
	out, isNoticed := m.compare(t, fault, m.seedsOf(fault))
	if isNoticed {
		// what means nothing, or decides nothing, may still stop the program, or keep it from ending
		if line != "" && !strings.HasPrefix(line, notMeaning) && !isStopped(out) && firstDifference(out) != noEnd {
			t.Errorf("explained as what nobody can notice (%s), and noticed: %d %s", line, fault, place)
		}
		if *doubt {
			m.doubtKinds(t, fault, out)
		}
		return noticed, fmt.Sprintf("in %.1fs: %s", time.Since(begin).Seconds(), shorten(firstDifference(out)))
	}
	switch {
	case line != "" || *doubt:
		return explained, line
	case *surveys:
		return survives, fmt.Sprintf("reached by %d", len(m.generatedOf(fault)))
	}
	if out, isNoticed := m.compare(t, fault, m.gamesOf(fault)); isNoticed {
		return noticed, fmt.Sprintf("in %.1fs, by games: %s", time.Since(begin).Seconds(), shorten(firstDifference(out)))
	}
	kind, why := m.kindOf(t.Context(), fault, out, m.seedsOf(fault))
	if kind == takesLonger || kind == anotherWay { // which is measured; the others are concluded from that nothing was noticed
		return kind, why
	}
	if m.areConsents(t) {
		if why, is := m.onlySaysNo(t, fault); is {
			return onlyNo, why
		}
	}
	if out, isNoticed = m.compare(t, fault, m.furtherSeeds(fault)); isNoticed {
		return noticed, fmt.Sprintf("in %.1fs, by further rulesets: %s", time.Since(begin).Seconds(), shorten(firstDifference(out)))
	}
	if out, isNoticed = m.askMore(t, fault); isNoticed {
		return noticed, fmt.Sprintf("in %.1fs, by more questions: %s", time.Since(begin).Seconds(), shorten(firstDifference(out)))
	}
	if kind != "" {
		return kind, why
	}
	if *asksTests {
		if holder := m.findHolder(t.Context(), fault); holder != "" {
			return held, holder
		}
	}
	return survives, why
}

// areConsents reports whether consents may say no, which is found out once for a machine.
func (m *faultyMachine) areConsents(t *testing.T) bool {
	m.checking.Do(func() {
		checked := filepath.Join(m.dir, "consents")
		if _, err := os.Stat(checked); err == nil {
			m.consents = true
			return
		}
		err := m.checkConsents(t.Context(), slices.Sorted(maps.Keys(m.Heard)))
		if err == nil {
			err = os.WriteFile(checked, nil, 0o666)
		}
		if err != nil {
			t.Errorf("no fault is explained by consents: %v", err)
		}
		m.consents = err == nil
	})
	return m.consents
}

// isStopped reports whether a program has stopped without an end of its own.
func isStopped(out string) bool { return strings.Contains(out, "\npanic: ") }

const noEnd = "no end"

// firstDifference returns the line of the comparison that says what differs; noEnd when it was ended before it found one.
func firstDifference(out string) string {
	for line := range strings.Lines(out) {
		if strings.Contains(line, "seed ") || strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
			return strings.TrimSpace(line)
		}
	}
	return noEnd
}

func shorten(line string) string { return line[:min(len(line), 400)] }

// A faultyMachine is the comparison, compiled with every fault behind a switch, and the judge's answers.
type faultyMachine struct {
	dir      string
	Places   []string
	Reached  map[int][]uint64   // by fault: the seeds of the rulesets that reach it with values that it changes, most often first
	Compared []int              // the faults of numbers with which something is compared
	Heard    map[uint64]string  // by seed: a digest of all that the program says without a fault
	Worked   map[uint64][]int64 // by seed: how much work that takes
	Took     map[uint64]float64 // by seed: how many seconds, without a fault
	// Packages are those whose own tests are asked about a fault that the comparison does not notice.
	Packages []testedPackage

	checking sync.Once // whether consents may say no
	consents bool

	mu     sync.Mutex
	passes map[testedPackage]bool // without a fault
}

type testedPackage struct{ Path, Dir string }

// casesOfBooks is the package whose tests play the worked examples, and testsOfBooks are these tests, with those that ask step
// by step and trace: the judge does not know what a rule still needs, nor the steps between named values.
const (
	casesOfBooks = "./golden"
	testsOfBooks = "^Test(Rulesets.*|Games|Ask.*|Questions|Decisions|KnownEntryDecides|TwoDecisions|RefusedBeforeDice|" +
		"ReferenceOfDecisions|GuardBeforeInput|KeyOf.*|BoundOf.*|OddsOrder.*|Traces.*|MissedKey.*)$"
)

// prepareMachine seeds all faults of packages, writes the judge's answers down, and finds which of them reach which fault.
func prepareMachine(t *testing.T, paths []string) (*faultyMachine, error) {
	m := &faultyMachine{dir: *faultsKept}
	if m.dir == "" {
		m.dir = t.TempDir()
	}
	file := filepath.Join(m.dir, "machine.json")
	if text, err := os.ReadFile(file); err == nil {
		return m, json.Unmarshal(text, m)
	}
	if err := m.compile(t, paths); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(m.archive(), 0o777); err != nil {
		return nil, err
	}
	if err := m.learnRulesets(t); err != nil {
		return nil, err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return m, os.WriteFile(file, text, 0o666)
}

func (m *faultyMachine) binary() string  { return filepath.Join(m.dir, "judge.test") }
func (m *faultyMachine) archive() string { return filepath.Join(m.dir, "archive") }

// testsOf returns the file of the compiled tests of a package.
func (m *faultyMachine) testsOf(pkg string) string {
	return filepath.Join(m.dir, strings.ReplaceAll(strings.TrimPrefix(pkg, "./"), "/", "_")+".test")
}

// compile compiles the comparison with all faults of packages, and the tests that are asked about faults that survive.
func (m *faultyMachine) compile(t *testing.T, paths []string) error {
	overlay, err := m.writeOverlay(t, paths)
	if err != nil {
		return err
	}
	if err := compileTests(t.Context(), overlay, m.binary(), "."); err != nil {
		return err
	}
	for _, pkg := range append(paths, casesOfBooks) {
		at := filepath.Join(moduleRoot(t), pkg)
		if err := compileTests(t.Context(), overlay, m.testsOf(pkg), at); err != nil {
			return err
		}
		m.Packages = append(m.Packages, testedPackage{pkg, at})
	}
	return nil
}

// writeOverlay writes the sources with all faults of packages, and returns the file that says which replaces which.
func (m *faultyMachine) writeOverlay(t *testing.T, paths []string) (string, error) {
	root, dir := moduleRoot(t), t.TempDir()
	pkgs, err := packages.Load(&packages.Config{Dir: root, Mode: packages.NeedName | packages.NeedSyntax | packages.NeedTypes |
		packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedFiles}, paths...)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	write := func(name string, text []byte) error {
		file := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		replace[name] = file
		return os.WriteFile(file, text, 0o600)
	}
	for name, text := range map[string]string{"faulty/faulty.go": faultyPackage, "faulty/consents.go": consentsSource,
		"runtime/schedule/consents.go": passesSource, "golden/judge/infections_test.go": tellInfections} {
		if err := write(filepath.Join(root, name), []byte(text)); err != nil {
			return "", err
		}
	}
	for _, pkg := range pkgs {
		s := newSeeder(pkg, m.Places)
		for _, file := range pkg.Syntax {
			text, err := s.seed(file)
			if err != nil {
				return "", err
			}
			if err := write(pkg.Fset.Position(file.Package).Filename, text); err != nil {
				return "", err
			}
		}
		m.Places, m.Compared = s.places, append(m.Compared, s.compared...)
	}
	overlay := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// compileTests compiles the tests of a package with replaced sources; there is no file where it has no tests.
func compileTests(ctx context.Context, overlay, file, pkg string) error {
	c := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", file, ".")
	c.Dir = pkg
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w:\n%s", err, out)
	}
	return nil
}

// findHolder returns the package whose own tests notice a fault that the comparison does not: the one it is in, or golden
// by the cases of the books; "" where neither does.
func (m *faultyMachine) findHolder(ctx context.Context, fault int) string {
	for _, pkg := range m.Packages {
		isItsOwn := strings.HasPrefix(m.Places[fault-1], strings.TrimPrefix(pkg.Path, "./")+"/")
		if _, err := os.Stat(m.testsOf(pkg.Path)); err != nil || pkg.Path != casesOfBooks && !isItsOwn {
			continue
		}
		if m.testPackage(ctx, pkg, fault) != nil && m.passesWithoutFault(ctx, pkg) {
			return pkg.Path
		}
	}
	return ""
}

// passesWithoutFault reports whether the tests of a package pass here as they should: that they fail says something about a
// fault only then.
func (m *faultyMachine) passesWithoutFault(ctx context.Context, pkg testedPackage) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	passes, isKnown := m.passes[pkg]
	if !isKnown {
		passes = m.testPackage(ctx, pkg, 0) == nil
		if m.passes == nil {
			m.passes = map[testedPackage]bool{}
		}
		m.passes[pkg] = passes
	}
	return passes
}

// testPackage carries the tests of a package out with one fault switched on, 0 for none; of golden those that play the cases.
func (m *faultyMachine) testPackage(ctx context.Context, pkg testedPackage, fault int) error {
	args := []string{"-c", `ulimit -v 8000000; ulimit -t 300; exec "$0" "$@"`, m.testsOf(pkg.Path), "-test.timeout", "0",
		"-test.short", "-test.failfast"}
	if pkg.Path == casesOfBooks {
		args = append(args, "-test.run", testsOfBooks)
	}
	c := exec.CommandContext(ctx, "sh", args...)
	c.Dir, c.Env = pkg.Dir, append(os.Environ(), fmt.Sprintf("SEEDED_FAULT=%d", fault))
	return c.Run()
}

// run compares some rulesets with one fault switched on, 0 for none. A fault that takes time or memory without end is one that
// is noticed: what has an end takes a tenth of it. Time is that of a processor, so that a busy machine notices no more.
func (m *faultyMachine) run(ctx context.Context, fault int, seeds []uint64, args []string, environment ...string) (string, error) {
	limits := "ulimit -v 8000000; "
	if fault == 0 {
		limits = ""
	} else {
		environment = append([]string{fmt.Sprintf("RULESET_SECONDS=%d", m.limitOf(seeds))}, environment...)
	}
	if len(seeds) > 0 {
		var list []string
		for _, s := range seeds {
			list = append(list, fmt.Sprint(s))
		}
		args = append(args, "-replay", m.archive(), "-only", strings.Join(list, ","))
	}
	args = append([]string{"-c", limits + `exec "$0" "$@"`, m.binary(), "-test.run", "^TestGenerated$",
		"-test.timeout", "0", "-test.v", "-questions", fmt.Sprint(*each), "-throws", fmt.Sprint(*more), "-seed", fmt.Sprint(*seed),
		"-game-questions", fmt.Sprint(gameQuestions), "-differences", "1"}, args...)
	c := exec.CommandContext(ctx, "sh", args...)
	c.Env = append(os.Environ(), fmt.Sprintf("SEEDED_FAULT=%d", fault))
	c.Env = append(c.Env, environment...)
	c.WaitDelay = time.Second
	out, err := c.CombinedOutput()
	return string(out), err
}

// limitOf returns after how many seconds of a processor one of some rulesets is taken for one without an end.
func (m *faultyMachine) limitOf(seeds []uint64) int {
	limit := 0.0
	for _, s := range seeds {
		limit = max(limit, 10*m.Took[s])
	}
	return int(limit) + 10
}

// compare reports whether the comparison notices a fault by some of the rulesets that reach it.
func (m *faultyMachine) compare(t *testing.T, fault int, seeds []uint64) (out string, isNoticed bool) {
	ctx, cancel := context.WithTimeout(t.Context(), *patience)
	defer cancel()
	if len(seeds) == 0 {
		return "", false
	}
	out, err := m.run(ctx, fault, seeds, nil)
	if ctx.Err() != nil {
		t.Errorf("no answer within %v: %d %s", *patience, fault, m.Places[fault-1])
		return out, false
	}
	return out, err != nil
}

// gameQuestions is how many questions about each rule of a game are asked of a program with faults.
const gameQuestions = 6

// seedsOf returns the seeds of the generated rulesets by which a fault is compared first, and that say what kind it is of.
func (m *faultyMachine) seedsOf(fault int) []uint64 {
	seeds := m.generatedOf(fault)
	return seeds[:min(*mostSeeds, len(seeds))]
}

// generatedOf returns the seeds of the generated rulesets that reach a fault, and gamesOf those of the games.
func (m *faultyMachine) generatedOf(fault int) []uint64 {
	return slices.DeleteFunc(slices.Clone(m.Reached[fault]), isGame)
}

func (m *faultyMachine) gamesOf(fault int) []uint64 {
	return slices.DeleteFunc(slices.Clone(m.Reached[fault]), func(seed uint64) bool { return !isGame(seed) })
}

// furtherSeeds returns the seeds of some of the others that reach a fault, which are compared where nothing has been found by
// the first.
func (m *faultyMachine) furtherSeeds(fault int) []uint64 {
	const most = 250
	rest := m.generatedOf(fault)[len(m.seedsOf(fault)):]
	return rest[:min(most, len(rest))]
}

// manyQuestions is how many questions are asked about each rule by askMore.
const manyQuestions = 150

// askMore asks the rulesets that reach a fault many more questions, as long as the patience lasts: what a night's comparison asks
// of others that do. The judge answers beside the program.
func (m *faultyMachine) askMore(t *testing.T, fault int) (out string, isNoticed bool) {
	ctx, cancel := context.WithTimeout(t.Context(), *patience)
	defer cancel()
	for _, seed := range m.generatedOf(fault) {
		args := []string{"-seed", fmt.Sprint(seed), "-rulesets", "1", "-questions", fmt.Sprint(manyQuestions)}
		out, err := m.run(ctx, fault, nil, args, fmt.Sprintf("RULESET_SECONDS=%d", int(patience.Seconds())))
		if ctx.Err() != nil {
			return "", false
		}
		if err == nil {
			continue
		}
		if without, err := m.run(ctx, 0, nil, args); err != nil {
			t.Errorf("without a fault, too: %s", shorten(firstDifference(without)))
			continue
		}
		return out, true
	}
	return "", false
}

// digestsOf reads the digests of what a program has said, by the seeds of the rulesets.
func digestsOf(out string) map[uint64]string {
	digests := map[uint64]string{}
	for line := range strings.Lines(out) {
		if _, text, found := strings.Cut(line, ": heard "); found {
			var seed uint64
			var digest string
			if _, err := fmt.Sscan(text, &seed, &digest); err == nil {
				digests[seed] = digest
			}
		}
	}
	return digests
}

// workOf reads how much work the answers of a program took, by the seeds of the rulesets.
func workOf(out string) map[uint64][]int64 {
	worked := map[uint64][]int64{}
	for line := range strings.Lines(out) {
		if _, text, found := strings.Cut(line, ": worked "); found {
			var list []int64
			fields := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(text))
			for _, field := range fields[1:] {
				n, _ := strconv.ParseInt(field, 10, 64)
				list = append(list, n)
			}
			seed, _ := strconv.ParseUint(fields[0], 10, 64)
			worked[seed] = list
		}
	}
	return worked
}

// learnRulesets asks the judge about all rulesets that are compared, as many at a time as there are processors for, and finds
// which of them reach which fault.
func (m *faultyMachine) learnRulesets(t *testing.T) error {
	m.Reached, m.Heard, m.Worked, m.Took = map[int][]uint64{}, map[uint64]string{}, map[uint64][]int64{}, map[uint64]float64{}
	times := map[int]map[uint64]int{} // by fault and seed
	next := make(chan uint64)
	var workers sync.WaitGroup
	var failed error
	for range runtime.GOMAXPROCS(0) {
		file := filepath.Join(t.TempDir(), "reached")
		workers.Go(func() {
			for seed := range next {
				if err := m.learnRuleset(t, seed, file, times); err != nil {
					m.mu.Lock()
					failed = err
					m.mu.Unlock()
				}
			}
		})
	}
	for n := range *count {
		next <- *seed + uint64(n)
	}
	for i := range uint64(len(listGames(t))) {
		next <- firstGame + i
	}
	close(next)
	workers.Wait()
	for fault, of := range times {
		m.Reached[fault] = slices.SortedFunc(maps.Keys(of), func(s, t uint64) int {
			return cmp.Or(cmp.Compare(of[t], of[s]), cmp.Compare(s, t))
		})
	}
	return failed
}

// learnRuleset writes down what the judge says of one ruleset, and how often it reaches each fault with values that the fault
// changes, which the program writes into a file.
func (m *faultyMachine) learnRuleset(t *testing.T, seed uint64, file string, times map[int]map[uint64]int) error {
	out, err := m.run(t.Context(), 0, nil, []string{"-record", m.archive(), "-seed", fmt.Sprint(seed), "-rulesets", "1",
		"-differences", fmt.Sprint(math.MaxInt)})
	if err != nil && isStopped(out) {
		return errors.New(out)
	}
	if strings.Contains(out, "0 of 1 rulesets compile, and 0 homebrews") {
		return nil // and nothing is asked of it
	}
	begin := time.Now()
	out, err = m.run(t.Context(), 0, []uint64{seed}, nil, "REACHED_FAULTS="+file)
	switch {
	case err != nil && isStopped(out):
		return errors.New(out)
	case err != nil: // it says nothing about faults
		t.Errorf("without a fault, so that this ruleset is left out: %s", shorten(firstDifference(out)))
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Took[seed] = time.Since(begin).Seconds()
	maps.Copy(m.Heard, digestsOf(out))
	maps.Copy(m.Worked, workOf(out))
	for line := range strings.Lines(string(text)) {
		var fault, n int
		if _, err := fmt.Sscan(line, &fault, &n); err != nil {
			return err
		}
		if times[fault] == nil {
			times[fault] = map[uint64]int{}
		}
		times[fault][seed] = n
	}
	return nil
}
