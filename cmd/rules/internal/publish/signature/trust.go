package signature

import (
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/userlist"
)

// trustedKeys is the user's list of public keys.
const trustedKeys userlist.List = "trusted_keys"

// TrustedKeys returns the public keys that the user trusts, in the order in which they were added.
func TrustedKeys() ([]string, error) { return trustedKeys.Read() }

// AddTrusted trusts a public key from now on. A key that is trusted already stays where it is.
func AddTrusted(key string) error {
	keys, err := TrustedKeys()
	if err != nil || slices.Contains(keys, key) {
		return err
	}
	return trustedKeys.Write(append(keys, key))
}

// RemoveTrusted trusts a key no more, which is given whole or as messages name it, and gives that name; "" when no such key
// is trusted.
func RemoveTrusted(key string) (string, error) {
	keys, err := TrustedKeys()
	if err != nil {
		return "", err
	}
	for i, text := range keys {
		v, err := ParsePublicKey(text)
		if err == nil && (text == key || KeyName(v) == key) {
			return KeyName(v), trustedKeys.Write(slices.Delete(keys, i, i+1))
		}
	}
	return "", nil
}
