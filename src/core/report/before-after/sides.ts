import {
  contextDiffers,
  contextFields,
  shownPair,
  type ContextField,
  type ContextValue,
  type RunContext,
} from "../context.ts";
import type { Run } from "./run.ts";

export interface Difference {
  readonly field: ContextField | "server_build";
  readonly before: ContextValue;
  readonly after: ContextValue;
  /** True when the caller declared it, or the target implies it. */
  readonly declared: boolean;
  readonly blocking: boolean;
}

interface SideValue {
  /** Null if unknown; the least one if the runs differ. */
  readonly value: ContextValue;
  readonly isMixed: boolean;
}

const inOrder = (one: ContextValue, other: ContextValue): number => {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one) < String(other) ? -1 : Number(String(one) > String(other));
};

function sideValue(runs: readonly Run[], field: keyof RunContext): SideValue {
  const known = runs
    .map(({ context }) => context[field])
    .filter((value) => value !== null)
    .toSorted(inOrder);
  const [value = null] = known;
  return { value, isMixed: contextDiffers(field, value, known.at(-1) ?? null) };
}

/** Fields in which the runs of one side differ, so that the side has no value to compare. */
export function mixedFields(before: readonly Run[], after: readonly Run[]): ContextField[] {
  return contextFields.filter((field) =>
    [before, after].some((side) => side.length > 0 && sideValue(side, field).isMixed),
  );
}

/** In a fixed order. Every difference blocks, except for the server's build and the fields in `declared`. */
export function differences(
  before: readonly Run[],
  after: readonly Run[],
  declared: ReadonlySet<string>,
): Difference[] {
  return [...contextFields, "server_build" as const].flatMap((field) => {
    const [left, right] = [sideValue(before, field), sideValue(after, field)];
    if (left.isMixed || right.isMixed || !contextDiffers(field, left.value, right.value)) return [];
    const isDeclared = declared.has(field);
    const shown = shownPair(field, left.value, right.value);
    return [{ field, ...shown, declared: isDeclared, blocking: !isDeclared && field !== "server_build" }];
  });
}

export const isKnown = (before: readonly Run[], after: readonly Run[], field: ContextField): boolean =>
  sideValue(before, field).value !== null && sideValue(after, field).value !== null;
