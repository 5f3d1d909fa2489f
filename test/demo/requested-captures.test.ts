import { expect, it } from "vitest";
import { serverSpecs } from "../../src/demo/fleet.ts";
import { simulatedFrom } from "../../src/demo/server-profile.ts";
import { startLiveFleet } from "../../src/demo/live.ts";
import type { DemoServer } from "../../src/demo/server.ts";
import { askForCapture } from "../../src/actions/server/ask-for-capture.ts";
import { getCaptureState } from "../../src/actions/server/get-capture-state.ts";
import { pluginClient } from "../../src/outbound/plugin-client.ts";
import { asPerson } from "../support/as-person.ts";
import { roomyPlans, rowsOf, startTestService } from "../support/service.ts";

it("[OUR-DEM-22] a simulated plugin uploads each requested capture once", async () => {
  const service = await startTestService({ plans: roomyPlans });
  const owner = await service.account("enterprise");
  const token = await service.token(owner);
  const { id, credential } = await service.server(owner);
  const spec = serverSpecs.find(({ life, account }) => life === "live" && account === "enterprise");
  if (!spec) throw new Error("The fleet has no live server.");
  const now = Date.now();
  const demoServer: DemoServer = {
    spec,
    id,
    authToken: credential,
    plugin: pluginClient(`http://127.0.0.1:${service.port}`, credential),
    simulated: simulatedFrom(spec.profile, now - 3_600_000),
  };
  const person = await asPerson(service, owner);
  for (const what of ["profile", "class_histogram"] as const)
    await person(askForCapture, { server_id: id, what });
  const failed: unknown[] = [];
  for (const offset of [0, 30_000]) {
    const fleet = await startLiveFleet(
      [demoServer],
      () => now + offset,
      (error) => failed.push(error),
    );
    await fleet.stop();
  }
  expect(failed).toEqual([]);
  const listed = async (what: string) =>
    rowsOf(await service.request("GET", `/api/v1/servers/${id}/${what}`, { token }));
  expect(await listed("profiles/summaries")).toMatchObject([{ summary: { trigger: "manual" } }]);
  expect(await listed("memory-reports")).toHaveLength(1);
  const state = await person(getCaptureState, { server_id: id });
  expect(state.asked_until).toEqual({ profile: null, class_histogram: null });
  expect(service.defects).toEqual([]);
  await service.close();
});
