import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ranked, type FoundEntry } from "../../src/dashboard/scripts/palette/rank.ts";
import { readHtml } from "../support/html.ts";
import { signedIn } from "../support/visitor.ts";
import { alertPages, type AlertPages } from "./alerts/alerting.ts";

let scene: AlertPages;
beforeAll(async () => {
  scene = await alertPages();
});
afterAll(async () => {
  expect(scene.service.defects).toEqual([]);
  await scene.service.close();
});

const entriesOf = async (visitor = scene.visitor): Promise<FoundEntry[]> => {
  const { status, text, headers } = await visitor.get("/find?data=entries");
  expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
  return JSON.parse(text) as FoundEntry[];
};

describe("finding", () => {
  it("[OUR-DSH-12] ranks names that begin with what was typed before others, and wants every word", () => {
    const named = (name: string, about = ""): FoundEntry => ({
      kind: "server",
      name,
      about,
      href: `/${name}`,
    });
    const entries = [named("My lobby"), named("Globe"), named("Lobby two", "rules"), named("Survival")];
    const names = (typed: string) => ranked(entries, typed).map(({ name }) => name);
    expect(names("lob")).toEqual(["Lobby two", "My lobby", "Globe"]);
    expect(names(" LOB  two ")).toEqual(["Lobby two"]);
    expect(names("rules")).toEqual(["Lobby two"]);
    expect(names("server")).toHaveLength(4);
    expect(names("nether")).toEqual([]);
    expect(ranked(Array<FoundEntry>(50).fill(named("Many")), "")).toHaveLength(12);
  });

  it("[OUR-DSH-12] knows the account's servers, pages, alerts in progress and reports, and nobody else's", async () => {
    const { server, service, visitor } = scene;
    const entries = await entriesOf();
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: "server", href: `/servers/${server.id}` }),
    );
    for (const { href } of entries.filter(({ kind }) => kind === "page" || kind === "action"))
      expect([href, (await visitor.get(href)).status]).toEqual([href, 200]);
    const other = await signedIn(service, await service.account("pro"));
    expect((await entriesOf(other)).every(({ kind }) => kind === "page" || kind === "action")).toBe(true);
    expect((await service.request("GET", "/find?data=entries")).status).toBe(401);
  });

  it("[OUR-DSH-12] works as a page without a script, with what was typed as text", async () => {
    const found = await scene.visitor.get("/find?q=digest");
    expect(readHtml(found.text).text).toContain("Weekly digest");
    const typed = '"><b id="x">';
    const nothing = await scene.visitor.get(`/find?q=${encodeURIComponent(typed)}`);
    expect(nothing.status).toBe(200);
    expect(readHtml(nothing.text).text).toContain("No server, page, report or alert matches");
    expect(nothing.text).not.toContain('<b id="x">');
  });
});

it("[OUR-DSH-13] the header counts alerts in progress and unread notices, the title the alerts", async () => {
  const { visitor, rules, service } = scene;
  expect((await visitor.get("/alerts")).text).toContain("<title>Alerts · Tickmark</title>");
  const rule = { name: "Slow", metric: "mspt", condition: "above", threshold: "50", notify_in_app: "on" };
  await visitor.send(rules, "create-rule", { ...rule, duration_minutes: "5", cooldown_minutes: "60" });
  await scene.beats(7, { mspt: 80, tps: 12, player_count: 3 });
  const { text } = await visitor.get("/alerts");
  expect(text).toContain("<title>(1) Alerts · Tickmark</title>");
  expect(text).toContain(
    'data-count="alerts" data-words="in progress">1<span class="unseen"> in progress</span>',
  );
  const counted = JSON.parse((await visitor.get("/find?data=attention")).text) as object;
  expect(counted).toEqual({ alerts: 1, notices: 1 });
  expect((await entriesOf()).filter(({ kind }) => kind === "alert")).toHaveLength(1);
  const other = await signedIn(service, await service.account("pro"));
  expect((await other.get("/alerts")).text).toContain("<title>Alerts · Tickmark</title>");
});

it("[OUR-DSH-11] pages and their files are compressed as the browser takes it, and answers of the API are not", async () => {
  const { service, visitor } = scene;
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const raw = async (path: string, encoding: string) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      headers: { cookie, "accept-encoding": encoding },
    });
    return { encoding: answer.headers.get("content-encoding"), vary: answer.headers.get("vary"), answer };
  };
  const sheet = /href="(\/assets\/\w+\/style\.css)"/.exec((await visitor.get("/servers")).text)?.[1] ?? "";
  for (const path of ["/servers", sheet]) {
    expect((await raw(path, "identity")).encoding).toBe(null);
    const [br, gzip] = [await raw(path, "gzip, br"), await raw(path, "gzip")];
    expect([br.encoding, gzip.encoding, br.vary]).toEqual(["br", "gzip", "accept-encoding"]);
    expect((await br.answer.text()).length).toBeGreaterThan(1000);
  }
  expect((await raw("/api/v1/openapi.json", "br")).encoding).toBe(null);
  const bytes = await service.request("GET", sheet, { headers: { "accept-encoding": "br" } });
  expect(bytes.headers["cache-control"]).toContain("immutable");
});
