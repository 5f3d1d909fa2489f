import { z } from "zod";
import { addition } from "../../addition.ts";
import { accepting } from "../../accepted-form.ts";
import { IdFilter, resourceOrShortIdInput } from "../../id.ts";
import { IsoInstant } from "../../timestamp.ts";
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
  before: ReportIds().optional(),
  after: ReportIds().optional(),
  target: TargetInput,
  declared: z.array(DeclaredField).max(10).optional(),
  /** An own server, whose runs the two times choose in place of the two lists. */
  server_id: addition(IdFilter.optional()),
  before_until: addition(IsoInstant.optional()),
  after_from: addition(IsoInstant.optional()),
};

export interface RunSides {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface RunDates {
  readonly server_id: string;
  readonly before_until: string;
  readonly after_from: string;
}

type SentSides = { readonly [Name in keyof (RunSides & RunDates)]?: (RunSides & RunDates)[Name] | undefined };

const lists = ["before", "after"] as const;
const times = ["before_until", "after_from"] as const;
const dates = ["server_id", ...times] as const;

/** The first parameter that is missing or does not go with the others; null if the runs are named in one way. */
export function unclearSide(sent: SentSides): (typeof lists | typeof dates)[number] | null {
  if (times.every((name) => sent[name] === undefined))
    return lists.find((name) => sent[name] === undefined) ?? null;
  return (
    dates.find((name) => sent[name] === undefined) ?? lists.find((name) => sent[name] !== undefined) ?? null
  );
}

/** Null if the runs are named by their ids. */
export function datesOf({ server_id, before_until, after_from }: SentSides): RunDates | null {
  if (server_id === undefined || before_until === undefined || after_from === undefined) return null;
  return { server_id, before_until, after_from };
}

export const declaredFields = (names: readonly string[] | undefined): ContextField[] =>
  [...new Set(names)].filter(isContextField);

/** The side that repeats a report, its own or the other side's; null if no report is repeated. */
export function repeatedSide(before: readonly string[], after: readonly string[]): "before" | "after" | null {
  if (new Set(before).size < before.length) return "before";
  return new Set([...before, ...after]).size < before.length + after.length ? "after" : null;
}
