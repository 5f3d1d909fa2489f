import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { selectAccounts } from "../../../../src/store/access/accounts.ts";
import { one, type Database, type LateReads, type Work } from "../../../../src/store/engine/database.ts";
import { lateReads, openDatabase } from "../../../../src/store/engine/open-database.ts";
import { query } from "../../../../src/store/engine/query.ts";
import { openReplica, type ReadReplica } from "../../../../src/store/engine/replica/replica.ts";
import { postgresVariable, whyPostgresIsSkipped } from "../../../support/databases.ts";
import { startReplicated, type ReplicatedPostgres } from "../../../support/postgres-replica.ts";
import { until } from "../../../support/service-process.ts";
import { openRaw } from "../raw-database.ts";
import { newAccount, times } from "../rows.ts";

interface Place {
  readonly late: boolean;
}

const place = query<Record<string, never>>()<Place>((db) => ({
  compile: () => sql<Place>`SELECT pg_is_in_recovery() AS late`.compile(db),
}));

/** Holds a lock on the accounts for as long as the replica lets it, and takes no time on the primary. */
const slowPlace = query<Record<string, never>>()<Place>((db) => ({
  compile: () =>
    sql<Place>`SELECT pg_is_in_recovery() AS late, count(*) FROM account,
      LATERAL (SELECT CASE WHEN pg_is_in_recovery() THEN pg_sleep(30) END) AS slept`.compile(db),
}));

function* bothPlaces(): Work<boolean[]> {
  const [first, second] = [yield* one(place, {}), yield* one(place, {})];
  return [first?.late, second?.late].map((late) => late === true);
}

