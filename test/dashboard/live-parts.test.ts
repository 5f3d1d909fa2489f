import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callAsPerson } from "../../src/contract/call/call-as-person.ts";
import { isSignedIn, personOf } from "../../src/contract/call/person.ts";
import type { PageRequest } from "../../src/dashboard/page.ts";
import { pages } from "../../src/dashboard/pages/registry.ts";
import { serverNowPage } from "../../src/dashboard/pages/servers/now/page.tsx";
import { readHtml } from "../support/html.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { signedIn, visitor, type Visitor } from "../support/visitor.ts";
import { monotonicNow, playedServer, type Played } from "./servers/played-server.ts";

const time = monotonicNow(Date.parse("2026-11-20T12:00:00.000Z"));
let service: TestService;
let person: Visitor;
let server: Played;

const hostile = '<b data-live="now">Lobby</b>';

beforeAll(async () => {
  service = await startTestService({ clock: time.now });
  const owner = await service.account("pro");
  person = await signedIn(service, owner);
  server = await playedServer(service, owner, hostile);
  await server.beat({ tps: 19.8, mspt: 21.4, player_count: 7 });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const live = pages.filter(({ parts }) => Object.keys(parts).length > 0);
const pathOf = (path: string): string => path.replace("{id}", server.id);

/** Tokens of forms differ in every answer. */
const comparable = (html: string): string => html.replaceAll(/name="_csrf" value="[^"]*"/g, "");

describe("a live part", () => {
  it("[OUR-DSH-09] is answered alone, as it stands on its page", async () => {
    expect(live.map(({ path }) => path)).toEqual([
      "/auto-bench",
      "/servers/{id}/first-steps",
      "/servers/{id}/memory-reports",
      "/servers/{id}/profiles",
      "/servers/{id}",
      "/servers",
    ]);
    for (const { path, parts } of live) {
      const whole = comparable((await person.get(pathOf(path))).text);
      const named = [...whole.matchAll(/<div class="stack" data-live="(\w+)">/g)].map(([, name]) => name);
      expect(named.toSorted()).toEqual(Object.keys(parts).toSorted());
      for (const name of named) {
        const { status, headers, text } = await person.get(`${pathOf(path)}?part=${name}`);
        expect([path, name, status]).toEqual([path, name, 200]);
        expect(comparable(text).startsWith(`<div class="stack" data-live="${name}">`)).toBe(true);
        expect(whole).toContain(comparable(text));
        expect(headers["cache-control"]).toBe("no-store");
        expect(headers["content-security-policy"]).toContain("default-src 'none'");
        expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      }
    }
  });

  it("[OUR-DSH-09] keeps the query of its page, and its links lead to the page", async () => {
    const { text } = await person.get("/servers?state=stopped&part=fleet");
    expect(text).toContain("No server matches");
    const running = await person.get("/servers?part=fleet&state=running");
    expect(running.text).toContain(`href="/servers/${server.id}"`);
    expect(running.text).not.toContain("part=");
  });

  it("[OUR-DSH-09] of another account's server is 404, like one that does not exist and an unknown part", async () => {
    const other = await signedIn(service, await service.account("pro"));
    for (const { path, parts } of live.filter((page) => page.path.includes("{id}")))
      for (const name of Object.keys(parts))
        expect([name, (await other.get(`${pathOf(path)}?part=${name}`)).status]).toEqual([name, 404]);
    for (const name of ["", "toString", "__proto__", "fleet"])
      expect([name, (await person.get(`/servers/${server.id}?part=${name}`)).status]).toEqual([name, 404]);
  });

  it("[OUR-DSH-09] needs a session, and leads nowhere without one", async () => {
    const { status, headers, text } = await visitor(service).get(`/servers/${server.id}?part=now`);
    expect([status, headers["location"]]).toEqual([401, undefined]);
    expect(text).not.toContain("data-live");
  });

  it("[OUR-DSH-09] shows third-party text as text", async () => {
    const { text } = await person.get("/servers?part=fleet");
    expect(text.match(/data-live/g)).toHaveLength(2);
    expect(readHtml(text).elements.filter((name) => name === "b").length).toBe(
      (text.match(/<b>/g) ?? []).length,
    );
    expect(readHtml(text).text).toContain(hostile);
  });

  it("[OUR-DSH-09] has forms that can be sent", async () => {
    const path = `/servers/${server.id}/profiles`;
    const sent = await person.send(`${path}?part=request`, "collect");
    expect([sent.status, sent.headers["location"]]).toEqual([303, path]);
  });

  it("of a server's page costs six calls", async () => {
    const found = await personOf(
      service.app,
      person.cookies.get("tickmark") ?? null,
      "127.0.0.1",
      time.now(),
    );
    if (!isSignedIn(found)) throw new Error("Nobody is signed in.");
    const called: string[] = [];
    const { app } = service;
    const request = {
      person: found,
      params: { id: server.id },
      query: new URLSearchParams(),
      now: time.now(),
      call: (endpoint: Parameters<PageRequest["call"]>[0], input: never) => {
        called.push(endpoint.id);
        return callAsPerson(app, endpoint, found, input, "tests");
      },
    } as unknown as PageRequest;
    await serverNowPage.parts["now"]?.(request);
    expect(called.toSorted()).toEqual([
      "alerts.list",
      "captures.get_state",
      "maintenance.get",
      "metrics.get",
      "servers.health",
      "servers.status",
    ]);
  });
});
