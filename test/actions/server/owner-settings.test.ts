import { importOfferList } from "../../../src/services/offer/import-offer-list.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { listServerGroups } from "../../../src/endpoints/api/server/list-server-groups.ts";
import { createServerGroup } from "../../../src/endpoints/api/server/create-server-group.ts";
import { setServerGroup } from "../../../src/endpoints/api/server/set-server-group.ts";
import { updateServer } from "../../../src/endpoints/api/server/update-server.ts";
import { listOffers } from "../../../src/endpoints/api/offer/list-offers.ts";
import { updateReport } from "../../../src/endpoints/api/report/update-report.ts";
import { deleteServerGroup } from "../../../src/actions/server/delete-server-group.ts";
import { chooseOffer } from "../../../src/actions/server/choose-offer.ts";
import { deleteServer } from "../../../src/actions/server/delete-server.ts";
import { getServerSettings } from "../../../src/actions/server/get-server-settings.ts";
import { setAddress } from "../../../src/actions/server/set-address.ts";
import { setMonitoring } from "../../../src/actions/server/set-monitoring.ts";
import { unlinkServer } from "../../../src/actions/server/unlink-server.ts";
import { asPerson, refusalOf } from "../../support/as-person.ts";
import { roomyPlans, rowsOf, startTestService, type TestService } from "../../support/service.ts";
import { thingsOf } from "../../support/owned-things.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const owning = async (plan: Account["plan"] = "pro") => {
  const owner = await service.account(plan);
  return { owner, server: await service.server(owner), ask: await asPerson(service, owner) };
};

const offer = {
  id: "iron-8",
  provider: { id: "foundry", name: "Foundry", url: null },
  name: "Iron 8",
  type: "game" as const,
  cpu_name: null,
  cpu_cores: 8,
  ram_gb: 16,
  disk_type: null,
  disk_gb: null,
  location: null,
  price_eur_cents: 1990,
  url: null,
  billing_period: "month" as const,
};

describe("monitoring", () => {
  it("[OUR-OWN-01] is switched on as far as the plan goes, and off at any time", async () => {
    const { owner, server, ask } = await owning();
    const off = await ask(setMonitoring, { server_id: server.id, enabled: false });
    expect(off).toMatchObject({ site_step: "off", server: { monitoring_enabled: false } });
    for (let index = 0; index < 3; index += 1) await service.server(owner);
    expect(await refusalOf(ask(setMonitoring, { server_id: server.id, enabled: true }))).toBe(
      "limit_reached",
    );
    expect((await ask(getServerSettings, { server_id: server.id })).site_step).toBe("off_quota_reached");
    const free = await owning("free");
    const refused = free.ask(setMonitoring, { server_id: free.server.id, enabled: true });
    expect(await refusalOf(refused)).toBe("plan_required");
  });

  it("[OUR-OWN-01] of two that switch the last one of a plan at once one is refused", async () => {
    const { owner, server, ask } = await owning();
    const others = [await service.server(owner), await service.server(owner)];
    const [other] = others;
    for (const id of [server.id, other?.id ?? ""])
      await ask(setMonitoring, { server_id: id, enabled: false });
    await service.server(owner);
    const both = [server.id, other?.id ?? ""].map((id) =>
      refusalOf(ask(setMonitoring, { server_id: id, enabled: true })),
    );
    expect((await Promise.all(both)).toSorted()).toEqual(["done", "limit_reached"]);
  });

  it("[OUR-OWN-01] that is switched off ends open alerts", async () => {
    const owner = await service.account();
    const { server, alert } = await thingsOf(service, owner);
    await (
      await asPerson(service, owner)
    )(setMonitoring, { server_id: server, enabled: false });
    const token = await service.token(owner);
    const [row] = rowsOf(await service.request("GET", "/api/v1/alert-events", { token }));
    expect(row).toMatchObject({ id: alert, status: "resolved", resolution_reason: "monitoring_off" });
  });
});

describe("what else an owner sets", () => {
  it("[OUR-OWN-02] the address is the owner's to see, and others' once it is shown on reports", async () => {
    const { owner, server, ask } = await owning();
    const set = await ask(setAddress, { server_id: server.id, address: "play.example.org", port: 25_570 });
    expect(set).toMatchObject({ address: "play.example.org", port: 25_570, server: { address: null } });
    await ask(updateServer, { server_id: server.id, show_address_on_report: true });
    const token = await service.token(owner);
    const [row] = rowsOf(await service.request("GET", "/api/v1/servers", { token }));
    expect(row).toMatchObject({ address: "play.example.org", port: 25_570 });
    expect(await ask(setAddress, { server_id: server.id, address: null, port: null })).toMatchObject({
      address: null,
      port: null,
    });
    const wrong = ask(setAddress, { server_id: server.id, address: " ", port: 0 });
    expect(await refusalOf(wrong)).toBe("validation_error");
  });

  it("[OUR-OWN-03] the chosen offer has public reports as evidence, while the server is linked", async () => {
    const { server, ask } = await owning();
    await service.app.db.write(importOfferList, [offer], service.app.clock());
    const report = await service.report(server);
    await ask(updateReport, { report_id: report.id, visibility: "public" });
    expect((await ask(chooseOffer, { server_id: server.id, offer_id: offer.id })).offer).toEqual({
      id: offer.id,
      name: "Iron 8",
      provider: "Foundry",
    });
    expect(await refusalOf(ask(chooseOffer, { server_id: server.id, offer_id: "none" }))).toBe("not_found");
    const evidence = async () => (await ask(listOffers, {})).data[0]?.evidence;
    expect(await evidence()).toBe("linked");
    await ask(unlinkServer, { server_id: server.id });
    expect(await evidence()).toBe("none");
  });

  it("[OUR-OWN-04] a group that is deleted leaves its servers, in none", async () => {
    const { server, ask } = await owning();
    const group = await ask(createServerGroup, { name: "Survival" });
    await ask(setServerGroup, { server_id: server.id, group_id: group.id });
    await ask(deleteServerGroup, { group_id: group.id });
    expect((await ask(listServerGroups, {})).data).toEqual([]);
    expect((await ask(getServerSettings, { server_id: server.id })).server.group_id).toBeNull();
    expect(await refusalOf(ask(deleteServerGroup, { group_id: group.id }))).toBe("not_found");
  });

  it("[OUR-OWN-05] [ACC-30] is nobody else's: another account and an admin find no such server", async () => {
    const { server, ask: own } = await owning();
    const group = await own(createServerGroup, { name: "Survival" });
    const { id: server_id } = server;
    for (const role of ["user", "admin"] as const) {
      const ask = await asPerson(service, await service.account("pro", role));
      const calls = [
        ask(getServerSettings, { server_id }),
        ask(setMonitoring, { server_id, enabled: false }),
        ask(setAddress, { server_id, address: "x", port: 1 }),
        ask(chooseOffer, { server_id, offer_id: null }),
        ask(unlinkServer, { server_id }),
        ask(deleteServer, { server_id }),
        ask(deleteServerGroup, { group_id: group.id }),
      ];
      expect(new Set(await Promise.all(calls.map(refusalOf)))).toEqual(new Set(["not_found"]));
    }
    expect((await own(getServerSettings, { server_id })).server.monitoring_enabled).toBe(true);
  });
});
