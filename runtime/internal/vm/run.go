package vm

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Run executes the code of the frame, whose records have been written. It returns nil when the end is reached; else an
// *ending, or the error of the source of the dice.
//
// Every instruction counts as work, once where it stands and once more for each further iteration of the loops around
// it; its effect on strings and spans counts by their length. No input can therefore keep an evaluation busy for long,
// and whether one ends does not depend on the machine.
func Run(f *Frame, code *schedule.Code, source dice.Source) error {
	f.source = source
	f.work = plan.MaxWork - int64(len(code.Instructions))
	s, instructions, tables, dense := f.slots, code.Instructions, f.image.tables, code.Dense
	for ip := uint(0); ip < uint(len(instructions)); ip++ {
		w := &instructions[ip]
		switch w.Op {
		case schedule.OpMove:
			s[w.D] = s[w.A]
		case schedule.OpBegin:
			s[w.D] = 0
			if s[w.A] <= 0 {
				ip = uint(w.Imm)
			}
		case schedule.OpNext:
			if f.iterations != nil {
				f.iterations.keep(w.D, s)
			}
			s[w.D]++
			if s[w.D] < s[w.A] {
				if !f.chargeWork(int64(ip) - int64(w.Imm)) {
					return f.stop(exhausted, 0)
				}
				ip = uint(w.Imm)
			}

		case plan.OpAddInt:
			s[w.D] = s[w.A] + s[w.B]
		case plan.OpSubInt:
			s[w.D] = s[w.A] - s[w.B]
		case plan.OpMulInt:
			s[w.D] = s[w.A] * s[w.B]
		case plan.OpNegInt:
			s[w.D] = -s[w.A]
		case plan.OpAbsInt:
			s[w.D] = builtin.AbsInt(s[w.A])
		case plan.OpMinInt:
			s[w.D] = min(s[w.A], s[w.B])
		case plan.OpMaxInt:
			s[w.D] = max(s[w.A], s[w.B])
		case plan.OpDivTrunc:
			s[w.D] = builtin.DivTrunc(s[w.A], s[w.B])
		case plan.OpDivFloor:
			s[w.D] = builtin.DivFloor(s[w.A], s[w.B])
		case plan.OpModInt:
			s[w.D] = builtin.ModInt(s[w.A], s[w.B])
		case plan.OpAddIntFault:
			s[w.D] = FaultIf(f, builtin.AddOverflows(s[w.A], s[w.B]), w.Imm, Overflow)
		case plan.OpSubIntFault:
			s[w.D] = FaultIf(f, builtin.SubOverflows(s[w.A], s[w.B]), w.Imm, Overflow)
		case plan.OpMulIntFault:
			s[w.D] = FaultIf(f, builtin.MulOverflows(s[w.A], s[w.B]), w.Imm, Overflow)
		case plan.OpNegIntFault, plan.OpAbsIntFault:
			s[w.D] = FaultIf(f, builtin.NegOverflows(s[w.A]), w.Imm, Overflow)
		case plan.OpDivFault:
			s[w.D] = faultOfDivision(f, w, divideByZero)
		case plan.OpModFault:
			s[w.D] = faultOfDivision(f, w, moduloZero)
		case plan.OpPowIntFault:
			s[w.D] = faultOfPower(f, w)
		case plan.OpEqInt:
			s[w.D] = builtin.Bool(s[w.A] == s[w.B])
		case plan.OpLtInt:
			s[w.D] = builtin.Bool(s[w.A] < s[w.B])
		case plan.OpLeInt:
			s[w.D] = builtin.Bool(s[w.A] <= s[w.B])

		case plan.OpAddDouble:
			s[w.D] = builtin.Bits(builtin.Double(s[w.A]) + builtin.Double(s[w.B]))
		case plan.OpSubDouble:
			s[w.D] = builtin.Bits(builtin.Double(s[w.A]) - builtin.Double(s[w.B]))
		case plan.OpMulDouble:
			s[w.D] = builtin.Bits(builtin.Double(s[w.A]) * builtin.Double(s[w.B]))
		case plan.OpDivDouble:
			s[w.D] = builtin.Bits(builtin.Double(s[w.A]) / builtin.Double(s[w.B]))
		case plan.OpNegDouble:
			s[w.D] = builtin.Bits(-builtin.Double(s[w.A]))
		case plan.OpAbsDouble:
			s[w.D] = builtin.Bits(math.Abs(builtin.Double(s[w.A])))
		case plan.OpMinDouble:
			s[w.D] = builtin.Bits(builtin.MinDouble(builtin.Double(s[w.A]), builtin.Double(s[w.B])))
		case plan.OpMaxDouble:
			s[w.D] = builtin.Bits(builtin.MaxDouble(builtin.Double(s[w.A]), builtin.Double(s[w.B])))
		case plan.OpEqDouble:
			s[w.D] = builtin.Bool(builtin.Double(s[w.A]) == builtin.Double(s[w.B]))
		case plan.OpLtDouble:
			s[w.D] = builtin.Bool(builtin.Double(s[w.A]) < builtin.Double(s[w.B]))
		case plan.OpLeDouble:
			s[w.D] = builtin.Bool(builtin.Double(s[w.A]) <= builtin.Double(s[w.B]))
		case plan.OpFloor:
			s[w.D] = builtin.ToInt(math.Floor(builtin.Double(s[w.A])))
		case plan.OpCeil:
			s[w.D] = builtin.ToInt(math.Ceil(builtin.Double(s[w.A])))
		case plan.OpToIntFault:
			s[w.D] = faultOfConversion(f, w)
		case plan.OpToDouble:
			s[w.D] = builtin.Bits(float64(s[w.A]))

		case plan.OpAnd:
			s[w.D] = s[w.A] & s[w.B]
		case plan.OpOr:
			s[w.D] = s[w.A] | s[w.B]
		case plan.OpNot:
			s[w.D] = s[w.A] ^ 1
		case plan.OpSelect:
			yes := -s[w.A]
			s[w.D] = s[w.B]&yes | s[w.C]&^yes
		case plan.OpAndFault:
			s[w.D] = FaultOfSides(s[w.A]^1, s[w.B], s[w.C]^1, s[uint16(w.Imm)])
		case plan.OpOrFault:
			s[w.D] = FaultOfSides(s[w.A], s[w.B], s[w.C], s[uint16(w.Imm)])
		case plan.OpFirstFault:
			s[w.D] = FirstOfFaults(s[w.A], s[w.B])
		case plan.OpNoFault:
			s[w.D] = builtin.Bool(s[w.A] == 0)
		case plan.OpFail:
			s[w.D] = 0
			if s[w.A] == 0 {
				s[w.D] = f.addFault(w.Imm, declared, int64(w.B)|int64(w.C)<<16, 0)
			}

		case plan.OpPush:
			pushElement(f, w, code.Pool)
		case plan.OpSize:
			s[w.D] = SpanSize(s[w.A])
		case plan.OpElem:
			s[w.D] = f.Element(s[w.A], s[w.B], int64(w.C), int64(w.Imm))
		case plan.OpElemFault:
			s[w.D] = faultOfElement(f, w)
		case plan.OpEmptyFault:
			s[w.D] = FaultIf(f, SpanSize(s[w.A]) == 0, w.Imm, noElements)

		case plan.OpRow:
			s[w.D] = tables[w.Imm].RowOf(s[w.A])
		case plan.OpRowDouble:
			s[w.D] = tables[w.Imm].RowOfDouble(builtin.Double(s[w.A]))
		case plan.OpRowFault:
			s[w.D] = faultOfRow(f, w, NoTextRow)
		case schedule.OpRowFaultInt:
			s[w.D] = faultOfRow(f, w, NoIntRow)
		case schedule.OpRowFaultDouble:
			s[w.D] = faultOfRow(f, w, NoDoubleRow)
		case plan.OpCell:
			s[w.D] = tables[w.C].Cell(s[w.A], int64(w.Imm))

		case schedule.OpDense:
			s[w.D] = dense[w.Imm].At(s[w.A])

		case schedule.OpMulAdd:
			s[w.D] = s[w.A]*s[w.B] + s[w.C]
		case schedule.OpAddAdd:
			s[w.D] = s[w.A] + s[w.B] + s[w.C]
		case schedule.OpAddSub:
			s[w.D] = s[w.A] + s[w.B] - s[w.C]
		case schedule.OpAddMax:
			s[w.D] = max(s[w.A]+s[w.B], s[w.C])
		case schedule.OpSubMax:
			s[w.D] = max(s[w.A]-s[w.B], s[w.C])
		case schedule.OpClamp:
			s[w.D] = max(min(s[w.A], s[w.B]), s[w.C])
		case schedule.OpLtAnd:
			s[w.D] = builtin.Bool(s[w.A] < s[w.B]) & s[w.C]
		case schedule.OpLeAnd:
			s[w.D] = builtin.Bool(s[w.A] <= s[w.B]) & s[w.C]
		case schedule.OpLtOr:
			s[w.D] = builtin.Bool(s[w.A] < s[w.B]) | s[w.C]
		case schedule.OpLeOr:
			s[w.D] = builtin.Bool(s[w.A] <= s[w.B]) | s[w.C]
		case schedule.OpEqSelect:
			yes := -builtin.Bool(s[w.A] == s[w.B])
			s[w.D] = s[w.C]&yes | s[uint16(w.Imm)]&^yes
		case schedule.OpLtSelect:
			yes := -builtin.Bool(s[w.A] < s[w.B])
			s[w.D] = s[w.C]&yes | s[uint16(w.Imm)]&^yes
		case schedule.OpLeSelect:
			yes := -builtin.Bool(s[w.A] <= s[w.B])
			s[w.D] = s[w.C]&yes | s[uint16(w.Imm)]&^yes
		case schedule.OpDenseAdd:
			s[w.D] = dense[w.Imm].At(s[w.A]) + s[w.B]
		case schedule.OpDenseSub:
			s[w.D] = s[w.B] - dense[w.Imm].At(s[w.A])
		case schedule.OpDenseMul:
			s[w.D] = builtin.Bits(builtin.Double(dense[w.Imm].At(s[w.A])) * builtin.Double(s[w.B]))
		case schedule.OpToDoubleMul:
			s[w.D] = builtin.Bits(float64(s[w.A]) * builtin.Double(s[w.B]))
		case schedule.OpToDoubleDiv:
			s[w.D] = builtin.Bits(float64(s[w.A]) / builtin.Double(s[w.B]))
		case schedule.OpDivInts:
			s[w.D] = builtin.Bits(float64(s[w.A]) / float64(s[w.B]))
		case schedule.OpFloorMul:
			s[w.D] = builtin.ToInt(math.Floor(builtin.Double(s[w.A]) * builtin.Double(s[w.B])))
		case schedule.OpFloorDiv:
			s[w.D] = builtin.ToInt(math.Floor(builtin.Double(s[w.A]) / builtin.Double(s[w.B])))
		case schedule.OpCeilMul:
			s[w.D] = builtin.ToInt(math.Ceil(builtin.Double(s[w.A]) * builtin.Double(s[w.B])))
		case schedule.OpRowCell:
			t := &tables[w.C]
			s[w.D] = t.Cell(t.RowOf(s[w.A]), int64(w.Imm))
		case schedule.OpRowDoubleCell:
			t := &tables[w.C]
			s[w.D] = t.Cell(t.RowOfDouble(builtin.Double(s[w.A])), int64(w.Imm))
		case schedule.OpFirstOf:
			s[w.D] = FirstOfFaults(FirstOfFaults(s[w.A], s[w.B]), s[w.C])
		case schedule.OpFirstOfFour:
			s[w.D] = FirstOfFaults(FirstOfFaults(s[w.A], s[w.B]), FirstOfFaults(s[w.C], s[uint16(w.Imm)]))

		case schedule.OpMulMulAdd:
			s[w.D] = s[w.A]*s[w.B] + s[w.C]*s[uint16(w.Imm)]
		case schedule.OpDenseAddAdd:
			s[w.D] = dense[w.Imm].At(s[w.A]) + s[w.B] + s[w.C]
		case schedule.OpDenseSubMax:
			s[w.D] = max(s[w.B]-dense[w.Imm].At(s[w.A]), s[w.C])
		case schedule.OpSelectMul:
			yes := -s[w.A]
			s[w.D] = builtin.Bits(builtin.Double(s[w.B]&yes|s[w.C]&^yes) * builtin.Double(s[uint16(w.Imm)]))
		case schedule.OpFloorMulMul:
			s[w.D] = builtin.ToInt(math.Floor(float64(s[w.A]) * builtin.Double(s[w.B]) * builtin.Double(s[w.C])))
		case schedule.OpCeilMulMul:
			s[w.D] = builtin.ToInt(math.Ceil(builtin.Double(s[w.A]) * builtin.Double(s[w.B]) * builtin.Double(s[w.C])))

		case schedule.OpDieFault:
			if s[w.A] != 0 && s[w.B] != 0 && !f.leavesOutNext(instructions[ip+1:]) {
				return f.stop(failed, s[w.B])
			}
		case plan.OpRoll:
			if err := rollDie(f, w, &code.Graph().Dice[w.Imm], code.Loops[w.Imm]); err != nil {
				return err
			}
		case plan.OpRequire:
			if s[w.A] != 0 && (s[w.B] == 0 || s[w.C] != 0) {
				return RefuseRequirement(f, w, s[w.C])
			}
		case plan.OpCover:
			f.covered[w.Imm] += s[w.A]

		default:
			if compute := builtin.ScalarOf(w.Op); compute != nil {
				s[w.D] = compute(s[w.A], s[w.B])
				continue
			}
			if !executeString(f, w) {
				executeList(f, w, code.Pool)
			}
			if f.work < 0 {
				return f.stop(exhausted, 0)
			}
		}
	}
	return nil
}

