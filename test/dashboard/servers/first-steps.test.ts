import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientEntryNames } from "../settings/client-guide.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { run } from "../../../src/store/engine/database.ts";
import { restoreServer } from "../../../src/store/server/links.ts";
import { handClock, minuteMs } from "../../support/clock.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";
import { textOf } from "../alerts/alerting.ts";
import { playedServer, type Played } from "./played-server.ts";

const clock = handClock(Date.parse("2026-11-20T00:00:00.000Z"));
let service: TestService;
let person: Visitor;
let stranger: Visitor;
let server: Played;
let second: Played;
let owner: Account;
beforeAll(async () => {
  service = await startTestService({ clock: clock.now });
  owner = await service.account("pro");
  person = await signedIn(service, owner);
  stranger = await signedIn(service, await service.account("pro"));
  server = await playedServer(service, owner, "Lobby");
  second = await playedServer(service, owner, "Mill");
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const words = async (path: string): Promise<string> => textOf((await person.get(path)).text);
const samples = (of: Played, minutesAgo: readonly number[], mspt: number) =>
  of.samples(minutesAgo.map((minutes) => ({ at: clock.now() - minutes * minuteMs, mspt, player_count: 4 })));

describe("linking a server", () => {
  it("[OUR-FST-01] the card has three ways to a code, each with the address of this service and a button to copy", async () => {
    const { text } = await person.get("/servers");
    expect(text.match(/<details name="link-way"/g)).toHaveLength(3);
    for (const id of [
      "link-agent",
      "link-unit",
      "link-compose",
      "link-container",
      "link-plugin",
      "link-request",
    ])
      expect([id, text.includes(`<code id="${id}">`), text.includes(`data-copies="${id}"`)]).toEqual([
        id,
        true,
        true,
      ]);
    for (const command of ["agent link --directory /srv/minecraft", "--directory /data"])
      expect(textOf(text)).toContain(`${command} --url ${service.app.baseUrl}`);
    expect(textOf(text)).toContain(`curl -X POST ${service.app.baseUrl}/plugin/v1/link-codes`);
  });

  it("[OUR-FST-02] each first step is ticked when it has happened, in a part that is updated by itself", async () => {
    const path = `/servers/${server.id}/first-steps`;
    const part = `${path}?part=steps`;
    expect(await words(part)).toMatch(/Code used.*Contact: waiting.*Samples: waiting.*Charts: waiting/);
    clock.advance(4 * minuteMs);
    await samples(server, [1], 20);
    expect(await words(part)).toMatch(/Charts: waiting/);
    await samples(server, [3, 2], 20);
    expect(await words(part)).toContain("Open the charts");
    // Linked again, it has done nothing of it yet.
    clock.advance(minuteMs);
    const again = { id: server.id, account: owner.id, name: null, monitoring: 1, now: clock.now() };
    await service.app.db.write(() => run(restoreServer, again));
    expect(await words(part)).toMatch(/Code used.*Contact: waiting.*Samples: waiting.*Charts: waiting/);
    clock.advance(3 * minuteMs);
    await samples(server, [2, 1], 20);
    expect(await words(part)).toContain("Open the charts");
    expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.get(part)).status).toBe(404);
  });
});

it("[OUR-HPG-14] two servers, or one at two times, are drawn in one chart, and what was not measured is not 0", async () => {
  await samples(second, [5, 4, 3], 40);
  const both = await words(`/servers/compare?one=${server.id}&other=${second.id}&field=mspt&range=1h`);
  expect(both).toMatch(/Lobby .*20 ms 20 ms 20 ms.*Mill .*40 ms 40 ms 40 ms/);
  const earlier = await words(`/servers/compare?one=${server.id}&other=week&field=mspt&range=1h`);
  expect(earlier).toMatch(/A week earlier 2026-11-12 \d\d:\d\d UTC not measured not measured not measured/);
  const beyond = await words(`/servers/compare?one=${server.id}&other=four-weeks&range=30d`);
  expect(beyond).toMatch(/Second line: .*not shown not measured/);
  expect((await stranger.get(`/servers/compare?one=${server.id}`)).text).not.toContain("Lobby");
});

it("[OUR-FST-03] a usual token fills the form, and a new token comes with the entry of each client of the guide", async () => {
  const form = (await person.get("/settings/security?preset=assistant-reads")).text;
  expect(form).toContain('value="Assistant, read only"');
  const ticked = [...form.matchAll(/<input type="checkbox" name="scopes" value="([^"]*)" checked/g)];
  expect(ticked.map(([, scope = ""]) => scope.split(":")[1])).toEqual(ticked.map(() => "read"));
  expect(ticked.length).toBeGreaterThan(4);
  const made = await person.send("/settings/security", "create", {
    name: "Mine",
    expires_in_days: "30",
    scopes: ["servers:read"],
  });
  const names = [...made.text.matchAll(/<details name="client"><summary>([^<]*)/g)].map(([, name]) => name);
  expect(names).toEqual(clientEntryNames());
  expect(names).toContain("Claude Desktop");
  expect(made.text).not.toMatch(/127\.0\.0\.1:8080/);
  expect(textOf(made.text)).toContain(`claude mcp add --transport http tickmark ${service.app.baseUrl}/mcp`);
});
