import type { Server } from "../../../../core/server/server.ts";
import { dayMs } from "../../../../core/time.ts";
import { charts, type Chart } from "../charts/chart-data.ts";
import { isShown, presets, type Preset } from "../charts/period.ts";

/** The second line may be the first server at an earlier time. */
const earlier = [
  ["day", "A day earlier", dayMs],
  ["week", "A week earlier", 7 * dayMs],
  ["four-weeks", "Four weeks earlier", 28 * dayMs],
] as const;

/** A server, and the shift of its time, ms. */
export interface ChosenLine {
  readonly serverId: string;
  readonly name: string;
  readonly shiftMs: number;
}

export interface ChosenLines {
  readonly one: ChosenLine;
  readonly other: ChosenLine;
  readonly chart: Chart;
  readonly period: Preset;
}

const nameOf = ({ name }: Server): string => name ?? "Server without a name";

/** Earlier times, and servers. */
export const otherChoices = (servers: readonly Server[]): [value: string, label: string][] => [
  ...earlier.map(([value, label]): [string, string] => [value, label]),
  ...servers.map((server): [string, string] => [server.id, nameOf(server)]),
];

export const serverChoices = (servers: readonly Server[]): [value: string, label: string][] =>
  servers.map((server) => [server.id, nameOf(server)]);

export const shownPeriods = (retentionDays: number): Preset[] =>
  presets.filter((preset) => isShown(preset, retentionDays));

/** The choice of the address, or the usual one. Null without a server, or if the plan shows no period. */
export function chooseLines(
  query: URLSearchParams,
  servers: readonly Server[],
  retentionDays: number,
): ChosenLines | null {
  const one = servers.find(({ id }) => id === query.get("one")) ?? servers[0];
  const periods = shownPeriods(retentionDays);
  const period =
    periods.find(([name]) => name === query.get("range")) ??
    periods.find(([name]) => name === "24h") ??
    periods.at(-1);
  const chart = charts.find(({ field }) => field === query.get("field")) ?? charts[1];
  if (!one || !period || !chart) return null;
  const others = servers.filter(({ id }) => id !== one.id);
  const wanted = query.get("other");
  const second = wanted === null ? others[0] : others.find(({ id }) => id === wanted);
  const before = earlier.find(([value]) => value === wanted) ?? earlier[0];
  return {
    one: { serverId: one.id, name: nameOf(one), shiftMs: 0 },
    other: second
      ? { serverId: second.id, name: nameOf(second), shiftMs: 0 }
      : { serverId: one.id, name: before[1], shiftMs: before[2] },
    chart,
    period,
  };
}

/** The value of the field `other`. */
export const otherValue = ({ one, other }: ChosenLines): string =>
  other.serverId === one.serverId
    ? (earlier.find(([, , ms]) => ms === other.shiftMs)?.[0] ?? "")
    : other.serverId;