// Evaluate runs a graph and judges how it ended.
func Evaluate(f *Frame, code *schedule.Code, g *plan.Graph, source dice.Source) error {
	if source == nil {
		source = dice.FromList(nil)
	}
	err := Run(f, code, source)
	f.image.CountBranches(f, g)
	if err != nil {
		return Explain(f, g, err)
	}
	return source.Rest()
}

// RefuseRequirement returns how a requirement that does not hold, or whose own formula failed, ends the evaluation.
func RefuseRequirement(f *Frame, w *schedule.Instruction, fault int64) *Ending {
	if fault != 0 {
		return f.stop(failed, fault)
	}
	return f.stop(refused, int64(w.Imm))
}

func faultOfDivision(f *Frame, w *schedule.Instruction, zero FaultKind) int64 {
	a, b := f.slots[w.A], f.slots[w.B]
	switch {
	case b == 0:
		return f.addFault(w.Imm, zero, 0, 0)
	case builtin.DivOverflows(a, b):
		return f.addFault(w.Imm, Overflow, 0, 0)
	}
	return 0
}

func faultOfPower(f *Frame, w *schedule.Instruction) int64 {
	a, b := f.slots[w.A], f.slots[w.B]
	switch {
	case b < 0:
		return f.addFault(w.Imm, negativePower, b, 0)
	case builtin.PowOverflows(a, b):
		return f.addFault(w.Imm, Overflow, 0, 0)
	}
	return 0
}

func faultOfConversion(f *Frame, w *schedule.Instruction) int64 {
	a := f.slots[w.A]
	if builtin.IsInt(builtin.RoundBy(plan.Op(w.B), builtin.Double(a))) {
		return 0
	}
	return f.addFault(w.Imm, notAnInt, a, 0)
}

func faultOfRow(f *Frame, w *schedule.Instruction, kind FaultKind) int64 {
	if f.slots[w.A] >= 0 {
		return 0
	}
	return f.addFault(w.Imm, kind, f.slots[w.B], 0)
}

func faultOfElement(f *Frame, w *schedule.Instruction) int64 {
	i, n := f.slots[w.B], SpanSize(f.slots[w.A])
	if 0 <= i && i < n {
		return 0
	}
	return f.addFault(w.Imm, noElement, i, n)
}
