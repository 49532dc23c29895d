package lockfile

import (
	"slices"
	"strings"
	"testing"
)

const (
	one = "sha256:1111111111111111111111111111111111111111111111111111111111111111"
	two = "sha256:2222222222222222222222222222222222222222222222222222222222222222"
)

// text is a lock file with what two people have added.
const text = "rules.lock 1\n" +
	"homebrew storm harbor.example/homebrews/storm:1@" + one + " " + two + "\n" +
	"release small-0.1.0.rules harbor.example/games/small:0.1.0@" + two + " " + one + "\n"

func TestTextDoesNotDependOnTheOrder(t *testing.T) {
	entries := []Entry{
		{Release, "small-0.1.0.rules", "harbor.example/games/small:0.1.0", two, one},
		{Homebrew, "storm", "harbor.example/homebrews/storm:1", one, two},
	}
	for range 2 {
		slices.Reverse(entries)
		l := &Lock{}
		l.Put(Entry{Homebrew, "storm", "harbor.example/homebrews/storm:0", one, one}) // replaced by its name
		l.Put(Entry{Release, "other.rules", "harbor.example/games/small:0.1.0", one, one})
		for _, e := range entries {
			l.Put(e)
		}
		if got := string(l.Text()); got != text {
			t.Errorf("got\n%swant\n%s", got, text)
		}
	}
	l, err := Parse([]byte(text))
	if err != nil || string(l.Text()) != text {
		t.Errorf("got %+v, %v", l, err)
	}
	if e := l.Find("harbor.example/games/small:0.1.0"); e == nil || *e != entries[0] && *e != entries[1] || e.Content != one {
		t.Errorf("found %+v", e)
	}
	if e := l.Find("harbor.example/games/small:0.2.0"); e != nil {
		t.Errorf("found %+v", e)
	}
}

// The path of a layout may have blanks, and an @.
func TestPaths(t *testing.T) {
	e := Entry{Release, "small-0.1.0.rules", "../my games/@home/small:0.1.0", two, one}
	l, err := Parse((&Lock{Entries: []Entry{e}}).Text())
	if err != nil || len(l.Entries) != 1 || l.Entries[0] != e {
		t.Errorf("got %+v, %v", l, err)
	}
}

func TestParseRefuses(t *testing.T) {
	line := "release small-0.1.0.rules harbor.example/games/small:0.1.0@" + two + " " + one + "\n"
	for text, want := range map[string]string{
		"rules.lock 2\n":                      "line 1: this is no lock file that is known here",
		"<<<<<<< HEAD\n":                      "line 1: this is no lock file that is known here",
		"rules.lock 1\n<<<<<<< HEAD\n":        "line 2: it has 2 words",
		"rules.lock 1\n" + line + line:        "line 3: it stands there twice",
		"rules.lock 1\n\n":                    "line 2: it has 1 words",
		"rules.lock 1\n" + line[:len(line)-2]: "is no digest",
		"rules.lock 1\n" + strings.Replace(line, "small-0.1.0.rules", "../small", 1): "is no name",
		"rules.lock 1\n" + strings.Replace(line, "small-0.1.0.rules", "/etc/x", 1):   "is no name",
		"rules.lock 1\n" + strings.Replace(line, "small-0.1.0.rules", ".bashrc", 1):  "is no name",
		"rules.lock 1\n" + strings.Replace(line, "release", "program", 1):            "is neither a release nor a homebrew",
		"rules.lock 1\n" + strings.Replace(line, "@sha256:", "@sha512:", 1):          "is no digest",
		"rules.lock 1\n" + strings.Replace(line, "@"+two, "", 1):                     "has no digest",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
	if l, err := Parse(nil); err != nil || len(l.Entries) != 0 {
		t.Errorf("no file: %+v, %v", l, err)
	}
}
