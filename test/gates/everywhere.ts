import { z } from "zod";
import { markOf, marksIn } from "./marked-text.ts";

/** An input in which every string that may be free text is one. */
export interface Everywhere {
  readonly value: Record<string, unknown>;
  /** Where a text stands: `server.name`, `nodes[].owner`, `metrics.{key}`. */
  readonly places: readonly string[];
  /** What stands there: the text that was said, its beginning where no more fits, or its mark alone. */
  readonly texts: readonly string[];
}

/** The text of a place; null where the example's own has to stay. */
type Say = (place: string) => string | null;

/**
 * Walks an input's schema beside an example that works, and says a text at every place that takes it, in parts that
 * the example leaves out too. What the schema as a whole then refuses goes back to the example.
 */
export function everywhere(schema: z.ZodObject, example: Record<string, unknown>, say: Say): Everywhere {
  const places = new Map<string, Placed>();
  const value = filled(
    schema,
    example,
    { path: [], place: "" },
    {
      say,
      took: (place, path, text) => void places.set(path.join("\u0000"), { place, text }),
    },
  ) as Record<string, unknown>;
  for (let round = 0; round < 200; round += 1) {
    const read = schema.safeParse(value);
    if (read.success) {
      const placed = [...places.values()];
      return {
        value,
        places: [...new Set(placed.map(({ place }) => place))],
        texts: placed.map(({ text }) => text),
      };
    }
    for (const { path } of read.error.issues.slice(0, 1)) {
      const keys = path.map(String);
      const from = undo(value, example, keys);
      for (const known of places.keys())
        if (`${known}\u0000`.startsWith(from === "" ? "" : `${from}\u0000`)) places.delete(known);
    }
  }
  throw new Error("No input with texts is taken.");
}

interface Placed {
  readonly place: string;
  readonly text: string;
}

interface Filling {
  readonly say: Say;
  /** Told of every text as it was put in. */
  readonly took: (place: string, path: readonly string[], text: string) => void;
}

interface At {
  readonly path: readonly string[];
  readonly place: string;
}

const inside = ({ path, place }: At, key: string, shown = key): At => ({
  path: [...path, key],
  place: place === "" ? shown : shown.startsWith("[") ? place + shown : `${place}.${shown}`,
});

function filled(schema: z.core.$ZodType, example: unknown, at: At, fill: Filling): unknown {
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
    const place = `${at.place}.{key}`;
    const said = fill.say(place);
    if (said === null) return example;
    const key = longestFitting(schema.keyType, said);
    fill.took(place, at.path, key);
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

function objectAt(schema: z.ZodObject, example: unknown, at: At, fill: Filling): unknown {
  const known = (example ?? {}) as Record<string, unknown>;
  const made: Record<string, unknown> = { ...known };
  for (const [name, member] of Object.entries(schema.shape)) {
    const value = filled(member as z.core.$ZodType, known[name], inside(at, name), fill);
    if (value !== undefined) made[name] = value;
  }
  return made;
}

/** Text that only a schema of free text takes. */
export const freeText = `${markOf(0)} \u200b<b>`;

/** So much of a text is tried where all of it does not fit, characters; in the end its mark alone. */
const lengths = [4000, 1000, 500, 250, 200, 120, 80, 64, 50, 32, 24];

/** As much of a text as the schema takes, from its beginning. */
function longestFitting(schema: z.core.$ZodType, text: string): string {
  const isTaken = (part: string): boolean => z.safeParse(schema, part).success;
  if (isTaken(text)) return text;
  const points = Array.from(text);
  for (const length of lengths) {
    if (length >= points.length) continue;
    const part = points.slice(0, length).join("");
    if (isTaken(part)) return part;
  }
  return marksIn(text)[0] ?? "";
}

/** The text where the schema takes it: a schema that reads no free text refuses it. */
function textAt(schema: z.core.$ZodType, example: unknown, at: At, fill: Filling): unknown {
  if (!z.safeParse(schema, freeText).success) return example ?? simplest(schema);
  const said = fill.say(at.place);
  if (said === null) return example;
  const text = longestFitting(schema, said);
  fill.took(at.place, at.path, text);
  return text;
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
