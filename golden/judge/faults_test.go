package judge_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"
)

var (
	faults     = flag.Int("faults", 0, "seed so many faults in the machine, one at a time, and count those that are noticed")
	faultsSeed = flag.Uint64("faults-seed", 1, "choose them by the `SEED`")
	faultsIn   = flag.String("faults-in", "./compiler/lower ./runtime/schedule ./runtime/internal/vm "+
		"./runtime/internal/vector ./runtime/internal/lookup ./runtime/builtin ./runtime/jsonio ./runtime/odds/eliminate", "the packages")
	patience = flag.Duration("faults-for", time.Minute, "how long the comparison of one fault may take")
)

// TestFaults seeds faults and wants the comparison of generated rulesets to notice them. It is no test of the product and
// runs only when it is asked for.
func TestFaults(t *testing.T) {
	if *faults == 0 {
		t.Skip("-faults says how many are seeded")
	}
	m, err := seedMachine(t, strings.Fields(*faultsIn))
	if err != nil {
		t.Fatal(err)
	}
	reached, err := m.findReached(t)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d faults, %d of them reached", len(m.places), len(reached))
	g := rand.New(rand.NewPCG(*faultsSeed, 0))
	tried, noticed, most := 0, 0, min(*faults, len(m.places))
	for _, i := range g.Perm(len(m.places))[:most] {
		if !reached[i+1] {
			t.Logf("not reached: %d %s", i+1, m.places[i])
			continue
		}
		tried++
		begin := time.Now()
		if out, isNoticed := m.compare(t, i+1); isNoticed {
			noticed++
			t.Logf("noticed in %.1fs: %d %s: %s", time.Since(begin).Seconds(), i+1, m.places[i], firstDifference(out))
		} else {
			t.Logf("survives: %d %s", i+1, m.places[i])
		}
	}
	t.Logf("%d chosen, %d of them reached, of which %d are noticed", most, tried, noticed)
}

// firstDifference returns the line of the comparison that says what differs.
func firstDifference(out string) string {
	for line := range strings.Lines(out) {
		if strings.Contains(line, "seed ") || strings.HasPrefix(line, "panic:") {
			return strings.TrimSpace(line)
		}
	}
	return "no end"
}

// A faultyMachine is the comparison, compiled with every fault behind a switch.
type faultyMachine struct {
	binary string
	places []string
}

// seedMachine seeds all faults of packages and compiles the comparison with them.
func seedMachine(t *testing.T, paths []string) (*faultyMachine, error) {
	root, dir := moduleRoot(t), t.TempDir()
	pkgs, err := packages.Load(&packages.Config{Dir: root, Mode: packages.NeedName | packages.NeedSyntax | packages.NeedTypes |
		packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedFiles}, paths...)
	if err != nil {
		return nil, err
	}
	replace := map[string]string{}
	write := func(name string, text []byte) error {
		file := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		replace[name] = file
		return os.WriteFile(file, text, 0o600)
	}
	if err := write(filepath.Join(root, "faulty", "faulty.go"), []byte(faultyPackage)); err != nil {
		return nil, err
	}
	m := &faultyMachine{binary: filepath.Join(dir, "judge.test")}
	for _, pkg := range pkgs {
		s := newSeeder(pkg, m.places)
		for _, file := range pkg.Syntax {
			text, err := s.seed(file)
			if err != nil {
				return nil, err
			}
			if err := write(pkg.Fset.Position(file.Package).Filename, text); err != nil {
				return nil, err
			}
		}
		m.places = s.places
	}
	overlay := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return nil, err
	}
	c := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", m.binary, ".")
	if out, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w:\n%s", err, out)
	}
	return m, nil
}

// run compares with one fault switched on, 0 for none.
func (m *faultyMachine) run(ctx context.Context, fault int, environment ...string) (string, error) {
	c := exec.CommandContext(ctx, m.binary, "-test.run", "^TestGenerated$", "-rulesets", fmt.Sprint(*count), "-questions",
		fmt.Sprint(*each), "-seed", fmt.Sprint(*seed), "-differences", "1")
	c.Env = append(os.Environ(), fmt.Sprintf("SEEDED_FAULT=%d", fault))
	c.Env = append(c.Env, environment...)
	c.WaitDelay = time.Second
	out, err := c.CombinedOutput()
	return string(out), err
}

func (m *faultyMachine) compare(t *testing.T, fault int) (out string, isNoticed bool) {
	var err error
	ctx, cancel := context.WithTimeout(t.Context(), *patience)
	defer cancel()
	out, err = m.run(ctx, fault)
	return out, err != nil
}

// findReached returns the faults whose place is reached by the comparison with values that the fault changes.
func (m *faultyMachine) findReached(t *testing.T) (map[int]bool, error) {
	file := filepath.Join(t.TempDir(), "reached")
	out, err := m.run(t.Context(), 0, "REACHED_FAULTS="+file)
	if err != nil {
		return nil, errors.New(out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	reached := map[int]bool{}
	for line := range strings.Lines(string(text)) {
		var id int
		if _, err := fmt.Sscan(line, &id); err != nil {
			return nil, err
		}
		reached[id] = true
	}
	return reached, nil
}
