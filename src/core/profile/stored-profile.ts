import { ProfileDocument } from "./document.ts";
import type { StoredSummary, SummaryBody } from "./profile.ts";

type Frame = ProfileDocument["frames"][number];
type Node = ProfileDocument["nodes"][number];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === "string";

const isFrame = (value: unknown): value is Frame =>
  isRecord(value) &&
  isTextOrNull(value["frame"]) &&
  isTextOrNull(value["owner"]) &&
  typeof value["plugin"] === "boolean";

const isWithin = (value: unknown, least: number, end: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) < end;

/**
 * Null for a document that this version would not accept. The long lists are only checked: parsing them takes
 * longer than everything computed from them.
 */
export function storedProfile(value: unknown): ProfileDocument | null {
  if (!isRecord(value)) return null;
  const { frames, nodes, ...rest } = value;
  const read = ProfileDocument.safeParse({ ...rest, frames: [], nodes: [] });
  if (!read.success || !Array.isArray(frames) || !Array.isArray(nodes)) return null;
  const isNode = (node: unknown, index: number): node is Node =>
    isRecord(node) &&
    isWithin(node["parent"], -1, index) &&
    isWithin(node["frame"], 0, frames.length) &&
    isWithin(node["samples"], 0, Number.MAX_SAFE_INTEGER);
  if (!frames.every(isFrame) || !nodes.every(isNode)) return null;
  return { ...read.data, frames, nodes };
}

/** What a summary did not keep is not known, also where its document could tell. */
export function readStoredSummary({
  owners_by_total = null,
  owners,
  owners_complete,
  methods,
  categories,
  key_points,
  ...captured
}: StoredSummary): SummaryBody {
  return { ...captured, owners_by_total, owners, owners_complete, methods, categories, key_points };
}
