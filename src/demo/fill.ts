import { changeReport } from "../services/report/change-report.ts";
import { changeServer } from "../services/server/change-server.ts";
import { useLinkCode } from "../services/server/use-link-code.ts";
import { addGroup } from "../services/server/add-group.ts";
import { randomUUID } from "node:crypto";
import type { AppContext } from "../contract/call/app-context.ts";
import type { Sealer } from "../app/access/sealed.ts";
import { planIncludes } from "../core/access/plan.ts";
import { maxServers } from "../core/server/link-code.ts";
import type { Instant } from "../core/time.ts";
import { pluginClient, type EventBody, type SampleBody } from "../outbound/plugin-client.ts";
import { memberMs, type DemoAccount } from "./accounts.ts";
import { benchmarkPayload } from "./benchmark.ts";
import { judgeOffers, demoOffers, singleTests } from "./catalogue.ts";
import { accountSpecs, serverSpecs } from "./fleet.ts";
import { simulatedOf, type ServerSpec } from "./server-spec.ts";
import { fillInventories } from "./inventories.ts";
import { sendLastHeartbeats } from "./last-seen.ts";
import { fillOfferMetrics } from "./demo-metrics.ts";
import { memoryReportsOf } from "./memory-reports.ts";
import { profilesOf } from "./profiles.ts";
import type { DemoServer } from "./server.ts";
import { slowestOf, timelineOf } from "./timeline.ts";
import { fillAlerts } from "./demo-alerts.ts";
import { lastDay, storeAsReceived, storeEarlierDays } from "./history.ts";
import { settleHealth } from "./health.ts";
import { publishStatusPage } from "./status-page.ts";

/** `app` and `vault` are for actions that owners make in the browser. */
export interface FillTarget {
  readonly baseUrl: string;
  readonly app: AppContext;
  readonly vault: Sealer;
}

export interface FilledFleet {
  readonly servers: readonly DemoServer[];
  /** Call it after the first heartbeats, because alerts of events show how the server was doing. */
  sendTimelines(): Promise<void>;
  /** Evaluates and stores the health of every monitored server. */
  settleHealth(now: Instant): Promise<void>;
}

/**
 * A `still` fleet sends nothing later, so its last heartbeats are sent here, before any alert rule exists.
 */
export async function fillFleet(
  target: FillTarget,
  accounts: readonly DemoAccount[],
  start: Instant,
  still = false,
): Promise<FilledFleet> {
  const linked = await Promise.all(accounts.map((account) => linkServers(target, account, start)));
  const servers = linked.flat();
  await demoOffers(target.app, servers, start);
  const heard = servers.filter(({ spec }) => spec.life !== "silent");
  await Promise.all([
    ...accounts.map((account, index) => sortIntoGroups(target.app, account, linked[index] ?? [])),
    ...accounts.map((account, index) => publishStatusPage(target.app, account, linked[index] ?? [])),
    sendReports(target.app, servers, start),
    sendCaptures(
      heard,
      (spec) => profilesOf(spec, start),
      (plugin, profile) => plugin.uploadProfile(profile),
    ),
    sendCaptures(
      heard,
      (spec) => memoryReportsOf(spec, start),
      (plugin, report) => plugin.uploadMemoryReport(report),
    ),
  ]);
  await fillOfferMetrics(target, accounts, servers, start);
  await judgeOffers(target.app, start);
  const monitored = servers.filter(({ spec }) => isMonitored(target.app, spec, accounts));
  const speaking = heard.filter((server) => monitored.includes(server));
  const ended = still ? speaking : speaking.filter(({ spec }) => spec.life === "down");
  await sendLastHeartbeats(target.app, ended, start);
  await fillInventories(target.app.db, speaking, start);
  // After the reports, so that no mail is sent about them.
  await fillAlerts(target, accounts, monitored, start);
  const timelines = await Promise.all(
    speaking.map(async (server) => [server, await fillHistory(target.app, server, start)] as const),
  );
  const sendTimelines = async (): Promise<void> => {
    await Promise.all(timelines.map(([{ plugin }, events]) => plugin.events(events)));
  };
  return { servers, sendTimelines, settleHealth: (now) => settleHealth(target.app, speaking, now) };
}

/** One after another, to keep the order of the fleet. */
async function linkServers(target: FillTarget, account: DemoAccount, start: Instant): Promise<DemoServer[]> {
  const servers: DemoServer[] = [];
  for (const spec of serverSpecs.filter((server) => server.account === account.name)) {
    servers.push(await linkServer(target, account, spec, start));
  }
  return servers;
}

/** The service is in the same process, which is busy with the history of all servers meanwhile. */
const patient = { quietMs: 120_000 };

