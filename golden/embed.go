package golden

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"
)

// characterHeader is the header that names a file with the character.
var characterHeader = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^character:[ \t]*(.*?)[ \t]*$`)
})

// embeddedCharacter begins the name of a file at the end of an archive that holds what a header names.
const embeddedCharacter = "character "

// Embed returns the text of a file of cases that needs no other file: characters that headers name stand at its end, under
// "-- character PATH --", so that every line keeps its number. Text without such a header stays as it is. Read gives the
// files, by their paths from the directory of the file. Only headers are searched, which end at the first blank line: a
// sentence that begins with "character:" is none.
//
// A release holds cases as single files, so that they can be played from the release alone.
func Embed(data []byte, read func(name string) ([]byte, error)) ([]byte, error) {
	archive := txtar.Parse(data)
	sections := [][]byte{archive.Comment}
	for _, f := range archive.Files {
		if f.Name == NextCase {
			sections = append(sections, f.Data)
		}
	}
	more := &txtar.Archive{}
	for _, headers := range sections {
		if blank := regexp.MustCompile(`(?m)^[ \t]*$`).FindIndex(headers); blank != nil {
			headers = headers[:blank[0]]
		}
		m := characterHeader().FindSubmatch(headers)
		if m == nil || slices.ContainsFunc(more.Files, func(f txtar.File) bool {
			return f.Name == embeddedCharacter+string(m[1])
		}) {
			continue
		}
		character, err := read(string(m[1]))
		if err != nil {
			return nil, fmt.Errorf("the character %s cannot be read: %w", m[1], err)
		}
		more.Files = append(more.Files, txtar.File{Name: embeddedCharacter + string(m[1]), Data: character})
	}
	if len(more.Files) == 0 {
		return data, nil
	}
	return slices.Concat(bytes.TrimRight(data, "\n"), []byte("\n"), txtar.Format(more)), nil
}

// withEmbedded takes the files that Embed has added out of an archive, and returns how to read them, and others by read;
// nil where there are neither.
func withEmbedded(a *txtar.Archive, read func(name string) ([]byte, error)) func(name string) ([]byte, error) {
	embedded := map[string][]byte{}
	a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool {
		name, ok := strings.CutPrefix(f.Name, embeddedCharacter)
		if ok {
			embedded[name] = f.Data
		}
		return ok
	})
	if len(embedded) == 0 {
		return read
	}
	return func(name string) ([]byte, error) {
		switch data, ok := embedded[name]; {
		case ok:
			return data, nil
		case read == nil:
			return nil, errors.New("it is not there")
		}
		return read(name)
	}
}
