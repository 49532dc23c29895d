// An extension of an open tabletop: whoever right-clicks a character lets it roll, and all at the table see the roll. The
// character is kept with its item, as the ruleset has it.
import OBR from "@owlbear-rodeo/sdk";
import { Problem, tempestas } from "tabletop-rules/tempestas";

const id = "example.tabletop-rules";

/** Rolls for each character that is chosen. */
async function rollFor(items) {
  for (const { name, metadata } of items) {
    const character = metadata[`${id}/character`];
    try {
      const sheet = await tempestas.test({ character, input: { name: "navigation" } });
      const said = `${name}: ${sheet.dice.roll[0]}, ${sheet.output.outcome}`;
      await OBR.broadcast.sendMessage(`${id}/roll`, { name, sheet }, { destination: "REMOTE" });
      await OBR.notification.show(said, sheet.output.success ? "SUCCESS" : "WARNING");
    } catch (e) {
      if (!(e instanceof Problem)) throw e;
      await OBR.notification.show(`${name}: ${e.message}`, "ERROR");
    }
  }
}

OBR.onReady(() => {
  OBR.contextMenu.create({
    id: `${id}/menu`,
    icons: [{ icon: "/roll.svg", label: "Navigation", filter: { every: [{ key: "layer", value: "CHARACTER" }] } }],
    onClick: ({ items }) => rollFor(items),
  });
  OBR.broadcast.onMessage(`${id}/roll`, ({ data: { name, sheet } }) =>
    OBR.notification.show(`${name}: ${sheet.dice.roll[0]}, ${sheet.output.outcome}`),
  );
});
