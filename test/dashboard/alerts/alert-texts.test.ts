import { describe, expect, it } from "vitest";
import { corpus, fits, hasCorpus } from "../../support/corpus.ts";
import { reportedStrings } from "../../support/hostile-names.ts";
import { roomyPlans, rowsOf, type Json } from "../../support/service.ts";
import { alertPages, elementsOf } from "./alerting.ts";

const minuteMs = 60_000;

describe("texts of others", () => {
  it.skipIf(!hasCorpus)("[OUR-ALP-07] make no element, wherever they stand", async () => {
    const scene = await alertPages({ plans: roomyPlans });
    const { service, owner, visitor, events, server, rules } = scene;
    const token = await service.token(owner);
    const hostile = [
      '<img src=x onerror="alert(1)">',
      "</title><script>alert(1)</script>",
      "'\"><svg/onload=alert(1)>",
      "&lt;b&gt;",
      "<a href=javascript:alert(1)>x</a>",
      "{{7*7}}${7*7}<!--",
      "]]><x>",
      ...reportedStrings,
      ...corpus("third_party_text").slice(0, 60),
    ];
    const names = hostile.filter(
      (text) => fits(text, 80) && !/[^\P{Cc}\n\t]/u.test(text) && text.trim() !== "",
    );
    let worst = 0;
    let pages = 0;
    /** How many elements pages have; with `plain` set against the same pages with a harmless text in the place. */
    const compare = async (paths: readonly string[], plain: readonly number[] | null): Promise<number[]> => {
      const counts: number[] = [];
      for (const path of paths) counts.push(elementsOf((await visitor.get(path)).text));
      pages += plain ? counts.length : 0;
      for (const [index, count] of plain ? counts.entries() : [])
        worst = Math.max(worst, Math.abs(count - (plain?.[index] ?? 0)));
      return counts;
    };
    const api = (method: string, path: string, body?: Json) =>
      service.request(method, `/api/v1${path}`, { token, ...(body && { body }) });
    const watch = {
      metric: "tps",
      condition: "below",
      threshold: 18,
      duration_minutes: 0,
      cooldown_minutes: 0,
    };
    const made = await api("POST", `/servers/${server.id}/alert-rules`, { name: "first", ...watch });
    const rule = String(made.json["id"]);
    const newest = async (query: string): Promise<string> =>
      String(rowsOf(await api("GET", `/alert-events?${query}&limit=1`))[0]?.["id"]);
    /** Every page that shows the rule's or the server's name, an alert of that name being open. */
    const pagesOf = async (name: string): Promise<string[]> => {
      await api("PATCH", `/alert-rules/${rule}`, { name, enabled: false });
      await api("PATCH", `/alert-rules/${rule}`, { enabled: true });
      await api("PATCH", `/servers/${server.id}`, { name });
      // Five openings within an hour would be flapping, which the page says.
      scene.clock.now += 20 * minuteMs;
      await scene.beat({ tps: 3 });
      const found = new URLSearchParams({ rule_name: name });
      return [
        rules,
        `${rules}?edit=${rule}`,
        `/alerts?${found}`,
        `/alerts/${await newest("kind=threshold")}`,
      ];
    };
    // The preview beside the form of a rule lists five alerts, and counts those before them.
    for (let opened = 0; opened < 7; opened += 1) await pagesOf("first");
    const plain = await compare(await pagesOf("plain"), null);
    for (const name of new Set(names)) await compare(await pagesOf(name), plain);

    // Event titles and types are the plugin's: control characters and all.
    await visitor.send(rules, "create-event-rule", {
      preset: "own",
      event_types: "",
      name: "Everything",
      cooldown_minutes: "0",
      notify_in_app: "on",
    });
    const titles = hostile.filter((text) => fits(text, 500));
    const event = (title: string, index: number) => ({
      local_id: `e-${index}`,
      type: fits(title, 64) ? title : "x",
      category: "custom",
      source: fits(title, 64) ? title : "x",
      severity: "info",
      title,
    });
    await events(event("harmless", -1));
    const plainPage = await compare([`/alerts/${await newest("kind=event")}`], null);
    for (const [index, title] of titles.entries()) {
      scene.clock.now += 1000;
      await events(event(title, index));
      await compare([`/alerts/${await newest("kind=event")}`], plainPage);
    }
    for (const path of ["/alerts", "/notices", rules]) {
      const { text } = await visitor.get(path);
      expect(text).not.toMatch(/<(img|svg\/|x>|b>)|onerror="|onload=alert\(1\)>|<script>alert/i);
    }
    console.log(
      `${names.length} names and ${titles.length} titles on ${pages} pages: ${worst} elements more or less`,
    );
    expect(names.length).toBeGreaterThan(20);
    expect(worst).toBe(0);
    expect(service.defects).toEqual([]);
    await service.close();
  });
});
