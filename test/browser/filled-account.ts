import { importOfferList } from "../../src/services/offer/import-offer-list.ts";
import type { Account } from "../../src/core/access/account.ts";
import { ListedOffer } from "../../src/core/offer/listed-offer.ts";
import { MemoryDocument } from "../../src/core/memory-report/document.ts";
import { exampleMemoryUpload } from "../../src/core/memory-report/example-document.ts";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { ProfileDocument } from "../../src/core/profile/document.ts";
import { exampleProfileUpload } from "../../src/core/profile/example-document.ts";
import { ReportPayload } from "../../src/core/report/payload.ts";
import { ServerFacts } from "../../src/core/server/link-code.ts";
import { UnitTestUpload } from "../../src/core/unit-test/upload.ts";
import { createTarget } from "../../src/actions/auto-bench/create-target.ts";
import { createEventRule } from "../../src/actions/alert/create-event-rule.ts";
import { createStatusPage } from "../../src/actions/status-page/create-status-page.ts";
import { createToken } from "../../src/actions/access/create-token.ts";
import { asPerson } from "../support/as-person.ts";
import { offerLine } from "../support/offer.ts";
import { referencePayload } from "../support/payload.ts";
import type { Json, LinkedServer, TestService } from "../support/service.ts";
import { filled, slotsOf } from "../support/slots.ts";
import { unitTestPayload } from "../support/unit-test.ts";
import type { Words } from "../support/words.ts";

const sample: Json = {
  sampled_at: "2026-11-20T07:12:03.000Z",
  tps: 3,
  worlds_top: [{ name: "world", players: 3, entities: 10, chunks: 20 }],
  regions: [{ id: 1, world: "world", center_x: 0, center_z: 0, tps: 3 }],
};

/** What hangs on these is which rows there are, not how they read. */
const kept = ["schema", "local_id", "test_id", "unit", "key", "metric", "accumulation_key"];

const withTexts = (payload: Json): Json => ({
  ...payload,
  description: "x",
  hosting_tier: "x",
  server: { ...(payload["server"] as Json), mod_loader: "x" },
});
const report = withTexts(referencePayload());
const unitTest = { ...withTexts(unitTestPayload()), reason_code: "x" };
const heap = { ...exampleMemoryUpload, platform: { ...exampleMemoryUpload.platform, plugins: ["x", "y"] } };
const facts = { name: "x", address: "x", port: 25_565, type: "x", type_name: "x", game_version: "x" };
const profile = {
  ...exampleProfileUpload,
  warnings: [{ code: "x", params: { which: "x" } }],
};

/** Every place of what plugins and operators send, found in the schemas themselves. */
export const slots = {
  facts: slotsOf(ServerFacts, facts),
  sample: slotsOf(ReportedSample, sample),
  report: slotsOf(ReportPayload, report, kept),
  unitTest: slotsOf(UnitTestUpload, unitTest, kept),
  profile: slotsOf(ProfileDocument, profile, kept),
  heap: slotsOf(MemoryDocument, heap, ["schema", "local_id"]),
  offer: slotsOf(ListedOffer, offerLine("filled"), ["id", "url"]),
};

const events = 12;
const frames = 60;
let serial = 0;

