import { afterAll, beforeAll, expect, it } from "vitest";
import { roomyPlans } from "../../support/service.ts";
import { int, message } from "../../support/protobuf-writer.ts";
import { source, sparkFile } from "../../support/spark-file.ts";
import { alertPages, idAfter, textOf, type AlertPages } from "./alerting.ts";

let scene: AlertPages;
beforeAll(async () => {
  scene = await alertPages({ plans: roomyPlans });
});
afterAll(async () => {
  expect(scene.service.defects).toEqual([]);
  await scene.service.close();
});

/** A minute of spark that ends now, of ticks over 50 ms. */
const recorded = (): Buffer =>
  Buffer.from(
    sparkFile({
      startMs: scene.clock.now - 60_000,
      endMs: scene.clock.now,
      metadata: [source("stalls", "<b>Stalls</b>"), message(5, int(1, 1), int(3, 50), int(4, 9))],
      threads: [{ calls: [{ method: "ms.Shop.sort", ms: 2000 }] }],
      classSources: { "ms.Shop": "<b>Stalls</b>" },
    }),
  );

const upload = (query: string) =>
  scene.service.request("POST", `/plugin/v1/profiles${query}`, {
    token: scene.server.credential,
    body: recorded(),
    headers: { "content-type": "application/x-spark-sampler" },
  });

it("[OUR-DSH-152] [OUR-PLG-16] a profile of a lag stands beside the alert, and is one of a lag in every answer", async () => {
  const { visitor, rules, beats, server, service, owner } = scene;
  await visitor.send(`${rules}?metric=mspt`, "create-rule", {
    metric: "mspt",
    name: "Slow ticks",
    condition: "above",
    threshold: "50",
    duration_minutes: "5",
    notify_in_app: "on",
  });
  await beats(4, { mspt: 20, tps: 20 });
  expect((await upload("")).status).toBe(201);
  await beats(8, { mspt: 71.5, tps: 14 });
  const id = idAfter((await visitor.get("/alerts")).text, "/alerts/");
  expect((await visitor.get(`/alerts/${id}`)).text).not.toContain("Profiles recorded meanwhile");

  const stored = await upload("?trigger=lag");
  const profile = String(stored.json["profile_id"]);
  const page = (await visitor.get(`/alerts/${id}`)).text;
  expect(page).toContain(`/servers/${server.id}/profiles/${profile}`);
  expect(textOf(page)).toMatch(
    /Profiles recorded meanwhile 2026-11-20 08:12(:00)?( UTC)? , recorded because the server lagged: <b>Stalls<\/b> has the largest share of all plugins \( 100\.00 % of its own\)/,
  );
  const token = await service.token(owner);
  const get = async (path: string) => (await service.request("GET", `/api/v1${path}`, { token })).json;
  expect(await get(`/servers/${server.id}/profiles/${profile}`)).toMatchObject({
    trigger: "lag",
    detail: { trigger: "lag", lag: { slow_ticks: 9 } },
  });
  expect(await get("/monitoring/profiles?trigger=lag")).toMatchObject({ data: [{ profile_id: profile }] });
  expect(await get("/monitoring/profiles?trigger=import")).toMatchObject({ data: [{ trigger: "import" }] });
});

it("[OUR-PLG-16] another trigger of a file is refused by its name", async () => {
  for (const query of ["?trigger=manual", "?trigger=", "?triggers=lag"]) {
    const { status, json } = await upload(query);
    expect([query, status, json["error"]]).toEqual([query, 400, "validation_error"]);
  }
});
