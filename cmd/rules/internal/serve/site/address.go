package site

// # An address holds the whole question
//
// A form is sent by POST, and answered by a redirect to an address that holds all that the answer depends on: fields,
// rulings, character, faces or the seed by which they are drawn, and which rules were asked. GET of an address draws
// nothing, so that reloading a page, going back to it and sending it to a friend all show the same answer.
//
// An address has an end. A character that is too long for one stays in the browser, under its digest, when the script has
// kept it there; otherwise the form is answered at once, as the page of the POST itself.

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
)

// maxAddress is how long the query of an address may be, in bytes: proxies and chat programs pass on as much.
const maxAddress = 6000

// Fields of an address that are in no form.
const (
	askedField    = "asked"
	askedYes      = "yes"      // carry it out
	askedOpen     = "open"     // show the form, as it was sent
	storedField   = "stored"   // the digest under which the browser keeps the character
	hereField     = "here"     // answer the POST itself: the script has opened an address with a stored character
	revisionField = "revision" // of the ruleset that was asked
	homebrewField = "homebrew" // homebrews that were applied
	rulesField    = "rules"    // the beginning of the digest of the plan
)

// The field of an address, and of a form, by which a page has all the odds and not only those of its headline.
const (
	oddsField = "odds"
	oddsWhole = "all"
)

// digestLength is how much of a plan's digest an address has: 16 digits tell the states of a ruleset apart.
const digestLength = 16

// settleForm makes the form of a POST one whose answer does not change: the faces of an earlier answer count only for
// questions about it, and a seed is drawn where faces are missing.
//
// Some faces that are typed leave the others to a seed.
func settleForm(n *describe.Needs, form url.Values, isPartlyThrown bool) {
	if isOnlyShown(form) {
		return
	}
	repeated := isRepeated(form)
	if !repeated {
		form.Del(fellField)
		for name := range form {
			if strings.HasPrefix(name, decidePrefix) {
				form.Del(name)
			}
		}
	}
	q := formQuestion{dice: form.Get("dice"), seed: form.Get("seed")}
	if form.Get(fellField) != "" || len(n.Dice) == 0 {
		return
	}
	if isPartlyThrown && q.seed == "" {
		q.seed = strconv.FormatUint(argdata.DrawSeed(), 10)
	}
	if q.drawSeed(); q.seed != form.Get("seed") {
		form.Set(fellField, q.fell())
	}
}

// isSettled reports whether an address says all that its answer depends on.
func isSettled(n *describe.Needs, form url.Values) bool {
	return form.Get(askedField) != askedYes || len(n.Dice) == 0 || hasFaces(form)
}

// hasFaces reports whether an address says how the dice fall.
func hasFaces(form url.Values) bool {
	return form.Get("dice") != "" || form.Get("seed") != "" || form.Get(fellField) != ""
}

// isAsked reports whether an address is to be answered, and not only shown as a form.
func isAsked(form url.Values) bool {
	return form.Get(askedField) == askedYes || form.Get(askedField) == "" && hasFaces(form)
}

// addressOf returns the query of the address that asks the same as a form, or "" where it would be too long.
func addressOf(e *library.Edition, n *describe.Needs, form url.Values) string {
	out := url.Values{}
	for name, values := range form {
		if text := values[0]; text != "" && isAddressField(n, name, text) {
			out.Set(name, text)
		}
	}
	out.Set(askedField, askedYes)
	if isOnlyShown(form) {
		out.Set(askedField, askedOpen)
	}
	switch form.Get("do") {
	case keepSetting:
		out.Set("kept", settingFields(form).Encode())
	case dropSetting:
		out.Del("kept")
	case doOdds:
		out.Set(oddsField, oddsWhole)
	}
	if out.Has("character") {
		out.Set("character", jsontext.Compact([]byte(out.Get("character"))))
	}
	nameRules(e, out)
	query := out.Encode()
	if stored := form.Get(storedField); len(query) > maxAddress && stored != "" {
		out.Del("character")
		out.Set(storedField, stored)
		query = out.Encode()
	}
	if len(query) > maxAddress {
		return ""
	}
	return query
}

// nameRules adds to an address which rules are asked.
func nameRules(e *library.Edition, address url.Values) {
	address.Set(revisionField, e.Plan.Revision)
	address.Set(rulesField, digestOf(e))
	if len(e.Plan.Overlays) > 0 {
		address.Set(homebrewField, strings.Join(e.Plan.Overlays, ", "))
	}
}

// isAddressField reports whether an address keeps a field of a form. A ruling that is played anyway says nothing.
func isAddressField(n *describe.Needs, name, text string) bool {
	if option, is := strings.CutPrefix(name, optionPrefix); is {
		return !slices.ContainsFunc(n.Options,
			func(o describe.OptionSays) bool { return o.ID == option && o.Played == text })
	}
	switch name {
	case "character", "dice", "seed", fellField, "why", "kept", "vary", "vary2", "beside", oddsField, atField:
		return true
	}
	return strings.HasPrefix(name, inputPrefix) || strings.HasPrefix(name, decidePrefix)
}

// digestOf returns as much of the digest of an edition as an address has.
func digestOf(e *library.Edition) string {
	_, digits, _ := strings.Cut(e.Digest, ":")
	return digits[:digestLength]
}

// redirect leads from a form that was sent to the address of its answer.
func redirect(w http.ResponseWriter, r *http.Request, id, query string) {
	http.Redirect(w, r, id+"?"+query+"#answer", http.StatusSeeOther)
}

// findAsked is the edition that an address names, in its path or by its field for the revision. The note says how the rules
// differ from those by which the address was made; "" where they do not.
func (s *server) findAsked(r *http.Request) (e *library.Edition, b *bookView, note string, err error) {
	e, b, err = s.book(r)
	if err != nil {
		return nil, nil, "", err
	}
	q := r.URL.Query()
	revision := q.Get(revisionField)
	if revision != "" && revision != e.Plan.Revision {
		shelf := s.library.Shelf()
		x, err := shelf.Find(e.Plan.Ruleset, revision)
		if err != nil {
			return e, b, "This was asked of revision " + revision + ", which is not here: it is answered by revision " +
				e.Plan.Revision + ".", nil
		}
		e, b = x, s.bookOf(shelf, x)
	}
	homebrew := strings.Join(e.Plan.Overlays, ", ")
	switch asked := q.Get(homebrewField); {
	case revision == "":
	case asked != homebrew && asked == "":
		note = "This was asked of the rules without a homebrew: here they are played with " + homebrew + "."
	case asked != homebrew && homebrew == "":
		note = "This was asked of the rules with the homebrew " + asked + ", which is not here: it is answered without it."
	case asked != homebrew:
		note = "This was asked of the rules with the homebrew " + asked + ": here they are played with " + homebrew + "."
	case q.Get(rulesField) != "" && q.Get(rulesField) != digestOf(e):
		note = "The rules have changed since this was asked: it is answered by those of now."
	}
	return e, b, note, nil
}
