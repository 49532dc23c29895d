package planfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/tabletop-rules/rules/runtime/internal/sha256"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A plan file and a release file are parts behind a directory, so that whoever asks for one rule reads only what that rule
// needs:
//
//	what       bytes
//	magic            the line "rules plan" or "rules release"
//	version    4     of the format, little-endian
//	digest     32    the SHA-256 digest of the directory
//	length     4     of the directory, little-endian
//	directory        of each part its name, its size and its SHA-256 digest, so that it vouches for every byte
//	parts            one behind the other, nothing between them and nothing behind the last
//
// The parts are those of sections; of a plan with homebrews their digests; of a plan with words these; of a release its
// changelog, its cases and, if it has them, its sources; then, if they were made, the instructions of each rule and
// procedure. In a part stand fields in the order of their declaration: integers as varints, lists behind their length, a
// string or a type where it stands first and then its number. Nothing depends on the machine that writes.

const (
	planMagic    = "rules plan\n"
	releaseMagic = "rules release\n"

	// Version is the version of the format: of this layout, of the fields of all parts, and of the numbers of operations.
	// It rises with every change of one of them once a program that writes it has been given to others. A program reads
	// no version but its own: sources are what lasts, plans are built again.
	Version = 5

	sizeSize = 4
	headSize = 4 + sha256.Size + sizeSize // of what stands between the magic and the directory

	// What begins the names of parts of rules, of procedures, and of the instructions of either.
	ruleName         = "rule "
	procedureName    = "procedure "
	instructionsName = "instructions of "

	// citationsName is the name of the part that only people and traces read.
	citationsName = "citations"
)

// The ways in which a plan file can be no plan.
var (
	ErrNotPlan = errors.New("this is no plan file")
	ErrDamaged = errors.New("the plan file is damaged: its digest does not match")
)

// A VersionError is a plan file of another version of the format.
type VersionError struct{ Version uint32 }

// Error says whether the file is older or newer than this program.
func (e *VersionError) Error() string {
	if e.Version > Version {
		return fmt.Sprintf("the plan file has format %d, this program reads format %d: use a newer program", e.Version,
			Version)
	}
	return fmt.Sprintf("the plan file has format %d, this program reads format %d: build it again", e.Version, Version)
}

// A Part is what the directory says of a part.
type Part struct {
	Name   string
	Size   int
	Digest [sha256.Size]byte
}

// A section is a part and what writes or reads it.
type section struct {
	name string
	code func(*codec)
}

// planSections returns the parts of a plan, in their order. The citations, the last of them, are not needed to carry rules
// out.
//
// The list is made for a plan in memory when writing, and for the outline of one when reading: rules and procedures must be
// there with their ids, and the rest is filled in.
func planSections(p *plan.Plan) []section {
	out := make([]section, 0, len(p.Rules)+len(p.Procedures)+10)
	out = append(out,
		section{"names", func(c *codec) { c.codeNames(p) }},
		section{"options", func(c *codec) { codeList(c, &p.Options, c.codeOption) }},
		section{"tables", func(c *codec) { codeList(c, &p.Tables, c.codeTable) }},
		section{"character", func(c *codec) { codeOptional(c, &p.Character, c.codeShape) }},
		section{"errata", func(c *codec) { codeList(c, &p.Errata, c.codeErratum) }},
	)
	for i := range p.Rules {
		r := &p.Rules[i]
		out = append(out, section{ruleName + r.ID, func(c *codec) { c.codeRule(r) }})
	}
	for i := range p.Procedures {
		d := &p.Procedures[i]
		out = append(out, section{procedureName + d.ID, func(c *codec) { c.codeProcedure(d) }})
	}
	return append(out, section{citationsName, func(c *codec) { c.codeCitations(p) }})
}

// The names of parts that not every plan has: the digests of homebrews, which only plans have that homebrews have changed,
// the texts for people, and the functions by themselves, which only plans have that are made to play cases.
const (
	overlaysName  = "homebrews"
	textsName     = "words"
	functionsName = "functions"
)

// extras says which parts a file has beside the rules.
type extras struct{ homebrews, words, functions bool }

func extrasOf(p *plan.Plan) extras {
	return extras{len(p.OverlayDigests) > 0, len(p.Words) > 0, len(p.Functions) > 0}
}

// fileSections returns the parts of a plan that stand in a file: those of the rules, where they are known the digests of
// homebrews, the words, and the functions.
func fileSections(p *plan.Plan, x extras) []section {
	out := planSections(p)
	if x.homebrews {
		out = append(out, overlaySection(p))
	}
	if x.words {
		out = append(out, section{textsName, func(c *codec) { c.codeWords(&p.Words) }})
	}
	if x.functions {
		out = append(out, section{functionsName, func(c *codec) { codeList(c, &p.Functions, c.codeFunction) }})
	}
	return out
}

func overlaySection(p *plan.Plan) section {
	return section{overlaysName, func(c *codec) { c.codeStrings(&p.OverlayDigests) }}
}

// Instructions returns those of a graph for the default options and all outputs, as bytes that only schedule
// understands; nil when there are none.
type Instructions func(plan.Body) []byte

// listSections returns the parts with the instructions of each rule and procedure.
func (w Instructions) listSections(p *plan.Plan) []section {
	var out []section
	for name, bodies := range instructionSections(p) {
		out = append(out, section{name, func(c *codec) {
			var list [][]byte
			for _, b := range bodies {
				list = append(list, w(b))
			}
			c.codeInstructions(&list)
		}})
	}
	return out
}

