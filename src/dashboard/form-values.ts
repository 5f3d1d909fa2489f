import type { z } from "zod";
import { Refusal } from "../core/errors.ts";

/** Undefined for an empty field, so that a default applies. */
export function typed(form: URLSearchParams, name: string): string | undefined {
  const text = form.get(name)?.trim();
  return text === "" || text === undefined ? undefined : text;
}

/** NaN, which every schema refuses, if the text is not a number. */
export function typedNumber(form: URLSearchParams, name: string): number | undefined {
  const text = typed(form, name);
  return text === undefined ? undefined : Number(text);
}

/** Throws `Refusal` for a value that is not one of the choices, which our forms never send. */
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

/** Comma-separated. */
export const typedList = (form: URLSearchParams, name: string): string[] =>
  (typed(form, name) ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
