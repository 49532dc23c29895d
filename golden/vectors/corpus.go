package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/generated"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// CorpusFormat is the name of the format of a corpus, with the number of its version. A change of what a seed generates is
// a new version too.
const CorpusFormat = "rules-corpus/23"

// questionsEach is how many questions are asked of each rule and procedure of a generated ruleset.
const questionsEach = 6

// A Corpus is small rulesets that are made at random, each with its source and its vectors: for implementations that read
// rulesets themselves.
type Corpus struct {
	Format   string             `json:"format"`
	About    []string           `json:"about"`
	Seed     uint64             `json:"seed"`
	Rulesets []GeneratedRuleset `json:"rulesets"`
}

// A GeneratedRuleset is one ruleset of a corpus.
type GeneratedRuleset struct {
	Seed    uint64            `json:"seed"`
	Source  string            `json:"source"` // CUE, which embeds schema.#Ruleset
	Digest  string            `json:"digest"`
	Options map[string]string `json:"options"` // the ruling of each option that holds unless a vector says otherwise
	Vectors []Vector          `json:"vectors"`
}

// corpusAbout are the sentences of Corpus.About.
var corpusAbout = append([]string{
	"Each ruleset is a file of CUE, made at random from its seed; \"rules help language\" says what it means.",
	"What an option is where a vector says nothing stands beside the source.",
}, about[:]...)

// MakeCorpus returns at least so many vectors of generated rulesets. A source that is no ruleset, of which compile returns
// nil, is left out; a hundred in a row are an error.
func MakeCorpus(least int, seed uint64, compile func(source string) *plan.Plan) (*Corpus, error) {
	c := &Corpus{Format: CorpusFormat, About: corpusAbout, Seed: seed}
	for made, refused := 0, 0; made < least; seed++ {
		g := generated.New(seed)
		source := g.Ruleset()
		p := compile(source)
		if p == nil {
			if refused++; refused == 100 {
				return nil, fmt.Errorf("none of the %d sources before seed %d is a ruleset", refused, seed+1)
			}
			continue
		}
		refused = 0
		r, err := makeGenerated(p, g)
		if err != nil {
			return nil, fmt.Errorf("seed %d: %w", seed, err)
		}
		r.Seed, r.Source = seed, source
		made += len(r.Vectors)
		c.Rulesets = append(c.Rulesets, *r)
	}
	return c, nil
}

// makeGenerated asks questions of every definition of a ruleset.
func makeGenerated(p *plan.Plan, g *generated.Generator) (*GeneratedRuleset, error) {
	m := newMaker(p)
	add := func(c *golden.Case, number int, err error) error {
		if err != nil {
			return err
		}
		c.Name, c.File = fmt.Sprintf("%s/%d", c.Subject, number), "generated"
		if err := m.addAnswer(c, c.Name); err != nil {
			return err
		}
		if last := m.out.Vectors[len(m.out.Vectors)-1]; !bytes.HasPrefix(last.Want, []byte(`{"sheet"`)) {
			return nil
		}
		return m.chooseOdds(c)
	}
	for _, x := range g.Rules {
		for n := range questionsEach {
			c, err := m.askRule(g, x)
			if err := add(c, n, err); err != nil {
				return nil, err
			}
		}
	}
	for n := range questionsEach {
		if len(g.Events) == 0 {
			break
		}
		c, err := m.askProcedure(g)
		if err := add(c, n, err); err != nil {
			return nil, err
		}
	}
	return &GeneratedRuleset{Digest: m.out.Digest, Options: m.out.Options, Vectors: m.out.Vectors}, nil
}

// askRule returns a question of a rule, with the faces that fall.
func (m *maker) askRule(g *generated.Generator, x generated.Rule) (*golden.Case, error) {
	c := &golden.Case{Kind: golden.RuleCase, Subject: x.ID, Options: g.Options(), Character: writeCharacter(g),
		Input: writeOnce(g.Input(x))}
	r, err := m.program.Rule(x.ID, runtime.Choice{Options: c.Options})
	if err != nil {
		return nil, err
	}
	fallen := &recorder{Source: dice.FromSeed(g.Uint64(), 0, 0)}
	_, err = r.Eval(runtime.Request{Character: c.Character, Input: c.Input, Source: fallen})
	c.Dice.List = fallen.faces
	return c, ignoreEnding(err)
}

// askProcedure returns a play of the procedure, up to the first event that does not happen.
func (m *maker) askProcedure(g *generated.Generator) (*golden.Case, error) {
	c := &golden.Case{Kind: golden.ProcedureCase, Subject: "play", Options: g.Options(),
		Character: writeCharacter(g), Input: writeOnce(g.Start())}
	p, err := m.program.Procedure(c.Subject, runtime.Choice{Options: c.Options})
	if err != nil {
		return nil, err
	}
	throw := dice.DrawnFrom(g.Uint64())
	play, err := p.Start(runtime.Request{Character: c.Character, Input: c.Input, Throw: throw})
	for range 1 + g.IntN(4) {
		if err != nil {
			break
		}
		event := g.Events[g.IntN(len(g.Events))]
		step := runtime.Step{Event: event, Input: writeOnce(g.Event(event)), Throw: throw}
		if err = play.Do(step, false); err == nil {
			step.Throw = dice.FallenByID(play.Events[len(play.Events)-1].Dice)
			c.Events = append(c.Events, step)
		}
	}
	return c, ignoreEnding(err)
}

// ignoreEnding returns an error that is no end of a question.
func ignoreEnding(err error) error {
	if err == nil {
		return nil
	}
	_, err = wantEnding(err)
	return err
}

// A recorder remembers the faces of a source as they are given: by what they show.
type recorder struct {
	dice.Source
	faces []int64
}

// Face implements dice.Source.
func (r *recorder) Face(d *dice.Draw) (int64, error) {
	face, err := r.Source.Face(d)
	if err != nil {
		return face, err
	}
	shown := face
	if d.Die.Shows != nil {
		shown = d.Die.Shows[face-1]
	}
	r.faces = append(r.faces, shown)
	return face, nil
}

// writeCharacter returns a character with a member, of which a question about odds asks as much as one about a sheet.
func writeCharacter(g *generated.Generator) []byte {
	if text := writeOnce(g.Character()); string(text) != "{}" {
		return text
	}
	return []byte(`{"lucky":true}`)
}

// writeOnce writes each member of an object once, and as any reader of JSON reads it; {} for what is no JSON.
func writeOnce(text []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil || v == nil {
		return []byte("{}")
	}
	text, err := json.Marshal(v)
	if err != nil {
		return []byte("{}")
	}
	return text
}

// Write returns a corpus as text, with one ruleset a line.
func (c *Corpus) Write() ([]byte, error) {
	head := *c
	head.Rulesets = []GeneratedRuleset{}
	return writeList(&head, c.Rulesets)
}

// ReadCorpus returns a corpus.
func ReadCorpus(text []byte) (*Corpus, error) {
	var c Corpus
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("this is no corpus of generated rulesets: %w", err)
	}
	switch {
	case c.Format != CorpusFormat:
		return nil, fmt.Errorf("this is no corpus of generated rulesets: its format is %q, not %q", c.Format, CorpusFormat)
	case len(c.Rulesets) == 0:
		return nil, errors.New("the corpus has no rulesets")
	}
	return &c, nil
}
