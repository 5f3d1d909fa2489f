import type { Account } from "../../../src/core/access/account.ts";
import type { Instant } from "../../../src/core/time.ts";
import { defaultSettings } from "../../../src/core/notice/records.ts";
import { serviceJobs } from "../../../src/jobs/jobs.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import { switchMonitoring } from "../../../src/services/monitoring/switch-monitoring.ts";
import { addStatusPage } from "../../../src/services/status-page/add-status-page.ts";
import { newId } from "../../../src/store/engine/ids.ts";
import { insertSamples } from "../../../src/store/metric/samples.ts";
import { saveSettings } from "../../../src/store/notice/notification-settings.ts";
import { roomyPlans, startTestService, type LinkedServer, type TestService } from "../service.ts";
import { eventRecord } from "./histories.ts";
import { momentServer, storedSample, type MomentServer } from "./moment.ts";

const [second, minute, hour] = [1000, 60_000, 3_600_000];

export interface PlayedServer {
  readonly of: MomentServer;
  readonly linked: LinkedServer;
}

export interface PlayedMoment {
  readonly service: TestService;
  readonly owner: Account;
  readonly token: string;
  readonly servers: readonly PlayedServer[];
  readonly now: Instant;
  readonly statusPage: string;
}

/** Messages that failed, or jobs; a test that expects none ends with this empty. */
export type Warned = unknown[];

/** Of each server before its last hour. */
const pastHours = 12;

/**
 * A service with so many servers in random states. Twelve hours are stored as they would be, the last hour is sent minute
 * by minute beside the jobs of a service; then the clock stands still at `moment`.
 */
export async function playMoment(count: number, moment: Instant, warned: Warned): Promise<PlayedMoment> {
  const begin = moment - hour - (moment % minute);
  let now = begin - pastHours * hour;
  const service = await startTestService({
    clock: () => now,
    timers: false,
    plans: { ...roomyPlans, pro: { ...roomyPlans.pro, monitored_servers: 1000 } },
  });
  const { db, secrets, plans } = service.app;
  const owner = await service.account("pro");
  await db.write(saveSettings, owner.id, { ...defaultSettings, digestByEmail: true }, now);
  const token = await service.token(owner);
  const servers: PlayedServer[] = [];
  for (let seed = 1; seed <= count; seed += 1) {
    const of = momentServer(seed, moment);
    servers.push({ of, linked: await service.server(owner, { name: of.name }) });
  }
  for (const { of, linked } of servers) await rememberPast(of, linked.id);
  const jobs = serviceJobs({
    ...service.app,
    warn: (_job, error) => void warned.push(error),
    signal: new AbortController().signal,
  }).filter(({ name }) => name === "health" || name === "sweep");
  let previous: Instant | null = null;
  for (let at = begin; at <= moment; at += minute) {
    now = at;
    for (const { of, linked } of servers) await send(of, linked.id, at);
    now = at + second;
    for (const job of jobs) await job.run(previous);
    previous = now;
  }
  now = moment;
  for (const { of, linked } of servers) {
    if (of.maintenanceMinutes !== null) await maintain(linked.id, of.maintenanceMinutes);
    if (!of.isMonitored)
      await db.write(switchMonitoring, {
        serverId: linked.id,
        accountId: owner.id,
        limits: plans.pro,
        now,
        enabled: false,
      });
  }
  const statusPage = "all-servers";
  await db.write(addStatusPage, {
    id: secrets.newId(now),
    accountId: owner.id,
    address: statusPage,
    title: "All servers",
    showsPlayers: true,
    servers: servers.map(({ of, linked }) => ({ server_id: linked.id, name: of.name })),
    createdAt: now,
    updatedAt: now,
  });
  return { service, owner, token, servers, now, statusPage };

  async function rememberPast(of: MomentServer, id: string): Promise<void> {
    const sentAt = Array.from(
      { length: pastHours * 60 },
      (_, place) => begin - (pastHours * 60 - place) * minute,
    )
      .map((at) => ({ at, sample: of.beatAt(at)?.sample ?? null }))
      .filter(({ sample }) => sample !== null);
    const [first, last] = [sentAt.at(0), sentAt.at(-1)];
    if (!first || !last) return;
    // Heartbeats are sent at both ends, so that the service knows when the server was seen.
    now = first.at;
    await send(of, id, first.at);
    await db.write(
      insertSamples,
      id,
      sentAt.slice(1, -1).flatMap(({ at, sample }) => (sample ? [storedSample(at, sample)] : [])),
    );
    now = last.at;
    await send(of, id, last.at);
    now = begin;
    await record(of, id, -Infinity, begin);
  }

  async function record(of: MomentServer, serverId: string, after: Instant, to: Instant): Promise<void> {
    const records = of.events
      .filter(({ at }) => at > after && at <= to)
      .map((event) => {
        const record = eventRecord(newId(event.at), serverId, event, event.at);
        return Object.assign(record, { severity: event.severity });
      });
    if (records.length > 0) await db.write(recordEvents, serverId, records, to);
  }

  async function send(of: MomentServer, serverId: string, at: Instant): Promise<void> {
    if (at > begin) await record(of, serverId, at - minute, at);
    const beat = of.beatAt(at);
    if (beat === null) return;
    const { sample, lastTickAgeMs, announcement } = beat;
    await db.write(recordHeartbeat, {
      serverId,
      receivedAt: at,
      bootTimestamp: of.bootAt,
      lastTickAgeMs,
      announcement,
      limits: plans.pro,
      sample: sample && { sampledAt: at, reported: sample },
    });
  }

  async function maintain(serverId: string, minutes: number): Promise<void> {
    await service.request("POST", `/api/v1/servers/${serverId}/maintenance`, {
      token,
      body: { duration_minutes: minutes, reason: "Moving" },
    });
  }
}
