import { once } from "node:events";
import type * as Built from "../../../src/services/stores.ts";

/** Opens a database together with other processes, and answers null or what went wrong. */
const [stores = "", url = ""] = process.argv.slice(2);
const { openDatabase, storesOn } = (await import(stores)) as typeof Built;

process.send?.("ready");
await once(process, "message");
try {
  const database = await openDatabase(url, () => {});
  await storesOn(database).accounts.list();
  await database.close();
  process.send?.(null);
} catch (error) {
  process.send?.(String(error));
}
process.disconnect();
