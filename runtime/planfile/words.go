package planfile

import (
	"bytes"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// EncodeWords encodes texts as Plan.Words holds them.
func EncodeWords(w *plan.Words) []byte {
	c := newWriter()
	c.codeTexts(w)
	return bytes.Clone(c.buf)
}

// DecodeWords returns the texts of a plan, none of a plan without. It panics on words that no compiler made and no plan
// file gave: reading refuses those that are malformed.
func DecodeWords(p *plan.Plan) *plan.Words {
	w, err := decodeWords(p.Words)
	if err != nil {
		panic(err)
	}
	return w
}

func decodeWords(text []byte) (*plan.Words, error) {
	w := &plan.Words{}
	if len(text) == 0 {
		return w, nil
	}
	c := newReader(text)
	c.codeTexts(w)
	if err := c.checkEnd("part " + textsName); err != nil {
		return nil, err
	}
	return w, nil
}

// codeWords writes or reads words in their encoding. Bytes that are read are decoded once to prove them, and kept
// encoded, because only displays need the words.
func (c *codec) codeWords(p *[]byte) {
	if c.writing {
		c.buf = append(c.buf, *p...)
		return
	}
	if _, err := decodeWords(c.buf); err != nil || len(c.buf) == 0 {
		c.failWith("the words are malformed")
	}
	*p = c.takeRaw(len(c.buf) - c.pos)
}

func (c *codec) codeTexts(w *plan.Words) {
	c.codeString(&w.Language)
	codeList(c, &w.Names, c.codeWord)
	codeList(c, &w.Texts, func(t *plan.Texts) {
		codeNumber(c, &t.Kind)
		c.codeString(&t.ID)
		c.codeStrings(&t.Label)
		c.codeString(&t.Short)
		codeOptional(c, &t.Headline, c.codeSay)
		codeOptional(c, &t.Say, c.codeSay)
		codeOptional(c, &t.Offered, c.codeSay)
	})
	codeList(c, &w.Fields, c.codeFieldHint)
}

func (c *codec) codeFieldHint(h *plan.FieldHint) {
	codeNumber(c, &h.Root)
	if h.Root >= plan.NumRoots {
		c.failWith("a field is of none of the records that there are")
	}
	c.codeString(&h.Of)
	c.codeString(&h.Path)
	codeNumber(c, &h.Primary)
	c.codeString(&h.Group)
	codeOptional(c, &h.Steps, func(s *plan.Steps) {
		c.codeFloat(&s.By)
		codeOptional(c, &s.Min, c.codeBound)
		codeOptional(c, &s.Max, c.codeBound)
		if !(s.By > 0) {
			c.failWith("a number has no steps")
		}
	})
	codeOptional(c, &h.Rolls, func(r *plan.Rolling) {
		c.codeString(&r.Rule)
		codeList(c, &r.Input, func(i *plan.RollInput) {
			c.codeString(&i.Name)
			c.codeString(&i.Value)
		})
	})
}

func (c *codec) codeWord(w *plan.Word) {
	c.codeString(&w.Name)
	c.codeStrings(&w.Label)
	c.codeString(&w.Short)
	codeList(c, &w.Units, func(u *plan.Unit) {
		codeNumber(c, &u.Size)
		c.codeStrings(&u.Forms)
		if u.Size < 1 {
			c.failWith("a unit has no size")
		}
	})
	codeNumber(c, &w.Tone)
	if w.Tone >= plan.NumTones {
		c.failWith("a tone is none of those that there are")
	}
	codeOptional(c, &w.Yes, c.codeWord)
	codeOptional(c, &w.No, c.codeWord)
}

func (c *codec) codeSay(s *plan.Say) {
	if c.depth++; c.depth > plan.MaxDepth {
		c.failWith("sentences are nested too deeply")
		return
	}
	codeList(c, &s.Parts, c.codeSayPart)
	c.codeString(&s.Of)
	codeList(c, &s.Cases, func(x *plan.SayCase) {
		c.codeString(&x.If)
		c.codeSay(&x.Say)
	})
	c.depth--
}

func (c *codec) codeSayPart(p *plan.SayPart) {
	if c.depth++; c.depth > plan.MaxDepth {
		c.failWith("sentences are nested too deeply")
		return
	}
	c.codeString(&p.Text)
	c.codeString(&p.Hole)
	c.codeStrings(&p.Forms)
	codeList(c, &p.Optional, c.codeSayPart)
	c.depth--
}
