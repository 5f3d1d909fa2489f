import { once } from "node:events";
import { writeSync } from "node:fs";
import type * as Sealing from "../../../src/services/metric/seal-samples.ts";
import type * as Opening from "../../../src/store/engine/open-database.ts";

/** Seals the samples of every server, and tells each step by a line once it is done. */
const [built = "", url = "", now = "0"] = process.argv.slice(2);
const part = (path: string): string => new URL(path, built).href;
const { openDatabase } = (await import(part("store/engine/open-database.js"))) as typeof Opening;
const { sealSamples } = (await import(part("services/metric/seal-samples.js"))) as typeof Sealing;
process.send?.("ready");
await once(process, "message");
const db = await openDatabase(url, () => {});
for await (const moved of sealSamples(db, Number(now))) writeSync(1, `${moved}\n`);
await db.close();
process.send?.("sealed");
process.disconnect();
