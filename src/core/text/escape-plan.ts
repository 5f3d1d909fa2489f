import { neutraliseInto, type Tally } from "./neutralise.ts";
import { mapShared, showJson, uniqueEntries, type JsonCaps, type JsonRule } from "./shown-json.ts";

/** `truncated` counts the places where something was left out. */
export interface ShownValue<T> {
  readonly value: T;
  readonly escaped: number;
  readonly truncated: number;
}

/** Where an output schema can hold third-party text, and the function that makes it safe to show. */
export interface EscapePlan {
  /** Undefined if the schema has no such place. */
  readonly root: TextLocation | undefined;
  /** In field order: `data[].name`; `params.*` for any member of a record, `params.{key}` for its keys. */
  readonly paths: readonly string[];
  /** A copy with every third-party text neutralised; the same object if nothing changed. */
  readonly apply: <T>(value: T, caps?: TextCaps) => ShownValue<T>;
}

/** Caps in code points, for a result that must be shorter than usual. */
export interface TextCaps {
  /** For rows below `data[]`; 500 if undefined. */
  readonly row?: number;
  /** For everything else; 4,000 if undefined. */
  readonly item?: number;
}

/** The longest name, text, and text of a row that is shown, code points. */
export const nameCap = 200;
export const textCap = 4000;
export const rowTextCap = 500;
/** For text that its schema does not mark: it is never cut. */
export const uncapped = Infinity;
/** With a lower cap, the bytes that a JSON value may have for each code point of the cap. */
const jsonBytesPerCharacter = 8;

/** One place of a value; a union can set several members. */
export interface TextLocation {
  /** The longest text shown here, code points. */
  readonly cap: number;
  readonly inRow: boolean;
  isText: boolean;
  json: JsonRule | undefined;
  items: TextLocation | undefined;
  members: TextLocation | undefined;
  keys: TextLocation | undefined;
  readonly fields: Map<string, TextLocation>;
}

const isRecord = (value: object): value is Record<string, unknown> => !Array.isArray(value);

interface Run {
  readonly tally: Tally;
  readonly row: number;
  readonly item: number;
}

const capIn = ({ cap, inRow }: TextLocation, { row, item }: Run): number =>
  cap === uncapped ? uncapped : inRow ? row : item;

const jsonIn = (value: unknown, rule: JsonRule, location: TextLocation, run: Run): unknown => {
  const cap = capIn(location, run);
  const isLower = cap < (location.inRow ? rowTextCap : textCap);
  const caps: JsonCaps = {
    maxBytes: isLower ? Math.min(rule.maxBytes, cap * jsonBytesPerCharacter) : rule.maxBytes,
    maxDepth: rule.maxDepth,
    keyCap: Math.min(nameCap, cap),
    textCap: Math.min(location.cap, cap),
  };
  return showJson(value, caps, run.tally);
};

/** Members of a record, or members of a loose object that are no declared field. */
const membersIn = (
  value: Record<string, unknown>,
  location: TextLocation,
  run: Run,
): Record<string, unknown> => {
  const { keys, members } = location;
  if (keys === undefined && members === undefined) return value;
  let isSame = true;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
    if (location.fields.has(key)) return [key, member];
    const name = keys === undefined ? key : neutraliseInto(run.tally, key, keys.cap);
    const shown = members === undefined ? member : shownAt(member, members, run);
    isSame &&= name === key && shown === member;
    return [name, shown];
  });
  return isSame ? value : uniqueEntries(entries);
};

const fieldsIn = (
  value: Record<string, unknown>,
  location: TextLocation,
  run: Run,
): Record<string, unknown> => {
  let copy: Record<string, unknown> | undefined;
  for (const [field, inner] of location.fields) {
    const before = value[field];
    if (before === undefined || before === null) continue;
    const after = shownAt(before, inner, run);
    if (after === before) continue;
    copy ??= { ...value };
    copy[field] = after;
  }
  return copy ?? value;
};

const shownAt = (value: unknown, location: TextLocation, run: Run): unknown => {
  if (location.json !== undefined) return jsonIn(value, location.json, location, run);
  if (typeof value === "string") {
    if (!location.isText) return value;
    return neutraliseInto(run.tally, value, Math.min(location.cap, capIn(location, run)));
  }
  if (typeof value !== "object" || value === null) return value;
  if (isRecord(value)) return membersIn(fieldsIn(value, location, run), location, run);
  const { items } = location;
  if (items === undefined || !Array.isArray(value)) return value;
  return mapShared(value, (item) => shownAt(item, items, run));
};

/** True because a plan replaces text only by text, and members only by members. */
const sameShape = <T>(shown: unknown): T => shown as T;

/** Caps apply to the original text: the mark of an earlier cut could also be text of its author. */
export const escapePlanFrom = (root: TextLocation | undefined, paths: readonly string[]): EscapePlan => ({
  root,
  paths,
  apply: <T>(value: T, { row = rowTextCap, item = textCap }: TextCaps = {}): ShownValue<T> => {
    if (root === undefined) return { value, escaped: 0, truncated: 0 };
    const tally: Tally = { escaped: 0, truncated: 0 };
    const shown = sameShape<T>(shownAt(value, root, { tally, row, item }));
    return { value: shown, escaped: tally.escaped, truncated: tally.truncated };
  },
});
