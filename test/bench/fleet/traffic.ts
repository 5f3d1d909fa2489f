import { hourMs, minuteMs, secondMs, toTimestamp } from "../../../src/core/time.ts";
import type { EventBody, HeartbeatBody, SampleBody } from "../../../src/outbound/plugin-client.ts";
import type { FleetClient } from "./client.ts";
import type { FleetAccount, FleetServer } from "./fleet-database.ts";
import type { Timetable } from "./timetable.ts";

/** How much the fleet sends and reads. */
export interface Rates {
  /** Of each server, ms; every one of them comes up to two seconds late. */
  readonly heartbeatEveryMs: number;
  /** Calls of each server with one or two entries of its timeline, ms. */
  readonly eventsEveryMs: number;
  /** Reads of all assistants together, in turn through the kinds below, a second. */
  readonly readsPerSecond: number;
  /** Each account has one page open, of its fleet or of a server, whose live part is renewed every so often, ms. */
  readonly pageEveryMs: number;
}

/** What was accepted, to be found in the database afterwards. */
export interface Accepted {
  /** Heartbeats of each server, by its place. */
  readonly heartbeats: Uint32Array;
  events: number;
}

const heartbeatJitterMs = 2 * secondMs;
/** A server is slow for two minutes about once in a day. */
const slowMs = 2 * minuteMs;
const slowChance = (30 * secondMs) / (24 * hourMs);
const connectorHeaders = {
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-11-25",
};

const around = (middle: number, by: number): number =>
  Math.round(10 * (middle + by * (Math.random() - 0.5))) / 10;
const whole = (middle: number, by: number): number => Math.round(around(middle, by));
const json = (secret: string): Record<string, string> => ({
  authorization: `Bearer ${secret}`,
  "content-type": "application/json",
});

/** A sample as plugins send it: eighteen figures and the busiest worlds. */
export const sampleOf = (at: number, isSlow: boolean): SampleBody => ({
  sampled_at: toTimestamp(at),
  tps: isSlow ? around(14, 2) : 20,
  mspt: isSlow ? around(68, 8) : around(18, 6),
  player_count: whole(12, 6),
  entity_count: whole(1840, 200),
  loaded_chunks: whole(2209, 60),
  tile_entities: whole(5120, 40),
  cpu_cores: 4,
  ram_used_mb: around(4000, 3000),
  ram_max_mb: 10_240,
  cpu_usage: around(34, 6),
  cpu_system: around(41, 6),
  worst_tick_ms: around(88, 60),
  mspt_p95: around(31, 8),
  ticks_over_50ms: whole(3, 5),
  heap_after_gc_mb: whole(3200, 300),
  rss_mb: whole(8900, 100),
  ping_ms: around(43, 10),
  gc_stw_ms: around(12, 8),
  paused_empty: false,
  worlds_top: [{ name: "world", players: 12, entities: 1500, chunks: 1800 }],
});

const entries = [
  ["player_join", "custom", "plugin", "info"],
  ["tempban", "moderation", "LiteBans", "warning"],
  ["server_crash", "lifecycle", "plugin", "error"],
] as const;

function entryAt(at: number): EventBody {
  const chance = Math.random();
  const [type, category, source, severity] = entries[chance < 0.9 ? 0 : chance < 0.99 ? 1 : 2];
  const local_id = `${at}-${Math.random()}`;
  const metadata = { player: `Player${whole(500, 900)}` };
  return {
    local_id,
    type,
    category,
    source,
    severity,
    title: `${type} of a player`,
    metadata,
    timestamp: toTimestamp(at),
  };
}

