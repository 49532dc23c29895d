// Package manual has the topics of "rules help": pages that are not about one command.
//
// A topic says what lies across commands: a reader of "rules help eval" learns flags, and of "rules
// help dice" what may stand in them. Texts are written here; what the program knows by itself, such
// as the functions of formulas and the notation of dice, is put in from the packages that carry it
// out, so that it cannot fall behind. Commands in the texts are examples to type; those of
// commands' own help are run by a test.
//
// Lines fit a terminal of 124 columns, which a test holds.
package manual

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/release"
	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A Topic is a page of help that is of several commands.
type Topic struct {
	Name, Short string
	Text        func() string // ends with a line break
}

// Topics returns all topics, in the order in which a newcomer needs them. It gives a new list each
// time: the package has no state.
func Topics() []Topic {
	said := func(text string) func() string { return func() string { return text } }
	return []Topic{
		{"rulesets", "Whose rules are used: --dir, --with, --plan, and what ships", said(rulesetsTopic)},
		{"characters", "Characters and inputs in JSON", said(charactersTopic)},
		{"dice", "Giving, drawing and writing dice", said(diceTopic)},
		{"language", "The language of rules, in chapters", languageTopic},
		{"homebrew", "What a homebrew adds, extends, replaces and disables", said(homebrewTopic)},
		// Its text is made when it is asked for, from the table of builtins: a function that is
		// added is in the help at once.
		{"functions", "The functions that formulas may call", functionsTopic},
		{"revisions", "Several revisions side by side: release, sign, publish, pull, pin", said(revisionsTopic)},
		{"cases", "How a golden case is written", said(casesTopic)},
		{"editors", "Settings of editors for the language server", said(editorsTopic)},
		{"status", "Exit statuses, and what goes to which stream", said(statusTopic)},
	}
}

const rulesetsTopic = `Whose rules are used

    rules eval tempestas test                   those of the module that this directory lies in, or what ships
    rules eval --dir ~/games/harbor harbor sky  those of the module in a directory
    rules eval --with myhouse tempestas test    the same, changed by the homebrew in a directory; may be repeated
    rules eval --plan harbor.plan sky           those of a plan or release file, and nothing else
    rules eval --plan harbor-0.1.0.rules --with myhouse sky    those of a release, changed by a homebrew
    rules eval --plan releases sky              those of a directory of releases: each character by the one it is pinned to
    rules eval --plan rules.lock sky            those that a lock file names, by their digests

A module is a directory with a rules.cue, which says what ships, and a cue.mod; "rules init DIR" makes one. From any
directory in it the commands use its rulesets. Outside of modules they use those that ship with the program.

A homebrew changes one ruleset; "rules init DIR --homebrew RULESET" makes one.

` + release.SideHelp + `
`

