package site_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/session"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/site"
)

// TestRefusedDiceStayInTheLog rolls a jump of Quality 16 (golden/supermen/jump_overspent.txtar) and spends 17: who was refused has seen the dice, and all see that.
// What is refused before dice fall leaves nothing behind.
func TestRefusedDiceStayInTheLog(t *testing.T) {
	e := edition(t, "supermen")
	lib, err := library.Open(func() (*library.Shelf, error) {
		return library.NewShelf([]*library.Edition{e}, time.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	hub := &session.Hub{Dir: t.TempDir(), Evaluate: site.NewEvaluator(lib), Now: time.Now, Warn: func(text string) { t.Log(text) }}
	if err := hub.Open(); err != nil {
		t.Fatal(err)
	}
	id, code, err := hub.Begin("Friday", "supermen")
	if err != nil {
		t.Fatal(err)
	}
	master, err := hub.Sit(id, session.Master+"."+code)
	if err != nil {
		t.Fatal(err)
	}
	roll := func(spent string) (*session.Answer, error) {
		return master.Roll(master.Who, &session.Question{Rule: "jump",
			Character: json.RawMessage(`{"strength": 14, "agility": 12, "constitution": 12, "newoen": 10,
				"learning": 10, "charisma": 10, "height": 1.8, "mass": 100, "body_dp": 5}`),
			Input: json.RawMessage(`{"spend": {"height": ` + spent + `}}`)}, session.Throw{Faces: "5,6"}, "", false)
	}
	if _, err := roll("99"); err == nil || !strings.Contains(err.Error(), "36") {
		t.Errorf("99 on a chart that ends with 36: %v", err)
	}
	if _, err := roll("17"); err != nil {
		t.Errorf("17 of a Quality of 16: %v", err)
	}
	log, err := session.Read(master.Transcript(session.Master))
	if err != nil || len(log.Rolls()) != 1 {
		t.Fatalf("%d rolls: %v", len(log.Rolls()), err)
	}
	refused := log.Rolls()[0]
	if refused.Headline != "It cannot be" || !strings.Contains(refused.Dice, "5, 6") {
		t.Errorf("the log tells %+v", refused.Told)
	}
	text := string(receipt.SplitLog(refused.Receipt)[0])
	verify := func(text string) []string {
		proof, err := receipt.ReadReceipt([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		proof.Digest = proof.ComputeDigest()
		proof.Text = proof.Printed()
		return proof.FindMismatches(e.Plan)
	}
	if wrong := verify(text); wrong != nil {
		t.Errorf("the receipt of the refusal: %q", wrong)
	}
	for was, is := range map[string]string{`"height": 17`: `"height": 16`, `"refused": "`: `"refused": "Not `} {
		if wrong := verify(strings.Replace(text, was, is, 1)); wrong == nil {
			t.Errorf("%s for %s passes", is, was)
		}
	}
}
