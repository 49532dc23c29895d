package transforms

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
)

// Write writes pages of a format into a directory, a file for each slice, named by the number of its first record: sorted
// by name, the files are the sheets in order. A file appears whole, and a slice that is written again is the same file.
func Write(s beam.Scope, dir, format string, pages beam.PCollection) {
	s = s.Scope("Write")
	beam.ParDo0(s, &writeFn{Dir: dir, Ending: cmp.Or(format, "ndjson")}, beam.GroupByKey(s, beam.ParDo(s, keyPage, pages)))
}

// keyPage groups the pages of a slice, which then come to one worker together.
func keyPage(p Page) (int64, Page) { return p.Slice, p }

// writeFn writes the pages of slices.
type writeFn struct{ Dir, Ending string }

func (f *writeFn) ProcessElement(_ context.Context, slice int64, next func(*Page) bool) error {
	var all []Page
	for p := (Page{}); next(&p); p = (Page{}) {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Page) int { return cmp.Compare(a.First, b.First) })
	var text []byte
	for _, p := range all {
		text = append(text, p.Text...)
	}
	// 19 digits hold every int64, so that names sort as numbers do.
	return writeWhole(filepath.Join(f.Dir, fmt.Sprintf("part-%019d.%s", slice, f.Ending)), text)
}

// DeadLetters writes records without an answer into a file, in their order, one line of JSON for each.
func DeadLetters(s beam.Scope, file string, dead beam.PCollection) {
	s = s.Scope("DeadLetters")
	beam.ParDo0(s, &lettersFn{File: file}, beam.GroupByKey(s, beam.ParDo(s, keyLetter, dead)))
}

// keyLetter gives all letters one key: they come to one worker and into one file, since few records
// should have none.
func keyLetter(l DeadLetter) (int64, DeadLetter) { return 0, l }

// lettersFn writes dead letters.
type lettersFn struct{ File string }

func (f *lettersFn) ProcessElement(_ context.Context, _ int64, next func(*DeadLetter) bool) error {
	var all []DeadLetter
	for l := (DeadLetter{}); next(&l); l = (DeadLetter{}) {
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b DeadLetter) int { return cmp.Compare(a.Record, b.Record) })
	var text []byte
	for _, l := range all {
		letter := evaluate.Letter{Record: uint64(l.Record), Path: l.Path, Reason: l.Reason, Status: int(l.Status)}
		line, err := json.Marshal(letter)
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	return writeWhole(f.File, text)
}

// WriteDocument writes the one element of a collection, such as a summary, into a file.
func WriteDocument(s beam.Scope, file string, document beam.PCollection) {
	beam.ParDo0(s.Scope("WriteDocument"), &fileFn{File: file}, document)
}

// fileFn writes a file.
type fileFn struct{ File string }

func (f *fileFn) ProcessElement(_ context.Context, text []byte) error {
	return writeWhole(f.File, text)
}

// writeWhole writes a file under another name, and renames it: workers that write the same file do not disturb each other,
// and none leaves a part of it.
func writeWhole(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Chmod(0o644)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
