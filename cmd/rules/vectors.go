package main

// # Test vectors
//
// A vector is a question with its faces and the answer that is expected: a golden case without the
// book. Another implementation, in any language, proves with them that it understands a plan. With
// --run it is a program that is started once and spoken to over its standard streams:
//
//	-> one question in a line of JSON       <- one answer in a line of JSON
//
// Questions come one after the other, each after the answer to the one before, so that a simple
// loop will do. The document itself is written by package vectors of golden, which fixes its format
// and has the schema.

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/tools/txtar"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/release"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/vectors"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

const vectorsHelp = `Vectors writes the golden cases of a ruleset, and some odds, as test vectors in JSON, so that another
implementation, in whatever language, can show that it plays the same revision. A vector has the
character, the input, the faces of the dice and the options, and the whole sheet that is wanted. The
document says how it is read; --schema prints the JSON Schema of it and of that of --generated. The
same revision makes the same bytes. A ruleset with a failing case makes none.

--run plays the vectors against an implementation. COMMAND is split at blanks, except within quotes,
and started once, without a shell. It reads one question a line on its standard input:
    {"ruleset": "tempestas", "revision": "0.1.0", "id": "...", "kind": "rule", "subject": "test",
     "options": {}, "character": {...}, "input": {...}, "dice": {"roll": [43]}}
(here on two lines; "kind" is rule, procedure, which has "events", or odds), and answers each with
one line on its standard output before it reads the next:
    {"sheet": {"output": {...}}}         what the rule or the procedure gives
    {"odds": {"odds": {"success": {"true": 0.35}}, "mean": {}, "refused": 0, "failed": 0}}
    {"refused": {"message": "..."}}      a requirement; or "path", "event" or "die"
    {"failed": {}}                       a formula has no value
    {"unsupported": "no odds"}           it does not know this kind
    {"error": "..."}                     anything else
What it prints on standard error is passed on. When the input ends it ends. An answer may take 30 s.
"sheet -vectors PLAN", of cmd/sheet, speaks this protocol.

--from takes the vectors from a file that this command wrote, --plan makes them from a release.

--generated makes at least so many vectors of small rulesets that are written at random from --seed: for
an implementation that reads rulesets itself. The document has
    "format": "rules-corpus/23"     the version: another one may mean, or generate, something else
    "about": [...]                 how it is read
    "seed": 7                      the same seed makes the same bytes
    "rulesets": [                  one a line
      {"seed": 7, "source": "package game...", "digest": "sha256:...", "options": {"edge": "sharp"},
       "vectors": [...]}]          as above; "case" and "cite" say nothing

Exit status: 1 when a vector is answered otherwise or not at all.`

// A vectoring is a command line of vectors.
//
// The command has two halves that share the document: it writes vectors, or it plays them against a
// program that it starts. With --from they may have been written by an earlier version, for an
// implementation is judged by a fixed list.
type vectoring struct {
	s         *settings
	c         *cobra.Command
	plan      planFlag
	from, out string
	run       string
	schema    bool
	generated int
	seed      uint64
	format    usage.Format
}

func newVectors(s *settings) *cobra.Command {
	q := &vectoring{s: s}
	c := &cobra.Command{
		Use:   "vectors RULESET",
		Short: "Write the cases as test vectors for other implementations, or play them against one",
		Long:  vectorsHelp,
		Example: `  rules vectors tempestas -o tempestas.vectors.json
  rules vectors tempestas --run 'sheet -vectors tempestas.plan'
  rules vectors --plan tempestas-0.2.0.rules -o -
  rules vectors --generated 1000 --seed 7 -o corpus.json
  rules vectors --schema`,
		Args: usage.ArgCount(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			q.c = c
			return q.carryOut(args)
		},
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, nil),
	}
	c.Flags().StringVarP(&q.out, "out", "o", argdata.Stdin, "write the vectors to `FILE`, - for standard output")
	c.Flags().StringVar(&q.run, "run", "", "play the vectors against the implementation that `COMMAND` starts")
	c.Flags().StringVar(&q.from, "from", "", "play the vectors in `FILE`, - for standard input")
	c.Flags().BoolVar(&q.schema, "schema", false, "print the JSON Schema of what this command writes")
	c.Flags().IntVar(&q.generated, "generated", 0, "make at least `N` vectors of rulesets that are written at random")
	c.Flags().Uint64Var(&q.seed, "seed", 1, "write these rulesets from seed `N`")
	q.plan.addTo(c)
	q.format.AddTo(c)
	usage.MarkNeeds(c, "from", "run")
	usage.MarkNeeds(c, "seed", "generated")
	usage.MarkNeeds(c, "format", "run")
	c.MarkFlagsMutuallyExclusive("run", "out")
	c.MarkFlagsMutuallyExclusive("from", "plan")
	for _, flag := range []string{"run", "out", "plan", "generated"} {
		c.MarkFlagsMutuallyExclusive("schema", flag)
	}
	for _, flag := range []string{"run", "plan", "from"} {
		c.MarkFlagsMutuallyExclusive("generated", flag)
	}
	return c
}

