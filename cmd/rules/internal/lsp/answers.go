package lsp

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/symbols"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// What a formula says before the cursor.
var (
	memberChain = regexp.MustCompile(`((?:[A-Za-z_]\w*(?:\([^()]*\)|\[[^\[\]]*\])?\.)+)\w*$`)
	keyOfTable  = regexp.MustCompile(`([A-Za-z_]\w*)\('\w*$`)
	columnKey   = regexp.MustCompile(`([A-Za-z_]\w*)\([^(),]*,\s*'\w*$`)
	comparedTo  = regexp.MustCompile(`((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)\s*[!=]=\s*'\w*$`)
	callOrIndex = regexp.MustCompile(`\([^()]*\)|\[[^\[\]]*\]`)
)

// complete lists what may stand at a position.
func (s *server) complete(p documentPosition) (any, error) {
	items := []completionItem{}
	if file, ok := s.fileOf(p.TextDocument.URI); ok && path.Ext(file) == caseExtension {
		return s.completeCase(s.view(), file, p.Position), nil
	}
	t, ok := s.locate(p)
	if !ok {
		return items, nil
	}
	if !isInString(t.before) {
		for _, sym := range s.columnsAt(t) {
			items = append(items, itemOf(&sym))
		}
		return items, nil
	}
	for _, sym := range t.candidates() {
		items = append(items, itemOf(&sym))
	}
	return items, nil
}

// candidates are the symbols that may stand at the place of a request, by what stands before it.
func (t *target) candidates() []symbols.Symbol {
	owner := t.index.Owner(t.at)
	resolve := func(chain string) (sym symbols.Symbol) {
		sym, _ = t.index.Resolve(owner, strings.Split(chain, "."))
		return sym
	}
	if m := keyOfTable.FindStringSubmatch(t.before); m != nil {
		return t.index.Keys(m[1])
	}
	if m := columnKey.FindStringSubmatch(t.before); m != nil {
		if keys := t.index.ColumnKeys(m[1]); keys != nil {
			return keys
		}
	}
	if m := comparedTo.FindStringSubmatch(t.before); m != nil {
		sym := resolve(m[1])
		return valuesOf(&sym)
	}
	if m := memberChain.FindStringSubmatch(t.before); m != nil {
		sym := resolve(strings.TrimSuffix(callOrIndex.ReplaceAllString(m[1], ""), "."))
		return sym.Members()
	}
	return t.index.Scope(owner)
}

// valuesOf are the members of a symbol that are values.
func valuesOf(sym *symbols.Symbol) []symbols.Symbol {
	return slices.DeleteFunc(sym.Members(), func(m symbols.Symbol) bool { return m.Kind != symbols.Value })
}

// A target is what a request is about.
type target struct {
	*view
	index  *symbols.Index // of the ruleset of the file
	at     plan.Place
	before string // the line up to the place
}

// locate finds what a request is about; not ok for a file of no ruleset.
func (s *server) locate(p documentPosition) (*target, bool) {
	v, file, x, ok := s.rulesetOf(p.TextDocument.URI)
	if !ok {
		return nil, false
	}
	text := v.text(file)
	at := text.place(file, p.Position, v.encoding)
	line := []rune(text.line(at.Line))
	return &target{v, x, at, string(line[:min(at.Col-1, len(line))])}, true
}

// completionKinds are the protocol's numbers.
var completionKinds = map[symbols.Kind]int{
	symbols.Variable: 6, symbols.Field: 5, symbols.Trait: 10, symbols.Option: 10, symbols.Value: 20, symbols.Table: 3,
	symbols.Column: 5, symbols.Function: 3, symbols.Builtin: 3, symbols.Local: 6,
}

func itemOf(sym *symbols.Symbol) completionItem {
	out := completionItem{Label: sym.Name, Kind: completionKinds[sym.Kind], Detail: sym.Detail}
	if text := document(sym); text != "" {
		out.Documentation = &markupContent{"markdown", text}
	}
	return out
}

