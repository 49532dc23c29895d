package signature

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/atomicfile"
)

// trustFile is where the user's trusted keys stand, one a line.
func trustFile() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "tabletop-rules", "trusted_keys"), err
}

// TrustedKeys are the public keys that the user trusts, in the order in which they were added.
func TrustedKeys() ([]string, error) {
	name, err := trustFile()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return strings.Fields(string(text)), err
}

// AddTrusted trusts a public key from now on. A key that is trusted already stays where it is.
func AddTrusted(key string) error {
	keys, err := TrustedKeys()
	if err != nil || slices.Contains(keys, key) {
		return err
	}
	name, err := trustFile()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return atomicfile.TheDisk().WriteWhole(name, []byte(strings.Join(append(keys, key), "\n")+"\n"))
}
