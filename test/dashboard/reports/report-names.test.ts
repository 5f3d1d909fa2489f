import { afterAll, beforeAll, expect, it } from "vitest";
import { personOf, startSession } from "../../../src/contract/call/person.ts";
import { callAsPerson } from "../../../src/contract/call/call-as-person.ts";
import type { Account } from "../../../src/core/access/account.ts";
import type { Refusal } from "../../../src/core/errors.ts";
import { setReportLabel } from "../../../src/actions/report/set-report-label.ts";
import { readHtml } from "../../support/html.ts";
import { hostOnly, referencePayload } from "../../support/payload.ts";
import { startTestService, type Json, type LinkedServer, type TestService } from "../../support/service.ts";
import { signedIn, visitor, type Visitor } from "../../support/visitor.ts";

let service: TestService;
let author: Account;
let server: LinkedServer;
let own: Visitor;
beforeAll(async () => {
  service = await startTestService();
  author = await service.account();
  server = await service.server(author);
  own = await signedIn(service, author);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

/** A run of that hour, whose single core differs from the reference host's by this factor. */
async function run(hour: number, cpu = 1, changes: Json = {}): Promise<string> {
  const speed = { cpu_single_core: { metrics: { ops_per_second: Math.round(1_000_000 * cpu) } } };
  const { tests } = referencePayload({}, speed);
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 19, hour, minutes)).toISOString();
  return (await service.report(server, { tests, started_at: at(0), finished_at: at(10), ...changes }))
    .shortId;
}

const textAt = async (path: string, who = own): Promise<string> =>
  readHtml((await who.get(path)).text).text.replaceAll(/\s+/g, " ");

it("[OUR-RPG-20] a report is called by its label or its server, with mode and time, and only its author sees the label", async () => {
  const id = await run(1);
  expect(await textAt("/reports?mine=true")).toContain("Lobbystandard · 2026-11-19 01:10 UTC");
  const typed = `  before <b id="x">the</b> new disk `;
  expect((await own.send(`/reports/${id}`, "label", { label: typed })).status).toBe(303);
  const token = await service.token(author);
  await service.request("PATCH", `/api/v1/reports/${id}`, { token, body: { visibility: "public" } });
  const title = `before <b id="x">the</b> new disk`;
  for (const path of ["/reports?mine=true", `/reports/${id}`, "/reports/compare", "/find?data=entries"]) {
    const { text } = await own.get(path);
    expect([path, text.includes('<b id="x">') && path !== "/find?data=entries"]).toEqual([path, false]);
    const shown = path === "/find?data=entries" ? JSON.stringify(JSON.parse(text)) : readHtml(text).text;
    expect([path, shown.includes("new disk")]).toEqual([path, true]);
  }
  expect(await textAt(`/reports/${id}`)).toContain(`${title}standard`);
  expect(await textAt("/reports?mine=true")).toContain(`${title}Lobby · standard · 2026-11-19 01:10 UTC`);
  for (const who of [visitor(service), await signedIn(service, await service.account())]) {
    const seen = await textAt(`/reports/${id}`, who);
    expect(seen).toContain("Paper 1.21.4");
    expect(`${seen}${await textAt("/reports", who)}`).not.toMatch(/new disk|Lobby/);
  }
  const answer = await service.request("GET", `/api/v1/reports/${id}`, { token });
  expect(answer.json["label"]).toBe(typed.trim());
  expect((await service.request("GET", `/api/v1/reports/${id}`)).text).not.toContain("new disk");
  await own.send(`/reports/${id}`, "label", { label: " " });
  expect(await textAt(`/reports/${id}`)).not.toContain("new disk");
});

