import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../../src/store/engine/open-database.ts";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { readIdentity } from "../../src/store/transfer/database-identity.ts";
import { fileSteps, type FileSteps } from "../../src/store/transfer/file-steps.ts";
import { fromSqlite, restoreDraft, restoreTo } from "../../src/store/transfer/restore.ts";
import { runBuilt, runCommand } from "../support/command-line.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-restore-steps-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

/** A database with one row that tells it from others; its log is not yet in the file. */
async function makeDatabase(path: string, mark: string): Promise<void> {
  await (await openDatabase(`sqlite:${path}`, () => {})).close();
  const db = openSqliteConnection(path);
  db.exec(
    `INSERT INTO service_log (at, id, last_at, times, kind, words, done_by) VALUES (1, '${mark}', 1, 1, 'x', 'x', 'x')`,
  );
  db.close();
}

/** Whose database answers at a path. */
function markAt(path: string): string {
  const db = openSqliteConnection(path, { fileMustExist: true });
  try {
    expect(db.prepare("PRAGMA integrity_check").pluck().all()).toEqual(["ok"]);
    return db.prepare<[], string>("SELECT id FROM service_log WHERE kind = 'x'").pluck().all().join();
  } finally {
    db.close();
  }
}

class Killed extends Error {}

/** Steps of a process that is killed after so many of them: nothing that it would do then happens. */
function endingAfter(most: number): { readonly steps: FileSteps; readonly taken: () => number } {
  let taken = 0;
  const counted =
    <A extends unknown[], R>(step: (...args: A) => R) =>
    (...args: A): R => {
      if (taken >= most) throw new Killed();
      taken += 1;
      return step(...args);
    };
  const { make, copy, give, link, rename, remove, save, saveName } = fileSteps;
  return {
    steps: {
      make: counted(make),
      copy: counted(copy),
      give: counted(give),
      link: counted(link),
      rename: counted(rename),
      remove: counted(remove),
      save: counted(save),
      saveName: counted(saveName),
    },
    taken: () => taken,
  };
}

beforeAll(async () => {
  await makeDatabase(at("old.db"), "old");
  await makeDatabase(at("backup.db"), "new");
});

const now = new Date(Date.UTC(2026, 10, 27));
const restoring = (path: string, steps: FileSteps) =>
  restoreTo({ path, draft: restoreDraft(path), fill: fromSqlite(at("backup.db"), null), now }, steps);

it("[OUR-CLI-18] a restore that is killed after any of its steps leaves the old database or the new one, whole", async () => {
  const seen: string[] = [];
  for (let most = 0; ; most += 1) {
    const path = join(mkdtempSync(join(folder, "killed-")), "served.db");
    writeFileSync(path, readFileSync(at("old.db")));
    const { steps, taken } = endingAfter(most);
    const ended = await restoring(path, steps).then(
      () => "done",
      (error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        return "killed";
      },
    );
    const words: string[] = [];
    const isMoved = (): boolean => readdirSync(join(path, "..")).some((name) => name.includes(".replaced-"));
    const wasMoved = isMoved();
    await (
      await openDatabase(`sqlite:${path}`, () => {}, { onLeftBehind: (line) => words.push(line) })
    ).close();
    const mark = markAt(path);
    // Until the new file has its place nothing is moved, and something is said where something is left.
    expect(isMoved()).toBe(mark === "new");
    expect(words.some((line) => line.startsWith("A restore was interrupted before"))).toBe(
      wasMoved && mark === "old",
    );
    seen.push(mark);
    if (ended === "done") {
      expect(most).toBe(taken());
      break;
    }
  }
  expect(seen.length).toBeGreaterThanOrEqual(8);
  expect(new Set(seen)).toEqual(new Set(["old", "new"]));
  // From old to new once, in one step.
  expect(seen.toSorted().toReversed()).toEqual(seen);
  console.log(`killed after each of ${seen.length - 1} steps: ${seen.join(" ")}`);
});