const revisionsTopic = `Revisions side by side

A revision is made once, and then stays as it is. Whoever writes the rules releases, signs and publishes it:

    rules release harbor --against releases -o releases --sign me.key     judges the number and writes harbor-0.2.0.rules
    rules sign myhouse --key me.key                                       a homebrew, a release or a receipt
    rules publish registry.example/games/harbor releases/harbor-0.2.0.rules
    rules publish registry.example/homebrews/myhouse:1 myhouse

"rules key new" makes the key. Others trust it once, "rules trust add KEY", and pull what it has signed:

    rules pull registry.example/games/harbor:0.1.0 registry.example/games/harbor:0.2.0 -o rules
    rules verify rules/harbor-0.2.0.rules

rules/rules.lock says then what was pulled, by its digests; "rules pull -o rules" fetches the same again. Characters that
name their revision are played by it, side by side, until they are moved:

    rules eval --plan rules/rules.lock sky --ndjson crew.ndjson
    rules eval --plan rules/harbor-0.1.0.rules --with rules/myhouse sky --character ada.json      with a homebrew over it
    rules pin ada.json --to 0.2.0 --plan rules/rules.lock                 says whose numbers change, by which edit, and asks
    rules pin ada.json --to 0.2.0 --with myhouse --plan rules/rules.lock  the same, and from now on with the homebrew

With rules.lock as --plan, --with takes the names of homebrews in it, and a character that names its homebrews needs no
--with: those that were pulled are found by their digests.

A signature says who signed, that nothing was altered since, which ruleset and revision a release is, and where it belongs:
in a repository that ends in the name of the ruleset, or in the one of "rules sign --for". A lock file says that it is the
same as before. Neither says that a homebrew is harmless: one that was pulled is compiled within bounds, like everything of
strangers.

Of what The Update Framework (TUF) and sigstore promise,

    kept       arbitrary files, a file under another's name, another revision than asked: refused by the signature
    kept       going back: under a tag that is no number, a revision older than one in rules.lock needs --downgrade
    kept       endless and slow answers: given up by their size and their pace; redirects to plain HTTP: refused
    not kept   freshness: nothing expires, and a registry that hides a new revision is not noticed; ask for it by number
    not kept   the first pull: without a rules.lock nothing is older; hand the file on with the characters
    not kept   lost keys: there is no root that revokes; "rules trust remove KEY", and every signer trusted has full power:
               no threshold of several, none for one ruleset alone
    not kept   a public log, and identities in place of keys: nobody notices a signer who signs two files as one revision,
               but rules.lock, whose digests are compared

Signatures of before --for name no place and hold as they did: their release belongs in every repository that ends in the
name of its ruleset. What lies in another one is refused now; sign it again with --for.
`

const charactersTopic = `Characters and inputs

A character is an object in JSON, and so is the input: what this one use of a rule adds. "rules eval RULESET RULE" says
which members both have, with types, bounds and defaults; "rules schema RULESET" is the same for editors.

    --character ada.json       the character is in a file, or - for standard input
    --input test.json          the input is in a file, or - for standard input
    --set difficulty=hard      a value of the input; a string need not be quoted
    --set points.body=3        a value of an object in the input
    --set 'areas=["arm"]'      values are JSON otherwise

Nothing is guessed: a member that the rule does not know, that is written twice, that is missing, or whose value is of
another type or out of its bounds is an error with its place. Where a fraction may stand so may a whole number, but not
the other way round; such a number is the double that is nearest to it, before its bounds are judged.

A character, also another one in the input, may name the revision that it is played by: "$revision": "tempestas 0.2.0",
or the number alone. Every other revision is refused. It may name the homebrews that it is played with too, each with
the digest of its files: "$homebrews": {"myhouse": "sha256:..."}. Then it is played with these and no others, {} with
none. "rules pin" moves characters to another revision, with --with to homebrews, and says what changes for them.
`

const diceTopic = `Dice

Faces that the players rolled are given in the order in which they fall, or by the ids of their dice, which "rules eval
RULESET RULE" lists:

    --dice 43,7
    --dice roll=43 --dice damage=6,2
    --dice sheet.json          the dice of an earlier sheet fall again

Dice fall in the order in which the rule is written, top to bottom: a die with a count face by face, an exploding face
and those that follow from it before the next one, a rule that is used where it is used. Whatever is asked for, all dice
of a rule are rolled. A face that is rolled again is given too, before the one that counts; the groups of a sum have one
id, and their faces stand one after the other, as do those of a pool and of a series. A die that does not show 1 and up is
given by what it shows, one whose faces are rows of a table by the number of the row. Too few, too many or impossible
faces are errors. Given are the faces of all dice; of a rule also those alone that an output or a requirement can read,
whatever the input: then the sheet names the others under not_rolled, and what would fail in them is not met. An event
wants the faces of all its dice: its sheet is what the next one goes on from, and is played again face by face. Over HTTP
ask without a seed wants the faces alone that still matter by what is given, of rules and events. Its sheet has no others,
so that eval lacks their faces: with a seed they are drawn, and eval answers the same.

--seed N draws the faces, always the same for the same seed; without it a seed is drawn and reported.

In a ruleset dice are written as d10, which is a face, or 3d6, the list of the faces. Anything more is an int, what the
dice come to. "rules roll EXPR" and "rules odds EXPR" need no ruleset and read the same:

` + dice.Help + `
In a ruleset the modifiers of a group stand in this order: again, explode, keep, count; a formula does the rest. The
commands read them in any order, and also:

` + dice.CommandHelp + `
What other programs write for the same. A dash says that there is no notation for it. > leaves the number out here and
includes it in Roll20; r rolls again until another face falls, and once in Foundry; d% is 1 to 100 here and 0 to 90 in
Avrae. The commands tell of it whenever they meet such a text.

` + dice.Dialects

