import type { z } from "zod";
import type { TypedEndpoint } from "../contract/endpoint/endpoint.ts";
import { isSignedIn } from "../contract/access/person.ts";
import { decodeQuery } from "../contract/endpoint/query.ts";
import { Refusal } from "../core/errors.ts";
import type { PageRequest } from "./page.ts";

/**
 * What a page's address asks of an endpoint, in the endpoint's own types and by its own rules. A field of a form
 * that was left empty asks for nothing.
 */
export function queryInput<E extends TypedEndpoint>(
  endpoint: E,
  query: URLSearchParams,
): Partial<z.input<E["input"]>> {
  const sent: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name).filter((value) => value !== "");
    if (values.length > 0) sent[name] = values.length === 1 ? values[0] : values;
  }
  // Sound enough: the app reads it by the schema before anything else sees it.
  return decodeQuery(endpoint, sent) as Partial<z.input<E["input"]>>;
}

/** What was answered, or why not, where the page has a place to say so. */
export type Attempt<T> =
  | { readonly value: T; readonly refusal: null }
  | { readonly value: null; readonly refusal: Refusal };

/** What a page has to tell while its address asks for nothing. */
export const nothingRequested = { value: null, refusal: null } as const;

/** Refusals with one of these statuses are told on the page; all others are the page's own. */
export async function attempt<T>(statuses: readonly number[], work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work(), refusal: null };
  } catch (error) {
    if (error instanceof Refusal && statuses.includes(error.status)) return { value: null, refusal: error };
    throw error;
  }
}

/** The identifier in what a person pasted: an identifier, or the address of a page that ends with one. */
export function idIn(text: string): string {
  const [path = ""] = text.trim().split(/[?#]/, 1);
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

export const hasSession = ({ person }: PageRequest): boolean => isSignedIn(person);
