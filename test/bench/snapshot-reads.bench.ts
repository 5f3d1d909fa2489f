import pg from "pg";
import { expect, it } from "vitest";
import { one, type Database, type Work } from "../../src/store/engine/database.ts";
import { query } from "../../src/store/engine/query.ts";
import { eachDatabase } from "../support/databases.ts";
import { times } from "../store/engine/rows.ts";

const count = query<Record<string, never>>()((db) =>
  db.selectFrom("rate_window").select((eb) => eb.fn.countAll<number>().as("n")),
);
const other = query<Record<string, never>>()((db) =>
  db.selectFrom("account").select((eb) => eb.fn.countAll<number>().as("n")),
);

const rounds = 2000;

/** Microseconds of one call, the median of so many one after the other. */
async function median(call: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (const _ of times(rounds)) {
    const start = performance.now();
    await call();
    took.push((performance.now() - start) * 1000);
  }
  return took.toSorted((a, b) => a - b)[rounds / 2] ?? Number.NaN;
}

/** What it costs that several reads see one state: a statement before the first, and one that nobody waits for. */
eachDatabase(
  (databases) => {
    it("reads of one and of three statements, beside the same statements without a unit", async () => {
      const url = await databases.url();
      const db: Database = await databases.open(url);
      const unit = (first: typeof count, statements: number) =>
        function* (): Work<void> {
          for (const index of times(statements)) yield* one(index === 0 ? first : count, {});
        };
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { sql } = count.statements.postgres;
      const plain = (statements: number) => async () => {
        for (const _ of times(statements)) await client.query({ name: "plain", text: sql, values: [] });
      };
      const measured = {
        plainOne: await median(plain(1)),
        one: await median(() => db.read(unit(count, 1))),
        plainThree: await median(plain(3)),
        three: await median(() => db.read(unit(other, 3))),
      };
      await client.end();
      const shown = Object.entries(measured).map(([name, us]) => `${name} ${us.toFixed(0)} µs`);
      console.log(
        `snapshot reads: ${shown.join(", ")}; one ${(measured.one / measured.plainOne).toFixed(2)} ×, ` +
          `three ${(measured.three / measured.plainThree).toFixed(2)} × the statements alone`,
      );
      expect(measured.one).toBeGreaterThan(0);
    });
  },
  ["PostgreSQL"],
);
