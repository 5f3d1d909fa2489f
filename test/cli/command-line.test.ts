import { openDatabase } from "../../src/store/engine/open-database.ts";
import { consumeWindows, selectWindowStates } from "../../src/store/access/rate-windows.ts";
import { selectServiceLog } from "../../src/store/service-log/service-log.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemSecrets } from "../../src/app/access/secrets.ts";
import type { WindowRule } from "../../src/core/access/rate-window.ts";
import { attemptsAllowed } from "../../src/core/access/sign-in.ts";
import { runBuilt, runCommand } from "../support/command-line.ts";
import { makeFleet } from "../support/fleet.ts";
import { offerLine } from "../support/offer.ts";
import type { Json } from "../support/payload.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settings = { TICKMARK_DATABASE_URL: `sqlite:${join(folder, "cli.db")}` };
const tickmark = (args: readonly string[], env: Record<string, string> = {}) =>
  runCommand(args, { ...settings, ...env });

const json = (text: string): Json => JSON.parse(text) as Json;

// Commands take a database that the service, or `migrate`, made.
beforeAll(async () => {
  for (const name of ["cli", "logged"])
    await (await openDatabase(`sqlite:${join(folder, `${name}.db`)}`, () => {})).close();
});

it("[OUR-CLI-01] makes the first account with a password that is shown once, and lists it without", async () => {
  const made = runBuilt(["account", "create", "--admin", "--email", "You@Example.org", "--json"], settings);
  expect(made.status).toBe(0);
  expect(json(made.stdout)).toMatchObject({
    email: "you@example.org",
    role: "admin",
    plan: "enterprise",
    email_verified: true,
  });
  expect(String(json(made.stdout)["password"])).toHaveLength(22);
  const listed = await tickmark(["account", "list", "--json"]);
  expect(listed.stdout).toContain("you@example.org");
  expect(listed.stdout).not.toContain("password");
});

it("[OUR-CLI-02] changes plan, role, address and password of an account, and says what it is now", async () => {
  await tickmark(["account", "create", "--email", "b@example.org", "--json"]);
  expect(
    json((await tickmark(["account", "set-plan", "b@example.org", "hosting", "--json"])).stdout),
  ).toMatchObject({
    plan: "hosting",
  });
  expect(
    json((await tickmark(["account", "set-role", "b@example.org", "suspended", "--json"])).stdout),
  ).toMatchObject({ role: "suspended" });
  expect(json((await tickmark(["account", "verify-email", "b@example.org", "--json"])).stdout)).toMatchObject(
    {
      email_verified: true,
    },
  );
  expect(
    json((await tickmark(["account", "reset-password", "b@example.org", "--json"])).stdout)["password"],
  ).toBeDefined();
});

it("[OUR-SES-22] a password that it gives is good at once: the attempts of the account count anew", async () => {
  await tickmark(["account", "create", "--email", "Tried@example.org", "--json"]);
  const database = await openDatabase(`sqlite:${join(folder, "cli.db")}`, () => {});
  const db = database;
  const rule = (email: string): WindowRule => ({
    kind: "account_password",
    key: systemSecrets().digest(email),
    ...attemptsAllowed.account,
  });
  const [mine, other] = [rule("tried@example.org"), rule("other@example.org")];
  for (const each of [mine, other])
    for (let index = 0; index < 11; index += 1) await consumeWindows(db, [each], Date.now());
  await tickmark(["account", "reset-password", "TRIED@example.org", "--json"]);
  const used = (await db.read(selectWindowStates, [mine, other], Date.now())).map((state) => state.used);
  await database.close();
  expect(used).toEqual([0, 10]);
});

