package registry

import (
	"fmt"
	"net"
	"net/netip"
	"strings"

	"cuelabs.dev/go/oci/ociregistry/ociref"
)

// A Reference names something in a registry: HOST/REPOSITORY:TAG, HOST/REPOSITORY@sha256:DIGEST, or with neither.
type Reference struct{ ociref.Reference }

// ParseReference reads a reference as people write it.
func ParseReference(text string) (Reference, error) {
	ref, err := ociref.Parse(text)
	if err != nil {
		return Reference{}, fmt.Errorf("%q is no reference, like harbor.example/games/tempestas:0.1.0: %w", text, err)
	}
	if ref.Digest != "" && !strings.HasPrefix(string(ref.Digest), "sha256:") {
		return Reference{}, fmt.Errorf("%q has a digest that is not of SHA-256", text)
	}
	return Reference{ref}, nil
}

// Name returns the reference without its digest, as a lock file has it: the name may move, and the digest beside it stays.
func (r Reference) Name() string {
	r.Digest = ""
	return r.String()
}

// WithTag returns the reference of a tag of the same repository.
func (r Reference) WithTag(tag string) Reference {
	r.Tag, r.Digest = tag, ""
	return r
}

// IsLoopback reports whether a host is this machine. There plain HTTP is spoken, as CUE does with its modules: nobody
// listens in between, and a registry that somebody tries out has no certificate.
func IsLoopback(hostPort string) bool {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(hostPort, "["), "]")
	}
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}
