import type { SessionCaller } from "../../../contract/call/caller.ts";
import { isWatched, type MonitoringOverview } from "../../../core/monitoring/overview.ts";
import { planIncludes } from "../../../core/access/plan.ts";
import type { Server } from "../../../core/server/server.ts";
import type { ServerGroup } from "../../../core/server/server-group.ts";
import { getServerMetrics } from "../../../endpoints/api/metric/get-server-metrics.ts";
import { getMonitoringOverview } from "../../../endpoints/api/monitoring/get-monitoring-overview.ts";
import { listServerGroups } from "../../../endpoints/api/server/list-server-groups.ts";
import { listServers } from "../../../endpoints/api/server/list-servers.ts";
import type { PageRequest } from "../../page.ts";
import { plotDataOf, sparkPeriod, type PlotData } from "./plot-data.ts";
import { nullIfRefused, planRefusals } from "../../parts/null-if-refused.ts";
import { verdictsOf, type VerdictWord } from "./verdicts.ts";

type Overview = MonitoringOverview["data"][number];

export interface FleetRow {
  readonly server: Server;
  /** Null without a group. */
  readonly group: string | null;
  readonly status: Overview;
  readonly plot: PlotData | null;
  readonly verdict: VerdictWord;
}

/** Worst first, as `core/monitoring/fleet-order.ts` ranks them, or by group in the account's order. */
export type FleetOrder = "health" | "group";

/** Servers under one heading: a group, or all. */
export interface FleetGroup {
  readonly id: string;
  readonly name: string | null;
  readonly rows: readonly FleetRow[];
}

export interface ShownFleet {
  readonly totals: MonitoringOverview["totals"];
  readonly order: FleetOrder;
  readonly hasGroups: boolean;
  readonly groups: readonly FleetGroup[];
  /** Matching servers on all pages. */
  readonly found: number;
  readonly page: number;
  readonly pages: number;
}

const pageSize = 100;

/** An account has at most 500 servers, so these are few pages. */
export async function serversOfPerson(request: PageRequest<SessionCaller>): Promise<Server[]> {
  const servers: Server[] = [];
  let cursor: string | null = null;
  do {
    const part: { data: Server[]; page: { cursor: string | null } } = await request.call(listServers, {
      owner: "me",
      limit: 100,
      ...(cursor !== null && { cursor }),
    });
    servers.push(...part.data);
    cursor = part.page.cursor;
  } while (cursor !== null);
  return servers;
}

/** One page of servers, those with problems first. */
export async function readFleet(request: PageRequest<SessionCaller>): Promise<ShownFleet> {
  const [servers, overview, groups] = await Promise.all([
    serversOfPerson(request),
    request.call(getMonitoringOverview, { include_unmonitored: true }),
    request.call(listServerGroups, {}),
  ]);
  const known = new Map(servers.map((server) => [server.id, server]));
  const state = request.query.get("state");
  const isUnwatched = request.query.get("watched") === "no";
  const order: FleetOrder = request.query.get("order") === "group" ? "group" : "health";
  const names = new Map(groups.data.map(({ id, name }) => [id, name]));
  const wanted = overview.data.flatMap((status) => {
    const server = known.get(status.server_id);
    const isWanted =
      (state === null || status.state === state) && (!isUnwatched || isWatched(status) === false);
    return server && isWanted ? [{ server, status }] : [];
  });
  // Groups come first, so that a page continues in the group where the page before ended.
  if (order === "group") {
    const places = new Map(groups.data.map(({ id }, place) => [id, place]));
    const placeOf = (group: string | null): number => places.get(group ?? "") ?? places.size;
    wanted.sort((one, other) => placeOf(one.server.group_id) - placeOf(other.server.group_id));
  }
  const pages = Math.max(1, Math.ceil(wanted.length / pageSize));
  const page = Math.min(pages, Math.max(1, Number(request.query.get("page")) || 1));
  const shown = wanted.slice((page - 1) * pageSize, page * pageSize);
  const plots = await Promise.all(shown.map(({ server }) => plotOf(request, server)));
  const verdicts = await verdictsOf(
    request,
    shown.map(({ server }) => server),
  );
  const rows = shown.map(({ server, status }, index) => ({
    server,
    group: names.get(server.group_id ?? "") ?? null,
    status,
    plot: plots[index] ?? null,
    verdict: verdicts[index] ?? ("later" as const),
  }));
  return {
    totals: overview.totals,
    order,
    hasGroups: groups.data.length > 0,
    groups: order === "group" ? grouped(rows, groups.data) : [{ id: "all", name: null, rows }],
    found: wanted.length,
    page,
    pages,
  };
}

/** The last hours of a monitored server, at most a minute old. */
async function plotOf(request: PageRequest<SessionCaller>, server: Server): Promise<PlotData | null> {
  const { person, now, plots } = request;
  if (!server.monitoring_enabled || !planIncludes(person.limits, "monitoring")) return null;
  return plots.of(`${person.account.id} ${server.id}`, now, async () => {
    const series = await nullIfRefused(
      [...planRefusals, "not_found"],
      request.call(getServerMetrics, { server_id: server.id, ...sparkPeriod(now), fields: ["mspt"] }),
    );
    return series && plotDataOf(series);
  });
}

/** In the account's order, servers without a group last. Leaves out groups without a server on this page. */
function grouped(rows: readonly FleetRow[], groups: readonly ServerGroup[]): FleetGroup[] {
  const all = [...groups.map(({ id, name }) => ({ id, name })), { id: "", name: null }];
  return all
    .map(({ id, name }) => ({ id, name, rows: rows.filter(({ server }) => (server.group_id ?? "") === id) }))
    .filter((group) => group.rows.length > 0);
}
