import { z } from "zod";
import { neutraliseInto, type Tally } from "./neutralise.ts";
import {
  jsonRules,
  mapShared,
  showJson,
  uniqueEntries,
  type JsonCaps,
  type JsonRule,
} from "./third-party-json.ts";
import { textRules } from "./third-party-text.ts";

/** What a plan made of a value. `truncated` counts the places where something was left out. */
export interface ShownValue<T> {
  readonly value: T;
  readonly escaped: number;
  readonly truncated: number;
}

/** Where an output schema can hold third-party text, and how to make a value of it safe to show. */
export interface ThirdPartyPlan {
  /** In field order: `data[].name`; `params.*` for any member of a record, `params.{key}` for its keys. */
  readonly paths: readonly string[];
  /** A copy of `value` with every third-party text neutralised; the very same object when none changed. */
  readonly apply: <T>(value: T, caps?: TextCaps) => ShownValue<T>;
}

/** The longest text, in code points, where a result must be shorter than the caps of its fields make it. */
export interface TextCaps {
  /** Of every row below `data[]`; 500 when left out. */
  readonly row?: number;
  /** Of everything else; 4,000 when left out. */
  readonly item?: number;
}

const nameCap = 200;
const textCap = 4000;
const rowTextCap = 500;
/** What a caller that has to shorten further leaves of a JSON value, in bytes for a character of text. */
const jsonBytesPerCharacter = 8;
const rowPrefix = "data[]";
const deepestSchema = 32;

/** What stands at one place of a value: several at once where a union allows it. */
interface Spot {
  readonly cap: number;
  readonly inRow: boolean;
  isText: boolean;
  json: JsonRule | undefined;
  items: Spot | undefined;
  members: Spot | undefined;
  keys: Spot | undefined;
  readonly fields: Map<string, Spot>;
}

interface Place {
  readonly path: string;
  readonly field: string;
  readonly depth: number;
}

const capOf = ({ path, field }: Place): number => {
  if (field === "name" || field === "title" || field.endsWith("_name")) return nameCap;
  return path.startsWith(rowPrefix) ? rowTextCap : textCap;
};

const emptySpot = (place: Place): Spot => ({
  cap: capOf(place),
  inRow: place.path.startsWith(rowPrefix),
  isText: false,
  json: undefined,
  items: undefined,
  members: undefined,
  keys: undefined,
  fields: new Map(),
});

const holdsText = (spot: Spot): boolean =>
  spot.isText ||
  spot.json !== undefined ||
  spot.items !== undefined ||
  spot.members !== undefined ||
  spot.keys !== undefined ||
  spot.fields.size > 0;

/** The spot below another, kept only when third-party text can stand there. */
const below = (known: Spot | undefined, schema: z.core.$ZodType, place: Place, paths: Set<string>) => {
  if (place.depth > deepestSchema) throw new TypeError(`Recursive schema at ${place.path}`);
  const spot = known ?? emptySpot(place);
  visit(schema, place, spot, paths);
  return holdsText(spot) ? spot : undefined;
};

const visitObject = (
  shape: Readonly<Record<string, z.core.$ZodType>>,
  place: Place,
  spot: Spot,
  paths: Set<string>,
): void => {
  for (const [field, schema] of Object.entries(shape)) {
    const path = place.path === "" ? field : `${place.path}.${field}`;
    const inner = below(spot.fields.get(field), schema, { path, field, depth: place.depth + 1 }, paths);
    if (inner !== undefined) spot.fields.set(field, inner);
  }
};

const visitMembers = (schema: z.core.$ZodType, place: Place, spot: Spot, paths: Set<string>): void => {
  const path = place.path === "" ? "*" : `${place.path}.*`;
  spot.members = below(spot.members, schema, { ...place, path, depth: place.depth + 1 }, paths);
};

const visitRecord = (schema: z.ZodRecord, place: Place, spot: Spot, paths: Set<string>): void => {
  const path = place.path === "" ? "{key}" : `${place.path}.{key}`;
  spot.keys = below(spot.keys, schema.keyType, { path, field: "name", depth: place.depth + 1 }, paths);
  visitMembers(schema.valueType, place, spot, paths);
};

const visitMarked = (schema: z.core.$ZodType, place: Place, spot: Spot, paths: Set<string>): boolean => {
  const json = jsonRules.get(schema);
  if (json !== undefined) spot.json = json;
  else if (textRules.get(schema)?.thirdParty === true) spot.isText = true;
  else return false;
  paths.add(place.path);
  return true;
};

/** The schemas another one is made of when all of them describe the same place, else undefined. */
const alternatives = (schema: z.core.$ZodType): readonly z.core.$ZodType[] | undefined => {
  if (schema instanceof z.ZodUnion) return schema.options;
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right];
  if (schema instanceof z.ZodPipe) return [schema.def.out];
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodNullable) return [schema.unwrap()];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNonOptional) return [schema.unwrap()];
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return [schema.unwrap()];
  return schema instanceof z.ZodReadonly || schema instanceof z.ZodCatch ? [schema.unwrap()] : undefined;
};

