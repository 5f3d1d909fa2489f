import { once } from "node:events";
import type { WindowRule } from "../../../src/core/access/rate-window.ts";
import { openDatabase } from "../../../src/store/engine/open-database.ts";
import { consumeWindows } from "../../../src/store/access/rate-windows.ts";

export interface QuotaResult {
  readonly granted: number;
  readonly errors: readonly string[];
}

/** Makes calls against windows that other processes use too, some at once; answers how many were granted. */
const [url = "", rulesJson = "[]", calls = "0"] = process.argv.slice(2);
const rules = JSON.parse(rulesJson) as WindowRule[];
const now = Date.UTC(2026, 10, 20, 12);
const together = 10;

const db = await openDatabase(url, () => {});
process.send?.("ready");
await once(process, "message");

let granted = 0;
const errors: string[] = [];
const call = async (): Promise<void> => {
  try {
    if ((await consumeWindows(db, rules, now)).granted) granted += 1;
  } catch (error) {
    errors.push(String(error));
  }
};
for (let made = 0; made < Number(calls); made += together)
  await Promise.all(Array.from({ length: together }, call));

await db.close();
const result: QuotaResult = { granted, errors };
process.send?.(result);
process.disconnect();
