import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { read } from "../gates/sources.ts";
import { hasProgram } from "../support/programs.ts";
import { startTestService, type Json, type TestService } from "../support/service.ts";

const guide = read("resources/guides/plugin-api.md");
const blockOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? "";

let service: TestService;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tickmark-guide-"));
  service = await startTestService();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Runs a client to its end, links its server with the code it prints, and checks what arrived. */
async function usesTheApi(command: string, parameters: readonly string[], stateFile: string): Promise<void> {
  const owner = await service.account("pro");
  const token = await service.token(owner);
  const client = spawn(command, [...parameters, `http://127.0.0.1:${service.port}`, stateFile], {
    cwd: folder,
  });
  let errors = "";
  client.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const answers: Record<string, Json> = {};
  const ended = new Promise<number | null>((resolve) => client.on("close", resolve));
  for await (const line of createInterface({ input: client.stdout })) {
    const code = /^Type ([A-Z2-9]{8}) in the dashboard/.exec(line)?.[1];
    if (code !== undefined) {
      const linked = await service.request("POST", "/api/v1/servers/link", { token, body: { code } });
      expect(linked.status).toBe(201);
      client.stdin.write("\n");
    }
    const [, step, answer] = /^(\w+) (\{.*\})$/.exec(line) ?? [];
    if (step !== undefined && answer !== undefined) answers[step] = JSON.parse(answer) as Json;
  }
  expect([await ended, errors]).toEqual([0, ""]);
  expect(answers).toMatchObject({
    heartbeat: { accepted: true, heartbeat_seconds: 30 },
    samples: { accepted: true, stored: 2, duplicates: 0 },
    events: { accepted: true, stored: 1 },
    report: { url: expect.stringContaining("/reports/") },
    stopping: { accepted: true },
  });
  const get = async (path: string): Promise<Json> =>
    JSON.parse((await service.request("GET", `/api/v1${path}`, { token })).text) as Json;
  const servers = (await get("/servers"))["data"] as readonly Json[];
  expect(servers).toMatchObject([{ name: "Lobby", verified: true }]);
  const id = String(servers[0]?.["id"]);
  expect(await get(`/servers/${id}/events`)).toMatchObject({ data: [{ title: "A backup was made" }] });
  expect(await get(`/reports?mine=true`)).toMatchObject({ data: [{ id: answers["report"]?.["id"] }] });
  expect(await get(`/servers/${id}/status`)).toMatchObject({ state: "stopped" });
  // The file that holds the credential is its owner's alone.
  expect(statSync(join(folder, stateFile)).mode & 0o077).toBe(0);
}

it("[OUR-PLG-15] the guide's client in TypeScript compiles strictly, and does what the guide says", async () => {
  const file = join(folder, "client.ts");
  writeFileSync(file, blockOf("ts"));
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    typeRoots: [join(process.cwd(), "node_modules/@types")],
    types: ["node"],
  });
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  expect(problems).toEqual([]);
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  writeFileSync(
    join(folder, "client.mjs"),
    ts.transpileModule(blockOf("ts"), { compilerOptions: options }).outputText,
  );
  await usesTheApi(process.execPath, ["client.mjs"], "ts-state.json");
});

const hasJava = hasProgram("javac", "-version") && hasProgram("java", "-version");
if (!hasJava) console.log("*** SKIPPED: no JDK on this machine: the guide's client in Java is not run ***");

it.skipIf(!hasJava)("[OUR-PLG-15] the guide's client in Java does what the guide says", async () => {
  writeFileSync(join(folder, "Client.java"), blockOf("java"));
  await usesTheApi("java", ["Client.java"], "java-state.properties");
});
