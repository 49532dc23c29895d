package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/cmd/population/transforms"
)

func TestMain(m *testing.M) {
	transforms.Register()
	register.DoFn3x1[context.Context, source.Slice, func(source.Slice), error](&failOnce{})
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil))) // prism tells of every stage
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// failOnce lets the worker of a slice fail when the slice comes for the first time, for half of the slices. What it
// remembers lies in a directory, because nothing else outlives a worker.
type failOnce struct{ Dir string }

func (f *failOnce) ProcessElement(_ context.Context, s source.Slice, emit func(source.Slice)) error {
	h := fnv.New32()
	fmt.Fprint(h, s.First)
	mark := filepath.Join(f.Dir, fmt.Sprint(s.First))
	if _, err := os.Stat(mark); err != nil && h.Sum32()%2 == 0 {
		if err := os.WriteFile(mark, nil, 0o644); err != nil {
			return err
		}
		return fmt.Errorf("the worker of record %d fails", s.First)
	}
	emit(s)
	return nil
}

// A crowd is files of characters, what rules answers to them, and the plan.
type crowd struct {
	dir, rules, plan string
	files            []string
	sheets           []byte // of rules eval --ndjson, without the lines of errors
	errors           int
}

// newCrowd writes files of fighters and evaluates them with the program rules, in one process.
func newCrowd(t *testing.T) *crowd {
	t.Helper()
	c := &crowd{dir: t.TempDir()}
	c.rules, c.plan = filepath.Join(c.dir, "rules"), filepath.Join(c.dir, "arena.plan")
	build := exec.Command("go", "build", "-o", c.rules, "./cmd/rules")
	build.Dir = filepath.Join("..", "..", "..")
	command(t, build)
	module := filepath.Join(c.dir, "module")
	if err := os.CopyFS(module, os.DirFS(filepath.Join("..", "testdata", "module"))); err != nil {
		t.Fatal(err)
	}
	release := filepath.Join(module, "rules.cue") // without the ruleset that only other tests have
	text, err := os.ReadFile(release)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for line := range strings.Lines(string(text)) {
		if !strings.Contains(line, "reference") {
			kept = append(kept, line)
		}
	}
	write(t, release, []byte(strings.Join(kept, "")))
	command(t, exec.Command(c.rules, "build", "arena", "--dir", module, "-o", c.plan))

	var all []byte
	for i, n := range []int{150_000, 1, 70_000} {
		var part []byte
		for k := range n {
			strength := 1 + k%20
			if k%1000 == 999 {
				strength = 21 // does not fit
			}
			part = fmt.Appendf(part, `{"strength":%d,"renown":%d,"speed":%d.5,"trade":"smith","home":{"floor":%d}}`+"\n",
				strength, k%7, k%9, k%12-3)
		}
		name := filepath.Join(c.dir, fmt.Sprint(i, ".ndjson"))
		write(t, name, part)
		c.files = append(c.files, name)
		all = append(all, part...)
	}
	whole := filepath.Join(c.dir, "all.ndjson")
	write(t, whole, all)
	answers, err := exec.Command(c.rules, "eval", "--plan", c.plan, "strike", "--ndjson", whole, "--seed", "7",
		"--set", "foe=12").Output()
	if len(answers) == 0 {
		t.Fatal(err)
	}
	for line := range bytes.Lines(answers) {
		if bytes.HasPrefix(line, []byte(`{"error"`)) {
			c.errors++
			continue
		}
		c.sheets = append(c.sheets, line...)
	}
	return c
}

func command(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", c.Args, err, text)
	}
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func (c *crowd) run() *distributedRun {
	return &distributedRun{plan: c.plan, rule: "strike", input: `{"foe":12}`, seed: 7, runner: "prism", format: "ndjson"}
}

