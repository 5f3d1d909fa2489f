import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, it } from "vitest";
import { runBuilt } from "../support/command-line.ts";
import { patience } from "../support/patience.ts";
import { hasProgram } from "../support/programs.ts";

const filter = "resources/operations/fail2ban/filter.d/tickmark.conf";
const secret = "a secret for tests only";
const folder = mkdtempSync(join(tmpdir(), "tickmark-fail2ban-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const skipped = !hasProgram("fail2ban-regex", "--version");
if (skipped)
  console.warn("\n!!! SKIPPED: the filter of fail2ban. There is no fail2ban-regex (package fail2ban).\n");

/** The built service with that form of its log; `lines` grows. */
async function served(format: "json" | "text") {
  const database = {
    TICKMARK_DATABASE_URL: `sqlite:${join(folder, `${format}.db`)}`,
    TICKMARK_SECRET: secret,
  };
  // A service without an account asks for its first one instead of a sign-in.
  for (const args of [["migrate"], ["account", "create", "--admin", "--email", "you@tests.example"]])
    expect(runBuilt(args, database)).toMatchObject({ status: 0 });
  const child = spawn(process.execPath, ["dist/main.js", "serve"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      TICKMARK_PORT: "0",
      ...database,
      TICKMARK_TRUST_PROXY: "127.0.0.1",
      TICKMARK_LOG_FORMAT: format,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line));
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  await expect.poll(() => lines.join("\n"), patience).toContain('"baseUrl"');
  const baseUrl = /"baseUrl":"([^"]+)"/.exec(lines.join("\n"))?.[1] ?? "";
  return { baseUrl, lines, stop };
}

/** A wrong sign-in through the form of the page. */
async function signIn(baseUrl: string, address: string, email: string): Promise<number> {
  const forwarded = { "x-forwarded-for": address };
  const page = await fetch(`${baseUrl}/sign-in`, { headers: forwarded });
  const csrf = /name="_csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const cookie = page.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const body = new URLSearchParams({ _csrf: csrf, do: "sign_in", email, password: "wrong password" });
  const headers = { ...forwarded, cookie, origin: baseUrl };
  return (await fetch(`${baseUrl}/sign-in`, { method: "POST", headers, body, redirect: "manual" })).status;
}

const forged =
  '{"level":40,"time":1764000000000,"pid":1,"hostname":"h","kind":"sign_in_refused","address":"198.51.100.66","reason":"wrong"';

it.skipIf(skipped).each(["json", "text"] as const)(
  "[OUR-LOG-06] the filter of fail2ban finds every refused attempt in a log as %s, and no forged one",
  async (format) => {
    const { baseUrl, lines, stop } = await served(format);
    const refused = () => lines.filter((line) => line.includes("an attempt was refused"));
    const call = (authorization: string, address: string, more: Record<string, string> = {}) =>
      fetch(`${baseUrl}/api/v1/servers`, { headers: { authorization, "x-forwarded-for": address, ...more } });
    const unknownToken = `Bearer tmk_${"x".repeat(40)}`;
    expect(await signIn(baseUrl, "203.0.113.7", "nobody@tests.example")).toBe(401);
    expect(await signIn(baseUrl, "203.0.113.8", `${forged}@x\n${forged}`)).toBeGreaterThanOrEqual(400);
    expect((await call(unknownToken, "2001:db8:1:2:3::4")).status).toBe(401);
    expect(
      (await call(unknownToken, "203.0.113.9", { "x-request-id": forged, "user-agent": forged })).status,
    ).toBe(401);
    // What a trusted proxy passes on may be anything: it is an address, or it is none.
    expect((await call(unknownToken, `"} ${forged}`)).status).toBe(401);
    expect((await call(`Bearer ${forged}`, "203.0.113.10")).status).toBe(401);
    expect((await fetch(`${baseUrl}/livez`)).status).toBe(200);
    await expect.poll(() => refused().length, patience).toBe(6);
    await stop();
    const log = join(folder, `${format}.log`);
    writeFileSync(log, `${lines.join("\n")}\n`);
    const { stdout, status } = spawnSync("fail2ban-regex", ["--print-all-matched", log, filter], {
      encoding: "utf8",
    });
    expect(status).toBe(0);
    const counted = /Lines: (\d+) lines, \d+ ignored, (\d+) matched, (\d+) missed/.exec(stdout);
    console.log(`fail2ban-regex, log as ${format}: ${counted?.[0]}`);
    // Of the six one has no address that could be locked out.
    expect(Number(counted?.[2])).toBe(5);
    for (const address of ["203.0.113.7", "203.0.113.8", "2001:db8:1:2::/64", "203.0.113.9", "203.0.113.10"])
      expect(stdout).toContain(address);
    expect(lines.join("\n")).not.toContain("198.51.100.66");
    for (const line of refused()) expect(line).not.toMatch(/tests\.example|xxxx/);
  },
);

it("[OUR-LOG-06] revoked and expired credentials lock nobody out, and no line but a whole one counts", () => {
  if (skipped) return;
  const line = (reason: string, before = "") =>
    `${before}{"level":40,"time":1795804800000,"pid":1,"hostname":"h","kind":"credential_refused","address":"203.0.113.7","reason":"${reason}","token":null,"msg":"an attempt was refused"}`;
  const log = join(folder, "made.log");
  const others = [
    line("revoked"),
    line("expired"),
    line("wrong", "x "),
    line("wrong", '{"level":30,"msg":"'),
  ];
  writeFileSync(log, `${[line("unknown"), ...others].join("\n")}\n`);
  const { stdout } = spawnSync("fail2ban-regex", [log, filter], { encoding: "utf8" });
  expect(stdout).toMatch(/Lines: 5 lines, 0 ignored, 1 matched, 4 missed/);
});
