// @ts-check
/// <reference types="fvtt-types" />
// Foundry asks the rules: an actor becomes a character, a rule becomes a roll with a card in the chat, and what falls is
// what Foundry's dice show, whoever fulfils them: its own chance, a set of dice on the desk, or somebody who types.

import { Problem } from "tabletop-rules/tempestas";

/**
 * The character of an actor: each member of the character is read at a path of the actor.
 * @typedef {{ readonly [member: string]: string }} Paths
 */

/**
 * What a card is made of, and what its message keeps: whoever has the package asks the sheet again.
 * @typedef {{ readonly request: object, readonly sheet: object, readonly plan: string }} Receipt
 */

const scope = "tabletop-rules";

/**
 * Returns the character that an actor is. A path without a value leaves its member out, so that the rules say what lacks.
 * @param {{ readonly system: object, readonly name: string }} actor
 * @param {Paths} paths
 * @returns {Record<string, unknown>}
 */
export function characterOf(actor, paths) {
  /** @type {Record<string, unknown>} */
  const character = {};
  for (const [member, path] of Object.entries(paths)) {
    const value = foundry.utils.getProperty(actor, path);
    if (value === undefined || value === null) continue;
    foundry.utils.setProperty(character, member, value);
  }
  return character;
}

/**
 * Lets Foundry roll one die. An interactive roll is fulfilled as CONFIG.Dice.fulfillment says for its denomination.
 * @param {number} sides
 * @returns {Promise<{ face: number, roll: foundry.dice.Roll }>}
 */
async function rollDie(sides) {
  const roll = await new foundry.dice.Roll(`1d${sides}`).evaluate({ allowInteractive: true });
  return { face: roll.total, roll };
}

/**
 * Asks a rule with Foundry's dice. Which dice fall, and how many, the rules say one by one: what falls may decide it.
 * @template Sheet
 * @param {(request: any) => Promise<Sheet>} rule
 * @param {{ character?: unknown, input?: unknown }} request
 * @returns {Promise<{ sheet: Sheet, faces: number[], rolls: foundry.dice.Roll[] }>}
 */
export async function askWithDice(rule, request) {
  const faces = [];
  const rolls = [];
  for (;;) {
    try {
      return { sheet: await rule({ ...request, dice: faces }), faces, rolls };
    } catch (e) {
      if (!(e instanceof Problem) || e.sides === undefined) throw e;
      const { face, roll } = await rollDie(e.sides);
      faces.push(e.shows ? /** @type {number} */ (e.shows[face - 1]) : face);
      rolls.push(roll);
    }
  }
}

/**
 * Returns text that stands for itself in HTML.
 * @param {unknown} value
 */
const escape = (value) => foundry.utils.escapeHTML(typeof value === "object" ? JSON.stringify(value) : String(value));

/**
 * Returns the card of a sheet.
 * @param {{ readonly rule: string, readonly output: object, readonly dice?: object }} sheet
 * @param {string} title
 */
export function cardOf(sheet, title) {
  const rows = Object.entries(sheet.output)
    .map(([name, value]) => `<dt>${escape(name.replaceAll("_", " "))}</dt><dd>${escape(value)}</dd>`)
    .join("");
  const dice = Object.entries(sheet.dice ?? {})
    .map(([id, faces]) => `${escape(id)} ${escape(faces.join(", "))}`)
    .join("; ");
  return `<section class="${scope}"><h3>${escape(title)}</h3><p>${dice}</p><dl>${rows}</dl></section>`;
}

/**
 * Rolls a rule for an actor and posts its card, with a receipt. A rule that refuses is a warning to whoever rolled, and no card.
 * @param {{
 *   actor: Actor.Implementation,
 *   paths: Paths,
 *   rule: (request: any) => Promise<{ rule: string, output: object, dice?: object }>,
 *   input?: object,
 *   title: string,
 *   plan: string,
 * }} asked
 */
export async function rollRule({ actor, paths, rule, input = {}, title, plan }) {
  const request = { character: characterOf(actor, paths), input };
  try {
    const { sheet, faces, rolls } = await askWithDice(rule, request);
    /** @type {Receipt} */
    const receipt = { request: { ...request, dice: faces }, sheet, plan };
    return await ChatMessage.implementation.create({
      speaker: ChatMessage.implementation.getSpeaker({ actor }),
      content: cardOf(sheet, title),
      rolls,
      flags: /** @type {any} */ ({ [scope]: { receipt } }),
    });
  } catch (e) {
    if (!(e instanceof Problem)) throw e;
    ui.notifications?.warn(`${title}: ${e.message}`);
    return undefined;
  }
}

/**
 * Asks the receipt of a message again. It holds when the rules are the same and answer the same.
 * @param {{ readonly flags: object }} message
 * @param {(request: any) => Promise<object>} rule
 * @param {string} plan
 */
export async function holdsReceipt(message, rule, plan) {
  const receipt = /** @type {Receipt | undefined} */ (foundry.utils.getProperty(message, `flags.${scope}.receipt`));
  if (receipt?.plan !== plan) return false;
  try {
    return foundry.utils.objectsEqual(await rule(receipt.request), receipt.sheet);
  } catch (e) {
    if (e instanceof Problem) return false;
    throw e;
  }
}

/** Offers the rules' dice to be fulfilled like all others: each denomination that Foundry does not list by itself. */
Hooks.once("init", () => {
  for (const sides of [3, 100]) {
    CONFIG.Dice.fulfillment.dice[`d${sides}`] ??= { label: `d${sides}`, icon: '<i class="fa-solid fa-dice"></i>' };
  }
});
