package blow

heights := [[139, -15], [149, -10], [159, -5], [169, -2], [179, 0], [189, 2], [199, 4], [209, 6], [229, 8], [400, 10]]

loads := [[5, 4], [10, 2], [15, 0], [20, -2], [25, -5], [30, -8], [40, -12], [50, -18], [70, -26], [1000000000, -40]]

degrees := [
	[0.05, "legendary", 4], [0.1, "critical", 3], [0.2, "outstanding", 2.5], [0.35, "great", 2], [0.5, "good", 1.5],
	[0.75, "solid", 1.25], [1.0000001, "marginal", 1], [1.25, "near-miss", 0.5], [1.6, "failure", 0.25],
	[1000000000, "fumble", 0],
]

locations := [
	[5, "head"], [10, "neck"], [25, "chest"], [40, "abdomen"], [50, "left arm"], [60, "right arm"], [70, "left hand"],
	[80, "right hand"], [90, "left leg"], [100, "right leg"],
]

armors := {
	"none": [0, 0], "cloth": [-1, 0], "quilted": [-2, 0], "hide": [-3, 1], "soft leather": [-3, 1],
	"hard leather": [-4, 1], "studded": [-5, 2], "ring": [-7, 2], "scale": [-9, 3], "mail shirt": [-8, 3],
	"mail hauberk": [-11, 4], "brigandine": [-10, 4], "lamellar": [-12, 4], "splint": [-14, 5], "breastplate": [-13, 5],
	"half plate": [-17, 6], "full plate": [-21, 7], "jousting plate": [-30, 12], "gothic plate": [-19, 7],
	"dwarven plate": [-16, 6],
}

up_to(table, x) := [row | some row in table; x <= row[0]][0]

below(table, x) := [row | some row in table; x < row[0]][0]

default wound := 0

wound := -40 if {
	input.wounded >= 75
} else := -20 if {
	input.wounded >= 50
} else := -10 if {
	input.wounded >= 25
}

default success := false

success if {
	input.roll <= chance
	input.roll < 97
}

success if input.roll <= 3

default weight := 0.5

weight := 1 if success

default slowed := 0

slowed := -5 if input.wounded > 50

base := (3 * input.sb) + (4 * input.rank)

mods := (up_to(heights, input.height)[1] + armors[input.armor][0]) + below(loads, input.load)[1]

chance := max([1, min([150, ((base + (5 * input.df)) + mods) + wound])])

margin := chance - input.roll

row := below(degrees, input.roll / chance)

degree := row[1]

multiplier := row[2] * weight

effect := max([0, floor((multiplier * input.strength) / 4) + input.rank])

location := up_to(locations, input.loc_roll)[1]

initiative := ((floor(input.agility / 2) + input.rank) - armors[input.armor][1]) + slowed

energy := max([1, ceil((input.load / 4) * (1 + (input.wounded / 100))) - floor(input.endurance / 10)])

out := {
	"base": base, "mods": mods, "wound": wound, "chance": chance, "margin": margin, "success": success,
	"degree": degree, "multiplier": multiplier, "effect": effect, "location": location, "initiative": initiative,
	"energy": energy,
}
