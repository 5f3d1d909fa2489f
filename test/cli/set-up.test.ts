import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createInterface } from "node:readline";
import { afterAll, expect, it } from "vitest";
import { hasProgram, runProgram } from "../support/programs.ts";
import { startServiceProcess, until } from "../support/service-process.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-set-up-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly line: { base_url: string; set_up?: { url: string; code: string } };
  readonly stderr: string;
  /** The page on which the code is entered; empty when there is an account. */
  readonly page: string;
}

/** What `serve --json` says at its start and of a request. */
async function start(env: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, ["dist/main.js", "serve", "--json"], {
    env: { PATH: process.env["PATH"] ?? "", TICKMARK_PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors = text(child.stderr);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { base_url } = JSON.parse(String(line)) as Started["line"];
  const asked = await fetch(`${base_url}/set-up`, { headers: { "x-request-id": "of-the-client" } });
  const page = await asked.text();
  child.kill("SIGTERM");
  await once(child, "exit");
  return { line: JSON.parse(String(line)) as Started["line"], stderr: await errors, page };
}

const codeForm = /(?:[A-Z2-9]{5}-){3}[A-Z2-9]{5}/;
const env = { TICKMARK_DATABASE_URL: `sqlite:${join(folder, "fresh.db")}` };
const file = join(folder, "code");

it("[OUR-SES-02] [OUR-LOG-03] every start has the same code, in the file or on request, and never in the log", async () => {
  const logged = await start(env);
  const code = logged.line.set_up?.code ?? "none";
  expect(code).toMatch(new RegExp(`^${codeForm.source}$`));
  expect(logged.line.set_up?.url).toBe(`${logged.line.base_url}/set-up`);
  expect(logged.stderr).toMatch(/^No account yet\. .*account create --admin.* TICKMARK_SETUP_CODE_FILE/m);
  expect(logged.stderr).not.toContain(code);
  expect(logged.page).toContain("Set-up code");
  expect(logged.page).not.toContain(code);

  const kept = await start({ ...env, TICKMARK_SETUP_CODE_FILE: file, TICKMARK_LOG_FORMAT: "text" });
  expect(kept.line.set_up?.code).toBe(code);
  expect(readFileSync(file, "utf8")).toBe(`${code}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(kept.stderr).toContain(`enter the set-up code in ${file}.`);
  expect(kept.stderr).not.toContain(code);
  const lines = kept.stderr.split("\n").filter((line) => line.startsWith("["));
  expect(lines.length).toBeGreaterThan(2);
  expect(kept.stderr).not.toContain('{"level"');
  expect(lines.find((line) => line.includes("request"))).toMatch(
    /^\[\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}\] INFO: request \{"method":"GET","route":"\/set-up","status":200,"ms":[\d.]+,"request_id":"\w+-\w+","token":null,"client_request_id":"of-the-client"\}$/,
  );
});

it("[OUR-SES-02] [OUR-CLI-31] the code's file goes with the first account, also one that another process makes", async () => {
  expect(existsSync(file)).toBe(true);
  const service = await startServiceProcess({ ...env, TICKMARK_SETUP_CODE_FILE: file });
  const account = ["account", "create", "--admin", "--email", "me@tests.example"];
  const made = spawnSync(process.execPath, ["dist/main.js", ...account], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  expect(made.status).toBe(0);
  await until("the file is gone", () => !existsSync(file));
  await service.stop();
  writeFileSync(file, "another text");
  await start({ ...env, TICKMARK_SETUP_CODE_FILE: file });
  expect(readFileSync(file, "utf8")).toBe("another text");
});

it.skipIf(!hasProgram("script", "-qefc", "true", "/dev/null"))(
  "[OUR-SES-02] a terminal shows the code once",
  async () => {
    const main = join(process.cwd(), "dist/main.js");
    const started = runProgram("script", ["-qefc", `${process.execPath} ${main}`, "/dev/null"], {
      TICKMARK_DATABASE_URL: `sqlite:${join(folder, "terminal.db")}`,
      TICKMARK_PORT: "0",
    });
    await until("the words are there", () => started.printed().includes("No account yet"));
    await started.stop();
    expect(started.printed().match(new RegExp(codeForm, "g"))).toHaveLength(1);
  },
);
