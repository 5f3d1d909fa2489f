import { changePlan } from "../../../src/services/access/change-plan.ts";
import { insertTarget } from "../../../src/store/auto-bench/targets.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { targetOf } from "../../support/auto-bench-target.ts";
import { readHtml } from "../../support/html.ts";
import type { Json } from "../../support/payload.ts";
import { rowsOf, startTestService, type LinkedServer, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";
import { capitalised } from "../../../src/dashboard/words/capitalised.ts";
import { scheduleInWords } from "../../../src/dashboard/words/schedule.ts";
import { post } from "../alerts/alerting.ts";

let service: TestService;
let owner: Account;
let server: LinkedServer;
let token: string;
let visitor: Visitor;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

async function scene(plan: "free" | "pro" = "pro"): Promise<void> {
  owner = await service.account(plan);
  server = await service.server(owner, { name: "Lobby" });
  token = await service.token(owner);
  visitor = await signedIn(service, owner);
}

const targets = async (): Promise<Json[]> =>
  rowsOf(await service.request("GET", "/api/v1/auto-bench/targets", { token }));
const jobs = async (): Promise<Json[]> =>
  rowsOf(await service.request("GET", "/api/v1/auto-bench/jobs", { token }));
const text = async (path = "/auto-bench"): Promise<string> =>
  readHtml((await visitor.get(path)).text).text.replaceAll(/\s+/g, " ");

const create = (changes: Record<string, string> = {}) =>
  visitor.send("/auto-bench", "create", {
    server_id: server.id,
    name: "Nightly",
    benchmark_mode: "standard",
    runs_per_job: "2",
    schedule_cron: "30 4 * * *",
    notes: "",
    enabled: "on",
    ...changes,
  });

async function made(changes: Record<string, string> = {}): Promise<string> {
  expect((await create(changes)).status).toBe(303);
  return String((await targets())[0]?.["id"]);
}

describe("a target", () => {
  it("[OUR-TGT-01] [OUR-TGT-04] [OUR-TGT-05] is made by a form, and shown with its next run", async () => {
    await scene();
    expect(await text()).toContain("No target yet");
    const id = await made();
    const [target] = await targets();
    expect(target).toMatchObject({
      name: "Nightly",
      kind: "scheduled",
      server_id: server.id,
      enabled: true,
      runs_per_job: 2,
      schedule_cron: "30 4 * * *",
      next_run_at: expect.stringContaining("T04:30:00"),
    });
    const shown = await text();
    for (const part of ["Nightly", "Every day at 04:30", "04:30 UTC", "0 of the plan's 10 runs in 24 hours"])
      expect(shown).toContain(part);
    expect(await text(`/auto-bench/${id}`)).toContain("Delete the target");
  });

  it("[OUR-TGT-02] [OUR-TGT-05] is refused with what was typed", async () => {
    await scene();
    for (const [changes, words] of [
      [{ schedule_cron: "every night" }, "five fields"],
      [{ schedule_cron: "0,30 * * * *" }, "60 minutes apart"],
      [{ schedule_cron: "0 * * * *" }, "within the plan's 10 runs"],
      [{ name: " " }, "Takes "],
      [{ runs_per_job: "4" }, "Takes "],
    ] as const) {
      const { status, text: html } = await create(changes);
      expect([status, readHtml(html).text]).toEqual([400, expect.stringContaining(words)]);
      const [typed = ""] = Object.values(changes);
      expect(readHtml(html).attributes.some(([, value]) => value === typed)).toBe(true);
    }
    expect(await targets()).toEqual([]);
  });

  it("[OUR-TGT-01] of another account's server is 404, and so is another account's target", async () => {
    await scene();
    const id = await made();
    const foreign = server.id;
    await scene();
    expect((await create({ server_id: foreign })).status).toBe(404);
    expect((await visitor.get(`/auto-bench/${id}`)).status).toBe(404);
    expect((await visitor.send("/auto-bench", "run", { target: id })).status).toBe(404);
  });

  it("[OUR-TGT-02] needs a plan with auto-bench, and is one of a hundred at most", async () => {
    await scene("free");
    expect(await text()).toContain("does not include auto-bench");
    expect((await create()).status).toBe(403);
    await scene();
    const now = service.app.clock();
    for (let index = 0; index < 100; index += 1) {
      const id = service.app.secrets.newId(now);
      await service.app.db.write(
        insertTarget,
        targetOf({ id, accountId: owner.id, serverId: server.id }, now),
      );
    }
    expect((await create()).status).toBe(409);
  });

  it("[OUR-TGT-05] [OUR-TGT-06] is changed by a form", async () => {
    await scene();
    const id = await made();
    const changes = { name: "Weekly", schedule_cron: "0 5 * * MON", notes: "after the backup" };
    expect((await visitor.send(`/auto-bench/${id}`, "change", changes)).status).toBe(303);
    const changed = { ...changes, enabled: false, next_run_at: null, runs_per_job: 2 };
    expect((await targets())[0]).toMatchObject(changed);
  });

  it("[OUR-TGT-06] runs in another way once no job is in flight, and within the plan's runs", async () => {
    await scene();
    const id = await made({ runs_per_job: "1" });
    const place = `/auto-bench/${id}`;
    const asked = { name: "Nightly", schedule_cron: "30 4 * * *", enabled: "on" };
    const other = { ...asked, benchmark_mode: "stresslimit", runs_per_job: "3" };
    expect((await visitor.get(place)).text).toContain('name="runs_per_job"');
    await visitor.send(place, "run");
    const refused = await visitor.send(place, "change", other);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining("keeps the mode and the runs it started with"),
    ]);
    const named = { ...asked, benchmark_mode: "standard", runs_per_job: "1", name: "Meanwhile" };
    expect((await visitor.send(place, "change", named)).status).toBe(303);
    await visitor.send("/auto-bench", "cancel", { job: String((await jobs())[0]?.["id"]) });
    expect((await visitor.send(place, "change", other)).status).toBe(303);
    expect((await targets())[0]).toMatchObject({
      name: "Nightly",
      benchmark_mode: "stresslimit",
      runs_per_job: 3,
      next_run_at: expect.stringContaining("T04:30:00"),
    });
    const often = { ...other, schedule_cron: "0 0,6,12,18 * * *" };
    const many = await visitor.send(place, "change", often);
    expect([many.status, many.text]).toEqual([400, expect.stringContaining("this one needs 12")]);
    expect((await visitor.send(place, "change", { ...often, runs_per_job: "2" })).status).toBe(303);
    expect((await visitor.send(place, "change", { ...often, runs_per_job: "4" })).status).toBe(400);
  });

  it("[OUR-TGT-07] under a plan that lapsed is shown as not launched", async () => {
    await scene();
    const id = await made();
    await service.app.db.write(changePlan, owner.id, "free", service.app.clock());
    for (const path of ["/auto-bench", `/auto-bench/${id}`]) {
      const shown = await text(path);
      expect(shown).toContain("On, but the plan launches no runs");
      for (const part of ["next in", "Run now", "Save"]) expect(shown).not.toContain(part);
    }
    const refused = await post({ service }, visitor, `/auto-bench/${id}`, "change", { name: "Other" });
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining("does not include auto-bench"),
    ]);
    expect((await targets())[0]).toMatchObject({ name: "Nightly" });
  });
});