/** The paths of an account whose every text is one of those words; nothing else of it is ever different. */
export async function filledAccount(
  service: TestService,
  words: Words,
): Promise<{ owner: Account; paths: readonly string[] }> {
  serial += 1;
  const local = words.name(40).replaceAll(/[@\s]/g, "");
  const owner = await service.account("enterprise", "user", { email: `${local}-${serial}@tests.example` });
  const ask = await asPerson(service, owner);
  const server = await service.server(owner, filled(facts, slots.facts, words.text));
  const token = await service.token(owner);
  const api = async (method: string, path: string, body?: Json): Promise<Json> =>
    taken(await service.request(method, `/api/v1${path}`, { token, ...(body && { body }) }));
  const group = await api("POST", "/server-groups", { name: words.name(64) });
  await api("PUT", `/servers/${server.id}/group`, { group_id: group["id"] });
  const made = await ask(createToken, {
    name: words.name(80),
    scopes: ["servers:read"],
    expires_in_days: 9,
  });
  const target = await ask(createTarget, {
    server_id: server.id,
    name: words.name(80),
    notes: words.name(2000),
  });
  const watch = { metric: "tps", condition: "below", threshold: 18, duration_minutes: 0 };
  const rule = await api("POST", `/servers/${server.id}/alert-rules`, { name: words.name(80), ...watch });
  const eventRule = await ask(createEventRule, { server_id: server.id, name: words.name(80) });
  await ask(createEventRule, {
    server_id: server.id,
    name: words.name(80),
    event_types: [words.name(64), words.name(64)],
    sources: [words.name(64)],
  });
  const captures = await played(service, server, words);
  await api("POST", `/servers/${server.id}/maintenance`, { duration_minutes: 60, reason: words.name(200) });
  await api("PATCH", `/reports/${captures.reports[0]}`, { private_notes: words.name(4000) });
  await service.app.db.write(
    importOfferList,
    [ListedOffer.parse(filled(offerLine("filled"), slots.offer, words.text))],
    service.app.clock(),
  );
  const statusPage = await ask(createStatusPage, {
    title: words.name(60),
    shows_players: true,
    servers: [{ server_id: server.id, name: words.name(60) }],
  });
  const alerts = (await api("GET", "/alert-events?limit=1"))["data"] as Json[];
  return {
    owner,
    paths: [
      ...serverPaths(server.id, { rule: String(rule["id"]), eventRule: eventRule.id }, captures),
      ...reportPaths(captures),
      `/alerts/${String(alerts[0]?.["id"])}`,
      `/auto-bench/${target.id}`,
      `/status-pages/${statusPage.id}`,
      `/settings/security/rights/${made.token.id}`,
      ...listPaths,
      ...askedPaths(words),
    ],
  };
}

interface Captured {
  readonly reports: readonly string[];
  readonly unitTest: string;
  readonly profiles: readonly Json[];
  readonly heaps: readonly string[];
}

/** All that a plugin tells, each in its own words. */
async function played(service: TestService, { credential }: LinkedServer, words: Words): Promise<Captured> {
  const now = new Date(service.app.clock()).toISOString();
  const earlier = new Date(service.app.clock() - 60_000).toISOString();
  const send = async (path: string, body: unknown): Promise<Json> =>
    taken(await service.request("POST", `/plugin/v1${path}`, { token: credential, body }));
  const own = (document: Json): Json => ({ ...document, local_id: `filled-${(serial += 1)}` });
  await send("/heartbeat", {
    sent_at: now,
    boot_timestamp: earlier,
    plugin_version: "1.10.2",
    last_tick_age_ms: 40,
    announce: null,
    // A minute old, so that the server was up for more than a second on every page.
    sample: filled({ ...sample, sampled_at: earlier }, slots.sample, words.text),
  });
  const event = (): Json =>
    own({
      type: words.text(64),
      source: words.text(64),
      category: "custom",
      severity: "warning",
      title: words.text(500),
      description: words.text(4000),
      metadata: { [words.text(100)]: [words.text(2000)], deep: { [words.text(100)]: words.text(100) } },
      timestamp: now,
    });
  await send("/events", { events: Array.from({ length: events }, event) });
  const reports = [];
  for (const factor of [1, 1.08]) {
    const { tests } = referencePayload(
      {},
      { cpu_single_core: { metrics: { ops_per_second: 1e6 * factor } } },
    );
    const sent = await send("/reports", own(filled({ ...report, tests }, slots.report, words.text)));
    reports.push(String(sent["id"]));
  }
  const text = filled(unitTest, slots.unitTest, words.text);
  const { ids } = await send("/unit-tests", [
    own({ ...text, metrics: { [words.text(100)]: words.text(1000) } }),
  ]);
  const profiles = [];
  for (const tree of [{}, named(words)])
    profiles.push(await send("/profiles", own({ ...filled(profile, slots.profile, words.text), ...tree })));
  const heaps = [];
  for (const _ of [1, 2])
    heaps.push(String((await send("/memory-reports", own(filled(heap, slots.heap, words.text))))["id"]));
  return { reports, unitTest: String((ids as string[])[0]), profiles, heaps };
}

