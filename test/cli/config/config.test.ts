import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { withoutPasswords } from "../../../src/cli/config/without-passwords.ts";
import { serviceSettings, unknownSettings } from "../../../src/app/config/known-settings.ts";
import { runCommand } from "../../support/command-line.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Shown {
  readonly name: string;
  readonly value: unknown;
  readonly from: string;
  readonly file: string | null;
}

const shown = async (settings: Record<string, string>, ...options: string[]): Promise<Map<string, Shown>> => {
  const { stdout } = await runCommand(["config", "--json", ...options], settings);
  const { settings: list } = JSON.parse(stdout) as { settings: Shown[] };
  return new Map(list.map((each) => [each.name, each]));
};

describe("tickmark config", () => {
  const database = { TICKMARK_DATABASE_URL: `sqlite:${join(folder, "none.db")}` };

  it("[OUR-CFG-06] shows every setting in effect with its origin, and makes neither a database nor a secret", async () => {
    const file = join(folder, "tickmark.env");
    writeFileSync(file, "# of the unit\nTICKMARK_LOG_LEVEL=warn\nTICKMARK_PORT='9000'\n");
    const found = await shown(
      { ...database, TICKMARK_PORT: "8081", TICKMARK_MODERATION: "off" },
      "--file",
      file,
    );
    expect([...found.keys()].toSorted()).toEqual([...serviceSettings].toSorted());
    const of = (name: string) => [found.get(name)?.value, found.get(name)?.from, found.get(name)?.file];
    expect(of("TICKMARK_HOST")).toEqual(["127.0.0.1", "default", null]);
    expect(of("TICKMARK_MODERATION")).toEqual(["off", "environment", null]);
    expect(of("TICKMARK_PORT")).toEqual([9000, "file", file]);
    expect(of("TICKMARK_LOG_LEVEL")).toEqual(["warn", "file", file]);
    expect(of("TICKMARK_SECRET")).toEqual([null, "file", join(folder, "none.db.secret")]);
    expect(readdirSync(folder)).toEqual(["tickmark.env"]);
  });

  it("[OUR-CFG-06] prints no secret, as a table and as JSON", async () => {
    const secrets = ["database-password", "mail-password", "metrics-token-0123", "0123456789abcdef-secret"];
    const settings = {
      TICKMARK_DATABASE_URL: `postgres://me:${secrets[0]}@127.0.0.1:1/x?sslpassword=${secrets[0]}`,
      TICKMARK_DATABASE_READ_URL: `postgres://me:${secrets[0]}@127.0.0.1:2/x`,
      TICKMARK_SMTP_URL: `smtps://me:${secrets[1]}@mail.example`,
      TICKMARK_METRICS_TOKEN: secrets[2] ?? "",
      TICKMARK_SECRET: `${secrets[3]},${secrets[3]}-old`,
    };
    for (const options of [[], ["--json"]]) {
      const { stdout, stderr, status } = await runCommand(["config", ...options], settings);
      expect([status, stderr]).toEqual([0, ""]);
      for (const secret of secrets) expect(stdout).not.toContain(secret);
      expect(stdout).toContain("postgres://me:***@127.0.0.1:1/x");
    }
  });

  it.each([
    ["postgres://u:p@h/d", "postgres://u:***@h/d"],
    ["postgres://u:p/w@h/d", "postgres://***"],
    ["postgres://u:12/w@h/d", "postgres://***"],
    ["postgres://u:a#b@h/d", "postgres://***"],
    ["postgres:///d?user=u&password=p", "postgres:///d?user=u&password=***"],
    ["smtps://u@mail.example", "smtps://u@mail.example"],
    ["sqlite:./data/a@b.db", "sqlite:./data/a@b.db"],
  ])("[OUR-CFG-06] shows %s as %s", (address, without) => {
    expect(withoutPasswords(address)).toBe(without);
  });

  it("[OUR-CFG-04] refuses a setting that no command knows, and names the nearest one", async () => {
    for (const [name, nearest] of [
      ["TICKMARK_PROT", "TICKMARK_PORT"],
      ["TICKMARK_DB_URL", "TICKMARK_DATABASE_URL"],
      ["TICKMARK_LOGLEVEL", "TICKMARK_LOG_LEVEL"],
      ["TICKMARK_SMTP", "TICKMARK_SMTP_URL"],
      ["TICKMARK_PROXY", "TICKMARK_TRUST_PROXY"],
      ["TICKMARK_SETUP_CODE", "TICKMARK_SETUP_CODE_FILE"],
      ["tickmark_port", "TICKMARK_PORT"],
      ["TICKMARK_SECRETS", "TICKMARK_SECRET"],
      ["TICKMARK_DRAIN_SECOND", "TICKMARK_DRAIN_SECONDS"],
    ] as const) {
      expect(unknownSettings({ [name]: "1" })).toEqual([{ name, nearest }]);
    }
    for (const args of [["config"], ["migrate", "--dry-run"], ["mcp"], ["runner", "run"], ["agent", "check"]])
      expect(await runCommand(args, { ...database, TICKMARK_PROT: "1" }), args.join(" ")).toMatchObject({
        status: 2,
        stdout: "",
        stderr: "TICKMARK_PROT is no setting of Tickmark. Did you mean TICKMARK_PORT? Rename or remove it.\n",
      });
    const far = await runCommand(["config"], { ...database, TICKMARK_COLOUR: "red" });
    expect(far).toMatchObject({
      status: 2,
      stderr:
        "TICKMARK_COLOUR is no setting of Tickmark. Remove it, or use one that tickmark config lists.\n",
    });
  });

  it("[OUR-CFG-04] takes the names of other commands, of the tests, and what Kubernetes sets for a service", async () => {
    for (const name of [
      "TICKMARK_URL",
      "TICKMARK_RUNNER_KEY",
      "TICKMARK_JOB_NONCE",
      "TICKMARK_DOMAIN",
      "TICKMARK_TEST_CHROMIUM",
      "TICKMARK_SERVICE_HOST",
      "TICKMARK_SERVICE_PORT_HTTP",
      "TICKMARK_METRICS_SERVICE_PORT",
      "TICKMARK_PORT_8080_TCP",
      "TICKMARK_PORT_8080_TCP_ADDR",
    ])
      expect(await runCommand(["config"], { ...database, [name]: "http://a" }), name).toMatchObject({
        status: 0,
      });
    const linked = await runCommand(["config"], { ...database, TICKMARK_PORT: "tcp://10.0.0.1:80" });
    expect(linked.stderr).toMatch(/^TICKMARK_PORT takes a port .*Kubernetes.*enableServiceLinks/);
    expect(existsSync(join(folder, "none.db"))).toBe(false);
  });
});
