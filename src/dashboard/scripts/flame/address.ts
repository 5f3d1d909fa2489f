import type { Span } from "./layout.ts";

export type ViewName = "calls" | "hot" | "method";
export type Shown = "graph" | "table" | "both";

/** What is shown, as the page's address holds it. */
export interface Shows {
  readonly view: ViewName;
  /** The whole name of the method in the view `method`; otherwise empty. */
  readonly method: string;
  /** The node of the zoomed frame, 0 for the root. */
  readonly frame: number;
  /** As shares of the root's width; null for the whole zoomed frame. */
  readonly span: Span | null;
  readonly find: string;
  readonly shown: Shown;
  /** Nodes of the table that differ from their first state, open or closed. */
  readonly toggled: readonly number[];
}

const views: readonly string[] = ["calls", "hot", "method"] satisfies ViewName[];
const showns: readonly string[] = ["graph", "table", "both"] satisfies Shown[];
const names = ["view", "method", "frame", "span", "find", "show", "toggled"];

/** Nodes in an address. */
const mostToggled = 100;

/** Characters. */
export const longestFind = 200;

/** Wrong parts of an address are ignored. */
export function showsIn(query: URLSearchParams): Shows {
  const method = query.get("method") ?? "";
  const named = query.get("view") ?? "";
  const isView = views.includes(named) && (named !== "method" || method !== "");
  const view = isView ? (named as ViewName) : "calls";
  const shown = query.get("show") ?? "";
  return {
    view,
    method: view === "method" ? method : "",
    frame: indexIn(query.get("frame")) ?? 0,
    span: spanIn(query.get("span")),
    find: (query.get("find") ?? "").slice(0, longestFind),
    shown: showns.includes(shown) ? (shown as Shown) : "graph",
    toggled: (query.get("toggled") ?? "")
      .split(".")
      .slice(0, mostToggled)
      .flatMap((text) => indexIn(text) ?? []),
  };
}

/** Other parts of the query stay. */
export function writeShows(shows: Shows, query: URLSearchParams): void {
  const { view, method, frame, span, find, shown, toggled } = shows;
  const values: Readonly<Record<string, string>> = {
    view: view === "calls" ? "" : view,
    method: view === "method" ? method : "",
    frame: frame === 0 ? "" : String(frame),
    span: span ? `${span.from.toFixed(6)}-${span.to.toFixed(6)}` : "",
    find,
    show: shown === "graph" ? "" : shown,
    toggled: toggled.slice(0, mostToggled).join("."),
  };
  for (const name of names) {
    const value = values[name] ?? "";
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
}

const indexIn = (text: string | null): number | null =>
  text !== null && /^\d{1,7}$/.test(text) ? Number(text) : null;

function spanIn(text: string | null): Span | null {
  const [from, to] = (/^[01]\.\d{1,9}-[01]\.\d{1,9}$/.test(text ?? "") ? (text ?? "") : "")
    .split("-")
    .map(Number);
  if (from === undefined || to === undefined || !(from < to) || to > 1) return null;
  return { from, to };
}
