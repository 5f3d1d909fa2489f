import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchTest, TestResult } from "../../src/bench/bench-test.ts";
import { startGame, type Game, type GameOptions } from "../../src/bench/game/game-tests.ts";

const simulated = fileURLToPath(new URL("simulated-server.mjs", import.meta.url));

/** How the simulated server differs from one that works. */
export interface Behaviour {
  readonly version?: string;
  readonly family?: "vanilla" | "paper" | "folia";
  readonly dies?: "java" | "options" | "jar" | "memory" | "killed" | "silently" | "port";
  readonly neverReady?: boolean;
  /** It ends when a command matches; `crashesWith` is the line that it writes then. */
  readonly crashesOn?: string;
  readonly crashesWith?: string;
  /** It never answers a command that matches. */
  readonly silentOn?: string;
  /** It sends half of the answer, and drops the connection. */
  readonly dropsOn?: string;
  /** What it answers to commands that match, instead of what the game does. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly ignoresTerm?: boolean;
  /** It starts a program of its own. */
  readonly forks?: boolean;
  readonly costs?: Readonly<Record<string, number>>;
}

export interface OwnersPlace {
  /** The folder of the owner's server, with a world in it. */
  readonly owners: string;
  readonly scratch: string;
  readonly jar: string;
  readonly logged: string[];
  /** What the simulated server was started with. */
  started(): { readonly pid: number; readonly javaArguments: readonly string[]; readonly cwd: string };
  commands(): readonly string[];
  start(behaviour?: Behaviour, options?: Partial<GameOptions>): Promise<Game>;
  clean(): void;
}

const place = (root: string, name: string): string => {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** A folder with an owner's server, and an empty one for the tests. */
export function ownersPlace(): OwnersPlace {
  const root = mkdtempSync(join(tmpdir(), "tickmark-game-"));
  const owners = place(root, "owner");
  const scratch = place(root, "scratch");
  const jar = join(owners, "server.jar");
  writeFileSync(jar, "not looked into");
  writeFileSync(join(owners, "server.properties"), "level-name=world\nserver-port=25565\n");
  writeFileSync(join(place(owners, "world"), "level.dat"), "precious");
  writeFileSync(join(place(owners, "libraries"), "library.jar"), "a library");
  const record = join(root, "record");
  const logged: string[] = [];
  return {
    owners,
    scratch,
    jar,
    logged,
    started: () => JSON.parse(readFileSync(record, "utf8")),
    commands: () => readFileSync(`${record}.commands`, "utf8").trim().split("\n"),
    start(behaviour = {}, options = {}) {
      const java = join(root, "java");
      const text = JSON.stringify({ ...behaviour, record }).replaceAll("'", "'\\''");
      writeFileSync(java, `#!/bin/sh\nexec '${process.execPath}' '${simulated}' '${text}' "$@"\n`);
      chmodSync(java, 0o755);
      return startGame({
        jar,
        java,
        javaArgs: ["-Xms2G", "-Xmx4G"],
        mostHeapBytes: null,
        acceptEula: true,
        folder: scratch,
        mode: "standard",
        signal: new AbortController().signal,
        log: (line) => logged.push(line),
        patience: { start: 5000, answer: 2000, work: 2000, stop: 500 },
        ...options,
      });
    },
    clean: () => rmSync(root, { recursive: true, force: true }),
  };
}

export const testOf = (game: Game, id: string): BenchTest => {
  const test = game.tests.find((each) => each.id === id);
  if (!test) throw new Error(`There is no test ${id}.`);
  return test;
};

/** Runs a test at a fraction of its length. */
export const runTest = (
  game: Game,
  id: string,
  { length = 0.1, signal = new AbortController().signal }: { length?: number; signal?: AbortSignal } = {},
): Promise<TestResult> =>
  testOf(game, id).run({
    signal,
    folder: "",
    length,
    processors: 2,
    measuredBy: "wall_time",
    memoryBytes: 2 ** 30,
    progress: () => undefined,
  });

/** A digest of every name and content below a folder. */
export function digestOf(folder: string): string {
  const hash = createHash("sha256");
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }).toSorted((a, b) =>
    join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1,
  )) {
    const path = join(entry.parentPath, entry.name);
    hash.update(`${path}\0`);
    if (entry.isFile()) hash.update(readFileSync(path));
  }
  return hash.digest("hex");
}

/** Whether any process of that group still runs; one that nobody has waited for yet does not. */
export function groupIsThere(pid: number): boolean {
  return readdirSync("/proc").some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const text = readFileSync(`/proc/${name}/stat`, "utf8");
      const [state, , group] = text.slice(text.lastIndexOf(")") + 2).split(" ");
      return Number(group) === pid && state !== "Z" && state !== "X";
    } catch {
      return false;
    }
  });
}

export const isGone = (path: string): boolean => !existsSync(path);
