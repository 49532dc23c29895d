package lsp

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// caseNames are the names of a ruleset in the files of its cases: in headers, as members and values of JSON, as dice.
//
// A case mentions names of the ruleset in six forms: headers, members and values of four kinds of
// JSON, paths of dice, and chains in arithmetic. For each the index knows what may stand there;
// what it does not know, such as names of weapons in an open map, is left alone. Rename plays the
// cases afterwards, so that a form that is forgotten here shows as a refusal and not as a broken
// case.
type caseNames struct {
	*view
	index   *symbols.Index
	members map[string][]symbols.Symbol // of records, by owner, root and path
	out     []occurrence
}

// namesInCases returns the names in the cases of a ruleset and in the files beside them, as far as a word stands in a file.
//
// Files without the word are not parsed. A ruleset has hundreds of cases, and a name stands in some
// of them.
func namesInCases(v *view, x *symbols.Index, word string) []occurrence {
	w := &caseNames{view: v, index: x, members: map[string][]symbols.Symbol{}}
	dir := v.casesDir(x.Ruleset())
	for _, file := range append(filesIn(v, dir, caseExtension), filesIn(v, dir, ".json")...) {
		if slices.ContainsFunc(v.text(file).lines, func(l string) bool { return strings.Contains(l, word) }) {
			w.addFile(file)
		}
	}
	return w.out
}

// namesInCase returns the names in one file of cases.
func namesInCase(v *view, x *symbols.Index, file string) []occurrence {
	w := &caseNames{view: v, index: x, members: map[string][]symbols.Symbol{}}
	w.addFile(file)
	return w.out
}

func (w *caseNames) addFile(file string) {
	text := w.text(file)
	if path.Ext(file) != caseExtension {
		w.addBesideCases(file, text)
		return
	}
	for _, c := range splitCases(text) {
		headers := c.last
		if len(c.files) > 0 {
			headers = c.files[0].first - 2
		}
		for line := c.first; line <= headers; line++ {
			w.addHeader(file, line, text.line(line))
		}
		for _, f := range c.files {
			if f.name == "dice" {
				w.addDice(&c, file, f, text)
				continue
			}
			j := &jsonNames{caseNames: w, file: file, first: f.first, text: joinLines(text, f.first, f.last)}
			j.addFile(&c, f.name, text)
		}
	}
}

// addBesideCases adds the names in a file beside the cases: the input of the rule that it is called after, or a character.
func (w *caseNames) addBesideCases(file string, text *textFile) {
	j := &jsonNames{caseNames: w, file: file, first: 1, text: joinLines(text, 1, len(text.lines))}
	stem := strings.TrimSuffix(path.Base(file), ".json")
	for _, d := range w.index.Definitions() {
		if d.Kind == symbols.Rule && strings.HasSuffix(stem, "_"+d.Name) {
			j.addRoot("rule "+d.Name, "input")
			return
		}
		if d.Kind == symbols.Procedure && strings.HasSuffix(stem, "_"+d.Name) {
			j.addRoot("procedure "+d.Name, "input")
			return
		}
		if d.Kind == symbols.Procedure && strings.HasSuffix(stem, "_"+d.Name+"_events") {
			j.addFile(&caseText{owner: "procedure " + d.Name}, "events.json", text)
			return
		}
	}
	j.addRoot("", "character")
}

func joinLines(text *textFile, first, last int) []byte {
	return []byte(strings.Join(text.lines[first-1:last], "\n"))
}

// settingLine is a header that plays an option in a way.
var settingLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:option|printed):\s*(\w+)=(\w+)`)
})

func (w *caseNames) addHeader(file string, line int, text string) {
	at := func(i int) plan.Place { return plan.Place{File: file, Line: line, Col: len([]rune(text[:i])) + 1} }
	definitions := w.index.Definitions()
	if m := subjectLine().FindStringSubmatchIndex(text); m != nil {
		kind := strings.Replace(text[m[2]:m[3]], "odds", "rule", 1)
		for _, d := range definitions {
			if d.Kind.String() == kind && d.Name == text[m[4]:m[5]] {
				w.addOccurrence(at(m[4]), d.Name, &d)
			}
		}
	}
	if m := settingLine().FindStringSubmatchIndex(text); m != nil {
		for _, d := range definitions {
			if d.Kind != symbols.Option || d.Name != text[m[2]:m[3]] {
				continue
			}
			w.addOccurrence(at(m[2]), d.Name, &d)
			for _, value := range d.Members() {
				if value.Name == text[m[4]:m[5]] {
					w.addOccurrence(at(m[4]), value.Name, &value)
				}
			}
		}
	}
}

func (w *caseNames) addOccurrence(at plan.Place, name string, sym *symbols.Symbol) {
	if sym.Place != (plan.Place{}) {
		w.out = append(w.out, occurrence{at, len([]rune(name)), sym.Place})
	}
}

// dieName is a die in the file dice, "roll=5", or one of a rule that is used, "first.roll=5".
var dieName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[\s,;])([\w.\[\]]+)=`) })

