import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { storesOn } from "../../src/store/stores.ts";
import { eachDatabase } from "../support/databases.ts";
import { openRaw } from "./raw-database.ts";
import { newAccount, newServer, noon, sampleAt, times } from "./rows.ts";
import { workers } from "./workers.ts";

const kills = 20;
const servers = 6;
/** How many acknowledgements a process lives for; one more each run, so that it dies at different moments. */
const acknowledgedBeforeKill = 40;

eachDatabase(
  (databases) => {
    const start = workers("heartbeat");

    describe("a process that is killed while it writes", () => {
      it(`[OUR-STO-38] loses no acknowledged heartbeat and leaves a sound database, ${kills} times`, async () => {
        const url = await databases.url();
        const database = await databases.open(url);
        const stores = storesOn(database);
        const account = await newAccount(stores);
        const ids = [];
        for (const _ of times(servers)) ids.push((await newServer(stores, account)).server.id);
        await database.close();
        const reported = JSON.stringify(sampleAt(noon, { worlds_top: [{ name: "w".repeat(100) }] }).reported);

        const acknowledged = new Set<string>();
        let unsound = 0;
        for (const kill of times(kills)) {
          const worker = await start(url, JSON.stringify(ids), String(noon + kill * 1_000_000), reported);
          const { stdout } = worker.process;
          if (!stdout) throw new Error("A worker's output is read.");
          let heard = 0;
          const lines = createInterface({ input: stdout }).on("line", (line) => {
            acknowledged.add(line);
            heard += 1;
            if (heard === acknowledgedBeforeKill + kill) worker.process.kill("SIGKILL");
          });
          const ended = Promise.all([once(lines, "close"), once(worker.process, "exit")]);
          worker.begin();
          await ended;
          const db = await openRaw(url);
          const [check] = await db.rows("PRAGMA integrity_check");
          if (check?.["integrity_check"] !== "ok") unsound += 1;
          await db.close();
        }

        const db = await openRaw(url);
        const stored = new Set(
          (await db.rows("SELECT server_id, sampled_at FROM sample")).map(
            (row) => `${row["server_id"]} ${row["sampled_at"]}`,
          ),
        );
        await db.close();
        const lost = [...acknowledged].filter((heartbeat) => !stored.has(heartbeat));
        console.log(
          `kill -9 during ingest on SQLite: ${kills} kills, ${acknowledged.size} heartbeats acknowledged, ` +
            `lost ${lost.length}, integrity failures ${unsound}`,
        );
        expect(acknowledged.size).toBeGreaterThanOrEqual(kills * acknowledgedBeforeKill);
        expect(lost).toEqual([]);
        expect(unsound).toBe(0);
      });
    });
  },
  ["SQLite in a file"],
);
