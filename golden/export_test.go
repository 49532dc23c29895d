package golden

// Evaluate gives the sheet of a case under a choice.
var Evaluate = evaluate
