// Package sarif writes diagnostics as a log of SARIF 2.1.0, which code hosts and editors show beside the lines.
//
// A log has each code once, with its page, and results that name it by index: a code host shows the
// page where it has room for it. Columns count code points, as the compiler does, which the log
// says (columnKind). Paths are relative to the working directory, because hosts match them with
// those of the repository.
package sarif

import (
	"net/url"
	"os"
	"path/filepath"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// SARIF 2.1.0, the parts of it that services show: https://docs.oasis-open.org/sarif/sarif/v2.1.0/
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Columns string        `json:"columnKind"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Short   sarifText    `json:"shortDescription"`
		Full    sarifText    `json:"fullDescription"`
		Help    sarifText    `json:"help"`
		Default sarifDefault `json:"defaultConfiguration"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		Rule    string          `json:"ruleId"`
		Index   int             `json:"ruleIndex"`
		Level   string          `json:"level"`
		Message sarifText       `json:"message"`
		At      []sarifLocation `json:"locations"`
		Related []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn"`
	}
)

// SarifOf is diagnostics as a SARIF log, with the pages of their codes; version is that of this program.
func SarifOf(diags []diag.Diagnostic, version string) sarifLog {
	// Results is never nil: hosts take a log without results for a tool that failed, and an empty
	// list for a clean run.
	run := sarifRun{
		Tool:    sarifTool{sarifDriver{Name: "rules", Version: version, Rules: []sarifRule{}}},
		Columns: "unicodeCodePoints", Results: []sarifResult{},
	}
	index := map[diag.Code]int{}
	for i := range diags {
		d := &diags[i]
		at, told := index[d.Code]
		if !told {
			at = len(index)
			index[d.Code] = at
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(d.Code))
		}
		r := sarifResultOf(d)
		r.Index = at
		run.Results = append(run.Results, r)
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

// sarifRuleOf returns the page of a code as a rule of the log. A host shows the short text in lists
// and the help beside a result.
func sarifRuleOf(code diag.Code) sarifRule {
	x := diag.Entry(code)
	return sarifRule{
		ID: string(code), Short: sarifText{x.Summary() + "."}, Full: sarifText{x.Text},
		Help:    sarifText{x.TextWithExamples()},
		Default: sarifDefault{present.SeverityNames[x.Severity]},
	}
}

// sarifResultOf returns a diagnostic as a result. Hosts show one text beside a line, so the subject
// and the repair are in it.
func sarifResultOf(d *diag.Diagnostic) sarifResult {
	text := d.Message
	if d.Subject != "" {
		text = d.Subject + ": " + text
	}
	if d.Repair != "" {
		text += "; " + d.Repair
	}
	r := sarifResult{
		Rule: string(d.Code), Level: present.SeverityNames[d.Severity], Message: sarifText{text},
		At: []sarifLocation{sarifPlace(d.Place, "")},
	}
	for _, x := range d.Related {
		r.Related = append(r.Related, sarifPlace(x.Place, x.Message))
	}
	return r
}

// sarifPlace returns a place. One without a line is of a whole file, and then has no region: line 0
// is no line in SARIF.
func sarifPlace(at plan.Place, message string) sarifLocation {
	l := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{UriOf(at.File)}}}
	if at.Line > 0 {
		l.Physical.Region = &sarifRegion{at.Line, at.Col}
	}
	if message != "" {
		l.Message = &sarifText{message}
	}
	return l
}

// UriOf returns a file as a URI: relative to the current directory when the file lies below it, as services ask for.
// The URL type escapes characters that a URI must not have, such as blanks.
func UriOf(file string) string {
	if !filepath.IsAbs(filepath.FromSlash(file)) {
		return (&url.URL{Path: file}).String()
	}
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, file); err == nil && filepath.IsLocal(rel) {
			return (&url.URL{Path: filepath.ToSlash(rel)}).String()
		}
	}
	return (&url.URL{Scheme: "file", Path: file}).String()
}
