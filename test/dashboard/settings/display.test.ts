import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";

const path = "/settings/display";
// In Berlin it is an hour later in winter.
const now = Date.parse("2026-11-20T12:05:00.000Z");
let service: TestService;
let person: Visitor;
beforeAll(async () => {
  service = await startTestService({ clock: () => now });
  person = await signedIn(service, await service.account("pro"));
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const html = async (visitor = person): Promise<string> => (await visitor.get(path)).text;

it("[OUR-DSH-14] theme, time zone and clock are chosen for the browser", async () => {
  expect(await html()).toContain("2026-11-20 12:05 UTC");
  expect(await html()).toContain('data-theme="system"');
  const saved = await person.send(path, "save-display", {
    theme: "dark",
    zone: "Europe/Berlin",
    clock: "24",
  });
  expect([saved.status, saved.headers["location"]]).toEqual([303, `${path}?after=saved`]);
  expect(await html()).toMatch(/2026-11-20 13:05 (CET|GMT\+1)/);
  expect(await html()).toContain('data-theme="dark"');
  await person.send(path, "save-display", { theme: "light", zone: "America/New_York", clock: "12" });
  expect(await html()).toMatch(/2026-11-20 7:05 am (EST|GMT-5)/);
  const refused = await person.send(path, "save-display", { theme: "dark", zone: "Mars/Base", clock: "24" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("This time zone is not known");
});

it("[OUR-DSH-14] as the browser: its script says the zone, and what is no zone is UTC", async () => {
  await person.send(path, "save-display", { theme: "system", zone: "browser", clock: "24" });
  person.cookies.set("tickmark_zone", "Asia%2FTokyo");
  expect(await html()).toMatch(/2026-11-20 21:05 (JST|GMT\+9)/);
  // A browser may know a zone by another name than this list.
  person.cookies.set("tickmark_zone", "Asia%2FKolkata");
  expect(await html()).toMatch(/2026-11-20 17:35 (IST|GMT\+5:30)/);
  for (const zone of ["Mars%2FBase", "%22%3E%3Cb%3E", "__proto__", "%00"]) {
    person.cookies.set("tickmark_zone", zone);
    expect(await html()).toContain("2026-11-20 12:05 UTC");
  }
  person.cookies.set("tickmark_display", "theme=%3Cb%3E&clock=13&zone=x");
  expect(await html()).toContain(
    'data-theme="system" data-zone="UTC" data-zone-choice="browser" data-clock="24"',
  );
});

it("[OUR-DSH-14] numbers are written as the browser's language writes them", async () => {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const locale = async (language: string) => {
    const answer = await service.request("GET", path, { headers: { cookie, "accept-language": language } });
    return /data-locale="([^"]*)"/.exec(answer.text)?.[1];
  };
  expect(await locale("de-DE,de;q=0.9,en;q=0.8")).toBe("de-DE");
  expect(await locale("xx,fr;q=0.5")).toBe("fr");
  for (const language of ["", "*", "en-US-x-long", '"><b>', "a".repeat(10_000)])
    expect(await locale(language)).toBe("en");
});