it("[OUR-DSH-06] the refusal of a form that left its page is shown at the top of the page", async () => {
  await scene();
  const id = await made();
  await visitor.send("/auto-bench", "run", { target: id });
  for (const [path, fields] of [
    ["/auto-bench", { target: id }],
    [`/auto-bench/${id}`, {}],
  ] as const) {
    const { status, text: html } = await visitor.send(path, "run", fields);
    expect([path, status]).toEqual([path, 409]);
    expect(html.match(/role="alert"/g)).toHaveLength(1);
    expect(html).toMatch(
      /<main[^>]*><p class="notice bad" role="alert" tabindex="-1" autofocus>A job of this target is in progress/,
    );
  }
  const again = await create({ name: " " });
  expect(again.text.match(/role="alert"/g)).toHaveLength(1);
  expect(again.text).not.toMatch(/<main[^>]*><p class="notice bad"/);
});

describe("jobs", () => {
  it("[OUR-TGT-03] [OUR-TGT-04] [OUR-TGT-05] run, are cancelled, and stay when their target goes", async () => {
    await scene();
    const id = await made();
    expect((await visitor.send("/auto-bench", "run", { target: id })).status).toBe(303);
    const [job] = await jobs();
    expect(await text()).toContain("Waits for a runner");
    expect(await text()).toContain("2 of the plan's 10 runs");
    const refused = await visitor.send(`/auto-bench/${id}`, "delete");
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("in progress")]);
    const cancelled = await visitor.send("/auto-bench", "cancel", { job: String(job?.["id"]) });
    expect(cancelled.status).toBe(303);
    expect(await text()).toContain("Cancelled");
    expect((await visitor.send(`/auto-bench/${id}`, "delete")).headers["location"]).toBe("/auto-bench");
    expect(await targets()).toEqual([]);
    expect((await jobs()).map((row) => row["id"])).toEqual([job?.["id"]]);
    expect((await visitor.get(`/auto-bench/${id}`)).status).toBe(404);
    expect(await text()).toContain("a deleted target");
  });
});

it.each([
  ["30 4 * * *", "Every day at 04:30"],
  ["0 5 * * MON", "Every Monday at 05:00"],
  ["5 17 * * 0", "Every Sunday at 17:05"],
  ["5 17 * * 7", "Every Sunday at 17:05"],
  ["30 2 * * MON,5", "Every Monday, Friday at 02:30"],
  ["0 0,12 * * *", null],
  ["30 4 1 * *", null],
  ["30 4 * * MON-FRI", null],
])("[OUR-TGT-08] the schedule %s is shown as %s", (cron, words) => {
  const shown = scheduleInWords(cron);
  expect(shown && capitalised(shown)).toBe(words);
});