// instructionSections returns the parts with instructions, and the graphs to which these belong.
func instructionSections(p *plan.Plan) iter.Seq2[string, []plan.Body] {
	return func(yield func(string, []plan.Body) bool) {
		for i := range p.Rules {
			if r := &p.Rules[i]; !yield(instructionsName+ruleName+r.ID, []plan.Body{p.RuleBody(r)}) {
				return
			}
		}
		for i := range p.Procedures {
			if d := &p.Procedures[i]; !yield(instructionsName+procedureName+d.ID, p.Steps(d)) {
				return
			}
		}
	}
}

func (c *codec) codeInstructions(p *[][]byte) { codeList(c, p, c.codeBytes) }

// codeBytes writes or reads bytes behind their length.
func (c *codec) codeBytes(p *[]byte) {
	n := c.codeCount(len(*p))
	if c.writing {
		c.buf = append(c.buf, *p...)
		return
	}
	if *p = c.takeRaw(n); n == 0 {
		*p = nil
	}
}

// withInstructions returns the sections of a file, with instructions or without.
func withInstructions(sections []section, p *plan.Plan, w Instructions) []section {
	if w == nil {
		return sections
	}
	return append(sections, w.listSections(p)...)
}

// Write returns the plan file of a plan, with these instructions; nil for a file without, whose rules are
// scheduled when they are asked for. The same plan gives the same bytes.
func Write(p *plan.Plan, w Instructions) []byte {
	return writeFile(planMagic, withInstructions(fileSections(p, extrasOf(p)), p, w))
}

// DigestSize is the size of a digest in bytes.
const DigestSize = sha256.Size

// Digest returns the SHA-256 digest of the directory of a plan's parts, which identifies the rules. Instructions are
// none of them: they follow from the graphs, and another release of this program may schedule better. Nor are the
// digests of homebrews, whose files may differ in comments, nor the words, by which nothing is computed. So it stays
// the same while the rules do, but it does not vouch for the instructions that stand in a file: for that see
// (*Archive).Digest.
func Digest(p *plan.Plan) [DigestSize]byte {
	parts, _ := encodeSections(planSections(p))
	return sha256.Sum256(encodeDirectory(parts))
}

// encodeSections writes parts.
func encodeSections(sections []section) (parts []Part, body []byte) {
	c := newWriter()
	for _, s := range sections {
		c.beginPart()
		s.code(c)
		parts = append(parts, Part{s.name, len(c.buf), sha256.Sum256(c.buf)})
		body = append(body, c.buf...)
	}
	return parts, body
}

// encodeDirectory writes a directory.
func encodeDirectory(parts []Part) []byte {
	c := newWriter()
	codeList(c, &parts, c.codePart)
	return c.buf
}

func (c *codec) codePart(p *Part) {
	c.codeString(&p.Name)
	codeNumber(c, &p.Size)
	if c.writing {
		c.buf = append(c.buf, p.Digest[:]...)
		return
	}
	copy(p.Digest[:], c.takeRaw(sha256.Size))
}

// takeRaw takes so many bytes.
func (c *codec) takeRaw(n int) []byte {
	if c.bad != "" || n > len(c.buf)-c.pos {
		c.failWith("bytes do not end")
		return nil
	}
	c.pos += n
	return c.buf[c.pos-n : c.pos]
}

func writeFile(magic string, sections []section) []byte {
	parts, body := encodeSections(sections)
	return append(prependHead(magic, encodeDirectory(parts)), body...)
}

// prependHead puts the head of a file before its directory.
func prependHead(magic string, directory []byte) []byte {
	digest := sha256.Sum256(directory)
	out := binary.LittleEndian.AppendUint32([]byte(magic), Version)
	out = append(out, digest[:]...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(directory)))
	return append(out, directory...)
}

// readHead returns the magic of a file and its directory, whose digest has been compared.
func readHead(file io.ReaderAt, size int64) (magic string, directory []byte, err error) {
	head := make([]byte, min(size, int64(len(releaseMagic)+headSize)))
	if _, err := file.ReadAt(head, 0); err != nil && err != io.EOF {
		return "", nil, err
	}
	if magic = magicOf(head); magic == "" {
		return "", nil, ErrNotPlan
	}
	at := int64(len(magic) + headSize)
	if size < at {
		return "", nil, ErrDamaged
	}
	head = head[len(magic):at]
	if v := binary.LittleEndian.Uint32(head); v != Version {
		return "", nil, &VersionError{v}
	}
	if n := int64(binary.LittleEndian.Uint32(head[headSize-sizeSize:])); n <= size-at {
		directory = make([]byte, n)
	}
	if _, err := file.ReadAt(directory, at); err != nil && err != io.EOF {
		return "", nil, err
	}
	if sha256.Sum256(directory) != [sha256.Size]byte(head[4:]) {
		return "", nil, ErrDamaged
	}
	return magic, directory, nil
}

// magicOf returns the magic with which a file begins; empty if no plan begins so.
func magicOf(head []byte) string {
	for _, magic := range [...]string{planMagic, releaseMagic} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return magic
		}
	}
	return ""
}

// checkEnd returns the error of a part: the one that was met, or that not all of it was read.
func (c *codec) checkEnd(what string) error {
	switch {
	case c.bad != "":
		return malformedError("%s, byte %d: %s", what, c.pos, c.bad)
	case c.pos != len(c.buf):
		return malformedError("%s: %d bytes are left over", what, len(c.buf)-c.pos)
	}
	return nil
}

func malformedError(format string, args ...any) error {
	return fmt.Errorf("the plan file is malformed: "+format, args...)
}
