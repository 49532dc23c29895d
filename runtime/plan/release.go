package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// A release file is the line "rules release", the version of the format (4 bytes, little-endian), the SHA-256 digest of the
// directory, its length (4 bytes), the directory, and the parts, one behind the other. The directory lists each part's
// name, length and digest, so that it vouches for every byte. The sections of the plan are parts of their own.

const (
	releaseMagic  = "rules release\n"
	releaseHeader = len(releaseMagic) + 4 + sha256.Size + 4
)

// A Release is a revision of a ruleset as it is given to others: a plan, what changed up to it, and the cases that it was
// held to, so that a later revision can be compared with what this one answers.
type Release struct {
	Plan      *Plan
	Changelog string // Markdown, the newest revision first
	Cases     []File
}

// A File is a golden case as it was written.
type File struct {
	Name string // without a directory
	Data string
}

// A Part is what the directory of a release says of a part.
type Part struct {
	Name   string
	Size   int
	Digest [sha256.Size]byte
}

// A partCode writes or reads one part of a release.
type partCode struct {
	name string
	code func(*codec, *Release)
}

// partCodes are the parts of a release, in their order.
func partCodes() []partCode {
	var out []partCode
	for _, s := range sections {
		out = append(out, partCode{s.name, func(c *codec, r *Release) { s.code(c, r.Plan) }})
	}
	return append(out,
		partCode{"changelog", func(c *codec, r *Release) { c.string(&r.Changelog) }},
		partCode{"cases", func(c *codec, r *Release) { list(c, &r.Cases, c.file) }})
}

func (c *codec) file(f *File) {
	c.string(&f.Name)
	c.string(&f.Data)
}

func (c *codec) part(p *Part) {
	c.string(&p.Name)
	number(c, &p.Size)
	if c.writing {
		c.buf = append(c.buf, p.Digest[:]...)
		return
	}
	copy(p.Digest[:], c.raw(sha256.Size))
}

// raw takes so many bytes.
func (c *codec) raw(n int) []byte {
	if c.bad != "" || n > len(c.buf)-c.pos {
		c.wrong("a digest does not end")
		return nil
	}
	c.pos += n
	return c.buf[c.pos-n : c.pos]
}

// Parts are what the directory of the release's file says.
func (r *Release) Parts() []Part {
	parts, _ := r.encode()
	return parts
}

func (r *Release) encode() (parts []Part, body []byte) {
	for _, x := range partCodes() {
		c := &codec{writing: true}
		x.code(c, r)
		parts = append(parts, Part{x.name, len(c.buf), sha256.Sum256(c.buf)})
		body = append(body, c.buf...)
	}
	return parts, body
}

// WriteRelease gives the release file. The same release gives the same bytes.
func WriteRelease(r *Release) []byte {
	parts, body := r.encode()
	c := &codec{writing: true}
	list(c, &parts, c.part)
	digest := sha256.Sum256(c.buf)
	out := binary.LittleEndian.AppendUint32([]byte(releaseMagic), Version)
	out = append(out, digest[:]...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(c.buf)))
	return append(append(out, c.buf...), body...)
}

// IsRelease reports whether a file begins as a release file does.
func IsRelease(file []byte) bool { return bytes.HasPrefix(file, []byte(releaseMagic)) }

// ReadRelease reads a release file and verifies what it holds. Its errors are those of Read.
func ReadRelease(file []byte) (*Release, error) {
	if !IsRelease(file) {
		return nil, ErrNotPlan
	}
	if len(file) < releaseHeader {
		return nil, ErrDamaged
	}
	if v := binary.LittleEndian.Uint32(file[len(releaseMagic):]); v != Version {
		return nil, &VersionError{v}
	}
	size := uint64(binary.LittleEndian.Uint32(file[releaseHeader-4:]))
	rest := file[releaseHeader:]
	if size > uint64(len(rest)) || sha256.Sum256(rest[:size]) != [sha256.Size]byte(file[len(releaseMagic)+4:]) {
		return nil, ErrDamaged
	}
	parts, err := directory(rest[:size])
	if err != nil {
		return nil, err
	}
	return decodeRelease(parts, rest[size:])
}

// directory reads the directory of a release, which lists the parts that every release has, in their order.
func directory(buf []byte) ([]Part, error) {
	c := &codec{buf: buf, text: string(buf)}
	var parts []Part
	list(c, &parts, c.part)
	if err := c.end("the directory"); err != nil {
		return nil, err
	}
	codes := partCodes()
	if len(parts) != len(codes) {
		return nil, fmt.Errorf("the plan file is malformed: a release has %d parts, not %d", len(codes), len(parts))
	}
	for i, p := range parts {
		if p.Name != codes[i].name || p.Size < 0 {
			return nil, fmt.Errorf("the plan file is malformed: part %d is %q, not %q", i+1, p.Name, codes[i].name)
		}
	}
	return parts, nil
}

func decodeRelease(parts []Part, body []byte) (*Release, error) {
	r := &Release{Plan: &Plan{}}
	codes := partCodes()
	for i, p := range parts {
		if p.Size > len(body) || sha256.Sum256(body[:p.Size]) != p.Digest {
			return nil, fmt.Errorf("%w (part %s)", ErrDamaged, p.Name)
		}
		c := &codec{buf: body[:p.Size], text: string(body[:p.Size])}
		codes[i].code(c, r)
		if err := c.end("part " + p.Name); err != nil {
			return nil, err
		}
		body = body[p.Size:]
	}
	if len(body) > 0 {
		return nil, fmt.Errorf("the plan file is malformed: %d bytes are left over", len(body))
	}
	if err := Verify(r.Plan); err != nil {
		return nil, fmt.Errorf("the plan file is malformed: %w", err)
	}
	return r, nil
}

// end says what was wrong, or that not all was read.
func (c *codec) end(what string) error {
	switch {
	case c.bad != "":
		return fmt.Errorf("the plan file is malformed: %s, byte %d: %s", what, c.pos, c.bad)
	case c.pos != len(c.buf):
		return fmt.Errorf("the plan file is malformed: %s: %d bytes are left over", what, len(c.buf)-c.pos)
	}
	return nil
}
