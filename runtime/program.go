package runtime

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/partial"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Program is a plan that is ready to be executed. It may be used by several goroutines at once.
type Program struct {
	plan       *plan.Plan
	digest     string // of the file; "" without one
	planDigest func() [planfile.DigestSize]byte
	image      *vm.Image
	character  *jsonio.Schema
	words      map[*plan.Graph][]byte // as the plan's file has them, for the plan's defaults
	codes      codeCache
	quoted     func() []jsonio.Token // the plan's symbols as JSON
}

// Plan is the plan that is executed; it must not be changed.
func (p *Program) Plan() *plan.Plan { return p.plan }

// Digest returns the digest of the file that the program was loaded from, with every byte that can change an answer:
// "sha256:" and 64 digits, as "rules release" prints it. It is empty for a program that New has made. To run nothing but
// the published file, compare it with the published digest before asking anything.
func (p *Program) Digest() string { return p.digest }

// PlanDigest returns planfile.Digest of the plan, which identifies the rules whatever file they stand in. It is computed
// when it is first asked for, which takes some milliseconds.
func (p *Program) PlanDigest() [planfile.DigestSize]byte { return p.planDigest() }

// New prepares a plan for which plan.Verify holds.
func New(p *plan.Plan) *Program {
	out := &Program{plan: p, image: vm.NewImage(p)}
	out.character = jsonio.NewRootSchema(out.image, plan.CharacterRoot, p.Character)
	out.planDigest = sync.OnceValue(func() [planfile.DigestSize]byte { return planfile.Digest(p) })
	out.quoted = sync.OnceValue(func() []jsonio.Token { return jsonio.QuoteAll(p.Symbols) })
	return out
}

// Load prepares the plan in a plan file, as "rules build" and "rules release" write it: all of it or, which takes a
// fraction of the time, a plan cut down to the rules and procedures of some names. Its errors are those of planfile.Open,
// and *UnknownError.
func Load(file []byte, only ...string) (*Program, error) {
	return LoadFrom(bytes.NewReader(file), int64(len(file)), only...)
}

// Open prepares the plan in a file of a name, as Load does.
func Open(name string, only ...string) (*Program, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return LoadFrom(file, info.Size(), only...)
}

// LoadFrom is Load for a file of so many bytes, of which it reads no more than is asked for.
func LoadFrom(file io.ReaderAt, size int64, only ...string) (*Program, error) {
	a, err := planfile.Open(file, size)
	if err != nil {
		return nil, err
	}
	p, err := readPlan(a, only)
	if err != nil {
		return nil, err
	}
	out := New(p)
	digest := a.Digest()
	out.digest = "sha256:" + hex.EncodeToString(digest[:])
	out.words, err = a.Instructions(p)
	return out, err
}

// readPlan reads a plan, whole when no names are given.
func readPlan(a *planfile.Archive, only []string) (*plan.Plan, error) {
	if len(only) == 0 {
		return a.Plan()
	}
	known := a.Names()
	for _, name := range only {
		if !slices.Contains(known, name) {
			return nil, &UnknownError{What: "rule or procedure", Name: name, Known: known}
		}
	}
	return a.Cut(only...)
}

// A Choice is what is fixed before dice are rolled: rulings and what is asked.
type Choice = plan.Choice

// Options returns the value that is played of each option of the plan under a choice, by index. The error is an
// *UnknownError.
func (p *Program) Options(c Choice) ([]int, error) { return p.plan.OptionValues(c) }

// codeOf schedules a body, once for each choice. For the plan's defaults and all outputs it takes the words that the plan's
// file has.
func (p *Program) codeOf(b plan.Body, values []int, c Choice) (*schedule.Code, error) {
	return p.codes.find(newCodeKey(b.Graph, values, c), func() (*schedule.Code, error) { return p.makeCode(b, values, c) })
}

// makeCode is the code of a body, with the tables that it looks up in.
func (p *Program) makeCode(b plan.Body, values []int, c Choice) (code *schedule.Code, err error) {
	if words := p.words[b.Graph]; len(words) > 0 && p.changedSettings(values) == nil && c.Outputs == nil &&
		c.Without == nil {
		code, err = schedule.Restore(p.plan, b, words)
	} else {
		code, err = schedule.Make(p.plan, b.Graph, schedule.Options{
			Values: values, Outputs: c.Outputs, Without: c.Without, Roots: b.Slots(), Shapes: b.Shapes,
		})
	}
	if err != nil {
		return nil, err
	}
	p.image.PrepareTables(code)
	return code, nil
}

// withoutNames returns a choice for code that keeps no named values but those that are asked for: it gives no trace.
func withoutNames(c Choice) Choice {
	if !slices.Contains(c.Without, "names") {
		c.Without = append(slices.Clip(c.Without), "names")
	}
	return c
}

// changedSettings are the options that are played otherwise than the plan's defaults, in the book's order.
func (p *Program) changedSettings(values []int) []Setting {
	var out []Setting
	for i, o := range p.plan.Options {
		if values[i] != o.Default {
			out = append(out, Setting{o.ID, o.Values[values[i]]})
		}
	}
	return out
}

// Fits returns an *InputError if a character does not fit the plan.
func (p *Program) Fits(character []byte) error {
	_, err := jsonio.NewDecoder(vm.NewStore(p.image)).DecodeSlots(p.character, character)
	return err
}

// FitsInPart returns an *InputError if a known part of a character does not fit the plan, when more may still be told of
// it. whole reports that nothing must be told: the character fits as it is.
func (p *Program) FitsInPart(character []byte) (whole bool, err error) {
	if err = p.Fits(character); err == nil {
		return true, nil
	}
	done, unfinished := partial.Complete(p.character.Root, p.character.Shape, character, nil)
	if unfinished != nil || done.Complete {
		return false, err
	}
	err = p.Fits(done.JSON)
	var bad *InputError
	if errors.As(err, &bad) {
		bad.Line, bad.Col = 0, 0 // they are those of the completed text
	}
	return false, err
}
