import { absence } from "../words/glossary.ts";
import { capitalised } from "../words/capitalised.ts";
import type {
  DayKind,
  PublicServer,
  PublicState,
  PublicStatus,
} from "../../core/status-page/public-status.ts";
import { shownDuration } from "../../core/text/plain-words.ts";
import { dayMs, secondMs } from "../../core/time.ts";
import type { Meaning } from "../parts/state.tsx";

export const publicStates: Readonly<
  Record<PublicState, { readonly words: string; readonly means: Meaning }>
> = {
  online: { words: "Online", means: "good" },
  slow: { words: "Slow", means: "watch" },
  unstable: { words: "Unstable", means: "watch" },
  not_responding: { words: "Not responding", means: "bad" },
  not_reachable: { words: "Not reachable", means: "bad" },
  maintenance: { words: "Maintenance", means: "silenced" },
  stopped: { words: "Stopped", means: "silenced" },
  no_data: { words: capitalised(absence.unknown), means: "unknown" },
};

/** Whether players can be on a server in this state. */
const isOnline = (state: PublicState): boolean =>
  publicStates[state].means === "good" || publicStates[state].means === "watch";

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

/** `height` is a share of the whole bar. */
export const dayKinds: Readonly<
  Record<DayKind, { readonly height: number; readonly means: Meaning; readonly words: string }>
> = {
  full: { height: 1, means: "good", words: "no outage" },
  partial: { height: 0.7, means: "watch", words: "up for 95 % or more" },
  major: { height: 0.4, means: "bad", words: "up for less than 95 %" },
  off: { height: 0.2, means: "silenced", words: "stopped or in maintenance" },
  unknown: { height: 0.06, means: "unknown", words: "not measured" },
};

export function overall(servers: readonly PublicServer[]): {
  readonly words: string;
  readonly means: Meaning;
} {
  const [only] = servers;
  if (only === undefined) return { words: "No server", means: "unknown" };
  if (servers.length === 1) return publicStates[only.state];
  const online = servers.filter(({ state }) => isOnline(state)).length;
  const meanings = new Set(servers.map(({ state }) => publicStates[state].means));
  const means =
    (["bad", "watch", "good", "silenced"] as const).find((meaning) => meanings.has(meaning)) ?? "unknown";
  return {
    words: online === servers.length ? `All ${online} online` : `${online} of ${servers.length} online`,
    means,
  };
}

/** The total of all servers; null if no server shows its players. */
export function playersWords(servers: readonly PublicServer[]): string | null {
  const known = servers.map(({ players }) => players).filter((players) => players !== null);
  return known.length === 0
    ? null
    : counted(
        known.reduce((sum, players) => sum + players, 0),
        "player",
      );
}

/** `99.95 %` */
export const percentWords = (percent: number | null): string =>
  percent === null ? "not measured" : `${percent} %`;

export function barsWords({ days, percent }: PublicServer): string {
  const count = (kind: DayKind): number => days.filter((day) => day.kind === kind).length;
  const parts = (Object.keys(dayKinds) as DayKind[])
    .filter((kind) => count(kind) > 0)
    .map((kind) => `${counted(count(kind), "day")}: ${dayKinds[kind].words}`);
  return `Availability of the last ${counted(days.length, "day")}: ${percentWords(percent)}. ${parts.join("; ")}.`;
}

export interface OutageDay {
  readonly day: string;
  readonly words: string;
}

/** Newest first; the last bar is the same day on every server. */
export function outageDays({ days }: PublicServer, { generated_at }: PublicStatus): OutageDay[] {
  const today = Math.floor(Date.parse(generated_at) / dayMs) * dayMs;
  return days
    .map(({ down_seconds }, index) => ({
      down: down_seconds,
      day: dateWords(today - (days.length - 1 - index) * dayMs),
    }))
    .filter(({ down }) => down > 0)
    .map(({ day, down }) => ({ day, words: shownDuration(down * secondMs) }))
    .toReversed();
}

const dateFormat = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });

/** `3 Nov` */
export const dateWords = (at: number): string => {
  const parts = new Map(dateFormat.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get("day")} ${parts.get("month")}`;
};

/** UTC, such as `3 Nov 07:34`. */
export const minuteWords = (at: string): string => `${dateWords(Date.parse(at))} ${at.slice(11, 16)}`;

/** The second day is left out if it is the first. */
export function spanWords(from: string, to: string): string {
  const end = from.slice(0, 10) === to.slice(0, 10) ? to.slice(11, 16) : minuteWords(to);
  return `${minuteWords(from)} to ${end} UTC`;
}

export const nameOnOneLine = (name: string): string => name.replaceAll(/[\t\n]+/g, " ").trim();
