package workspace

import "path/filepath"

// Below returns those of some files, named as they are found from here, that lie in a directory: by their paths from there.
func Below(dir string, files map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	for name, text := range files {
		if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) {
			out[filepath.ToSlash(rel)] = text
		}
	}
	return out
}
