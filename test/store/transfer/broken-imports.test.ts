import { createHash } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { newestMigration } from "../../../src/store/migrations/registry.ts";
import { dice } from "../../support/dice.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { makeFleet } from "../../support/fleet.ts";
import { isLong } from "../../support/long.ts";
import { captured } from "../../support/captures.ts";
import { testApp } from "../../support/test-app.ts";
import { exportOf, importInto, rowsIn, sortedRows } from "./exchanging.ts";

/** What is imported instead of an export's lines, with a digest and counts that fit the lines given. */
function sealed(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `${line}\n`).join("");
  const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  return Buffer.from(`${text}${JSON.stringify({ ...JSON.parse(footer), digest })}\n`);
}

let footer = "{}";
let exported: Buffer = Buffer.alloc(0);
let lines: string[] = [];

eachDatabase((databases, kind) => {
  /** How many times less is tried where each time takes long: the reader is the same for both databases. */
  const fewer = (kind === "PostgreSQL" ? 4 : 1) * (isLong ? 1 : 3);

  beforeAll(async () => {
    const url = await databases.url();
    const { servers } = await makeFleet(url, 3, "pro");
    const database = await databases.open(url);
    const test = testApp();
    const [server] = servers;
    if (server) await captured({ ...test.app, db: database }, server);
    await test.close();
    exported = await exportOf(url);
    lines = exported.toString("utf8").split("\n").slice(0, -2);
    footer = exported.toString("utf8").split("\n").at(-2) ?? "";
  });

  const made = new Set<string>();
  const refused = async (url: string, bytes: Buffer): Promise<string> => {
    const error: unknown = await importInto(url, bytes).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof Error)) throw new Error("It was imported.");
    expect(error.message).not.toContain("\n");
    // The tables are there since the first refusal that is looked at.
    if (!made.has(url)) await databases.open(url);
    made.add(url);
    expect(rowsIn(await exportOf(url))).toEqual([]);
    return error.message;
  };

  it("[OUR-STO-55] an import that is cut off anywhere leaves the database empty, and the whole one is taken then", async () => {
    const url = await databases.emptyUrl();
    const footerAt = exported.length - footer.length - 1;
    const random = dice(41);
    const edges = [footerAt - 1, footerAt + 1, 1, 50, footerAt, exported.length - 1];
    const cuts = edges.slice(0, fewer > 4 ? 3 : edges.length);
    for (let count = 0; count < 12 / fewer; count += 1)
      cuts.push(1 + Math.floor(random() * (exported.length - 2)));
    for (const cut of cuts)
      expect(await refused(url, exported.subarray(0, cut)), String(cut)).toBe(
        "The export is not complete: it ends before its last line. Export it again.",
      );
    await importInto(url, exported);
    expect(sortedRows(await exportOf(url))).toEqual(sortedRows(exported));
  });

  it("[OUR-STO-55] an export with a bit that changed is refused, wherever it is", async () => {
    const url = await databases.emptyUrl();
    const random = dice(42);
    const words = new Map<string, number>();
    for (let count = 0; count < 80 / fewer; count += 1) {
      const spoilt = Buffer.from(exported);
      // Each byte of the ends, which matter most, and any between them.
      const at = count < 20 / fewer ? exported.length - 1 - count : Math.floor(random() * exported.length);
      spoilt[at] = (spoilt[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      const refusal = (await refused(url, spoilt)).replace(/\d+/g, "n").slice(0, 44);
      words.set(refusal, (words.get(refusal) ?? 0) + 1);
    }
    console.log(Object.fromEntries(words));
  });

  it("[OUR-STO-56] an export of another format, or of a newer version, is refused with what to do", async () => {
    const url = await databases.emptyUrl();
    const of = (changes: object): Buffer =>
      sealed([JSON.stringify({ ...JSON.parse(lines[0] ?? ""), ...changes }), ...lines.slice(1)]);
    expect(await refused(url, of({ version: newestMigration() + 1 }))).toMatch(
      / Import it with the version that wrote it\.$/,
    );
    expect(await refused(url, of({ format: "tickmark-export/3" }))).toMatch(
      / Import it with the version that wrote it\.$/,
    );
    expect(await refused(url, of({ format: "tickmark-export/1", version: 42 }))).toMatch(
      / Import it with the version that wrote it\.$/,
    );
    expect(await refused(url, of({ format: 1 }))).toBe(
      "This is not an export of Tickmark. Name an export file.",
    );
  });

  it("[OUR-STO-55] what is no export, or not what its last line says, is refused", async () => {
    const url = await databases.emptyUrl();
    const [header = "", first = "", ...rest] = lines;
    const changed = (table: string, row: object): Buffer =>
      sealed([header, JSON.stringify({ table, row }), ...rest]);
    const { row } = JSON.parse(first) as { row: object };
    expect(await refused(url, Buffer.from("id,name\n1,2\n"))).toBe(
      "This is not an export of Tickmark. Name an export file.",
    );
    expect(await refused(url, Buffer.alloc(0))).toContain("The export is not complete");
    expect(await refused(url, sealed(lines.slice(1)))).toBe(
      "This is not an export of Tickmark. Name an export file.",
    );
    expect(await refused(url, sealed([header, first, ...rest.slice(1)]))).toContain(
      "its number of rows is wrong",
    );
    expect(await refused(url, sealed([header, first, first, ...rest]))).toContain("cannot be inserted");
    expect(await refused(url, sealed([header, ...rest, first]))).toContain("cannot be inserted");
    expect(await refused(url, Buffer.concat([exported, Buffer.from(`${first}\n`)]))).toContain("follows");
    expect(await refused(url, changed("job", row))).toContain("a row of a table that is not in an export");
    expect(await refused(url, changed("account", { ...row, colour: 1 }))).toContain("does not have");
    expect(await refused(url, changed("account", { ...row, created_at: "now" }))).toContain(
      "a value in created_at that is not of type number",
    );
    expect(await refused(url, changed("account", { ...row, email: null }))).toContain("cannot be inserted");
    expect(await refused(url, changed("account", []))).toContain("cannot be inserted");
  });

  it("[OUR-STO-57] a database that holds a row is not imported into, and keeps what it has", async () => {
    const url = await databases.emptyUrl();
    await makeFleet(url, 1, "free");
    const before = sortedRows(await exportOf(url));
    await expect(importInto(url, exported)).rejects.toThrow(/has data already \(table account\)/);
    expect(sortedRows(await exportOf(url))).toEqual(before);
  });
}, sharedKinds);
