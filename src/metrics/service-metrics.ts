import { collectDefaultMetrics, Registry } from "prom-client";
import { noMeter, type Meter } from "../contract/call/meter.ts";
import type { Database, ReplicaState } from "../store/engine/database.ts";
import { instruments, type Instruments } from "./instruments.ts";
import { meteredDatabase } from "./metered-database.ts";
import { requestCounter, type CountRequest } from "./request-metrics.ts";
import { replicaFigures } from "./replica-figures.ts";
import { serviceFigures } from "./service-figures.ts";

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

export interface ServiceMetrics {
  readonly meter: Meter;
  /** Null if nothing is measured. */
  readonly countRequest: CountRequest | null;
  readonly database: Database;
  readonly expose: () => Promise<Exposition>;
}

export const withoutMetrics = (database: Database): ServiceMetrics => ({
  meter: noMeter,
  countRequest: null,
  database,
  expose: async () => ({ contentType: "text/plain", text: "" }),
});

/** How much was stored, by the plugin API's answer. */
const storedIn = (answer: unknown): number => {
  const { stored, accepted } = (answer ?? {}) as { stored?: unknown; accepted?: unknown };
  if (typeof stored === "number") return stored;
  return accepted === false ? 0 : 1;
};

export function serviceMetrics(
  plain: Database,
  clock: () => number,
  version: string,
  replica: ReplicaState | null,
): ServiceMetrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const of = instruments(register);
  of.build.set({ version, node: process.version, database: plain.dialect }, 1);
  // The unmetered database: a scrape would otherwise change what it reads.
  const figures = serviceFigures(register, plain, clock);
  const refreshReplica = replicaFigures(register, replica);
  return {
    database: meteredDatabase(plain, { seconds: of.databaseSeconds, failures: of.databaseFailures }),
    countRequest: requestCounter(of.requests, of.durations),
    meter: meterOf(of),
    expose: async () => {
      await figures.refresh();
      refreshReplica();
      return { contentType: register.contentType, text: await register.metrics() };
    },
  };
}

const meterOf = (of: Instruments): Meter => ({
  toolCalled: (tool, outcome, seconds) => {
    of.tools.inc({ tool, outcome });
    of.toolSeconds.observe(seconds);
  },
  callShed: (kind) => of.shed.inc({ kind }),
  ingested: (call, answer) => of.ingested.inc({ call }, storedIn(answer)),
  documents: (change) => of.documents.inc(change),
  delivered: (channel, outcome) => of.deliveries.inc({ channel, outcome }),
  jobEnded: (task, seconds) => {
    of.jobRuns.inc({ task });
    of.jobSeconds.inc({ task }, seconds);
    of.jobLast.set({ task }, seconds);
  },
  jobFailed: (task) => of.jobFailures.inc({ task }),
});
