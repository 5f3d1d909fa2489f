import type { MemoryDocument } from "./document.ts";
import {
  fallbackOf,
  fallbackReasons,
  gameObjectsOf,
  pointsOf,
  suspectsOf,
  type FoundPoint,
  type FoundSuspect,
} from "./findings.ts";
import {
  classesOf,
  measureOf,
  ownerName,
  ownersOf,
  heapPct,
  plus,
  heapWholeOf,
  tellsAllClasses,
  wholeOf,
  type HeapOwner,
} from "./measured.ts";
import type { MemoryDiagnosis } from "./memory-diagnosis.ts";

export const diagnosisLimits = {
  owners: 30,
  topClasses: 5,
  classes: 30,
  suspects: 10,
  pathNodes: 30,
  firstPathNodes: 8,
  chain: 10,
  accumulationPoints: 10,
  gameObjects: 50,
} as const;
const limits = diagnosisLimits;

/** Percent of the whole that server, JVM and libraries hold together. */
const dominatingPct = 80;
const dominatingOwners: ReadonlySet<string> = new Set(["server", "jvm", "library"]);

/** Computes the shares and cuts the lists, largest entries first. */
export function diagnoseMemory(document: MemoryDocument): MemoryDiagnosis {
  const whole = wholeOf(document);
  const owners = ownersOf(document);
  const classes = classesOf(document);
  const suspects = suspectsOf(document);
  return {
    ...ranOf(document),
    denominator_bytes: whole,
    totals: totalsOf(document),
    owners: owners.slice(0, limits.owners).map((row) => ({
      owner: row.owner,
      plugin: row.plugin,
      bytes: row.bytes,
      pct: heapPct(row.bytes, whole),
      objects: row.objects,
      top_classes: row.top_classes
        .slice(0, limits.topClasses)
        .map(({ class_name, bytes, objects }) => ({ class_name, bytes, objects })),
    })),
    owners_truncated: owners.length > limits.owners || leavesOwnersOut(document),
    classes: classes
      .slice(0, limits.classes)
      .map((row) => Object.assign({}, row, { pct: heapPct(row.bytes, whole) })),
    classes_truncated: classes.length > limits.classes || leavesClassesOut(document),
    suspects: suspects?.slice(0, limits.suspects).map((found) => suspectRow(found, whole)) ?? null,
    suspects_truncated: (suspects?.length ?? 0) > limits.suspects,
    accumulation_points:
      pointsOf(document)
        ?.slice(0, limits.accumulationPoints)
        .map((found) => pointRow(found, whole)) ?? null,
    game_objects:
      gameObjectsOf(document)
        ?.slice(0, limits.gameObjects)
        .map((row) => Object.assign({}, row, { owner: ownerName(row.owner, row.class_name) })) ?? null,
    jvm_dominates: isDominated(owners, heapWholeOf(document)),
  };
}

type Ran = Pick<
  MemoryDiagnosis,
  | "kind"
  | "mode"
  | "requested_mode"
  | "measure"
  | "ran_quick_instead_of_full"
  | "ran_quick_instead_of_retained"
  | "fallback"
  | "storage"
>;

/** `auto` requests a full analysis if one fits: with a reason for a fallback, a quick one ran instead. */
function ranOf(document: MemoryDocument): Ran {
  const { mode } = document;
  const measure = measureOf(mode);
  if (document.schema === "service-heap-summary/1") {
    const none = { ran_quick_instead_of_full: false, ran_quick_instead_of_retained: false };
    return { kind: "summary", mode, requested_mode: null, measure, ...none, fallback: null, storage: null };
  }
  const { requested_mode: requested, storage } = document;
  const fallback = fallbackOf(document);
  const isQuick = mode === "quick";
  return {
    kind: "analysis",
    mode,
    requested_mode: requested,
    measure,
    ran_quick_instead_of_full:
      isQuick && (requested === "full" || (requested === "auto" && fallback !== null)),
    ran_quick_instead_of_retained: isQuick && requested === "retained",
    fallback: fallback && Object.assign({}, fallback, { known: fallbackReasons.has(fallback.reason) }),
    storage: mode === "full" ? storage : null,
  };
}

function totalsOf(document: MemoryDocument): MemoryDiagnosis["totals"] {
  if (document.schema === "service-heap-analysis/1") return document.totals;
  const { classes, heap_used_bytes, heap_max_bytes } = document;
  const isWhole = tellsAllClasses(document);
  return {
    objects: isWhole ? classes.reduce((sum, { objects }) => plus(sum, objects), 0) : null,
    classes: isWhole ? classes.length : null,
    shallow_bytes: isWhole ? classes.reduce((sum, { bytes }) => plus(sum, bytes), 0) : null,
    reachable_bytes: null,
    unreachable_bytes: null,
    heap_used_bytes,
    heap_max_bytes,
    gc_roots: null,
  };
}

/** If classes are missing from a summary, their owners may be missing too. */
const leavesOwnersOut = (document: MemoryDocument): boolean =>
  document.schema === "service-heap-analysis/1"
    ? document.owners_complete === false
    : !tellsAllClasses(document);

const leavesClassesOut = (document: MemoryDocument): boolean =>
  document.schema === "service-heap-analysis/1"
    ? document.totals.classes !== null && document.classes.length < document.totals.classes
    : !tellsAllClasses(document);

function suspectRow(
  found: FoundSuspect,
  whole: number | null,
): NonNullable<MemoryDiagnosis["suspects"]>[number] {
  const { root_path: path } = found;
  const omitted = Math.max(0, path.length - limits.pathNodes);
  const shown = path.filter((_, at) => at < limits.firstPathNodes || at >= limits.firstPathNodes + omitted);
  return {
    key: found.key,
    kind: found.kind,
    owner: ownerName(found.owner, found.class_name),
    class_name: found.class_name,
    instances: found.instances,
    shallow_bytes: found.shallow_bytes,
    retained_bytes: found.retained_bytes,
    pct: heapPct(found.retained_bytes, whole),
    gc_root: found.gc_root,
    root_path: shown.map((node) =>
      Object.assign({}, node, { owner: ownerName(node.owner, node.class_name) }),
    ),
    root_path_omitted: omitted,
    dominator_chain: found.dominator_chain.slice(0, limits.chain).map((node) =>
      Object.assign({}, node, {
        owner: ownerName(node.owner, node.class_name),
        pct: heapPct(node.retained_bytes, whole),
      }),
    ),
    accumulation_key: found.accumulation_key,
  };
}

/** A collection belongs to the owner of its holder. */
export const ownerOfPoint = ({ owner, holder_class, class_name }: FoundPoint): string =>
  ownerName(owner, holder_class ?? class_name);

const pointRow = (
  found: FoundPoint,
  whole: number | null,
): NonNullable<MemoryDiagnosis["accumulation_points"]>[number] =>
  Object.assign({}, found, { owner: ownerOfPoint(found), pct: heapPct(found.retained_bytes, whole) });

/** False if the heap is unknown. Classes missing from a known heap can only add to the share. */
function isDominated(owners: readonly HeapOwner[], whole: number | null): boolean {
  if (whole === null) return false;
  const bytes = owners
    .filter(({ owner }) => dominatingOwners.has(owner))
    .reduce((sum, owner) => plus(sum, owner.bytes), 0);
  return bytes * 100 >= whole * dominatingPct;
}
