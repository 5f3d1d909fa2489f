import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { noMeter, type Meter } from "../contract/call/meter.ts";
import type { Database } from "../store/engine/database.ts";
import { meteredDatabase } from "./metered-database.ts";
import { requestCounter, type CountRequest } from "./request-metrics.ts";
import { serviceFigures } from "./service-figures.ts";

/** One answer to a scrape. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

export interface ServiceMetrics {
  readonly meter: Meter;
  /** Null when nothing is measured. */
  readonly countRequest: CountRequest | null;
  readonly database: Database;
  /** Everything that is measured, as Prometheus reads it. */
  readonly expose: () => Promise<Exposition>;
}

/** Nothing is measured, and nothing stands between the service and its database. */
export const withoutMetrics = (database: Database): ServiceMetrics => ({
  meter: noMeter,
  countRequest: null,
  database,
  expose: async () => ({ contentType: "text/plain", text: "" }),
});

/** Upper bounds, s: an answer from memory, an ordinary one, a slow one, and what somebody waits for. */
const requestBuckets = [0.005, 0.025, 0.1, 0.5, 2.5];
const databaseBuckets = [0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5];
const toolBuckets = [0.01, 0.05, 0.25, 1, 5];

/** What of an answer of the plugin API says how much was stored. */
const storedIn = (answer: unknown): number => {
  const { stored, accepted } = (answer ?? {}) as { stored?: unknown; accepted?: unknown };
  if (typeof stored === "number") return stored;
  return accepted === false ? 0 : 1;
};

/** Measures this process and the database it works on, in a registry of its own. */
export function serviceMetrics(plain: Database, clock: () => number, version: string): ServiceMetrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter<Label>({
      name: `tickmark_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [register],
    });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: number[],
  ) =>
    new Histogram<Label>({
      name: `tickmark_${name}`,
      help,
      labelNames: [...labelNames],
      buckets,
      registers: [register],
    });

  new Gauge({
    name: "tickmark_build_info",
    help: "The version of the program, of Node.js, and the kind of database.",
    labelNames: ["version", "node", "database"],
    registers: [register],
  }).set({ version, node: process.version, database: plain.dialect }, 1);
  const requests = counter("http_requests_total", "Answered requests.", ["route", "status"]);
  const durations = histogram(
    "http_request_duration_seconds",
    "From the head of a request to the end of its answer.",
    ["route"],
    requestBuckets,
  );
  const tools = counter("mcp_tool_calls_total", "Calls of tools over HTTP.", ["tool", "outcome"]);
  const toolSeconds = histogram("mcp_tool_duration_seconds", "Time of a call of a tool.", [], toolBuckets);
  const ingested = counter("ingested_total", "What plugins and agents sent and the service stored.", [
    "call",
  ]);
  const documents = new Gauge({
    name: "tickmark_documents_in_progress",
    help: "Profiles and memory reports that are being read, or wait for it.",
    registers: [register],
  });
  const deliveries = counter("deliveries_total", "Attempts to send a message.", ["channel", "outcome"]);
  // Prometheus calls its own label of a target "job".
  const jobRuns = counter("job_runs_total", "Runs of jobs in this process.", ["task"]);
  const jobSeconds = counter("job_seconds_total", "Time of the runs of jobs in this process.", ["task"]);
  const jobLast = new Gauge({
    name: "tickmark_job_last_duration_seconds",
    help: "Time of the newest run of a job in this process.",
    labelNames: ["task"],
    registers: [register],
  });
  const jobFailures = counter("job_failures_total", "Runs or steps of jobs that failed.", ["task"]);
  const database = meteredDatabase(plain, {
    seconds: histogram(
      "database_duration_seconds",
      "Time of units of work on the database, waiting included.",
      ["operation"],
      databaseBuckets,
    ),
    failures: counter("database_failures_total", "Units of work that the database did not do.", [
      "operation",
    ]),
  });
  // Not measured itself: a scrape would change what it reads.
  const figures = serviceFigures(register, plain, clock);
  return {
    database,
    countRequest: requestCounter(requests, durations),
    meter: {
      toolCalled: (tool, outcome, seconds) => {
        tools.inc({ tool, outcome });
        toolSeconds.observe(seconds);
      },
      ingested: (call, answer) => ingested.inc({ call }, storedIn(answer)),
      documents: (change) => documents.inc(change),
      delivered: (channel, outcome) => deliveries.inc({ channel, outcome }),
      jobEnded: (task, seconds) => {
        jobRuns.inc({ task });
        jobSeconds.inc({ task }, seconds);
        jobLast.set({ task }, seconds);
      },
      jobFailed: (task) => jobFailures.inc({ task }),
    },
    expose: async () => {
      await figures.refresh();
      return { contentType: register.contentType, text: await register.metrics() };
    },
  };
}
