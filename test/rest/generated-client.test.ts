import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  // Below the packages, so that what is generated finds the client library as any project does.
  mkdirSync("node_modules/.cache", { recursive: true });
  folder = mkdtempSync(join(process.cwd(), "node_modules/.cache/generated-client-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  expect(service.defects).toEqual([]);
  await service.close();
});

/** What an owner's program does: named types, a parameter in the path, a body, and both kinds of answer. */
const program = `
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Server = components["schemas"]["Server"];
type Status = components["schemas"]["ServerStatus"];
type Refusal = components["schemas"]["Error"];

const rename = (server: Server, status: Status): string =>
  server.name + " is " + status.state + (status.current?.tps == null ? "" : " at " + status.current.tps.toFixed(1));

export async function run(baseUrl: string, token: string): Promise<{ lines: string[]; refused: Refusal["error"][] }> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: "Bearer " + token } });
  const lines: string[] = [];
  const refused: Refusal["error"][] = [];
  const { data: page, error } = await client.GET("/servers", { params: { query: { limit: 5 } } });
  if (error) throw new Error(error.message);
  for (const server of page.data) {
    const params = { path: { id: server.id } };
    const { data: status } = await client.GET("/servers/{id}/status", { params });
    if (status) lines.push(rename(server, status));
    const { data: rule } = await client.POST("/servers/{id}/alert-rules", {
      params,
      body: { name: "Slow", metric: "tps", condition: "below", threshold: 18 },
    });
    if (rule) lines.push(rule.name + " " + rule.state);
    // @ts-expect-error A metric that no rule watches.
    const wrong = await client.POST("/servers/{id}/alert-rules", { params, body: { name: "x", metric: "heat" } });
    if (wrong.error) refused.push(wrong.error.error);
  }
  return { lines, refused };
}
`;

/** What the compiler says of the program with every strict option, its own output beside it. */
function compile(files: readonly string[]): string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: true,
  };
  const built = ts.createProgram(files, options);
  const emitted = built.emit();
  return [...ts.getPreEmitDiagnostics(built), ...emitted.diagnostics].map(({ messageText, file, start }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName ?? ""}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}

interface Run {
  run(baseUrl: string, token: string): Promise<{ lines: string[]; refused: string[] }>;
}

it("[OUR-HTTP-30] a client generated from the document compiles under every strict option, has named types and works", async () => {
  const { text } = await service.request("GET", "/api/v1/openapi.json");
  const types = astToString(await openapiTS(JSON.parse(text) as OpenAPI3));
  writeFileSync(join(folder, "schema.d.ts"), types);
  writeFileSync(join(folder, "program.ts"), program);
  expect(compile([join(folder, "program.ts"), join(folder, "schema.d.ts")])).toEqual([]);

  const owner = await service.account("pro");
  const server = await service.server(owner, { name: "Lobby", port: 25_565 });
  const { run } = (await import(pathToFileURL(join(folder, "program.js")).href)) as Run;
  const { lines, refused } = await run(`http://127.0.0.1:${service.port}/api/v1`, await service.token(owner));
  expect(server.id).not.toBe("");
  expect(lines).toEqual(["Lobby is never_seen", "Slow no_data"]);
  expect(refused).toEqual(["validation_error"]);
  console.log(`generated client: ${types.length} characters of types, document ${text.length} bytes`);
});
