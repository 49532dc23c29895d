package dice

// Help says what can be written, one example of each kind first. Nowhere else is it said in words, but in the schema, which
// must have the same lines.
const Help = `    3d6 + d% - 2    sums of dice and numbers; d% is d100
    2d10r1 d6ro<=2  such faces are rolled again, until others fall (r) or once (ro)
    6d6! d10!>=9    a face that shows the most, or is of the kind said, explodes: it is rolled on and added
    4d6mi2          a die that shows less counts as 2
    4d6kh3 2d20kl1  keep the highest or the lowest dice (k is kh; dh and dl leave them out)
    8d6>=6          count the dice of the kind said instead of adding them
    4dF d{1,1,4}    dice that show -1, 0 or 1; faces one by one, with ranges such as 0..9
    d{1:3,2}        a face with its weight: the 1 comes three times as often
    6x 4d6kh3       all of it so many times: a list of what it comes to each time
`

// CommandHelp says what "rules roll" and "rules odds" read besides.
const CommandHelp = `    4d6kh 4d6dl1dh1 5d8km3    one die without a number; drop at both ends; keep the middle
    8d6k>4 8d6p1              keep or drop dice by what they show
    d20 adv, 1d20+5 dis       roll the die twice, keep the higher or the lower
    6d6!! 6d6!p 6d6!o 6d6!{2} one die that grows; each further die 1 less; at most once; at most twice
    4d6!kh3                   each die that explodes adds a die of its own, also where some are kept
    8d10>=8f1 7d10>=7t10      failures count against successes; faces that count twice
    4d6ma5 8d6r1r3 5d10u      at most 5 each; several faces again; roll until all differ
    dC d66                    a coin, digits (11 to 66)
    (1d4)d6 d(d6)             a number of dice that is rolled; a number of faces that is rolled
    {d8!, d6!}kh1             the best of several results
    d{d4:1, d6:3}             one of several dice by chance: a d6 three times as often as a d4
    3d6*2 floor(3d6/2) 7//2   / gives fractions: floor, ceil, round (half up), or // which rounds down; also % ^ abs
    max(2d6, 1d12)            the greatest or least of several
    1d20+5 >= 15, 3d6 > 2d8   compare totals: a blank before the sign, or more than one group of dice
    3d6[fire] # a comment     labels and comments
`
