import { execFileSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { startPostgres, type PostgresServer } from "./postgres.ts";

export interface ReplicatedPostgres {
  readonly primary: PostgresServer;
  readonly replica: PostgresServer;
  /** The address on the replica of what this address names on the primary. */
  onReplica(url: string): string;
  /** Runs one statement on the replica. */
  askReplica(statement: string): Promise<Record<string, unknown>[]>;
  /** Every process of the replica stands still, as on a machine that hangs; its sockets stay open. */
  suspend(): void;
  wake(): void;
  stop(): Promise<void>;
}

const streaming = { wal_level: "replica", max_wal_senders: "4", hot_standby: "on" };

/** A process and its children. */
function familyOf(pid: number): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return [pid, ...pairs.filter(([, parent]) => parent === pid).map(([child = 0]) => child)];
}

/** Asks again if the replay cancelled the statement, as it may at any moment. */
async function askPatiently(url: string, statement: string): Promise<Record<string, unknown>[]> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } catch (error) {
      if (!/conflict with recovery/.test(String(error))) throw error;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** Makes a primary, and a replica that streams from it: a copy of the data of the stopped primary. */
export async function startReplicated(): Promise<ReplicatedPostgres> {
  const primary = await startPostgres(false, { more: streaming });
  await primary.halt("fast");
  const { port } = new URL(primary.url);
  const fill = (data: string): void => {
    // With its owner and its rights.
    execFileSync("cp", ["-a", primary.data, data]);
    writeFileSync(join(data, "standby.signal"), "");
    // Here, and not on the command line, so that a test can change it while the replica runs.
    appendFileSync(
      join(data, "postgresql.auto.conf"),
      `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`,
    );
  };
  const replica = await startPostgres(false, {
    fill,
    more: {
      ...streaming,
      // A query that stands in the way of the replay is cancelled at once.
      max_standby_streaming_delay: "0",
      wal_retrieve_retry_interval: "100ms",
    },
  });
  await primary.resume();
  let suspended: number[] = [];
  const wake = (): void => {
    for (const pid of suspended.splice(0)) process.kill(pid, "SIGCONT");
  };
  process.once("exit", wake);
  const onReplica = (url: string): string => {
    const address = new URL(url);
    address.port = new URL(replica.url).port;
    return address.href;
  };
  return {
    primary,
    replica,
    onReplica,
    askReplica: (statement) => askPatiently(replica.url, statement),
    suspend: () => {
      suspended = familyOf(replica.pid() ?? 0);
      for (const pid of suspended) process.kill(pid, "SIGSTOP");
    },
    wake,
    stop: async () => {
      wake();
      process.off("exit", wake);
      await replica.stop();
      await primary.stop();
    },
  };
}