it("[OUR-ADM-13] [OUR-ADM-16] what commands changed stands in the service's log, done by the command line, and no secret does", async () => {
  const email = "logged@example.org";
  const env = { TICKMARK_DATABASE_URL: `sqlite:${join(folder, "logged.db")}` };
  const run = async (...args: string[]): Promise<Json> =>
    json((await tickmark([...args, "--json"], env)).stdout);
  const secrets = [(await run("account", "create", "--email", email))["password"]];
  await run("account", "set-plan", email, "hosting");
  await run("account", "set-plan", email, "hosting");
  await run("account", "set-role", email, "admin");
  await run("account", "verify-email", email);
  secrets.push((await run("account", "reset-password", email))["password"]);
  const runner = await run("runner", "create", "--name", "rack");
  secrets.push(runner["key"]);
  await run("runner", "revoke", String(runner["id"]));
  writeFileSync(join(folder, "logged.ndjson"), JSON.stringify(offerLine("logged", {})));
  for (const _ of [1, 2]) await run("offer", "import", join(folder, "logged.ndjson"));
  const database = await openDatabase(env.TICKMARK_DATABASE_URL, () => {});
  const entries = await database.read(selectServiceLog, null, 100);
  await database.close();
  expect(entries.toReversed().map(({ kind, about }) => [kind, about?.email ?? null])).toEqual([
    ["account_created", email],
    ["plan_changed", email],
    ["role_changed", email],
    ["email_verified", email],
    ["password_reset", email],
    ["runner_created", null],
    ["runner_revoked", null],
    ["offer_created", null],
  ]);
  for (const { by, words } of entries) {
    expect(by).toEqual({ who: "command_line", account: null });
    for (const secret of [...secrets, email, "rack"]) expect(words).not.toContain(String(secret));
  }
});

it("[OUR-CLI-13] [OUR-CLI-14] ends tokens, disables, enables and deletes accounts, but not the last admin", async () => {
  const env = { TICKMARK_DATABASE_URL: `sqlite:${join(folder, "ended.db")}` };
  const run = (...args: string[]) => tickmark([...args, "--json"], env);
  const { token } = await makeFleet(env.TICKMARK_DATABASE_URL, 1, "pro");
  const [owner] = json((await run("account", "list")).stdout) as unknown as Json[];
  const email = String(owner?.["email"]);
  const listed = await run("token", "list", email);
  expect(listed.stdout).not.toContain(token);
  const [mine] = json(listed.stdout) as unknown as Json[];
  expect(mine).toMatchObject({ name: "tests", kind: "token", client: null });
  expect((await run("token", "revoke", email, "nothing")).status).toBe(1);
  expect(json((await run("token", "revoke", email, String(mine?.["id"]))).stdout)).toMatchObject({
    revoked: true,
  });
  expect(json((await run("token", "list", email)).stdout)).toEqual([]);
  expect(json((await run("account", "disable", email)).stdout)).toMatchObject({ role: "suspended" });
  expect(json((await run("account", "enable", email)).stdout)).toMatchObject({ role: "user" });
  expect(await run("account", "delete", email)).toMatchObject({ status: 2, stdout: "", lines: 1 });
  expect(json((await run("account", "delete", email, "--yes")).stdout)).toEqual({ email, deleted: true });
  expect(json((await run("account", "list")).stdout)).toEqual([]);
  await run("account", "create", "--admin", "--email", "last@example.org");
  for (const args of [["disable"], ["delete", "--yes"]]) {
    const refused = await run("account", args[0] ?? "", "last@example.org", ...args.slice(1));
    expect(refused).toMatchObject({ status: 1, lines: 1 });
    expect(refused.stderr).toContain("the last admin account");
  }
});

it("[OUR-ADM-03] demotes no last admin: it says what to do first", async () => {
  await tickmark(["account", "create", "--admin", "--email", "you@example.org", "--json"]);
  for (const role of ["user", "suspended"]) {
    const refused = await tickmark(["account", "set-role", "you@example.org", role]);
    expect(refused).toMatchObject({ status: 1, lines: 1 });
    expect(refused.stderr).toContain("account set-role ADDRESS admin");
  }
  await tickmark(["account", "create", "--email", "second@example.org", "--json"]);
  expect((await tickmark(["account", "set-role", "second@example.org", "admin"])).status).toBe(0);
  expect((await tickmark(["account", "set-role", "second@example.org", "user"])).status).toBe(0);
});

