import { readdirSync } from "node:fs";
import { layOut, openTestFile } from "../../src/bench/machine/disk/direct-file.ts";
import { refusalOf } from "../../src/bench/machine/host-refusal.ts";

// Writes more blocks than the disk of a folder has room for: prints the reason, and the files that are left.
const [folder = ""] = process.argv.slice(2);
const file = openTestFile(folder);
let reason: string | null = null;
try {
  layOut(file, 1000, 60_000, () => {});
} catch (error) {
  reason = refusalOf(error)?.reason ?? String(error);
} finally {
  file.close();
}
process.stdout.write(JSON.stringify({ reason, left: readdirSync(folder) }));
