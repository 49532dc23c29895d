package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// An Inline is a rule, or a few definitions, without a module around it: a text of the command line or a single file. It
// needs no package, no cite and no #Character. What it lacks is written around it, and the whole is compiled like the
// module of a stranger. The lines stay where they are, so that places are those of the author's text: what comes before
// it is put at the end of its imports, or before its first line.
//
// It goes through the whole compiler and not through a smaller one, so that whatever works in a
// module works inline, and messages are the same.
type Inline struct {
	Name string // of the file in messages
	Text string
}

// InlineRule is the name of a rule that has none.
const InlineRule = "rule"

// inlineModule is what stands around a text.
const inlineModule = `package rules

import "github.com/tabletop-rules/rules/schema"

rulesets: [schema.#ID]: schema.#Release
rulesets: inline: {rules: _inline, revision: "0.0.0"}
_inline: {
	schema.#Ruleset
	id:    "inline"
	title: "Rules without a module"
	source: book: "inline"
	[("tables" | "traits" | "functions" | "rules" | "procedures" | "options")]: [string]: cite: *"inline" | string
	procedures: [string]: events: [string]: cite: *"inline" | string
%s}
`

// head are the lines at the beginning of a CUE file that must stay before all else: comments, the package clause, imports.
// It is matched at the beginning of the text and may be empty. A package clause and imports must
// stay at the top of a CUE file, so the opening of the struct goes behind them.
var head = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[ \t]*(?://[^\n]*)?\n)*(?:package[ \t]+\w+[ \t]*(?:\n|$))?` +
		`(?:(?:[ \t]*(?://[^\n]*)?\n)*import[ \t]+(?:\((?s:.*?)\)|[^\n]*?)[ \t]*(?:\n|$))*`)
})

var packageClause = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^package[ \t]+\w+`) })

// declaration is the label with which a declaration begins, behind blanks.
var declaration = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*"?(#?\w+)"?[ \t]*:`) })

// declares reports whether a text has a declaration of one of some names that stands in no bracket: at the beginning of a
// line, or behind a comma. Strings and notes are passed over, of the strings those in one or in three double
// quotes: others do not stand where a rule is written on a command line.
func declares(text string, names ...string) bool {
	depth, begins := 0, true
	for i := 0; i < len(text); i++ {
		if begins && depth == 0 {
			if m := declaration().FindStringSubmatch(text[i:]); m != nil && slices.Contains(names, m[1]) {
				return true
			}
		}
		begins = false
		switch c := text[i]; {
		case c == '"':
			i += stringLength(text[i:]) - 1
		case strings.HasPrefix(text[i:], "//"):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return false
			}
			i, begins = i+end, true
		case strings.IndexByte("{[(", c) >= 0:
			depth++
		case strings.IndexByte("}])", c) >= 0:
			depth--
		case c == '\n' || c == ',':
			begins = true
		}
	}
	return false
}

// stringLength returns how long the string is with which a text begins; all of the text when it does not end.
func stringLength(text string) int {
	if long := `"""`; strings.HasPrefix(text, long) {
		if end := strings.Index(text[len(long):], long); end >= 0 {
			return end + 2*len(long)
		}
		return len(text)
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"', '\n':
			return i + 1
		}
	}
	return len(text)
}

// module returns the text as a file of a module, the number of columns by which its first line was moved, and the file
// around it.
//
// For the text
//
//	dice: roll: "2d6"
//	output: total: "sum(roll)"
//
// the file is, with line 1 still line 1 and moved by the length of the text before it,
//
//	package rules, _inline: rules: rule: {dice: roll: "2d6"
//	output: total: "sum(roll)"
//	}
//
// A comma ends a declaration in CUE as a line does, which lets all of it stand on one line. Behind imports, the opening
// stands at the end of the last of them, and no line and no column is moved.
func (x *Inline) module() (text string, moved int, around string) {
	character := ""
	if !declares(x.Text, "#Character") {
		character = "\t#Character: {}\n"
	}
	open := "_inline: {"
	if !declares(x.Text, "rules", "procedures") {
		open = "_inline: rules: " + InlineRule + ": {"
	}
	around = fmt.Sprintf(inlineModule, character)
	before := head().FindString(x.Text)
	if !strings.Contains(before, "package") && !strings.Contains(before, "import") {
		prefix := "package rules, " + open
		return prefix + x.Text + "\n}\n", len(prefix), around
	}
	rest := x.Text[len(before):]
	before = strings.TrimSuffix(before, "\n")
	if packageClause().MatchString(before) {
		before = packageClause().ReplaceAllString(before, "package rules")
	} else {
		before = "package rules, " + before
	}
	return before + ", " + open + "\n" + rest + "\n}\n", 0, around
}

// CompileInline compiles a text without a module.
func (w *Workspace) CompileInline(x *Inline, o compiler.Options) (*plan.Plan, error) {
	if w.Dir != "" || len(w.With) > 0 {
		return nil, errors.New("rules without a module stand alone: leave --dir and --with out")
	}
	if declares(x.Text, "#Character") && !declares(x.Text, "rules", "procedures") {
		return nil, fmt.Errorf("%s declares #Character: put what belongs to the rule under rules: NAME: {...}", x.Name)
	}
	dir, err := os.MkdirTemp("", "rules-inline-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	text, moved, around := x.module()
	if err := os.Mkdir(filepath.Join(dir, "cue.mod"), 0o700); err != nil {
		return nil, err
	}
	for name, text := range map[string]string{
		"cue.mod/module.cue": "module: \"inline.rules/inline@v0\"\nlanguage: version: \"v0.16.0\"\n",
		"rules.cue":          around, x.fileName(): text,
	} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	plans, diags := w.Compiler().Release(sandbox.Module{Dir: dir}, o, "inline")
	for _, d := range diags {
		if d.Severity == diag.Error {
			return nil, &diag.Errors{List: x.placed(diags, moved)}
		}
	}
	if len(plans) != 1 {
		return nil, fmt.Errorf("%s has no rule", x.Name)
	}
	return plans[0], planfile.MovePlaces(plans[0], func(at *plan.Place) { x.fixPlace(at, moved) })
}

// fileName returns the name of the file in its module.
func (x *Inline) fileName() string {
	if name := filepath.Base(x.Name); strings.HasSuffix(name, ".cue") && name != "rules.cue" &&
		!strings.HasPrefix(name, "_") {
		return name
	}
	return "inline.cue"
}

// placed are diagnostics with the places of the text as its author has it.
func (x *Inline) placed(diags []diag.Diagnostic, moved int) []diag.Diagnostic {
	out := PlacesUnder("", diags)
	for i := range out {
		x.fixPlace(&out[i].Place, moved)
		for k := range out[i].Related {
			x.fixPlace(&out[i].Related[k].Place, moved)
		}
	}
	return out
}

func (x *Inline) fixPlace(at *plan.Place, moved int) {
	if at.File != x.fileName() {
		return
	}
	at.File = x.Name
	if at.Line == 1 {
		at.Col = max(1, at.Col-moved)
	}
}
