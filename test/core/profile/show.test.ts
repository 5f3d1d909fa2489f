import { describe, expect, it } from "vitest";
import { detailOf } from "../../../src/core/profile/detail.ts";
import { ProfileDetail } from "../../../src/core/profile/profile-detail.ts";
import { AccountProfile, ProfileSummary } from "../../../src/core/profile/profile.ts";
import {
  profileTime,
  toAccountProfile,
  toProfileDetail,
  toProfileSummary,
} from "../../../src/core/profile/show.ts";
import type { ProfileRecord } from "../../../src/core/profile/records.ts";
import { summarise } from "../../../src/core/profile/summary.ts";
import { stacksDocument } from "./any-profile.ts";

const document = stacksDocument(
  [
    ["java.util.HashMap.get", 500],
    ["Shop:net.example.Shop.run", 300],
    ["Menu:net.other.Menu.open Shop:net.example.Shop.run", 100],
    ["Menu:net.other.Menu.open", 100],
  ],
  {
    local_id: "profile-7",
    trigger: "lag",
    lag: { kind: "freeze", slow_ticks: 3 },
    capture: { window_seconds: 60 },
    samples: { tick: 1000, total: 4000 },
    platform: { server_type: "paper", server_version: "1.21.8" },
    jvm: { java_version: "21.0.4" },
  },
);

const record: ProfileRecord = {
  id: "summary-id",
  serverId: "server-id",
  serverName: "Lobby",
  profileId: "profile-id",
  pluginVersion: "1.10.2",
  capturedAt: Date.UTC(2026, 10, 20, 7),
  uploadedAt: Date.UTC(2026, 10, 20, 8),
  longestTickMs: 412.6,
  serviceVersion: "1.10.2",
  summary: summarise(document),
};

const keys = (schema: { readonly shape: object }): string => Object.keys(schema.shape).join(" ");

describe("in a server's list", () => {
  it("[PRO-05] has the documented fields, in their order", () => {
    expect(keys(ProfileSummary)).toBe("id server_id profile_id uploaded_at captured_at summary");
    const shown = toProfileSummary(record);
    expect(ProfileSummary.parse(shown)).toEqual(shown);
    expect(shown).toEqual({
      id: "summary-id",
      server_id: "server-id",
      profile_id: "profile-id",
      uploaded_at: "2026-11-20T08:00:00.000Z",
      captured_at: "2026-11-20T07:00:00.000Z",
      summary: record.summary,
    });
  });

  it("[PRO-05] tells neither a full profile that is gone nor an unknown time", () => {
    const shown = toProfileSummary({ ...record, profileId: null, capturedAt: null });
    expect([shown.profile_id, shown.captured_at]).toEqual([null, null]);
    expect(profileTime(record)).toBe(record.capturedAt);
    expect(profileTime({ ...record, capturedAt: null })).toBe(record.uploadedAt);
  });
});

describe("in the account's list", () => {
  it("[PRO-20] [PRO-21] [PRO-22] has the documented fields, in their order", () => {
    expect(keys(AccountProfile)).toBe(
      "id server_id server_name profile_id captured_at uploaded_at trigger lag tick_samples total_samples owners_by_total top_plugin owners_complete",
    );
    expect(keys(AccountProfile.shape.lag.unwrap())).toBe("kind slow_ticks longest_tick_ms");
    const shown = toAccountProfile(record);
    expect(AccountProfile.parse(shown)).toEqual(shown);
    expect(shown).toEqual({
      id: "summary-id",
      server_id: "server-id",
      server_name: "Lobby",
      profile_id: "profile-id",
      captured_at: "2026-11-20T07:00:00.000Z",
      uploaded_at: "2026-11-20T08:00:00.000Z",
      trigger: "lag",
      lag: { kind: "freeze", slow_ticks: 3, longest_tick_ms: 412.6 },
      tick_samples: 1000,
      total_samples: 4000,
      owners_by_total: [],
      top_plugin: { owner: "Shop", self_pct: 40, total_pct: 40 },
      owners_complete: true,
    });
  });

  it("[PRO-21] has no longest tick once the full profile is gone, and no lag where there was none", () => {
    const gone = toAccountProfile({ ...record, profileId: null, longestTickMs: null });
    expect(gone.lag).toEqual({ kind: "freeze", slow_ticks: 3, longest_tick_ms: null });
    expect(toAccountProfile({ ...record, summary: { ...record.summary, lag: null } }).lag).toBeNull();
  });

  it("[PRO-22] has no top plugin where no plugin is listed", () => {
    const summary = summarise(stacksDocument([["java.util.HashMap.get", 500]]));
    expect(toAccountProfile({ ...record, summary }).top_plugin).toBeNull();
  });
});

describe("in full", () => {
  it("[PRO-23] has the documented fields, in their order", () => {
    expect(keys(ProfileDetail)).toBe(
      "id server_id local_id plugin_version trigger server_type server_version java_version captured_at uploaded_at window_seconds tick_samples total_samples url detail",
    );
    const detail = detailOf(document, null);
    const shown = toProfileDetail(record, detail, "https://tickmark.example");
    expect(ProfileDetail.parse(shown)).toEqual(shown);
    expect(shown).toEqual({
      id: "profile-id",
      server_id: "server-id",
      local_id: "profile-7",
      plugin_version: "1.10.2",
      trigger: "lag",
      server_type: "paper",
      server_version: "1.21.8",
      java_version: "21.0.4",
      captured_at: "2026-11-20T07:00:00.000Z",
      uploaded_at: "2026-11-20T08:00:00.000Z",
      window_seconds: 60,
      tick_samples: 1000,
      total_samples: 4000,
      url: "https://tickmark.example/servers/server-id/profiles/profile-id",
      detail,
    });
  });

  it("[PRO-24] stays valid without a document that can be read", () => {
    const shown = toProfileDetail(record, null, "https://tickmark.example");
    expect(shown.detail).toBeNull();
    expect([shown.local_id, shown.tick_samples]).toEqual(["profile-7", 1000]);
  });
});
