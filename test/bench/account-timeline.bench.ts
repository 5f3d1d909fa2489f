import { expect, it } from "vitest";
import type { EventFilter } from "../../src/core/event/event-filter.ts";
import type { TimePosition } from "../../src/core/position.ts";
import { newestEvents } from "../../src/services/event/newest-events.ts";
import { selectAccountEvents } from "../../src/store/event/timeline.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { newAccount, newServer, noon, times } from "../store/engine/rows.ts";
import { eachDatabase, sharedKinds } from "../support/databases.ts";

const servers = 1000;
const eventsOfEach = 1000;
const rounds = 21;

const everything: EventFilter = {
  from: 0,
  to: null,
  category: null,
  severity: null,
  source: null,
  type: null,
};

/** The processor's time of this process so far, ms: other processes of this machine do not count into it. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The processor's time of a reading, and the longest within it in which nothing else had a turn, ms. */
async function longestTurn(read: () => Promise<unknown>): Promise<{ longest: number; total: number }> {
  const start = processorTime();
  let [isDone, last, longest] = [false, start, 0];
  const reading = read().then(() => (isDone = true));
  const turn = (): void => {
    const at = processorTime();
    longest = Math.max(longest, at - last);
    last = at;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await reading;
  await new Promise(setImmediate);
  return { longest, total: processorTime() - start };
}

/** A page of the timeline of 1,000 servers with 1,000,000 events: how long it takes. */
eachDatabase((databases, kind) => {
  it("the first page, a later one, and pages by a filter", async () => {
    const url = await databases.url();
    const db = await databases.open(url);
    const account = await newAccount(db, { plan: "enterprise" });
    for (const _ of times(servers)) await newServer(db, account, { maxServers: servers });
    const raw = await openRaw(url);
    await raw.run(`INSERT INTO server_event (id, server_id, local_id, type, category, source, severity, title, timeline_at,
          happened_at, received_at)
        WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${eventsOfEach - 1})
        SELECT s.id || '-' || i, s.id, CAST(i AS TEXT), CASE WHEN i % 20 = 7 THEN 'restart' ELSE 'ban' END, 'moderation',
          'LiteBans', 'warning', 'Banned', ${noon} - 60000 * i, ${noon} - 60000 * i, ${noon} FROM server AS s, n`);
    await raw.run("ANALYZE");
    await raw.close();
    const measured = async (
      name: string,
      limit: number,
      filter: Partial<EventFilter> = {},
      after: TimePosition | null = null,
    ): Promise<void> => {
      const took: number[] = [];
      for (const _ of times(rounds)) {
        const start = performance.now();
        const asked = { ...everything, ...filter };
        expect(await newestEvents(db, account.id, null, asked, after, limit + 1)).toBeDefined();
        took.push(performance.now() - start);
      }
      const median = took.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
      console.log(`${kind}: ${name}, ${limit} rows: ${median.toFixed(1)} ms`);
    };
    /** The longest that anything else waits for its turn, by one statement and by several. */
    const waits = async (name: string, filter: Partial<EventFilter>): Promise<void> => {
      const asked = { ...everything, ...filter };
      const single = () => db.read(selectAccountEvents, account.id, null, asked, null, 26);
      const walked = () => newestEvents(db, account.id, null, asked, null, 26);
      expect(await walked()).toEqual(await single());
      for (const [how, read] of [
        ["one statement", single],
        ["slices", walked],
      ] as const) {
        const { longest, total } = await longestTurn(read);
        console.log(
          `${kind}: ${name}, ${how}: longest turn ${longest.toFixed(1)} of ${total.toFixed(1)} ms of the processor`,
        );
      }
    };
    await waits("a severity without events", { severity: "error" });
    await waits("a category without events", { category: "security" });
    await waits("a source without events", { source: "none" });
    await waits("a severity of every event", { severity: "warning" });
    await measured("first page", 25);
    await measured("first page", 100);
    await measured("page in the middle", 25, {}, { at: noon - 500 * 60_000, id: "" });
    await measured("a type of one event in 20", 25, { type: "restart" });
    await measured("a type without events", 25, { type: "none" });
  }, 600_000);
}, sharedKinds);
