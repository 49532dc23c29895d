// Package check turns what an author wrote into a typed tree: it finds what every name stands for and which type every
// formula has. Formulas are typed by CEL's checker; what comes out is ours, and no later phase sees CEL.
//
// # Names and types in one pass
//
// Authors write definitions, lets, dice and outputs in any order, so a name may be read above the place that declares it.
// As in go/types there are two steps and no third. First all names of a scope are entered: each becomes an [Object], one
// of a few kinds, with the text that it stands for and no type. Then objects are completed one by one. To complete an
// object its texts are parsed and their names looked up; whatever they read is completed before; then CEL types the
// texts, and the object has a type (complete.go which, formula.go what it reads, build.go the type and the tree). This is
// a depth-first walk over what depends on what. An object that is met while it is underway depends on itself: the objects
// between are the cycle, which is reported once, and none of them gets a type.
//
// There is one kind of scope. For each text CEL is given an environment that holds the functions of the ruleset and just
// the names that the text reads, with the types that they have by then, so that nothing needs to be kept in step.
//
// # What CEL cannot know
//
// CEL's records are nominal, ours have the same type when they have the same fields; every record is therefore known to
// CEL under a name of its own (records.go). A trait reads like a field of a character. Strings that are keys of a table
// or values of an option have an enum, which CEL does not know: the tree is built from the operands up, and what a
// comparison, a look-up or an arm can never be is told then (fit.go). CEL takes [] for a list of anything; its type comes
// from where it stands.
//
// Integers and doubles mix in + - * and / only. The mixed operators are declared for CEL without an implementation; once
// a formula has its types, each use is rewritten to an explicit double(x), and the formula is typed again in CEL proper
// (promote.go). What is lowered, and what the reference implementation runs in package oracle, is standard CEL.
//
// A formula that is written as one expression for each value of an option is typed text by text and becomes one
// expression, OpChoose. No later phase asks how it was written.
//
// # Bounds
//
// Every list has a bound before anything is rolled. When nothing else is wrong, extents (bounds.go) follow each
// expression from what the input admits to how many dice it may ask for; a count without a bound is an error. What a
// builtin does to extents stands in its row in package builtin; the operators of CEL have theirs here.
//
// # What is read must be there
//
// Lowering drops the presence of an optional field where it is read, looks a written key up without asking whether the
// map may have it, and writes functions, traits and uses out where they are asked for. So three questions are asked of
// the trees that could be typed:
//
//   - Is an optional field there? By flow typing, as compilers of languages with null do it: conditions around an
//     expression prove that has(x.f) holds (guards.go). A type with a "maybe" in it would be the other way, and would make
//     every author unwrap values; here only the place of the reading decides.
//   - Can this key be? A key that is written out and that a closed map never has is a misspelling (writtenkeys.go).
//   - How large does it get? A chain of definitions that each call the next twice doubles with every link: a dozen lines,
//     and no machine holds it. The size is computed, in time linear in what is written, before anything is written out
//     (size.go).
//
// # One formula
//
// Rule test of tempestas has the output
//
//	active_value: "base - penalty - hard"
//
// collect.go makes a *Rule for test before any text is parsed, and completeObject types it after
// the rules that it uses: there are none. typeRule opens a scope with character, input and option,
// and checkBody enters the names of the body: the die roll, the lets plain, base, penalty, hard and
// others, and the outputs; each is an object without a type. Only then are texts parsed. newSite
// gives the text of active_value three references, and resolveNames finds for each the *Let of that
// name: site.reads is [base penalty hard], site.asks is empty, as it calls no function of the
// ruleset.
//
// completeObject(active_value) completes these three first. base chooses by input.kind, has an arm
// for skill and one for statistic, both of type int, and becomes OpChoose of type int; it needed
// plain, and so on. Now typeSite declares for CEL the variables base, penalty and hard, all int,
// and CEL's checker names the overload of both operators: "subtract_int64". Nothing mixes an int
// and a double, so promotion changes nothing. buildExpr makes of CEL's tree
//
//	OpCall subtract_int64 int
//	    OpCall subtract_int64 int
//	        OpRef base, OpRef penalty
//	    OpRef hard
//
// and the let has the type int. The tree goes into Ruleset.Trees with its text, its subject ("rule
// test, output active_value") and CEL's own tree, which package oracle runs against the lowered
// plan. At last, when no formula of the ruleset was wrong, bounds.go follows the extents: nothing
// here is a count of dice or an index, so nothing is said.
//
// With 0.5 * base for base, CEL would have named "multiply_double_int64", which has no
// implementation; promotion makes 0.5 * double(base) of it, CEL types it once more, and the tree
// has "multiply_double" over "int64_to_double".
//
// # In which order to read
//
// object.go, tree.go and definitions.go are what comes out. check.go and collect.go begin; complete.go is the walk;
// scope.go and names.go resolve; formula.go, language.go, environment.go, records.go and promote.go type with CEL;
// build.go and macros.go make the tree, call_words.go that of a function for the words of a call, fit.go judges
// what may stand where, explain.go words CEL's errors. rule.go, body.go, use.go, die.go, roll.go, notation.go,
// repeat.go, variants.go, decision.go, mapkeys.go, parameter.go, callables.go, table.go and procedure.go are the
// parts of a ruleset. bounds.go, dice_bounds.go, shape_extent.go, dependence.go and indexes.go ask what values
// there may be; guards.go, writtenkeys.go and size.go what is there at all.
//
// # Which test holds what
//
//   - The tree of an expression, and its type: TestExpression, FuzzExpression.
//   - Order of declaration does not matter, cycles are reported once: TestOrder, TestCycles,
//     TestRollingOrder.
//   - A single fault is reported, and nothing that follows from it: TestFaults.
//   - Every overload that a formula can call is lowered: TestEveryOverloadIsLowered.
//   - The tree means what CEL means: package oracle, with CEL's interpreter as the reference. Only the words of a choice
//     that an author put in an order go by that order, where CEL goes by letters: TestProblems.
//   - Extents contain what happens: TestExtent.
//   - What an optional field is guarded by: TestGuards.
//   - Whatever is checked without an error can be lowered, whatever lint says: TestWhatIsCheckedIsLowered of package
//     compiler.
//
// Invariant: in a ruleset that was checked without an error every expression has a type without an open part, every
// reference leads to something checked, and an operation gets operands of the types it takes.
package check
