package planfile

import "github.com/tabletop-rules/rules/runtime/plan"

// MovePlaces lets move change every place of a plan, wherever it stands: the writer of plans knows all of them. It is for a
// plan whose author has the text elsewhere than where it was read.
func MovePlaces(p *plan.Plan, move func(*plan.Place)) error {
	for _, s := range planSections(p) {
		c := newWriter()
		c.move = move
		s.code(c)
	}
	for _, b := range p.Bodies() {
		terms, err := DecodeTerms(b.Graph)
		if err != nil {
			return err
		}
		for i := range terms {
			move(&terms[i].Place)
		}
		b.Graph.Terms = EncodeTerms(terms)
	}
	return nil
}