// carryOut does one of four things: prints the schema, plays the vectors, or writes them, of a ruleset or of generated
// ones.
func (q *vectoring) carryOut(args []string) error {
	if q.schema {
		if err := q.refuseArgument(args, "the schema is that of all rulesets"); err != nil {
			return err
		}
		_, err := q.c.OutOrStdout().Write(vectors.Schema)
		return err
	}
	if q.c.Flags().Changed("generated") {
		return q.writeCorpus(args)
	}
	d, err := q.document(args)
	if err != nil {
		return err
	}
	if q.c.Flags().Changed("run") {
		return q.play(d)
	}
	text, err := d.Write()
	if err != nil {
		return err
	}
	return q.write(text)
}

func (q *vectoring) write(text []byte) error {
	if q.out == argdata.Stdin {
		_, err := q.c.OutOrStdout().Write(text)
		return err
	}
	return atomicfile.TheDisk().WriteWhole(q.out, text)
}

// maxGenerated is how many vectors a corpus may have: a document is held in memory.
const maxGenerated = 100_000

// writeCorpus writes vectors of generated rulesets.
func (q *vectoring) writeCorpus(args []string) error {
	if err := q.refuseArgument(args, "the rulesets are written at random"); err != nil {
		return err
	}
	if q.generated < 1 || q.generated > maxGenerated {
		return fmt.Errorf("--generated must be from 1 to %d, not %d", maxGenerated, q.generated)
	}
	corpus, err := vectors.MakeCorpus(q.generated, q.seed, compileSource)
	if err != nil {
		return err
	}
	text, err := corpus.Write()
	if err != nil {
		return err
	}
	return q.write(text)
}

