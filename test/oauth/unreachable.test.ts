import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type Json, type TestService } from "../support/service.ts";
import { visitor } from "../support/visitor.ts";
import { callTool, program, programOf } from "./program.ts";

const lines: Json[] = [];
const lookedUp: string[] = [];
let service: TestService;
let offline: TestService;

const start = (settings: Readonly<Record<string, string>>): Promise<TestService> =>
  startTestService({
    settings,
    logTo: (line) => void lines.push(JSON.parse(line) as Json),
    reach: {
      resolve: async (name) => {
        lookedUp.push(name);
        throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
      },
      isAllowed: () => true,
    },
  });

beforeAll(async () => {
  service = await start({});
  offline = await start({ TICKMARK_CLIENT_DOCUMENTS: "off" });
});
afterAll(async () => {
  expect([...service.defects, ...offline.defects]).toEqual([]);
  await service.close();
  await offline.close();
});

const address = "https://claude.example/oauth/client.json";

const metadata = async (on: TestService): Promise<Json> =>
  (await on.request("GET", "/.well-known/oauth-authorization-server")).json;

/** Where a browser is led that a program sends to sign in. */
async function ledTo(on: TestService): Promise<{ location: string; page: string }> {
  const query = new URLSearchParams({ client_id: address, redirect_uri: "http://127.0.0.1:1/cb" });
  const answer = await on.request("GET", `/oauth/authorize?${query}`, { headers: { accept: "text/html" } });
  const location = answer.headers.location ?? "";
  return { location, page: (await visitor(on).get(location)).text };
}

it("[OUR-OAU-29] a document that cannot be fetched is a warning in the log and is said on the page", async () => {
  const { location, page } = await ledTo(service);
  expect(location).toBe("/oauth/refused?error=document_unreachable");
  expect(page).toContain("this service could not fetch it");
  expect(page).toContain("TICKMARK_CLIENT_DOCUMENTS=off");
  const warnings = lines.filter(({ level }) => level === 40);
  expect(warnings).toMatchObject([{ host: "claude.example", reason: "ENOTFOUND" }]);
  expect(lookedUp).toEqual(["claude.example"]);
});

it("[OUR-OAU-29] with documents switched off nothing is fetched, and programs register by themselves", async () => {
  expect(await metadata(service)).toMatchObject({ client_id_metadata_document_supported: true });
  const before = lookedUp.length;
  const said = await metadata(offline);
  expect(said["client_id_metadata_document_supported"]).toBe(false);
  expect(said["registration_endpoint"]).toBe(`${offline.app.baseUrl}/oauth/register`);
  expect((await ledTo(offline)).location).toBe("/oauth/refused?error=invalid_client");
  const account = await offline.account();
  const { answer } = await programOf(offline, account, address, "http://127.0.0.1:1/cb").authorize();
  expect(answer.status).toBe(400);
  expect(lookedUp).toHaveLength(before);
  const { access } = await (await program(offline, account)).connect();
  expect((await callTool(offline, access)).status).toBe(200);
});
