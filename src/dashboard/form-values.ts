import type { z } from "zod";
import { Refusal } from "../core/errors.ts";

/** The trimmed text of a field; undefined if it is empty, so that a default applies. */
export function typed(form: URLSearchParams, name: string): string | undefined {
  const text = form.get(name)?.trim();
  return text === "" || text === undefined ? undefined : text;
}

/** The number in a field; NaN, which every schema refuses, if the text is not a number. */
export function typedNumber(form: URLSearchParams, name: string): number | undefined {
  const text = typed(form, name);
  return text === undefined ? undefined : Number(text);
}

/** The chosen value of a field; throws if it is none of the values, which our forms never send. */
export function chosen<T extends string>(
  values: z.ZodType<T>,
  form: URLSearchParams,
  name: string,
): T | undefined {
  const text = typed(form, name);
  if (text === undefined) return undefined;
  const read = values.safeParse(text);
  if (read.success) return read.data;
  throw new Refusal("validation_error", `${name} is not one of the choices. Choose again.`, { field: name });
}

/** The names in a field, separated by commas. */
export const typedList = (form: URLSearchParams, name: string): string[] =>
  (typed(form, name) ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
