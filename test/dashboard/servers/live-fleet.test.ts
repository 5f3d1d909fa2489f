import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { monotonicNow, playedServer, type Played } from "./played-server.ts";
import { readHtml } from "../../support/html.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { corpus, fits, hasCorpus } from "../../support/corpus.ts";
import { createServerGroup } from "../../../src/endpoints/api/server/create-server-group.ts";

const time = monotonicNow(Date.parse("2026-11-20T12:00:00.000Z"));
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: time.now });
});
afterAll(() => service.close());

/** The row of a server in a page of the fleet. */
const rowOf = (text: string, id: string): string =>
  text
    .split("<tr>")
    .find((row) => row.includes(`href="/servers/${id}"`))
    ?.split("</tr>", 1)[0] ?? "";

const played = (...args: Parameters<typeof playedServer> extends [unknown, ...infer Rest] ? Rest : never) =>
  playedServer(service, ...args);

describe("the fleet", () => {
  it("shows what to do first while it is empty", async () => {
    const person = await signedIn(service, await service.account());
    const { status, text } = await person.get("/servers");
    expect(status).toBe(200);
    expect(text).toContain("No server yet");
    expect(readHtml(text).text).toContain("/bench link");
    expect(readHtml(text).text).toContain("tickmark agent link --directory /srv/minecraft --url http");
  });

  it("[OUR-LIV-01] shows states in the API's words, worst first or by group, says why, and filters by them", async () => {
    const owner = await service.account("hosting");
    const token = await service.token(owner);
    const made: Record<string, Played> = {};
    for (const name of ["Alpha", "Beta", "Gamma", "Delta"]) made[name] = await played(owner, name);
    const { Alpha, Beta, Gamma, Delta } = made as Record<"Alpha" | "Beta" | "Gamma" | "Delta", Played>;
    await Beta.beat({ tps: 20, mspt: 10, player_count: 3 });
    time.pass(100_000);
    await Alpha.beat({ tps: 19.5, mspt: 21, mspt_p95: 33.3, player_count: 7 });
    await Gamma.beat({ player_count: 0, paused_empty: true });
    const group = await service.request("POST", `/api/v1${createServerGroup.path}`, {
      token,
      body: { name: "Lobbies" },
    });
    const sort = { token, body: { group_id: group.json["id"] } };
    for (const { id } of [Alpha, Beta]) await service.request("PUT", `/api/v1/servers/${id}/group`, sort);
    const person = await signedIn(service, owner);
    const { text } = await person.get("/servers");
    expect(rowOf(text, Alpha.id)).toMatch(/state unknown.*unknown.*running.*19\.5.*33\.3.*ms.*>7</s);
    expect(rowOf(text, Beta.id)).toMatch(/state bad.*The server sends nothing.*unreachable/s);
    expect(readHtml(rowOf(text, Alpha.id)).text).toContain("Starting: the server is judged in 15 min.");
    expect(readHtml(rowOf(text, Delta.id)).text).toContain("The server has never sent anything.");
    expect(rowOf(text, Gamma.id)).toMatch(/state silenced.*paused empty/s);
    expect(rowOf(text, Delta.id)).toMatch(/state unknown.*never seen/s);
    const api = await service.request("GET", "/api/v1/monitoring/overview?include_unmonitored=true", {
      token,
    });
    const ids = (api.json["data"] as { server_id: string }[]).map(({ server_id }) => server_id);
    expect(ids.toSorted((a, b) => text.indexOf(`/servers/${a}"`) - text.indexOf(`/servers/${b}"`))).toEqual(
      ids,
    );
    expect(rowOf(text, Alpha.id)).toContain("Lobbies");
    const { text: grouped } = await person.get("/servers?order=group");
    const places = [Beta, Alpha, Gamma, Delta].map(({ id }) => grouped.indexOf(`/servers/${id}"`));
    expect(places[0]).toBeLessThan(places[1] ?? 0);
    expect(grouped.indexOf("Lobbies")).toBeLessThan(places[0] ?? 0);
    expect(grouped.indexOf("Without a group")).toBeGreaterThan(places[1] ?? 0);
    for (const row of api.json["data"] as { server_id: string; state: string }[])
      expect(rowOf(text, row.server_id)).toContain(row.state.replaceAll("_", " "));
    const { text: some } = await person.get("/servers?state=unreachable");
    expect(some).toContain('href="/servers?state=unreachable&amp;order=group"');
    expect(rowOf(some, Beta.id)).not.toBe("");
    expect(rowOf(some, Alpha.id)).toBe("");
    const { status, text: none } = await person.get("/servers?state=stopped");
    expect(status).toBe(200);
    expect(none).toContain("No server matches");
  });

  it("[OUR-LIV-02] shows old figures as old, with their age", async () => {
    const owner = await service.account();
    const server = await played(owner, "Slow");
    await server.beat({ tps: 18.5, mspt: 40 });
    const person = await signedIn(service, owner);
    const fresh = await person.get("/servers");
    expect(rowOf(fresh.text, server.id)).toContain("18.5");
    expect(rowOf(fresh.text, server.id)).not.toContain('class="old"');
    time.pass(10 * 60_000);
    const row = rowOf((await person.get("/servers")).text, server.id);
    expect(row).toContain('<span class="quiet"><span class="quantity">18.5');
    expect(row).toMatch(/class="old"[^>]*>10 min ago/);
    const page = (await person.get(`/servers/${server.id}`)).text;
    expect(page).toContain("figures old-figures");
    expect(page).toMatch(/18\.5<span class="unit"> TPS<\/span>.*?class="old"[^>]*>10 min ago/s);
  });

  it("[OUR-LIV-03] states what is missing without monitoring, and what works", async () => {
    const owner = await service.account("free");
    const server = await service.server(owner);
    const person = await signedIn(service, owner);
    const base = `/servers/${server.id}`;
    for (const path of ["/servers", base, `${base}/charts?range=7d`, `${base}/timeline`]) {
      const { status, text } = await person.get(path);
      expect(status).toBe(200);
      expect(text).toContain("does not include monitoring");
      expect(text).toMatch(/benchmark reports/i);
      if (path === "/servers" || path === base) expect(text).toContain("not monitored");
    }
    expect(service.defects).toEqual([]);
  });

  it.skipIf(!hasCorpus)("[OUR-LIV-15] shows hostile names and titles as text", async () => {
    const hostile = corpus("third_party_text").filter((text) => fits(text, 60) && text.trim() !== "");
    const batch = 75;
    const elementsIn = (text: string): number => (text.match(/<[a-z!/]/gi) ?? []).length;
    const roomy = { monitored_servers: 1000 };
    const own = await startTestService({ clock: time.now, plans: { enterprise: roomy } });
    const owner = await own.account("enterprise");
    const person = await signedIn(own, owner);
    const ids: string[] = [];
    const elementsOf = async (texts: readonly string[]): Promise<number> => {
      time.pass(70_000);
      const server = await playedServer(own, owner, texts[0] ?? "");
      ids.push(server.id);
      const events = Array.from({ length: batch }, (_, index) => texts[index % texts.length] ?? "");
      await server.events(
        events.map((text) => ({ type: text, source: text, title: text, description: text })),
      );
      let elements = 0;
      for (const page of ["", "/timeline"]) {
        const { status, text } = await person.get(`/servers/${server.id}${page}`);
        expect(status).toBe(200);
        elements += elementsIn(text);
      }
      return elements;
    };
    const benign = await elementsOf(["quiet"]);
    const counts: number[] = [];
    for (let at = 0; at < hostile.length; at += batch)
      counts.push(await elementsOf(hostile.slice(at, at + batch)));
    const fleet = (await person.get("/servers")).text + (await person.get("/servers?page=2")).text;
    // A verdict that the page had no time for has other elements.
    const rows = ids
      .map((id) => rowOf(fleet, id))
      .filter((row) => !row.includes(">open</a>"))
      .map(elementsIn);
    const others = [
      ...counts.filter((count) => count !== benign),
      ...rows.filter((count) => count !== rows[0]),
    ];
    console.log(
      `${hostile.length} hostile texts as names and events: pages with other elements ${others.length}`,
    );
    expect(hostile.length).toBeGreaterThan(50);
    expect(rows.length).toBeGreaterThan(6);
    expect(others).toEqual([]);
    await own.close();
  });
});

