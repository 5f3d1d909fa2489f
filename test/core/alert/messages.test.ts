import { describe, expect, it } from "vitest";
import type { AlertRecord, ResolutionReason } from "../../../src/core/alert/alert.ts";
import { ResolutionReason as Reasons } from "../../../src/core/alert/alert.ts";
import { openedMessage, resolvedMessage, testMessage } from "../../../src/core/alert/message.ts";
import type { Message } from "../../../src/core/notice/message.ts";
import {
  newReportMessage,
  regressionMessage,
  tokenActionMessage,
  type TokenAction,
} from "../../../src/core/notice/notices.ts";
import { shownDuration } from "../../../src/core/text/plain-words.ts";
import { corpus, hasCorpus, hiddenIn } from "../../support/corpus.ts";
import { alertOf as alert } from "./alert-record.ts";
import { minute, ruleOf, second, start } from "./facts.ts";

const over = (resolutionReason: ResolutionReason, changes: Partial<AlertRecord> = {}): AlertRecord =>
  alert({ status: "resolved", resolvedAt: start + 12 * minute, resolutionReason, ...changes });
const offline = {
  metric: "offline",
  condition: null,
  threshold: null,
  value: null,
  worstValue: null,
} as const;
const link = `/alerts/${alert().id}`;

const lead = (value: number | null) => ({ key: "total", value, missing: [] }) as const;

const eventAlert = (title: string, changes: Partial<AlertRecord> = {}): AlertRecord =>
  alert({
    kind: "event",
    ...offline,
    metric: null,
    durationMinutes: null,
    ruleName: "Bans",
    event: {
      id: "019a9f5e-1d00-7000-8000-000000000060",
      type: "ban",
      category: "moderation",
      severity: "warning",
      title,
      timestamp: "2026-11-20T11:59:58.000Z",
    },
    ...changes,
  });

describe("the message of an opening", () => {
  it("[OUR-ALR-28] says what, where, since when, in units people use", () => {
    expect(openedMessage(alert())).toEqual({
      title: "Low TPS on Lobby",
      lines: [
        "TPS when it opened: 14.2",
        "Rule: TPS below 18 for 5 min",
        "Since: 2026-11-20 11:55:00 UTC",
        "Server: running",
      ],
      link,
      tone: "bad",
    });
  });

  it.each([
    ["mspt", "Tick time when it opened: 61.23 ms", "Rule: Tick time above 50 ms"],
    ["player_count", "Players when it opened: 61.23", "Rule: Players above 50"],
    ["entity_count", "Entities when it opened: 61.23", "Rule: Entities above 50"],
    ["ram_used_mb", "Memory in use when it opened: 0.1 GB", "Rule: Memory in use above 50 MB (<0.1 GB)"],
    ["disk_free_mb", "Free disk space when it opened: 0.1 GB", "Rule: Free disk space above 50 MB (<0.1 GB)"],
    ["cpu_usage", "CPU use when it opened: 61.23 %", "Rule: CPU use above 50 %"],
  ] as const)("[OUR-ALR-28] names the unit of %s", (metric, value, rule) => {
    const shown = alert({ metric, condition: "above", threshold: 50, durationMinutes: 0, value: 61.2345 });
    expect(openedMessage(shown).lines.slice(0, 2)).toEqual([value, rule]);
  });

  it("[OUR-ALR-28] of silence has no value; of a flapping rule says that it will be quiet", () => {
    const shown = alert({ ...offline, serverState: "unreachable", durationMinutes: 90, flapping: true });
    expect(openedMessage({ ...shown, serverName: null })).toMatchObject({
      title: "Low TPS on a server without a name",
      lines: [
        "Rule: no heartbeat for 1 h 30 min",
        "Since: 2026-11-20 11:55:00 UTC",
        "Server: unreachable: it stopped sending and did not report a stop",
        "This rule opens alerts again and again. It sends no message until it has not opened an alert for 30 minutes.",
      ],
    });
  });

  it("[OUR-ALR-28] of an event shows the event", () => {
    expect(openedMessage(eventAlert("Griefer was banned"))).toEqual({
      title: "Bans on Lobby",
      lines: [
        "Event: Griefer was banned",
        "Type: ban (moderation, warning)",
        "When: 2026-11-20 11:59:58 UTC",
      ],
      link,
      tone: "bad",
    });
  });
});

describe("the message of an end", () => {
  it("[OUR-ALR-28] says why, how long it lasted and the worst value", () => {
    expect(resolvedMessage(over("recovered"))).toEqual({
      title: "Resolved: Low TPS on Lobby",
      lines: [
        "The problem is over.",
        "Rule: TPS below 18 for 5 min",
        "TPS at worst: 11.9",
        "Lasted: 12 min, from 2026-11-20 12:00:00 UTC to 2026-11-20 12:12:00 UTC",
      ],
      link,
      tone: "good",
    });
    expect(resolvedMessage(over("recovered", offline)).lines[0]).toBe("The server is online again.");
  });

  it.each(Reasons.options)("[OUR-ALR-28] %s: claims a recovery only where there was one", (reason) => {
    const message = resolvedMessage(over(reason));
    expect(message.tone).toBe(reason === "recovered" ? "good" : "info");
    expect(message.title.startsWith("Resolved")).toBe(reason === "recovered");
    expect(message.lines[0]).toMatch(/^[A-Z].*\.$/);
  });

  it("[OUR-ALR-18] [OUR-ALR-28] lasted no negative time, whatever the clock did", () => {
    const message = resolvedMessage(over("recovered", { resolvedAt: start - 5 * minute }));
    expect(message.lines.at(-1)).toMatch(/^Lasted: 0 s, /);
  });

  it.each([
    [-5, "0 s"],
    [999, "0 s"],
    [45 * second, "45 s"],
    [60 * second, "1 min"],
    [61 * second, "1 min 1 s"],
    [130 * minute, "2 h 10 min"],
    [24 * 60 * minute, "1 d"],
    [49 * 60 * minute + 59 * minute, "2 d 1 h"],
  ])("[OUR-ALR-28] %i ms is %s", (ms, words) => {
    expect(shownDuration(ms)).toBe(words);
  });
});

