// Package kernel is what every generated rule calls and no rule repeats: records by their schema, dice, lists, faults and
// sheets. It reads JSON by package jsonio and rolls by package dice, as the interpreter does, so that both have the same
// errors; it knows no graph and executes no instruction.
//
// A list is a slice. An element of more than one slot is a struct of the generated package, with a bool before a field
// that may be absent and a *Failure before one that may have failed. A map is a slice of entries in the order of their
// keys. A fault is a *Failure, nil where nothing has failed; it is made only where it happens.
//
// The functions that are marked noinline are those that generated functions call often and that do more than a call costs,
// or that are called only where something fails: inlined, they took a quarter of the time in which a package is compiled.
//
// Work is counted for loops, dice and what grows, so that every evaluation ends. The interpreter counts other things, too,
// so that an evaluation near the limit may end there and not here.
package kernel

import (
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Errors of evaluations, which are those of the interpreter.
type (
	Refused    = vm.Refused        // a requirement does not hold
	Failure    = vm.Failure        // a formula has no value
	InputError = jsonio.InputError // a record does not fit its schema
	DiceError  = dice.Error        // a face was given too many, too few, or the die does not have it
	ThrowError = dice.ThrowError   // a throw contradicts itself
)

// Faces of an evaluation. A throw may be used again and again, a source once.
type (
	Source     = dice.Source
	Throw      = dice.Throw
	GivenFaces = dice.Faces
	Rolls      = dice.Rolls
	Roll       = dice.Roll
)

// Faces returns the source of faces in the order in which they fall, for one use.
func Faces(faces ...int64) Source { return dice.FromList(faces) }

// FacesByID returns the source of faces by the id of their die, for one use.
func FacesByID(faces map[string][]int64) Source { return dice.ByID(faces) }

// Seed returns the source of faces that are drawn from a seed, for one use.
func Seed(seed uint64) Source { return dice.FromSeed(seed, 0, 0) }

// Fallen returns a throw of faces in the order in which they fall.
func Fallen(faces ...int64) Throw { return dice.Fallen(faces...) }

// FallenByID returns a throw of faces by the id of their die.
func FallenByID(faces Rolls) Throw { return dice.FallenByID(faces) }

// DrawnFrom returns a throw that draws all faces from a seed.
func DrawnFrom(seed uint64) Throw { return dice.DrawnFrom(seed) }

// Static data of generated packages, as a plan holds it.
type (
	Shape    = plan.Shape
	Member   = plan.Member
	Bound    = plan.Bound
	Limit    = plan.Limit
	Table    = plan.Table
	Site     = plan.Site
	Place    = plan.Place
	Band     = plan.Band
	Declared = plan.Die
)

// The kinds of shapes and tables.
const (
	Int    = plan.Int
	Double = plan.Double
	Bool   = plan.Bool
	String = plan.String
	List   = plan.List
	Map    = plan.Map
	Record = plan.Record
	Bands  = plan.BandsTable
	Steps  = plan.StepsTable
)

// A Die is a die as declared.
type Die struct {
	Declared
	Idle bool // nothing reads its faces, so that it need not be rolled
}
