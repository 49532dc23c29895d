// Package folder keeps characters as files, one for each, which pages list, write and remove over HTTP.
//
// A file holds a character as every command reads it, and is called after it: DIR/RULESET/NAME.json. What a file held when
// a page read it is told by a digest, its version. A page that writes or removes a file names the version that it has seen;
// a file that has another one by then stays as it is, and the page is told. So two browsers never write over each other,
// nor over an editor.
//
// Files are written to a temporary name and renamed. A character that gets another name is written under it before the old
// file goes: a crash between leaves two files and loses nothing.
package folder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/runtime"
)

// The bounds of a folder.
const (
	maxCharacters = 2000 // of one ruleset
	maxName       = 200  // bytes of a file's name
	longestBody   = runtime.MaxRecord + 4096
)

// extension is that of a character's file.
const extension = ".json"

// A Folder holds the characters of rulesets.
type Folder struct {
	Dir string
	// Rulesets returns those that are served.
	Rulesets func() []string

	mu sync.Mutex // a version is compared and a file written without another writer between
}

// A character is one as pages have it.
type character struct {
	ID        string          `json:"id"` // of the file, without its extension
	Name      string          `json:"name"`
	Version   string          `json:"version"`
	Ruleset   string          `json:"ruleset,omitempty"` // among those of several
	Character json.RawMessage `json:"character"`
}

// A draft is a character as a page sends it.
type draft struct {
	Name      string          `json:"name"`
	Version   string          `json:"version"` // that the page has seen; "" for a new one
	Character json.RawMessage `json:"character"`
}

// errConflict is the error of a file that is not what a page has seen.
var errConflict = errors.New("it was changed meanwhile, by another page or program")

// Handler returns the handler of the characters, below /kept/.
func (f *Folder) Handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /kept/{$}", func(w http.ResponseWriter, r *http.Request) {
		all, err := f.listAll()
		writeAnswer(w, all, err)
	})
	m.HandleFunc("GET /kept/{ruleset}", f.answer(func(r *http.Request, dir string) (any, error) { return list(dir) }))
	m.HandleFunc("PUT /kept/{ruleset}/{id}", f.answer(func(r *http.Request, dir string) (any, error) {
		var d draft
		text, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, longestBody))
		if err == nil {
			err = json.Unmarshal(text, &d)
		}
		if err != nil {
			return nil, fmt.Errorf("this is no character: %w", err)
		}
		return f.write(dir, r.PathValue("id"), &d)
	}))
	m.HandleFunc("DELETE /kept/{ruleset}/{id}", f.answer(func(r *http.Request, dir string) (any, error) {
		return struct{}{}, f.remove(dir, r.PathValue("id"), r.URL.Query().Get("version"))
	}))
	return m
}

// answer returns a handler that carries out a request in the directory of its ruleset.
func (f *Folder) answer(carryOut func(r *http.Request, dir string) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ruleset := r.PathValue("ruleset")
		if !slices.Contains(f.Rulesets(), ruleset) {
			http.Error(w, "there is no ruleset "+ruleset, http.StatusNotFound)
			return
		}
		value, err := carryOut(r, filepath.Join(f.Dir, ruleset))
		writeAnswer(w, value, err)
	}
}

// writeAnswer writes a value, or the error in its place.
func writeAnswer(w http.ResponseWriter, value any, err error) {
	var text []byte
	if err == nil {
		text, err = json.Marshal(value)
	}
	status := http.StatusUnprocessableEntity
	switch {
	case err == nil:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		w.Write(text)
		return
	case errors.Is(err, errConflict):
		status = http.StatusConflict
	case errors.Is(err, fs.ErrNotExist):
		status = http.StatusNotFound
	case errors.Is(err, fs.ErrPermission):
		status = http.StatusForbidden
	}
	http.Error(w, err.Error(), status)
}

// listAll returns the characters of all rulesets, each with the name of its own.
func (f *Folder) listAll() ([]character, error) {
	out := []character{}
	for _, ruleset := range f.Rulesets() {
		some, err := list(filepath.Join(f.Dir, ruleset))
		if err != nil {
			return nil, err
		}
		for i := range some {
			some[i].Ruleset = ruleset
		}
		out = append(out, some...)
	}
	return out, nil
}

