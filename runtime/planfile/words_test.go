package planfile

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plan/plantest"
)

// sampleWords has every kind of text.
func sampleWords() *plan.Words {
	sentence := plan.Say{Parts: []plan.SayPart{{Text: "Hits for "}, {Hole: "damage"},
		{Optional: []plan.SayPart{{Text: ", "}, {Hole: "rolls", Forms: []string{"one roll", "rolls"}}}}}}
	return &plan.Words{
		Language: "en",
		Names: []plan.Word{{Name: "damage", Label: []string{"hit", "hits"}, Short: "what is lost", Tone: plan.DoomTone,
			Units: []plan.Unit{{Size: 60, Forms: []string{"minute", "minutes"}}}, Yes: &plan.Word{Label: []string{"so"}}}},
		Texts: []plan.Texts{{Kind: plan.RuleEntry, ID: "twice", Label: []string{"Twice"}, Short: "Doubles.",
			Headline: &sentence, Say: &plan.Say{Of: "damage", Cases: []plan.SayCase{{If: "0", Say: sentence}}}}},
		Fields: []plan.FieldHint{
			{Root: plan.InputRoot, Of: "twice", Path: "number", Primary: 1, Group: "numbers",
				Steps: &plan.Steps{By: 0.5, Min: &plan.Bound{}, Max: &plan.Bound{Value: 20, Open: true}}},
			{Path: "skills", Rolls: &plan.Rolling{Rule: "twice", Input: []plan.RollInput{{Name: "kind", Value: "skill"}, {Name: "name"}}}},
		},
	}
}

func planWithWords() *plan.Plan {
	p := plantest.Sample()
	p.Words = EncodeWords(sampleWords())
	return p
}

// TestWordsAreReadAsWritten reads the words of a plan file. A plan cut down to a rule for evaluation has none.
func TestWordsAreReadAsWritten(t *testing.T) {
	want := planWithWords()
	file := Write(want, nil)
	p, err := Read(file)
	if err != nil || !bytes.Equal(p.Words, want.Words) {
		t.Fatalf("the words differ, %v", err)
	}
	if got := DecodeWords(p); !reflect.DeepEqual(got, sampleWords()) {
		t.Errorf("got %+v", got)
	}
	a, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if cut, err := a.Cut("twice"); err != nil || cut.Words != nil {
		t.Errorf("a rule is evaluated with its words, %v", err)
	}
	if cut, err := a.CutCited("twice"); err != nil || !bytes.Equal(cut.Words, want.Words) {
		t.Errorf("a rule is shown without its words, %v", err)
	}
}

// TestWordsAreNoPartOfTheDigest wants other texts to be no other rules, and another file.
func TestWordsAreNoPartOfTheDigest(t *testing.T) {
	with, without := planWithWords(), plantest.Sample()
	if Digest(with) != Digest(without) {
		t.Error("words change the digest of the rules")
	}
	if bytes.Equal(Write(with, nil), Write(without, nil)) {
		t.Error("words stand in no file")
	}
}

// TestMalformedWordsAreRefused cuts words off, and gives numbers that mean nothing.
func TestMalformedWordsAreRefused(t *testing.T) {
	refuses := func(name string, words []byte) {
		t.Helper()
		p := plantest.Sample()
		p.Words = words
		if _, err := Read(Write(p, nil)); err == nil {
			t.Errorf("%s: it was read", name)
		}
	}
	whole := EncodeWords(sampleWords())
	for n := 1; n < len(whole); n++ {
		refuses("cut off", whole[:n])
	}
	for name, spoil := range map[string]func(*plan.Words){
		"tone":  func(w *plan.Words) { w.Names[0].Tone = plan.NumTones },
		"size":  func(w *plan.Words) { w.Names[0].Units[0].Size = 0 },
		"root":  func(w *plan.Words) { w.Fields[0].Root = plan.NumRoots },
		"steps": func(w *plan.Words) { w.Fields[0].Steps.By = 0 },
	} {
		bad := sampleWords()
		spoil(bad)
		refuses(name, EncodeWords(bad))
	}
}