it("[OUR-CLI-18] what is left of a restore into an empty place keeps a start from making an empty database", async () => {
  const path = join(mkdtempSync(join(folder, "empty-")), "served.db");
  await expect(restoring(path, endingAfter(3).steps)).rejects.toThrow(Killed);
  const before = readdirSync(join(path, ".."));
  const settings = { TICKMARK_DATABASE_URL: `sqlite:${path}`, TICKMARK_PORT: "0" };
  for (const refused of [runBuilt(["serve"], settings), await runCommand(["migrate"], settings)]) {
    expect(refused).toMatchObject({ status: 2, stdout: "", lines: 1 });
    expect(refused.stderr).toMatch(/^There is no database .*\.part beside it\. .*--new-database/);
  }
  expect(readdirSync(join(path, ".."))).toEqual(before);
  expect(await runCommand(["migrate", "--new-database"], settings)).toMatchObject({ status: 0 });
});

it("[OUR-CLI-18] a database that was moved aside, or a log without its database, does the same", async () => {
  for (const left of [
    "served.db.replaced-20261127T000000Z",
    "served.db.rescued-20261127T000000Z",
    "served.db-wal",
  ]) {
    const place = mkdtempSync(join(folder, "moved-"));
    writeFileSync(join(place, left), "x");
    const settings = { TICKMARK_DATABASE_URL: `sqlite:${join(place, "served.db")}` };
    expect((await runCommand(["migrate"], settings)).status).toBe(2);
    expect(readdirSync(place)).toEqual([left]);
  }
  const path = join(mkdtempSync(join(folder, "moved-")), "served.db");
  const refusal = async (): Promise<string> =>
    (await runCommand(["migrate"], { TICKMARK_DATABASE_URL: `sqlite:${path}` })).stderr;
  writeFileSync(`${path}.replaced-20261127T000000Z`, readFileSync(at("old.db")));
  expect(await refusal()).toContain(`database: mv ${path}.replaced-20261127T000000Z ${path}.`);
  // The newest of them that is whole: not one that was being saved when its process ended.
  writeFileSync(`${path}.rescued-20261128T000000Z`, readFileSync(at("backup.db")));
  writeFileSync(`${path}.rescued-20261129T000000Z`, "");
  writeFileSync(`${path}.rescued-20261130T000000Z`, "x");
  writeFileSync(`${path}.rescued-20261130T000000Z-journal`, "x");
  expect(await refusal()).toContain(`database: mv ${path}.rescued-20261128T000000Z ${path}.`);
  writeFileSync(`${path}-wal`, "x");
  expect(await refusal()).toContain(
    `database: move ${path}-wal away, then mv ${path}.rescued-20261128T000000Z ${path}.`,
  );
});

it("[OUR-CLI-18] a damaged database is replaced, and kept with its log", async () => {
  const place = mkdtempSync(join(folder, "damaged-"));
  const path = join(place, "served.db");
  writeFileSync(path, "no database any more".repeat(1000));
  writeFileSync(`${path}-wal`, "its log");
  const { replaced } = await restoring(path, fileSteps);
  expect(readFileSync(`${replaced}-wal`, "utf8")).toBe("its log");
  expect(readFileSync(String(replaced), "utf8")).toContain("no database any more");
  expect(markAt(path)).toBe("new");
});

it("[OUR-CLI-18] the identity stays with the place, and a new place has a new one", async () => {
  const place = mkdtempSync(join(folder, "identity-"));
  const [path, other] = [join(place, "served.db"), join(place, "other.db")];
  writeFileSync(path, readFileSync(at("old.db")));
  const ofOld = await readIdentity(`sqlite:${path}`);
  await restoring(path, fileSteps);
  await restoring(other, fileSteps);
  const identities = [path, other, at("backup.db")].map((file) => readIdentity(`sqlite:${file}`));
  const [replaced, elsewhere, copied] = await Promise.all(identities);
  expect(replaced).toBe(ofOld);
  expect(new Set([replaced, elsewhere, copied]).size).toBe(3);
  expect(copied).toMatch(/^[0-9a-f]{12}$/);
});

it.runIf(process.geteuid?.() === 0)(
  "[OUR-CLI-18] what root restores belongs to the owner of the folder",
  async () => {
    const place = mkdtempSync(join(folder, "owned-"));
    const { chownSync } = await import("node:fs");
    chownSync(place, 65_534, 65_534);
    const path = join(place, "served.db");
    await restoring(path, fileSteps);
    expect(statSync(path)).toMatchObject({ uid: 65_534, gid: 65_534 });
  },
);