const homebrewTopic = `Homebrew

A homebrew is a package of CUE that embeds schema.#Homebrew: what one table of players changes in a ruleset. "rules init DIR
--homebrew RULESET" writes one, "rules import" makes one of a sheet; "rules show RULESET" says what there is to change,
and by which names.

    id:      "house"
    title:   "The house rules"
    ruleset: "tempestas"

    // For which it was written. With another one "rules vet" says so, and the expectations below decide.
    revision: "0.1.0"

    // Fields that characters have besides those of the ruleset.
    #Character: rage: *0 | int & >=0 & <=10

    // What the ruleset does not have, not even before another homebrew disabled it: tables, rules, options and the rest.
    add: rules: brawl: {cite: "House rules", dice: roll: "d6", output: harm: "roll + character.rage"}

    // What comes after what there is: rows of a table; fields, dice, lets, requirements, outputs of a rule; events and all
    // that is theirs of a procedure. Where the ruleset says by a pattern what all rows are (keyed: [string]: {...}), it
    // holds for these rows too, and its defaults are theirs.
    extend: tables: difficulty: keyed: hopeless: points: 100
    extend: tables: harm: {columns: ["cut", "thrust"], rows: scale: [1, 2]}     // a row of a chart, with its columns
    extend: rules: test: output: tens: "div_floor(roll, 10)"

    // What stands in the place of something: it says what it expects to find there. Rows are named by their key, "7 to 9",
    // "from 3" or "above 3"; a formula, a die and a use are replaced as a whole.
    replace: tables: difficulty: rows: hard: points: {expect: 30, with: 35}
    replace: options: heroic_band: {expect: "up", with: "none"}
    replace: rules: test: let: peak: {
        expect: option: heroic_cap: {none: "active_value", hundred: "min(active_value, 100)"}
        with:   "active_value"
    }
    replace: rules: test: require: "no area hampers twice": {
        expect: "input.areas.all(a, input.areas.count(b, b == a) == 1)"
        with:   "size(input.areas) <= 2"
        says:   "at most two areas hamper"
    }

    // What is not used, with the reason: definitions, rows, events.
    disable: tables: difficulty: rows: monstrous: "hopeless is enough"

Of one homebrew fields of characters and additions come first, then what is extended, replaced and disabled. Of several
homebrews each sees what those before it have made: the next one may extend, replace or disable what one has added.

Nothing is replaced that is not what is expected, nothing is added over what is there, nothing is changed twice, and nothing
is disabled that another homebrew has extended or something else needs: each is a problem that "rules vet DIR" prints with
both places. What CUE reads of a cell, in a bound, a description, a message or another row, is read before and stays as the
ruleset has it, of which "rules vet" warns; formulas look up the cell that is there. Cases in golden/ of the homebrew are
played by "rules test --with DIR".
`

