// Package lower turns the typed tree of a ruleset into a plan: one graph for each rule, and for each step of a procedure.
// It knows neither CUE nor CEL.
//
// # Graphs without calls
//
// Functions, traits and used rules are written out where they are asked for, so that a rule is one graph in static single
// assignment form: a node is computed once, from nodes before it. The dice on which a value depends, its interval, and
// what a caller's question needs are then plain reachability. Nodes without an effect that compute the same are one node,
// and stand in the outermost block that has their operands: what does not change from one round of a loop to the next is
// computed before the loop (builder.go).
//
// A record is the tuple of its fields and no node of its own, so that reading a field costs nothing, and what nobody
// reads is dead code. Only elements of lists and entries of maps are laid out in memory (value.go).
//
// # Faults
//
// Errors of CEL are values: `false && error` is false, and a let that nobody needs keeps its error to itself. Exceptions
// would need a handler at each such place. Instead every value that can fail has a second node beside it, its fault: 0,
// or where and why it failed. The fault of an operation is the first of the faults of its operands and its own, in the
// order of evaluation; && and || take the fault of one side only where the other does not decide; a condition selects the
// fault of the arm that is taken, while both arms are computed. That a subtraction cannot overflow is found later, by
// intervals, and then its fault is dead code like any other.
//
// What has an effect stays where it is written: rolls, requirements, and lists that grow. A roll has a guard instead of a
// branch around it, for it consumes faces only where its rule is used.
//
// # Lists
//
// A list is one node, a span, whose elements lie in memory as many slots apart as the layout of their type has: before a
// field its presence, if it may be absent, and its fault, if it may fail. Lists of one type may have different layouts,
// as only some have been made by formulas that fail; where two meet, both are copied into the layout that holds both
// (joinLayouts). Macros become loops. There is no early end and no jump: the body of a loop is a block that maps the
// carried values of one iteration to those of the next. [0, 1].exists(x, div_floor(1, x) > 0) carries whether an element
// was found and the fault so far, and a later element that decides absorbs the fault of an earlier one, as CEL has it:
//
//	%s = span [0 1]
//	%l = loop (size %s) false ok        block: i, found, fault
//	     %x = elem %s i
//	     %d = div_floor 1 %x            %e = div_floor.fault 1 %x
//	     found' = or found (%d > 0)     fault' = or.fault found fault (%d > 0) %e
//	%r = result 0 of %l                 %f = result 1 of %l
//
// That a body cannot fail is known when it has been lowered; a carried fault that stayed as it was is then taken out
// again (loop in builder.go). A list that is made has room for as many elements as the list it is made of, and its
// elements are pushed one by one, each under a condition: a filter pushes some of them.
//
// # Dice
//
// A roll is the one node whose value is not computed: it has a guard, the number of faces, a count (-1 for a single face)
// and a fault, and says by a plan.Die how each die is rolled. Whatever does not change which faces fall is made of
// ordinary operations behind it: keeping is a sort and a slice, counting successes a loop, adding up a sum (die.go). What
// does change it must be constant, since odds and intervals are found by it. A formula that says on which faces a die
// explodes is therefore lowered to one roll for each number that it may give, with guards of which just one holds. For
// explode: {on: ">=lucky"} with lucky from 5 to 6:
//
//	%1 = roll (lucky == 6) 6 -1         explodes on 6
//	%2 = roll (not lucky == 6) 6 -1     explodes on 5 and 6
//	%v = select (not lucky == 6) %2 %1
//
// A roll whose guard is false consumes no face and gives 0, so that a given face belongs to the one that was rolled. Dice
// as data (roll.go) need no such cases: what differs between notations, counts and faces, are operands, and stand in a
// table of the plan's own.
//
// # Coverage
//
// Both arms being computed, a branch counts as taken only where its formula is needed as well. What is needed of a let is
// known when all its readers are lowered; until then its branches wait (cover.go).
//
// # Two formulas
//
// Rule ability of haze has the outputs
//
//	name:  input: facet: {power: "ability(input.aspect).power", speed: ..., toughness: ...}
//	score: "character.abilities[name]"
//
// lower.go makes a builder with one open block and a scope in which character and input stand for
// leaves: %1 to %8 are the slots of the character, %9 and %10 those of the input. body.go lowers
// requirements, dice and uses (there are none) and asks for the outputs. name is a choice; expr.go
// lowers its key and each arm:
//
//	%12 = eq.int %10 "power"          whether this arm is chosen
//	%13 = row %9 ability              the number of the row; -1 when there is none
//	%14 = row.fault %13 %9 ability    not 0 when %13 is -1
//	%15 = cell %13 ability+0          column power of the row
//
// The second arm asks for the same row. sharedNode finds %13 by its operation and operands, so only
// the cell is new; the faults are not shared, for each has the place of its own formula. After the
// third arm, values select from the last arm to the first, and faults likewise:
//
//	%27 = select %12 %15 (select %19 %16 %17)         name
//	%26 = select %12 %14 (select %19 %20 %23)         whether name failed
//
// score reads name. lowerLet has its value in the memo of the scope, so nothing is lowered twice.
// The index of a map becomes a search and an element, and the fault of the name is the first
// operand of the fault of the score:
//
//	%28 = find %2 %27                 where the key stands; -1 when it is missing
//	%29 = find.fault %2 %27
//	%30 = elem %2 %28                 score
//	%31 = first.fault %26 %29         whether score failed
//
// That aspect is an enum with a row for each of its values, so that %14, %20 and %23 are always 0,
// is found by runtime/schedule, which then needs no faults of the rows. "rules plan haze" prints
// both forms.
//
// # In which order to read
//
// lower.go begins; planner.go has what a plan shares, builder.go makes nodes, value.go makes trees
// of nodes, scope.go says what names stand for. body.go, require.go, die.go, roll.go, use.go and
// procedure.go are the parts of a definition; expr.go, calls.go and macros.go those of a formula.
// complete.go, constants.go, limits.go and tables.go turn data into values. names.go, recorder.go,
// terms.go, die_text.go, entries.go, overlays.go and cover.go write down for people what was made
// of what: nothing that is computed depends on them.
//
// # Which test holds what
//
//   - What expressions become, with their faults: TestExpressions, TestChoose.
//   - The order of effects, and that unread lets cost nothing: TestBodyOrder.
//   - What each part of rules and procedures becomes: TestRules, TestSteps.
//   - A lowered formula means what CEL means, but for the order of the words of a choice: package check/oracle.
//   - Every overload has a lowering: TestEveryOverloadIsLowered in check.
//
// Invariant: it cannot fail. Whatever can be wrong with a ruleset was found before; a panic here is a defect of ours.
package lower
