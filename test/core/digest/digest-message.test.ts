import { describe, expect, it } from "vitest";
import { digestMessage } from "../../../src/core/digest/digest-message.ts";
import { weekFindings } from "../../../src/core/digest/week-findings.ts";
import { change, day, factsOf, hour, server, turn, unmeasured, upAllWeek, week } from "./digest-facts.ts";

const down = server(1, {
  name: "Lobby",
  verdict: "down",
  since: "2026-11-23T07:21:48.000Z",
  reasons: ["server_down"],
  headline: {
    code: "server_down",
    text: "The server has sent nothing since 2026-11-23 07:21:48 UTC, and announced no stop.",
  },
  availability: { ...upAllWeek, percent: 99.61, up_seconds: 602_500, down_seconds: 2300, incidents: 2 },
  step: "start_server",
});
const slow = server(2, {
  name: "Survival",
  verdict: "degraded",
  since: "2026-11-22T18:05:00.000Z",
  reasons: ["slower_than_usual"],
  headline: {
    code: "slower_than_usual",
    text: "Ticks take 46.1 ms; with 20 to 39 players this server usually needs 21.4 ms (p98 31.0).",
  },
  step: "capture_profile",
});
const fleet = factsOf([down, slow, server(3, { name: null, verdict: "unknown", availability: unmeasured })], {
  openAlerts: 1,
  turns: [
    turn(2, "degraded", ["slower_than_usual", "tick_spikes"], 14 * hour),
    turn(1, "critical", ["tick_over_budget"], 3 * day),
  ],
  changes: [
    change(
      "Survival",
      { kind: "plugin_updated", subject: "MarketStalls", from: "1.4", to: "1.5" },
      14 * hour,
    ),
    change(null, { kind: "setting_changed", subject: "view-distance", from: 10, to: 16 }, 2 * day),
  ],
  alerts: { count: 14, rules: 2, noisiest: { name: "Low TPS", serverName: "Survival", alerts: 12 } },
});

