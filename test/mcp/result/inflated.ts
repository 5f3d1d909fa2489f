import { isJsonObject } from "../../../src/contract/endpoint/json-body.ts";
import type { View } from "../../../src/mcp/result/view.ts";
import type { Json } from "../../support/payload.ts";

/** Whether a place has a declared path, in which `*` is any member and `*[]` any list. */
const isOf = (place: readonly string[], declared: readonly string[]): boolean =>
  place.length === declared.length &&
  declared.every((segment, at) => segment.replace("*", place[at]?.replace("[]", "") ?? "") === place[at]);

/** An answer made longer: the entries of its lists again and again, the text others write as long as it may be. */
export function inflated({ thirdParty, endpoint }: View, random: () => number): Json {
  const paths = new Set(thirdParty.paths);
  const isText = (path: string): boolean =>
    paths.has(path) ||
    thirdParty.paths.some((each) => each.includes("*") && isOf(path.split("."), each.split(".")));
  const largest = [10 ** (random() * 2.5), 10 ** (random() * 1.3), 10 ** (random() * 0.8)];
  const textLength = Math.floor(random() ** 2 * 200);
  const swollen = (value: unknown, path: string, depth = 0): unknown => {
    if (typeof value === "string") return isText(path) ? value.padEnd(textLength, "x") : value;
    if (Array.isArray(value)) {
      const copies = Math.floor(random() * (largest[depth] ?? 1)) + (random() < 0.1 ? 0 : 1);
      const whole = Array.from({ length: copies }, () => value).flat();
      return whole.map((entry) => swollen(entry, `${path}[]`, depth + 1));
    }
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        swollen(member, path === "" ? name : `${path}.${name}`, depth),
      ]),
    );
  };
  return swollen(endpoint.example.output, "") as Json;
}

/** A list as it was and as it is shown. */
export interface Shortened {
  readonly name: string;
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
  readonly depth: number;
  /** The object it stands in, as it was and as it is shown. */
  readonly from: Json;
  readonly to: Json;
}

const tables = new Set(["columns", "columns_min", "columns_max"]);

/** Every list that is shown, beside what it was. Rows lose their tails alone, so that the same places match. */
export function* listsOf(before: unknown, after: unknown, depth = 0): Generator<Shortened> {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [at, entry] of after.entries()) yield* listsOf(before[at], entry, depth + 1);
  }
  if (!isJsonObject(before) || !isJsonObject(after)) return;
  for (const [name, member] of Object.entries(after)) {
    const was = before[name];
    if (Array.isArray(was) && Array.isArray(member))
      yield { name, before: was, after: member, depth, from: before, to: after };
    if (!tables.has(name)) yield* listsOf(was, member, depth);
  }
}

export const isCut = ({ before, after }: Shortened): boolean => after.length < before.length;

/** Whether columns of a table, which are cut together, were shortened. */
export const isTableCut = (before: Json, after: Json): boolean =>
  [...tables].some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));

/** What an object counts as left out of the middle of one of its lists. */
export const omittedOf = (holder: Json, name: string): number | null => {
  const told = holder[`${name}_omitted`] ?? holder[`omitted_${name}`];
  return typeof told === "number" ? told : null;
};
