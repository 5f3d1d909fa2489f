import type { ReportPayload } from "../payload.ts";
import { heapAfterGc, heapMax, rssPeak } from "./measurements.ts";
import { above, atLeast, host, judge, jvmFlag, rule, type TuningRule, type Truth } from "./rule.ts";
import { sources } from "./sources.ts";

/** Heaps are suggested in steps of 512 MB; a game server needs one step at least. */
const stepMb = 512;
// "Reduce your Xmx by about 1000-1500MB" (Aikar's flags): the least headroom, and the suggested one.
const leastHeadroomMb = 1000;
const goodHeadroomMb = 1500;
const fullPercent = 80;
const memoryFullPercent = 95;
const memorySpare = 1.15;
const mbPerGb = 1024;

const greater = (a: number | null, b: number | null): Truth => (a === null || b === null ? null : a > b);

/** What the server may use at most, MB: the container's limit, else that of the machine or its memory; null: unknown. */
const roomMb = ({ host, hardware }: ReportPayload): number | null => {
  const gb = hardware.memory_limit_gb ?? hardware.ram_gb;
  return host.container_limit_mb ?? (gb === null ? null : Math.floor(gb * mbPerGb));
};

/** A heap that is 60 % full after a collection, if there is room for it, MB; null: unknown. */
function roomierHeapMb(payload: ReportPayload): number | null {
  const [{ after_gc_max_mb: afterGcMb }, room] = [payload.heap, roomMb(payload)];
  if (afterGcMb === null || room === null) return null;
  return Math.min(Math.ceil((afterGcMb * 5) / 3 / stepMb) * stepMb, room - goodHeadroomMb);
}

const raiseHeap = rule({
  code: "memory_raise_heap",
  area: "memory",
  setting: jvmFlag("-Xmx"),
  unit: "MB",
  retest: "memory_stress",
  impact: "high",
  risk: "low",
  side_effect: "less_memory_for_everything_else",
  source: sources.heapSize,
  evaluate(payload) {
    const current = payload.jvm.heap_max_mb;
    const suggested = roomierHeapMb(payload);
    const because = atLeast(heapAfterGc(payload), fullPercent);
    const needs = [greater(suggested, current)];
    return judge({ current, suggested, settled: current === null ? null : false, because, needs });
  },
});

const leaveHeadroom = rule({
  code: "memory_leave_headroom",
  area: "memory",
  setting: jvmFlag("-Xmx"),
  unit: "MB",
  retest: "memory_stress",
  impact: "high",
  risk: "low",
  side_effect: "smaller_heap",
  source: sources.aikarsFlags,
  evaluate(payload) {
    const limit = payload.host.container_limit_mb;
    if (limit === null) return "unknown";
    const suggested = limit - goodHeadroomMb;
    return judge({
      current: payload.jvm.heap_max_mb,
      suggested,
      because: above(heapMax(payload), limit - leastHeadroomMb),
      needs: [suggested >= stepMb],
    });
  },
});

const raiseContainer = rule({
  code: "memory_raise_container",
  area: "memory",
  setting: host("memory_limit"),
  unit: "MB",
  retest: "memory_stress",
  impact: "high",
  risk: "none",
  side_effect: null,
  source: sources.containerMemory,
  evaluate(payload) {
    const { rss_peak_mb: peak } = payload.host;
    return judge({
      current: null,
      suggested: peak === null ? null : Math.round(peak * memorySpare),
      because: atLeast(rssPeak(payload), memoryFullPercent),
    });
  },
});

export const memoryRules: readonly TuningRule[] = [raiseHeap, leaveHeadroom, raiseContainer];
