// Answers a line of standard input with a line: "check", all outputs; a number, how many nanoseconds so many records take.
const inputs = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
let sink = 0;
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  if (line === "check") {
    console.log(JSON.stringify(inputs.map(blow)));
    return;
  }
  const n = Number(line), start = process.hrtime.bigint();
  for (let i = 0; i < n; i++) sink += blow(inputs[i]).effect;
  console.log(String(process.hrtime.bigint() - start));
});