it("[OUR-RPG-20] a label that is too long is refused beside its form, and nobody else gives one", async () => {
  const id = await run(2);
  const long = await own.send(`/reports/${id}`, "label", { label: "x".repeat(81) });
  expect([long.status, readHtml(long.text).text.includes("text of 1 to 80 characters")]).toEqual([400, true]);
  const { secret } = await startSession(service.app, await service.account(), "tests", service.app.clock());
  const refused = async (): Promise<string> => {
    const stranger = await personOf(service.app, secret, "127.0.0.1", service.app.clock());
    const input = { report_id: id, label: "Mine" };
    return callAsPerson(service.app, setReportLabel, stranger, input, "test").then(
      () => "labelled",
      (error: Refusal) => error.code,
    );
  };
  expect(await refused()).toBe("not_found");
  const token = await service.token(author);
  await service.request("PATCH", `/api/v1/reports/${id}`, { token, body: { visibility: "public" } });
  expect(await refused()).toBe("not_owner");
});

it("[OUR-RPG-21] two ticked reports are compared, the older one as the base; another number leads to the choice", async () => {
  const [older, newer] = [await run(3), await run(4)];
  const list = (await own.get("/reports?mine=true")).text;
  expect(list).toContain('<form method="get" action="/reports/compare"');
  const order = [...list.matchAll(/type="checkbox" name="report" value="([^"]+)"/g)].map(([, id]) => id);
  expect(order.slice(0, 2)).toEqual([newer, older]);
  const both = await own.get(`/reports/compare?report=${newer}&report=${older}`);
  expect(both.headers["location"]).toBe(`/reports/compare?base=${older}&other=${newer}`);
  const alone = await textAt(`/reports/compare?report=${newer}`);
  expect(alone).toContain("One report was ticked, and a comparison needs two");
  expect(alone).toContain("Lobby · standard · 2026-11-19 04:10 UTC");
});

it("[OUR-RPG-22] runs are picked on a time line or in a list, and a run without the score is not drawn as 0", async () => {
  const fresh = await service.server(author);
  const before = server;
  server = fresh;
  const ids = [
    await run(1),
    await run(2),
    await run(3),
    await run(4, 1.3),
    await run(5, 1.3),
    await run(6, 1.3),
  ];
  const host = await run(0, 1, hostOnly());
  server = before;
  const path = `/reports/before-after?server=${fresh.id}&target=total`;
  const html = (await own.get(path)).text;
  const links = [...html.matchAll(/<a href="(\?[^"]*)" aria-label="The change lies before ([^"]*)"/g)].map(
    ([, href = "", words = ""]) => [href.replaceAll("&amp;", "&"), words] as const,
  );
  // The first run has none before it, so it is no link; the host's run has no total.
  expect(links).toHaveLength(6);
  expect(html).toMatch(/00:10 UTC: not measured/);
  expect(links[3]?.[1]).toContain("04:10 UTC: total");
  const [query = ""] = links[3] ?? [];
  expect(new URLSearchParams(query).get("after")).toBe(ids.slice(3).join(","));
  expect(new URLSearchParams(query).get("before")).toBe([host, ...ids.slice(0, 3)].join(","));
  const chosen = ids.map((id, index) => `run.${id}=${index < 3 ? "before" : "after"}`).join("&");
  const sent = await own.get(`${path}&${chosen}&run.${host}=&target=single_core`);
  const location = String(sent.headers["location"]);
  expect(new URLSearchParams(location.split("?")[1]).get("before")?.split(",").toSorted()).toEqual(
    ids.slice(0, 3).toSorted(),
  );
  const judged = await textAt(location.replace("target=total", "target=single_core"));
  expect(judged).toContain("Improved");
  expect(judged).toContain("Lobby · 2026-11-19 03:10 UTC");
  expect((await own.get(`${path}&before=${ids[0]}`)).status).toBe(400);
});

it("[OUR-REP-131] the page of a report shows the settings of its run", async () => {
  const id = await run(3, 1, { config: { view_distance: 11 } });
  expect(await textAt(`/reports/${id}`)).toMatch(/Settings of the run.*view distance\s?11/);
});
