package lsp

import (
	"path"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// symbolAt returns the symbol of the name at the place of a request: in a formula, where it is declared, where CUE refers
// to it, and in a case.
//
// The four ways are tried from the surest on. In a formula the index knows each name; a declaration and a label have places
// in the book; attributes are looked for last, because for them every definition's files are searched.
func symbolAt(t *target) (symbols.Symbol, bool) {
	if path.Ext(t.at.File) == caseExtension {
		return symbolOf(t, namesInCase(t.view, t.index, t.at.File))
	}
	if text, offset, ok := t.index.At(t.at); ok {
		if u, found := t.index.UseAt(text, offset); found && u.Symbol.Name != "" {
			return u.Symbol, true
		}
		return t.index.ValueAt(text, offset)
	}
	if sym, ok := t.index.DeclaredAt(t.at); ok {
		return sym, true
	}
	if sym, ok := symbolOf(t, labelsIn(t)); ok {
		return sym, true
	}
	for _, d := range t.index.Definitions() {
		if sym, ok := symbolOf(t, attributesOf(t.view, &d)); ok {
			return sym, true
		}
	}
	return symbols.Symbol{}, false
}

// symbolOf returns the symbol of the occurrence at the place of a request.
func symbolOf(t *target, list []occurrence) (symbols.Symbol, bool) {
	for _, o := range list {
		if o.at.File == t.at.File && o.at.Line == t.at.Line && o.at.Col <= t.at.Col && t.at.Col <= o.at.Col+o.length {
			return t.index.DeclaredBy(o.declaration)
		}
	}
	return symbols.Symbol{}, false
}

// declaredAt returns the symbol at the place of a request when the author declared it.
func declaredAt(t *target) (symbols.Symbol, bool) {
	sym, ok := symbolAt(t)
	return sym, ok && sym.Place != (plan.Place{})
}
