import { z } from "zod";
import { markOf, marksIn } from "./marked-text.ts";

/** An input in which every string that may be free text is one. */
export interface Everywhere {
  readonly value: Record<string, unknown>;
  /** Where a text stands: `server.name`, `nodes[].owner`, `metrics.{key}`. */
  readonly places: readonly string[];
}

/** The text of a place; null where the example's own has to stay. */
type Say = (place: string) => string | null;

/**
 * Walks an input's schema beside an example that works, and says a text at every place that takes it, in parts that
 * the example leaves out too. What the schema as a whole then refuses goes back to the example.
 */
export function everywhere(schema: z.ZodObject, example: Record<string, unknown>, say: Say): Everywhere {
  const places = new Map<string, string>();
  const value = filled(schema, example, { path: [], place: "" }, (place, path) => {
    const text = say(place);
    if (text !== null) places.set(path.join("\u0000"), place);
    return text;
  }) as Record<string, unknown>;
  for (let round = 0; round < 200; round += 1) {
    const read = schema.safeParse(value);
    if (read.success) return { value, places: [...new Set(places.values())] };
    for (const { path } of read.error.issues.slice(0, 1)) {
      const keys = path.map(String);
      const from = undo(value, example, keys);
      for (const known of places.keys())
        if (`${known}\u0000`.startsWith(from === "" ? "" : `${from}\u0000`)) places.delete(known);
    }
  }
  throw new Error("No input with texts is taken.");
}

interface At {
  readonly path: readonly string[];
  readonly place: string;
}

type Fill = (place: string, path: readonly string[]) => string | null;

const inside = ({ path, place }: At, key: string, shown = key): At => ({
  path: [...path, key],
  place: place === "" ? shown : shown.startsWith("[") ? place + shown : `${place}.${shown}`,
});

function filled(schema: z.core.$ZodType, example: unknown, at: At, fill: Fill): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return filled(schema.unwrap(), example ?? undefined, at, fill) ?? example;
  if (schema instanceof z.ZodPipe) return filled(schema.def.in, example, at, fill);
  if (schema instanceof z.ZodString || schema instanceof z.ZodUnknown || schema instanceof z.ZodTransform)
    return textAt(schema, example, at, fill);
  if (schema instanceof z.ZodArray) {
    const items = Array.isArray(example) && example.length > 0 ? example : [undefined];
    const made = items.map((item: unknown, index) =>
      filled(schema.element, item, inside(at, String(index), "[]"), fill),
    );
    return made.every((item) => item !== undefined) ? made : example;
  }
  if (schema instanceof z.ZodRecord) {
    const key = fill(`${at.place}.{key}`, at.path);
    if (key === null) return example;
    const member = filled(schema.valueType, undefined, inside(at, key, "*"), fill);
    return { ...(example as object | undefined), ...(member !== undefined && { [key]: member }) };
  }
  if (schema instanceof z.ZodUnion) {
    const fitting = schema.options.filter((option) => z.safeParse(option, example).success);
    for (const option of [...fitting, ...schema.options]) {
      const made = filled(option, example, at, fill);
      if (made !== undefined) return made;
    }
    return example;
  }
  if (schema instanceof z.ZodObject) return objectAt(schema, example, at, fill);
  return example ?? simplest(schema);
}

function objectAt(schema: z.ZodObject, example: unknown, at: At, fill: Fill): unknown {
  const known = (example ?? {}) as Record<string, unknown>;
  const made: Record<string, unknown> = { ...known };
  for (const [name, member] of Object.entries(schema.shape)) {
    const value = filled(member as z.core.$ZodType, known[name], inside(at, name), fill);
    if (value !== undefined) made[name] = value;
  }
  return made;
}

/** The text where the schema takes it: a schema that reads no free text refuses it. */
function textAt(schema: z.core.$ZodType, example: unknown, at: At, fill: Fill): unknown {
  if (!z.safeParse(schema, `${markOf(0)} \u200b<b>`).success) return example ?? simplest(schema);
  const text = fill(at.place, at.path);
  if (text === null) return example;
  return z.safeParse(schema, text).success ? text : (marksIn(text)[0] ?? "");
}

/** A value for a member that the example leaves out; undefined where none is at hand. */
function simplest(schema: z.core.$ZodType): unknown {
  const options = schema instanceof z.ZodEnum ? schema.options : [1, 0, true, "2026-11-20T07:00:00Z"];
  return options.find((value) => z.safeParse(schema, value).success);
}

/** Puts the example's value back where the schema found fault; where that is, as deep as both go. */
function undo(value: Record<string, unknown>, example: Record<string, unknown>, keys: string[]): string {
  let [here, there]: [unknown, unknown] = [value, example];
  for (const [depth, key] of keys.entries()) {
    const isTree = typeof here === "object" && here !== null;
    if (!isTree) break;
    const tree = here as Record<string, unknown>;
    const before =
      typeof there === "object" && there !== null ? (there as Record<string, unknown>)[key] : undefined;
    const isLast = depth === keys.length - 1 || typeof tree[key] !== "object" || tree[key] === null;
    if (isLast || before === undefined) {
      if (before === undefined) delete tree[key];
      else tree[key] = before;
      return keys.slice(0, depth + 1).join("\u0000");
    }
    [here, there] = [tree[key], before];
  }
  Object.assign(value, structuredClone(example));
  return "";
}
