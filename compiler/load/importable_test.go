package load

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules"
)

func TestImportableCoversWhatIsCompiled(t *testing.T) {
	files, err := importableNames(rules.Files)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range Names(Source{FS: rules.Files}) {
		sources := Sources(Source{FS: rules.Files}, id)
		if len(sources) < 3 {
			t.Fatalf("%s is compiled of %q", id, sources)
		}
		for _, name := range sources {
			if !slices.Contains(files, name) {
				t.Errorf("%s is compiled of %s, which is not importable", id, name)
			}
		}
	}
	for _, name := range files {
		if _, err := fs.Stat(rules.Files, name); err != nil {
			t.Error(err)
		}
	}
	if slices.Contains(files, "golden/games/rules.cue") {
		t.Error("the module of the small games is importable")
	}
}

func importableNames(module fs.FS) (names []string, err error) {
	files, err := Importable(module)
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names, err
}

func TestImportable(t *testing.T) {
	module := fstest.MapFS{}
	for name, text := range map[string]string{
		"cue.mod/module.cue":      "module: \"a.b/c@v0\"\nlanguage: version: \"v0.16.0\"\n",
		"cue.mod/pkg/x.y/z/z.cue": "package z\nimport \"a.b/c/vendored\"\n",
		"rules.cue":               "package rules\nimport (\n\"a.b/c/tables/one@v0\"\n\"strings\"\nt \"a.b/c/two:other\"\n)\n",
		"tables/above.cue":        "package one\nimport \"a.b/c/three\"\n",
		"tables/one/one.cue":      "package one\n",
		"tables/one/notes.txt":    "",
		"tables/idle/idle.cue":    "package idle\n",
		"two/two.cue":             "package other\nimport \"a.b/c/missing\"\nimport \"../up\"\n",
		"three/three.cue":         "package three\nimport \"a.b/c/four\"\n x: [",
		"four/four.cue":           "package four\n",
		"vendored/v.cue":          "package vendored\n",
	} {
		module[name] = &fstest.MapFile{Data: []byte(text)}
	}
	want := []string{"cue.mod/module.cue", "cue.mod/pkg/x.y/z/z.cue", "four/four.cue", "rules.cue", "tables/above.cue",
		"tables/one/one.cue", "three/three.cue", "two/two.cue", "vendored/v.cue"}
	got, err := importableNames(module)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	nameless := maps.Clone(module)
	delete(nameless, "cue.mod/module.cue")
	if got, err := importableNames(nameless); err != nil || slices.Contains(got, "two/two.cue") {
		t.Errorf("without a module.cue: %q, %v", got, err)
	}
	for i := range maxFiles {
		module[fmt.Sprintf("tables/one/%d.cue", i)] = &fstest.MapFile{Data: []byte("package one\n")}
	}
	if _, err := Importable(module); err != errTooLarge {
		t.Errorf("a module of more than %d files: %v", maxFiles, err)
	}
	module = fstest.MapFS{"cue.mod/module.cue": nameless["rules.cue"], "rules.cue": {Data: make([]byte, maxModule+1)}}
	if _, err := Importable(module); err != errTooLarge {
		t.Errorf("a module of more than %d bytes: %v", maxModule, err)
	}
}