describe("a test message", () => {
  it("[ALR-18] begins with [TEST]", () => {
    expect(testMessage(ruleOf({ durationMinutes: 5 }), "Lobby", link)).toEqual({
      title: "[TEST] Low TPS on Lobby",
      lines: ["This is a test: nothing is wrong.", "Rule: TPS below 18 for 5 min"],
      link,
      tone: "info",
    });
  });
});

const action: TokenAction = {
  kind: "rule_muted",
  tokenName: "laptop",
  client: "claude-code",
  subject: "Low TPS",
  serverName: "Lobby",
  until: start + 60 * minute,
  at: start,
};

describe("notices", () => {
  it("[OUR-ALR-29] tell what a token silenced or published, with its name and its client", () => {
    expect(tokenActionMessage(action, link)).toEqual({
      title: "An alert rule was muted by the token laptop",
      lines: [
        "Server: Lobby",
        "What: Low TPS",
        "Client: claude-code",
        "When: 2026-11-20 12:00:00 UTC",
        "Until: 2026-11-20 13:00:00 UTC",
        "If you did not want this, revoke the token.",
      ],
      link,
      tone: "info",
    });
    const bare = { ...action, client: null, subject: null, serverName: null, until: null };
    for (const kind of [
      "rule_disabled",
      "alert_acknowledged",
      "maintenance_start",
      "visibility_changed",
    ] as const) {
      const { title, lines } = tokenActionMessage({ ...bare, kind }, null);
      expect(title).toMatch(/ by the token laptop$/);
      expect(lines[0]).toBe("Client: unknown");
    }
  });

  it("[OUR-REG-14] tell that a server got slower, by how much and since when", () => {
    expect(regressionMessage({ ...regression, serverName: null }, link)).toMatchObject({
      title: "A server without a name got slower",
      lines: [
        "Total score: -12 %",
        "Median before: 1012",
        "Median since: 889.4",
        "Since: 1970-01-01 00:00:00 UTC",
      ],
      link,
    });
  });

  it("[OUR-ALR-29] tell of a new report, with its score where there is one", () => {
    expect(newReportMessage({ serverName: "Lobby", mode: "standard", lead: lead(1034) }, link)).toEqual({
      title: "New report of Lobby",
      lines: ["Mode: standard", "Total score: 1034"],
      link,
      tone: "info",
    });
    expect(newReportMessage({ serverName: null, mode: "custom", lead: lead(null) }, null)).toMatchObject({
      title: "New report of a server without a name",
      lines: ["Mode: custom", "Total score: none"],
    });
  });
});

const regression = {
  metric: "total",
  changePercent: -12,
  medianBefore: 1012,
  medianNow: 889.4,
  since: 0,
} as const;

/** Every message there is, with `text` in every place that others write. */
const withText = (text: string): Message[] => [
  openedMessage(alert({ ruleName: text, serverName: text })),
  openedMessage(eventAlert(text, { ruleName: text, serverName: text })),
  resolvedMessage(over("recovered", { ruleName: text, serverName: text })),
  testMessage(ruleOf({ name: text }), text, null),
  tokenActionMessage({ ...action, tokenName: text, client: text, subject: text, serverName: text }, null),
  newReportMessage({ serverName: text, mode: "standard", lead: lead(1) }, null),
  regressionMessage({ ...regression, serverName: text }, null),
];

describe("text of others in messages", () => {
  it("[OUR-ALR-27] stays on its line, and is cut at 200 characters", () => {
    const forged = "Lobby\nServer: running\tfine\r\u2028";
    for (const { title, lines } of withText(forged)) {
      expect([title, ...lines].filter((line) => /[\n\t\r\u2028]/.test(line))).toEqual([]);
    }
    const [message] = withText("x".repeat(300));
    expect(message?.title).toContain(`${"x".repeat(200)}…[+100 characters]`);
  });

  it.skipIf(!hasCorpus)("[OUR-ALR-27] shows no hidden character of any recorded text", () => {
    let lines = 0;
    let hidden = 0;
    for (const text of corpus("third_party_text")) {
      for (const message of withText(text)) {
        const shown = [message.title, ...message.lines];
        lines += shown.length;
        hidden += shown.filter((line) => hiddenIn(line).length > 0 || /[\n\t]|!\[/.test(line)).length;
      }
    }
    console.log(`${lines} lines of messages, ${hidden} with hidden characters`);
    expect(hidden).toBe(0);
  });

  it.skipIf(!hasCorpus)("[OUR-ALR-27] leaves harmless names as they are", () => {
    const harmless = corpus("benign_controls").filter((text) => text.length <= 200 && !/[\n\t]/.test(text));
    expect(harmless.length).toBeGreaterThan(50);
    for (const text of harmless) {
      expect(openedMessage(alert({ ruleName: text, serverName: text })).title).toBe(`${text} on ${text}`);
    }
  });
});
