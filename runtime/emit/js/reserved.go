package js

import (
	"regexp"
	"strings"
	"sync"
)

// generatedName matches the names of values and constants that the author did not name, and of their parts.
var generatedName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([vfi]\d+|c\d+_\d+|(list|site|limits|table|rows|column|type|die)\d+)$`)
})

// exported matches the declarations of the functions of the kernel.
var exported = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^export (?:const|function|class) (\w+)`)
})

// reserved are the words of JavaScript, the parameters of a function, what modules and functions call, and then: whoever
// imports a module that exports it is given what it resolves to.
var reserved = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(`arguments await break case catch class const continue debugger default delete do else
		enum eval export extends false finally for function if implements import in instanceof interface let new null package
		private protected public return static super switch this throw true try typeof var void while with yield
		then undefined NaN Infinity Math String Map c i s e r n ruleset`) {
		out[word] = true
	}
	for _, f := range kernelModules() {
		for _, m := range exported().FindAllStringSubmatch(f.Text, -1) {
			out[m[1]] = true
		}
	}
	return out
})

// isReserved reports whether a name means something else in a module.
func isReserved(name string) bool { return generatedName().MatchString(name) || reserved()[name] }
