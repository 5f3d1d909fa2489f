import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { eachDatabase, sharedKinds } from "../support/databases.ts";
import { runCommand } from "../support/command-line.ts";
import { fillSealed, sealedPerAccount } from "../support/sealed-values.ts";
import { startTestService } from "../support/service.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-restore-secret-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const own = "the secret of this database";
const other = "a secret of another service";
let serial = 0;
const at = (ending: string): string => join(folder, `${(serial += 1)}.${ending}`);

eachDatabase((databases) => {
  it("[OUR-KEY-08] a backup and an export of another secret are refused before anything is changed", async () => {
    const url = await databases.url();
    const service = await startTestService({ databaseUrl: url, secret: own, timers: false });
    await fillSealed(service.app.db, own, 1);
    await service.close();
    const [exported, backup] = [at("ndjson"), at("backup")];
    const from = { TICKMARK_DATABASE_URL: url };
    expect(await runCommand(["export", exported], from)).toMatchObject({ status: 0 });
    expect(await runCommand(["backup", backup], from)).toMatchObject({ status: 0 });
    for (const [command, file] of [
      ["import", exported],
      ["restore", exported],
      ["restore", backup],
    ] as const) {
      const isCopy = url.startsWith("sqlite:") && file === backup;
      const path = at("db");
      const target = isCopy ? `sqlite:${path}` : await databases.emptyUrl();
      const run = (secret: string | null, ...options: string[]) =>
        runCommand([command, file, ...options], {
          TICKMARK_DATABASE_URL: target,
          ...(secret !== null && { TICKMARK_SECRET: secret }),
        });
      const refused = await run(other);
      expect(refused).toMatchObject({ status: 2, stdout: "", lines: 1 });
      expect(refused.stderr).toContain(
        `TICKMARK_SECRET is not the secret of this database: ${sealedPerAccount} of its ${sealedPerAccount} sealed values would be lost`,
      );
      expect(refused.stderr).toContain("Nothing was restored.");
      expect(existsSync(path)).toBe(false);
      const { status, stdout } = await run(own);
      expect([status, stdout.includes("The secret was not checked")]).toEqual([0, false]);
    }
    const options = ["import", exported];
    const unset = await runCommand(options, { TICKMARK_DATABASE_URL: await databases.emptyUrl() });
    expect([unset.status, unset.stdout.includes("The secret was not checked")]).toEqual([0, true]);
    const accepted = { TICKMARK_DATABASE_URL: await databases.emptyUrl(), TICKMARK_SECRET: other };
    expect(await runCommand([...options, "--accept-new-secret"], accepted)).toMatchObject({ status: 0 });
    expect(await runCommand(["serve"], { ...accepted, TICKMARK_PORT: "0" })).toMatchObject({ status: 2 });
  });
}, sharedKinds);
