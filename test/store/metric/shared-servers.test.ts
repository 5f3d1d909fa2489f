import { expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { all } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { eachDatabase } from "../../support/databases.ts";
import type { Beats } from "../engine/beat-worker.ts";
import { openRaw } from "../engine/raw-database.ts";
import { newAccount, newServer, noon, sampleAt, times } from "../engine/rows.ts";
import { workers } from "../engine/workers.ts";

const [processes, servers, rounds] = [4, 12, 4];

const stored = query<Record<string, never>>()((db) =>
  db.selectFrom("sample").select(["server_id", "sampled_at"]).orderBy("server_id").orderBy("sampled_at"),
);

eachDatabase(
  (databases) => {
    const start = workers("beat");

    it(`${processes} processes that write to the same servers at once store everything, and never wait in a circle`, async () => {
      const url = await databases.url();
      const db = await databases.open(url);
      const account = await newAccount(db);
      const ids: string[] = [];
      for (const _ of times(servers)) ids.push((await newServer(db, account)).server.id);
      const { reported } = sampleAt(noon);
      const fork = (place: number) => {
        // Half of the processes have the servers in the opposite order.
        const mine = place % 2 === 0 ? ids : ids.toReversed();
        const plan: Beats = {
          servers: mine,
          from: noon + place * 1000,
          rounds,
          reported,
          limits: defaultPlans.pro,
        };
        return start(url, JSON.stringify(plan));
      };
      const started = await Promise.all(times(processes).map(fork));
      for (const worker of started) worker.begin();
      const errors = await Promise.all(started.map((worker) => worker.result()));
      expect(errors).toEqual(times(processes).map(() => []));
      const sampled = times(processes).flatMap((place) =>
        times(2 * rounds).map((index) => noon + place * 1000 + index),
      );
      const expected = ids
        .toSorted()
        .flatMap((server_id) => sampled.map((sampled_at) => ({ server_id, sampled_at })));
      expect(await db.read(() => all(stored, {}))).toEqual(expected);
      const raw = await openRaw(url);
      const met = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
      expect(await raw.rows(met)).toEqual([{ deadlocks: 0 }]);
      await raw.close();
    });
  },
  ["PostgreSQL"],
);
