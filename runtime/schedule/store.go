package schedule

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Stored returns a function that gives the code of each body of a plan for the default options and all outputs, as a plan
// file keeps it: varints in the order of (*store).codeCode. A body that instructions cannot express has none.
func Stored(p *plan.Plan) func(plan.Body) []byte {
	return func(b plan.Body) []byte {
		code, err := Default(p, b, nil)
		if err != nil {
			return nil
		}
		s := &store{writing: true}
		s.codeCode(code)
		return s.buf
	}
}

// Restore returns the code of a body from the bytes of Stored. Its error says where they are malformed: whatever the bytes
// are, executing the code reads and writes nothing outside of its frame and its tables.
func Restore(p *plan.Plan, b plan.Body, stored []byte) (*Code, error) {
	c := &Code{graph: b.Graph}
	c.Base, c.FirstConst = layOutRecords(b.Slots())
	s := &store{buf: stored}
	s.codeCode(c)
	err := s.err
	if err == nil {
		err = checkCode(p, c)
	}
	if err != nil {
		return nil, fmt.Errorf("the plan file is malformed: the instructions of %s: %w", b.Title, err)
	}
	return c, nil
}

// A store writes or reads numbers: each part of code is described once, by a method that does the one or the other. It
// allocates nothing that the bytes left could not fill.
type store struct {
	writing bool
	buf     []byte // what has been written, or is left to be read
	err     error
}

func (s *store) codeCode(c *Code) {
	codeNumber(s, &c.Slots)
	codeList(s, &c.Instructions, s.codeInstruction)
	codeList(s, &c.from, func(id *plan.ID) { codeNumber(s, id) })
	codeList(s, &c.Pool, func(slot *uint16) { codeNumber(s, slot) })
	codeList(s, &c.Consts, func(bits *int64) { codeNumber(s, bits) })
	codeList(s, &c.Dense, s.codeDense)
	codeList(s, &c.Loops, func(slots *[]uint16) { codeList(s, slots, func(slot *uint16) { codeNumber(s, slot) }) })
	codeList(s, &c.slots, func(slot *int32) { codeNumber(s, slot) })
	codeList(s, &c.isReadable, s.codeTruth)
	if s.err == nil && !s.writing && len(s.buf) > 0 {
		s.err = fmt.Errorf("%d bytes are left over", len(s.buf))
	}
}

func (s *store) codeInstruction(w *Instruction) {
	codeNumber(s, &w.Op)
	for _, slot := range [...]*uint16{&w.D, &w.A, &w.B, &w.C} {
		codeNumber(s, slot)
	}
	codeNumber(s, &w.Imm)
}

func (s *store) codeDense(d *Dense) {
	codeNumber(s, &d.First)
	codeList(s, &d.Cells, func(bits *int64) { codeNumber(s, bits) })
}

func (s *store) codeTruth(p *bool) {
	n := 0
	if *p {
		n = 1
	}
	codeNumber(s, &n)
	*p = n == 1
}

// codeNumber writes or reads a number of any type.
func codeNumber[T ~int | ~int32 | ~int64 | ~uint16](s *store, p *T) {
	switch {
	case s.writing:
		s.buf = binary.AppendVarint(s.buf, int64(*p))
	case s.err == nil:
		v := s.codeVarint()
		if *p = T(v); int64(*p) != v {
			s.err = fmt.Errorf("%d is out of range", v)
		}
	}
}

// codeVarint reads a number.
func (s *store) codeVarint() int64 {
	v, n := binary.Varint(s.buf)
	if n <= 0 {
		s.err = errors.New("a number does not end")
		return 0
	}
	s.buf = s.buf[n:]
	return v
}

// codeList writes or reads a list; a nil list and an empty one are the same.
func codeList[T any](s *store, p *[]T, code func(*T)) {
	n := len(*p)
	codeNumber(s, &n)
	if s.err == nil && !s.writing && (n < 0 || n > len(s.buf)) {
		s.err = fmt.Errorf("a list has %d parts", n)
	}
	if s.err == nil && !s.writing && n > 0 {
		*p = make([]T, n)
	}
	for i := range *p {
		code(&(*p)[i])
	}
}
