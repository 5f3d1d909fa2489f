import { readHealth, wordsOfHealth } from "../../src/cli/health-words.ts";
import { readHtml } from "../support/html.ts";
import type { Json } from "../support/payload.ts";

/** What one face says of one server, by fact; a fact that the face does not tell is left out. */
export type FaceFacts = Readonly<Record<string, unknown>>;

export const textOf = (html: string): string => readHtml(html).text.replaceAll(/\s+/g, " ").trim();
export const list = (value: unknown): Json[] => (value ?? []) as Json[];
const first = (html: string, pattern: RegExp): string | null => pattern.exec(html)?.[1] ?? null;
/** A page shows minutes. */
export const minuteOf = (at: unknown): string | null =>
  typeof at === "string" ? at.slice(0, 16).replace("T", " ") : null;
const rounded = (value: unknown, digits = 1): string | null =>
  typeof value === "number" ? value.toFixed(digits).replace(/\.?0+$/, "") : null;

export const findingsOf = (findings: Json[]) => findings.map(({ code, severity }) => `${severity} ${code}`);

export function factsByHealth(health: Json): FaceFacts {
  const headline = health["headline"] as Json;
  return {
    verdict: health["verdict"],
    since: health["since"],
    headline: headline["text"],
    findings: findingsOf(list(health["findings"])),
    "beginnings of findings": list(health["findings"]).map(({ since }) => since),
    availability: health["availability"],
  };
}

export function factsByStatus(status: Json): FaceFacts {
  const current = status["current"] as Json | null;
  return {
    state: status["state"],
    status: status["status"],
    "state since": status["state_since"],
    tps: rounded(current?.["tps"]),
    players: rounded(current?.["player_count"]),
  };
}

/** The card of health, the figures and the state on the page of a server. */
export function factsByPage(html: string): FaceFacts {
  const card = first(html, /<section class="card verdict" id="health">([\s\S]*?)<\/section>/) ?? "";
  const headings = [...card.matchAll(/<h3>([\s\S]*?)<\/h3>/g)].map(([, heading = ""]) => textOf(heading));
  const figure = (name: string): string | null =>
    first(html, new RegExp(`<dt>${name}[\\s\\S]*?</dt><dd>([\\s\\S]*?)(?:<div|</dd>)`));
  const open = first(html, /All alerts<\/a><\/header>([\s\S]*?)<\/section>/) ?? "";
  return {
    verdict: textOf(first(card, /<h2>([\s\S]*?)<\/h2>/) ?? "").replace("Health: ", ""),
    since: first(card, /<p class="small quiet">(?:in this state )?since [^<]*<time datetime="([^"]*)"/),
    headline: textOf(first(card, /<p class="judged">([\s\S]*?)<\/p>/) ?? ""),
    findings: headings,
    state: textOf(first(html, /<h3>Server<\/h3>([\s\S]*?)<p class/) ?? ""),
    tps: figureText(figure("TPS")),
    players: figureText(figure("Players")),
    "open alerts": [...open.matchAll(/<a href="\/alerts\/[^"]+"/g)].length,
  };
}

/** The figure that comes first, without its age. */
const figureText = (html: string | null): string | null =>
  html === null ? null : first(textOf(html.replace(/<div class="small">[\s\S]*/, "")), /^([\d.]+)/);

export const rowOf = (rows: unknown, id: string): Json | null =>
  list(rows).find((row) => row["server_id"] === id) ?? null;

/** A row of GET /monitoring/overview. */
export const factsByOverview = (row: Json): FaceFacts => {
  const health = row["health"] as Json;
  return {
    ...factsByStatus(row),
    verdict: health["verdict"],
    since: health["since"],
    reasons: health["reasons"],
    "open alerts": list(row["open_alerts"]).length,
  };
};

/** A row of GET /monitoring/health. */
export const factsByFleet = (row: Json): FaceFacts => ({
  verdict: row["verdict"],
  since: row["since"],
  reasons: row["reasons"],
  headline: (row["headline"] as Json)["text"],
  "open alerts": row["open_alerts"],
});

/** A row of the page of all servers. */
export function factsByFleetPage(html: string, id: string): FaceFacts {
  const row =
    [...html.matchAll(/<tr>[\s\S]*?<\/tr>/g)].map(([text]) => text).find((text) => text.includes(id)) ?? "";
  const cell = (head: string): string =>
    first(row, new RegExp(`<td data-head="${head}"[^>]*>([\\s\\S]*?)</td>`)) ?? "";
  const health = cell("Health");
  return {
    verdict: textOf(first(health, /(<span class="state[\s\S]*?<\/span>)/) ?? ""),
    "since in the fleet": first(health, /Since <time datetime="([^"]*)"/),
    state: textOf(first(cell("State"), /^<div>([\s\S]*?)<div class/) ?? "").replaceAll(" ", "_"),
    tps: figureText(cell("TPS")),
    players: figureText(cell("Players")),
    "open alerts": Number(figureText(cell("Alerts")) ?? 0),
  };
}

/** The lines of `tickmark check`. */
export function factsByCheck(health: Json): FaceFacts {
  const [head = "", ...lines] = wordsOfHealth(readHealth(health));
  const [, verdict, since = null, headline] = /^(\w+)(?: since (\S+?))?: (.*)$/.exec(head) ?? [];
  return {
    verdict,
    since,
    headline,
    "findings in words": lines
      .filter((line) => /^(critical|warning|info): /.test(line))
      .map((line) => (/^(\w+: [^,(]*)/.exec(line)?.[1] ?? "").trim().replace(":", "")),
  };
}

/** What the digest writes of a server; null if it is not among the worst. */
export function factsByDigest(text: string, name: string): FaceFacts | null {
  const found = new RegExp(
    `${name}: (\\w+)(?: since (.{16}) UTC)?\\. (.*?) (?:Available ([\\d.]+) %, (\\d+) incident|Available ([\\d.]+) %|Not measured)`,
  ).exec(text);
  if (!found) return null;
  const [, verdict, since = null, headline, percent, incidents, withoutIncidents] = found;
  return {
    verdict,
    headline,
    "minute of since": since,
    "percent of 7 days": percent ?? withoutIncidents ?? null,
    "incidents of 7 days": Number(incidents ?? 0),
  };
}

/** What anybody reads on the status page. */
export function factsInPublic(text: string, name: string): FaceFacts {
  const found = new RegExp(
    `${name}(?:(\\d+) players?)?([A-Z][a-z ]+?)30 days ago(?:([\\d.]+) %|not measured)`,
  ).exec(text);
  const [, players, state, percent = null] = found ?? [];
  return {
    "public state": state,
    ...(players !== undefined && { players }),
    publicPercent: percent,
  };
}

/** The state that the public should read, from what the owner reads. */
export function publicStateOf(
  { state, verdict }: { readonly state: unknown; readonly verdict: unknown },
  findings: readonly string[],
  isMaintained: boolean,
): string {
  const has = (code: string): boolean => findings.some((finding) => finding.endsWith(` ${code}`));
  if (state === "never_seen" || state === "not_monitored") return "Unknown";
  if (isMaintained) return "Maintenance";
  if (state === "stopped") return "Stopped";
  if (has("server_down")) return "Not reachable";
  if (has("server_unresponsive")) return "Not responding";
  const serious = findings.filter((finding) => !finding.startsWith("info"));
  const felt = serious.find((finding) => /crash|tick_over_budget/.test(finding));
  if (felt === undefined || state !== "running" || verdict === "unknown") return "Online";
  return felt.includes("crash") ? "Unstable" : "Slow";
}
