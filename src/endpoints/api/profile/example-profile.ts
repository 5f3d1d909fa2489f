import { profileComparisonOf } from "../../../core/profile/compare.ts";
import { detailOf } from "../../../core/profile/detail.ts";
import { ProfileDocument } from "../../../core/profile/document.ts";
import { exampleProfileUpload } from "../../../core/profile/example-document.ts";
import { toAccountProfile, toProfileDetail, toProfileSummary } from "../../../core/profile/show.ts";
import type { ProfileRecord } from "../../../core/profile/records.ts";
import { summarise } from "../../../core/profile/summary.ts";

const document = ProfileDocument.parse(exampleProfileUpload);

/** The same server one week earlier, when the shop's task took less time. */
const earlier = ProfileDocument.parse({
  ...exampleProfileUpload,
  local_id: "profile-2026-11-13_19-02-41",
  created_at: "2026-11-13T19:02:41.000Z",
  nodes: exampleProfileUpload.nodes.map(({ parent, frame, samples }) => ({
    parent,
    frame,
    samples: frame === 3 ? 60 : samples,
  })),
  samples: { tick: 920, total: 920 },
});

const recordOf = (profile: ProfileDocument, id: string, profileId: string, at: number): ProfileRecord => ({
  id,
  serverId: "019a9f5e-1d00-7000-8000-000000000010",
  serverName: "Lobby",
  profileId,
  pluginVersion: profile.plugin_version,
  capturedAt: at,
  uploadedAt: at + 2_000,
  longestTickMs: profile.lag?.longest_tick_ms ?? null,
  serviceVersion: profile.platform.service_version,
  summary: summarise(profile),
});

const record = recordOf(
  document,
  "019a9f5e-1d00-7000-8000-000000000050",
  "019a9f5e-1d00-7000-8000-000000000051",
  Date.UTC(2026, 10, 20, 7, 12, 3),
);
const before = recordOf(
  earlier,
  "019a7c3a-0a00-7000-8000-00000000004e",
  "019a7c3a-0a00-7000-8000-00000000004f",
  Date.UTC(2026, 10, 13, 19, 2, 41),
);

export const exampleProfileSummary = toProfileSummary(record);
export const exampleAccountProfile = toAccountProfile(record);
export const exampleProfileDetail = toProfileDetail(
  record,
  detailOf(document, null),
  "https://tickmark.example",
);
export const exampleProfileComparison = profileComparisonOf(
  { record: before, document: earlier },
  { record, document },
);