// document is what is said of a symbol: its doc, then where the book has it.
func document(sym *symbols.Symbol) string {
	text := sym.Doc
	if sym.Cite != "" {
		text = strings.TrimSpace(text + "\n\n*" + sym.Cite + "*")
	}
	return text
}

// hover says what the name under the cursor means, and the codes of the diagnostics there.
func (s *server) hover(p documentPosition) (any, error) {
	t, ok := s.locate(p)
	if !ok {
		return nil, nil
	}
	text := s.explainAt(t.view, t.at.File, p.Position)
	if sym, ok := t.symbol(); ok {
		if text != "" {
			text += "\n---\n\n"
		}
		text += describe(&sym)
	}
	if text == "" {
		return nil, nil
	}
	return hover{markupContent{"markdown", text}}, nil
}

// describe is what a name means, in Markdown.
func describe(sym *symbols.Symbol) string {
	text := "**" + sym.Name + "** (" + sym.Kind.String() + ")"
	if sym.Detail != "" {
		text += "\n\n```\n" + sym.Detail + "\n```"
	}
	if d := document(sym); d != "" {
		text += "\n\n" + d
	}
	return text
}

// symbol is what the name at the place refers to, or the definition whose name it is.
func (t *target) symbol() (symbols.Symbol, bool) {
	if text, offset, ok := t.index.At(t.at); ok {
		u, found := t.index.UseAt(text, offset)
		return u.Symbol, found && u.Symbol.Name != ""
	}
	for _, d := range t.index.Definitions() {
		name := d.Name[strings.LastIndexByte(d.Name, '/')+1:]
		onName := d.Place.Col <= t.at.Col && t.at.Col <= d.Place.Col+len([]rune(name))
		if d.Place.File == t.at.File && d.Place.Line == t.at.Line && onName {
			return d, true
		}
	}
	return symbols.Symbol{}, false
}

// declared is the symbol at the place when the author declared it.
func (t *target) declared() (symbols.Symbol, bool) {
	sym, ok := t.symbol()
	return sym, ok && sym.Place != (plan.Place{})
}

// definition is where the name under the cursor is declared.
func (s *server) definition(p documentPosition) (any, error) {
	out := []location{}
	if t, ok := s.locate(p); ok {
		if sym, ok := t.declared(); ok {
			if l, ok := s.locationOf(t.view, sym.Place, 0); ok {
				out = append(out, l)
			}
		}
	}
	return out, nil
}

// locationOf is a place for the client; not ok in a file that ships with the program.
func (s *server) locationOf(v *view, at plan.Place, length int) (location, bool) {
	uri, ok := s.uriOf(at.File)
	if !ok {
		return location{}, false
	}
	return location{uri, v.span(at, length)}, true
}

// references are the declaration of the name under the cursor, and where it is read.
func (s *server) references(p documentPosition) (any, error) {
	out := []location{}
	if t, ok := s.locate(p); ok {
		if sym, ok := t.declared(); ok {
			out = append(out, s.occurrences(t, &sym)...)
		} else if _, _, inFormula := t.index.At(t.at); !inFormula {
			out = append(out, s.rowUsers(t)...)
		}
	}
	return out, nil
}

// rowUsers are the row of a table at the place of a request, and the look-ups that find it.
func (s *server) rowUsers(t *target) []location {
	row, ok := t.index.RowAt(t.at)
	if !ok {
		return nil
	}
	var out []location
	for _, r := range append([]symbols.Reference{{Place: row.Place}}, t.index.RowUsers(row)...) {
		if l, ok := s.locationOf(t.view, r.Place, r.Length); ok {
			out = append(out, l)
		}
	}
	return out
}

