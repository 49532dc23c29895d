package main

import (
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
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID   string    `json:"id"`
		Full sarifText `json:"fullDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		Rule    string          `json:"ruleId"`
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

// sarifOf is diagnostics as a SARIF log, with the pages of their codes.
func sarifOf(diags []diag.Diagnostic) sarifLog {
	run := sarifRun{
		Tool:    sarifTool{sarifDriver{Name: "rules", Rules: []sarifRule{}}},
		Columns: "unicodeCodePoints", Results: []sarifResult{},
	}
	told := map[diag.Code]bool{}
	for i := range diags {
		d := &diags[i]
		if !told[d.Code] {
			told[d.Code] = true
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{string(d.Code), sarifText{diag.Entry(d.Code).Text}})
		}
		run.Results = append(run.Results, sarifResultOf(d))
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

func sarifResultOf(d *diag.Diagnostic) sarifResult {
	text := d.Message
	if d.Subject != "" {
		text = d.Subject + ": " + text
	}
	if d.Repair != "" {
		text += "; " + d.Repair
	}
	r := sarifResult{
		Rule: string(d.Code), Level: severityNames[d.Severity], Message: sarifText{text},
		At: []sarifLocation{sarifPlace(d.Place, "")},
	}
	for _, x := range d.Related {
		r.Related = append(r.Related, sarifPlace(x.Place, x.Message))
	}
	return r
}

func sarifPlace(at plan.Place, message string) sarifLocation {
	l := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{at.File}}}
	if at.Line > 0 {
		l.Physical.Region = &sarifRegion{at.Line, at.Col}
	}
	if message != "" {
		l.Message = &sarifText{message}
	}
	return l
}
