// Answers a request, which is a line of JSON: with the sheet, or with the name and the message of the error, as JSON.

const expected = ["Refused", "Failure", "InputError", "DiceError", "NotOffered", "Beyond"];
const modules = new Map();

function answerOf(subject, request, events) {
  let step = "";
  try {
    if (subject.evaluate) return sheetOf(subject, request);
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

// sheetOf returns the sheet of a request, which must be the same when its records are objects.
function sheetOf(rule, request) {
  const sheet = rule.sheet(request), character = parse(request.character), input = parse(request.input);
  const same = rule.sheet({ ...request, character, input });
  return same === sheet ? sheet : `${sheet}, and of objects: ${same}`;
}
const parse = text => text === "" ? undefined : JSON.parse(text);

const withSeed = request => request.seed === undefined ? request : { ...request, seed: BigInt(request.seed) };

export async function answerLine(line) {
  const { module, export: name, events = [], ...request } = JSON.parse(line);
  if (!modules.has(module)) modules.set(module, await import(new URL(module, import.meta.url)));
  return JSON.stringify(answerOf(modules.get(module)[name], withSeed(request), events));
}
