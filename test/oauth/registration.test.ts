import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { hourMs, dayMs } from "../../src/core/time.ts";
import { isPublicAddress } from "../../src/outbound/public-address.ts";
import { certificate, tlsKey } from "../outbound/receiver.ts";
import { roomyPlans, startTestService, type Json, type TestService } from "../support/service.ts";
import { callTool, program, programOf, register } from "./program.ts";

const clock = { ahead: 0 };
const names = { resolve: "127.0.0.1" };
let service: TestService;
let account: Account;
const documents = {
  asked: [] as string[],
  answer: (_response: ServerResponse, _path: string): void => {},
};
const site = createServer({ cert: certificate, key: tlsKey }, (request, response) => {
  documents.asked.push(request.url ?? "");
  documents.answer(response, request.url ?? "");
});
let origin: string;

beforeAll(async () => {
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  origin = `https://hooks.test.example:${(site.address() as AddressInfo).port}`;
  service = await startTestService({
    plans: roomyPlans,
    trustProxy: "127.0.0.1",
    clock: () => Date.now() + clock.ahead,
    reach: {
      resolve: async () => [names.resolve],
      isAllowed: (address) => isPublicAddress(address) || address === "127.0.0.1",
      authority: certificate,
    },
  });
  account = await service.account();
});
afterEach(() => {
  clock.ahead += 2 * hourMs;
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
  site.closeAllConnections();
  site.close();
});

it("[OUR-OAU-10] a registration is taken as programs send it, without a secret", async () => {
  const said: [Json, Json][] = [
    [{ redirect_uris: ["https://program.example/cb"] }, { application_type: "web" }],
    [{ redirect_uris: ["cursor://anysphere.cursor/cb"] }, { application_type: "native" }],
    [
      { redirect_uris: ["http://localhost:1234/cb", "https://program.example/cb"], application_type: "web" },
      { application_type: "native" },
    ],
    [{ scope: "everything admin" }, {}],
    [{ token_endpoint_auth_method: "client_secret_basic" }, { token_endpoint_auth_method: "none" }],
    [
      { grant_types: ["authorization_code", "implicit", "refresh_token", "urn:x"] },
      { grant_types: ["authorization_code", "refresh_token"] },
    ],
    [{ grant_types: ["authorization_code"] }, { grant_types: ["authorization_code"] }],
    [{ response_types: ["code", "token"] }, { response_types: ["code"] }],
    [{ client_uri: "not an address", logo_uri: 7, contacts: "x", jwks_uri: "http://127.0.0.1/" }, {}],
  ];
  for (const [metadata, told] of said) {
    const { status, json } = await register(service, metadata);
    expect(status).toBe(201);
    expect(json).toMatchObject(told);
    expect(Object.keys(json).filter((name) => /secret|scope|jwks|token$/.test(name))).toEqual([]);
  }
});

it("[OUR-OAU-10] a registration without a usable redirect is refused", async () => {
  const unusable = [
    [],
    "http://127.0.0.1/",
    ["http://program.example/cb"],
    ["javascript:alert(1)"],
    ["data:text/html,x"],
    ["http://127.0.0.1/#x"],
    ["not an address"],
    [7],
    ["https://tickmark.example@program.example/cb"],
    ["https://user:password@program.example/cb"],
    ["https://@program.example/cb"],
    ["https:\\\\user@program.example/cb"],
    ["https://program.example\\@elsewhere.example/cb"],
    ["http://user@127.0.0.1/cb"],
    ["https://program.example/cb", "cursor://user@anysphere.cursor/cb"],
  ];
  for (const redirect_uris of unusable) {
    const { status, json } = await register(service, { redirect_uris });
    expect({ redirect_uris, status }).toEqual({ redirect_uris, status: 400 });
    expect(String(json["error"])).toMatch(/^invalid_(redirect_uri|client_metadata)$/);
  }
  for (const body of ["{", "[]", "", Buffer.alloc(40_000, 32)])
    expect((await service.request("POST", "/oauth/register", { body })).status).toBeGreaterThanOrEqual(400);
});

it("[OUR-OAU-11] one address registers 20 programs an hour", async () => {
  const from = (address: string) =>
    service.request("POST", "/oauth/register", {
      body: { redirect_uris: ["http://127.0.0.1/cb"] },
      headers: { "x-forwarded-for": address },
    });
  const statuses = [];
  for (let round = 0; round < 22; round += 1) statuses.push((await from("203.0.113.7")).status);
  expect(statuses).toEqual([...Array<number>(20).fill(201), 429, 429]);
  const { headers, json } = await from("203.0.113.7");
  expect(Number(headers["retry-after"])).toBeGreaterThan(3000);
  expect(json["error"]).toBe("rate_limited");
  expect((await from("203.0.113.8")).status).toBe(201);
  console.log("registrations past the limit of one address = 0");
});

