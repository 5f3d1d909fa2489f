import { withNextMigration } from "../support/next-migration.ts";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { AgentState } from "../../src/agent/state/state.ts";
import { readConfig } from "../../src/app/config/config.ts";
import { keptDatabase } from "../../src/demo/demo-database.ts";
import { openDatabase } from "../../src/store/engine/open-database.ts";
import { runCommand, type EndedCommand } from "../support/command-line.ts";
import { makeFleet } from "../support/fleet.ts";
import { makeOlder } from "./older-database.ts";

withNextMigration();

const folder = mkdtempSync(join(tmpdir(), "tickmark-private-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let umask = 0;
beforeEach(() => {
  umask = process.umask(0);
});
afterEach(() => void process.umask(umask));

/** Every file below a place, and every folder that was made there, that others than its owner may enter or read. */
function openToOthers(place: string): string[] {
  return readdirSync(place, { recursive: true }).flatMap((name) => {
    const mode = statSync(join(place, String(name)), { throwIfNoEntry: false })?.mode ?? 0;
    return (mode & 0o077) === 0 ? [] : [`${String(name)} ${(mode & 0o777).toString(8)}`];
  });
}

/** What was open to others at any turn of the event loop while work went on; the names that were seen. */
async function watched(
  place: string,
  work: () => Promise<unknown>,
): Promise<{ open: string[]; seen: Set<string> }> {
  const open = new Set<string>();
  const seen = new Set<string>();
  const done = new AbortController();
  const working = work().finally(() => done.abort());
  while (!done.signal.aborted) {
    for (const name of readdirSync(place, { recursive: true })) seen.add(String(name));
    for (const each of openToOthers(place)) open.add(each);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await working;
  for (const each of openToOthers(place)) open.add(each);
  return { open: [...open], seen };
}

it("[OUR-STO-84] every file that holds the database or a secret is its owner's alone, whatever the umask is, also while it is made", async () => {
  const at = (name: string): string => join(folder, name);
  const served = at("data/served.db");
  const tickmark = async (...args: string[]): Promise<EndedCommand> => {
    const ended = await runCommand(args, { TICKMARK_DATABASE_URL: `sqlite:${served}` });
    expect([args.join(" "), ended.status]).toEqual([args.join(" "), 0]);
    return ended;
  };
  const { open, seen } = await watched(folder, async () => {
    await makeFleet(`sqlite:${served}`, 2, "pro");
    readConfig({ TICKMARK_DATABASE_URL: `sqlite:${served}` }).secrets();
    const database = await openDatabase(`sqlite:${served}`, () => {});
    await tickmark("backup", at("copy.db"));
    await tickmark("backup", at("backups"), "--keep", "2");
    await tickmark("export", at("export.ndjson"));
    await database.close();
    await tickmark("restore", at("export.ndjson"), "--replace");
    await tickmark("restore", at("copy.db"), "--replace");
    mkdirSync(at("older"), { mode: 0o700 });
    process.umask(0o077);
    makeOlder(at("older/old.db"));
    process.umask(0);
    await (await openDatabase(`sqlite:${at("older/old.db")}`, () => {})).close();
    keptDatabase(at("demo"));
    const state = new AgentState(at("agent"));
    await state.prepare();
    await state.keepLink({ url: "http://x", auth_token: "t", server_id: "s" } as never);
  });
  expect(open).toEqual([]);
  const kinds = [
    /^data\/served\.db$/,
    /served\.db-wal$/,
    /served\.db-shm$/,
    /served\.db\.secret$/,
    /served\.db\.restoring-\w+\.part$/,
    /served\.db\.replaced-/,
    /^copy\.db$/,
    /^backups\/tickmark-\w{12}-\w+\.db$/,
    /^backups\/\.tickmark-\w{12}\.made$/,
    /^backups\/tickmark-.*\.part$/,
    /^export\.ndjson$/,
    /old\.db\.before-migration-\d+\.\w+$/,
    /old\.db\.before-migration-.*\.part$/,
    /^demo\/demo-1\.db$/,
    /^agent\/link\.json$/,
  ];
  for (const kind of kinds)
    expect(
      [...seen].some((name) => kind.test(name)),
      String(kind),
    ).toBe(true);
});
