import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Upper bounds, s: an answer from memory, an ordinary one, a slow one, and one that somebody waits for. */
const requestBuckets = [0.005, 0.025, 0.1, 0.5, 2.5];
const databaseBuckets = [0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5];
const toolBuckets = [0.01, 0.05, 0.25, 1, 5];

export type Instruments = ReturnType<typeof instruments>;

export function instruments(register: Registry) {
  const registers = [register];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter<Label>({ name: `tickmark_${name}`, help, labelNames: [...labelNames], registers });
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Gauge<Label>({ name: `tickmark_${name}`, help, labelNames: [...labelNames], registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: number[],
  ) =>
    new Histogram<Label>({ name: `tickmark_${name}`, help, labelNames: [...labelNames], buckets, registers });
  return {
    build: gauge("build_info", "The version of the program, of Node.js, and the kind of database.", [
      "version",
      "node",
      "database",
    ]),
    requests: counter("http_requests_total", "Answered requests.", ["route", "status"]),
    durations: histogram(
      "http_request_duration_seconds",
      "From the head of a request to the end of its answer.",
      ["route"],
      requestBuckets,
    ),
    shed: counter("http_requests_shed_total", "Requests that were refused because others wait too long.", [
      "kind",
    ]),
    tools: counter("mcp_tool_calls_total", "Calls of tools over HTTP.", ["tool", "outcome"]),
    toolSeconds: histogram("mcp_tool_duration_seconds", "Time of a call of a tool.", [], toolBuckets),
    ingested: counter("ingested_total", "What plugins and agents sent and the service stored.", ["call"]),
    documents: gauge(
      "documents_in_progress",
      "Profiles and memory reports that are being read, or wait for it.",
      [],
    ),
    deliveries: counter("deliveries_total", "Attempts to send a message.", ["channel", "outcome"]),
    // Prometheus calls its own label of a target "job".
    jobRuns: counter("job_runs_total", "Runs of jobs in this process.", ["task"]),
    jobSeconds: counter("job_seconds_total", "Time of the runs of jobs in this process.", ["task"]),
    jobLast: gauge("job_last_duration_seconds", "Time of the newest run of a job in this process.", ["task"]),
    jobFailures: counter("job_failures_total", "Runs or steps of jobs that failed.", ["task"]),
    databaseSeconds: histogram(
      "database_duration_seconds",
      "Time of units of work on the database, waiting included.",
      ["operation"],
      databaseBuckets,
    ),
    databaseFailures: counter("database_failures_total", "Units of work that the database did not do.", [
      "operation",
    ]),
  };
}