describe.skipIf(whyPostgresIsSkipped() !== null)("a read replica", () => {
  let pair: ReplicatedPostgres;
  let db: Database;
  let replica: ReadReplica;
  let reads: LateReads;
  let entries: [level: string, words: string][];
  beforeAll(async () => {
    pair = await startReplicated();
    db = await openDatabase(pair.primary.url, () => {});
    await newAccount(db);
  });
  afterAll(async () => {
    await db.close();
    await pair.stop();
  });
  afterEach(() => replica.close());

  const open = (primaryUrl = pair.primary.url, replicaUrl = pair.onReplica(primaryUrl)): void => {
    entries = [];
    const own = entries;
    replica = openReplica(primaryUrl, replicaUrl, (level, words) => void own.push([level, words]));
    reads = lateReads(db, replica);
  };
  const isLate = async (): Promise<boolean> =>
    (await reads.readerFor(null).read(() => one(place, {})))?.late === true;
  const opened = async (): Promise<void> => {
    open();
    await until("the replica answers", isLate);
  };
  const warnings = (): string[] => entries.filter(([level]) => level === "warn").map(([, words]) => words);
  const onPrimary = async (statement: string): Promise<void> => {
    const raw = await openRaw(pair.primary.url);
    await raw.run(statement);
    await raw.close();
  };

  it("[OUR-STO-202] answers while the primary is idle, units of several statements too, and an SQL error is the primary's", async () => {
    await opened();
    await until("the last change is long ago", async () => {
      await onPrimary("SELECT pg_sleep(1)");
      const [row] = await pair.askReplica(
        "SELECT now() - pg_last_xact_replay_timestamp() > '2 s' AS is_idle",
      );
      return row?.["is_idle"] === true;
    });
    await until("it answers still", isLate);
    await until("both statements are its", async () =>
      (await reads.readerFor("an account").read(bothPlaces)).every(Boolean),
    );
    expect(replica.lagMs()).not.toBeNull();
    const broken = query<Record<string, never>>()<Place>((builder) => ({
      compile: () => sql<Place>`SELECT nothing FROM nowhere`.compile(builder),
    }));
    await expect(reads.readerFor(null).read(() => one(broken, {}))).rejects.toThrow("nowhere");
    await until("it answers still", isLate);
  });

  it("[OUR-STO-202] [OUR-STO-205] is left out while its replay stands still, which the log says", async () => {
    await opened();
    await until("it is announced", () => entries.length > 0);
    await pair.askReplica("SELECT pg_wal_replay_pause()");
    const { id } = await newAccount(db);
    await until("the new account is seen", async () => {
      const accounts = await reads.readerFor(null).read(selectAccounts);
      return accounts.some((account) => account.id === id);
    });
    expect([replica.isUsed(), await isLate()]).toEqual([false, false]);
    await until("a warning", () => warnings().length > 0);
    await pair.askReplica("SELECT pg_wal_replay_resume()");
    await until("it answers again", isLate);
    expect(warnings()[0]).toMatch(
      /^The read replica is not used, and the primary answers every read: it is /,
    );
    expect(entries).toContainEqual(["info", "The read replica answers series and lists."]);
  });

  it("[OUR-STO-202] is left out when it receives nothing more, though it replays all that it has", async () => {
    await opened();
    const [row] = await pair.askReplica("SELECT current_setting('primary_conninfo') AS conninfo");
    const follow = async (conninfo: string): Promise<void> => {
      await pair.askReplica(`ALTER SYSTEM SET primary_conninfo = '${conninfo}'`);
      await pair.askReplica("SELECT pg_reload_conf()");
    };
    await follow("host=127.0.0.1 port=1");
    await until("it is left out", async () => {
      await newAccount(db);
      await onPrimary("SELECT pg_sleep(0.2)");
      return !replica.isUsed();
    });
    await follow(String(row?.["conninfo"]));
    await until("it answers again", isLate);
  });

  it("[OUR-STO-202] is measured by a role without further rights", async () => {
    await onPrimary("CREATE ROLE plain LOGIN");
    const url = pair.primary.url.replace("postgres@", "plain@");
    open(url, pair.onReplica(url));
    await until("the replica answers", isLate);
  });

  it("[OUR-STO-204] that is killed under calls lets none of them fail, and answers again when it is back", async () => {
    await opened();
    const enough = new AbortController();
    const places = new Set<boolean>();
    const caller = async (): Promise<void> => {
      while (!enough.signal.aborted) places.add(await isLate());
    };
    const callers = times(4).map(caller);
    await pair.replica.halt("immediate");
    await until("the primary answers", () => places.has(false));
    enough.abort();
    await Promise.all(callers);
    await until("a warning", () => warnings().length > 0);
    await pair.replica.resume();
    await until("it answers again", isLate);
  });

  it("[OUR-STO-204] that hangs holds no call longer than its time-outs, nor the end of the service", async () => {
    await opened();
    pair.suspend();
    await until("the primary answers", async () => !(await isLate()));
    expect(replica.isUsed()).toBe(false);
    await until("a warning", () => warnings().length > 0);
    await replica.close();
    open();
    expect(await isLate()).toBe(false);
    pair.wake();
    await until("it answers again", isLate);
  });

  it("[OUR-STO-204] a read that conflicts with the replay is repeated on the primary", async () => {
    await opened();
    const conflicts = async (): Promise<number> => {
      const [row] = await pair.askReplica(
        "SELECT sum(confl_lock)::int AS count FROM pg_stat_database_conflicts",
      );
      return Number(row?.["count"]);
    };
    await until("a read is cancelled", async () => {
      await until("it answers", isLate);
      const reading = reads.readerFor(null).read(() => one(slowPlace, {}));
      await onPrimary("BEGIN; LOCK TABLE account IN ACCESS EXCLUSIVE MODE; COMMIT");
      expect(await reading).toMatchObject({ late: false });
      return (await conflicts()) > 0;
    });
    await until("it answers again", isLate);
  });

  it("[OUR-STO-203] a server that is no standby, and a standby of another primary, are left out", async () => {
    open(pair.primary.url, pair.primary.url);
    await until("a warning", () => warnings().length > 0);
    expect([await isLate(), warnings()[0]]).toEqual([false, expect.stringContaining("it is no standby")]);
    await replica.close();
    const others = process.env[postgresVariable] ?? "";
    open(others, pair.onReplica(pair.primary.url));
    await until("a warning", () => warnings().length > 0);
    expect([await isLate(), warnings()[0]]).toEqual([
      false,
      expect.stringContaining("follows another server than that of TICKMARK_DATABASE_URL"),
    ]);
  });

  it("[OUR-STO-203] that is promoted is left out", async () => {
    await opened();
    await pair.askReplica("SELECT pg_promote()");
    await until("it is left out", () => !replica.isUsed());
    expect(await isLate()).toBe(false);
    await until("a warning", () => warnings().some((words) => words.includes("promoted")));
  });
});