// list returns the characters of a directory, by name. A file that holds no JSON object is none of them.
func list(dir string) ([]character, error) {
	out := []character{}
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, x := range files {
		id, isOne := strings.CutSuffix(x.Name(), extension)
		if !isOne || !x.Type().IsRegular() || strings.HasPrefix(id, ".") || len(out) == maxCharacters {
			continue
		}
		c, err := read(dir, id)
		if err != nil {
			return nil, err
		}
		if isObject(c.Character) {
			out = append(out, *c)
		}
	}
	return out, nil
}

// read returns the character of a file.
func read(dir, id string) (*character, error) {
	text, err := safefile.Read(filepath.Join(dir, id+extension))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return &character{ID: id, Name: unescape(id), Version: hex.EncodeToString(sum[:8]), Character: text}, nil
}

// write writes a character to the file of its name. A new one takes the next name that is free.
func (f *Folder) write(dir, id string, d *draft) (*character, error) {
	if !isObject(d.Character) {
		return nil, errors.New("a character is an object of JSON")
	}
	to := escape(d.Name)
	if len(to) > maxName {
		return nil, fmt.Errorf("the name is too long for a file: it may have %d bytes", maxName)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	isNew := d.Version == ""
	if isNew {
		known, err := list(dir)
		if err != nil {
			return nil, err
		}
		if len(known) == maxCharacters {
			return nil, fmt.Errorf("there are %d characters, as many as may be", maxCharacters)
		}
	} else if err := check(dir, id, d.Version); err != nil {
		return nil, err
	}
	if to != id || isNew {
		to = freeName(dir, to)
	}
	var text bytes.Buffer
	if err := json.Indent(&text, d.Character, "", "\t"); err != nil {
		return nil, err
	}
	text.WriteByte('\n')
	if err := atomicfile.TheDisk().WriteWhole(filepath.Join(dir, to+extension), text.Bytes()); err != nil {
		return nil, err
	}
	if !isNew && to != id {
		if err := os.Remove(filepath.Join(dir, id+extension)); err != nil {
			return nil, err
		}
	}
	return read(dir, to)
}

// remove removes the file of a character.
func (f *Folder) remove(dir, id, version string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := check(dir, id, version); err != nil {
		return err
	}
	return os.Remove(filepath.Join(dir, id+extension))
}

// check reports a file that is not what a page has seen.
func check(dir, id, version string) error {
	if escape(unescape(id)) != id {
		return fmt.Errorf("%q is no name of a file here: %w", id, fs.ErrNotExist)
	}
	c, err := read(dir, id)
	if errors.Is(err, fs.ErrNotExist) || err == nil && c.Version != version {
		return errConflict
	}
	return err
}

// freeName returns a name of a file that is not there yet: itself, or with a number behind it.
func freeName(dir, name string) string {
	for n, free := 2, name; ; n++ {
		if _, err := os.Lstat(filepath.Join(dir, free+extension)); errors.Is(err, fs.ErrNotExist) {
			return free
		}
		free = fmt.Sprintf("%s %d", name, n)
	}
}

func isObject(text json.RawMessage) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(text, &members) == nil && members != nil
}

// unwritable are characters that the name of a file may not have on some system.
const unwritable = `/\:*?"<>|%`

// escape returns a name as that of a file: a sign that it may not have becomes its bytes in hexadecimal behind "%".
func escape(name string) string {
	if name = strings.TrimSpace(strings.ToValidUTF8(name, "")); name == "" {
		name = "nameless"
	}
	var b strings.Builder
	for i, r := range name {
		if strings.ContainsRune(unwritable, r) || unicode.IsControl(r) || r == '.' && (i == 0 || i == len(name)-1) {
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// unescape returns the name behind that of a file; of a file that was not named here, its own.
func unescape(id string) string {
	var out []byte
	for i := 0; i < len(id); i++ {
		if id[i] == '%' && i+2 < len(id) {
			if c, err := hex.DecodeString(id[i+1 : i+3]); err == nil {
				out = append(out, c...)
				i += 2
				continue
			}
		}
		out = append(out, id[i])
	}
	return string(out)
}
