import { z } from "zod";
import { thirdPartyText } from "../text/third-party-text.ts";
import { dayMs, parseInstant } from "../time.ts";
import { disturbedReason } from "./conditions.ts";
import { memoryDiffers } from "./memory-tolerance.ts";
import type { ReportDetail } from "./report.ts";

const value = z.union([thirdPartyText(120), z.number()]);

/** A difference between two runs that is shown beside the scores and changes no verdict. */
export const ComparisonCaveat = z.object({ code: z.string(), base: value, other: value });
type ComparisonCaveat = z.infer<typeof ComparisonCaveat>;

type Value = string | number;
type Differ = (base: Value, other: Value) => boolean;

const differ: Differ = (base, other) => base !== other;

const differBeyondTolerance: Differ = (base, other) =>
  typeof base === "number" && typeof other === "number" ? memoryDiffers(base, other) : differ(base, other);

// Within 90 days the software of a server and its neighbours on the host may change.
const longApartMs = 90 * dayMs;

const differLongApart: Differ = (base, other) => {
  const [first, second] = [parseInstant(String(base)), parseInstant(String(other))];
  return first !== null && second !== null && Math.abs(first - second) > longApartMs;
};

const rules: readonly (readonly [
  code: string,
  read: (report: ReportDetail) => Value | null,
  differ: Differ,
])[] = [
  ["game_version_differs", ({ server }) => server.game_version, differ],
  ["server_type_differs", ({ server }) => server.type, differ],
  ["server_build_differs", ({ server }) => server.build, differ],
  ["plugin_version_differs", ({ server }) => server.plugin_version, differ],
  ["java_version_differs", (report) => report.java_version, differ],
  ["os_differs", (report) => report.os_name, differ],
  ["cpu_differs", ({ hardware }) => hardware.cpu_name, differ],
  ["cpu_cores_differ", ({ hardware }) => hardware.cpu_cores, differ],
  ["available_processors_differ", ({ hardware }) => hardware.available_processors, differ],
  ["ram_differs", ({ hardware }) => hardware.ram_gb, differBeyondTolerance],
  ["memory_limit_differs", ({ hardware }) => hardware.memory_limit_gb, differBeyondTolerance],
  ["disk_type_differs", ({ hardware }) => hardware.disk_type, differ],
  ["hosting_tier_differs", (report) => report.hosting_tier, differ],
  ["plugin_count_differs", (report) => report.plugin_count, differ],
  ["mod_count_differs", (report) => report.mod_count, differ],
  ["dispersed_zones_differ", (report) => report.dispersed_zones, differ],
  ["mod_loader_differs", ({ server }) => server.mod_loader, differ],
  ["measured_long_apart", (report) => report.created_at, differLongApart],
];

/** Number of unsteady tests in each of two runs; null if the run does not report it. */
export interface UnsteadyTests {
  readonly base: number | null;
  readonly other: number | null;
}

/** An unsteady test means that the machine's speed varied, which alone can make two runs differ. */
const unsteadyCaveat = ({ base, other }: UnsteadyTests): ComparisonCaveat[] =>
  base !== null && other !== null && base + other > 0 ? [{ code: "tests_unsteady", base, other }] : [];

/** Tests that other programs disturbed have no scores, but their figures are shown. */
function busyCaveat(base: ReportDetail, other: ReportDetail): ComparisonCaveat[] {
  const [left = 0, right = 0] = [base, other].map(({ conditions }) => conditions?.busy_tests.length ?? 0);
  return left + right > 0 ? [{ code: disturbedReason, base: left, other: right }] : [];
}

/** Caveats in a fixed order; a value that is unknown on either side gives none. */
export function comparisonCaveats(
  base: ReportDetail,
  other: ReportDetail,
  unsteady: UnsteadyTests,
): ComparisonCaveat[] {
  const differing = rules.flatMap(([code, read, differ]) => {
    const [left, right] = [read(base), read(other)];
    return left !== null && right !== null && differ(left, right) ? [{ code, base: left, other: right }] : [];
  });
  return base.id === other.id
    ? differing
    : [...differing, ...unsteadyCaveat(unsteady), ...busyCaveat(base, other)];
}
