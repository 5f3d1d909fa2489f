import type { z } from "zod";
import { Refusal } from "../core/errors.ts";

/** What was typed into a field; undefined where it was left empty, so that a default can hold. */
export function typed(form: URLSearchParams, name: string): string | undefined {
  const text = form.get(name)?.trim();
  return text === "" || text === undefined ? undefined : text;
}

/** A number that was typed; NaN, which every schema refuses, for what is none. */
export function typedNumber(form: URLSearchParams, name: string): number | undefined {
  const text = typed(form, name);
  return text === undefined ? undefined : Number(text);
}

/** One of the values of a choice; a form of ours sends no other. */
export function chosen<T extends string>(
  values: z.ZodType<T>,
  form: URLSearchParams,
  name: string,
): T | undefined {
  const text = typed(form, name);
  if (text === undefined) return undefined;
  const read = values.safeParse(text);
  if (read.success) return read.data;
  throw new Refusal("validation_error", `${name} is none of the choices.`, { field: name });
}

/** Names that were typed into one field, separated by commas. */
export const typedList = (form: URLSearchParams, name: string): string[] =>
  (typed(form, name) ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
