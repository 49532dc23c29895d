package mutants

// A Report is what became of the mutants of a ruleset.
type Report struct {
	Ruleset  string
	Verdicts []Verdict // by place
	Whole    bool      // every mutant was played on every case
	Stale    []Excuse  // which no survivor needs; known of a whole report alone
}

// A Score counts mutants by outcome.
type Score struct{ Noticed, Refused, Equivalent, Excused, Survived int }

// Total counts the mutants that a case could have noticed. Those that are excused count, so that a reason cannot make a
// score better than the cases are.
func (s Score) Total() int { return s.Noticed + s.Refused + s.Excused + s.Survived }

// Share returns the part of these that was noticed, by a case or by the compiler: 1 when there are none.
func (s Score) Share() float64 {
	if s.Total() == 0 {
		return 1
	}
	return float64(s.Noticed+s.Refused) / float64(s.Total())
}

// Score counts the mutants of a kind; of every kind when it is empty.
func (r *Report) Score(kind Kind) (s Score) {
	for _, v := range r.Verdicts {
		if kind != "" && v.Kind != kind {
			continue
		}
		switch v.Outcome {
		case Noticed:
			s.Noticed++
		case Refused:
			s.Refused++
		case Equivalent:
			s.Equivalent++
		case Excused:
			s.Excused++
		case Survived:
			s.Survived++
		}
	}
	return s
}

// Survivors lists the mutants that no case noticed and nobody excused.
func (r *Report) Survivors() []Verdict {
	return filter(r.Verdicts, func(v Verdict) bool { return v.Outcome == Survived })
}

// Sentence returns the change that no case noticed, as a sentence.
func (v *Verdict) Sentence() string {
	switch v.Kind {
	case Row:
		return "no case notices that " + v.What + " is missing"
	case Arm:
		return v.What + ": no case tells the arms apart when they change places"
	}
	return v.What + ": no case notices " + v.Now + " instead of " + v.Was
}