it("[OUR-OAU-11] a program nobody consented to is forgotten after a day, another lasts as long as its tokens", async () => {
  const idle = await program(service, account);
  const used = await program(service, account);
  const { refresh } = await used.connect();
  clock.ahead += dayMs + 1;
  const { answer } = await idle.authorize();
  expect(answer.status).toBe(400);
  expect(answer.json["error"]).toBe("invalid_client");
  clock.ahead += 80 * dayMs;
  const { status, json } = await used.refresh(refresh);
  expect(status).toBe(200);
  clock.ahead += 80 * dayMs;
  expect((await used.refresh(String(json["refresh_token"]))).status).toBe(200);
});

const said = (path: string, changes: Json = {}): Json => ({
  client_id: `${origin}${path}`,
  client_name: "A program with a site",
  redirect_uris: ["http://127.0.0.1/callback", "https://program.example/cb"],
  token_endpoint_auth_method: "none",
  ...changes,
});
const answering = (body: unknown, status = 200, headers: Record<string, string> = {}): void => {
  documents.answer = (response) =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));
};

it("[OUR-OAU-12] a program is known by its document, and connects without a registration", async () => {
  documents.answer = (response, path) => void response.end(JSON.stringify(said(path)));
  const id = `${origin}/known.json`;
  const one = programOf(service, account, id, "http://127.0.0.1:5555/callback");
  const { visitor, location } = await one.authorize();
  const page = await visitor.get(location);
  expect(page.text).toContain("A program with a site");
  expect(page.text).toContain(new URL(origin).host);
  expect(page.text).not.toContain("chose its name itself");
  const { access, refresh } = await one.connect();
  expect((await callTool(service, access)).status).toBe(200);
  expect((await one.refresh(refresh)).status).toBe(200);
  // It is asked for once, and kept for a while.
  expect(documents.asked.filter((path) => path === "/known.json")).toHaveLength(1);
});

it("[OUR-OAU-12] a document that says something else, asks for a secret, or is none, makes no program", async () => {
  const bad: [string, () => void][] = [
    ["/other", () => answering(said("/elsewhere"))],
    ["/secret", () => answering(said("/secret", { client_secret: "x" }))],
    ["/basic", () => answering(said("/basic", { token_endpoint_auth_method: "client_secret_basic" }))],
    [
      "/key",
      () => answering(said("/key", { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [] } })),
    ],
    ["/plain", () => answering("<p>hello")],
    ["/list", () => answering("[]")],
    ["/missing", () => answering({}, 404)],
    ["/moved", () => answering(said("/moved"), 302, { location: `${origin}/known.json` })],
    ["/long", () => answering(said("/long", { client_name: "x".repeat(20_000) }))],
    ["/redirects", () => answering(said("/redirects", { redirect_uris: ["http://program.example/"] }))],
    [
      "/user",
      () =>
        answering(
          said("/user", { redirect_uris: ["http://127.0.0.1/callback", "https://u@program.example/"] }),
        ),
    ],
  ];
  for (const [path, answer] of bad) {
    answer();
    const one = programOf(service, account, `${origin}${path}`, "http://127.0.0.1:5555/callback");
    const { answer: refused } = await one.authorize();
    expect({ path, status: refused.status }).toEqual({ path, status: 400 });
    expect(refused.headers.location, path).toBeUndefined();
  }
});

it("[OUR-OAU-12] nothing is fetched from inside, over http, or from addresses that are no document's", async () => {
  const before = documents.asked.length;
  const port = new URL(origin).port;
  documents.answer = (response, path) => void response.end(JSON.stringify(said(path)));
  const inside = ["10.0.0.1", "169.254.169.254", "::1", "127.0.0.2", "0.0.0.0"];
  const tried: string[] = [];
  for (const address of inside) {
    names.resolve = address;
    tried.push(`https://hooks.test.example:${port}/${tried.length}`);
    tried.push(`https://${address.includes(":") ? `[${address}]` : address}:${port}/${tried.length}`);
  }
  names.resolve = "127.0.0.1";
  tried.push(
    `http://hooks.test.example:${port}/x`,
    `https://user@hooks.test.example:${port}/x`,
    `${origin}/../x`,
  );
  for (const id of tried.slice(0, 10)) {
    names.resolve = "10.0.0.1";
    const { answer } = await programOf(service, account, id, "http://127.0.0.1:5555/callback").authorize();
    expect(answer.status, id).toBe(400);
  }
  names.resolve = "127.0.0.1";
  for (const id of tried.slice(10)) {
    const { answer } = await programOf(service, account, id, "http://127.0.0.1:5555/callback").authorize();
    expect(answer.status, id).toBe(400);
  }
  console.log(
    `documents asked for inside: ${tried.length}; documents handed out = ${documents.asked.length - before}`,
  );
  expect(documents.asked.length).toBe(before);
});

it("[OUR-OAU-12] one address makes the service fetch 60 documents an hour", async () => {
  const before = documents.asked.length;
  answering({}, 404);
  for (let round = 0; round < 63; round += 1)
    await service.request("GET", `/oauth/authorize?client_id=${encodeURIComponent(`${origin}/n${round}`)}`);
  expect(documents.asked.length - before).toBe(60);
});
