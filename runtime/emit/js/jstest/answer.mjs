// Answers a request, which is a line of JSON: with the sheet, or with the name and the message of the error, as JSON.

const expected = ["Refused", "Failure", "InputError", "DiceError", "NotOffered", "Beyond"];
const modules = new Map();

function answerOf(subject, request, events) {
  let step = "";
  if (subject.evaluate) return answerOfBoth(subject, request);
  try {
    const play = subject.start(request);
    events.forEach(({ event, ...given }, i) => {
      step = `event ${i + 1}, ${event}: `;
      play.do(event, withSeed(given));
    });
    return play.sheet();
  } catch (e) {
    return expected.includes(e.name) ? `${e.name}: ${step}${e.message}` : e.stack;
  }
}

// answerOfBoth returns the answer to a request, which must be the same when its records are objects, but for the place of a
// mistake. Mistakes are compared where an object says all that its text says.
function answerOfBoth(rule, request) {
  const answer = answerOfRule(rule, request), isSheet = answer.startsWith("{");
  const character = parse(request.character, isSheet), input = parse(request.input, isSheet);
  if (character === UNFIT || input === UNFIT) return answer;
  const other = answerOfRule(rule, { ...request, character, input });
  const same = answer.startsWith("InputError: ") ? answer.replace(/ \(line \d+, column \d+\)$/, "") : answer;
  return other === same ? answer : `${answer}, and of objects: ${other}`;
}

function answerOfRule(rule, request) {
  try {
    return rule.sheet(request);
  } catch (e) {
    return expected.includes(e.name) ? `${e.name}: ${e.message}` : e.stack;
  }
}

const UNFIT = Symbol("unfit");

function parse(text, anyForm) {
  if (text === "") return undefined;
  try {
    const value = JSON.parse(text);
    return anyForm || text === JSON.stringify(value) && typeof value !== "string" ? value : UNFIT;
  } catch {
    return UNFIT;
  }
}

const withSeed = request => request.seed === undefined ? request : { ...request, seed: BigInt(request.seed) };

export async function answerLine(line) {
  const { module, export: name, events = [], ...request } = JSON.parse(line);
  if (!modules.has(module)) modules.set(module, await import(new URL(module, import.meta.url)));
  return JSON.stringify(answerOf(modules.get(module)[name], withSeed(request), events));
}
