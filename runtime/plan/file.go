package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// A plan file is the line "rules plan", the version of the format (4 bytes, little-endian), the SHA-256 digest of
// what follows, and the plan: fields in the order of their declaration, integers as varints, lists and strings behind their length.

const (
	magic = "rules plan\n"
	// Version is the version of the plan file's format.
	Version = 1
	header  = len(magic) + 4 + sha256.Size
)

// The ways in which a plan file can be no plan.
var (
	ErrNotPlan = errors.New("this is no plan file")
	ErrDamaged = errors.New("the plan file is damaged: its digest does not match")
)

// A VersionError is a plan file of another version of the format.
type VersionError struct{ Version uint32 }

// Error says which way the versions differ.
func (e *VersionError) Error() string {
	if e.Version > Version {
		return fmt.Sprintf("the plan file has format %d, this program reads format %d: use a newer program", e.Version, Version)
	}
	return fmt.Sprintf("the plan file has format %d, this program reads format %d: build it again", e.Version, Version)
}

// Write gives the plan file of a plan. The same plan gives the same bytes.
func Write(p *Plan) []byte {
	c := &codec{writing: true}
	c.plan(p)
	digest := sha256.Sum256(c.buf)
	out := binary.LittleEndian.AppendUint32([]byte(magic), Version)
	return append(append(out, digest[:]...), c.buf...)
}

// Digest identifies a plan: the SHA-256 digest that its file carries.
func Digest(p *Plan) [sha256.Size]byte {
	c := &codec{writing: true}
	c.plan(p)
	return sha256.Sum256(c.buf)
}

// Read reads a plan file, or the plan in a release file, and verifies what it holds. Its errors are ErrNotPlan, *VersionError, ErrDamaged, or say what is not well
// formed.
func Read(file []byte) (*Plan, error) {
	if IsRelease(file) {
		r, err := ReadRelease(file)
		if err != nil {
			return nil, err
		}
		return r.Plan, nil
	}
	if !bytes.HasPrefix(file, []byte(magic)) {
		return nil, ErrNotPlan
	}
	if len(file) < header {
		return nil, ErrDamaged
	}
	if v := binary.LittleEndian.Uint32(file[len(magic):]); v != Version {
		return nil, &VersionError{v}
	}
	body := file[header:]
	if sha256.Sum256(body) != [sha256.Size]byte(file[len(magic)+4:header]) {
		return nil, ErrDamaged
	}
	return decode(body)
}

// decode reads the plan behind the header.
func decode(body []byte) (*Plan, error) {
	c := &codec{buf: body, text: string(body)}
	p := &Plan{}
	c.plan(p)
	switch {
	case c.bad != "":
		return nil, fmt.Errorf("the plan file is malformed at byte %d: %s", c.pos, c.bad)
	case c.pos != len(c.buf):
		return nil, fmt.Errorf("the plan file is malformed: %d bytes are left over", len(c.buf)-c.pos)
	}
	if err := Verify(p); err != nil {
		return nil, fmt.Errorf("the plan file is malformed: %w", err)
	}
	return p, nil
}