const casesTopic = `Golden cases

golden/<ruleset>/<name>.txtar is an example of the book, which "rules test" plays: headers, a blank line, sentences that
show how the numbers come about, then files.

    rule: leap                             or procedure: NAME, table: NAME, function: NAME, odds: NAME
    covers: harbor.leap harbor.ex.brook    statements and examples of golden/<ruleset>/statements.txt that it shows
    cite: Leaping                          where the book has it
    option: tie=missed                     a ruling that is played; may be repeated
    character: ../ada.json                 the character is in another file, instead of in character.json

    A 5 and an agility of 4 make 9.
    -- character.json --
    {"agility": 4}
    -- input.json --
    {"over": "brook"}
    -- dice --
    5
    -- want.json --
    {"output": {"reached": 9}}

The sentences must be there, one at least. Faces stand in the order in which they fall, 5,3, or by the ids of their dice,
which a die that a later revision adds does not move: roll=5 damage=6,2.

Several cases may stand in one file, each but the first under "-- case --". What a later one is about, its cite and its
character are those of the first unless it says so itself:

    -- case --
    option: tie=missed

    A leap that is just as wide fails here.
    -- input.json --
    {"over": "brook"}
    -- dice --
    5
    -- want.json --
    {"output": {"success": false}}

want.json names the members of the sheet that must be equal; others may have any value. "near: 1e-9" compares doubles
that closely. Of a procedure it is the sheet after all events:

    -- events.json --
    [{"event": "roll", "input": {"difficulty": "hard"}, "dice": [35]}]
    -- want.json --
    {"status": "open", "state": {"points": 3}, "output": {"left": 7}}

Of "odds: leap" it is the exact chances of the values of outputs, the means of numbers, and the chances that the rule is
refused or fails:

    -- want.json --
    {"odds": {"success": {"true": 0.6}}, "mean": {"reached": 9.5}, "refused": 0, "failed": 0}

The odds of a procedure need a policy, as "rules odds" has it: the events in the order in which they are tried, each with
its input if it takes one. The first that is offered happens; a condition of a policy's own cannot be stated in a case.
Its want.json has the chances of the ends, the mean number of events, and what outputs are where it ends. A chance or a
mean of odds may be a fraction:

    odds: climb
    policy: rest
    policy: pull {"bonus": 1}
    cite: Climbing

    Each pull reaches the top with 1/3, so that it takes 3 on average.
    -- want.json --
    {"ends": {"top": 1, "stuck": 0}, "mean_events": 3,
     "odds": {"height": {"2": "1/3", "3": "2/3"}}, "mean": {"height": "8/3"}}

The ends may be "refused", of an event that a requirement refused, "stuck", where no event can happen, and "outgrown".
"because" has the reasons of the first two: {"because": {"refused": {"pull: the rope is too short": "1/9"}}}.

"open" is the chance that it goes on after 1000 events. Where something counts without end, as the time does, chances are
followed and not solved: state "near: 1e-12".

Instead of want.json there may be "refused: MESSAGE", of the requirement that refuses, of an event that is not offered, of
a face that no die shows or of an input out of bounds, or "failed: MESSAGE", of a formula that has no value; several words
of the message are enough. Where the book contradicts itself, "erratum: NAME" names the entry, printed.json holds what is
printed, and "printed: OPTION=VALUE" the ruling that plays it:

    erratum: brook_width
    printed: tie=missed
    -- want.json --
    {"output": {"success": true}}
    -- printed.json --
    {"output": {"success": false}}

A case of a table has table.json: all its rows with all their cells, typed from the book a second time:

    -- table.json --
    {"ditch": {"difficulty": 5, "width": 1}}             of a keyed table; {"ditch": 5} where there is one column
    [{"on": [1, 6], "harm": 1}, {"on": 7, "harm": 2}]    of bands
    [{"from": 0, "harm": 1}, {"above": 2, "harm": 3}]    of steps
    {"mail": {"cut": 1, "thrust": 3}}                    of a chart; its columns are called "1", "2 to 4", "from 0",
                                                         "above 5" where numbers find them

A case of a function has its arguments in input.json, a row of a keyed table by its key, and wants its value. So a branch
that no rule reaches easily is taken where it is written. Releases and vectors leave these cases out, as they hold how a
ruleset is made and not what it answers:

    function: share
    cite: Spoils

    7 among 2: 3 each, and one is left.
    -- input.json --
    {"amount": 7, "among": 2}
    -- want.json --
    {"value": 3}

"rules test" says which branches no case takes: each arm of c ? a : b and of a choice; of a && b, and of a || b, that a
decides, and that b is asked; of a requirement, that it holds and that it refuses; of the when of a use or an event, that it
does and that it does not; of an end, that the play ends there and that it goes on. Nothing counts where no answer needs it.
The branches of a function are those of all formulas that call it, and of its own cases, told where the function is written.

"rules eval RULESET RULE ... --case FILE" writes a case of what was just asked, with the header "recorded: true". It
expects what the program answered, and so covers nothing: it tells when an answer changes, and "rules test --accept" takes
the new one.

Numbers of a case that covers no example of the book are the author's own. An example that the book works without all of
its numbers has "| ours" behind its heading in statements.txt, and the sentences of its cases say which numbers are ours.

A value may be stated by its arithmetic, over cells of the book, the character and the input:

    {"output": {"reached": {"cel": "character.agility + tables.leap.brook.bonus"}}}

The case moves with the cell, so that an edition with another number is no edit of many cases, and it fails when the rule
computes in another way: the arithmetic is not the rule's, and is carried out apart from it, by exact numbers. It has
numbers, strings, + - *, comparisons, && || !, min, max, div_floor, div_ceil, and / where one side has a fraction.
tables.TABLE.ROW.COLUMN is a cell; tables.TABLE["a key"], and tables.TABLE[7] for the row into which 7 falls; the column
may be left out where there is but one. Where a rule looks up, or dice decide, state the value.

"rules diff git:HEAD ." lists the cases that answer otherwise after an edit: the file and the line that states the value,
what it was, what it is, and the edits that did it.
`

