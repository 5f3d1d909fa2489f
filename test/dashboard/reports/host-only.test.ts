import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { Regression } from "../../../src/dashboard/pages/servers/charts/regression.tsx";
import { exampleRegression } from "../../../src/endpoints/api/server/example-regression.ts";
import { countStandings } from "../../../src/jobs/standing.ts";
import { importOfferList } from "../../../src/services/offer/import-offer-list.ts";
import { saveChosenOffer } from "../../../src/services/offer/choose-offer.ts";
import { readHtml } from "../../support/html.ts";
import { listedOffer } from "../../support/offer.ts";
import { hostOnly } from "../../support/payload.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type Json,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";

let service: TestService;
let author: Account;
let server: LinkedServer;
let own: Visitor;
beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  author = await service.account();
  server = await service.server(author);
  own = await signedIn(service, author);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const api = async (path: string): Promise<Json> =>
  (await service.request("GET", `/api/v1${path}`, { token: await service.token(author) })).json;
const textAt = async (path: string): Promise<string> =>
  readHtml((await own.get(path)).text).text.replaceAll(/\s+/g, " ");
const made = async (overrides: Json = {}): Promise<string> =>
  (await service.report(server, overrides)).shortId;
const compared = (base: string, other: string) => textAt(`/reports/compare?base=${base}&other=${other}`);

describe("a run that measured only the host", () => {
  it("[OUR-RPG-17] leads with hardware and single core, and has no 0", async () => {
    const { id, shortId } = await service.report(
      server,
      hostOnly({ cpu_single_core: { metrics: { ops_per_second: 812_000 } } }),
    );
    const page = readHtml((await own.get(`/reports/${id}`)).text).text.replaceAll(/\s+/g, " ");
    const { scores } = (await api(`/reports/${id}`)) as { scores: Json };
    expect(scores).toMatchObject({ total: 0, gameplay: 0, single_core: 812 });
    expect(page).toContain(`Hardware${scores["hardware"]}Single core812Gameplay not measured`);
    expect(page).not.toMatch(/\b0 not measured/);
    const list = await textAt("/reports?mine=true");
    expect(list).toContain(`hardware ${scores["hardware"]}gameplay not measured`);
    const picker = (await own.get("/reports/compare")).text;
    expect(picker).toContain(`hardware ${scores["hardware"]} (gameplay not measured)`);
    expect(picker).not.toContain("total 0");
    expect(picker).toContain(shortId);
    // A change is judged by a score that these runs have.
    const judge = (await own.get("/reports/before-after")).text;
    expect(judge).toMatch(
      /<option[^>]*value="hardware"[^>]*selected|<option[^>]*selected[^>]*value="hardware"/,
    );
  });

  it("[OUR-RPG-18] of runs without gameplay is undecided, with their hardware beside it", async () => {
    const host = (cpu: number) =>
      made(hostOnly({ cpu_single_core: { metrics: { ops_per_second: 1_000_000 * cpu } } }));
    const [base, other] = [await host(1), await host(1.5)];
    const text = await compared(base, other);
    expect(text).toContain("Undecided");
    expect(text).toContain(
      "Both sides have no total (gameplay not measured), so the totals are not compared",
    );
    expect(text).toContain(
      "Hardware alone: other has 1176, base 1000 (+17.6 %), outside the tie band: other leads",
    );
    const full = await compared(await made(), base);
    expect(full).toContain("One side has no total (gameplay not measured)");
    expect(full).toContain("Hardware alone: other has 1000, base 1000 (0 %), inside the tie band");
    const custom = () => made({ benchmark_mode: "custom" });
    expect(await compared(await custom(), await custom())).toContain("Custom runs have no total");
  });
});

it("[OUR-OFF-09] an offer shows the hardware of a report without gameplay", async () => {
  const { db, clock } = service.app;
  await db.write(importOfferList, [listedOffer("host", { name: "Host alone" })], clock());
  await db.write(saveChosenOffer, server.id, "host");
  const shortId = await made(hostOnly());
  const token = await service.token(author);
  await service.request("PATCH", `/api/v1/reports/${shortId}`, { token, body: { visibility: "public" } });
  const [offer] = rowsOf(await service.request("GET", "/api/v1/offers", { token }));
  expect(offer?.["report"]).toMatchObject({ short_id: shortId, total: 0, hardware: 1000 });
  expect(await textAt("/offers")).toMatch(/linkedhardware 1000gameplay not measured/);
  await service.request("PATCH", `/api/v1/reports/${shortId}`, { token, body: { visibility: "private" } });
});

it("[OUR-REG-18] the page of a server names the judged score", () => {
  const shown = (metric: "total" | "hardware") => {
    const verdict = { ...exampleRegression, metric };
    return readHtml(renderToString(h(Regression, { verdict, sender: "agent" }))).text;
  };
  expect(shown("hardware")).toContain("Change of the hardware score");
  expect(shown("hardware")).toContain("Gameplay was not measured by these runs");
  expect(shown("total")).toContain("Change of the total score");
  expect(shown("total")).not.toContain("not measured");
});

describe("the place of a report", () => {
  it("[OUR-RPG-19] [OUR-STD-02] stands beside each score, the same for every caller, and not before it is counted", async () => {
    const token = await service.token(author, ["reports:read", "reports:write"]);
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        made(hostOnly({ cpu_single_core: { metrics: { ops_per_second: 500_000 + 1000 * index } } })),
      ),
    );
    for (const id of ids)
      await service.request("PATCH", `/api/v1/reports/${id}`, { token, body: { visibility: "public" } });
    const best = ids.at(-1) ?? "";
    expect((await api(`/reports/${best}`))["standing"]).toBeNull();
    const { db, clock } = service.app;
    await countStandings({ db, clock, signal: new AbortController().signal });
    const { standing } = (await api(`/reports/${best}`)) as { standing: Json };
    expect(standing).toMatchObject({
      single_core: { faster_than_percent: 95, reports: 20 },
      memory: { faster_than_percent: 0, reports: 20 },
      total: null,
      gameplay: null,
    });
    const anonymous = await service.request("GET", `/api/v1/reports/${best}`, { token: null });
    expect(anonymous.json["standing"]).toEqual(standing);
    expect(await textAt(`/reports/${best}`)).toContain("Single core519faster than 95 % of 20 reports");
    const custom = await made({ benchmark_mode: "custom" });
    expect((await api(`/reports/${custom}`))["standing"]).toBeNull();
  });
});
