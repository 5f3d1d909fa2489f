import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Queue } from "../../src/agent/send/queue.ts";
import { AgentState } from "../../src/agent/state/state.ts";
import { unitText } from "../../src/agent/state/unit.ts";
import { runBuilt, runCommand, type EndedCommand } from "../support/command-line.ts";
import type { Json } from "../support/payload.ts";
import { roomyPlans, startTestService, type LinkedServer, type TestService } from "../support/service.ts";
import { modulesIn } from "../support/loaded-modules.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-agent-cli-"));
const main = join(import.meta.dirname, "../../dist/main.js");
const state = new AgentState(join(folder, "state"));
const directory = join(folder, "game");
let service: TestService;
let server: LinkedServer;
let token: string;
let url: string;

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  url = `http://127.0.0.1:${service.port}`;
  const owner = await service.account("pro");
  token = await service.token(owner);
  server = await service.server(owner);
  await state.prepare();
  mkdirSync(directory);
  writeFileSync(join(directory, "server.properties"), "server-port=1\nserver-ip=127.0.0.1\n");
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const agent = (...args: string[]): Promise<EndedCommand> => runCommand(["agent", ...args], { HOME: folder });

const lines = (text: string): number => text.split("\n").filter((line) => line !== "").length;
const keepLink = (auth_token = server.credential): Promise<void> =>
  state.keepLink({ url, server_id: server.id, auth_token, server: { directory } });
const status = async (): Promise<Json> =>
  (await service.request("GET", `/api/v1/servers/${server.id}/status`, { token })).json;

it("[OUR-AGT-14] what needs a link and finds none says so in one line, status 2", async () => {
  for (const command of ["run", "unit", "pause", "resume", "collect"]) {
    const refused = await agent(command, "--state", join(folder, "none"));
    expect({ command, status: refused.status }).toEqual({ command, status: 2 });
    expect(refused.stderr).toContain("tickmark agent link");
    expect(lines(refused.stderr)).toBe(1);
  }
  expect((await agent("link", "--url", "nowhere", "--directory", directory)).status).toBe(2);
  expect((await agent("run", "--every", "90")).status).toBe(2);
  const lost = await agent("check", "--directory", join(folder, "nowhere"));
  expect(lost).toMatchObject({ status: 1, stdout: "" });
  expect(lines(lost.stderr)).toBe(1);
});

it("[OUR-AGT-06] a server that is linked already stays so; one whose service is silent is not linked anew", async () => {
  await keepLink();
  const again = await agent(
    "link",
    "--json",
    "--url",
    `${url}/`,
    "--directory",
    directory,
    "--state",
    state.folder,
  );
  expect(again.status).toBe(0);
  expect(JSON.parse(again.stdout)).toEqual({ linked: true, server_id: server.id, state: state.folder });
  const dead = "http://127.0.0.1:1";
  await state.keepLink({ url: dead, server_id: server.id, auth_token: "x", server: { directory } });
  const silent = await agent("link", "--url", dead, "--directory", directory, "--state", state.folder);
  expect(silent.status).toBe(1);
  expect(silent.stderr).toContain("does not answer");
  const nobody = await agent(
    "link",
    "--url",
    dead,
    "--directory",
    directory,
    "--state",
    `${state.folder}-new`,
  );
  expect(nobody.status).toBe(1);
  expect(nobody.stderr).toMatch(/^http:\/\/127\.0\.0\.1:1 does not answer \(.*\)\. .* --url\.\n$/);
});

