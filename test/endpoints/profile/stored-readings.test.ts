import { afterAll, beforeAll, expect, it } from "vitest";
import type { Executor } from "../../../src/documents/executor.ts";
import { memoryPayload, profilePayload } from "../../support/captures.ts";
import { onThisThread } from "../../support/on-this-thread.ts";
import { roomyPlans, startTestService, type LinkedServer, type TestService } from "../../support/service.ts";
import { signedIn } from "../../support/visitor.ts";
import { forgetReadings } from "./capturing.ts";

/** Names of the jobs that were run since they were last taken. */
let jobs: string[] = [];
const taken = (): string[] => jobs.splice(0);
const executor: Executor = {
  ...onThisThread,
  run: (job) => {
    jobs.push(job.name);
    return onThisThread.run(job);
  },
};

let service: TestService;
let server: LinkedServer;
let token: string;
beforeAll(async () => {
  jobs = [];
  service = await startTestService({ executor, plans: roomyPlans });
  server = await service.server(await service.account("pro"));
  token = await service.token(server.owner);
});
afterAll(() => service.close());

const upload = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
  const { status, json, text } = await service.request("POST", `/plugin/v1${path}`, {
    token: server.credential,
    body,
  });
  expect([status, text]).toEqual([201, text]);
  return json;
};
const read = async (path: string): Promise<string> => {
  const { status, text } = await service.request("GET", `/api/v1/servers/${server.id}${path}`, { token });
  expect([status, text]).toEqual([200, text]);
  return text;
};

it("[OUR-RDG-04] a profile is read once at its upload; of one without stored readings the first reader has them made", async () => {
  const id = String((await upload("/profiles", profilePayload()))["profile_id"]);
  expect(taken()).toEqual(["readProfile"]);
  const detail = await read(`/profiles/${id}`);
  expect([await read(`/profiles/${id}`), taken()]).toEqual([detail, []]);

  await forgetReadings(service, id);
  expect([await read(`/profiles/${id}`), taken()]).toEqual([detail, ["profileReadings"]]);
  expect([await read(`/profiles/${id}`), taken()]).toEqual([detail, []]);
  const ofOwner = JSON.parse(await read(`/profiles/${id}?owner=server`)) as { detail: object };
  expect(ofOwner.detail).toMatchObject({ owner_filter: { matched: "server" } });
  expect(taken()).toEqual(["profileOfOwner"]);
});

it("[OUR-RDG-04] so is a memory report, and the picture of a profile on its page", async () => {
  const report = String((await upload("/memory-reports", memoryPayload()))["id"]);
  expect(taken()).toEqual(["readMemoryReport"]);
  const diagnosis = await read(`/memory-reports/${report}`);
  expect(taken()).toEqual([]);
  await forgetReadings(service, report);
  expect([await read(`/memory-reports/${report}`), taken()]).toEqual([diagnosis, ["memoryDiagnosis"]]);
  expect([await read(`/memory-reports/${report}`), taken()]).toEqual([diagnosis, []]);

  const id = String((await upload("/profiles", profilePayload()))["profile_id"]);
  const visitor = await signedIn(service, server.owner);
  const shown = async () => (await visitor.get(`/servers/${server.id}/profiles/${id}`)).text;
  const frames = (page: string) => page.match(/example\.shop\.[\w.]+/g);
  taken();
  const page = await shown();
  expect(frames(page)?.length).toBeGreaterThan(0);
  expect(taken()).toEqual([]);
  await forgetReadings(service, id);
  expect([frames(await shown()), taken()]).toEqual([frames(page), ["profileReadings"]]);
  expect([frames(await shown()), taken()]).toEqual([frames(page), []]);
});
