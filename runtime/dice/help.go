package dice

// Help says what can be written, one example of each kind first. Nowhere else is it said in words, but in the schema, which
// must have the same lines.
const Help = `    3d6 + d% - 2    sums of dice and numbers; d% is d100
    2d10r1 d6ro<=2  such faces are rolled again, until others fall (r) or once (ro)
    6d6! d10!>=9    a face that shows the most, or is of the kind said, explodes: it is rolled on and added
    4d6mi2          a die that shows less counts as 2
    4d6kh3 2d20kl1  keep the highest or the lowest dice (k is kh; dh and dl leave them out)
    8d6>=6          count the dice of the kind said instead of adding them
`
