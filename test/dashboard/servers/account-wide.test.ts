import { afterAll, beforeAll, expect, it } from "vitest";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { dropEventRule, eventRulesOf } from "../../../src/store/alert/event-rules.ts";
import { run, type Work } from "../../../src/store/engine/database.ts";
import { eventOf } from "../../core/health/facts.ts";
import { newId } from "../../store/engine/rows.ts";
import { startTestService, type LinkedServer, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";
import { textOf } from "../alerts/alerting.ts";
import { handClock, minuteMs, secondMs } from "../../support/clock.ts";

function* dropOf(id: string): Work<void> {
  yield* run(dropEventRule, { id });
}

let service: TestService;
let person: Visitor;
const clock = handClock();
const servers: LinkedServer[] = [];

beforeAll(async () => {
  service = await startTestService({ clock: clock.now });
  const owner = await service.account("pro");
  person = await signedIn(service, owner);
  for (const name of ["Watched", "Unwatched"]) servers.push(await service.server(owner, { name }));
  const token = await service.token(owner);
  for (let passed = 0; passed < 20; passed += 1) {
    clock.advance(30 * secondMs);
    if (passed > 4 && passed < 14) continue;
    for (const { credential } of servers) {
      const now = new Date(clock.now()).toISOString();
      await service.request("POST", "/plugin/v1/heartbeat", {
        token: credential,
        body: { sent_at: now, plugin_version: "1.10.2", sample: { sampled_at: now, tps: 20 } },
      });
    }
  }
  const { db } = service.app;
  const at = clock.now() - minuteMs;
  const [watched = "", unwatched = ""] = servers.map(({ id }) => id);
  const changed = { id: newId(), serverId: watched, localId: newId(), title: "MarketStalls was updated" };
  await db.write(recordEvents, watched, [eventOf("plugin_updated", at, changed)], clock.now());
  // Every new server gets a first rule.
  for (const { id } of await db.read(eventRulesOf, unwatched)) await db.write(dropOf, id);
  const rule = { name: "Slow", metric: "mspt", condition: "above", threshold: 50 };
  const made = await service.request("POST", `/api/v1/servers/${servers[0]?.id}/alert-rules`, {
    token,
    body: rule,
  });
  expect(made.status).toBe(201);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const page = async (path: string): Promise<string> => {
  const { status, text } = await person.get(path);
  expect([path, status]).toEqual([path, 200]);
  return text;
};
const cellOf = (html: string, id: string): string =>
  textOf(new RegExp(`<a href="/servers/${id}/rules">(.*?)</a>`, "s").exec(html)?.[1] ?? "").trim();

it("[OUR-DSH-151] the list of servers counts the rules of each, and lists those without one alone", async () => {
  const [watched, unwatched] = [servers[0]?.id ?? "", servers[1]?.id ?? ""];
  const html = await page("/servers");
  expect([cellOf(html, watched), cellOf(html, unwatched)]).toEqual(["2", "none"]);
  expect(html).toContain('href="/servers?watched=no"');
  const alone = await page("/servers?watched=no");
  expect(alone).toContain(`/servers/${unwatched}/rules`);
  expect(alone).not.toContain(`/servers/${watched}/rules`);
});

it("[OUR-DSH-151] a page has the availability of all servers over the periods that the plan shows", async () => {
  const html = await page("/servers/availability");
  const text = textOf(html);
  for (const words of ["24 hours", "7 days", "30 days", "Watched", "Unwatched", "2 incidents", "down 5 min"])
    expect(text).toContain(words);
  const week = textOf(await page("/servers/availability?range=7d"));
  expect(week).toContain("up on 2 of 2 servers");
});

it("[OUR-DSH-151] a page has what changed on all servers, and everything that happened", async () => {
  expect(textOf(await page("/servers/changes"))).toContain("MarketStalls was updated");
  expect(textOf(await page("/servers/changes?all=yes"))).toContain("MarketStalls was updated");
});
