import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { memoryPayload, profilePayload } from "../../support/captures.ts";
import { readHtml } from "../../support/html.ts";
import type { Json } from "../../support/payload.ts";
import { startTestService, type LinkedServer, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";

let service: TestService;
let owner: Account;
let server: LinkedServer;
let token: string;
let visitor: Visitor;
beforeAll(async () => {
  service = await startTestService();
  owner = await service.account("pro");
  server = await service.server(owner, { name: "Lobby" });
  token = await service.token(owner);
  visitor = await signedIn(service, owner);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const sent = async (path: string, body: unknown, credential = server.credential): Promise<Json> =>
  (await service.request("POST", `/plugin/v1${path}`, { token: credential, body })).json;
const page = (path: string): string => `/servers/${server.id}${path}`;
const api = async (path: string): Promise<Json> =>
  (await service.request("GET", `/api/v1${page(path)}`, { token })).json;
const textOf = async (path: string): Promise<string> => {
  const answer = await visitor.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return readHtml(answer.text).text.replaceAll(/\s+/g, " ");
};
const pct = (value: unknown): string => `${Number(value).toFixed(2)} %`;

/** Sends a file as the page's script does. */
async function uploadFile(path: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const shown = await visitor.get(path);
  const csrf = /data-token="([^"]*)"/.exec(shown.text)?.[1] ?? "";
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return service.request("POST", path, {
    body,
    headers: { cookie, "content-type": "application/octet-stream", "x-csrf-token": csrf, ...headers },
  });
}

it("[OUR-PPG-12] empty lists explain how to get the first entry, and state what the plan keeps", async () => {
  const profiles = await textOf(page("/profiles"));
  expect(profiles).toContain("No profile yet");
  expect(profiles).toContain("The plan keeps 20 full profiles of a server, for 30 days");
  const memory = await textOf(page("/memory-reports"));
  expect(memory).toContain("No memory report yet");
  expect(memory).toContain("The plan keeps the newest 10 memory reports");
});

describe("profiles", () => {
  it("[OUR-PPG-01] [OUR-PPG-06] show the API's numbers, the flame graph as a list", async () => {
    const { profile_id } = await sent("/profiles", profilePayload());
    const path = `/profiles/${String(profile_id)}`;
    const { detail } = await api(path);
    const { owners, methods } = detail as { owners: Json[]; methods: Json[] };
    const text = await textOf(page(path));
    for (const { owner: name, self_pct, total_pct } of owners)
      for (const part of [String(name), pct(self_pct), pct(total_pct)]) expect(text).toContain(part);
    for (const { method, self_pct } of methods)
      for (const part of [String(method), pct(self_pct)]) expect(text).toContain(part);
    const { text: html } = await visitor.get(page(path));
    const list = readHtml(/<ol class="flame-list"[^>]*>.*?<\/ol>/s.exec(html)?.[0] ?? "");
    expect(list.elements.filter((name) => name === "li").length).toBeGreaterThan(3);
    for (const { method, total_pct } of methods)
      if (Number(total_pct) >= 0.1) expect(list.text).toContain(String(method));
    expect(await textOf(page("/profiles"))).toContain(`Profiles`);
    const tree = (await visitor.get(`${page(path)}?data=tree`)).json;
    expect(tree["tick_samples"]).toBe((detail as { samples: Json }).samples["tick"]);
    for (const { method } of methods) expect(tree["methods"]).toContain(method);
  });

  it("[OUR-PPG-07] whose whole is gone show their summary", async () => {
    const free = await service.account("free");
    const small = await service.server(free, { name: "Small" });
    const first = await sent("/profiles", profilePayload(), small.credential);
    for (const _ of [1, 2]) await sent("/profiles", profilePayload(), small.credential);
    const own = await signedIn(service, free);
    const list = await own.get(`/servers/${small.id}/profiles`);
    expect(list.text).toContain(`/profiles/${String(first["summary_id"])}"`);
    const { status, text } = await own.get(`/servers/${small.id}/profiles/${String(first["summary_id"])}`);
    expect(status).toBe(200);
    expect(readHtml(text).text).toContain("Its summary is kept for a year");
    for (const gone of [String(first["profile_id"]), `${String(first["summary_id"])}?data=tree`])
      expect((await own.get(`/servers/${small.id}/profiles/${gone}`)).status).toBe(404);
  });

  it("[OUR-PPG-08] are compared as the API compares them", async () => {
    const one = await sent("/profiles", profilePayload());
    const other = await sent(
      "/profiles",
      profilePayload({ samples: { tick: 12, total: 12 }, nodes: [{ parent: -1, frame: 0, samples: 12 }] }),
    );
    const query = `base=${String(one["summary_id"])}`;
    const told = await api(`/profiles/compare?${query}&target=${String(other["summary_id"])}`);
    const text = await textOf(page(`/profiles/compare?${query}&other=${String(other["summary_id"])}`));
    const { level } = told["comparability"] as Json;
    expect([level, text]).toEqual(["caution", expect.stringContaining("Comparable with caution")]);
    expect(text).toContain("Fewer than 200 tick samples");
    for (const { owner: name, status } of told["owners"] as Json[])
      for (const part of [String(name), String(status)]) expect(text).toContain(part);
    const nothing = await textOf(page("/profiles/compare"));
    for (const part of ["Choose two below", "The other", "Compare two"]) expect(nothing).toContain(part);
    const gone = await visitor.get(page(`/profiles/compare?${query}&other=${server.id}`));
    expect(gone.status).toBe(404);
    expect(readHtml(gone.text).text).toContain("One of the two does not exist.");
  });
});

describe("memory reports", () => {
  it("[OUR-PPG-01] show the API's numbers, and suspects with what keeps them alive", async () => {
    const { id } = await sent("/memory-reports", memoryPayload());
    const { diagnosis } = await api(`/memory-reports/${String(id)}`);
    const { owners, suspects } = diagnosis as { owners: Json[]; suspects: Json[] };
    const text = await textOf(page(`/memory-reports/${String(id)}`));
    for (const { owner: name, pct: share } of owners)
      for (const part of [String(name), pct(share)]) expect(text).toContain(part);
    expect(suspects.length).toBeGreaterThan(0);
    for (const { class_name, pct: share, root_path } of suspects) {
      for (const part of [String(class_name), pct(share)]) expect(text).toContain(part);
      for (const node of root_path as Json[]) expect(text).toContain(String(node["class_name"]));
    }
  });

  it("[OUR-PPG-08] are compared as the API compares them", async () => {
    const one = await sent("/memory-reports", memoryPayload({ dump_id: null }));
    const other = await sent("/memory-reports", memoryPayload({ dump_id: null }));
    const [base, target] = [String(one["id"]), String(other["id"])];
    const told = await api(`/memory-reports/compare?base=${base}&target=${target}`);
    const text = await textOf(page(`/memory-reports/compare?base=${base}&other=${target}`));
    expect((told["comparability"] as Json)["level"]).toBe("comparable");
    for (const { owner: name, status } of told["owners"] as Json[])
      for (const part of [String(name), String(status)]) expect(text).toContain(part);
    const same = await visitor.get(page(`/memory-reports/compare?base=${base}&other=${base}`));
    expect([same.status, readHtml(same.text).text]).toEqual([
      400,
      expect.stringContaining("Both are the same. Choose another one."),
    ]);
    expect(same.text).toMatch(new RegExp(`<option value="${base}" selected`));
    expect(await textOf(page("/memory-reports/compare"))).toContain("Choose two below");
  });
});

it("[OUR-PPG-01] to everybody else these pages do not exist", async () => {
  const { profile_id, summary_id } = await sent("/profiles", profilePayload());
  const { id } = await sent("/memory-reports", memoryPayload());
  const paths = [
    "/profiles",
    `/profiles/${String(profile_id)}`,
    `/profiles/${String(profile_id)}?data=tree`,
    `/profiles/compare?base=${String(summary_id)}&other=${String(summary_id)}`,
    "/memory-reports",
    `/memory-reports/${String(id)}`,
  ].map(page);
  const strangers = [await service.account("pro"), await service.account("enterprise", "admin")];
  for (const stranger of strangers) {
    const other = await signedIn(service, stranger);
    for (const path of paths) expect([path, (await other.get(path)).status]).toEqual([path, 404]);
  }
});

it("[OUR-PPG-11] a requested capture is in the heartbeat's answer until it is uploaded", async () => {
  const collect = async (): Promise<unknown> =>
    (await sent("/heartbeat", { sent_at: new Date().toISOString(), plugin_version: "1.0.0" }))["collect"];
  expect(await collect()).toEqual([]);
  expect((await visitor.send(page("/profiles"), "collect")).status).toBe(303);
  expect((await visitor.send(page("/memory-reports"), "collect")).status).toBe(303);
  expect(await collect()).toEqual(["class_histogram", "profile"]);
  expect(await textOf(page("/profiles"))).toContain("Requested");
  const again = profilePayload();
  await sent("/profiles", again);
  expect(await collect()).toEqual(["class_histogram"]);
  await visitor.send(page("/profiles"), "collect");
  await sent("/profiles", again);
  expect(await collect()).toEqual(["class_histogram", "profile"]);
  await sent("/memory-reports", memoryPayload());
  expect(await collect()).toEqual(["class_histogram", "profile"]);
  const summary = { schema: "service-heap-summary/1", local_id: "asked", mode: "live", classes: [] };
  await sent("/memory-reports", summary);
  expect(await collect()).toEqual(["profile"]);
});

describe("when the plugin was last heard", () => {
  const heartbeat = { sent_at: new Date().toISOString(), plugin_version: "1.0.0" };

  it("[OUR-PPG-13] [OUR-LIV-06] is not known of a server that is not monitored, and the request is sent anyway", async () => {
    const free = await service.account("free");
    const quiet = await service.server(free, { name: "Quiet" });
    const own = await signedIn(service, free);
    const place = `/servers/${quiet.id}`;
    expect((await own.send(`${place}/profiles`, "collect")).status).toBe(303);
    expect(await sent("/heartbeat", heartbeat, quiet.credential)).toMatchObject({
      accepted: false,
      collect: ["profile"],
    });
    const texts = await Promise.all(
      ["/profiles", "/memory-reports", ""].map(
        async (path) => readHtml((await own.get(place + path)).text).text,
      ),
    );
    for (const text of texts) expect(text).not.toMatch(/heartbeat:? *never/i);
    expect(texts[0]).toContain("the time of the last heartbeat of its plugin is not known");
    expect(texts[2]).toContain("The state is not known. The plan does not include monitoring.");
    expect(readHtml((await own.get("/servers")).text).text).not.toContain("never");
  });

  it("[OUR-PPG-13] is shown for a plugin whose last message was refused", async () => {
    const account = await service.account("pro");
    const odd = await service.server(account, { name: "Odd" });
    const own = await signedIn(service, account);
    const shown = async () => readHtml((await own.get(`/servers/${odd.id}/profiles`)).text).text;
    expect(await shown()).toContain("Last heartbeat: never");
    await sent("/heartbeat", { sent_at: 1 }, odd.credential);
    expect(await shown()).toMatch(/The last message of the plugin came 0 s ago *and was refused/);
    await sent("/heartbeat", { ...heartbeat, sent_at: new Date().toISOString() }, odd.credential);
    expect(await shown()).not.toContain("was refused");
  });
});

describe("a file", () => {
  const histogram = [
    " num     #instances         #bytes  class name (module)",
    "-------------------------------------------------------",
    "   1:           500          20000  [B (java.base@21.0.12)",
    "Total           500          20000",
    "",
  ].join("\n");

  it("[OUR-PPG-09] is recognised by its content, and opens its page", async () => {
    const profile = await uploadFile(page("/profiles"), JSON.stringify(profilePayload()));
    expect([profile.status, profile.json["to"]]).toEqual([200, expect.stringContaining(page("/profiles/"))]);
    expect((await visitor.get(String(profile.json["to"]))).status).toBe(200);
    const memory = await uploadFile(page("/memory-reports"), histogram);
    expect((await visitor.get(String(memory.json["to"]))).text).toContain("class histogram");
  });

  it("[OUR-PPG-09] that is a heap dump, something else or nothing is refused", async () => {
    const dump = Buffer.concat([Buffer.from("JAVA PROFILE 1.0.2\0"), Buffer.alloc(100)]);
    for (const [path, body, status] of [
      ["/memory-reports", dump, 415],
      ["/profiles", histogram, 415],
      ["/profiles", "{ not json", 400],
      ["/profiles", Buffer.from([0, 1, 2, 3]), 400],
      ["/profiles", JSON.stringify({ schema: "service-profile/1" }), 400],
    ] as const) {
      const answer = await uploadFile(page(path), body);
      expect([path, answer.status, typeof answer.json["message"]]).toEqual([path, status, "string"]);
    }
  });

  it("[OUR-PPG-10] without the page's token, or from another site, is not taken", async () => {
    const body = JSON.stringify(profilePayload());
    const headers = [{ "x-csrf-token": "wrong" }, { origin: "https://evil.example" }];
    for (const wrong of headers) expect((await uploadFile(page("/profiles"), body, wrong)).status).toBe(403);
    const foreign = await service.server(await service.account("pro"));
    const answer = await uploadFile(page("/profiles"), body, {});
    expect(answer.status).toBe(200);
    const shown = await visitor.get(page("/profiles"));
    const csrf = /data-token="([^"]*)"/.exec(shown.text)?.[1] ?? "";
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const other = await service.request("POST", `/servers/${foreign.id}/profiles`, {
      body,
      headers: { cookie, "content-type": "application/octet-stream", "x-csrf-token": csrf },
    });
    expect(other.status).toBe(404);
  });
});
