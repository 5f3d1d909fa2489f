import { Gauge, type Registry } from "prom-client";
import type { ReplicaState } from "../store/engine/database.ts";

/** Gauges of the read replica, without a value where there is none. Returns what sets them. */
export function replicaFigures(register: Registry, replica: ReplicaState | null): () => void {
  const registers = [register];
  const lag = new Gauge({
    name: "tickmark_replica_lag_seconds",
    help: "How far the read replica is behind the database; NaN as long as that is unknown.",
    registers,
  });
  const used = new Gauge({
    name: "tickmark_replica_used",
    help: "1 while the read replica answers series and lists, 0 while the database answers them.",
    registers,
  });
  if (replica === null) {
    for (const gauge of [lag, used]) gauge.remove();
    return () => {};
  }
  return () => {
    const behindMs = replica.lagMs();
    lag.set(behindMs === null ? Number.NaN : behindMs / 1000);
    used.set(Number(replica.isUsed()));
  };
}
