import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

// Node.js 20 reads no TypeScript: the simulator becomes one script, as deep below the project as its sources that look for
// the program and for PostgreSQL by their own place are.
const root = join(import.meta.dirname, "../../..");
const place = join(root, "node_modules/.cache");
mkdirSync(place, { recursive: true });
const file = join(place, `tickmark-fleet-${process.pid}.mjs`);
const script = await rolldown({
  input: join(import.meta.dirname, "main.ts"),
  platform: "node",
  external: (id) => /^[^./]/.test(id),
});
await script.write({ file, codeSplitting: false });
await script.close();
await import(pathToFileURL(file).href).finally(() => rmSync(file));