/** Frames of many names, ten deep. */
const named = (words: Words): Json => ({
  frames: Array.from({ length: frames }, () => ({
    frame: words.text(500),
    owner: words.text(120),
    plugin: true,
  })),
  nodes: Array.from({ length: frames }, (_, frame) => ({
    parent: frame % 10 === 0 ? -1 : frame - 1,
    frame,
    samples: 30,
  })),
  samples: { tick: null, total: null },
});

function serverPaths(
  id: string,
  { rule, eventRule }: { readonly rule: string; readonly eventRule: string },
  { profiles, heaps }: Captured,
): string[] {
  const base = `/servers/${id}`;
  const [one, other] = profiles;
  const pair = (from: unknown, to: unknown): string => `compare?base=${String(from)}&other=${String(to)}`;
  return [
    base,
    `${base}/charts`,
    `${base}/timeline`,
    `${base}/first-steps`,
    `/servers/compare?one=${id}`,
    `${base}/rules`,
    `${base}/rules?edit=${rule}`,
    `${base}/rules?edit_event=${eventRule}`,
    `${base}/rules/preview`,
    `${base}/periods`,
    `${base}/settings`,
    `${base}/profiles`,
    `${base}/profiles/${String(one?.["profile_id"])}`,
    `${base}/profiles/${String(other?.["profile_id"])}`,
    `${base}/profiles/${pair(one?.["summary_id"], other?.["summary_id"])}`,
    `${base}/memory-reports`,
    `${base}/memory-reports/${heaps[0]}`,
    `${base}/memory-reports/${pair(heaps[0], heaps[1])}`,
  ];
}

const reportPaths = ({ reports: [base, other], unitTest: test }: Captured): string[] => [
  `/reports/${base}`,
  `/reports/compare?base=${base}&other=${other}`,
  `/reports/before-after?before=${base}&after=${other}`,
  "/reports?mine=true",
  "/unit-tests?mine=true",
  `/unit-tests/${test}`,
];

const listPaths = [
  "/find",
  "/status-pages",
  "/settings/display",
  "/servers",
  "/groups",
  "/alerts",
  "/notices",
  "/digest",
  "/auto-bench",
  "/offers",
  "/settings",
  "/settings/notifications",
  "/settings/security",
  "/settings/security/passkeys",
  "/settings/security/profile-links",
  "/settings/security/second-factor",
  "/settings/security/activity",
  "/settings/security/log",
];

/** Pages that say again what their address says: one word, where some take several, which is no identifier. */
const askedPaths = (words: Words): string[] =>
  [
    ["/servers", "state"],
    ["/servers", "page"],
    ["/alerts", "rule_name"],
    ["/alerts", "status"],
    ["/reports", "server_type"],
    ["/reports/compare", "base"],
    ["/reports/before-after", "before"],
    ["/unit-tests", "test_id"],
    ["/offers", "provider_id"],
    ["/offers", "max_price_eur"],
    ["/settings/security/activity", "token_id"],
    ["/oauth/refused", "error"],
  ].map(
    ([path, name]) =>
      `${path}?${new URLSearchParams({ [name ?? ""]: `(${words.text(60).replaceAll(/[\s,]+/g, "_")})` })}`,
  );

function taken({ status, text, json }: { status: number; text: string; json: Json }): Json {
  if (status >= 300) throw new Error(`Not taken: ${status} ${text}`);
  return json;
}
