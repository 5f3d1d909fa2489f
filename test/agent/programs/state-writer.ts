import { writeWhole } from "../../../src/agent/files/files.ts";

/** A program for a process of its own, which writes a file without end until it is killed. */
const [, , path = ""] = process.argv;
for (let count = 0; ; count += 1) {
  await writeWhole(path, JSON.stringify({ text: String(count % 10).repeat(20_000), count }));
  if (count === 0) process.stdout.write("written\n");
}
