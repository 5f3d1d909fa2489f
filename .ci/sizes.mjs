// Prints the sizes that tests hold, from the reviewed snapshots: what a model is given, and what programs read.
import { readFileSync, statSync } from "node:fs";

const {
  instructions,
  all,
  all_output_schemas: answers,
  tools,
} = JSON.parse(readFileSync("test/surface/tools.json", "utf8"));
const number = (value) => value.toLocaleString("en");
const [largest, { tokens }] = Object.entries(tools).toSorted(
  ([, one], [, other]) => other.tokens - one.tokens,
)[0];
process.stdout.write(
  `Tools: ${number(all)} tokens for ${Object.keys(tools).length} (the largest: ${largest}, ${tokens}), ${number(answers)} for the schemas of their answers, ${instructions} for the instructions.\n`,
);
for (const name of ["openapi", "plugin-openapi", "agent-openapi"])
  process.stdout.write(`${name}.json: ${number(statSync(`test/surface/${name}.json`).size)} bytes.\n`);