const statusTopic = `Exit status

    0  done
    1  the answer is no: a diagnostic, a case that fails, a requirement or a guard that refuses, a formula without a
       value, a change that breaks, a receipt that does not match
    2  the question could not be asked: the command line, a file that is missing or malformed, a character or an input
       that does not fit, wrong dice, a damaged plan

Answers go to standard output, everything else to standard error. --format json is for tools: members keep their names,
and new ones may come. Colors are for terminals; "--color never" or NO_COLOR switches them off.
`

// functionsTopic lists the functions of CEL that are there, and ours.
func functionsTopic() string {
	var out strings.Builder
	out.WriteString("Functions\n\n" + macrosHelp)
	for _, f := range builtin.Table() {
		fmt.Fprintf(&out, "\n%s\n    %s\n", strings.Join(callForms(f), "\n"), f.Doc)
		for _, x := range f.Examples {
			fmt.Fprintf(&out, "    %s = %s\n", x.Expr, x.Want)
		}
	}
	return out.String()
}

const macrosHelp = `Operators: + - * / % < <= > >= == != && || ! ?: in, xs[0], m['key'], m.key, has(x.y).
Over lists and maps, with x for each element: xs.map(x, f), xs.filter(x, p), xs.all(x, p), xs.exists(x, p),
xs.exists_one(x, p), xs.count(x, p), xs.sum(x, f), xs.sort_by(x, key).
With a state that goes from element to element: xs.fold(x, state, start, next). The state is a number, a string, a truth
value, or a record of these. A record begins as a row of a table, an input or an output; with(state, 'field', value) sets a
field of it:
damage.fold(d, unit, tally('none'), unit.hurt + d >= 3 ? with(with(unit, 'hurt', 0), 'killed', unit.killed + 1) : ...).
[3, 1].fold(x, most, 0, max(most, x)) is 3;
damage.fold(d, lost, 0, lost + min(d, 3 - lost % 3)) is what hits do to models of 3 wounds; no hit strikes two of them.
Of CEL itself: size(x), int(x), double(x), string(x), bool(x); s.contains(t), s.startsWith(t), s.endsWith(t).
`

// callForms returns the ways to call a function, with its types.
func callForms(f builtin.Function) []string {
	var out []string
	for _, o := range f.Overloads {
		params, on := o.Params, ""
		if o.Member {
			on, params = params[0]+".", params[1:]
		}
		out = append(out, fmt.Sprintf("%s%s(%s) -> %s", on, f.Name, strings.Join(params, ", "), o.Result))
	}
	return out
}
