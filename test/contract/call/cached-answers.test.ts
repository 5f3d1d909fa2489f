import { afterAll, beforeAll, expect, it } from "vitest";
import { updateTokenUsed } from "../../../src/store/access/tokens.ts";
import { exampleSample } from "../../../src/endpoints/api/server/example-sample.ts";
import { rehearseUnits } from "../../support/rehearsal.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const now = { ms: Date.now() };
let service: TestService;
beforeAll(async () => {
  // A unit that is run twice is not answered from an earlier read.
  rehearseUnits([]);
  service = await startTestService({ clock: () => now.ms });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

it("[OUR-STO-70] a status that was read before tells of a heartbeat, and of a body that was refused", async () => {
  const owner = await service.account("pro");
  const { id, credential } = await service.server(owner);
  const token = await service.token(owner);
  const step = async (): Promise<unknown> => {
    const { json } = await service.request("GET", `/api/v1/servers/${id}/status`, { token });
    return (json["monitoring"] as Record<string, unknown>)["plugin_step"];
  };
  const send = (body: object) => {
    now.ms += 20_000;
    return service.request("POST", "/plugin/v1/heartbeat", { token: credential, body });
  };
  expect([await step(), await step()]).toEqual(["never", "never"]);
  const at = new Date(now.ms + 20_000).toISOString();
  const sample = { ...exampleSample, sampled_at: at };
  const beat = { sent_at: at, plugin_version: "1.10.2", last_tick_age_ms: 20, sample };
  expect(await send(beat)).toMatchObject({ status: 200 });
  expect([await step(), await step()]).toEqual(["receiving", "receiving"]);
  expect((await send({ sample: "none" })).status).toBe(400);
  expect([await step(), await step()]).toEqual(["rejected", "rejected"]);
});

it("[OUR-STO-70] the last use of a token is written once a minute, however many calls read it meanwhile", async () => {
  const token = await service.token(await service.account("pro"));
  const { db } = service.app;
  const { writeRelaxed } = db;
  let written = 0;
  const counting: typeof writeRelaxed = (work, ...values) => {
    if ((work as unknown) === updateTokenUsed) written += 1;
    return writeRelaxed(work, ...values);
  };
  Object.assign(db, { writeRelaxed: counting });
  for (const seconds of [0, 0, 0, 30, 31, 0]) {
    now.ms += seconds * 1000;
    expect((await service.request("GET", "/api/v1/token", { token })).status).toBe(200);
  }
  Object.assign(db, { writeRelaxed });
  expect(written).toBe(2);
});
