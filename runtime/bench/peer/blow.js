// The reference record in plain JavaScript, as virtual tabletops write their rules.
const heights = [[139, -15], [149, -10], [159, -5], [169, -2], [179, 0], [189, 2], [199, 4], [209, 6], [229, 8], [400, 10]];
const loads = [[5, 4], [10, 2], [15, 0], [20, -2], [25, -5], [30, -8], [40, -12], [50, -18], [70, -26], [1e9, -40]];
const degrees = [
  [0.05, "legendary", 4], [0.1, "critical", 3], [0.2, "outstanding", 2.5], [0.35, "great", 2], [0.5, "good", 1.5],
  [0.75, "solid", 1.25], [1.0000001, "marginal", 1], [1.25, "near-miss", 0.5], [1.6, "failure", 0.25], [1e9, "fumble", 0],
];
const locations = [
  [5, "head"], [10, "neck"], [25, "chest"], [40, "abdomen"], [50, "left arm"], [60, "right arm"], [70, "left hand"],
  [80, "right hand"], [90, "left leg"], [100, "right leg"],
];
const armors = {
  "none": [0, 0], "cloth": [-1, 0], "quilted": [-2, 0], "hide": [-3, 1], "soft leather": [-3, 1], "hard leather": [-4, 1],
  "studded": [-5, 2], "ring": [-7, 2], "scale": [-9, 3], "mail shirt": [-8, 3], "mail hauberk": [-11, 4],
  "brigandine": [-10, 4], "lamellar": [-12, 4], "splint": [-14, 5], "breastplate": [-13, 5], "half plate": [-17, 6],
  "full plate": [-21, 7], "jousting plate": [-30, 12], "gothic plate": [-19, 7], "dwarven plate": [-16, 6],
};

function upTo(table, x) {
  for (const row of table) if (x <= row[0]) return row;
  return table[table.length - 1];
}

function below(table, x) {
  for (const row of table) if (x < row[0]) return row;
  return table[table.length - 1];
}

function blow(c) {
  const base = 3 * c.sb + 4 * c.rank;
  const armor = armors[c.armor];
  const mods = upTo(heights, c.height)[1] + armor[0] + below(loads, c.load)[1];
  const wound = c.wounded >= 75 ? -40 : c.wounded >= 50 ? -20 : c.wounded >= 25 ? -10 : 0;
  const chance = Math.max(1, Math.min(150, base + 5 * c.df + mods + wound));
  const margin = chance - c.roll;
  const success = (c.roll <= chance && c.roll < 97) || c.roll <= 3;
  const row = below(degrees, c.roll / chance);
  const degree = row[1];
  const multiplier = row[2] * (success ? 1 : 0.5);
  const effect = Math.max(0, Math.floor(multiplier * c.strength / 4) + c.rank);
  const location = upTo(locations, c.loc_roll)[1];
  const initiative = Math.trunc(c.agility / 2) + c.rank - armor[1] + (c.wounded > 50 ? -5 : 0);
  const energy = Math.max(1, Math.ceil(c.load / 4 * (1 + c.wounded / 100)) - Math.trunc(c.endurance / 10));
  return {base, mods, wound, chance, margin, success, degree, multiplier, effect, location, initiative, energy};
}
