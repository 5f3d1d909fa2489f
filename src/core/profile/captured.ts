import { parseInstant, toTimestamp } from "../time.ts";
import type { CallTree } from "./call-tree.ts";
import { fewSamples } from "./comparability.ts";
import type { ProfileDocument } from "./document.ts";

/** A time of a document as every answer writes it. */
export function toldTime(text: string | null): string | null {
  const instant = text === null ? null : parseInstant(text);
  return instant === null ? null : toTimestamp(instant);
}

/** What the shares are of; the sender's word, null or 0, where the tree holds nothing. */
export const tickSamples = ({ ticks }: CallTree, { samples }: ProfileDocument): number | null =>
  ticks > 0 ? ticks : samples.tick;

export const hasFewSamples = ({ ticks }: CallTree): boolean => ticks < fewSamples;

/** The sender's warnings, but `few-samples` by our own count, and first: then every percentage is rough. */
export function warningsOf(tree: CallTree, document: ProfileDocument): ProfileDocument["warnings"] {
  const others = document.warnings.filter(({ code }) => code !== "few-samples");
  if (!hasFewSamples(tree)) return others;
  return [{ code: "few-samples", params: { tick_samples: tickSamples(tree, document) } }, ...others];
}
