package registry

import (
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"strings"
	"unicode"

	"cuelabs.dev/go/oci/ociregistry/ociref"
)

// A Reference names something in a registry: HOST/REPOSITORY:TAG, HOST/REPOSITORY@sha256:DIGEST, or with neither. Of a
// layout the host and the repository are its directory: ./games/tempestas:0.1.0.
type Reference struct{ ociref.Reference }

// ParseReference reads a reference as people write it.
func ParseReference(text string) (Reference, error) {
	if isPath(text) {
		return parseLayout(text)
	}
	ref, err := ociref.Parse(text)
	if err != nil {
		return Reference{}, fmt.Errorf("%q is no reference, like harbor.example/games/tempestas:0.1.0, or "+
			"./games/tempestas:0.1.0 of a directory: %w", text, err)
	}
	if ref.Digest != "" && !strings.HasPrefix(string(ref.Digest), "sha256:") {
		return Reference{}, fmt.Errorf("%q has a digest that is not of SHA-256", text)
	}
	return Reference{ref}, nil
}

// isPath reports whether a text is the path of a directory: it begins with ./, ../, / or the letter of a drive. No host
// does.
func isPath(text string) bool {
	slashed := filepath.ToSlash(text)
	return strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../") || strings.HasPrefix(slashed, "/") ||
		filepath.VolumeName(text) != ""
}

// parseLayout reads the directory of a layout, and a tag or a digest behind it. Directories above it may have a colon or an
// @ in their names.
func parseLayout(text string) (Reference, error) {
	path := filepath.ToSlash(text)
	at := strings.LastIndexByte(path, '/')
	tagged, hash, hasDigest := strings.Cut(path[at+1:], "@")
	name, tag, hasTag := strings.Cut(tagged, ":")
	switch {
	case at < 0 || name == "" || name == "." || name == "..":
		return Reference{}, fmt.Errorf("%q names no directory, like ./games/tempestas:0.1.0", text)
	case hasTag && (tag == "" || !ociref.IsValidTag(tag)):
		return Reference{}, fmt.Errorf("%q has no tag, like 0.1.0, behind the colon", text)
	case hasDigest && !(ociref.IsValidDigest(hash) && strings.HasPrefix(hash, "sha256:")):
		return Reference{}, fmt.Errorf("%q has no digest of SHA-256 behind the @", text)
	case strings.ContainsFunc(path, unicode.IsControl):
		return Reference{}, fmt.Errorf("%q has a control character in its path, which no lock file can hold", text)
	}
	return Reference{ociref.Reference{Host: path[:at], Repository: name, Tag: tag, Digest: ociref.Digest(hash)}}, nil
}

// Layout returns the directory of a reference that is one of a layout.
func (r Reference) Layout() (dir string, ok bool) {
	if !isPath(r.Host + "/") {
		return "", false
	}
	return filepath.FromSlash(r.Host + "/" + r.Repository), true
}

// RelativeTo returns the reference as a lock file in a directory has it: with the path of a layout from there on. Absolute
// paths and references to registries stay.
func (r Reference) RelativeTo(dir string) (Reference, error) {
	if !r.hasRelativePath() {
		return r, nil
	}
	from, err := filepath.Abs(dir)
	if err != nil {
		return r, err
	}
	to, err := filepath.Abs(filepath.FromSlash(r.Host))
	if err != nil {
		return r, err
	}
	path, err := filepath.Rel(followLinks(from), followLinks(to))
	if err != nil { // they lie on two drives
		path = to
	}
	return r.withPath(path), nil
}

// From returns a reference of a lock file in a directory as it is written here. It is the inverse of RelativeTo.
func (r Reference) From(dir string) Reference {
	if !r.hasRelativePath() {
		return r
	}
	return r.withPath(filepath.Join(followLinks(dir), filepath.FromSlash(r.Host)))
}

// followLinks returns a path without symbolic links, as far as it is there: "link/.." is where the link points to, so that
// the way from there on is another one than the path says.
func followLinks(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(followLinks(parent), filepath.Base(path))
}

func (r Reference) hasRelativePath() bool {
	dir, ok := r.Layout()
	return ok && !filepath.IsAbs(dir)
}

// withPath returns the reference to the same layout in another directory.
func (r Reference) withPath(dir string) Reference {
	if r.Host = filepath.ToSlash(dir); !isPath(r.Host + "/") {
		r.Host = "./" + r.Host
	}
	return r
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