describe("a digest", () => {
  it("[OUR-DIG-10] [OUR-DIG-11] [OUR-DIG-20] as a mail", () => {
    expect(digestMessage(fleet, "email")).toEqual({
      title: "Weekly digest: 1 of 3 servers down, 1 with problems",
      lines: [
        "The week from 2026-11-16 08:00 to 2026-11-23 08:00 UTC.",
        "Now: 1 down, 1 degraded, 1 unknown.",
        "Availability: 99.8 % on 2 servers, 2 incidents; not measured on 1 server.",
        "",
        "Servers, the worst first",
        "- Lobby: down since 2026-11-23 07:21 UTC. The server has sent nothing since 2026-11-23 07:21:48 UTC, and announced no stop. Available 99.61 %, 2 incidents, down for 38 min 20 s.",
        "- Survival: degraded since 2026-11-22 18:05 UTC. Ticks take 46.1 ms; with 20 to 39 players this server usually needs 21.4 ms (p98 31.0). Available 100 %.",
        "- A server without a name: unknown. Nothing is wrong. Ticks take 11.2 ms of the 50 ms they have (median of 15 min). Its availability was not measured.",
        "",
        "Findings of the week",
        "- The server sends nothing: 1 server, still",
        "- Ticks take too long: 1 server, over",
        "- Ticks take longer than usual: 1 server, still",
        "- Single ticks take very long: 1 server, over",
        "",
        "What changed (UTC)",
        "- 2026-11-22 18:00, Survival: Plugin or mod updated: MarketStalls, 1.4 to 1.5",
        "- 2026-11-21 08:00, a server without a name: Setting changed: view-distance, 10 to 16",
        "",
        "Alerts of the week",
        "- 14 alerts of 2 rules were opened.",
        "- The noisiest rule: Low TPS, on Survival, 12 alerts.",
        "- Open now: 1 alert.",
        "",
        "Next steps",
        "- Lobby: Start the server on its machine.",
        "- Survival: Capture a profile.",
        "- Low TPS: Try another threshold in the preview of the rule.",
        "",
        "Switch this digest off, or read it in the browser, under Settings, Notifications:",
      ],
      link: "/settings/notifications",
      tone: "bad",
    });
  });

  it("[OUR-DIG-20] as a chat message says how it is switched off, and leads to the whole of it", () => {
    const { lines, link } = digestMessage(fleet, "chat");
    expect([lines.at(-1), link]).toEqual([
      "Switch this digest off under Settings, Notifications.",
      "/digest",
    ]);
  });

  it("[OUR-DIG-10] of a calm week says that nothing is wrong", () => {
    const { title, lines, tone } = digestMessage(factsOf([server(1), server(2)]), "email");
    expect([title, tone]).toEqual(["Weekly digest: nothing is wrong with 2 servers", "good"]);
    expect(lines).toEqual(
      expect.arrayContaining([
        "Now: 2 healthy.",
        "Availability: 100 % on 2 servers, 0 incidents.",
        "- Nothing was found.",
        "- No change of software or settings was seen.",
        "- No alert was opened.",
      ]),
    );
    expect(lines).not.toContain("Next steps");
  });

  it("[OUR-DIG-10] names servers that are beyond the quota of the plan", () => {
    const facts = factsOf([server(1)]);
    const totals = { ...facts.totals, servers: 3, not_monitored: 2 };
    const { title, lines } = digestMessage({ ...facts, totals }, "email");
    expect(title).toBe("Weekly digest: nothing is wrong with 1 server");
    expect(lines).toContain("Beyond the quota of the plan, and not monitored: 2 servers.");
  });

  it("[OUR-DIG-11] lists ten servers in a mail and five in a chat message, and counts the others", () => {
    const many = factsOf(
      Array.from({ length: 40 }, (_, place) => server(place)),
      { moreServers: 7 },
    );
    const listed = (channel: "email" | "chat") => {
      const { lines } = digestMessage(many, channel);
      return [
        lines.filter((line) => /^- Server \d+:/.test(line)).length,
        lines.find((line) => line.endsWith(" more")),
      ];
    };
    expect([listed("email"), listed("chat")]).toEqual([
      [10, "- and 37 servers more"],
      [5, "- and 42 servers more"],
    ]);
  });

  it("[OUR-DIG-12] never rounds the availability of a fleet with an incident up to 100 %", () => {
    const once = { ...upAllWeek, up_seconds: 604_799, down_seconds: 1, incidents: 1 };
    const { lines } = digestMessage(factsOf([server(1, { availability: once }), server(2)]), "email");
    expect(lines).toContain("Availability: 99.99 % on 2 servers, 1 incident.");
  });

  it("[OUR-DIG-16] has the steps of five servers at most, and of a noisy rule", () => {
    const ill = Array.from({ length: 9 }, (_, place) =>
      server(place, { verdict: "critical", step: "capture_profile" }),
    );
    const steps = (alerts: number) => {
      const noisiest = { name: "Low TPS", serverName: "Lobby", alerts };
      const { lines } = digestMessage(
        factsOf(ill, { alerts: { count: alerts, rules: 1, noisiest } }),
        "email",
      );
      return lines.slice(lines.indexOf("Next steps") + 1, lines.indexOf("", lines.indexOf("Next steps")));
    };
    expect(steps(9)).toEqual([0, 1, 2, 3, 4].map((place) => `- Server ${place}: Capture a profile.`));
    expect(steps(10).slice(3)).toEqual([
      "- Server 3: Capture a profile.",
      "- Low TPS: Try another threshold in the preview of the rule.",
    ]);
  });

  it("[OUR-DIG-17] says what is not known", () => {
    const blank = server(1, { verdict: "unknown", availability: unmeasured });
    const { title, lines } = digestMessage(factsOf([blank]), "email");
    expect(title).toBe("Weekly digest: nothing is known of 1 server");
    expect(lines).toEqual(
      expect.arrayContaining([
        "Availability: not measured.",
        "- Nothing was measured, so nothing was found.",
        expect.stringMatching(/Its availability was not measured\.$/),
      ]),
    );
    const half = digestMessage(factsOf([server(2), server(3), blank]), "chat");
    expect([half.title, half.tone]).toEqual([
      "Weekly digest: nothing is wrong with 2 of 3 servers, 1 unknown",
      "info",
    ]);
    const young = { ...upAllWeek, up_seconds: 172_800, unmonitored_seconds: 432_000 };
    const partly = digestMessage(
      factsOf([server(1, { availability: young })], {
        isComplete: false,
        changes: Array.from({ length: 12 }, () =>
          change("Lobby", { kind: "plugin_added", subject: "A", from: null, to: "1" }, day),
        ),
      }),
      "email",
    ).lines;
    expect(partly).toEqual(
      expect.arrayContaining([
        "Availability: 100 % on 1 server, 0 incidents; 1 server for a part of the week.",
        expect.stringMatching(/Available 100 %; monitored for 2 d of 7 d\.$/),
        "The timeline has more entries than are counted here.",
        "- and at least 2 changes more",
      ]),
    );
  });
});

