package main

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/sarif"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
)

// A sarifFile is what a log must have by section 3 of SARIF 2.1.0, read apart from how it is written.
type sarifFile struct {
	Schema  *string `json:"$schema"`
	Version *string `json:"version"`
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name  *string          `json:"name"`
				Rules []map[string]any `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		ColumnKind *string `json:"columnKind"`
		Results    []struct {
			RuleID    string          `json:"ruleId"`
			RuleIndex *int            `json:"ruleIndex"`
			Level     string          `json:"level"`
			Message   map[string]any  `json:"message"`
			Locations []sarifReported `json:"locations"`
			Related   []sarifReported `json:"relatedLocations"`
		} `json:"results"`
	} `json:"runs"`
}

type sarifReported struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *struct {
			Line   int `json:"startLine"`
			Column int `json:"startColumn"`
		} `json:"region"`
	} `json:"physicalLocation"`
}

// TestSarif holds the logs of the homebrews with mistakes to what the standard asks for, and to what is said as JSON.
func TestSarif(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine after the other: nothing for the detector of races")
	}
	dirs, err := filepath.Glob("../../golden/homebrew/*/want.txt")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("there are no homebrews with mistakes: %v", err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range dirs {
		dir := filepath.Dir(want)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			abs, err := filepath.Abs(dir)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(root)
			rel, err := filepath.Rel(root, abs)
			if err != nil {
				t.Fatal(err)
			}
			near, far := sarifLogOf(t, rel), sarifLogOf(t, abs)
			if len(near.Runs) != 1 || len(near.Runs[0].Results) < 3 || len(near.Runs[0].Results) != len(problemsIn(t, rel)) {
				t.Fatalf("got %+v", near)
			}
			checkSarif(t, near)
			checkSarif(t, far)
		})
	}
}

func vetted(t *testing.T, dir, format string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if status := Main([]string{"vet", "--strict", "--format", format, dir}, strings.NewReader(""), &out,
		&errs); status != exit.Denied {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	return out.Bytes()
}

func problemsIn(t *testing.T, dir string) (out []present.Problem) {
	t.Helper()
	if err := json.Unmarshal(vetted(t, dir, "json"), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func sarifLogOf(t *testing.T, dir string) (out sarifFile) {
	t.Helper()
	if err := json.Unmarshal(vetted(t, dir, "sarif"), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func checkSarif(t *testing.T, log sarifFile) {
	t.Helper()
	if log.Version == nil || *log.Version != "2.1.0" || log.Schema == nil {
		t.Error("it does not say which version it is")
	}
	run := &log.Runs[0]
	if run.Tool.Driver.Name == nil || *run.Tool.Driver.Name != "rules" || run.ColumnKind == nil ||
		*run.ColumnKind != "unicodeCodePoints" {
		t.Errorf("the run is %+v", run)
	}
	ids := sarifRuleIDs(t, run.Tool.Driver.Rules)
	for i, r := range run.Results {
		if r.RuleIndex == nil || *r.RuleIndex >= len(ids) || ids[*r.RuleIndex] != r.RuleID {
			t.Errorf("result %d: the rule %s is not at its index", i, r.RuleID)
		}
		if !slices.Contains([]string{"error", "warning", "note"}, r.Level) || r.Message["text"] == nil ||
			r.Message["text"] == "" {
			t.Errorf("result %d: level %q, message %v", i, r.Level, r.Message)
		}
		if len(r.Locations) != 1 {
			t.Errorf("result %d is in %d places", i, len(r.Locations))
		}
		for _, at := range slices.Concat(r.Locations, r.Related) {
			checkSarifPlace(t, at)
		}
	}
}

// sarifRuleIDs are the ids of rules, each once and with its texts.
func sarifRuleIDs(t *testing.T, rules []map[string]any) (ids []string) {
	t.Helper()
	for _, r := range rules {
		id, _ := r["id"].(string)
		if id == "" || slices.Contains(ids, id) {
			t.Errorf("the rule %q has no id of its own", id)
		}
		ids = append(ids, id)
		for _, part := range []string{"shortDescription", "fullDescription", "help"} {
			if text, _ := r[part].(map[string]any); text["text"] == nil || text["text"] == "" {
				t.Errorf("%s has no %s", id, part)
			}
		}
	}
	return ids
}

// checkSarifPlace wants a relative URI and a line and a column from 1. The files of the homebrew are there.
func checkSarifPlace(t *testing.T, at sarifReported) {
	t.Helper()
	u, err := url.Parse(at.Physical.Artifact.URI)
	if err != nil || u.IsAbs() || u.Path == "" || strings.HasPrefix(u.Path, "/") || strings.Contains(u.Path, `\`) {
		t.Errorf("%q is no relative URI", at.Physical.Artifact.URI)
		return
	}
	if _, err := os.Stat(filepath.FromSlash(u.Path)); err != nil {
		t.Error(err)
	}
	if r := at.Physical.Region; r == nil || r.Line < 1 || r.Column < 1 {
		t.Errorf("%s has the region %+v", u.Path, r)
	}
}

func TestURIOf(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	for file, want := range map[string]string{
		"house/a b.cue":    "house/a%20b.cue",
		"../up/a.cue":      "../up/a.cue",
		"a#1.cue":          "a%231.cue",
		"/elsewhere/x y":   "file:///elsewhere/x%20y",
		"tables/größe.cue": "tables/gr%C3%B6%C3%9Fe.cue",
	} {
		if got := sarif.UriOf(file); got != want {
			t.Errorf("%s gives %s, want %s", file, got, want)
		}
	}
	if got := sarif.UriOf(filepath.ToSlash(filepath.Join(here, "in", "x.cue"))); got != "in/x.cue" {
		t.Errorf("a file below gives %s", got)
	}
}
