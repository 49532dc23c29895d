// Exercises the adapter against a stub of Foundry, which is not run here: its types say what is there, and the stub has what
// the adapter asks of it.
import { deepStrictEqual, match, strictEqual } from "node:assert";

const posted = [];
const warned = [];
const fulfilled = []; // what the dice on a desk show, one after another
const begun = [];
const objectsEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const walk = (object, path) => path.split(".").reduce((value, name) => value?.[name], object);
class Roll {
  constructor(formula) {
    this.formula = formula;
  }
  async evaluate({ allowInteractive }) {
    strictEqual(allowInteractive, true);
    const denomination = this.formula.slice(1);
    const method = CONFIG.Dice.fulfillment.methods[CONFIG.Dice.fulfillment.defaultMethod];
    this.total = await method.handler({ denomination });
    return this;
  }
}
Object.assign(globalThis, {
  foundry: {
    dice: { Roll },
    utils: {
      getProperty: walk,
      setProperty(object, path, value) {
        const names = path.split(".");
        const last = names.pop();
        const owner = names.reduce((at, name) => (at[name] ??= {}), object);
        owner[last] = value;
      },
      escapeHTML: (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
      objectsEqual,
    },
  },
  CONFIG: { Dice: { fulfillment: { dice: {}, defaultMethod: "desk", methods: { desk: { handler: async () => fulfilled.shift() } } } } },
  ChatMessage: { implementation: { create: async (message) => posted.push(message), getSpeaker: ({ actor }) => ({ alias: actor.name }) } },
  Hooks: { once: (name, act) => begun.push([name, act]) },
  ui: { notifications: { warn: (text) => warned.push(text) } },
});

const { characterOf, holdsReceipt, rollRule } = await import("./adapter.js");
const { release, tempestas } = await import("tabletop-rules/tempestas");
for (const [name, act] of begun) {
  strictEqual(name, "init");
  act();
}
strictEqual(CONFIG.Dice.fulfillment.dice.d100.label, "d100");

const actor = { name: "Ada", system: { skills: { nav: { value: 90 } }, attributes: { int: 25 }, tired: 20 } };
const paths = { "skills.navigation": "system.skills.nav.value", "statistics.int": "system.attributes.int", fatigue: "system.tired",
  "statistics.str": "system.attributes.str" };
deepStrictEqual(characterOf(actor, paths), { skills: { navigation: 90 }, statistics: { int: 25 }, fatigue: 20 });

// golden/tempestas/odds_navigation.txtar has the arithmetic: 43 against 60 succeeds with 4 of Offenciancy.
const asked = { actor, paths, rule: tempestas.test, input: { name: "navigation", difficulty: "hard" }, title: "Navigation <hard>", plan: release.plan };
fulfilled.push(43);
await rollRule(asked);
const [message] = posted;
strictEqual(message.speaker.alias, "Ada");
strictEqual(message.rolls[0].formula, "1d100");
match(message.content, /<h3>Navigation &lt;hard>.*roll 43.*<dt>offenciancy<\/dt><dd>4<\/dd>/);

strictEqual(await holdsReceipt(message, tempestas.test, release.plan), true);
message.flags["tabletop-rules"].receipt.request.dice = [44];
strictEqual(await holdsReceipt(message, tempestas.test, release.plan), false);
strictEqual(await holdsReceipt(message, tempestas.test, "sha256:other"), false);

await rollRule({ ...asked, input: { name: "swimming" } });
deepStrictEqual(warned, ["Navigation <hard>: the character has nothing of that name"]);
strictEqual(posted.length, 1);
