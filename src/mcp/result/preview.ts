import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import { entriesOf, keep, keepingOrder, listsIn, type JsonObject, type List } from "./list-lengths.ts";

/**
 * By list: how many of its first entries a tool shows by default. With `through`, all entries up to the last one with
 * this member, of `least` where that is given, are shown too, whatever `top` is.
 */
export type Previews = Readonly<Record<string, number | PreviewThrough>>;

interface PreviewThrough {
  readonly entries: number;
  readonly through: string;
  readonly least?: number;
}

/** The largest value of `top`. */
export const longestPreview = 100;

interface Headed {
  readonly value: unknown;
  /** The number of entries that are left out. */
  readonly gone: number;
}

/**
 * Shortens each list that `previews` names; `top` replaces every number of entries. The same value if none is longer.
 */
export function preview(value: unknown, previews: Previews, top: number | null): Headed {
  if (!isJsonObject(value) || !hasLonger(value, previews, top)) return { value, gone: 0 };
  const shown: JsonObject = structuredClone(value);
  let gone = 0;
  // A list is shortened before the lists inside its entries are visited.
  for (const list of listsIn(shown)) {
    const [before, kept] = [entriesOf(list), shownOf(list, previews, top)];
    if (before <= kept) continue;
    keep(list, new Set(keepingOrder(list).slice(0, kept)));
    gone += before - kept;
  }
  return { value: shown, gone };
}

/** A quick check, because most answers have no longer list: it takes a tenth of the time of `listsIn`. */
function hasLonger(value: unknown, previews: Previews, top: number | null): boolean {
  if (Array.isArray(value)) return value.some((entry) => hasLonger(entry, previews, top));
  if (!isJsonObject(value)) return false;
  for (const name in value) {
    const member = value[name];
    if (typeof member !== "object" || member === null) continue;
    const usual = previews[name];
    // A table is an object of columns, whose length is compared only when it is shortened.
    if (usual !== undefined && (!Array.isArray(member) || member.length > (top ?? entriesOfPreview(usual))))
      return true;
    if (hasLonger(member, previews, top)) return true;
  }
  return false;
}

export const entriesOfPreview = (usual: Previews[string]): number =>
  typeof usual === "number" ? usual : usual.entries;

function shownOf({ names, arrays }: List, previews: Previews, top: number | null): number {
  const [name = ""] = names;
  const usual = previews[name];
  if (usual === undefined) return Infinity;
  const entries = top ?? entriesOfPreview(usual);
  if (typeof usual === "number") return entries;
  const [entriesOfList = []] = arrays;
  const { through, least } = usual;
  const last = entriesOfList.findLastIndex((entry) => {
    const value = isJsonObject(entry) ? (entry[through] ?? null) : null;
    return value !== null && (least === undefined || Number(value) >= least);
  });
  return Math.max(entries, last + 1);
}
