import { z } from "zod";
import { accepting } from "../../accepted-form.ts";
import { resourceOrShortIdInput } from "../../id.ts";
import { contextFields, type ContextField } from "../context.ts";
import { TargetInput } from "./targets.ts";

const runsAtMost = 10;

const ReportIds = () =>
  accepting(
    z.array(resourceOrShortIdInput()).min(1).max(runsAtMost),
    `1 to ${runsAtMost} identifiers of reports, each once and on one side only`,
  );

const isContextField = (text: string): text is ContextField =>
  (contextFields as readonly string[]).includes(text);

const DeclaredField = accepting(z.string().refine(isContextField), `one of ${contextFields.join(", ")}`);

export const beforeAfterInput = {
  before: ReportIds(),
  after: ReportIds(),
  target: TargetInput,
  declared: z.array(DeclaredField).max(10).optional(),
};

export const declaredFields = (names: readonly string[] | undefined): ContextField[] =>
  [...new Set(names)].filter(isContextField);

/** The side that repeats a report, its own or the other side's; null if no report is repeated. */
export function repeatedSide(before: readonly string[], after: readonly string[]): "before" | "after" | null {
  if (new Set(before).size < before.length) return "before";
  return new Set([...before, ...after]).size < before.length + after.length ? "after" : null;
}