// occurrences are the declaration of a symbol and its uses: in formulas, and by name in attributes, uses and cases.
func (s *server) occurrences(t *target, sym *symbols.Symbol) []location {
	var out []location
	add := func(at plan.Place, length int) {
		if l, ok := s.locationOf(t.view, at, length); ok && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	add(sym.Place, 0)
	for _, r := range append(t.index.References(sym.Place), s.namedUses(t, sym)...) {
		add(r.Place, r.Length)
	}
	return out
}

// rename gives the edits that give a name another text: where it is declared, and wherever it is used.
func (s *server) rename(p renameParams) (any, error) {
	t, ok := s.locate(p.documentPosition)
	if !ok {
		return refuse("this file belongs to no ruleset of the module")
	}
	sym, ok := t.declared()
	switch {
	case !ok:
		return refuse("there is no name of the ruleset here")
	case !identifier.MatchString(p.NewName):
		return refuse("a name is a small letter, then letters, digits and underscores")
	case !s.isOwnFile(sym.Place.File):
		return refuse("this is a name of the ruleset that the homebrew changes, and is renamed there")
	case !canRename(&sym):
		return refuse("a %s is not renamed: characters, inputs and saved sheets use its name too", sym.Kind)
	}
	out := workspaceEdit{map[string][]textEdit{}}
	for _, l := range s.occurrences(t, &sym) {
		out.Changes[l.URI] = append(out.Changes[l.URI], textEdit{l.Range, p.NewName})
	}
	return out, nil
}

// symbolKinds are the protocol's numbers.
var symbolKinds = map[symbols.Kind]int{
	symbols.Option: 10, symbols.Table: 23, symbols.Trait: 7, symbols.Function: 12, symbols.Rule: 6, symbols.Procedure: 5,
	symbols.Event: 24,
}

// documentSymbols lists the definitions of a file.
func (s *server) documentSymbols(p documentParams) (any, error) {
	out := []documentSymbol{}
	v, file, x, ok := s.rulesetOf(p.TextDocument.URI)
	if !ok {
		return out, nil
	}
	for _, d := range x.Definitions() {
		if d.Place.File == file {
			at := v.span(d.Place, 0)
			out = append(out, documentSymbol{d.Name, d.Kind.String(), symbolKinds[d.Kind], at, at})
		}
	}
	return out, nil
}

// tokenTypes are the kinds of semantic tokens, in the order of their numbers.
func tokenTypes() []string { return []string{"variable", "property", "function", "enumMember"} }

// tokenTypeOf is the number of a symbol's type; -1 for one that is not coloured.
func tokenTypeOf(sym *symbols.Symbol) int {
	switch {
	case sym.Name == "":
		return -1
	case sym.Kind == symbols.Table, sym.Kind == symbols.Function, sym.Kind == symbols.Builtin:
		return 2
	case sym.Kind == symbols.Value:
		return 3
	case sym.Kind == symbols.Variable, sym.Kind == symbols.Local:
		return 0
	}
	return 1
}

// semanticTokens colours the names in the formulas of a file.
func (s *server) semanticTokens(p documentParams) (any, error) {
	out := semanticTokens{Data: []int{}}
	v, file, x, ok := s.rulesetOf(p.TextDocument.URI)
	if !ok {
		return out, nil
	}
	type token struct{ line, from, length, kind int }
	var list []token
	for _, t := range x.Texts() {
		if t.Place.File != file || len(t.Runs) == 0 {
			continue
		}
		for _, u := range x.Uses(t) {
			if kind := tokenTypeOf(&u.Symbol); kind >= 0 {
				r := v.span(t.At(u.Start), len([]rune(u.Chain[len(u.Chain)-1])))
				list = append(list, token{r.Start.Line, r.Start.Character, r.End.Character - r.Start.Character, kind})
			}
		}
	}
	slices.SortFunc(list, func(a, b token) int {
		if a.line != b.line {
			return a.line - b.line
		}
		return a.from - b.from
	})
	line, from := 0, 0
	for _, t := range slices.Compact(list) {
		if t.line != line {
			from = 0
		}
		out.Data = append(out.Data, t.line-line, t.from-from, t.length, t.kind, 0)
		line, from = t.line, t.from
	}
	return out, nil
}