it("[OUR-AGT-06] a code that expired gives its place to another, and that is said", async () => {
  let claims = 0;
  const expiring = createServer((request, response) => {
    const claim = request.url?.endsWith("/claim");
    if (claim) claims += 1;
    const body = claim
      ? { status: "linked", server_id: server.id, auth_token: server.credential }
      : {
          code: `CODE000${claims}`,
          claim_secret: "tkc_x",
          expires_at: new Date(Date.now() + 900_000).toISOString(),
          poll_after_seconds: 0,
        };
    response.writeHead(claim && claims === 1 ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(expiring, "listening");
  const { port } = expiring.address() as { port: number };
  const fresh = join(folder, "expiring");
  const linked = await agent(
    "link",
    "--url",
    `http://127.0.0.1:${port}`,
    "--directory",
    directory,
    "--state",
    fresh,
  );
  expiring.close();
  expect(linked.status).toBe(0);
  expect(linked.stdout).toMatch(/Code: CODE0000[\s\S]+expired[\s\S]+Code: CODE0001[\s\S]+Linked\./);
  expect(statSync(join(fresh, "link.json")).mode & 0o777).toBe(0o600);
});

it("[OUR-AGT-15] check tells what can be read and what cannot, and ends with 1 where no server is to be seen", async () => {
  await keepLink();
  const checked = await agent("check", "--json", "--state", state.folder);
  expect(checked.status).toBe(1);
  const { alive, findings } = JSON.parse(checked.stdout) as { alive: boolean; findings: Json[] };
  expect(alive).toBe(false);
  const able = Object.fromEntries(findings.map((finding) => [finding["about"], finding["able"]]));
  expect(able).toMatchObject({ server: false, RCON: false, service: true });
  for (const { says } of findings) expect(says).toMatch(/^[^\n]{10,400}$/);
  const words = (await agent("check", "--state", state.folder)).stdout;
  expect(lines(words)).toBe(findings.length);
  expect(words).toContain("enable-rcon=true");
});

it("[OUR-AGT-09] pause is announced where no agent runs, and resume ends it", async () => {
  await keepLink();
  const paused = await agent("pause", "--json", "--state", state.folder);
  expect(JSON.parse(paused.stdout)).toMatchObject({ paused: true, announced: true });
  expect(await status()).toMatchObject({ state: "paused" });
  const resumed = await agent("resume", "--state", state.folder);
  expect(resumed).toMatchObject({ status: 0, stderr: "" });
  expect(await state.isPaused()).toBe(false);
});

it("[OUR-AGT-07] run ends with status 1 and says what to do when its credential is taken no more", async () => {
  const { credential } = server;
  await keepLink(credential.slice(0, -1) + (credential.endsWith("x") ? "y" : "x"));
  writeFileSync(join(directory, "server.properties"), `server-port=${service.port}\nserver-ip=127.0.0.1\n`);
  // Something waits from before, so that it has something to send.
  const queue = await Queue.open(state.queueFolder);
  await queue.append({ at: Date.now(), sample: { sampled_at: new Date().toISOString() } });
  await queue.close();
  const ended = await agent("run", "--every", "0.2", "--state", state.folder);
  expect(ended).toMatchObject({ status: 1 });
  expect(ended.stderr).toContain("tickmark agent link");
});

it("the agent loads no database, no web server and no client of more than it speaks", async () => {
  const coverage = join(folder, "loaded");
  const loaded = spawnSync(process.execPath, [main, "agent", "run", "--state", join(folder, "none")], {
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, NODE_V8_COVERAGE: coverage },
  });
  expect(loaded.status).toBe(2);
  const urls = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), "utf8")) as {
      result: { url: string }[];
    };
    return result.flatMap(({ url }) => modulesIn(url));
  });
  expect(urls.filter((url) => url.endsWith("/src/agent/monitor.ts"))).toHaveLength(1);
  const heavy = /node_modules\/(better-sqlite3|kysely|pg|fastify|undici|pino|preact)\//;
  expect([...new Set(urls.flatMap((url) => heavy.exec(url)?.[1] ?? []))]).toEqual([]);
});

it("[OUR-AGT-16] the printed unit is one systemd takes, runs as the folder's user, and writes nowhere else", async () => {
  await keepLink();
  const printed = runBuilt(["agent", "unit", "--state", state.folder], { HOME: folder });
  expect(printed).toMatchObject({ status: 0, stderr: "" });
  expect(printed.stdout).toContain(`"--state" "${state.folder}"`);
  expect(printed.stdout).toMatch(/^User=\w+$/m);
  expect(printed.stdout).toContain(`ReadWritePaths="${state.folder}" /tmp\n`);
  const odd = unitText({
    command: [process.execPath, "--version", 'a "b" 100% $HOME'],
    stateFolder: "/var/lib/tick mark",
    directory: "/srv/50%",
    user: "root",
  });
  // Quoted: in this setting systemd reads \x20 as the letters x20, and refuses to start for want of that folder.
  expect(odd).toContain('ReadWritePaths="/var/lib/tick mark" /tmp\n');
  if (spawnSync("systemd-analyze", ["--version"]).status !== 0)
    return console.warn("*** SKIPPED: no systemd-analyze on this machine: the unit is not checked ***");
  for (const [name, text] of [
    ["tickmark-agent", printed.stdout],
    ["tickmark-odd", odd],
  ] as const) {
    const path = join(folder, `${name}.service`);
    writeFileSync(path, text);
    const verified = spawnSync("systemd-analyze", ["verify", "--man=no", path], { encoding: "utf8" });
    const own = verified.stderr.split("\n").filter((line) => line.includes(name));
    expect(own).toEqual([]);
  }
});