/** Kinds no endpoint answers with, so that nothing below them is looked at. */
const isUnplanned = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodMap ||
  schema instanceof z.ZodSet ||
  schema instanceof z.ZodTuple ||
  schema instanceof z.ZodPromise ||
  schema instanceof z.ZodFunction ||
  schema instanceof z.ZodTransform;

const visit = (schema: z.core.$ZodType, place: Place, spot: Spot, paths: Set<string>): void => {
  if (visitMarked(schema, place, spot, paths)) return;
  if (schema instanceof z.ZodObject) {
    visitObject(schema.shape, place, spot, paths);
    const { catchall } = schema.def;
    if (catchall !== undefined) visitMembers(catchall, place, spot, paths);
    return;
  }
  const depth = place.depth + 1;
  if (schema instanceof z.ZodArray) {
    spot.items = below(spot.items, schema.element, { ...place, path: `${place.path}[]`, depth }, paths);
    return;
  }
  if (schema instanceof z.ZodRecord) {
    visitRecord(schema, place, spot, paths);
    return;
  }
  // Better no start than a place nobody looks at.
  if (isUnplanned(schema)) throw new TypeError(`No plan for ${place.path}`);
  for (const option of alternatives(schema) ?? []) below(spot, option, { ...place, depth }, paths);
};

const isRecord = (value: object): value is Record<string, unknown> => !Array.isArray(value);

/** One call of `apply`: the totals, and the caps of text in rows and elsewhere. */
interface Run {
  readonly tally: Tally;
  readonly row: number;
  readonly item: number;
}

const capIn = ({ inRow }: Spot, { row, item }: Run): number => (inRow ? row : item);

const jsonIn = (value: unknown, rule: JsonRule, spot: Spot, run: Run): unknown => {
  const cap = capIn(spot, run);
  const isLower = cap < (spot.inRow ? rowTextCap : textCap);
  const caps: JsonCaps = {
    maxBytes: isLower ? Math.min(rule.maxBytes, cap * jsonBytesPerCharacter) : rule.maxBytes,
    maxDepth: rule.maxDepth,
    keyCap: Math.min(nameCap, cap),
    textCap: Math.min(spot.cap, cap),
  };
  return showJson(value, caps, run.tally);
};

/** Members that are no field of their own: of a record, or what a loose object holds besides its fields. */
const membersIn = (value: Record<string, unknown>, spot: Spot, run: Run): Record<string, unknown> => {
  const { keys, members } = spot;
  if (keys === undefined && members === undefined) return value;
  let isSame = true;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
    if (spot.fields.has(key)) return [key, member];
    const name = keys === undefined ? key : neutraliseInto(run.tally, key, keys.cap);
    const shown = members === undefined ? member : shownAt(member, members, run);
    isSame &&= name === key && shown === member;
    return [name, shown];
  });
  return isSame ? value : uniqueEntries(entries);
};

const fieldsIn = (value: Record<string, unknown>, spot: Spot, run: Run): Record<string, unknown> => {
  let copy: Record<string, unknown> | undefined;
  for (const [field, inner] of spot.fields) {
    const before = value[field];
    if (before === undefined || before === null) continue;
    const after = shownAt(before, inner, run);
    if (after === before) continue;
    copy ??= { ...value };
    copy[field] = after;
  }
  return copy ?? value;
};

const shownAt = (value: unknown, spot: Spot, run: Run): unknown => {
  if (spot.json !== undefined) return jsonIn(value, spot.json, spot, run);
  if (typeof value === "string") {
    if (!spot.isText) return value;
    return neutraliseInto(run.tally, value, Math.min(spot.cap, capIn(spot, run)));
  }
  if (typeof value !== "object" || value === null) return value;
  if (isRecord(value)) return membersIn(fieldsIn(value, spot, run), spot, run);
  const { items } = spot;
  if (items === undefined || !Array.isArray(value)) return value;
  return mapShared(value, (item) => shownAt(item, items, run));
};

/** Holds since a plan puts text in the place of text and members in the place of members, nothing else. */
const sameShape = <T>(shown: unknown): T => shown as T;

/**
 * Compiles, once for an output schema, where its values hold third-party text. `apply` takes lower caps
 * where a result must be shortened further, and always starts from the original: a shown text cannot be cut again,
 * for nothing tells the mark of the first cut from one its author wrote.
 * Throws a `TypeError` for a recursive schema and for kinds no endpoint answers with (tuple, map, set …).
 */
export const thirdPartyPlan = (schema: z.ZodType): ThirdPartyPlan => {
  const paths = new Set<string>();
  const root = below(undefined, schema, { path: "", field: "", depth: 0 }, paths);
  return {
    paths: [...paths],
    apply: <T>(value: T, { row = rowTextCap, item = textCap }: TextCaps = {}): ShownValue<T> => {
      if (root === undefined) return { value, escaped: 0, truncated: 0 };
      const tally: Tally = { escaped: 0, truncated: 0 };
      const shown = sameShape<T>(shownAt(value, root, { tally, row, item }));
      return { value: shown, escaped: tally.escaped, truncated: tally.truncated };
    },
  };
};