it("[OUR-DIG-15] no rule is called noisy for a single alert", () => {
  const alerts = (count: number) => {
    const noisiest = { name: "Bans", serverName: "Lobby", alerts: count };
    return digestMessage(factsOf([server(1)], { alerts: { count, rules: 1, noisiest } }), "chat").lines;
  };
  expect(alerts(1).filter((line) => line.includes("alert"))).toEqual(["- 1 alert of 1 rule was opened."]);
  expect(alerts(2)).toContain("- The noisiest rule: Bans, on Lobby, 2 alerts.");
});

describe("the findings of a week", () => {
  it("[OUR-DIG-13] are those of its verdicts and of now, by rank", () => {
    const facts = factsOf(
      [server(1, { reasons: ["heap_near_full"] }), server(2, { reasons: ["heap_near_full", "crashed"] })],
      {
        turns: [
          turn(1, "critical", ["tick_over_budget"], day),
          turn(1, "critical", ["tick_over_budget"], 2 * day),
          turn(3, "critical", ["tick_over_budget", "heap_near_full"], 2 * day),
          turn(2, "down", ["server_down"], week + 1),
          turn(2, "down", ["server_down"], 0),
        ],
      },
    );
    expect(weekFindings(facts)).toEqual([
      { code: "crashed", servers: 1, now: 1 },
      { code: "tick_over_budget", servers: 2, now: 0 },
      { code: "heap_near_full", servers: 3, now: 2 },
    ]);
  });

  it("[OUR-DIG-13] leave out what is no code of a finding", () => {
    const entry = turn(1, "critical", [], day);
    const odd = [
      null,
      7,
      "x",
      [],
      {},
      { reasons: null },
      { reasons: "crashed" },
      { reasons: ["constructor", 1] },
    ];
    const turns = odd.map((metadata) => Object.assign({}, entry, { metadata }));
    expect(weekFindings(factsOf([server(1)], { turns }))).toEqual([]);
  });
});

describe("a change in words", () => {
  const words = (changed: Parameters<typeof change>[1]) =>
    digestMessage(factsOf([server(1)], { changes: [change("Lobby", changed, day)] }), "email").lines.find(
      (line) => line.startsWith("- 2026-11-22"),
    );

  it("[OUR-DIG-14] names what is new, and leaves out values that say nothing to a reader", () => {
    const file = {
      kind: "setting_changed",
      subject: "paper.yml",
      from: "a".repeat(64),
      to: "b".repeat(64),
    } as const;
    expect(words(file)).toBe("- 2026-11-22 08:00, Lobby: Setting changed: paper.yml");
    const added = { kind: "plugin_added", subject: "Stalls", from: null, to: "2.0" } as const;
    expect(words(added)).toBe("- 2026-11-22 08:00, Lobby: Plugin or mod added: Stalls, 2.0");
    const removed = { kind: "plugin_removed", subject: "Stalls", from: "2.0", to: null } as const;
    expect(words(removed)).toBe("- 2026-11-22 08:00, Lobby: Plugin or mod removed: Stalls");
  });

  it("[OUR-DIG-14] of an entry without details is its title", () => {
    const odd = [null, "text", { what: "build", from: "a", to: true }, { changes: 12 }, { subject: 5 }];
    const base = change("Lobby", { kind: "java_changed", subject: "x", from: null, to: null }, day);
    const changes = odd.map((metadata) => Object.assign({}, base, { metadata }));
    const { lines } = digestMessage(factsOf([server(1)], { changes }), "email");
    expect(lines.filter((line) => line.startsWith("- 2026"))).toEqual([
      "- 2026-11-22 08:00, Lobby: Java changed",
      "- 2026-11-22 08:00, Lobby: Java changed",
      "- 2026-11-22 08:00, Lobby: Java changed: build, a to true",
      "- 2026-11-22 08:00, Lobby: Java changed",
      "- 2026-11-22 08:00, Lobby: Java changed",
    ]);
  });
});
