import { once } from "node:events";
import type { WindowRule } from "../../../src/core/access/rate-window.ts";
import type * as Built from "../../../src/services/stores.ts";

export interface QuotaResult {
  readonly granted: number;
  readonly errors: readonly string[];
}

/** Makes calls against windows that other processes use too, some at once; answers how many were granted. */
const [stores = "", url = "", rulesJson = "[]", calls = "0"] = process.argv.slice(2);
const { openDatabase, storesOn } = (await import(stores)) as typeof Built;
const rules = JSON.parse(rulesJson) as WindowRule[];
const now = Date.UTC(2026, 10, 20, 12);
const together = 10;

const database = await openDatabase(url, () => {});
const { rates } = storesOn(database);
process.send?.("ready");
await once(process, "message");

let granted = 0;
const errors: string[] = [];
const call = async (): Promise<void> => {
  try {
    if ((await rates.consume(rules, now)).granted) granted += 1;
  } catch (error) {
    errors.push(String(error));
  }
};
for (let made = 0; made < Number(calls); made += together)
  await Promise.all(Array.from({ length: together }, call));

await database.close();
const result: QuotaResult = { granted, errors };
process.send?.(result);
process.disconnect();