func (w *caseNames) addDice(c *caseText, file string, f caseFile, text *textFile) {
	for n := f.first; n <= f.last; n++ {
		line := text.line(n)
		for _, m := range dieName().FindAllStringSubmatchIndex(line, -1) {
			w.addDie(c.owner, line[m[2]:m[3]], func(i int) plan.Place {
				return plan.Place{File: file, Line: n, Col: len([]rune(line[:m[2]+i])) + 1}
			})
		}
	}
}

// diePart is a name in the path of a die: of a use, which may be one of many, or of the die.
var diePart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\w+)(?:\[\d+\])?`) })

// addDie adds the names in the path of a die of a definition; the function gives the place of a byte of the path.
//
// The path of a die goes through uses: each part but the last is a use, whose rule is the owner of
// the next part.
func (w *caseNames) addDie(owner, path string, placeOf func(int) plan.Place) {
	for _, m := range diePart().FindAllStringSubmatchIndex(path, -1) {
		sym, ok := w.index.Resolve(owner, []string{path[m[2]:m[3]]})
		if !ok {
			return
		}
		w.addOccurrence(placeOf(m[2]), sym.Name, &sym)
		if rule, isUse := strings.CutPrefix(sym.Detail, "use of "); isUse {
			owner = "rule " + rule
		}
	}
}

// membersAt returns MembersAt of the index, and asks it once for each path.
func (w *caseNames) membersAt(owner, root string, path []string) []symbols.Symbol {
	key := strings.Join(append([]string{owner, root}, path...), "\x00")
	list, ok := w.members[key]
	if !ok {
		list = w.index.MembersAt(owner, root, path)
		w.members[key] = list
	}
	return list
}

// jsonNames are the names in a text of JSON within a file.
type jsonNames struct {
	*caseNames
	file  string
	first int // the line at which the text begins
	text  []byte
}

// addFile adds the names in a file of a case.
func (j *jsonNames) addFile(c *caseText, name string, text *textFile) {
	switch name {
	case "character.json":
		j.addRoot(c.owner, "character")
	case "input.json":
		j.addRoot(c.owner, "input")
	case "events.json":
		j.addEvents(c.owner)
	case "want.json", "printed.json":
		j.addSheet(c, text)
	case "table.json":
		j.addTable(c.owner)
	}
}

// parseTree returns the tree of the text; nil while the text is not JSON.
func (j *jsonNames) parseTree() *jsontree.Tree {
	t, err := jsontree.ReadTree(j.text)
	if err != nil {
		return nil
	}
	return t
}

// addRoot adds the names in a record of a definition.
func (j *jsonNames) addRoot(owner, root string) {
	if t := j.parseTree(); t != nil {
		j.addRecord(t, owner, root, nil)
	}
}

// addRecord adds the names of members, and the strings that are declared values, below a path of a record.
func (j *jsonNames) addRecord(t *jsontree.Tree, owner, root string, path []string) {
	switch t.Kind {
	case jsontree.Array:
		for _, x := range t.Items {
			j.addRecord(x, owner, root, path)
		}
	case jsontree.Object:
		members := j.membersAt(owner, root, path)
		for i, name := range t.Names {
			j.addMember(t.Items[i], name, members)
			below := append(slices.Clone(path), name)
			j.addRecord(t.Items[i], owner, root, below)
		}
	}
}

// addMember adds the name of a member whose value is a tree, and the value where that is declared too.
func (j *jsonNames) addMember(value *jsontree.Tree, name string, members []symbols.Symbol) {
	for _, m := range members {
		if m.Name == name {
			j.addName(value, name, &m)
			j.addValues(value, m.Members())
		}
	}
}

// addName adds the name of a member before its value.
func (j *jsonNames) addName(value *jsontree.Tree, name string, sym *symbols.Symbol) {
	if from, ok := j.nameBefore(value, name); ok {
		j.addOccurrence(j.placeOf(from), name, sym)
	}
}

// nameBefore returns the byte at which the name of a member begins; not ok when it is written with escapes.
//
// Trees of JSON keep places of values only. The name is looked for backwards from its value; one
// that is written with escapes is not found, and no ruleset has names that need them.
func (j *jsonNames) nameBefore(value *jsontree.Tree, name string) (from int, ok bool) {
	const blanks = " \t\r\n"
	before := bytes.TrimRight(bytes.TrimSuffix(bytes.TrimRight(j.text[:value.From], blanks), []byte(":")), blanks)
	return len(before) - len(name) - 1, bytes.HasSuffix(before, []byte(`"`+name+`"`))
}

// addValues adds the strings in a tree that are values which somebody declares.
func (j *jsonNames) addValues(t *jsontree.Tree, values []symbols.Symbol) {
	switch t.Kind {
	case jsontree.Array:
		for _, x := range t.Items {
			j.addValues(x, values)
		}
	case jsontree.Text:
		for _, v := range values {
			if v.Kind != symbols.Field && v.Name == t.Text && t.To-t.From == len(t.Text)+2 {
				j.addOccurrence(j.placeOf(t.From+1), v.Name, &v)
			}
		}
	}
}

// placeOf returns where a byte of the text stands in the file.
func (j *jsonNames) placeOf(offset int) plan.Place {
	before := j.text[:offset]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return plan.Place{File: j.file, Line: j.first + bytes.Count(before, []byte("\n")), Col: len([]rune(string(line))) + 1}
}

// addEvents adds the names in a list of events.
func (j *jsonNames) addEvents(owner string) {
	t := j.parseTree()
	if t == nil || t.Kind != jsontree.Array {
		return
	}
	_, procedure, _ := strings.Cut(owner, " ")
	events := j.index.Events(procedure)
	for _, x := range t.Items {
		name := x.Get("event")
		if name == nil {
			continue
		}
		j.addValues(name, events)
		scope := "event " + procedure + "/" + name.Text
		if input := x.Get("input"); input != nil {
			j.addRecord(input, scope, "event", nil)
		}
		j.addDiceOf(x.Get("dice"), scope)
	}
}

// addDiceOf adds the names of the dice that an object has faces of.
func (j *jsonNames) addDiceOf(t *jsontree.Tree, owner string) {
	if t == nil || t.Kind != jsontree.Object {
		return
	}
	for i, name := range t.Names {
		if from, ok := j.nameBefore(t.Items[i], name); ok {
			j.addDie(owner, name, func(k int) plan.Place { return j.placeOf(from + k) })
		}
	}
}

// addSheet adds the names in a sheet that is wanted, and in the formulas of its arithmetic.
func (j *jsonNames) addSheet(c *caseText, text *textFile) {
	t := j.parseTree()
	if t == nil || t.Kind != jsontree.Object {
		return
	}
	j.addFormulas(t, c.owner)
	j.addDiceOf(t.Get("dice"), c.owner)
	j.addOutputs(t, c.owner)
	if state := t.Get("state"); state != nil {
		j.addRecord(state, c.owner, "state", nil)
	}
	if events := t.Get("events"); events != nil {
		_, procedure, _ := strings.Cut(c.owner, " ")
		for i, x := range events.Items {
			if name, ok := c.eventName(text, i); ok {
				j.addOutputs(x, "event "+procedure+"/"+name)
				j.addDiceOf(x.Get("dice"), "event "+procedure+"/"+name)
			}
		}
	}
}

// addOutputs adds the names of a sheet's member output.
func (j *jsonNames) addOutputs(sheet *jsontree.Tree, owner string) {
	output := sheet.Get("output")
	if output == nil || output.Kind != jsontree.Object {
		return
	}
	for i, name := range output.Names {
		j.addMember(output.Items[i], name, j.index.OutputsOf(owner))
	}
}

// caseChain is a chain of names in the arithmetic of a case, "tables.burden.heavy.points".
var caseChain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+`) })

