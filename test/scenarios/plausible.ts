import type { Answer, Json } from "../support/service.ts";

const dayMs = 86_400_000;
/** What the clocks of two processes may differ by, and a plugin's and ours. */
const [processesMs, pluginsMs] = [60_000, 300_000];

/** The longest each window may have left, ms: it began now at the latest, or a little ahead by another clock. */
const longest = {
  maintenance: dayMs + pluginsMs,
  test: 10 * 60_000,
  day: dayMs + processesMs,
  hour: 3_600_000 + processesMs,
};

/** Everything in an answer that no clock may lead to: numbers below zero, and windows that never end. */
export class Findings {
  readonly negative: string[] = [];
  readonly endless: string[] = [];
  answers = 0;

  /** Looks through an answer that was given at `now`. */
  look(what: string, { json, headers, status }: Answer, now: number): void {
    this.answers += 1;
    this.numbers(what, json);
    this.rates(what, String(headers["ratelimit"] ?? ""));
    const wait = Number(headers["retry-after"] ?? 0) * 1000;
    if (wait < 0) this.negative.push(`${what}: Retry-After ${wait}`);
    if (status === 429 && wait > longest.test) this.endless.push(`${what}: Retry-After ${wait}`);
    const { ends_at, remaining_seconds } = json;
    if (typeof ends_at === "string" && Date.parse(ends_at) - now > longest.maintenance)
      this.endless.push(`${what}: ends_at ${ends_at}`);
    if (Number(remaining_seconds ?? 0) * 1000 > longest.maintenance)
      this.endless.push(`${what}: remaining_seconds ${String(remaining_seconds)}`);
  }

  private numbers(path: string, value: unknown): void {
    if (typeof value === "number" && !(value >= 0)) this.negative.push(`${path}: ${value}`);
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) this.numbers(`${path}.${key}`, member);
    this.order(path, value as Json, "opened_at", "resolved_at");
    this.order(path, value as Json, "opened_at", "acknowledged_at");
    this.order(path, value as Json, "pending_since", "opened_at");
    this.order(path, value as Json, "started_at", "ends_at");
  }

  private order(path: string, row: Json, before: string, after: string): void {
    const [first, last] = [row[before], row[after]];
    if (typeof first !== "string" || typeof last !== "string" || first <= last) return;
    this.negative.push(`${path}: ${after} ${last} before ${before} ${first}`);
  }

  private rates(what: string, ratelimit: string): void {
    for (const [, name = "", left = "", seconds = ""] of ratelimit.matchAll(/"(\w+)";r=(-?\d+);t=(-?\d+)/g)) {
      if (Number(left) < 0 || Number(seconds) < 0) this.negative.push(`${what}: ${ratelimit}`);
      if (Number(seconds) * 1000 > longest[name === "day" ? "day" : "hour"])
        this.endless.push(`${what}: ${ratelimit}`);
    }
  }

  /** Looks at a server's status right after one of its heartbeats was taken: nothing of it lies ahead. */
  fresh(status: Json, now: number): void {
    for (const field of ["last_heartbeat", "state_since", "boot_timestamp"]) {
      const at = status[field];
      if (typeof at === "string" && Date.parse(at) > now + pluginsMs)
        this.negative.push(`status.${field}: ${Date.parse(at) - now} ms ahead`);
    }
  }
}
