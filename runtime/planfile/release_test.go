package planfile

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plan/plantest"
)

func sampleRelease() *Release {
	return &Release{Plan: planWithWords(), Changelog: "## sample 0.1.0\n", Cases: []File{{"twice.txtar", "rule: twice\n"}},
		Sources: []File{{"rules.cue", "package rules\n"}}}
}

func TestReleaseKeepsEverything(t *testing.T) {
	want := sampleRelease()
	file := WriteRelease(want, nil)
	got, err := ReadRelease(file)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read back another release:\n got %+v\nwant %+v", got, want)
	}
	p, err := Read(file)
	if err != nil || Digest(p) != Digest(want.Plan) {
		t.Errorf("the plan of the release is another one: %v", err)
	}
}

// TestPartsDigestWhatTheyHold alters one thing at a time, and wants the digest of just its part to differ.
func TestPartsDigestWhatTheyHold(t *testing.T) {
	for want, alter := range map[string]func(*Release){
		"names":      func(r *Release) { r.Plan.Title = "x" },
		"character":  func(r *Release) { r.Plan.Character.Fields[0].Doc = "x" },
		"options":    func(r *Release) { r.Plan.Options[0].ID = "x" },
		"tables":     func(r *Release) { r.Plan.Tables[0].Cells[0]++ },
		"rule twice": func(r *Release) { r.Plan.Rules[0].Graph.Nodes[1].Imm++ },
		"citations":  func(r *Release) { r.Plan.Entries[0].Cite = "x" },
		"errata":     func(r *Release) { r.Plan.Errata[0].Why = "x" },
		"changelog":  func(r *Release) { r.Changelog += "x" },
		"cases":      func(r *Release) { r.Cases[0].Data += "x" },
		"sources":    func(r *Release) { r.Sources[0].Data += "x" },
	} {
		altered := sampleRelease()
		alter(altered)
		before, after := partsOf(t, sampleRelease()), partsOf(t, altered)
		for i := range before {
			if differs := before[i].Digest != after[i].Digest; differs != (before[i].Name == want) {
				t.Errorf("%s altered: the digest of %s differs: %v", want, before[i].Name, differs)
			}
		}
	}
}

// TestReleaseWithoutSources reads a release as it was written before releases had sources, with instructions and without.
func TestReleaseWithoutSources(t *testing.T) {
	want := sampleRelease()
	want.Sources = nil
	for name, instructions := range map[string]Instructions{"with instructions": sampleInstructions, "without instructions": nil} {
		file := WriteRelease(want, instructions)
		if bytes.Contains(file, []byte(sourcesName)) {
			t.Errorf("%s: there is a part of sources", name)
		}
		got, err := ReadRelease(file)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: read back another release:\n got %+v\nwant %+v", name, got, want)
		}
	}
}

// TestDigestsOfHomebrews keeps them in plans and releases, whole and cut, and out of what identifies the rules.
func TestDigestsOfHomebrews(t *testing.T) {
	r := sampleRelease()
	r.Plan.Overlays, r.Plan.OverlayDigests = []string{"storm", "rain"}, []string{"sha256:aa", ""}
	for name, file := range map[string][]byte{
		"release": WriteRelease(r, sampleInstructions), "plan": Write(r.Plan, sampleInstructions), "plan without instructions": Write(r.Plan, nil),
	} {
		a, err := opened(file)
		if err != nil {
			t.Fatal(err)
		}
		for how, read := range map[string]func() (*plan.Plan, error){
			"whole": a.Plan, "cut": func() (*plan.Plan, error) { return a.Cut("twice") },
		} {
			p, err := read()
			if err != nil || !slices.Equal(p.OverlayDigests, r.Plan.OverlayDigests) {
				t.Errorf("%s, %s: %v, %v", name, how, p, err)
			}
		}
	}
	before := Digest(r.Plan)
	r.Plan.OverlayDigests = nil
	if Digest(r.Plan) != before {
		t.Error("the digests of homebrews are part of what the rules say")
	}
	r.Plan.OverlayDigests = []string{"sha256:aa"}
	if _, err := Read(Write(r.Plan, nil)); err == nil || !strings.Contains(err.Error(), "1 homebrews, not of 2") {
		t.Errorf("a digest is missing: %v", err)
	}
}

// TestEntriesKeepTheirHomebrews reads back definitions that none, one and several homebrews have changed.
func TestEntriesKeepTheirHomebrews(t *testing.T) {
	p := sampleRelease().Plan
	p.Entries = []plan.Entry{{ID: "a"}, {ID: "b", Overlays: []string{"storm"}}, {ID: "c", Overlays: []string{"storm", "rain"}}}
	got, err := Read(Write(p, nil))
	if err != nil || !reflect.DeepEqual(got.Entries, p.Entries) {
		t.Errorf("%v, got %+v, want %+v", err, got.Entries, p.Entries)
	}
}

func partsOf(t *testing.T, r *Release) []Part {
	t.Helper()
	a, err := opened(WriteRelease(r, sampleInstructions))
	if err != nil {
		t.Fatal(err)
	}
	return a.Parts()
}

func TestReadReleaseWantsARelease(t *testing.T) {
	for name, file := range map[string][]byte{"nothing": nil, "a plan": Write(plantest.Sample(), nil)} {
		if _, err := ReadRelease(file); err != ErrNotPlan {
			t.Errorf("%s: got %v, want ErrNotPlan", name, err)
		}
	}
}
