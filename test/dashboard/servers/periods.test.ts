import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dayMs, handClock, hourMs, minuteMs } from "../../support/clock.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";
import { textOf } from "../alerts/alerting.ts";
import { playedServer, type Played } from "./played-server.ts";

const clock = handClock(Date.parse("2026-11-20T00:00:00.000Z"));
const stepMs = 5 * minuteMs;
let service: TestService;
let person: Visitor;
let server: Played;
let empty: Played;

beforeAll(async () => {
  service = await startTestService({ clock: clock.now });
  const owner = await service.account("pro");
  person = await signedIn(service, owner);
  server = await playedServer(service, owner, "Lobby");
  empty = await playedServer(service, owner, "Empty");
  const now = clock.now();
  const samples = Array.from({ length: (14 * dayMs) / stepMs }, (_, index) => {
    const at = now - 14 * dayMs + index * stepMs;
    const level = (at < now - 7 * dayMs ? 20 : 30) + (Math.floor(at / dayMs) % 5) / 10;
    return { at, mspt: level, player_count: (at % dayMs) / hourMs >= 20 ? 9 : 7 };
  });
  for (let from = 0; from < samples.length; from += 1000)
    await server.samples(samples.slice(from, from + 1000));
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const page = async (query = "", expected = 200, id = server.id): Promise<string> => {
  const { status, text } = await person.get(`/servers/${id}/periods${query}`);
  expect(status).toBe(expected);
  return text;
};

describe("the page of periods", () => {
  it("[OUR-HPG-08] compares the last week with the one before, with difference and interval", async () => {
    const html = await page();
    const words = textOf(html);
    expect(words).toContain("Worse in the later period: MSPT.");
    expect(words).toContain(
      "Earlier: 2026-11-06 00:00 UTC to 2026-11-13 00:00 UTC. Later: 2026-11-13 00:00 UTC to 2026-11-20 00:00 UTC.",
    );
    expect(words).toMatch(
      /MSPT worse 20\.3 ms 30\.1 ms \+ 9\.9 ms \+ 48\.8 % with as many players 9\.7 to 10\.2 ms 99\.3 %; less than 1\.51 ms does not count/,
    );
    expect(html).toMatch(/state bad[\s\S]*?worse/);
    // What nobody measured has no row.
    expect(words).not.toContain("Pause time of garbage collection");
    expect(html).toMatch(/name="base_last" type="date" value="2026-11-12"/);
    expect(html).toMatch(/name="target_last" type="date" value="2026-11-19"/);
  });

  it("[OUR-HPG-08] shows what cannot be told in the same place, with the reason", async () => {
    const words = textOf(await page("?target_first=2026-11-18&target_last=2026-11-19"));
    expect(words).toMatch(/MSPT cannot tell within the noise of these days/);
    expect(words).toContain("These periods do not tell whether anything differs.");
    expect(words).toContain("The periods do not have the same days of the week.");
  });

  it("[OUR-CPR-90] [OUR-HPG-08] a day against a day is a preliminary word, with its hours and its noise", async () => {
    const words = textOf(
      await page(
        "?base_first=2026-11-12&base_last=2026-11-12&target_first=2026-11-13&target_last=2026-11-13",
      ),
    );
    expect(words).toContain("Worse so far in the later period: MSPT.");
    expect(words).toMatch(/MSPT worse so far/);
    expect(words).toContain("So far: 24 h of the same hours, noise of 6 days before");
    expect(words).toMatch(/40 ms at least 7 players/);
  });

  it("[OUR-HPG-09] draws a figure by hour, and has its hours and player bands in tables", async () => {
    const html = await page();
    const drawn = JSON.parse(
      (/data-hours="([^"]*)"/.exec(html)?.[1] ?? "null").replaceAll("&quot;", '"'),
    ) as { unit: string; nominal: number; base: number[]; target: number[] };
    expect([drawn.unit, drawn.nominal, drawn.base.length, drawn.target.length]).toEqual(["ms", 50, 24, 24]);
    expect(drawn.base[0]).toBeCloseTo(20.3, 1);
    const words = textOf(html);
    expect(words).toMatch(/23:00 20\.\d ms 30\.\d ms/);
    expect(words).toMatch(/5 to 9 players 20\.3 ms 7 days 30\.1 ms 7 days/);
    expect(words).toMatch(/40 ms at least 7 players/);
    expect(textOf(await page("?field=player_count"))).toContain("Players: the median of each hour");
    expect(textOf(await page("?field=nonsense"))).toContain("MSPT: the median of each hour");
  });

  it("[OUR-HPG-09] shows nothing as 0 where nothing was measured", async () => {
    const words = textOf(await page("", 200, empty.id));
    expect(words).toContain("Nothing was measured in these periods.");
    expect(words).not.toContain("Hour of the day");
  });

  it("[OUR-HPG-09] says of each period why it has no capacity, and once where the reason is the same", async () => {
    expect(textOf(await page())).toContain(
      "Only lower bounds are known: it takes 3 player bands with 5 days each.",
    );
    const words = textOf(
      await page(
        "?base_first=2026-10-24&base_last=2026-10-30&target_first=2026-11-13&target_last=2026-11-19",
      ),
    );
    expect(words).toContain("Earlier period: Tick times were not measured.");
    expect(words).toContain(
      "Later period: Only lower bounds are known: it takes 3 player bands with 5 days each.",
    );
  });

  it("[OUR-HPG-10] explains periods that cannot be compared", async () => {
    const overlap =
      "?base_first=2026-11-10&base_last=2026-11-15&target_first=2026-11-15&target_last=2026-11-16";
    expect(textOf(await page(overlap, 400))).toContain("The two periods overlap.");
    // The plan shows 30 days.
    const old = "?base_first=2026-09-01&base_last=2026-09-07&target_first=2026-11-13&target_last=2026-11-19";
    expect(textOf(await page(old, 400))).toContain("The account's plan shows the last 30 days.");
    expect(textOf(await page("?target_first=%3Cb%3E", 400))).toContain("are dates such as");
  });
});
