import { Gauge, type Registry } from "prom-client";
import type { Database } from "../store/engine/database.ts";
import { selectInstallation } from "../store/job/installation.ts";
import { selectServiceFigures } from "../store/job/service-figures.ts";

/** Scrapes read the database at most this often, ms. */
export const readAgainMs = 5000;

const perSecond = 1000;

/** Gauges of what the database holds, for all processes of the service. `refresh` never rejects. */
export function serviceFigures(
  register: Registry,
  db: Database,
  clock: () => number,
): { readonly refresh: () => Promise<void> } {
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Gauge<Label>({ name: `tickmark_${name}`, help, labelNames: [...labelNames], registers: [register] });
  const up = gauge("database_up", "1 if the database answered the newest scrape that read from it.", []);
  const writable = gauge(
    "database_writable",
    "0 while the disk of the database is full, its file is gone or replaced, or a pooler mixes its connections up.",
    [],
  );
  const accounts = gauge("accounts", "Accounts of the service.", []);
  const servers = gauge("servers", "Linked servers of all accounts.", []);
  const alerts = gauge("alerts", "Alerts in progress.", ["kind", "status"]);
  const waiting = gauge("deliveries_waiting", "Messages that are still to be sent.", ["channel"]);
  const overdue = gauge("deliveries_overdue_seconds", "How long the oldest message has been due.", []);
  const runs = gauge("auto_bench_jobs", "Scheduled benchmarks that are not finished.", ["status"]);
  const ended = gauge("job_last_end_timestamp_seconds", "When a job last ended, in any process.", ["task"]);
  const connections = gauge("database_connections", "Connections of this process to the database.", [
    "state",
  ]);
  const queue = gauge("database_queue", "Units of work that wait for a connection or a commit.", []);
  let readAt = Number.NEGATIVE_INFINITY;

  const read = async (): Promise<void> => {
    const now = clock();
    const found = await db.read(selectInstallation, db.dialect);
    const figures = await db.read(selectServiceFigures, now);
    accounts.set(found.accounts);
    servers.set(found.servers);
    for (const { name, finishedAt } of found.jobs)
      if (finishedAt !== null) ended.set({ task: name }, finishedAt / perSecond);
    for (const several of [alerts, waiting, runs]) several.reset();
    for (const { kind, status, count } of figures.alerts) alerts.set({ kind, status }, count);
    for (const channel of ["email", "chat"]) waiting.set({ channel }, figures.waiting[channel] ?? 0);
    for (const { status, count } of figures.runs) runs.set({ status }, count);
    overdue.set(Math.max(0, now - (figures.oldestDueAt ?? now)) / perSecond);
  };

  return {
    refresh: async () => {
      const { open, idle, waiting: queued } = db.connections();
      connections.set({ state: "busy" }, open - idle);
      connections.set({ state: "idle" }, idle);
      queue.set(queued);
      writable.set(Number(db.refusal() === null && !db.isDiskFull()));
      if (performance.now() - readAt < readAgainMs) return;
      readAt = performance.now();
      await read().then(
        () => up.set(1),
        () => up.set(0),
      );
    },
  };
}
