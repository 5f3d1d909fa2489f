import { randomUUID } from "node:crypto";
import type { Job } from "../../core/job/job.ts";
import type { Instant } from "../../core/time.ts";
import { type Work, one, run, type Database } from "../engine/database.ts";
import { forUpdate, query } from "../engine/query.ts";

/** A holder renews its lease every third of this time, and is dead if it does not, ms. */
export const leaseMs = 60_000;

/** Monotonic and equal in all processes of the machine, ms; starts anew with the machine. */
const machineTicks = (): number => Number(process.hrtime.bigint() / 1_000_000n);

const add = query<{ name: string }>()((db, $) =>
  db
    .insertInto("job")
    .values({
      name: $.name,
      holder: null,
      leased_until: null,
      last_started_at: null,
      last_finished_at: null,
    })
    .onConflict((conflict) => conflict.column("name").doNothing()),
);

const find = query<{ name: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("job").selectAll().where("name", "=", $.name)),
);

const start = query<{ name: string; holder: string; until: number; now: number }>()((db, $) =>
  db
    .updateTable("job")
    .set({ holder: $.holder, leased_until: $.until, last_started_at: $.now })
    .where("name", "=", $.name),
);

const renew = query<{ name: string; holder: string; until: number }>()((db, $) =>
  db
    .updateTable("job")
    .set({ leased_until: $.until })
    .where("name", "=", $.name)
    .where("holder", "=", $.holder),
);

const finish = query<{ name: string; holder: string; now: number }>()((db, $) =>
  db
    .updateTable("job")
    .set({ holder: null, leased_until: null, last_finished_at: $.now })
    .where("name", "=", $.name)
    .where("holder", "=", $.holder),
);

interface Row {
  readonly holder: string | null;
  readonly leased_until: number | null;
  readonly last_started_at: number | null;
}

/** A lease of this process for a job that it does not run is ignored: it could not be given back. */
const isHeldByAnother = ({ holder, leased_until }: Row, caller: string, ticks: number): boolean =>
  holder !== caller &&
  leased_until !== null &&
  leased_until > ticks &&
  // A lease further ahead is from before the machine started.
  leased_until <= ticks + leaseMs;

/** A timer may fire a little early, ms. */
const earlyMs = 1000;

/** A start in the future was noted by a wrong clock, and does not delay the job. */
const isDue = ({ last_started_at }: Row, everyMs: number, now: Instant): boolean =>
  last_started_at === null || last_started_at > now || now - last_started_at >= everyMs - earlyMs;

/** The clock measures the period, the machine's ticks the lease. */
interface Moment {
  readonly now: Instant;
  readonly ticks: number;
}

function* takeUp(
  { name, everyMs }: Job,
  holder: string,
  leases: boolean,
  { now, ticks }: Moment,
): Work<{ readonly previous: Instant | null } | null> {
  yield* run(add, { name });
  const row = yield* one(find, { name });
  if (!row || (leases && isHeldByAnother(row, holder, ticks)) || !isDue(row, everyMs, now)) return null;
  yield* run(start, { name, holder, until: ticks + leaseMs, now });
  return { previous: row.last_started_at };
}

/**
 * Runs each job in one process at a time: on PostgreSQL under a lock that ends with its holder; on SQLite,
 * whose processes share a machine, under a lease that the holder renews, measured in `ticks`.
 */
export function jobRunner(db: Database, ticks: () => number = machineTicks) {
  const holder = randomUUID();
  const leases = db.tryAlone === null;
  const underWay = new Set<string>();

  const keepUp = async (name: string, work: () => Promise<void>): Promise<void> => {
    const renewal = setInterval(() => {
      // One missed renewal is harmless; a holder that misses all counts as dead.
      db.writeRelaxed(() => run(renew, { name, holder, until: ticks() + leaseMs })).catch(() => {});
    }, leaseMs / 3).unref();
    try {
      await work();
    } finally {
      clearInterval(renewal);
    }
  };

  const attempt = async (job: Job, clock: () => Instant): Promise<boolean> => {
    const { name } = job;
    const takesUp = () => takeUp(job, holder, leases, { now: clock(), ticks: ticks() });
    const taken = await db.writeRelaxed(takesUp);
    if (taken === null) return false;
    const work = () => job.run(taken.previous);
    try {
      await (leases ? keepUp(name, work) : work());
    } finally {
      await db.writeRelaxed(() => run(finish, { name, holder, now: clock() }));
    }
    return true;
  };

  return {
    /** Returns false if the job is not due or another process runs it. Takes over a dead process's job. */
    runAlone: async (job: Job, clock: () => Instant): Promise<boolean> => {
      if (underWay.has(job.name)) return false;
      underWay.add(job.name);
      try {
        if (db.tryAlone === null) return await attempt(job, clock);
        return (await db.tryAlone(job.name, () => attempt(job, clock))) ?? false;
      } finally {
        underWay.delete(job.name);
      }
    },
  };
}

export type JobRunner = ReturnType<typeof jobRunner>;