describe("linking a server", () => {
  // One address gets so many link codes an hour.
  beforeAll(() => time.pass(3_600_001));

  const linksNothing = "This code links no server. If it is mistyped or older than 15 minutes";

  const linking = async (): Promise<{ person: Visitor; code: string }> => ({
    person: await signedIn(service, await service.account()),
    code: (await service.linkCode()).code,
  });

  it("[OUR-LIV-04] takes a code however it is typed, and leads to the server", async () => {
    const { person, code } = await linking();
    const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `;
    const sent = await person.send("/servers", "link", { code: typed, name: "Mine" });
    expect(sent.status).toBe(303);
    const page = await person.get(String(sent.headers.location));
    expect(page.text).toContain("Mine");
    expect(page.text).toContain("Contact: waiting");
    for (const wrong of ["K7MQ2XWP", "short", "", "????????", "a\u0000b"]) {
      const refused = await person.send("/servers", "link", { code: wrong });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain(linksNothing);
    }
  });

  it("[OUR-LIV-04] has the same message for an installation of another account, with the link to take it over", async () => {
    const installation = "6f1c0c52-8a39-4c5e-9d5b-00000000dcba";
    const theirs = await service.linkCode({}, installation);
    const first = await signedIn(service, await service.account());
    expect((await first.send("/servers", "link", { code: theirs.code })).status).toBe(303);
    await service.request("POST", "/plugin/v1/link-codes/claim", {
      body: { claim_secret: theirs.claimSecret },
    });
    const person = await signedIn(service, await service.account());
    const { code } = await service.linkCode({}, installation);
    const refused = await person.send("/servers", "link", { code });
    expect(refused.status).toBe(400);
    for (const part of [linksNothing, "linked to another account", 'href="/servers/relink"'])
      expect(refused.text).toContain(part);
    expect((await person.send("/servers/relink", "relink", { code })).status).toBe(303);
  });

  it("[OUR-LIV-05] leads to the settings of a server that is linked already", async () => {
    const owner = await service.account();
    const person = await signedIn(service, owner);
    const installation = "6f1c0c52-8a39-4c5e-9d5b-00000000abcd";
    const first = await service.linkCode({}, installation);
    const sent = await person.send("/servers", "link", { code: first.code });
    const id = String(sent.headers.location).split("/")[2] ?? "";
    await service.request("POST", "/plugin/v1/link-codes/claim", {
      body: { claim_secret: first.claimSecret },
    });
    const again = await service.linkCode({}, installation);
    const refused = await person.send("/servers", "link", { code: again.code });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(`href="/servers/${id}/settings"`);
  });
});
