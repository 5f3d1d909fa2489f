import { describe, expect, it } from "vitest";
import {
  EventRule,
  eventPresets,
  isTooOld,
  matchesEvent,
  toEventRule,
  type WatchedEvents,
  type EventRuleRecord,
} from "../../../src/core/alert/event-rule.ts";
import { minute, start } from "./facts.ts";

const anything: WatchedEvents = {
  preset: null,
  eventTypes: [],
  categories: [],
  minSeverity: null,
  sources: [],
};
const ban = { type: "ban", category: "moderation", source: "BanPlugin", severity: "warning" } as const;
const unannounced = { serverStopWithin10Min: false };
const matches = (filter: Partial<WatchedEvents>, event: Partial<typeof ban> | object = {}): boolean =>
  matchesEvent({ ...anything, ...filter }, { ...ban, ...event }, unannounced);

describe("a rule on events", () => {
  it("[OUR-ALR-24] has the fields of its shape, in order, and shows no preset", () => {
    const record: EventRuleRecord = {
      ...anything,
      preset: "bans",
      eventTypes: eventPresets.bans,
      id: "019a9f5e-1d00-7000-8000-000000000040",
      serverId: "019a9f5e-1d00-7000-8000-000000000010",
      name: "Bans",
      cooldownMinutes: 5,
      notify: { email: false, chat: true, in_app: true },
      enabled: true,
      mutedUntil: null,
      lastTriggeredAt: start,
      lastNotifiedAt: start,
      createdAt: start,
      updatedAt: start,
    };
    const shown = toEventRule(record);
    expect(EventRule.parse(shown)).toEqual(shown);
    expect(Object.keys(shown).join(" ")).toBe(
      "id server_id name event_types categories min_severity sources cooldown_minutes notify_email notify_chat " +
        "notify_in_app enabled muted_until last_triggered_at created_at updated_at",
    );
    expect(Object.keys(shown)).toEqual(Object.keys(EventRule.shape));
    expect(shown).toMatchObject({
      event_types: ["ban", "tempban", "ip_ban"],
      last_triggered_at: "2026-11-20T12:00:00.000Z",
    });
  });

  it("[OUR-ALR-24] matches everything with empty lists, and else what is in each of them", () => {
    expect(matches({})).toBe(true);
    expect(matches({ eventTypes: ["kick", "ban"] })).toBe(true);
    expect(matches({ eventTypes: ["kick"] })).toBe(false);
    expect(matches({ eventTypes: ["Ban"] })).toBe(false);
    expect(matches({ categories: ["moderation"] })).toBe(true);
    expect(matches({ categories: ["security"] })).toBe(false);
    expect(matches({ sources: ["BanPlugin"] })).toBe(true);
    expect(matches({ sources: ["tickmark"] })).toBe(false);
    expect(matches({ eventTypes: ["ban"], sources: ["tickmark"] })).toBe(false);
  });

  it.each([
    [null, true, true, true],
    ["info", true, true, true],
    ["warning", false, true, true],
    ["error", false, false, true],
  ] as const)("[OUR-ALR-24] at least %s: info %s, warning %s, error %s", (minSeverity, ...expected) => {
    const severities = ["info", "warning", "error"] as const;
    expect(severities.map((severity) => matches({ minSeverity }, { severity }))).toEqual(expected);
  });
});

describe("the ready-made rules", () => {
  const types = [
    "ban",
    "tempban",
    "ip_ban",
    "server_crash",
    "restart",
    "server_start",
    "server_stop",
    "kick",
  ];
  const matching = (preset: keyof typeof eventPresets, stopped = false): string[] =>
    types.filter((type) =>
      matchesEvent(
        { ...anything, preset, eventTypes: eventPresets[preset] },
        { ...ban, type },
        { serverStopWithin10Min: stopped },
      ),
    );

  it("[OUR-ALR-25] are bans, crashes and restarts", () => {
    expect(matching("bans")).toEqual(["ban", "tempban", "ip_ban"]);
    expect(matching("crashes")).toEqual(["server_crash"]);
    expect(matching("restarts")).toEqual(["restart", "server_start"]);
  });

  it("[OUR-ALR-25] a start within ten minutes of a stop is no restart, but to a rule of the owner's own", () => {
    expect(matching("restarts", true)).toEqual(["restart"]);
    const own = { ...anything, eventTypes: ["server_start"] };
    expect(matchesEvent(own, { ...ban, type: "server_start" }, { serverStopWithin10Min: true })).toBe(true);
  });
});

describe("an event that arrives late", () => {
  it("[OUR-ALR-26] raises no alert from more than 15 minutes on; without a time it is new", () => {
    expect(isTooOld({ happenedAt: start - 15 * minute, receivedAt: start })).toBe(false);
    expect(isTooOld({ happenedAt: start - 15 * minute - 1, receivedAt: start })).toBe(true);
    expect(isTooOld({ happenedAt: null, receivedAt: start })).toBe(false);
    expect(isTooOld({ happenedAt: start + minute, receivedAt: start })).toBe(false);
  });
});