// addFormulas adds the names in the arithmetic of a sheet, {"cel": "..."}: of cells of tables, of the character and the
// input.
func (j *jsonNames) addFormulas(t *jsontree.Tree, owner string) {
	for i, x := range t.Items {
		if t.Kind == jsontree.Object && t.Names[i] == "cel" && x.Kind == jsontree.Text && x.To-x.From == len(x.Text)+2 {
			for _, m := range caseChain().FindAllStringIndex(x.Text, -1) {
				j.addChain(strings.Split(x.Text[m[0]:m[1]], "."), owner, x.From+1+m[0])
			}
		}
		j.addFormulas(x, owner)
	}
}

// addChain adds the names of a chain that begins at a byte of the text.
func (j *jsonNames) addChain(chain []string, owner string, from int) {
	for i, name := range chain {
		var among []symbols.Symbol
		switch {
		case i == 0:
		case chain[0] != "tables":
			among = j.membersAt(owner, chain[0], chain[1:i])
		case i == 1:
			among = slices.DeleteFunc(slices.Clone(j.index.Definitions()),
				func(d symbols.Symbol) bool { return d.Kind != symbols.Table })
		case i == 2:
			among = j.index.Keys(chain[1])
		default:
			among = j.columnsOf(chain[1])
		}
		for _, sym := range among {
			if sym.Name == name {
				j.addOccurrence(j.placeOf(from), name, &sym)
			}
		}
		from += len(name) + 1
	}
}

// columnsOf returns the columns of a table.
func (w *caseNames) columnsOf(table string) []symbols.Symbol {
	for _, d := range w.index.Definitions() {
		if d.Kind == symbols.Table && d.Name == table {
			return d.Members()
		}
	}
	return nil
}

// addTable adds the keys and the columns of a table that is written out again.
func (j *jsonNames) addTable(owner string) {
	t := j.parseTree()
	if t == nil {
		return
	}
	_, id, _ := strings.Cut(owner, " ")
	j.addRows(t, append(j.index.Keys(id), j.index.ColumnKeys(id)...), j.columnsOf(id))
}

// addRows adds the members of a tree that are keys or columns.
func (j *jsonNames) addRows(t *jsontree.Tree, lists ...[]symbols.Symbol) {
	for i, x := range t.Items {
		for _, list := range lists {
			if t.Kind == jsontree.Object {
				j.addMember(x, t.Names[i], list)
			}
		}
		j.addRows(x, lists...)
	}
}
