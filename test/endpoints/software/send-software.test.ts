import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import {
  rowsOf,
  startTestService,
  type Json,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";

const now = Date.UTC(2026, 10, 22, 18);
let service: TestService;
let owner: Account;
let token: string;
let server: LinkedServer;

beforeAll(async () => {
  service = await startTestService({ clock: () => now });
  owner = await service.account("enterprise");
  token = await service.token(owner);
  server = await service.server(owner);
});
afterAll(() => service.close());

const send = (body: Json, credential = server.credential) =>
  service.request("PUT", "/plugin/v1/software", { token: credential, body });
const timeline = async (): Promise<Json[]> =>
  rowsOf(await service.request("GET", `/api/v1/servers/${server.id}/events`, { token }));

const shop = (version: string): Json => ({ plugins: [{ name: "Market\u202eStalls", version }] });

it("[OUR-PLG-14] the whole inventory is sent, and its differences stand in the timeline once", async () => {
  expect(await send(shop("2.10.0"))).toMatchObject({ status: 200, json: { accepted: true, changes: 0 } });
  expect(await send(shop("2.10.1"))).toMatchObject({ status: 200, json: { accepted: true, changes: 1 } });
  expect(await send(shop("2.10.1"))).toMatchObject({ status: 200, json: { accepted: true, changes: 0 } });
  expect(await timeline()).toMatchObject([
    {
      type: "plugin_updated",
      source: "tickmark",
      title: "Plugin or mod updated",
      metadata: { subject: "Market\u202eStalls", from: "2.10.0", to: "2.10.1" },
    },
  ]);
});

it("[OUR-PLG-14] a wrong value refuses the whole inventory, and a server without a plan's monitoring is not recorded", async () => {
  const wrong = await send({ ...shop("3"), mods: [{ name: 7 }] });
  expect([wrong.status, wrong.json]).toMatchObject([
    400,
    { error: "validation_error", path: "/mods/0/name" },
  ]);
  expect(await timeline()).toHaveLength(1);
  const free = await service.account("free");
  const unmonitored = await service.server(free);
  expect(await send(shop("1"), unmonitored.credential)).toMatchObject({
    status: 200,
    json: { accepted: false, changes: 0 },
  });
});

it("[OUR-EVT-20] no plugin reports such a change as the service's own", async () => {
  const forged = {
    local_id: "1",
    type: "plugin_updated",
    category: "custom",
    source: "tickmark",
    severity: "info",
    title: "x",
  };
  const answer = await service.request("POST", "/plugin/v1/events", {
    token: server.credential,
    body: { events: [forged] },
  });
  expect([answer.status, answer.json]).toMatchObject([400, { path: "/events/0/source" }]);
});
