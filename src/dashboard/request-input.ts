import type { z } from "zod";
import type { TypedEndpoint } from "../contract/endpoint/endpoint.ts";
import { isSignedIn } from "../contract/call/person.ts";
import { decodeQuery } from "../contract/endpoint/query.ts";
import { Refusal } from "../core/errors.ts";
import type { PageRequest } from "./page.ts";

/** By the endpoint's own rules. Empty fields of a form are ignored. */
export function queryInput<E extends TypedEndpoint>(
  endpoint: E,
  query: URLSearchParams,
): Partial<z.input<E["input"]>> {
  const sent: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name).filter((value) => value !== "");
    if (values.length > 0) sent[name] = values.length === 1 ? values[0] : values;
  }
  // Sound: the endpoint's schema checks the input.
  return decodeQuery(endpoint, sent) as Partial<z.input<E["input"]>>;
}

export type Attempt<T> =
  | { readonly value: T; readonly refusal: null }
  | { readonly value: null; readonly refusal: Refusal };

/** If the address requests nothing. */
export const nothingRequested = { value: null, refusal: null } as const;

/** Returns refusals with one of these statuses; all others are thrown and become the page's answer. */
export async function attempt<T>(statuses: readonly number[], work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work(), refusal: null };
  } catch (error) {
    if (error instanceof Refusal && statuses.includes(error.status)) return { value: null, refusal: error };
    throw error;
  }
}

/** The id that a person pasted, alone or at the end of a page's address. */
export function idIn(text: string): string {
  const [path = ""] = text.trim().split(/[?#]/, 1);
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

export const hasSession = ({ person }: PageRequest): boolean => isSignedIn(person);
