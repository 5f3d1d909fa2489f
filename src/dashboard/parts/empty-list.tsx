import type { ComponentChildren } from "preact";
import { emptyReason, type EmptyReason } from "../../core/empty-list.ts";
import { dayMs, parseInstant, type Instant } from "../../core/time.ts";
import { Empty } from "./state.tsx";

/** For how long entries are kept or shown, and who says so. */
export interface Kept {
  readonly days: number;
  readonly by: "plan" | "service";
}

interface EmptyListProps {
  readonly query: URLSearchParams;
  readonly now: Instant;
  /** The singular of what is listed. */
  readonly one: string;
  /** The list without filters. */
  readonly all: string;
  /** The names in the address that exclude entries; `since` and `from`, `until` and `to` choose a time. */
  readonly filters?: readonly string[];
  /** Left out if everything is kept. */
  readonly kept?: Kept | undefined;
  /** What a filter may have excluded without saying so. */
  readonly filteredHint?: ComponentChildren;
  /** If nothing is there: what will be here, and how to get the first. */
  readonly children: ComponentChildren;
}

const starts = ["since", "from"];
const ends = ["until", "to"];
const times = new Set([...starts, ...ends]);

/** Why the list of an address is empty, by the same function as in the connector. */
export function emptyReasonOf(
  query: URLSearchParams,
  now: Instant,
  filters: readonly string[] = [],
  kept?: Kept,
): EmptyReason {
  const sent = (name: string): string | null => (filters.includes(name) && query.get(name)) || null;
  const instantOf = (names: readonly string[]): Instant | null => {
    const text = names.map(sent).find((value) => value !== null) ?? null;
    return text === null ? null : parseInstant(text);
  };
  return emptyReason({
    isContinued: (query.get("cursor") ?? "") !== "",
    isFiltered: filters.some((name) => !times.has(name) && sent(name) !== null),
    from: instantOf(starts),
    to: instantOf(ends),
    keptFrom: kept === undefined ? null : now - kept.days * dayMs,
  });
}

/** In place of an empty list. That nothing is there is said only where nothing else explains it. */
export function EmptyList({ query, now, one, all, filters, kept, filteredHint, children }: EmptyListProps) {
  switch (emptyReasonOf(query, now, filters, kept)) {
    case "end":
      return (
        <Empty title={`No older ${one}`} next={<a href={all}>Show the newest</a>}>
          <KeptWords kept={kept} />
        </Empty>
      );
    case "not_kept":
      return (
        <Empty title={`No ${one} of this time is kept`} next={<a href={all}>Show the newest</a>}>
          <KeptWords kept={kept} />
        </Empty>
      );
    case "filtered":
      return (
        <Empty
          title={`No ${one} matches`}
          next={
            <p>
              Widen the filters, or <a href={all}>show all</a>.
            </p>
          }
        >
          {filteredHint && <p>{filteredHint}</p>}
          <KeptWords kept={kept} />
        </Empty>
      );
    case "nothing":
      return <>{children}</>;
  }
}

/** Nothing if everything is kept. */
export function KeptWords({ kept }: { kept: Kept | undefined }) {
  if (kept === undefined) return null;
  return kept.by === "plan" ? (
    <p>The plan shows the last {kept.days} days. What happened before is not shown.</p>
  ) : (
    <p>Entries are kept for {kept.days} days. What happened before is deleted.</p>
  );
}
