import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import { entriesOf, keep, keepingOrder, listsIn, type JsonObject, type List } from "./list-lengths.ts";

/** Lists of which a tool shows the first entries by default: how many, by the name of the list. */
export type Previews = Readonly<Record<string, number>>;

/** The most entries that `top` takes. */
export const longestPreview = 100;

interface Headed {
  readonly value: unknown;
  /** Entries that are not shown. */
  readonly gone: number;
}

/**
 * An answer with the head of each list that `previews` names, or the whole answer where none is longer; `top` takes
 * the place of every number of `previews`.
 */
export function preview(value: unknown, previews: Previews, top: number | null): Headed {
  if (!isJsonObject(value) || !hasLonger(value, previews, top)) return { value, gone: 0 };
  const shown: JsonObject = structuredClone(value);
  let gone = 0;
  // A list is cut before those inside its entries are looked at.
  for (const list of listsIn(shown)) {
    const [before, kept] = [entriesOf(list), shownOf(list, previews, top)];
    if (before <= kept) continue;
    keep(list, new Set(keepingOrder(list).slice(0, kept)));
    gone += before - kept;
  }
  return { value: shown, gone };
}

/** Whether a list that `previews` names may be longer: most answers hold none, and this takes a tenth of `listsIn`. */
function hasLonger(value: unknown, previews: Previews, top: number | null): boolean {
  if (Array.isArray(value)) return value.some((entry) => hasLonger(entry, previews, top));
  if (!isJsonObject(value)) return false;
  for (const name in value) {
    const member = value[name];
    if (typeof member !== "object" || member === null) continue;
    const usual = previews[name];
    // The columns of a table are one list, which is as long as its longest: it is counted when it is cut.
    if (usual !== undefined && (!Array.isArray(member) || member.length > (top ?? usual))) return true;
    if (hasLonger(member, previews, top)) return true;
  }
  return false;
}

function shownOf({ names }: List, previews: Previews, top: number | null): number {
  const [name = ""] = names;
  const usual = previews[name];
  return usual === undefined ? Infinity : (top ?? usual);
}
