package library

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// maxWatched bounds the files that are looked at: a directory with more is no module, and is not watched to its end.
const maxWatched = 20_000

// Watch reloads the library whenever a file of these directories has changed, until the context ends. It looks at sizes and
// times, which costs a millisecond for the largest module that ships and works on every system and file system alike.
func (l *Library) Watch(ctx context.Context, dirs []string, pause time.Duration) {
	last := stampOf(dirs)
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now := stampOf(dirs); now != last {
			last = now
			_ = l.Reload() // Problem tells it on every page
		}
	}
}

// A stamp changes when a file of a module does.
type stamp struct {
	files, bytes int64
	newest       int64 // in nanoseconds
	names        uint64
}

// stampOf looks at the CUE and JSON files and at the golden cases of directories.
func stampOf(dirs []string) (s stamp) {
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil // what cannot be read is for the compiler to say
			case d.IsDir() && path != dir && strings.HasPrefix(d.Name(), "."):
				return filepath.SkipDir
			case s.files == maxWatched:
				return filepath.SkipAll
			case d.Type().IsRegular() && isSource(d.Name()):
				s.add(path, d)
			}
			return nil
		})
	}
	return s
}

func isSource(name string) bool {
	switch filepath.Ext(name) {
	case ".cue", ".json", ".txtar":
		return true
	}
	return false
}

// A sum over names notices a file that was renamed and kept its time and size. Order does not
// count, as a walk has always the same one.
func (s *stamp) add(path string, d fs.DirEntry) {
	info, err := d.Info()
	if err != nil {
		return
	}
	s.files++
	s.bytes += info.Size()
	s.newest = max(s.newest, info.ModTime().UnixNano())
	for _, c := range []byte(path) {
		s.names = s.names*31 + uint64(c) + 1
	}
}