// compare compares the files of a directory with the sheets of rules.
func (c *crowd) compare(t *testing.T, dir string, files int) {
	t.Helper()
	parts, err := filepath.Glob(filepath.Join(dir, "part-*.ndjson"))
	if err != nil || len(parts) != files {
		t.Fatalf("%d files, want %d (%v)", len(parts), files, err)
	}
	var got []byte
	for _, name := range parts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, text...)
	}
	if !bytes.Equal(got, c.sheets) {
		t.Errorf("%d bytes of sheets differ from the %d bytes that rules gives", len(got), len(c.sheets))
	}
	dead, err := os.ReadFile(filepath.Join(dir, "dead.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	first := []byte(`{"record":999,"path":"character.strength","reason":"must be at most 20, not 21","status":2}`)
	if n := bytes.Count(dead, []byte{'\n'}); n != c.errors || c.errors == 0 || !bytes.HasPrefix(dead, first) {
		t.Errorf("%d dead letters, want %d: %.200s", n, c.errors, dead)
	}
}

// Sheets are those of one process of rules, byte for byte: of one run; of two runs that share the files out between them;
// and of one in which workers fail and the pipeline is run again until none does.
func TestAnyShardingAnyRetry(t *testing.T) {
	c := newCrowd(t)
	ctx := context.Background()

	whole := c.run()
	whole.dir = filepath.Join(c.dir, "whole")
	if err := whole.execute(ctx, c.files); err != nil {
		t.Fatal(err)
	}
	c.compare(t, whole.dir, 6)

	retried := c.run()
	retried.dir = filepath.Join(c.dir, "retried")
	marks := filepath.Join(c.dir, "marks")
	for _, dir := range []string{retried.dir, marks} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	failures := 0
	for ; ; failures++ {
		err := retried.executeFailing(ctx, t, c.files, marks)
		if err == nil {
			break
		}
		if !strings.Contains(err.Error(), "fails") && failures > 6 {
			t.Fatal(err)
		}
	}
	if failures == 0 {
		t.Error("no worker failed")
	}
	c.compare(t, retried.dir, 6)

	summed := c.run()
	summed.dir, summed.summary = filepath.Join(c.dir, "summed"), true
	if err := summed.execute(ctx, c.files); err != nil {
		t.Fatal(err)
	}
	c.compareSummary(t, filepath.Join(summed.dir, "summary.json"))
}

// executeFailing runs the pipeline with workers that fail.
func (r *distributedRun) executeFailing(ctx context.Context, t *testing.T, files []string, marks string) error {
	plan, err := os.ReadFile(r.plan)
	if err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	records, err := transforms.Files(s, files...)
	if err != nil {
		t.Fatal(err)
	}
	q := transforms.Question{Digest: transforms.DigestOf(plan), Rule: r.rule, Input: []byte(r.input), Seed: r.seed}
	pages, dead := transforms.Eval(s, q, beam.Create(s, plan), beam.ParDo(s, &failOnce{marks}, records))
	transforms.Write(s, r.dir, q.Format, pages)
	transforms.DeadLetters(s, filepath.Join(r.dir, "dead.ndjson"), dead)
	_, err = prism.Execute(ctx, p)
	return err
}

// compareSummary compares the mean of an output with that of the sheets.
func (c *crowd) compareSummary(t *testing.T, name string) {
	t.Helper()
	sum, n := 0.0, 0.0
	for line := range bytes.Lines(c.sheets) {
		var sheet struct {
			Output struct{ Total float64 } `json:"output"`
		}
		if err := json.Unmarshal(line, &sheet); err != nil {
			t.Fatal(err)
		}
		sum, n = sum+sheet.Output.Total, n+1
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Dead    int
		Outputs []struct {
			Output  string
			Records float64
			Mean    float64
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for _, o := range document.Outputs {
		if o.Output == "total" && (o.Records != n || math.Abs(o.Mean-sum/n) > 1e-9) || document.Dead != c.errors {
			t.Errorf("%v records with mean %v and %d dead letters, want %v, %v, %d", o.Records, o.Mean, document.Dead, n, sum/n,
				c.errors)
		}
	}
}

// A worker with another plan refuses.
func TestOtherPlan(t *testing.T) {
	c := newCrowd(t)
	r := c.run()
	plan, err := os.ReadFile(c.plan)
	if err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	records, err := transforms.Files(s, c.files[1])
	if err != nil {
		t.Fatal(err)
	}
	q := transforms.Question{Digest: transforms.DigestOf([]byte("another plan")), Rule: r.rule, Input: []byte(r.input)}
	pages, _ := transforms.Eval(s, q, beam.Create(s, plan), records)
	transforms.Write(s, t.TempDir(), q.Format, pages)
	if _, err := prism.Execute(context.Background(), p); err == nil || !strings.Contains(err.Error(), "refuses to answer") {
		t.Errorf("the error is %v", err)
	}
}

// What cannot be asked says what is missing.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		change func(*distributedRun)
		want   string
	}{
		{func(r *distributedRun) { r.rule = "" }, "name a plan, a rule"},
		{func(r *distributedRun) { r.by = "word" }, "add -summary"},
		{func(r *distributedRun) { r.format = "orc" }, "there is ndjson, parquet, arrow, csv"},
		{func(r *distributedRun) { r.format, r.odds = "csv", true }, "leave it out"},
		{func(*distributedRun) {}, "no such file"},
	} {
		r := &distributedRun{plan: "none.plan", rule: "strike", dir: t.TempDir(), runner: "prism", format: "ndjson"}
		c.change(r)
		if err := r.execute(context.Background(), []string{"x.ndjson"}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestOdds asks for the odds of five fighters of a d20: a blow hits a foe of 12 with strength k when at least 12 - k is
// rolled.
func TestOdds(t *testing.T) {
	c := newCrowd(t)
	few := filepath.Join(c.dir, "few.ndjson")
	var text []byte
	for k := 1; k <= 5; k++ {
		text = fmt.Appendf(text, `{"strength":%d,"renown":0,"speed":1.5,"trade":"smith","home":{"floor":0}}`+"\n", k)
	}
	write(t, few, text)
	r := c.run()
	r.dir, r.odds, r.outputs = filepath.Join(c.dir, "odds"), true, "hits"
	if err := r.execute(context.Background(), []string{few}); err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile(filepath.Join(r.dir, "part-0000000000000000000.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	k := 0
	for line := range bytes.Lines(lines) {
		k++
		var got struct {
			Record int
			Odds   map[string][]struct {
				Value bool
				P     float64
			}
		}
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		hits := map[bool]float64{}
		for _, x := range got.Odds["hits"] {
			hits[x.Value] = x.P
		}
		if want := float64(20-(12-k)+1) / 20; got.Record != k-1 || math.Abs(hits[true]-want) > 1e-12 ||
			math.Abs(hits[false]-(1-want)) > 1e-12 {
			t.Errorf("record %d hits with %v, want %v", got.Record, hits, want)
		}
	}
	if k != 5 {
		t.Errorf("%d lines", k)
	}
}

// TestColumnsAndGroups writes the sheets as CSV and sums them up by an output: both hold what rules answers.
func TestColumnsAndGroups(t *testing.T) {
	c := newCrowd(t)
	var want [][]string
	records, sums := map[string]float64{}, map[string]float64{}
	for line := range bytes.Lines(c.sheets) {
		var sheet struct {
			Output struct {
				Total float64
				Word  string
			}
		}
		if err := json.Unmarshal(line, &sheet); err != nil {
			t.Fatal(err)
		}
		want = append(want, []string{fmt.Sprint(sheet.Output.Total), sheet.Output.Word})
		records[sheet.Output.Word]++
		sums[sheet.Output.Word] += sheet.Output.Total
	}

	r := c.run()
	r.dir, r.format, r.outputs = filepath.Join(c.dir, "csv"), "csv", "total,word"
	if err := r.execute(context.Background(), c.files); err != nil {
		t.Fatal(err)
	}
	parts, err := filepath.Glob(filepath.Join(r.dir, "part-*.csv"))
	if err != nil || len(parts) != 6 {
		t.Fatal(parts, err)
	}
	at := 0
	for _, name := range parts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil || !slices.Equal(rows[0], []string{"record", "total", "word"}) {
			t.Fatal(rows[0], err)
		}
		for _, row := range rows[1:] {
			if at == len(want) || !slices.Equal(row[1:], want[at]) {
				t.Fatalf("%s: sheet %d is %v", name, at, row)
			}
			at++
		}
	}
	if at != len(want) {
		t.Errorf("%d sheets, want %d", at, len(want))
	}

	summed := c.run()
	summed.dir, summed.summary, summed.by = filepath.Join(c.dir, "by"), true, "word"
	if err := summed.execute(context.Background(), c.files); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(summed.dir, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Outputs []struct {
			Output  string
			By      map[string]string
			Records float64
			Mean    float64
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	groups := 0
	for _, o := range document.Outputs {
		word := o.By["word"]
		if o.Output != "total" {
			continue
		}
		groups++
		if o.Records != records[word] || math.Abs(o.Mean-sums[word]/records[word]) > 1e-9 {
			t.Errorf("%s: %v records with mean %v, want %v, %v", word, o.Records, o.Mean, records[word], sums[word]/records[word])
		}
	}
	if groups != len(records) {
		t.Errorf("%d groups, want %d", groups, len(records))
	}
}
