package lsp

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
)

// What a formula says before the cursor.
//
// Completion looks at text and not at a parsed formula, because a formula in which something is to
// be completed does not parse: "character.", "harm('". The patterns are anchored at the cursor and
// skip one level of brackets, enough for what people complete; what they miss gets the names in
// scope.
var (
	memberChain = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`((?:[A-Za-z_]\w*(?:\([^()]*\)|\[[^\[\]]*\])?\.)+)\w*$`)
	})
	keyOfTable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([A-Za-z_]\w*)\('\w*$`) })
	columnKey  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([A-Za-z_]\w*)\([^(),]*,\s*'\w*$`) })
	comparedTo = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)\s*[!=]=\s*'\w*$`)
	})
	callOrIndex = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\([^()]*\)|\[[^\[\]]*\]`) })
)

// completeAt returns the items that may stand at a position.
func completeAt(s *snapshot, p documentPosition) []completionItem {
	items := []completionItem{}
	if file, ok := s.fileOf(p.TextDocument.URI); ok && path.Ext(file) == caseExtension {
		return completeCase(s, file, p.Position)
	}
	t, ok := s.locateTarget(p)
	if !ok {
		return items
	}
	if !isInString(t.before) {
		for _, sym := range columnsAt(t) {
			items = append(items, itemOf(&sym))
		}
		return items
	}
	for _, sym := range candidatesAt(t) {
		items = append(items, itemOf(&sym))
	}
	return items
}

// candidatesAt returns the symbols that may stand at the place of a request, by the text before it.
func candidatesAt(t *target) []symbols.Symbol {
	owner := t.index.Owner(t.at)
	resolve := func(chain string) (sym symbols.Symbol) {
		sym, _ = t.index.Resolve(owner, strings.Split(chain, "."))
		return sym
	}
	if m := keyOfTable().FindStringSubmatch(t.before); m != nil {
		return t.index.Keys(m[1])
	}
	if m := columnKey().FindStringSubmatch(t.before); m != nil {
		if keys := t.index.ColumnKeys(m[1]); keys != nil {
			return keys
		}
	}
	if m := comparedTo().FindStringSubmatch(t.before); m != nil {
		sym := resolve(m[1])
		return valuesOf(&sym)
	}
	if m := memberChain().FindStringSubmatch(t.before); m != nil {
		sym := resolve(strings.TrimSuffix(callOrIndex().ReplaceAllString(m[1], ""), "."))
		return sym.Members()
	}
	return t.index.Scope(owner)
}

// valuesOf returns the members of a symbol that are values.
func valuesOf(sym *symbols.Symbol) []symbols.Symbol {
	return slices.DeleteFunc(sym.Members(), func(m symbols.Symbol) bool { return m.Kind != symbols.Value })
}
