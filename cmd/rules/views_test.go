package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/golden"
)

// answersCompared is how many answers every front end is asked for, of each ruleset as many.
const answersCompared = 20

// TestFrontEndsSayTheSame asks twenty worked examples of the books on the terminal, on a page and by the API. The API has
// the values; page and terminal have the same texts for them, and each text reads as the value.
func TestFrontEndsSayTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a server")
	}
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	rulesets := []string{"haze", "supermen", "zones", "hybrid", "tempestas"}
	server, stop := startServer(t, rulesets...)
	defer stop()
	compared := 0
	for _, ruleset := range rulesets {
		cases, err := golden.Load(rules.Files, "golden/"+ruleset, "")
		if err != nil {
			t.Fatal(err)
		}
		var subjects []string
		for _, c := range cases {
			if len(subjects) == answersCompared/len(rulesets) {
				break
			}
			if !isPlainRule(c) || slices.Contains(subjects, c.Subject) {
				continue
			}
			subjects = append(subjects, c.Subject)
			compareFrontEnds(t, server, ruleset, c)
			compared++
		}
	}
	if compared != answersCompared {
		t.Errorf("%d answers are compared", compared)
	}
}

// isPlainRule reports whether a case is of a rule with given faces that has an answer.
func isPlainRule(c *golden.Case) bool {
	return c.Kind == golden.RuleCase && c.Refused == "" && c.Failed == "" && c.Dice.ByID == nil && len(c.Options) == 0 &&
		len(c.Character) > 0
}

func compareFrontEnds(t *testing.T, server, ruleset string, c *golden.Case) {
	t.Helper()
	faces := strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Dice.List), " ", ","), "[]")
	character, input := c.CharacterJSON(), c.Input
	if len(input) == 0 {
		input = []byte("{}")
	}
	write(t, "character.json", string(character))
	write(t, "input.json", string(input))
	args := []string{"eval", ruleset, c.Subject, "--character", "character.json", "--input", "input.json"}
	if faces != "" {
		args = append(args, "--dice", faces)
	}
	var terminal, notes bytes.Buffer
	if status := Main(args, strings.NewReader(""), &terminal, &notes); status != 0 {
		t.Fatalf("%s: status %d: %s", c.Name, status, &notes)
	}

	body := fmt.Sprintf(`{"character": %s, "input": %s, "dice": [%s]}`, character, input, faces)
	var answer bytes.Buffer
	status := postTo(t, &answer, server+"v1/"+ruleset+"/"+c.Subject+"/eval", "application/json", body)
	if status != http.StatusOK {
		t.Fatalf("%s: the API says %s", c.Name, &answer)
	}
	var sheet struct{ Output json.RawMessage }
	if err := json.Unmarshal(answer.Bytes(), &sheet); err != nil {
		t.Fatal(err)
	}

	form := url.Values{"asked": {"yes"}, "character": {string(character)}, "dice": {faces}}
	addFields(t, form, "in.", input)
	var page bytes.Buffer
	status = postTo(t, &page, server+ruleset+"/try/"+c.Subject, "application/x-www-form-urlencoded", form.Encode())
	if status != http.StatusOK {
		t.Fatalf("%s: the page has status %d", c.Name, status)
	}

	shown := answersOn(page.String())
	values := leavesOf(t, sheet.Output)
	if len(shown) == 0 || len(shown) > len(values) {
		t.Errorf("%s: the page shows %d values, the API has %d: %s", c.Name, len(shown), len(values), sheet.Output)
		return
	}
	// A page has the outputs of the headline first, the terminal those of the API in their order.
	slices.SortStableFunc(shown, func(a, b [2]string) int {
		return rowAt(terminal.String(), a) - rowAt(terminal.String(), b)
	})
	for i, text := range shown {
		if rowAt(terminal.String(), text) < 0 && !strings.HasPrefix(text[1], "[{") { // a list of records is a table there
			t.Errorf("%s: the page says %q, the terminal\n%s", c.Name, text, &terminal)
		}
		if len(shown) == len(values) && !readsAs(text[1], values[i]) {
			t.Errorf("%s: %s reads %q, the API has %s", c.Name, text[0], text[1], values[i])
		}
	}
}