async function linkServer(
  { baseUrl, app }: FillTarget,
  { account }: DemoAccount,
  spec: ServerSpec,
  start: Instant,
): Promise<DemoServer> {
  const { name, address, port, software, pluginVersion } = spec;
  const { type, type_name, game_version } = software;
  const facts = { name, address, port, type, type_name, game_version, plugin_version: pluginVersion };
  const installing = pluginClient(baseUrl, null, patient);
  const { code, claim_secret } = await installing.requestLinkCode({
    installation_id: randomUUID(),
    server: facts,
  });
  // Done as in the browser, because the account has only a few API calls a day.
  const result = await app.db.write(useLinkCode, {
    code,
    accountId: account.id,
    name,
    newServerId: app.secrets.newId(start),
    now: start - memberMs,
    maxServers,
    monitoredServers: app.plans[account.plan].monitored_servers,
  });
  const claimed = await installing.claim(claim_secret);
  if (result.kind !== "linked" || claimed.status !== "linked")
    throw new Error(`${name} could not be linked: ${result.kind}.`);
  const simulated = simulatedOf(spec, start);
  const plugin = pluginClient(baseUrl, claimed.auth_token, patient);
  return { spec, id: claimed.server_id, authToken: claimed.auth_token, plugin, simulated };
}

async function sortIntoGroups(
  { db, secrets, clock }: AppContext,
  { name, account }: DemoAccount,
  servers: readonly DemoServer[],
): Promise<void> {
  const groups = accountSpecs.find((spec) => spec.name === name)?.groups ?? [];
  const ids: string[] = [];
  for (const group of groups) {
    const now = clock();
    const replay = {
      accountId: account.id,
      route: "demo",
      key: group.name,
      bodyDigest: secrets.digest(group.name),
      now,
    };
    const made = await db.write(
      addGroup,
      { ...group, id: secrets.newId(now), accountId: account.id, now, limit: groups.length },
      replay,
    );
    if (made?.kind !== "created") throw new Error(`The group ${group.name} could not be made.`);
    ids.push(made.value.id);
  }
  await Promise.all(
    servers.map(({ id, spec }) =>
      db.write(changeServer, id, {
        isPublic: spec.isPublic,
        showAddressOnReport: spec.isPublic,
        groupId: spec.group === null ? null : (ids[spec.group] ?? null),
      }),
    ),
  );
}

const isMonitored = (
  { plans }: AppContext,
  { account }: ServerSpec,
  accounts: readonly DemoAccount[],
): boolean => {
  const plan = accounts.find(({ name }) => name === account)?.account.plan ?? "free";
  return planIncludes(plans[plan], "monitoring");
};

/** Stores the server's samples, and returns its timeline, which names the slowest ticks of the last day. */
async function fillHistory({ db }: AppContext, server: DemoServer, start: Instant): Promise<EventBody[]> {
  await storeEarlierDays(db, server, start);
  let slowest: SampleBody[] = [];
  for (const samples of lastDay(server, start)) {
    await storeAsReceived(db, server.id, samples);
    slowest = slowestOf([...slowest, ...samples]);
  }
  return timelineOf(server, slowest, start);
}

/** Runs are uploaded in the order in which they ran. */
async function sendReports(
  { db }: AppContext,
  servers: readonly DemoServer[],
  start: Instant,
): Promise<void> {
  const ran = servers.flatMap((server) => server.spec.runs.map((run) => ({ server, run })));
  for (const { server, run } of ran.toSorted((a, b) => b.run.daysAgo - a.run.daysAgo)) {
    const { spec, plugin } = server;
    const benchmarked = {
      seed: spec.profile.seed,
      pluginVersion: spec.pluginVersion,
      tellsOutcome: spec.profile.kind !== "old_plugin",
      software: spec.software,
    };
    const { id } = await plugin.uploadReport(benchmarkPayload(benchmarked, run, start));
    if (run.visibility !== "private") await db.write(changeReport, id, { visibility: run.visibility });
  }
  for (const { spec, plugin } of servers) {
    const tests = singleTests({ spec }, start);
    // Any call is contact, and the silent server has never made contact.
    if (tests.length > 0) await plugin.uploadUnitTests(tests);
  }
}

interface Made {
  readonly body: { readonly created_at?: string | null | undefined };
}
const madeAt = ({ body }: Made): number => Date.parse(body.created_at ?? "");
const oldestFirst = (one: Made, other: Made): number => madeAt(one) - madeAt(other);

/** Uploads captures of all servers together, oldest first. */
async function sendCaptures<Body extends Made["body"]>(
  servers: readonly DemoServer[],
  capturesOf: (spec: ServerSpec) => readonly Body[],
  upload: (plugin: DemoServer["plugin"], body: Body) => Promise<unknown>,
): Promise<void> {
  const made = servers.flatMap(({ spec, plugin }) => capturesOf(spec).map((body) => ({ plugin, body })));
  for (const { plugin, body } of made.toSorted(oldestFirst)) await upload(plugin, body);
}