/** Plans the whole traffic of the fleet from `start` on. */
export function planTraffic(
  timetable: Timetable,
  client: FleetClient,
  accounts: readonly FleetAccount[],
  rates: Rates,
  start: number,
): Accepted {
  const servers = accounts.flatMap((account) => account.servers);
  const accepted: Accepted = { heartbeats: new Uint32Array(servers.length), events: 0 };
  const boot = toTimestamp(start - 26 * hourMs);

  const beats = ({ credential }: FleetServer, place: number): void => {
    const headers = json(credential);
    let slowUntil = 0;
    const first = start + (place / servers.length) * rates.heartbeatEveryMs;
    const jitter = Math.min(heartbeatJitterMs, rates.heartbeatEveryMs / 2);
    timetable.every(first, rates.heartbeatEveryMs, jitter, (due) => {
      if (Math.random() < slowChance) slowUntil = due + slowMs;
      const body: HeartbeatBody = {
        sent_at: toTimestamp(due),
        boot_timestamp: boot,
        plugin_version: "1.10.2",
        last_tick_age_ms: 20,
        announce: null,
        sample: sampleOf(due, due < slowUntil),
      };
      const request = { route: "heartbeat", method: "POST", path: "/plugin/v1/heartbeat", headers } as const;
      client.send({ ...request, body: JSON.stringify(body) }, due, () => {
        accepted.heartbeats[place] = (accepted.heartbeats[place] ?? 0) + 1;
      });
    });
    timetable.every(start + Math.random() * rates.eventsEveryMs, rates.eventsEveryMs, 0, (due) => {
      const events = Math.random() < 0.5 ? [entryAt(due)] : [entryAt(due), entryAt(due)];
      const request = { route: "events", method: "POST", path: "/plugin/v1/events", headers } as const;
      client.send(
        { ...request, body: JSON.stringify({ events }) },
        due,
        () => void (accepted.events += events.length),
      );
    });
  };
  for (const [place, server] of servers.entries()) beats(server, place);

  for (const [
    place,
    {
      session,
      servers: [server],
    },
  ] of accounts.entries()) {
    const [route, path] =
      place % 2 === 0
        ? (["page of the fleet", "/servers?part=fleet"] as const)
        : (["page of a server", `/servers/${server?.id}?part=now`] as const);
    const headers = { cookie: `tickmark=${session}`, "accept-encoding": "gzip, br" };
    const request = { route, method: "GET", path, headers } as const;
    const first = start + Math.random() * rates.pageEveryMs;
    timetable.every(first, rates.pageEveryMs, 0, (due) => client.send(request, due));
  }

  planReads(timetable, client, accounts, rates.readsPerSecond, start);
  return accepted;
}

/** Every read is one of another kind, for another account. */
function planReads(
  timetable: Timetable,
  client: FleetClient,
  accounts: readonly FleetAccount[],
  perSecond: number,
  start: number,
): void {
  if (perSecond === 0) return;
  const get =
    (route: string, path: (server: string) => string) => (server: string, headers: Record<string, string>) =>
      ({ route, method: "GET", path: `/api/v1${path(server)}`, headers }) as const;
  const tool =
    (name: string, argumentsOf: (server: string) => Record<string, string>) =>
    (server: string, headers: Record<string, string>) =>
      ({
        route: `MCP ${name}`,
        method: "POST",
        path: "/mcp",
        headers: { ...headers, ...connectorHeaders },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name, arguments: argumentsOf(server) },
        }),
      }) as const;
  const kinds = [
    get("REST overview", () => "/monitoring/overview"),
    get("REST status", (server) => `/servers/${server}/status`),
    get("REST metrics", (server) => `/servers/${server}/metrics?range=1h`),
    get("REST fleet health", () => "/monitoring/health"),
    tool("get_monitoring_overview", () => ({})),
    tool("get_server_status", (server) => ({ server_id: server })),
    tool("get_server_metrics", (server) => ({ server_id: server, range: "1h" })),
    tool("diagnose_fleet", () => ({})),
    tool("diagnose_server", (server) => ({ server_id: server })),
  ];
  let [kind, place] = [0, 0];
  timetable.every(start, secondMs / perSecond, 0, (due) => {
    kind = (kind + 1) % kinds.length;
    if (kind === 0) place += 1;
    const { token, servers } = accounts[place % accounts.length] ?? { token: "", servers: [] };
    const server = servers[Math.floor(Math.random() * servers.length)]?.id ?? "";
    const request = kinds[kind]?.(server, json(token));
    if (request) client.send(request, due);
  });
}
