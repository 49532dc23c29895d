// A page that rolls: the rules lie beside it, and no server computes anything.
import { tempestas, Problem } from "./rules-tempestas/tempestas/index.js";

const element = (id) => document.getElementById(id);

function ask(id, question) {
  element(id).addEventListener("click", async () => {
    const request = {
      character: { skills: { navigation: element("skill").valueAsNumber } },
      input: { name: "navigation" },
    };
    try {
      element("answer").textContent = await question(request);
    } catch (e) {
      if (!(e instanceof Problem)) throw e;
      element("answer").textContent = e.message;
    }
  });
}

ask("roll", async (request) => {
  const { dice, output } = await tempestas.test(request);
  return `${dice.roll[0]}: ${output.outcome}`;
});

ask("odds", async (request) => {
  const { odds } = await tempestas.test.odds({ ...request, outputs: ["success"] });
  const { p } = odds.success.distribution.find(({ value }) => value);
  return `${(100 * p).toFixed(0)} % succeed`;
});
document.body.dataset.ready = "yes";
