import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import { entriesOf, keep, keepingOrder, listsIn, type JsonObject, type List } from "./list-lengths.ts";

/** Lists of which a tool shows the first entries unless asked for more: how many, by the name of the list. */
export type Heads = Readonly<Record<string, number>>;

/** The most entries that can be asked for. */
export const longestHead = 100;

interface Headed {
  readonly value: unknown;
  /** Entries that are not shown. */
  readonly gone: number;
}

/**
 * An answer with the head of each list that `heads` names, or the whole answer where none is longer; `top` takes
 * the place of every number of `heads`.
 */
export function headed(value: unknown, heads: Heads, top: number | null): Headed {
  if (!isJsonObject(value) || !hasLonger(value, heads, top)) return { value, gone: 0 };
  const shown: JsonObject = structuredClone(value);
  let gone = 0;
  // A list is cut before those inside its entries are looked at.
  for (const list of listsIn(shown)) {
    const [before, kept] = [entriesOf(list), headOf(list, heads, top)];
    if (before <= kept) continue;
    keep(list, new Set(keepingOrder(list).slice(0, kept)));
    gone += before - kept;
  }
  return { value: shown, gone };
}

function hasLonger(value: JsonObject, heads: Heads, top: number | null): boolean {
  for (const list of listsIn(value)) if (entriesOf(list) > headOf(list, heads, top)) return true;
  return false;
}

function headOf({ names }: List, heads: Heads, top: number | null): number {
  const [name = ""] = names;
  const usual = heads[name];
  return usual === undefined ? Infinity : (top ?? usual);
}
