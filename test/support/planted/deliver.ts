import type { Account } from "../../../src/core/access/account.ts";
import { ReportedSample, sampleOf } from "../../../src/core/metric/reported-sample.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { lastDaySlot } from "../../../src/core/health/day-slot.ts";
import type { Instant } from "../../../src/core/time.ts";
import { serviceJobs } from "../../../src/jobs/jobs.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { recordHeartbeat, storeLateSamples } from "../../../src/services/metric/record-heartbeat.ts";
import { newId } from "../../../src/store/engine/ids.ts";
import { insertSamples } from "../../../src/store/metric/samples.ts";
import { dice } from "../dice.ts";
import type { Json } from "../payload.ts";
import { historyStart } from "../slow-histories.ts";
import { roomy, testApp } from "../test-app.ts";
import { restOf } from "../../endpoints/alert/alerting.ts";
import {
  eventRecord,
  stretchEnd,
  stretchStart,
  type PlantedEvent,
  type PlantedHistory,
  type PlantedKind,
} from "./histories.ts";

const [minute, hour] = [60_000, 3_600_000];

/** `doubled`: each twice. `late`: nothing arrives for most of the stretch, then all of it. `mixed`: parts of it come hours late, in any order. */
export const deliveries = ["in time", "doubled", "late", "mixed"] as const;
export type Delivery = (typeof deliveries)[number];

/** `late`: the agent has no network from here until the stretch ends. */
const cutAt = stretchStart + 2 * hour;

export interface PlantedServer {
  readonly history: PlantedHistory;
  readonly delivery: Delivery;
  readonly server: ServerRecord;
}

interface Asked {
  readonly at: Instant;
  readonly answer: Json;
}

/** Answers about one server: those of its time, and those of the same windows when all had arrived. */
export interface PlantedAnswers extends PlantedServer {
  readonly live: readonly Asked[];
  readonly windows: readonly Asked[];
  /** The answer about the last 24 hours at the end. */
  readonly now: Json;
  readonly entries: readonly Json[];
}

/** When the owner asks: once an hour, at no special minute. */
const askedTimes = new Set(
  Array.from(
    { length: (stretchEnd - stretchStart) / hour },
    (_, place) => stretchStart + place * hour + 37 * minute,
  ),
);

/** Some of them, of which the windows are asked for again. */
const windowTimes = new Set(
  [...askedTimes].filter((_, place) => place % 3 === 2).map((at) => at + minute / 2),
);

/** Parsed once: hundred thousands of samples differ in numbers alone. */
const nothingReported = ReportedSample.parse({ sampled_at: new Date(0).toISOString() });

const reported = (at: Instant, values: Readonly<Record<string, number>>): ReportedSample => ({
  ...nothingReported,
  sampled_at: at,
  ...values,
});

/** The service with these servers and what was known of them before the stretch; its clock is at its start. */
async function openService(
  histories: readonly PlantedHistory[],
  how: (kind: PlantedKind) => readonly Delivery[],
) {
  const test = testApp({ plans: { ...roomy, pro: { ...roomy.pro, monitored_servers: 1000 } } });
  test.clock.now = historyStart - hour;
  const owner: Account = await test.account("pro");
  const { secret } = await test.token(owner);
  const servers: PlantedServer[] = [];
  for (const history of histories) {
    // What is usual is worked out at a server's own time of the day, so that differs between servers, not between
    // ways of delivery.
    const slots = new Set<Instant>();
    const suits = (id: string): boolean => slots.size === 0 || slots.has(lastDaySlot(id, stretchStart));
    for (const delivery of how(history.kind)) {
      const server = await test.server(owner, { name: `${history.kind}` }, suits);
      slots.add(lastDaySlot(server.id, stretchStart));
      servers.push({ history, delivery, server });
    }
  }
  test.clock.now = stretchStart;
  for (const { history, server } of servers) await rememberPast(history, server);
  return { test, secret, servers };

  async function rememberPast(history: PlantedHistory, server: ServerRecord): Promise<void> {
    const samples = [];
    for (let at = historyStart + 2 * minute; at < stretchStart; at += 5 * minute) {
      const values = history.sampleAt(at);
      if (values) samples.push({ sampledAt: at, sample: sampleOf(reported(at, values)), receivedAt: at });
    }
    await test.app.db.write(insertSamples, server.id, samples);
    const events = history.events.filter(({ at }) => at < stretchStart);
    await test.app.db.write(
      recordEvents,
      server.id,
      events.map((event) => eventRecord(newId(event.at), server.id, event, event.at)),
      stretchStart,
    );
  }
}

type Service = Awaited<ReturnType<typeof openService>>;

/** What still lies on a server's disk, with the time at which it goes out. */
interface Outbox {
  readonly samples: { readonly at: Instant; readonly due: Instant }[];
  readonly events: { readonly event: PlantedEvent; readonly due: Instant }[];
}

