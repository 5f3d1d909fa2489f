import { once } from "node:events";
import { openDatabase } from "../../../src/store/engine/open-database.ts";
import { selectAccounts } from "../../../src/store/access/accounts.ts";

/** Opens a database together with other processes, and answers null or what went wrong. */
const [url = ""] = process.argv.slice(2);

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
