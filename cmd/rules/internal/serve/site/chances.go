package site

// chances are the probabilities of which a page says where they are reached.
var chances = []float64{.5, .75, .95}
