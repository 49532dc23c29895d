package schedule

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Stored gives the code of each body of a plan for the default options and all outputs, as a plan file keeps it: varints in
// the order of (*store).code. A body that words cannot express has none.
func Stored(p *plan.Plan) func(plan.Body) []byte {
	return func(b plan.Body) []byte {
		code, err := Default(p, b, nil)
		if err != nil {
			return nil
		}
		s := &store{writing: true}
		s.code(code)
		return s.buf
	}
}

// Restore gives the code of a body that Stored has given, or says what is malformed: whatever the bytes are, executing
// the code reads and writes nothing but what is there.
func Restore(p *plan.Plan, b plan.Body, words []byte) (*Code, error) {
	c := &Code{graph: b.Graph}
	c.Base, c.FirstConst = records(b.Slots())
	s := &store{buf: words}
	s.code(c)
	err := s.err
	if err == nil {
		err = check(p, c)
	}
	if err != nil {
		return nil, fmt.Errorf("the plan file is malformed: the words of %s: %w", b.Title, err)
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

func (s *store) code(c *Code) {
	number(s, &c.Slots)
	each(s, &c.Words, s.word)
	each(s, &c.from, func(id *plan.ID) { number(s, id) })
	each(s, &c.Pool, func(slot *uint16) { number(s, slot) })
	each(s, &c.Consts, func(bits *int64) { number(s, bits) })
	each(s, &c.Dense, s.dense)
	each(s, &c.Loops, func(slots *[]uint16) { each(s, slots, func(slot *uint16) { number(s, slot) }) })
	each(s, &c.slots, func(slot *int32) { number(s, slot) })
	each(s, &c.kept, s.truth)
	if s.err == nil && !s.writing && len(s.buf) > 0 {
		s.err = fmt.Errorf("%d bytes are left over", len(s.buf))
	}
}

func (s *store) word(w *Word) {
	number(s, &w.Op)
	for _, slot := range [...]*uint16{&w.D, &w.A, &w.B, &w.C} {
		number(s, slot)
	}
	number(s, &w.Imm)
}

func (s *store) dense(d *Dense) {
	number(s, &d.First)
	each(s, &d.Cells, func(bits *int64) { number(s, bits) })
}

func (s *store) truth(p *bool) {
	n := 0
	if *p {
		n = 1
	}
	number(s, &n)
	*p = n == 1
}

// number writes or reads a number of any type.
func number[T ~int | ~int32 | ~int64 | ~uint16](s *store, p *T) {
	switch {
	case s.writing:
		s.buf = binary.AppendVarint(s.buf, int64(*p))
	case s.err == nil:
		v := s.varint()
		if *p = T(v); int64(*p) != v {
			s.err = fmt.Errorf("%d is out of range", v)
		}
	}
}

// varint reads a number.
func (s *store) varint() int64 {
	v, n := binary.Varint(s.buf)
	if n <= 0 {
		s.err = errors.New("a number does not end")
		return 0
	}
	s.buf = s.buf[n:]
	return v
}

// each writes or reads a list; a nil list and an empty one are the same.
func each[T any](s *store, p *[]T, code func(*T)) {
	n := len(*p)
	number(s, &n)
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
