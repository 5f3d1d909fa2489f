import { readdirSync } from "node:fs";
import { layOut, openTestFile } from "../../dist/src/bench/machine/disk/direct-file.js";
import { refusalOf } from "../../dist/src/bench/machine/host-refusal.js";

// Writes more blocks than the disk of a folder has room for: prints the reason, and the files that are left.
const [folder] = process.argv.slice(2);
const file = openTestFile(folder);
let reason = null;
try {
  layOut(file, 1000, 60_000, () => {});
} catch (error) {
  reason = refusalOf(error)?.reason ?? String(error);
} finally {
  file.close();
}
process.stdout.write(JSON.stringify({ reason, left: readdirSync(folder) }));
