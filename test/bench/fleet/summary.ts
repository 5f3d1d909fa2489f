import type { FleetOptions, FleetRun } from "./run-fleet.ts";

const minutesADay = 1440;
/** A core is planned to be so busy at most: bursts and jobs need the rest. */
const plannedShare = 0.6;

const ms = (us: number): string => (us / 1000).toFixed(1);
const cells = (values: readonly string[]): string =>
  values.map((value, place) => (place === 0 ? value.padEnd(28) : value.padStart(9))).join("");

/** What a run measured, and what is computed from it, a line each. */
export function summaryOf(options: FleetOptions, run: FleetRun): string[] {
  const { servers, rates, database } = options;
  const { cpu, minutes, first, last, blocks, idleLate, generatorLate, figures, before, after } = run;
  const perServerMinute = (cpu.service + cpu.database) / servers / minutes;
  const over = (lengths: readonly number[]): number => lengths.filter((ms) => ms > 50).length;
  const share = (us: number): string => `${((100 * us) / (minutes * 60e6)).toFixed(1)} % of a core`;
  const total = [...run.routes.values()].reduce((sum, { times }) => sum + times.count, 0);
  const heartbeatsADay = (86_400_000 / rates.heartbeatEveryMs) * servers;
  const pointsStored = run.accepted;
  const bytes = after.bytes - before.bytes;
  const aDay = (value: number): number => (value * minutesADay * 60_000) / run.lengthMs;
  return [
    `${servers} servers in accounts of ${options.accountSize}, ${database}, ${minutes} minutes after ${options.warmUpMinutes} of warm-up, ${options.processes} processes, ${options.connections} connections${options.syncMs > 0 ? `, ${options.syncMs} ms more for each sync of the disk` : ""}`,
    `sent: a heartbeat a server every ${rates.heartbeatEveryMs / 1000} s, events a server every ${rates.eventsEveryMs / 1000} s, ${rates.readsPerSecond} reads/s, one page an account every ${rates.pageEveryMs / 1000} s; ${(total / minutes / 60).toFixed(0)} requests/s`,
    "",
    cells(["route", "requests", "p50 ms", "p99 ms", "max ms", "not 2xx"]),
    ...[...run.routes].map(([route, { times, failed }]) =>
      cells([
        route,
        String(times.count),
        ms(times.percentile(50)),
        ms(times.percentile(99)),
        ms(times.max),
        [...failed].map(([status, count]) => `${count} × ${status}`).join(" ") || "0",
      ]),
    ),
    "",
    `CPU of the service: ${share(cpu.service)}; most in a span between two readings ${(100 * run.busiest).toFixed(0)} %`,
    ...(database === "postgres" ? [`CPU of PostgreSQL: ${share(cpu.database)}`] : []),
    `CPU of the generator itself: ${share(cpu.generator)}; it was late by ${ms(generatorLate.p99 * 1000)} ms (p99), ${ms(generatorLate.max * 1000)} ms at most; most requests in flight ${run.mostInFlight}`,
    `CPU a server and minute: ${(perServerMinute / 1000).toFixed(2)} ms; all CPU divided by all requests: ${((cpu.service + cpu.database) / total).toFixed(0)} µs`,
    `longest block of the loop: ${Math.max(...blocks).toFixed(0)} ms; over 50 ms in ${over(blocks)} of ${blocks.length} spans`,
    `a process that does nothing was late by at most ${Math.max(...idleLate).toFixed(0)} ms; over 50 ms in ${over(idleLate)} of ${idleLate.length} spans`,
    `garbage collection: ${share(run.gcSeconds * 1e6)}`,
    `after collection: heap ${first.heapMb.toFixed(1)} MB after the warm-up, ${last.heapMb.toFixed(1)} MB at the end (${(last.heapMb - first.heapMb).toFixed(1)} MB more); RSS ${first.rssMb.toFixed(0)} MB, ${last.rssMb.toFixed(0)} MB`,
    `heartbeats: ${run.accepted} answered by 2xx, ${run.lost} of them not stored; entries of timelines not stored: ${run.lostEvents}; alerts opened ${after.alerts - before.alerts}`,
    `newest run of each job: ${[...figures.jobs].map(([name, { last: seconds }]) => `${name} ${(seconds * 1000).toFixed(0)} ms`).join(", ")}`,
    `on disk: ${(bytes / 1e6).toFixed(1)} MB more for ${pointsStored} points and ${after.events - before.events} events`,
    `computed from this run: ${(heartbeatsADay / 1e6).toFixed(1)} million rows of samples a day; ${(aDay(bytes) / 1e9).toFixed(1)} GB a day while they are rows (they are moved into blocks every two hours)`,
    `computed from this run: one core full would take ${Math.floor(60e6 / perServerMinute)} servers, at ${100 * plannedShare} % ${Math.floor((60e6 * plannedShare) / perServerMinute)}`,
  ];
}
