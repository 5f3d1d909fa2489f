import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { unprivilegedUser } from "./postgres.ts";

/** Null where PgBouncer is installed, else why what needs it is skipped; says so once. */
export function whyNoPgBouncer(): string | null {
  try {
    execFileSync("pgbouncer", ["--version"], { stdio: "ignore" });
    return null;
  } catch {
    console.warn("\n!!! SKIPPED: what a connection pooler does to the service takes pgbouncer on PATH.\n");
    return "no pgbouncer on PATH";
  }
}

export type PoolMode = "session" | "transaction" | "statement";

export interface PgBouncer {
  /** The address of that database through the pooler. */
  url(database: string): string;
  /** Goes on with other settings, as after an edit of its file and a reload. */
  reload(mode: PoolMode): Promise<void>;
  stop(): Promise<void>;
}

export interface PgBouncerOptions {
  readonly mode: PoolMode;
  /** Connections to PostgreSQL for each database and user. */
  readonly poolSize?: number;
  /** Whether idle connections to PostgreSQL are used in turn; otherwise the last one used is used again. */
  readonly isRoundRobin?: boolean;
}

/** Starts PgBouncer before the PostgreSQL at that address. */
export async function startPgBouncer(
  postgresUrl: string,
  { mode, poolSize = 20, isRoundRobin = false }: PgBouncerOptions,
): Promise<PgBouncer> {
  const { hostname, port: behind, username } = new URL(postgresUrl);
  const home = mkdtempSync(join(tmpdir(), "tickmark-pgbouncer-"));
  const owner = unprivilegedUser();
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(home, owner.uid, owner.gid);
  const file = join(home, "pgbouncer.ini");
  const port = await freePort();
  const configure = (poolMode: PoolMode): void =>
    writeFileSync(
      file,
      `[databases]
* = host=${hostname} port=${behind} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = ${poolSize}
server_round_robin = ${Number(isRoundRobin)}
max_client_conn = 500
`,
      { mode: 0o644 },
    );
  configure(mode);
  const child: ChildProcess = spawn("pgbouncer", [file], {
    ...owner,
    cwd: home,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = (words: string): Promise<void> =>
    new Promise((resolve, reject) => {
      let text = "";
      const listen = (part: string): void => {
        text += part;
        if (!text.includes(words)) return;
        child.stderr?.off("data", listen);
        resolve();
      };
      child.stderr?.setEncoding("utf8").on("data", listen);
      child.once("exit", () => reject(new Error(`PgBouncer ended:\n${text}`)));
      child.once("error", reject);
    });
  const abandon = (): void => void child.kill("SIGKILL");
  process.once("exit", abandon);
  await said("process up");
  return {
    url: (database) => `postgres://${username}@127.0.0.1:${port}/${database}`,
    reload: async (poolMode) => {
      configure(poolMode);
      const reloaded = said("RELOAD");
      child.kill("SIGHUP");
      // Versions say it in different words; the setting counts from the next connection of the event loop on.
      await Promise.race([reloaded, new Promise((resolve) => setTimeout(resolve, 500))]);
    },
    stop: async () => {
      process.off("exit", abandon);
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
