package shape

import (
	"slices"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"

	"github.com/tabletop-rules/rules/compiler/load/site"
)

// wordsOf returns the strings of a list, each once: those that are written out, and the names or elements that a
// comprehension takes from something that is: or([for name, _ in _printed {name}]) is a choice like one in full.
func wordsOf(list site.Site) (words []string, ok bool) {
	for _, part := range list.SplitParts() {
		lit, isList := part.Expr.(*ast.ListLit)
		if !isList {
			return nil, false
		}
		for _, x := range lit.Elts {
			more, ok := wordsOfElement(part.WithOperand(x))
			if !ok {
				return nil, false
			}
			words = append(words, more...)
		}
	}
	return uniqueWords(words), len(words) > 0
}

func wordsOfElement(s site.Site) (words []string, ok bool) {
	switch x := s.Expr.(type) {
	case *ast.BasicLit:
		text, err := literal.Unquote(x.Value)
		return []string{text}, err == nil
	case *ast.Comprehension:
		source, yieldsKey, ok := site.PlainLoop(x)
		switch {
		case !ok:
			return nil, false
		case yieldsKey:
			return namesOf(s.WithOperand(source))
		}
		return wordsOf(s.WithOperand(source))
	}
	return nil, false
}

// namesOf returns the names of a struct's fields; not ok unless all are written out.
func namesOf(s site.Site) (names []string, ok bool) {
	for _, f := range site.MembersOf(s.SplitParts()) {
		switch f.Kind {
		case site.Regular:
			names = append(names, f.Name)
		case site.Computed:
			return nil, false
		}
	}
	return names, len(names) > 0
}

func uniqueWords(words []string) (out []string) {
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
