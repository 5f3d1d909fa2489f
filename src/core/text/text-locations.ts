import { z } from "zod";
import { jsonRules } from "./third-party-json.ts";
import {
  nameCap,
  escapePlanFrom,
  rowTextCap,
  textCap,
  type TextLocation,
  type EscapePlan,
} from "./escape-plan.ts";
import { textRules } from "./third-party-text.ts";

const rowPrefix = "data[]";
const deepestSchema = 32;

interface Place {
  readonly path: string;
  readonly field: string;
  readonly depth: number;
}

const capOf = ({ path, field }: Place): number => {
  if (field === "name" || field === "title" || field.endsWith("_name")) return nameCap;
  return path.startsWith(rowPrefix) ? rowTextCap : textCap;
};

const emptySpot = (place: Place): TextLocation => ({
  cap: capOf(place),
  inRow: place.path.startsWith(rowPrefix),
  isText: false,
  json: undefined,
  items: undefined,
  members: undefined,
  keys: undefined,
  fields: new Map(),
});

const holdsText = (location: TextLocation): boolean =>
  location.isText ||
  location.json !== undefined ||
  location.items !== undefined ||
  location.members !== undefined ||
  location.keys !== undefined ||
  location.fields.size > 0;

/** Kept only if third-party text can stand there. */
const below = (
  known: TextLocation | undefined,
  schema: z.core.$ZodType,
  place: Place,
  paths: Set<string>,
) => {
  if (place.depth > deepestSchema) throw new TypeError(`Recursive schema at ${place.path}`);
  const location = known ?? emptySpot(place);
  visit(schema, place, location, paths);
  return holdsText(location) ? location : undefined;
};

const visitObject = (
  shape: Readonly<Record<string, z.core.$ZodType>>,
  place: Place,
  location: TextLocation,
  paths: Set<string>,
): void => {
  for (const [field, schema] of Object.entries(shape)) {
    const path = place.path === "" ? field : `${place.path}.${field}`;
    const inner = below(location.fields.get(field), schema, { path, field, depth: place.depth + 1 }, paths);
    if (inner !== undefined) location.fields.set(field, inner);
  }
  foldAlike(Object.keys(shape), place.path, paths);
};

/** If all siblings have text at the same places, they get one path: `a.*.name` for `a.x.name`, `a.y.name`. */
const foldAlike = (fields: readonly string[], path: string, paths: Set<string>): void => {
  if (path === "" || fields.length < 2) return;
  const isInside = (rest: string): boolean => rest.startsWith(".") || rest.startsWith("[]");
  const restsOf = fields.map((field) => {
    const start = `${path}.${field}`;
    return [...paths].filter((each) => each.startsWith(start)).map((each) => each.slice(start.length));
  });
  const [first = []] = restsOf;
  const isAlike = restsOf.every((rests) => rests.join() === first.join() && rests.every(isInside));
  if (!isAlike || first.length === 0) return;
  for (const field of fields) for (const rest of first) paths.delete(`${path}.${field}${rest}`);
  for (const rest of first) paths.add(`${path}.*${rest}`);
};

const visitMembers = (
  schema: z.core.$ZodType,
  place: Place,
  location: TextLocation,
  paths: Set<string>,
): void => {
  const path = place.path === "" ? "*" : `${place.path}.*`;
  location.members = below(location.members, schema, { ...place, path, depth: place.depth + 1 }, paths);
};

const visitRecord = (schema: z.ZodRecord, place: Place, location: TextLocation, paths: Set<string>): void => {
  const path = place.path === "" ? "{key}" : `${place.path}.{key}`;
  location.keys = below(
    location.keys,
    schema.keyType,
    { path, field: "name", depth: place.depth + 1 },
    paths,
  );
  visitMembers(schema.valueType, place, location, paths);
};

const visitMarked = (
  schema: z.core.$ZodType,
  place: Place,
  location: TextLocation,
  paths: Set<string>,
): boolean => {
  const json = jsonRules.get(schema);
  if (json !== undefined) location.json = json;
  else if (textRules.get(schema)?.thirdParty === true) location.isText = true;
  else return false;
  paths.add(place.path);
  return true;
};

/** The schemas that describe the same place as this one; undefined if it has none. */
const alternatives = (schema: z.core.$ZodType): readonly z.core.$ZodType[] | undefined => {
  if (schema instanceof z.ZodUnion) return schema.options;
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right];
  if (schema instanceof z.ZodPipe) return [schema.def.out];
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodNullable) return [schema.unwrap()];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNonOptional) return [schema.unwrap()];
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return [schema.unwrap()];
  return schema instanceof z.ZodReadonly || schema instanceof z.ZodCatch ? [schema.unwrap()] : undefined;
};

const isUnplanned = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodMap ||
  schema instanceof z.ZodSet ||
  schema instanceof z.ZodTuple ||
  schema instanceof z.ZodPromise ||
  schema instanceof z.ZodFunction ||
  schema instanceof z.ZodTransform;

const visit = (schema: z.core.$ZodType, place: Place, location: TextLocation, paths: Set<string>): void => {
  if (visitMarked(schema, place, location, paths)) return;
  if (schema instanceof z.ZodObject) {
    visitObject(schema.shape, place, location, paths);
    const { catchall } = schema.def;
    if (catchall !== undefined) visitMembers(catchall, place, location, paths);
    return;
  }
  const depth = place.depth + 1;
  if (schema instanceof z.ZodArray) {
    location.items = below(
      location.items,
      schema.element,
      { ...place, path: `${place.path}[]`, depth },
      paths,
    );
    return;
  }
  if (schema instanceof z.ZodRecord) {
    visitRecord(schema, place, location, paths);
    return;
  }
  // The start fails, so that no place of text is overlooked.
  if (isUnplanned(schema)) throw new TypeError(`No plan for ${place.path}`);
  for (const option of alternatives(schema) ?? []) below(location, option, { ...place, depth }, paths);
};

/** Throws a `TypeError` for a recursive schema, and for kinds that no endpoint answers with. */
export const escapePlanOf = (schema: z.ZodType): EscapePlan => {
  const paths = new Set<string>();
  const root = below(undefined, schema, { path: "", field: "", depth: 0 }, paths);
  return escapePlanFrom(root, [...paths]);
};