// addFields adds the members of an input to a form: those of a record in it by their paths, and as a whole, for a map or a
// character has one field.
func addFields(t *testing.T, form url.Values, prefix string, object []byte) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(object, &members); err != nil {
		t.Fatal(err)
	}
	for name, value := range members {
		form.Set(prefix+name, strings.Trim(string(value), `"`))
		if value[0] == '{' {
			addFields(t, form, prefix+name+".", value)
		}
	}
}

var answerOnPage = regexp.MustCompile(`<dt>([^<]*)</dt><dd>([^<]*)</dd><dd class="ask">`)

// answersOn returns the names and the texts of the outputs on a page.
func answersOn(page string) (out [][2]string) {
	for _, m := range answerOnPage.FindAllStringSubmatch(page, -1) {
		out = append(out, [2]string{html.UnescapeString(m[1]), html.UnescapeString(m[2])})
	}
	return out
}

// rowAt returns where a page of the terminal has a row of a name and a text; -1 for nowhere.
func rowAt(page string, row [2]string) int {
	line := `(?m)^ +` + regexp.QuoteMeta(row[0]) + ` +` + regexp.QuoteMeta(row[1]) + `$`
	if at := regexp.MustCompile(line).FindStringIndex(page); at != nil {
		return at[0]
	}
	return -1
}

// leavesOf returns the values of a record in JSON in their order, those of a record in it one by one.
func leavesOf(t *testing.T, text json.RawMessage) (out []json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		var value json.RawMessage
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		if value[0] == '{' {
			out = append(out, leavesOf(t, value)...)
		} else {
			out = append(out, value)
		}
	}
	return out
}

// secondsOf has the seconds of units of time, in which an output may be shown that counts seconds.
var secondsOf = map[string]float64{"minute": 60, "hour": 3600, "day": 86400, "week": 7 * 86400}

// readNumber returns the number that a text says: "53.9", "−5", "4 Offenciancy", "1 day 2 hours"; NaN for none.
func readNumber(text string) float64 {
	sum, words := 0.0, strings.Fields(text)
	for i, word := range words {
		n, err := strconv.ParseFloat(strings.Replace(word, "−", "-", 1), 64)
		switch {
		case err != nil && i == 0:
			return math.NaN()
		case err != nil:
			continue
		case i+1 < len(words) && secondsOf[strings.TrimSuffix(words[i+1], "s")] != 0:
			n *= secondsOf[strings.TrimSuffix(words[i+1], "s")]
		}
		sum += n
	}
	return sum
}

// readsAs reports whether a text reads as a value: a number to the digits that are shown, a truth with or without its
// reason, a string as it is, a list by its names. An output that means nothing here has no value to read.
func readsAs(text string, value json.RawMessage) bool {
	if text == "not possible" {
		return true
	}
	var v any
	if json.Unmarshal(value, &v) != nil {
		return false
	}
	switch v := v.(type) {
	case string:
		return text == v
	case bool: // a ruleset may have words of its own for it, but none that say the opposite
		truth, _, _ := strings.Cut(text, ":")
		return truth != "" && truth != fmt.Sprint(!v) && truth != map[bool]string{true: "no", false: "yes"}[v]
	case float64:
		number, _, _ := strings.Cut(text, " ")
		_, digits, _ := strings.Cut(number, ".")
		return len(digits) < 12 && math.Abs(readNumber(text)-v) <= 0.5000001*math.Pow10(-len(digits))
	}
	for _, element := range v.([]any) { // each is there, in its order
		_, rest, found := strings.Cut(text, fmt.Sprint(element))
		if _, isName := element.(string); isName && !found {
			return false
		}
		text = rest
	}
	return true
}
