import { disturbedReason } from "../../core/report/conditions.ts";
import type { DiagnosisCode, DiagnosisFinding } from "../../core/report/diagnosis/finding.ts";
import { plainFigure } from "./plain-figure.ts";
import { absence } from "./glossary.ts";
import { testReasonWords, spelled } from "./reports.ts";
import type { AreaAdvice, TuningCode } from "../../core/report/tuning/recommendation.ts";

/** The paragraphs of the guide begin with the same words. */
export const findingWords: Readonly<Record<DiagnosisCode, string>> = {
  cpu_quota: "The JVM may use far fewer cores than the host has",
  disk_latency_high: "One read or one write in a hundred took longer than the 50 ms of a tick",
  host_constrained: "A setting of the host limited a test",
  jvm_heap_saturated: "The heap was 80 % full or more right after a garbage collection",
  measurement_unreliable: "The plugin counted less of a test's work than it expected",
  memory_latency_unmeasured: "No memory latency was measured, so the memory score assumes 200 ns",
  random_4k_unmeasured:
    "The host refused direct access, so the random part of the disk score is an assumption",
  random_read_starved: "Fewer than 1,000 reads a second of 4 KB each",
  single_core_saturated: "One game thread can hardly keep up with its ticks, or not at all",
  test_failed: "The test did not finish",
  tick_spikes: "The worst tick took 100 ms or more, and at least 4 times the mean",
  tick_spikes_from_gc: "The longest pause of garbage collection was 50 % of the worst tick or more",
  tick_spikes_off_cpu: "Something outside the JVM took the time of the spikes",
  tps_floor: "18 TPS or more on average, and below 16 TPS at worst",
};

/** A disturbed test did all of its work. */
const titleWhenBusy = "Other work disturbed the test, so its figures are not judged";

export const findingTitle = ({ code, reason_code }: Pick<DiagnosisFinding, "code" | "reason_code">): string =>
  code === "measurement_unreliable" && reason_code === disturbedReason ? titleWhenBusy : findingWords[code];

export const adviceWords: Readonly<Record<TuningCode, string>> = {
  cpu_raise_quota: "Give the server more of the host's processors",
  cpu_report_steal: "Ask the host about stolen CPU time, or move",
  memory_raise_heap: "Give the JVM a larger heap",
  memory_leave_headroom: "Leave memory beside the heap",
  memory_raise_container: "Raise the memory limit of the container",
  jvm_xms_equals_xmx: "Start with the whole heap: -Xms equal to -Xmx",
  jvm_aikar_flags: "Tune G1 for a game server",
  jvm_leave_parallel: "Leave the parallel collector",
  jvm_generational_zgc: "Use the generational ZGC",
  jvm_disable_explicit_gc: "Ignore calls for garbage collection",
  jvm_region_size: "Set the size of G1's regions",
  disk_faster_storage: "Move the world to faster storage",
  disk_sync_chunk_writes: "Stop waiting for each chunk to be written",
  disk_autosave_spread: "Spread autosaves over more ticks",
  chunks_view_distance: "Lower the view distance",
  chunks_simulation_distance: "Lower the simulation distance",
  chunks_pregenerate: "Generate the world before players explore it",
  chunks_prevent_unloaded_moves: "Keep players out of chunks that are not loaded",
  entities_activation_range: "Lower the range in which mobs are active",
  entities_spawn_limit: "Lower the spawn limit of monsters",
  entities_collisions: "Lower the number of collisions per entity",
  entities_inactive_villagers: "Let villagers rest where nobody is near",
  entities_item_merge: "Merge dropped items from further away",
  mechanics_redstone_impl: "Use a faster redstone implementation",
  mechanics_hopper_occluding: "Let hoppers ignore what is inside full blocks",
  mechanics_hopper_check: "Let hoppers check for items less often",
};

export const areaWords: Readonly<Record<AreaAdvice["area"], string>> = {
  cpu: "CPU",
  memory: "Memory",
  jvm: "JVM",
  disk: "Disk",
  chunks: "Chunks",
  entities: "Entities",
  mechanics: "Mechanics",
};

export const notMeasuredWords: Readonly<Record<NonNullable<AreaAdvice["reason"]>, string>> = {
  test_absent: "the test was not run",
  test_failed: "the test failed",
  custom_mode: "a custom run gives no advice",
  settings_unknown: "the settings are not known",
};

/** The units of the API that people write in another way; a count has none. */
const signs: Readonly<Record<string, string>> = {
  chunks_per_second: "chunks/s",
  count: "",
  iops: "IOPS",
  percent: "%",
  ratio: "times",
  tps: "TPS",
};

/** Rows that say what the others were compared with. */
const isLimit = (key: string | null): boolean => /^(?:threshold|tick_budget)_/.test(key ?? "");

type EvidenceRow = DiagnosisFinding["evidence"][number];

/** Such as `MSPT avg 41.2 ms`; where the unit says what it is, without a name. */
function evidenceRow({ key, value, unit }: EvidenceRow): string {
  const shown = value === null ? absence.notMeasured : plainFigure(value);
  if (key === "duration_ms" && value !== null) return `after ${plainFigure(value / 1000)} s`;
  if (unit === "iops" && !isLimit(key))
    return `${shown} ${key?.startsWith("write") ? "writes/s" : "reads/s"}`;
  // The limit stands behind the value, which has the unit.
  const sign = unit === "iops" ? "" : unitSign(unit ?? "");
  return `${measuredName(key ?? "", unit).toLowerCase()} ${shown} ${sign}`.trim();
}

/** Within a sentence, such as `170 reads/s (threshold 1,000)`; empty without evidence and reason. */
export function findingDetails({ evidence, reason_code }: DiagnosisFinding): string {
  const values = evidence.filter(({ key }) => !isLimit(key)).map(evidenceRow);
  const limits = evidence.filter(({ key }) => isLimit(key)).map(evidenceRow);
  const reason =
    reason_code === null || reason_code === disturbedReason ? [] : [testReasonWords(reason_code)];
  const beside = limits.length === 0 ? "" : ` (${limits.join(", ")})`;
  return `${[...reason, ...values].join(", ")}${beside}`.trim();
}

export const unitSign = (unit: string): string => signs[unit] ?? unit;

/** Without the unit, which stands behind the value. */
export function measuredName(key: string, unit: string | null): string {
  const ending = `_${(unit ?? "").toLowerCase()}`;
  return spelled(unit !== null && key.endsWith(ending) ? key.slice(0, -ending.length) : key);
}
