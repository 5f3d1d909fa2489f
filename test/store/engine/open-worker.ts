import { once } from "node:events";
import type * as Opening from "../../../src/store/engine/open-database.ts";
import type * as Accounts from "../../../src/store/access/accounts.ts";

/** Opens a database together with other processes, and answers null or what went wrong. */
const [built = "", url = ""] = process.argv.slice(2);
const part = (path: string): string => new URL(path, built).href;
const { openDatabase } = (await import(part("store/engine/open-database.js"))) as typeof Opening;
const { selectAccounts } = (await import(part("store/access/accounts.js"))) as typeof Accounts;

process.send?.("ready");
await once(process, "message");
try {
  const database = await openDatabase(url, () => {});
  await database.read(selectAccounts);
  await database.close();
  process.send?.(null);
} catch (error) {
  process.send?.(String(error));
}
process.disconnect();