/** What one agent sends at a minute, by how it delivers. */
function agentOf({ test }: Service, { history, delivery, server }: PlantedServer) {
  const { db, plans } = test.app;
  const random = dice(history.kind.length + 7);
  const outbox: Outbox = { samples: [], events: [] };
  const isCut = (at: Instant): boolean => delivery === "late" && at >= cutAt && at < stretchEnd;
  const delay = (): number => (delivery === "mixed" && random() < 0.5 ? (0.5 + random() * 2.5) * hour : 0);

  const waitAt = (at: Instant): number =>
    Math.max(0, Math.min(isCut(at) ? Infinity : delay(), stretchEnd - at));

  const bootAt = (at: Instant): Instant =>
    history.events.findLast((event) => event.type === "server_start" && event.at <= at)?.at ?? history.bootAt;

  async function beat(at: Instant, values: ReturnType<PlantedHistory["sampleAt"]>): Promise<void> {
    await db.write(recordHeartbeat, {
      serverId: server.id,
      receivedAt: at,
      bootTimestamp: bootAt(at),
      lastTickAgeMs: at - (history.hungSince(at) ?? at - 40),
      announcement: null,
      limits: plans.pro,
      sample: values && { sampledAt: at, reported: reported(at, values) },
    });
  }

  async function flush(now: Instant): Promise<void> {
    const due = outbox.samples.filter((waiting) => waiting.due <= now);
    outbox.samples.splice(0, Infinity, ...outbox.samples.filter((waiting) => waiting.due > now));
    const writes = due.flatMap(({ at }) => {
      const values = history.sampleAt(at);
      return values ? [{ sampledAt: at, reported: reported(at, values) }] : [];
    });
    for (let first = 0; first < writes.length; first += 500)
      await db.write(storeLateSamples, server.id, writes.slice(first, first + 500), now);
    const told = outbox.events.filter((waiting) => waiting.due <= now);
    outbox.events.splice(0, Infinity, ...outbox.events.filter((waiting) => waiting.due > now));
    await send(
      told.map(({ event }) => event),
      now,
    );
  }

  async function send(events: readonly PlantedEvent[], now: Instant): Promise<void> {
    if (events.length === 0) return;
    const records = events.map((event) => eventRecord(newId(now), server.id, event, now));
    await db.write(recordEvents, server.id, records, now);
  }

  return async (at: Instant): Promise<void> => {
    const values = history.sampleAt(at);
    const isRunning = values !== null || history.hungSince(at) !== null;
    const wait = waitAt(at);
    if (wait > 0 && values !== null) outbox.samples.push({ at, due: at + wait });
    // An agent whose samples wait is online all the same, unless it has no network.
    if (!isCut(at) && isRunning) await beat(at, wait > 0 ? null : values);
    if (delivery === "doubled" && values !== null) {
      await beat(at, values);
      await db.write(storeLateSamples, server.id, [{ sampledAt: at, reported: reported(at, values) }], at);
    }
    const now = history.events.filter((event) => event.at > at - minute && event.at <= at);
    for (const event of now) {
      const later = waitAt(at);
      if (later > 0) outbox.events.push({ event, due: at + later });
      else await send(delivery === "doubled" ? [event, event] : [event], at);
    }
    await flush(at);
  };
}

/** Plays the stretch for each history and each way of delivery, and asks once an hour, then again at the end. */
export async function playPlanted(
  histories: readonly PlantedHistory[],
  how: (kind: PlantedKind) => readonly Delivery[],
): Promise<PlantedAnswers[]> {
  const service = await openService(histories, how);
  const { test, secret, servers } = service;
  const { clock } = test;
  const rest = restOf(test.app);
  const warned: unknown[] = [];
  const jobs = serviceJobs({
    ...test.app,
    warn: (_job, error) => void warned.push(error),
    signal: new AbortController().signal,
  });
  const health = jobs.find(({ name }) => name === "health");
  const agents = servers.map((server) => agentOf(service, server));
  const live = servers.map((): Asked[] => []);
  const ask = async (id: string, query: string): Promise<Json> =>
    (await rest.call(secret, "GET", `/servers/${id}/health${query}`)).body;
  let previous: Instant | null = null;
  // Some minutes more, in which what waited is delivered and the last buckets close.
  for (let at = stretchStart; at < stretchEnd + 20 * minute; at += minute) {
    clock.now = at;
    for (const agent of agents) await agent(at);
    clock.now = at + minute / 2;
    if (at % (5 * minute) === minute) {
      await health?.run(previous);
      previous = clock.now;
    }
    if (askedTimes.has(at))
      for (const [place, { server }] of servers.entries())
        live[place]?.push({ at: clock.now, answer: await ask(server.id, "") });
  }
  const answers: PlantedAnswers[] = [];
  for (const [place, planted] of servers.entries()) {
    const { id } = planted.server;
    const windows: Asked[] = [];
    for (const { at } of live[place] ?? []) {
      if (!windowTimes.has(at)) continue;
      const [from, to] = [new Date(at - 24 * hour).toISOString(), new Date(at).toISOString()];
      windows.push({ at, answer: await ask(id, `?from=${from}&to=${to}`) });
    }
    const { body } = await rest.call(secret, "GET", `/servers/${id}/events?type=health_changed&limit=100`);
    const now = await ask(id, "");
    answers.push({ ...planted, live: live[place] ?? [], windows, now, entries: body["data"] as Json[] });
  }
  await rest.close();
  await test.close();
  if (warned.length > 0) throw new Error("A turn failed.", { cause: warned[0] });
  return answers;
}
