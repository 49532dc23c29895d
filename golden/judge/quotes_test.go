package judge_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// reference is all that the judge is written from: the chapters of the language, other pages of help, the functions and
// the schema.
var reference = []string{chapters + "/*.txt", "cmd/rules/internal/term/manual/topics.go",
	"runtime/builtin/*.go", "runtime/dice/help.go", "schema/schema.cue"}

// readReference returns the texts of the reference as words.
func readReference(t *testing.T) string {
	var out strings.Builder
	for _, pattern := range reference {
		files, err := filepath.Glob(filepath.Join(moduleRoot(t), filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			out.WriteString(wordsOf(string(text)))
		}
	}
	return out.String()
}

var notWord = regexp.MustCompile(`[^a-z0-9]+`)

// wordsOf returns the words of a text between single blanks.
func wordsOf(text string) string {
	return " " + strings.Trim(notWord.ReplaceAllString(strings.ToLower(text), " "), " ") + " "
}

// quoted finds a quotation: what it quotes may have a word in quotes.
var quoted = regexp.MustCompile(`"((?:[^"]|"[^" ]*")*?)"`)

// TestJudgeQuotesTheReference holds every quotation of the judge to the reference: a sentence that is changed there is one
// that the judge must be read against again.
func TestJudgeQuotesTheReference(t *testing.T) {
	said := readReference(t)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	quotes := 0
	for _, file := range slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") }) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, comment := range commentsOf(string(text)) {
			for _, q := range quoted.FindAllStringSubmatch(comment, -1) {
				for part := range strings.SplitSeq(q[1], "…") {
					if len(strings.Fields(q[1])) < 4 {
						continue // a name or a piece of code
					}
					if quotes++; !strings.Contains(said, wordsOf(part)) {
						t.Errorf("%s: the reference does not say %q", file, part)
					}
				}
			}
		}
	}
	if quotes < 75 {
		t.Errorf("the judge quotes %d sentences", quotes)
	}
}

// commentsOf returns the comments of a source, each on one line.
func commentsOf(source string) (out []string) {
	isComment := false
	for line := range strings.Lines(source) {
		text, found := strings.CutPrefix(strings.TrimSpace(line), "//")
		switch {
		case !found:
		case isComment:
			out[len(out)-1] += " " + text
		default:
			out = append(out, text)
		}
		isComment = found
	}
	return out
}