// compileSource compiles the text of a ruleset; nil when anything is wrong with it.
func compileSource(source string) *plan.Plan {
	files, err := txtar.FS(&txtar.Archive{Files: []txtar.File{
		{Name: "cue.mod/module.cue", Data: []byte("module: \"example.com/game@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		{Name: "game/game.cue", Data: []byte(source)},
	}})
	if err != nil {
		return nil
	}
	p, _ := compiler.Directory(load.Source{FS: files}, "game", compiler.Options{})
	return p
}

// refuseArgument returns an error if a ruleset, or a flag that chooses one, is given where another flag already
// chooses.
func (q *vectoring) refuseArgument(args []string, why string) error {
	if len(args) > 0 {
		return fmt.Errorf("%q is one word too many: %s", args[0], why)
	}
	return usage.RefuseGiven(q.c, why, "dir", "with")
}

// document returns the vectors that are written or played: those of --from, or made of the cases of
// the ruleset.
func (q *vectoring) document(args []string) (*vectors.Document, error) {
	switch {
	case q.c.Flags().Changed("from"):
		if err := q.refuseArgument(args, "the vectors are those of --from"); err != nil {
			return nil, err
		}
		text, err := (&argdata.Files{In: q.c.InOrStdin()}).Read("from", q.from)
		if err != nil {
			return nil, err
		}
		d, err := vectors.Read(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", argdata.FileName(q.from), err)
		}
		return d, nil
	case q.plan.file == "" && len(args) == 0:
		return nil, fmt.Errorf("name a ruleset: %s", q.c.UseLine())
	}
	p, cases, err := q.readCases(args)
	if err != nil {
		return nil, err
	}
	d, err := vectors.Make(p, cases)
	if err != nil {
		// A case whose answer is wrong makes no vector, and none of the others: a document must not
		// state what this program does not answer itself.
		return nil, &exit.Denial{Why: err.Error()}
	}
	return d, nil
}

// readCases returns the plan that vectors are made of, and its cases.
func (q *vectoring) readCases(args []string) (*plan.Plan, []*golden.Case, error) {
	if q.plan.file == "" {
		p, err := q.s.CompileRuleset(args[0])
		if err != nil {
			return nil, nil, err
		}
		cases, err := loadCases(q.s, "", p.Ruleset)
		return p, cases, err
	}
	list, err := q.plan.readNamed(q.s, q.c, args...)
	if err != nil {
		return nil, nil, err
	}
	if len(list) > 1 {
		return nil, nil, fmt.Errorf("%s has releases of several rulesets: name the ruleset", q.plan.file)
	}
	cases, err := release.ParseCases(list[0])
	return list[0].Plan, cases, err
}

// patience is how long an implementation may take for one answer. Debug builds and interpreters are
// slow at the first; one that hangs should not hang a build for an hour.
const patience = 30 * time.Second

// play starts the implementation, plays the vectors against it and prints the report.
//
// The report is printed in any case, before the error of an implementation that broke off: its author wants to see the
// answers up to there.
func (q *vectoring) play(d *vectors.Document) error {
	words, err := splitCommand(q.run)
	if err != nil {
		return fmt.Errorf("--run %s: %w", q.run, err)
	}
	cmd := exec.CommandContext(q.c.Context(), words[0], words[1:]...)
	cmd.Stderr = q.c.ErrOrStderr()
	// Grandchildren may keep the pipes open after the program has ended; Wait gives them a second.
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("--run %s: %w", q.run, err)
	}
	r, broken := vectors.Play(d, &vectors.Implementation{In: in, Out: out, Patience: patience})
	endProcess(cmd, in, broken != nil)
	if err := q.print(r); err != nil {
		return err
	}
	if broken != nil {
		return &exit.Denial{Why: broken.Error()}
	}
	if r.Passed < r.Vectors {
		return exit.ErrNo
	}
	return nil
}

// endProcess ends an implementation: by the end of its input, or when that does not help by force. How it ends does not
// matter, because it has answered.
//
// Closing its input is how an implementation is told that there are no more questions. Five seconds
// are for those that clean up; one that has broken off is not waited for.
func endProcess(cmd *exec.Cmd, in io.Closer, broken bool) {
	in.Close()
	if broken {
		cmd.Process.Kill()
	}
	killer := time.AfterFunc(5*time.Second, func() { cmd.Process.Kill() })
	defer killer.Stop()
	cmd.Wait()
}

// splitCommand splits a command line at blanks, except within quotes.
//
// No shell is involved, so that the same line works on every system and nothing in it is expanded.
func splitCommand(line string) ([]string, error) {
	var out []string
	var word strings.Builder
	quote, begun := rune(0), false
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			quote, begun = c, true
		case unicode.IsSpace(c):
			if begun {
				out = append(out, word.String())
				word.Reset()
				begun = false
			}
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	if begun {
		out = append(out, word.String())
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	case len(out) == 0:
		return nil, errors.New("it names no program")
	}
	return out, nil
}

// print prints the failed and the unsupported vectors, and the counts. An unsupported vector is no failure of the
// report, but none has passed either.
func (q *vectoring) print(r *vectors.Report) error {
	if q.format == usage.AsJSON {
		return jsontext.PrintJSON(q.c.OutOrStdout(), r)
	}
	page := q.s.newPage(q.c.OutOrStdout())
	page.AddLine(0, "%s", page.Style(layout.Bold, r.Ruleset+" "+r.Revision))
	for _, v := range r.Failed {
		page.AddLine(2, "%s  %s  %s", page.Style(layout.Red, "FAIL"), v.ID, page.Style(layout.Faint, v.Case))
		for _, d := range v.Differences {
			page.AddText(8, layout.Plain, d.String())
		}
	}
	for _, v := range r.Unsupported {
		page.AddLine(2, "%s  %s  %s", page.Style(layout.Faint, "none"), v.ID, v.Unsupported)
	}
	page.AddLine(2, "%d of %s passed, %d failed, %d unsupported", r.Passed, plural.Of(r.Vectors, "vector"), len(r.Failed),
		len(r.Unsupported))
	return page.Flush(q.c.OutOrStdout())
}
