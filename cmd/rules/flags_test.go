package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
)

// workingLines are command lines that answer, at least one of every command, in a directory with a homebrew, a character,
// a release and a receipt.
var workingLines = []string{
	"eval tempestas pace", "odds tempestas pace --character ada.json --set task=six_hours", "odds 2d6",
	"fight tempestas task --character ada.json --set name=navigation --set target_value=5",
	"seek tempestas test --character ada.json --set name=navigation --vary complications=0..60 --until P(success)<0.75",
	"roll 1d6 --dice 3",
	"play tempestas --character ada.json", "verify receipt.json", "list haze", "show haze", "explain",
	"sheet tempestas --character ada.json", "check ada.json --ruleset tempestas", "schema haze",
	"init made", "init made --homebrew haze",
	"vet house", "test haze", "plan haze", "plan --passes", "build haze -o haze.plan",
	"diff haze-0.2.0.rules haze-0.2.0.rules",
	"breaking --against haze-0.2.0.rules haze", "release haze -o out", "release --read haze-0.2.0.rules", "version",
	"help dice", "completion", "key new me -o made", "trust",
	"lsp --dir game", "sign receipt.json --key me.key", "publish registry.example/games/haze haze-0.2.0.rules",
	"pull registry.example/games/haze:0.2.0 --untrusted -o made",
	"pin ada.json --to 0.2.0 --plan . --yes", "serve --openapi", "book tempestas -o made", "vectors haze -o made",
	"generate js haze -o made", "generate go haze -o made", "generate client ts haze -o made",
	"generate client go haze -o made", "generate client python haze -o made",
	"generate npm haze -o made",
	"sensitivity tempestas pace --character ada.json --set task=six_hours --of E(tests) --only input",
	"balance tempestas pace --character ada.json --vary task=six_hours --until E(tests)>=0",
	"compare tempestas pace --character ada.json --vary task=* --of tests",
	"bisect haze effect --character warrior.json --set dice=8 --of E(total) --plan kept", "mcp haze",
	"export haze -o made", "import sheet.csv --as haze.sheet --add",
}

// TestFlagsAreReadOrRefused gives each command a --dir and a --with that are not there: none may answer as if they were
// not given.
func TestFlagsAreReadOrRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays all golden cases of a ruleset")
	}
	warrior, err := os.ReadFile("../../golden/haze/warrior.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("HOME", t.TempDir())
	write(t, "ada.json", "{}")
	write(t, "warrior.json", string(warrior))
	write(t, "sheet.csv", "key,points\nfirst,1\n")
	for _, line := range []string{
		"init house --homebrew haze", "init game", "release haze", "key new me -o me.key",
		"eval tempestas pace --character ada.json --set task=six_hours --receipt receipt.json",
	} {
		if status, said := runLine(line); status != exit.Done {
			t.Fatalf("%s: status %d: %s", line, status, said)
		}
	}
	kept, err := os.ReadFile("haze-0.2.0.rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, revision := range []string{"0.2.0", "0.3.0"} { // alike; bisect goes by the names
		write(t, "kept/haze-"+revision+".rules", string(kept))
	}
	tried := map[string]bool{}
	local := registryOf(t)
	for _, line := range workingLines {
		line = local(line)
		tried[strings.Fields(line)[0]] = true
		if status, said := runLine(line); status == exit.Unasked {
			t.Errorf("%s: status %d: %s", line, status, said)
		}
		for _, flag := range []string{"--dir", "--with"} {
			for _, written := range []string{"made", "out", "haze.plan"} { // by the line as it stands
				if err := os.RemoveAll(written); err != nil {
					t.Fatal(err)
				}
			}
			status, said := runLine(line + " " + flag + " nowhere")
			if status != exit.Unasked || !strings.HasPrefix(said, "rules: ") {
				t.Errorf("%s %s nowhere: status %d: %s", line, flag, status, said)
			}
			for _, name := range []string{"made", "out", "haze.plan"} {
				if _, err := os.Stat(name); err == nil {
					t.Errorf("%s %s nowhere writes %s", line, flag, name)
				}
			}
		}
	}
	visit(newRoot(), func(c *cobra.Command) {
		if name := c.Name(); c.HasParent() && !c.Parent().HasParent() && !tried[name] {
			t.Errorf("the command %s is not tried: give workingLines a line of it", name)
		}
	})
}

// runLine runs a command line without quotes in this process, and gives its status and what it says on standard error.
func runLine(line string) (status int, said string) {
	var out, errs bytes.Buffer
	status = Main(strings.Fields(line), strings.NewReader(""), &out, &errs)
	return status, errs.String()
}
