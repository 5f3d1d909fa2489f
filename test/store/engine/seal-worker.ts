import { once } from "node:events";
import { writeSync } from "node:fs";
import { openDatabase } from "../../../src/store/engine/open-database.ts";
import { sealSamples } from "../../../src/services/metric/seal-samples.ts";

/** Seals the samples of every server, and tells each step by a line once it is done. */
const [url = "", now = "0"] = process.argv.slice(2);
process.send?.("ready");
await once(process, "message");
const db = await openDatabase(url, () => {});
for await (const moved of sealSamples(db, Number(now))) writeSync(1, `${moved}\n`);
await db.close();
process.send?.("sealed");
process.disconnect();
