import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textOf } from "../alerts/alerting.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";

let service: TestService;
let person: Visitor;
let path: string;
beforeAll(async () => {
  const now = Date.parse("2026-11-20T12:00:00.000Z");
  service = await startTestService({ clock: () => now });
  const owner = await service.account("pro");
  person = await signedIn(service, owner);
  path = `/servers/${(await service.server(owner)).id}`;
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const page = async (query = ""): Promise<string> => (await person.get(`${path}${query}`)).text;
const fields = {
  title: "Backup <1>",
  days: ["MON", "THU"],
  time: "02:30",
  schedule_cron: "",
  time_zone: "Europe/Berlin",
  duration_minutes: "90",
};
const idIn = (text: string): string => /\?edit_maintenance=([0-9a-f-]+)/.exec(text)?.[1] ?? "";

describe("recurring maintenance on the page of a server", () => {
  it("[OUR-MNT-06] is made of days, a time and a zone, and shown in words with its next window", async () => {
    expect(textOf(await page())).toContain("There is none. Recurring maintenance begins by itself");
    expect(await page("?new_maintenance")).toMatch(/<option value="America\/New_York"/);
    expect((await person.send(path, "create-recurring", fields)).status).toBe(303);
    const text = textOf(await page());
    expect(text).toContain("Backup <1>");
    expect(text).toContain("every Monday, Thursday at 02:30 (Europe/Berlin)");
    expect(text).toContain("2026-11-23 01:30");
  });

  it("[OUR-MNT-06] is refused with what was typed and ticked kept", async () => {
    const none = await person.send(path, "create-recurring", { ...fields, days: [] });
    expect(none.status).toBe(400);
    expect(textOf(none.text)).toContain("Choose at least one day and a time, or type a cron expression.");
    const wrong = await person.send(path, "create-recurring", {
      ...fields,
      days: ["SUN"],
      schedule_cron: "at noon",
      time_zone: "Asia/Tokyo",
    });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('value="at noon"');
    expect(wrong.text).toMatch(/value="SUN"[^>]*checked|checked[^>]*value="SUN"/);
    expect(wrong.text).toMatch(/<option[^>]*value="Asia\/Tokyo"[^>]*selected/);
  });

  it("[OUR-MNT-06] is changed, paused, resumed and deleted", async () => {
    const recurring_id = idIn(await page());
    const form = await page(`?edit_maintenance=${recurring_id}`);
    expect(form).toContain('value="02:30"');
    const monthly = { ...fields, recurring_id, schedule_cron: "0 4 1 * *", title: "Monthly" };
    expect(
      (await person.send(`${path}?edit_maintenance=${recurring_id}`, "change-recurring", monthly)).status,
    ).toBe(303);
    expect(textOf(await page())).toContain("Monthly 0 4 1 * * (Europe/Berlin), for 90 min");
    await person.send(path, "switch-recurring", { recurring_id, enabled: "no" });
    expect(textOf(await page())).toContain("paused");
    await person.send(path, "switch-recurring", { recurring_id, enabled: "yes" });
    expect(textOf(await page())).toContain("2026-12-01 03:00");
    expect((await person.send(path, "delete-recurring", { recurring_id })).status).toBe(303);
    expect(await page()).not.toContain("Monthly");
  });
});
