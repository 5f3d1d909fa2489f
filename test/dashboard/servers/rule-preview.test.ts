import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lateSentence } from "../../../src/dashboard/words/rule-preview.ts";
import { examplePreview } from "../../../src/endpoints/api/alert/example-preview.ts";
import { alertPages, textOf, type AlertPages } from "../alerts/alerting.ts";

let scene: AlertPages;
let source: string;
beforeAll(async () => {
  scene = await alertPages();
  source = `${scene.rules}/preview`;
});
afterAll(async () => {
  expect(scene.service.defects).toEqual([]);
  await scene.service.close();
});

const shown = async (path: string, expected = 200): Promise<string> => {
  const { status, text } = await scene.visitor.get(path);
  expect(status).toBe(expected);
  return text;
};

/** The pieces of a page that the script of the form replaces. */
const piecesOf = (html: string): string =>
  textOf(/<div role="status" data-preview-part="sentence">[\s\S]*/.exec(html)?.[0] ?? "");

describe("the preview of an alert rule", () => {
  it("[OUR-HPG-07] states that nothing was measured, and asks for a threshold", async () => {
    expect(piecesOf(await shown(`${scene.rules}?metric=mspt`))).toContain(
      "Nothing was measured in the last 7 days",
    );
    expect(piecesOf(await shown(`${scene.rules}?metric=player_count`))).toContain("Type a threshold");
    expect(piecesOf(await shown(source))).toContain("Type a threshold");
  });

  it("[OUR-HPG-06] [OUR-HPG-13] stands beside the form of a new rule, with the values of the form", async () => {
    await scene.beats(10, { mspt: 20, tps: 20 });
    await scene.beats(12, { mspt: 70, tps: 14 });
    await scene.beats(10, { mspt: 20, tps: 20 });
    const html = await shown(`${scene.rules}?metric=mspt`);
    const words = piecesOf(html);
    expect(words).toMatch(
      /This rule would have fired once since 2026-11-20 08:00:30 UTC, when its measurements begin\. It would have been in alert for \d+ min/,
    );
    expect(words).toContain(
      "Each channel would have sent 2 messages: 1 at the start of an alert, 1 at its end.",
    );
    expect(words).toMatch(/2026-11-20 08:15 UTC \d+ min.* 70 ms yes/);
    expect(html).toContain("rule-preview.js");
    expect(html).toMatch(
      /data-rule-history="[^"]+".*<svg class="still".*class="nominal".*data-alerts="\[\[\d+,\d+\]\]"/s,
    );
    expect(html).toContain(`data-preview="${source}?metric=mspt&amp;beside=form"`);
    const own = /href="([^"]*rules\/preview[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(piecesOf(await shown(own))).toContain("This rule would have fired once");
  });

  it("[OUR-HPG-06] follows what the address asks for, and an offline rule has no threshold", async () => {
    const at = (query: string) => shown(`${source}?${query}`).then(piecesOf);
    expect(await at("metric=mspt&condition=above&threshold=90")).toContain("would not have fired");
    expect(await at("metric=mspt&condition=above&threshold=50&duration_minutes=30")).toContain(
      "would not have fired",
    );
    expect(await at("metric=tps&condition=below&threshold=18&duration_minutes=0")).toContain("fired once");
    const offline = await at("metric=offline&duration_minutes=0&condition=above&threshold=5");
    expect(offline).toContain("would not have fired");
    expect(offline).toContain("Stops that the server announced are not on record");
  });

  it("[OUR-ALR-91] [OUR-HPG-06] judges measurements that came late, and says what live evaluation knew", () => {
    const late = { ...examplePreview, late_samples: 40, episodes_total: 2 };
    const none = { episodes_total: 0, minutes_in_alert: 0 };
    expect(lateSentence(examplePreview)).toBeNull();
    expect(lateSentence({ ...late, live_would_have_seen: none })).toBe(
      "40 measurements came later than made. By those that came in time, this rule would not have fired.",
    );
    expect(lateSentence({ ...late, late_samples: 1 })).toBe(
      "1 measurement came later than made. By those that came in time, this rule would have fired 2 times.",
    );
  });

  it("[OUR-HPG-07] explains a refused draft in the words of the form", async () => {
    const html = await shown(`${source}?metric=tps&condition=below&threshold=25`, 400);
    expect(piecesOf(html)).toContain("The threshold is a number from 0 to 20.");
    for (const wrong of ["threshold=x", "threshold=5&duration_minutes=-1", "threshold=5&cooldown_minutes=x"])
      expect(piecesOf(await shown(`${source}?metric=tps&condition=below&${wrong}`, 400))).not.toContain("_");
  });

  it("[OUR-HPG-06] is of the edited rule, and of what was typed when it is refused", async () => {
    const fields = { name: "Slow", metric: "mspt", condition: "above", threshold: "90" };
    expect((await scene.visitor.send(scene.rules, "create-rule", fields)).status).toBe(303);
    const list = await shown(scene.rules);
    const edit = /href="(\?edit=[^#"]*)/.exec(list)?.[1] ?? "";
    expect(piecesOf(await shown(scene.rules + edit))).toContain("would not have fired");
    const refused = await scene.visitor.send(`${scene.rules}?metric=mspt`, "create-rule", {
      ...fields,
      threshold: "50",
      duration_minutes: "0",
      cooldown_minutes: "5000",
    });
    expect(refused.status).toBe(400);
    expect(piecesOf(refused.text)).toContain("whole numbers of minutes from 0 to 1440");
  });
});