it.each([
  [["account", "create", "--email", "you@example.org"], 1],
  [["account", "create", "--email", "nobody"], 2],
  [["account", "set-plan", "you@example.org", "gold"], 2],
  [["account", "set-plan", "nobody@example.org", "pro"], 1],
  [["account", "create"], 2],
  [["nonsense"], 2],
  [["serve", "nonsense"], 2],
  [["mcp", "--toolsets", "flet"], 2],
  [["mcp", "--server", ""], 2],
])("[OUR-CLI-03] refuses %j with one line and exit status %i", async (args, status) => {
  const refused = await tickmark(args);
  expect(refused.status).toBe(status);
  expect(refused.stdout).toBe("");
  expect(refused.lines).toBe(1);
});

it("[OUR-CLI-03] the process of a refused command ends with its line and its status", () => {
  expect(runBuilt(["nonsense"])).toMatchObject({ status: 2, stdout: "", lines: 1 });
});

it("[OUR-CLI-03] [OUR-MCP-80] says which name is no tool's", async () => {
  for (const option of ["--tools", "--exclude"]) {
    const refused = await tickmark(["mcp", option, "list_servers,delete_server"]);
    expect(refused).toMatchObject({
      status: 2,
      stdout: "",
      stderr: "No tool has the name delete_server. Check the spelling.\n",
    });
  }
});

it("[OUR-CLI-03] [OUR-CFG-01] refuses a bad setting with one line and exit status 2", async () => {
  const refused = await tickmark(["migrate"], { TICKMARK_PORT: "http" });
  expect(refused).toMatchObject({
    status: 2,
    stdout: "",
    stderr: 'TICKMARK_PORT takes a port from 0 to 65535, not "http".\n',
  });
});

it("[OUR-CLI-04] explains every command", async () => {
  for (const args of [
    ["--help"],
    ["serve", "--help"],
    ["demo", "--help"],
    ["mcp", "--help"],
    ["migrate", "--help"],
    ["account", "--help"],
    ["account", "create", "--help"],
    ["offer", "import", "--help"],
    ["agent", "--help"],
    ["agent", "link", "--help"],
    ["agent", "run", "--help"],
  ]) {
    const helped = await tickmark(args);
    expect(helped.status, args.join(" ")).toBe(0);
    expect(helped.stdout).toContain("Usage: tickmark");
  }
});

it("[OUR-OFF-07] imports offers, tells how many, and refuses a file with a bad line whole", async () => {
  const write = (...lines: string[]): string => {
    writeFileSync(join(folder, "offers.ndjson"), lines.join("\n"));
    return join(folder, "offers.ndjson");
  };
  const line = (id: string, price: number): string =>
    JSON.stringify(offerLine(id, { price_eur_cents: price }));
  const imported = (file: string) => tickmark(["offer", "import", file, "--json"]);
  expect(json((await imported(write(line("a", 1), line("b", 2)))).stdout)).toEqual({
    offers: 2,
    created: 2,
    updated: 0,
    unchanged: 0,
  });
  const bad = await imported(write(line("c", 3), '{"id":'));
  expect(bad).toMatchObject({ status: 1, stdout: "", lines: 1 });
  expect(bad.stderr).toContain("line 2: is not JSON. Nothing was imported.");
  expect(json((await imported(write(line("a", 1), line("b", 3), line("c", 3)))).stdout)).toMatchObject({
    created: 1,
    updated: 1,
    unchanged: 1,
  });
  for (const refused of [await imported(join(folder, "none")), await imported(write(""))])
    expect(refused).toMatchObject({ status: 1, stdout: "", lines: 1 });
  expect(await tickmark(["offer", "import"])).toMatchObject({ status: 2, lines: 1 });
});

it("[OUR-CLI-01] has no command that makes a token", async () => {
  const { stdout } = await tickmark(["account", "--help"]);
  expect(stdout).toContain("Tokens are made in the browser");
  expect(stdout).not.toMatch(/create-token|mint/);
});
