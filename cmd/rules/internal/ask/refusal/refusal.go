// Package refusal adds to the errors of rules and procedures what players need to go on: the numbers that a requirement
// compared, the key that was probably meant, the faces that fell or are missing, the events that are offered instead. The
// errors stay wrapped, so that the exit status is that of the first cause.
package refusal

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// IsOwn reports whether an error is the answer of a rule: a requirement that refuses, or a formula without a value.
func IsOwn(err error) bool {
	return exit.Answered[*runtime.Refused](err) || exit.Answered[*runtime.Failure](err)
}

// Explain words a refusal with the numbers of its requirement; why is nil when they are not known. The teller has the words
// of the definition that refuses; it may be nil.
//
// The error is wrapped and never replaced, because the exit status and the server's code follow
// from its type.
func Explain(err error, why *runtime.Explanation, t *say.Teller) error {
	out := exit.WordRefusal(err)
	if t != nil && IsOwn(err) {
		out = &worded{out, view.SpeakPaths(out.Error(), t)}
	}
	if why == nil {
		return out
	}
	speak := func(equation string) string {
		if t == nil {
			return equation
		}
		return view.SpeakPaths(view.SpeakEquation(equation, t), t)
	}
	if path, _, ok := strings.Cut(out.Error(), decidedOnlyWhen); ok && why.Step != nil {
		return &worded{err, path + " is not decided here, for it needs " + speak(missedCondition(why.Step))}
	}
	if s := view.UnfoldTruth(why.Step); s != nil && s.Equation != "" && s.Equation != "false" { // a constant says nothing
		out = fmt.Errorf("%w: %s", out, speak(wordEquation(s.Equation)))
	}
	if why.Near != "" {
		out = fmt.Errorf("%w; did you mean %q", out, why.Near)
	}
	return out
}

// sameValues is an equation that asks for two values to differ.
var sameValues = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\S+) \((.+)\) != (\S+)$`) })

// wordEquation returns the equation of a requirement that does not hold, as what is needed; of two values that had to
// differ it says what they are.
func wordEquation(equation string) string {
	if m := sameValues().FindStringSubmatch(equation); m != nil && m[1] == m[3] {
		return m[2] + " is " + m[1]
	}
	return "it needs " + equation
}

// decidedOnlyWhen stands, in the requirement of a decision that has a condition, between the field and the condition. The
// requirement is that the condition holds, or that the field has its default.
const decidedOnlyWhen = " is decided only when "

// missedCondition returns the unmet condition of a decision, with its values. The requirement reads "CONDITION or FIELD
// == DEFAULT"; the player can do something only about the first half.
func missedCondition(s *trace.Step) string {
	for _, x := range s.From {
		if x.Value.Kind() == plan.Bool && !x.Value.Bool() && x.Equation != "" {
			return view.UnfoldTruth(x).Equation
		}
	}
	if end := strings.LastIndex(s.Equation, " or "); end >= 0 {
		return s.Equation[:end]
	}
	return s.Equation
}

// A worded error is one that is said in other words.
type worded struct {
	err  error
	text string
}

// Error returns the text of the error.
func (w *worded) Error() string { return w.text }

// Unwrap is the error.
func (w *worded) Unwrap() error { return w.err }

// TellFallen adds the faces that had fallen, and the seed from which they fall so again; nil when none was drawn from one.
// They are the players', although there is no sheet.
func TellFallen(err error, why *runtime.Explanation, seed *uint64) error {
	if why == nil || len(why.Dice) == 0 {
		return err
	}
	err = fmt.Errorf("%w; fallen are %s", err, strings.Join(view.Faces(why.Dice, nil), " "))
	if seed != nil {
		err = fmt.Errorf("%w, and --seed %d lets them fall so again", err, *seed)
	}
	return err
}
