import type { z } from "zod";
import type { Json } from "./payload.ts";

/** A place of a document where a sender may write what it likes, and how much, code points. */
interface Slot {
  readonly path: readonly string[];
  readonly max: number;
}

/** Every length a text of ours may have. */
const lengths = [4000, 2000, 1000, 500, 255, 200, 160, 120, 100, 80, 64, 40, 32];

/**
 * The places of `example` whose text can be any other, found by trying it; those named in `apart` keep what the
 * rest hangs on.
 */
export function slotsOf(schema: z.ZodType, example: unknown, apart: readonly string[] = []): Slot[] {
  const takes = (path: readonly string[], max: number): boolean =>
    schema.safeParse(replaced(example, path, "w".repeat(max))).success;
  return stringsIn(example).flatMap((path) => {
    const max = apart.includes(path.at(-1) ?? "") ? undefined : lengths.find((length) => takes(path, length));
    return max === undefined ? [] : [{ path, max }];
  });
}

/** The document with other text in its slots. */
export const filled = (example: Json, slots: readonly Slot[], text: (max: number) => string): Json =>
  slots.reduce<unknown>((document, { path, max }) => replaced(document, path, text(max)), example) as Json;

function stringsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === "string") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => stringsIn(member, [...path, key]));
}

function replaced(value: unknown, [key, ...rest]: readonly string[], text: string): unknown {
  if (key === undefined) return text;
  if (Array.isArray(value))
    return value.map((member: unknown, index) =>
      String(index) === key ? replaced(member, rest, text) : member,
    );
  const object = value as Json;
  return { ...object, [key]: replaced(object[key], rest, text) };
}
